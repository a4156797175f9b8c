"""tune: which value of a knob gives the target? Found with shared luck, confirmed on fresh luck."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Unpack

from sim.errors import InputError, Problem, did_you_mean
from sim.results.statistics import CONFIDENCE, MOST_RUNS, Estimate, each_of
from sim.studies.answer import Answer, Column, StudyTable
from sim.studies.cards import Fight
from sim.studies.crossings import crossings, place
from sim.studies.measures import MEASURES
from sim.studies.options import check_options
from sim.studies.points import Points, scale_of
from sim.studies.pool import Pool
from sim.studies.race import other_seed
from sim.studies.variants import AnyScenario, as_fight, bounds, value_now
from sim.studies.work import Work, delivered, pool_for

if TYPE_CHECKING:
    from sim.scenario import Scenario

SCANNED = 9  # values that give the first picture
COARSE = 3.0  # times the precision: what the first picture is known to
WIDEST = 40  # how far a whole-number knob without a bound of its own is turned
HALVINGS = 20  # of a real knob, at most


def parse_target(text: str) -> tuple[str, float]:
    """`win_rate=0.65` or `rounds=5`; the win rate also as 65%.

    >>> parse_target("win_rate=65%")
    ('win_rate', 0.65)
    """
    measure, _, typed = text.partition("=")
    measure = measure.strip()
    if measure not in MEASURES:
        known = did_you_mean(measure, MEASURES) or f" (known: {', '.join(MEASURES)})"
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


@dataclass(slots=True)
class Curve:
    """What is known of the response to one knob."""

    scenario: Scenario
    path: str
    seed: int
    points: Points
    measure: str
    fights: dict[float, Fight] = field(default_factory=dict)

    def fight(self, value: float) -> Fight:
        """The fight with the knob at a value."""
        if value not in self.fights:
            self.fights[value] = Fight(self.scenario.changed(values={self.path: value}), self.seed)
        return self.fights[value]

    def learn(self, values: list[float], half_width: float, most: int = MOST_RUNS) -> None:
        """Play the values until each is known to this precision."""
        self.points.play_until([self.fight(value) for value in values], half_width, most)

    def at(self, value: float, confidence: float | None = None) -> Estimate:
        """What the measure is there; of the study's own confidence if not told otherwise."""
        sure = self.points.confidence if confidence is None else confidence
        return self.points.known[self.fights[value]].estimate(self.measure, sure)

    @property
    def known(self) -> list[float]:
        """The values that were played, ascending."""
        return sorted(value for value, fight in self.fights.items() if fight in self.points.known)

    def runs(self, value: float) -> int:
        """How many runs were played there."""
        return self.points.known[self.fights[value]].runs


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
        precision: points either way (units for other measures); 1 if not given, or a hundredth of the target.
        trials: how many combinations of several knobs `search="optuna"` tries.
        search: "fewest" turns one knob after the other, the smallest turn first; "optuna" looks everywhere (an extra).
        work: processes, folder, cluster: see `sim.studies.work.Work`; nothing of it changes the answer.
    """
    base = as_fight(scenario)
    measure, wanted = _target(target)
    unit = 1.0 if scale_of(measure) == 100 else max(0.01, abs(wanted) / 100)
    half = (unit if precision is None else precision) / scale_of(measure)
    check_options(runs=None, precision=precision, margin=1.0, measure=measure, confidence=confidence, seed=seed)
    if not isinstance(knob, str):
        from sim.studies.tune_several import tune_several

        return tune_several(base, knob, measure, wanted, half, seed, confidence, max_runs, trials, search, work)
    ends = span(base, knob, low, high)
    with pool_for("tune", [base], seed, work) as pool:
        curve = Curve(base, knob, seed, Points(pool, measure, confidence), measure)
        found = find(curve, wanted, *ends, half, max_runs)
        confirmed = confirm(pool, curve.fight(found.value).scenario, measure, half, seed, confidence, max_runs)
        answer = _answer(base, curve, found, confirmed, wanted, half, pool, seed, confidence)
        return delivered(answer, pool, work)


def _target(target: Mapping[str, float] | tuple[str, float] | str) -> tuple[str, float]:
    if isinstance(target, str):
        return parse_target(target)
    pairs = list(target.items()) if isinstance(target, Mapping) else [target]
    if len(pairs) != 1:
        raise InputError(Problem("target", f"expected one measure with its value, found {len(pairs)}"))
    measure, value = pairs[0]
    if measure not in MEASURES:
        known = did_you_mean(measure, MEASURES) or f" (known: {', '.join(MEASURES)})"
        raise InputError(Problem("target", f"unknown measure '{measure}'{known}"))
    check_target(measure, float(value))
    return measure, float(value)


def span(scenario: Scenario, path: str, low: float | None, high: float | None) -> tuple[float, float, bool]:
    """From where to where the knob is turned, and whether it takes whole numbers only."""
    now = value_now(scenario, path)
    if isinstance(now, bool) or not isinstance(now, (int, float, type(None))):
        number = f"a number, found {now!r}"
        if low is None or high is None:
            remedy = "say from where to where: `low` and `high`, or --knob PATH=LOW..HIGH"
            raise InputError(Problem(path, f"expected {number}; {remedy}"))
        now = None
    least, most = bounds(scenario, path)
    whole = not any(isinstance(end, float) and not end.is_integer() for end in (now, low, high))
    here = 1 if now is None else now
    first = low if low is not None else least if least is not None else min(0, here)
    last = high if high is not None else min(most if most is not None else math.inf, max(here * 4, here + WIDEST))
    if not first < last:
        raise InputError(Problem(path, f"expected a span to turn the knob in, found {first:g} to {last:g}"))
    return first, last, whole


@dataclass(frozen=True, slots=True)
class Found:
    """Where the target lies."""

    value: float  # the best value that the knob takes
    at: Estimate | None  # where the curve passes the target; None where it does not
    reachable: bool
    monotone: bool
    others: tuple[Estimate, ...] = ()  # further places, where the curve is not monotone


def find(curve: Curve, wanted: float, low: float, high: float, whole: bool, half: float, max_runs: int) -> Found:
    """First a picture of the whole span, then closer and closer around the place where the target is passed."""
    scan = _taken(curve, _spread(low, high, whole))
    curve.learn(scan, COARSE * half, max_runs)
    monotone = is_monotone(curve)
    brackets = [
        one.between for one in crossings([(value, curve.at(value)) for value in curve.known], wanted)
    ]
    if not brackets:
        nearest = min(curve.known, key=lambda value: abs(curve.at(value).value - wanted))
        curve.learn([nearest], half, max_runs)
        return Found(nearest, None, abs(curve.at(nearest).value - wanted) <= half, monotone)
    now = value_now(curve.scenario, curve.path)
    here = now if isinstance(now, (int, float)) else (low + high) / 2
    brackets.sort(key=lambda ends: min(abs(end - here) for end in ends))
    close_in(curve, brackets[0], wanted, whole, half, max_runs)
    places = crossings([(value, curve.at(value)) for value in curve.known], wanted)
    places.sort(key=lambda one: (abs(one.at.value - sum(brackets[0]) / 2), one.at.value))
    if not places:
        nearest = min(curve.known, key=lambda value: abs(curve.at(value).value - wanted))
        return Found(nearest, None, abs(curve.at(nearest).value - wanted) <= half, monotone)
    main = places[0]
    candidates = [value for value in curve.known if main.between[0] <= value <= main.between[1]]
    best = min(candidates, key=lambda value: abs(curve.at(value).value - wanted))
    return Found(best, main.at, True, monotone, tuple(one.at for one in places[1:]))


def _spread(low: float, high: float, whole: bool) -> list[float]:
    """Evenly spread values, both ends among them."""
    values = [low + (high - low) * at / (SCANNED - 1) for at in range(SCANNED)]
    return sorted({round(value) for value in values}) if whole else values


def _taken(curve: Curve, values: list[float]) -> list[float]:
    """The values that the game takes; the ends of a span may lie outside."""
    taken = []
    last: InputError | None = None
    for value in values:
        try:
            curve.fight(value)
            taken.append(value)
        except InputError as error:
            last = error
    if len(taken) < 2:
        raise last or InputError(Problem(curve.path, "the game takes no two values of this span"))
    return taken


def is_monotone(curve: Curve) -> bool:
    """Whether the curve only falls or only rises, as far as the noise lets one see."""
    values = curve.known
    each = each_of(len(values) - 1, curve.points.confidence)
    estimates = [curve.at(value, each) for value in values]
    rises = any(b.low > a.high for i, a in enumerate(estimates) for b in estimates[i + 1 :])
    falls = any(b.high < a.low for i, a in enumerate(estimates) for b in estimates[i + 1 :])
    return not (rises and falls)


def close_in(
    curve: Curve, bracket: tuple[float, float], wanted: float, whole: bool, half: float, max_runs: int
) -> None:
    """Halve the bracket until whole numbers are neighbours, or until a real value has the target; then learn the ends.

    Real values go where the straight line between the ends passes the target, which is quicker than halving.
    """
    left, right = bracket
    for _ in range(HALVINGS):
        low, high = curve.at(left), curve.at(right)
        if whole and right - left <= 1:
            break
        if not whole and min(abs(low.value - wanted), abs(high.value - wanted)) <= half / 2:
            break
        share = (wanted - low.value) / (high.value - low.value) if high.value != low.value else 0.5
        middle = left + min(0.9, max(0.1, share)) * (right - left)
        middle = min(right - 1, max(left + 1, round(middle))) if whole else round(middle, 9)
        if not _taken_alone(curve, middle):
            break
        curve.learn([middle], 1.5 * half, max_runs)
        same_side = (curve.at(middle).value - wanted) * (low.value - wanted) > 0
        left, right = (middle, right) if same_side else (left, middle)
    beside = [left - 1, right + 1] if whole else []  # where the noise has led one step astray
    curve.learn([left, right], half, max_runs)
    if whole and (curve.at(left).value - wanted) * (curve.at(right).value - wanted) > 0:
        curve.learn([value for value in beside if _taken_alone(curve, value)], half, max_runs)


def _taken_alone(curve: Curve, value: float) -> bool:
    try:
        curve.fight(value)
    except InputError:
        return False
    return True


def confirm(
    pool: Pool, fight: Scenario, measure: str, half: float, seed: int, confidence: float, max_runs: int
) -> Estimate:
    """The measure once more, with luck that had no part in the search."""
    fresh = Points(pool, measure, confidence)
    played = Fight(fight, other_seed(seed))
    fresh.play_until([played], half, max_runs)
    return fresh.known[played].estimate(measure, confidence)


# ---------------------------------------------------------------------------------------------------------- the answer


def shown(estimate: Estimate, measure: str) -> str:
    """'65.2 % ± 0.9'."""
    if scale_of(measure) == 100:
        return f"{100 * estimate.value:.1f} % ± {100 * estimate.margin:.1f}"
    return f"{estimate.value:.2f} ± {estimate.margin:.2f}"


def goal_of(value: float, measure: str) -> str:
    """'a win rate of 65 %', 'a mean of 3 (rounds)'."""
    title = MEASURES[measure].title
    return f"a {title} of {100 * value:g} %" if scale_of(measure) == 100 else f"a mean of {value:g} ({title})"


def _answer(
    scenario: Scenario,
    curve: Curve,
    found: Found,
    confirmed: Estimate,
    wanted: float,
    half: float,
    pool: Pool,
    seed: int,
    confidence: float,
) -> Answer:
    measure = curve.measure
    goal = goal_of(wanted, measure)
    setting = f"{curve.path} = {found.value:g}"
    turned = f"from {curve.known[0]:g} to {curve.known[-1]:g}"
    verdicts, warnings = [], []
    if found.reachable and found.at is not None:
        verdicts.append(f"{goal[0].upper()}{goal[1:]} lies at {curve.path} = {place(found.at)}.")
    elif found.reachable:
        verdicts.append(f"{setting} gives {goal} within the precision.")
    else:
        ends = [curve.at(value) for value in curve.known]
        least, most = min(ends, key=lambda e: e.value), max(ends, key=lambda e: e.value)
        reach = f"it goes from {shown(least, measure)} to {shown(most, measure)}"
        verdicts.append(f"No value {turned} gives {goal}: {reach}.")
    nearest = "" if found.reachable else "The nearest is "
    verdicts.append(f"{nearest}{setting}: {shown(confirmed, measure)} on fresh luck.")
    if not found.monotone:
        more = f" It is passed again at {', '.join(place(other) for other in found.others)}." if found.others else ""
        warnings.append(f"Not monotone: {turned} the curve both rises and falls.{more}")
    if found.reachable and abs(confirmed.value - wanted) > confirmed.margin:
        step = "the knob has no finer step" if float(found.value).is_integer() else "the search was coarser than that"
        warnings.append(f"Fresh luck gives {shown(confirmed, measure)}, not {goal}: {step}.")
    return Answer(
        question="tune",
        scenario=scenario,
        verdicts=verdicts,
        tables=[_table(curve, found)],
        settings={
            "seed": seed,
            "fresh_seed": other_seed(seed),
            "knob": curve.path,
            "target": {measure: wanted},
            "precision": half * scale_of(measure),
            "confidence": confidence,
            "interval": "delta method from the points on either side",
        },
        effort=pool.effort(_plain_way(curve, half), "every value played to the precision"),
        warnings=warnings,
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
        },
    )


def _plain_way(curve: Curve, half: float) -> int:
    """What it takes to play every whole number of the span, or as many values as were tried, to the precision."""
    values = curve.known
    whole = all(float(value).is_integer() for value in values)
    steps = int(values[-1] - values[0]) + 1 if whole else len(values)
    needed = []
    for value in values:
        estimate = curve.at(value)
        needed.append(max(curve.runs(value) * (estimate.margin / half) ** 2, 2_000.0))
    return round(steps * sum(needed) / len(needed))


def _table(curve: Curve, found: Found) -> StudyTable:
    columns = (
        Column("value", curve.path, "value"),
        Column("runs", "runs", "count"),
        *(Column(name, about.short, about.unit) for name, about in MEASURES.items()),
        Column("chosen", ""),
    )
    table = StudyTable("tried", "What was tried", "Win rate of all encounters, the rest per fight.", columns)
    for value in curve.known:
        tally = curve.points.known[curve.fights[value]]
        row: dict[str, Any] = {"value": value, "runs": tally.runs, "chosen": "←" if value == found.value else ""}
        table.rows.append(row | {name: tally.estimate(name, curve.points.confidence) for name in MEASURES})
    return table
