"""A question as a file: reading it. All its mistakes are listed at once."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from pydantic import ValidationError

from sim.errors import InputError, Problem, ScenarioError, did_you_mean
from sim.scenario import Scenario, as_scenario
from sim.scenario.checks import misfits_of
from sim.scenario.shape import in_words, model_shape
from sim.scenario.toml_reader import TomlFile, read_toml
from sim.scenario.values import KeyPath, key_path, spell
from sim.studies.claims import Claim, as_claims, claim_problems, place_in_question
from sim.studies.study_model import (
    MODELS,
    GateStudy,
    StudyModel,
    TuneStudy,
)


def read_study(file: str | Path) -> tuple[TomlFile, StudyModel]:
    """A study file, checked; a ScenarioError lists every problem with its line."""
    read = read_toml(Path(file), str(file))
    question = read.table.get("question")
    if question is None and "claims" in read.table:
        question = "gate"
    if question not in MODELS:
        known = in_words({"enum": list(MODELS)})
        nearest = did_you_mean(question, MODELS) if isinstance(question, str) else ""
        found = "missing; expected" if question is None else f"found {question!r}{nearest}; expected"
        raise ScenarioError(Problem("question", f"{found} {known}", read.name, read.lines.of(("question",))))
    model = MODELS[question]
    try:
        checked = model.model_validate_json(json.dumps(read.table))
    except ValidationError as error:
        misfits = misfits_of(error, read.table, model_shape(model))
        problems = [Problem(spell(one.path), one.message, read.name, read.lines.of(one.path)) for one in misfits]
        raise ScenarioError(_by_line(problems + _fight_problems(read))) from None
    if problems := _fight_problems(read) + _contradictions(read, checked):
        raise ScenarioError(_by_line(problems))
    return read, checked


def read_claims(file: str | Path) -> list[Claim]:
    """The claims of a gate file, checked."""
    read, model = read_study(file)
    if not isinstance(model, GateStudy):
        expected = f"expected a file of [[claims]], found {model.question!r}"
        raise ScenarioError(Problem("question", expected, read.name, read.lines.of(("question",))))
    return claims_in(read, model)


def claims_in(read: TomlFile, model: GateStudy) -> list[Claim]:
    return as_claims([_beside(read, claim) for claim in model.claims])


def _contradictions(read: TomlFile, model: StudyModel) -> list[Problem]:
    """What the models cannot see."""
    found = []
    if getattr(model, "runs", None) is not None and getattr(model, "precision", None) is not None:
        found.append(("precision", "runs fixes the number and precision finds it: give one of them"))
    if isinstance(model, TuneStudy) and (model.knob is None) == (not model.knobs):
        found.append(("knob", "give one `knob`, or several `knobs`"))
    return [Problem(key, message, read.name, read.lines.of((key,))) for key, message in found]


def _fight_problems(read: TomlFile) -> list[Problem]:
    """What is wrong with the fight and with each of its variants, as far as they can be read."""
    table = read.table
    found = _claim_problems(read)
    if not isinstance(table.get("scenario"), str):
        return found
    try:
        base = fight_in(read, table)
    except InputError as error:
        found += [_from_fight(read, (), problem) for problem in error.problems]
        try:
            base = as_scenario(_beside(read, table)["scenario"])
        except InputError:
            return found
    for group in ("variants", "parties"):
        changes = table.get(group)
        for name, change in changes.items() if isinstance(changes, dict) else ():
            if not isinstance(change, dict):
                continue
            try:
                fight_in(read, change, base)
            except InputError as error:
                found += [_from_fight(read, (group, name), problem) for problem in error.problems]
    return found


def _claim_problems(read: TomlFile) -> list[Problem]:
    """What is wrong with the claims of a gate, as far as they can be read."""
    claims = read.table.get("claims")
    if not isinstance(claims, list) or not all(isinstance(claim, dict) for claim in claims):
        return []
    found = claim_problems([_beside(read, claim) for claim in claims])
    return [Problem(spell(path), message, read.name, read.lines.of(path)) for path, message in found]


def fight_in(read: TomlFile, table: Mapping[str, Any], base: Scenario | None = None) -> Scenario:
    """The fight that a study or a variant describes; keys of the wrong type are left to the model's complaints."""
    def text(key: str) -> str | None:
        return table[key] if isinstance(table.get(key), str) else None

    values = table.get("set")
    named = _beside(read, table)["scenario"] if text("scenario") else base
    assert named is not None
    return as_scenario(
        named, values=values if isinstance(values, dict) else None, preset=text("preset"), policy=text("policy")
    )


def _beside(read: TomlFile, table: Mapping[str, Any]) -> dict[str, Any]:
    """The table with the path of its scenario taken from the study's own folder, if it is there."""
    own = dict(table)
    name = own.get("scenario")
    if isinstance(name, str) and name.endswith(".toml"):
        near = Path(read.name).parent / name
        own["scenario"] = str(near) if near.is_file() else name
    return own


def _from_fight(read: TomlFile, place: KeyPath, problem: Problem) -> Problem:
    """A problem of a fight, at the key of the study that brought it about."""
    within, message = place_in_question(problem)
    if within == ("scenario",) and place and "scenario" not in _table_at(read.table, place):
        within = ()  # the variant has the fight of the study
    path: KeyPath = (*place, *within)
    return Problem(spell(path), message, read.name, read.lines.of(path))


def _table_at(table: Any, path: KeyPath) -> dict[str, Any]:
    for step in path:
        table = table[step]
    return cast("dict[str, Any]", table)


def _by_line(problems: list[Problem]) -> list[Problem]:
    return sorted(dict.fromkeys(problems), key=lambda problem: problem.line or 0)


def placed(read: TomlFile, problem: Problem) -> Problem:
    """A problem found by the question itself, at its line of the file."""
    if problem.file == read.name or problem.key.startswith("--"):  # an option of the command is no line of the file
        return problem
    asked = problem.file or ""
    path = key_path(problem.key) if problem.key else ()
    if asked.startswith("--set "):
        knob = asked.removeprefix("--set ").partition("=")[0]
        path = ("knobs", knob) if knob in read.table.get("knobs", {}) else path
        key = f"{spell(path)} ({asked.removeprefix('--set ')})"
        return Problem(key, problem.message, read.name, read.lines.of(path))
    message = f"{asked}: {problem.message}" if asked else problem.message
    return Problem(problem.key, message, read.name, read.lines.of(path))
