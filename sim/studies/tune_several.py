"""tune with several knobs: the target with as few changes from today's values as possible."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sim.errors import InputError, Problem, SimError
from sim.results.statistics import Estimate
from sim.scenario import Scenario
from sim.scenario.changes import value_now
from sim.scenario.wording import in_words, number_in_words, setting_in_words
from sim.studies.answer import Answer, Column, StudyTable
from sim.studies.curve import Curve, Span, Target, find, span_of
from sim.studies.measures import EVERY_MEASURE
from sim.studies.points import Points, remarks_on
from sim.studies.race import other_seed
from sim.studies.work import Work, delivered, pool_for

WINNERS = 3  # that are confirmed on fresh luck
PATIENCE = 5  # how often optuna may ask for the combinations that it is allowed: it likes to come back to good ones
CLOSE = 2.0  # times the precision: what counts as on target, since knobs that count whole things cannot do better


@dataclass(frozen=True, slots=True)
class Turn:
    """A knob, today's value, and how far it may be turned."""

    path: str
    now: float
    span: Span

    def share(self, value: float) -> float:
        """How far a value lies from today's, as a share of the span."""
        return abs(value - self.now) / (self.span.high - self.span.low)


@dataclass(frozen=True, slots=True)
class Solution:
    """Values of some knobs, and the fight they make."""

    values: dict[str, float]
    fight: Scenario
    miss: float  # how far from the target
    turn: float  # how far from today, summed over the knobs


@dataclass(frozen=True, slots=True)
class Search:
    """What is looked for, and where."""

    scenario: Scenario
    knobs: list[Turn]
    target: Target

    def miss(self, estimate: Estimate) -> float:
        """How far from the target."""
        return abs(estimate.value - self.target.value)

    @property
    def close(self) -> float:
        """How far from the target still counts as on it."""
        return CLOSE * self.target.half_width

    def turn(self, values: Mapping[str, float]) -> float:
        """How far these values are from today's, summed over the knobs."""
        return sum(knob.share(values[knob.path]) for knob in self.knobs if knob.path in values)


def tune_several(
    scenario: Scenario, knobs: Mapping[str, Any], target: Target, trials: int, method: str, work: Work
) -> Answer:
    """The solutions that turn the fewest knobs the least, confirmed on fresh luck."""
    search = Search(scenario, [_turn(scenario, path, ends) for path, ends in knobs.items()], target)
    if method not in ("fewest", "optuna"):
        raise InputError(Problem("search", f"expected 'fewest' or 'optuna', found {method!r}"))
    with pool_for("tune", [scenario], target.seed, work) as pool:
        points = target.points(pool)
        solutions = with_optuna(search, points, trials) if method == "optuna" else one_after_another(search, points)
        best = sorted(solutions, key=lambda one: _rank(one, target.half_width))[:WINNERS]
        confirmed = [(one, target.confirm(pool, one.fight)) for one in best]
        return delivered(_answer(search, _winners(search, confirmed), points, method), pool, work)


def _rank(solution: Solution, half: float) -> tuple[float, int, bool, float, float]:
    """On target first, then few changes, then within the precision, then small ones; off target the nearest first."""
    off = solution.miss if solution.miss > CLOSE * half else 0.0
    return off, len(solution.values), solution.miss > half, solution.turn, solution.miss


def _winners(search: Search, confirmed: list[tuple[Solution, Estimate]]) -> list[tuple[Solution, Estimate]]:
    """Those that fresh luck confirms, in their order: whoever owed its place to luck is out. The nearest if none is."""
    on_target = [entry for entry in confirmed if search.miss(entry[1]) <= search.close]
    return on_target or sorted(confirmed, key=lambda entry: search.miss(entry[1]))


def _turn(scenario: Scenario, path: str, ends: Any) -> Turn:
    low, high = (ends[0], ends[1]) if isinstance(ends, (list, tuple)) and len(ends) == 2 else (None, None)
    now = value_now(scenario, path)
    if isinstance(now, bool) or not isinstance(now, (int, float)):
        raise InputError(Problem(f"knobs.{path}", f"expected a knob that is a number today, found {now!r}"))
    return Turn(path, now, span_of(scenario, path, low, high))


def one_after_another(search: Search, points: Points) -> list[Solution]:
    """Every knob alone; where none comes close enough, the one that comes closest stays there and the others go on."""
    fixed: dict[str, float] = {}
    base, left = search.scenario, list(search.knobs)
    seen: list[Solution] = []
    while left:
        found = []
        for knob in left:
            curve = Curve(base, knob.path, points, search.target)
            value = find(curve, knob.span).value
            values = {**fixed, **({knob.path: value} if value != knob.now else {})}
            solution = Solution(values, curve.fight(value).scenario, curve.miss(value), search.turn(values))
            found.append((solution, knob, value))
        seen += [solution for solution, _, _ in found]
        if any(solution.miss <= search.close for solution in seen):
            break
        _, strongest, value = min(found, key=lambda entry: entry[0].miss)
        if value != strongest.now:
            fixed[strongest.path] = value
            base = base.changed(values={strongest.path: value})
        left = [knob for knob in left if knob is not strongest]
    return seen


def with_optuna(search: Search, points: Points, trials: int) -> list[Solution]:
    """Combinations of all knobs, looked for by optuna: first the target, then few changes, then small ones."""
    try:
        import optuna
    except ImportError:
        raise SimError("search = 'optuna' needs an extra: pip install 'fairfight[tune]'.") from None
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    knobs, target = search.knobs, search.target
    found: dict[tuple[float, ...], Solution] = {}

    def penalty(trial: optuna.Trial) -> float:
        values = _tried(knobs, trial)
        whole = {path: int(value) if value.is_integer() else value for path, value in values.items()}
        try:
            fight = search.scenario.changed(values=whole)
        except InputError:
            raise optuna.TrialPruned from None
        played = points.fight(fight, target.seed)
        points.play_until([played], search.close, target.max_runs)
        miss, turn = search.miss(points.known[played].estimate(target.measure)), search.turn(values)
        found[tuple(values.get(knob.path, knob.now) for knob in knobs)] = Solution(whole, fight, miss, turn)
        if miss > search.close:  # worse than anything on target, however many knobs that takes
            return len(knobs) + 1 + miss / target.half_width
        return len(values) + 0.5 * (miss > target.half_width) + 0.5 * turn / len(knobs)

    def enough(study: optuna.Study, _last: Any) -> None:
        if len(found) >= trials:
            study.stop()

    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=target.seed % 2**32))
    study.enqueue_trial({f"turn {knob.path}": False for knob in knobs})  # today's values may do
    study.optimize(penalty, n_trials=PATIENCE * trials, callbacks=[enough])
    return list(found.values())


def _tried(knobs: list[Turn], trial: Any) -> dict[str, float]:
    """The values that optuna suggests, without those that are today's."""
    values = {}
    for knob in knobs:
        if not trial.suggest_categorical(f"turn {knob.path}", [False, True]):
            continue
        if knob.span.whole:
            values[knob.path] = float(trial.suggest_int(knob.path, int(knob.span.low), int(knob.span.high)))
        else:
            values[knob.path] = trial.suggest_float(knob.path, knob.span.low, knob.span.high)
    return {knob.path: values[knob.path] for knob in knobs if values.get(knob.path, knob.now) != knob.now}


def _answer(
    search: Search, winners: list[tuple[Solution, Estimate]], points: Points, method: str
) -> Answer:
    target = search.target
    best, rate = winners[0]
    reachable = search.miss(rate) <= search.close
    changes, goal = _said(search, best), target.goal
    if reachable:
        knobs = f"{len(best.values)} of {len(search.knobs)} knobs"
        first = f"{goal[0].upper()}{goal[1:]} takes {knobs}: {changes}."
    else:
        first = f"No values within the spans give {goal}; the nearest: {changes}."
    return Answer(
        question="tune",
        scenario=search.scenario,
        verdicts=[first, f"It gives {target.shown(rate)} on fresh luck."],
        tables=[_table(search, winners, reachable)],
        settings={
            "seed": target.seed,
            "fresh_seed": other_seed(target.seed),
            "knobs": {knob.path: [knob.span.low, knob.span.high] for knob in search.knobs},
            "target": {target.measure: target.value},
            "precision": target.precision,
            "confidence": target.confidence,
            "search": method,
        },
        effort=points.pool.effort(),
        warnings=remarks_on(target.measure, points.known.values()),
        facts={"values": best.values, "reachable": reachable, "confirmed": rate.value},
    )


def _said(search: Search, solution: Solution) -> str:
    now = {knob.path: knob.now for knob in search.knobs}
    data = search.scenario.data
    changes = [
        f"{setting_in_words(path, value, data)} instead of {number_in_words(now[path])}"
        for path, value in solution.values.items()
    ]
    return in_words(changes) if changes else "no change"


def _table(search: Search, winners: list[tuple[Solution, Estimate]], reachable: bool) -> StudyTable:
    measure = search.target.measure
    columns = (
        Column("changes", "changes"),
        Column("knobs", "knobs turned", "count"),
        Column("turn", "how far, of the spans", "share"),
        Column(measure, f"{EVERY_MEASURE[measure].title} on fresh luck", EVERY_MEASURE[measure].unit),
    )
    about = "The fewest changes first, then the smallest." if reachable else "None is on target; the nearest first."
    table = StudyTable("solutions", "What gives it" if reachable else "What comes close", about, columns)
    for solution, estimate in winners:
        row: dict[str, Any] = {"changes": _said(search, solution), "knobs": len(solution.values)}
        table.rows.append(row | {"turn": solution.turn, measure: estimate})
    return table
