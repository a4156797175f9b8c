"""tune: which value of a knob gives the target? Found with shared luck, confirmed on fresh luck."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Unpack

from sim.errors import InputError, Problem, did_you_mean
from sim.results.adjusted import Adjusted
from sim.results.statistics import CONFIDENCE, MINIMUM_RUNS, MOST_RUNS, Estimate
from sim.scenario.wording import in_words, place_in_words, setting_in_words
from sim.studies.answer import Answer, Column, StudyTable
from sim.studies.crossings import place
from sim.studies.curve import Curve, Found, Target, find, span_of
from sim.studies.known_luck import COLUMN, about_tables, estimator, rate_of
from sim.studies.measures import EVERY_MEASURE, Tally, ends_besides_wins, told_beside
from sim.studies.options import check_options, measure_problems
from sim.studies.points import remarks_on, scale_of, usual_precision
from sim.studies.pool import Pool
from sim.studies.race import other_seed
from sim.studies.tune_several import tune_several
from sim.studies.variants import AnyScenario, as_fight
from sim.studies.work import Work, delivered, pool_for


def parse_target(text: str) -> tuple[str, float]:
    """`win_rate=0.65` or `rounds=5`; the win rate also as 65%.

    >>> parse_target("win_rate=65%")
    ('win_rate', 0.65)
    """
    measure, _, typed = text.partition("=")
    measure = measure.strip()
    if measure not in EVERY_MEASURE:
        known = did_you_mean(measure, EVERY_MEASURE) or f" (known: {', '.join(EVERY_MEASURE)})"
        raise InputError(Problem("target", f"expected MEASURE=VALUE, as in win_rate=0.65, found {text!r}{known}"))
    try:
        value = float(typed.strip().removesuffix("%")) / (100 if typed.strip().endswith("%") else 1)
    except ValueError:
        raise InputError(Problem("target", f"expected a number after {measure}=, found {typed.strip()!r}")) from None
    check_target(measure, value)
    return measure, value


def check_target(measure: str, value: float) -> None:
    """A rate lies between 0 and 1."""
    if scale_of(measure) == 100 and not 0 < value < 1:
        raise InputError(Problem("target", f"expected a share between 0 and 1, as in {measure}=0.65, found {value:g}"))


def tune(
    scenario: AnyScenario,
    knob: str | Mapping[str, Any],
    target: Mapping[str, float] | tuple[str, float] | str,
    *,
    low: float | None = None,
    high: float | None = None,
    precision: float | None = None,
    seed: int = 1,
    confidence: float = CONFIDENCE,
    max_runs: int = MOST_RUNS,
    trials: int = 200,
    search: str = "fewest",
    **work: Unpack[Work],
) -> Answer:
    """The value of a knob at which a measure has its target, with an interval, confirmed on fresh luck.

    Args:
        knob: a path, or several as path -> [low, high]; then as few of them as possible are turned.
        target: {"win_rate": 0.65}, or "win_rate=0.65".
        low: the least value to try; from the game's own bounds if not given.
        high: the most.
        precision: points either way (units for other measures); 1 if not given, or a hundredth of the target; along
            curves 4, or a twentieth.
        trials: how many combinations of several knobs `search="optuna"` tries.
        search: "fewest" turns one knob after the other, the smallest turn first; "optuna" looks everywhere (an extra).
        work: processes, folder, cluster: see `sim.studies.work.Work`; nothing of it changes the answer.
    """
    base = as_fight(scenario)
    measure, wanted = _target(target)
    half = (usual_precision(measure, wanted) if precision is None else precision) / scale_of(measure)
    check_options(
        runs=None, precision=precision, margin=1.0, measure=measure, confidence=confidence, seed=seed, course=True
    )
    aim = Target(measure, wanted, half, seed, confidence, max_runs)
    if not isinstance(knob, str):
        return tune_several(base, knob, aim, trials, search, work)
    span = span_of(base, knob, low, high)
    with pool_for("tune", [base], seed, work) as pool:
        curve = Curve(base, knob, aim.points(pool), aim)
        found = find(curve, span)
        fresh = aim.afresh(pool, curve.fight(found.value).scenario, curve.pilot)
        return delivered(_answer(curve, found, fresh, pool), pool, work)


def _target(target: Mapping[str, float] | tuple[str, float] | str) -> tuple[str, float]:
    if isinstance(target, str):
        return parse_target(target)
    pairs = list(target.items()) if isinstance(target, Mapping) else [target]
    if len(pairs) != 1:
        raise InputError(Problem("target", f"expected one measure with its value, found {len(pairs)}"))
    measure, value = pairs[0]
    if problems := measure_problems(measure, course=True):
        raise InputError(Problem("target", problems[0]))
    check_target(measure, float(value))
    return measure, float(value)


# ---------------------------------------------------------------------------------------------------------- the answer


def _answer(curve: Curve, found: Found, fresh: Tally, pool: Pool) -> Answer:
    target = curve.target
    confirmed = fresh.sharpest(target.measure, target.confidence)
    raw = fresh.estimate(target.measure, target.confidence)
    return Answer(
        question="tune",
        scenario=curve.scenario,
        verdicts=[*_verdicts(curve, found, confirmed), *_raw(curve, fresh), *_rest(curve, fresh)],
        tables=[_table(curve, found)],
        settings={
            "seed": target.seed,
            "fresh_seed": other_seed(target.seed),
            "knob": curve.path,
            "target": {target.measure: target.value},
            "precision": target.precision,
            "confidence": target.confidence,
            "interval": "delta method from the points on either side",
            "interval_of": estimator(_adjusted(curve, fresh)),
        },
        effort=pool.effort(_plain_way(curve), "every value played to the precision"),
        warnings=_warnings(curve, found, confirmed),
        facts={
            "knob": curve.path,
            "value": found.value,
            "reachable": found.reachable,
            "monotone": found.monotone,
            "passes_at": None if found.at is None else found.at.value,
            "passes_at_low": None if found.at is None else found.at.low,
            "passes_at_high": None if found.at is None else found.at.high,
            "confirmed": confirmed.value,
            "confirmed_low": confirmed.low,
            "confirmed_high": confirmed.high,
            "confirmed_raw": raw.value,
            "confirmed_raw_low": raw.low,
            "confirmed_raw_high": raw.high,
        },
    )


def _verdicts(curve: Curve, found: Found, confirmed: Estimate) -> list[str]:
    goal, shown = curve.target.goal, curve.target.shown
    setting = setting_in_words(curve.path, found.value, curve.scenario.data)
    whole = all(float(value).is_integer() for value in curve.known)
    if found.reachable and (whole or found.at is None):
        return [f"{setting[0].upper()}{setting[1:]}: {shown(confirmed)} on fresh luck, for {goal}."]
    if found.reachable:
        assert found.at is not None
        knob = place_in_words(curve.path, curve.scenario.data)
        first = f"{goal[0].upper()}{goal[1:]} lies at {knob} {place(found.at)}."
    else:
        ends = [curve.at(value) for value in curve.known]
        least, most = min(ends, key=lambda e: e.value), max(ends, key=lambda e: e.value)
        first = f"No value {_turned(curve)} gives {goal}: it goes from {shown(least)} to {shown(most)}."
    nearest = "" if found.reachable else "The nearest is "
    return [first, f"{nearest}{setting}: {shown(confirmed)} on fresh luck."]


def _rest(curve: Curve, fresh: Tally) -> list[str]:
    """What the fights that are not won are made of: of the same fights as the win rate, so that they add up."""
    return [f"The rest there: {in_words(ends_besides_wins(fresh))}."] if curve.target.measure == "win_rate" else []


def _adjusted(curve: Curve, fresh: Tally) -> Adjusted | None:
    """The win rate with the known luck taken out, if that is what was looked for and any is known."""
    return fresh.adjusted(curve.target.confidence) if curve.target.measure == "win_rate" else None


def _raw(curve: Curve, fresh: Tally) -> list[str]:
    """Which rate the verdict is about, where it is not the raw one."""
    found, target = _adjusted(curve, fresh), curve.target
    if found is None:
        return []
    raw = target.shown(fresh.estimate(target.measure, target.confidence))
    sharp = f"as sharp as {found.gain:.1f} times as many runs"
    return [f"That is the rate with the known luck of dice and cards taken out, {sharp}; the raw rate is {raw}."]


def _warnings(curve: Curve, found: Found, confirmed: Estimate) -> list[str]:
    said = [f"The game does not take {end:g}: {why}." for end, why in sorted(curve.refused.items())]
    if not found.monotone:
        more = f" It is passed again at {', '.join(place(other) for other in found.others)}." if found.others else ""
        said.append(f"Not monotone: {_turned(curve)} the curve both rises and falls.{more}")
    target = curve.target
    if curve.untold:
        values, why = in_words([f"{value:g}" for value in curve.untold]), next(iter(curve.untold.values()))
        said.append(f"At {values} nothing can be told: {why}.")
    said += remarks_on(target.measure, curve.points.known.values())
    if found.reachable and abs(confirmed.value - target.value) > confirmed.margin:
        step = "the knob has no finer step" if float(found.value).is_integer() else "the search was coarser than that"
        said.append(f"Fresh luck gives {target.shown(confirmed)}, not {target.goal}: {step}.")
    return said


def _turned(curve: Curve) -> str:
    return f"from {curve.known[0]:g} to {curve.known[-1]:g}"


def _plain_way(curve: Curve) -> int:
    """What it takes to play every whole number of the span, or as many values as were tried, to the precision."""
    values = curve.known
    whole = all(float(value).is_integer() for value in values)
    steps = int(values[-1] - values[0]) + 1 if whole else len(values)
    needed = []
    for value in values:
        estimate = curve.at(value)
        margin = estimate.margin if estimate.known else 0.0  # a fight against nobody has no win rate
        needed.append(max(curve.runs(value) * (margin / curve.target.half_width) ** 2, float(MINIMUM_RUNS)))
    return round(steps * sum(needed) / len(needed))


def _table(curve: Curve, found: Found) -> StudyTable:
    tallies = [curve.points.known[curve.fights[value]] for value in curve.known]
    measures = told_beside(curve.target.measure, tallies)
    beside = about_tables(tallies) if curve.target.measure == "win_rate" else ""
    columns = (
        Column("value", place_in_words(curve.path, curve.scenario.data), "value"),
        Column("runs", "runs", "count"),
        *(Column(name, about.short, about.unit) for name, about in measures.items()),
        *([COLUMN] if beside else []),
        Column("chosen", ""),
    )
    about = f"Win rate of all encounters, the rest per fight.{beside}"
    table = StudyTable("tried", "What was tried", about, columns)
    for value, tally in zip(curve.known, tallies, strict=True):
        row: dict[str, Any] = {"value": value, "runs": tally.runs, "chosen": "←" if value == found.value else ""}
        row |= {name: tally.estimate(name, curve.points.confidence) for name in measures}
        table.rows.append(row | ({COLUMN.name: rate_of(tally.adjusted(curve.points.confidence))} if beside else {}))
    return table
