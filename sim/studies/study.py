"""study: a question as a file, run by `fairfight study FILE`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Unpack

from sim.errors import InputError, Problem, ScenarioError
from sim.scenario.toml_reader import TomlFile
from sim.studies.answer import Answer
from sim.studies.compare import compare
from sim.studies.gate import gate
from sim.studies.improve import improve
from sim.studies.ladder import ladder
from sim.studies.parties import parties
from sim.studies.price import price
from sim.studies.scale import scale
from sim.studies.sensitivity import sensitivity
from sim.studies.study_file import claims_in, fight_in, placed, read_study
from sim.studies.study_model import (
    CompareStudy,
    FightStudy,
    GateStudy,
    ImproveStudy,
    LadderStudy,
    PartiesStudy,
    PriceStudy,
    ScaleStudy,
    SensitivityStudy,
    Span,
    StudyModel,
    SweepStudy,
    TuneStudy,
    WhyStudy,
)
from sim.studies.sweep import sweep
from sim.studies.tune import tune
from sim.studies.variants import span_values
from sim.studies.why import why
from sim.studies.work import Work, check_work

ASK: dict[str, Callable[..., Answer]] = {
    "compare": compare,
    "sweep": sweep,
    "scale": scale,
    "tune": tune,
    "sensitivity": sensitivity,
    "ladder": ladder,
    "improve": improve,
    "parties": parties,
    "price": price,
    "why": why,
    "gate": gate,
}


def study(
    file: str | Path,
    *,
    seed: int | None = None,
    runs: int | None = None,
    **work: Unpack[Work],
) -> Answer:
    """Run a study file; with `out`, everything it finds is written to that folder.

    Args:
        seed: another seed than the file's.
        runs: another number of runs than the file's, for a quick look; not for tune and gate, which find it themselves.
        work: processes, folder, cluster: see `sim.studies.work.Work`; nothing of it changes the answer.
    """
    check_work(**work)
    read, model = read_study(file)
    if runs is not None and isinstance(model, (TuneStudy, GateStudy)):
        message = f"a {model.question} finds its number of runs itself; its file may say `max_runs`"
        raise InputError(Problem("--runs", message))
    label: Work = {"name": Path(file).stem, "title": model.title, "about": model.about}
    options: dict[str, Any] = {**label, **work, "seed": model.seed if seed is None else seed}
    try:
        return _asked(read, model, options, runs)
    except InputError as error:
        raise ScenarioError([placed(read, problem) for problem in error.problems]) from None


def _asked(read: TomlFile, model: StudyModel, options: dict[str, Any], runs: int | None) -> Answer:
    """The question with what the file says."""
    ask = ASK[model.question]
    if isinstance(model, GateStudy):
        return ask(claims_in(read, model), **options, **_given(model, "max_runs"))
    assert isinstance(model, FightStudy)
    fight = fight_in(read, read.table)
    options["confidence"] = model.confidence
    if runs is not None:
        options["runs"] = runs
    else:
        options |= _given(model, "runs", "precision")
    if isinstance(model, CompareStudy):
        changes = {name: fight_in(read, change, fight) for name, change in read.table["variants"].items()}
        return ask(fight, changes, **options, **_given(model, "margin", "measure", "best", "max_runs"))
    if isinstance(model, SweepStudy):
        knobs = {path: _values(values) for path, values in model.knobs.items()}
        return ask(fight, knobs, **options, **_given(model, "measure", "iso", "full", "max_runs"))
    if isinstance(model, ScaleStudy):
        parties = {name: fight_in(read, change, fight) for name, change in read.table.get("parties", {}).items()}
        more = _given(model, "level", "enemy_level", "enemy_levels", "policies", "measure", "max_runs")
        return ask(fight, [int(level) for level in _values(model.levels)], parties=parties, **options, **more)
    if isinstance(model, TuneStudy):
        knob = model.knob if model.knob is not None else model.knobs
        return ask(fight, knob, model.target, **options, **_given(model, "low", "high", "search", "trials", "max_runs"))
    if isinstance(model, SensitivityStudy):
        return ask(fight, **options, **_given(model, "measure", "only", "switches", "full"))
    if isinstance(model, PriceStudy):
        more = _given(model, "scale", "levels", "precision")
        options.pop("precision", None)
        return ask(fight, model.units, **options, **more)
    if isinstance(model, ImproveStudy):
        return ask(fight, **options, **_given(model, "budget", "generations"))
    if isinstance(model, PartiesStudy):
        against = [fight_in(read, {"scenario": name}) for name in model.against or ()]
        return ask(fight, against=against, **options, **_given(model, "size", "of", "full"))
    if isinstance(model, WhyStudy):
        return ask(fight, **options, **_given(model, "curves", "again", "choices", "switches", "max_runs"))
    assert isinstance(model, LadderStudy)
    return ask(fight, **options, **_given(model, "policies", "abilities", "full"))


def _values(values: Span | list[Any]) -> list[Any]:
    """A span or a list as a list; whole numbers stay whole."""
    if isinstance(values, Span):
        ends = [int(end) if float(end).is_integer() else end for end in (values.first, values.to)]
        step = values.step
        if step is not None and float(step).is_integer():
            step = int(step)
        try:
            return list(span_values(ends[0], ends[1], step))
        except ValueError as error:
            raise InputError(Problem("knobs", f"{error}, found {values.first:g} to {values.to:g}")) from None
    return values


def _given(model: StudyModel, *names: str) -> dict[str, Any]:
    """What the file says of these; what it leaves out is the question's own business."""
    return {
        name: getattr(model, name)
        for name in names
        if name in type(model).model_fields and getattr(model, name) is not None and name in model.model_fields_set
    }
