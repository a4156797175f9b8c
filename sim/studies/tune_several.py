"""tune with several knobs: the target with as few changes from today's values as possible."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sim.errors import InputError, Problem, SimError
from sim.results.statistics import Estimate
from sim.studies.answer import Answer, Column, StudyTable
from sim.studies.cards import Fight
from sim.studies.measures import MEASURES
from sim.studies.points import Points, scale_of
from sim.studies.pool import Pool
from sim.studies.race import other_seed
from sim.studies.tune import Curve, confirm, find, goal_of, shown, span
from sim.studies.variants import value_now
from sim.studies.work import Work, delivered, pool_for

if TYPE_CHECKING:
    from sim.scenario import Scenario

WINNERS = 3  # that are confirmed on fresh luck
PATIENCE = 5  # how often optuna may ask for the combinations that it is allowed: it likes to come back to good ones
CLOSE = 2.0  # times the precision: what counts as on target, since knobs that count whole things cannot do better


@dataclass(frozen=True, slots=True)
class Span:
    """A knob, today's value, and how far it may be turned."""

    path: str
    now: float
    low: float
    high: float
    whole: bool

    def turn(self, value: float) -> float:
        """How far a value lies from today's, as a share of the span."""
        return abs(value - self.now) / (self.high - self.low)


@dataclass(frozen=True, slots=True)
class Solution:
    """Values of some knobs, and the fight they make."""

    values: dict[str, float]
    fight: Scenario
    miss: float  # how far from the target
    turn: float  # how far from today, summed over the knobs


def tune_several(
    scenario: Scenario,
    knobs: Mapping[str, Any],
    measure: str,
    wanted: float,
    half: float,
    seed: int,
    confidence: float,
    max_runs: int,
    trials: int,
    search: str,
    work: Work,
) -> Answer:
    """The solutions that turn the fewest knobs the least, confirmed on fresh luck."""
    spans = [_span(scenario, path, ends) for path, ends in knobs.items()]
    if search not in ("fewest", "optuna"):
        raise InputError(Problem("search", f"expected 'fewest' or 'optuna', found {search!r}"))
    with pool_for("tune", [scenario], seed, work) as pool:
        points = Points(pool, measure, confidence)
        if search == "optuna":
            solutions = with_optuna(scenario, spans, points, measure, wanted, half, seed, max_runs, trials)
        else:
            solutions = one_after_another(scenario, spans, points, measure, wanted, half, seed, max_runs)
        best = sorted(solutions, key=lambda one: _rank(one, half))[:WINNERS]
        confirmed = [confirm(pool, one.fight, measure, half, seed, confidence, max_runs) for one in best]
        winners = _winners(list(zip(best, confirmed, strict=True)), wanted, CLOSE * half)
        answer = _answer(scenario, spans, winners, measure, wanted, half, pool, seed, confidence, search)
        return delivered(answer, pool, work)


def _rank(solution: Solution, half: float) -> tuple[float, int, bool, float, float]:
    """On target first, then few changes, then within the precision, then small ones; off target the nearest first."""
    off = solution.miss if solution.miss > CLOSE * half else 0.0
    return off, len(solution.values), solution.miss > half, solution.turn, solution.miss


def _winners(
    confirmed: list[tuple[Solution, Estimate]], wanted: float, close: float
) -> list[tuple[Solution, Estimate]]:
    """Those that fresh luck confirms, in their order: whoever owed its place to luck is out. The nearest if none is."""
    on_target = [entry for entry in confirmed if abs(entry[1].value - wanted) <= close]
    return on_target or sorted(confirmed, key=lambda entry: abs(entry[1].value - wanted))


def _span(scenario: Scenario, path: str, ends: Any) -> Span:
    low, high = (ends[0], ends[1]) if isinstance(ends, (list, tuple)) and len(ends) == 2 else (None, None)
    now = value_now(scenario, path)
    if isinstance(now, bool) or not isinstance(now, (int, float)):
        raise InputError(Problem(f"knobs.{path}", f"expected a knob that is a number today, found {now!r}"))
    return Span(path, now, *span(scenario, path, low, high))


def one_after_another(
    scenario: Scenario,
    spans: list[Span],
    points: Points,
    measure: str,
    wanted: float,
    half: float,
    seed: int,
    max_runs: int,
) -> list[Solution]:
    """Every knob alone; where none comes close enough, the one that comes closest stays there and the others go on."""
    fixed: dict[str, float] = {}
    base, left = scenario, list(spans)
    seen: list[Solution] = []
    while left:
        found = []
        for knob in left:
            curve = Curve(base, knob.path, seed, points, measure)
            place = find(curve, wanted, knob.low, knob.high, knob.whole, half, max_runs)
            values = {**fixed, **({knob.path: place.value} if place.value != knob.now else {})}
            turn = sum(one.turn(values[one.path]) for one in spans if one.path in values)
            miss = abs(curve.at(place.value).value - wanted)
            found.append((Solution(values, curve.fight(place.value).scenario, miss, turn), knob, place.value))
        seen += [solution for solution, _, _ in found]
        if any(solution.miss <= CLOSE * half for solution in seen):
            break
        _, strongest, value = min(found, key=lambda entry: entry[0].miss)
        if value != strongest.now:
            fixed[strongest.path] = value
            base = base.changed(values={strongest.path: value})
        left = [knob for knob in left if knob is not strongest]
    return seen


def with_optuna(
    scenario: Scenario,
    spans: list[Span],
    points: Points,
    measure: str,
    wanted: float,
    half: float,
    seed: int,
    max_runs: int,
    trials: int,
) -> list[Solution]:
    """Combinations of all knobs, looked for by optuna: first the target, then few changes, then small ones."""
    try:
        import optuna
    except ImportError:
        raise SimError("search = 'optuna' needs an extra: pip install 'fairfight[tune]'.") from None
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    found: dict[tuple[float, ...], Solution] = {}

    def penalty(trial: optuna.Trial) -> float:
        values = {}
        for knob in spans:
            if not trial.suggest_categorical(f"turn {knob.path}", [False, True]):
                continue
            if knob.whole:
                values[knob.path] = float(trial.suggest_int(knob.path, int(knob.low), int(knob.high)))
            else:
                values[knob.path] = trial.suggest_float(knob.path, knob.low, knob.high)
        values = {knob.path: values[knob.path] for knob in spans if values.get(knob.path, knob.now) != knob.now}
        whole = {path: int(value) if value.is_integer() else value for path, value in values.items()}
        try:
            fight = scenario.changed(values=whole)
        except InputError:
            raise optuna.TrialPruned from None
        played = Fight(fight, seed)
        points.play_until([played], CLOSE * half, max_runs)
        miss = abs(points.known[played].estimate(measure).value - wanted)
        turn = sum(knob.turn(values[knob.path]) for knob in spans if knob.path in values)
        key = tuple(values.get(knob.path, knob.now) for knob in spans)
        found[key] = Solution(whole, fight, miss, turn)
        if miss > CLOSE * half:  # worse than anything on target, however many knobs that takes
            return len(spans) + 1 + miss / half
        return len(values) + 0.5 * (miss > half) + 0.5 * turn / len(spans)

    def enough(study: optuna.Study, _last: Any) -> None:
        if len(found) >= trials:
            study.stop()

    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=seed % 2**32))
    study.enqueue_trial({f"turn {knob.path}": False for knob in spans})  # today's values may do
    study.optimize(penalty, n_trials=PATIENCE * trials, callbacks=[enough])
    return list(found.values())


def _answer(
    scenario: Scenario,
    spans: list[Span],
    winners: list[tuple[Solution, Estimate]],
    measure: str,
    wanted: float,
    half: float,
    pool: Pool,
    seed: int,
    confidence: float,
    search: str,
) -> Answer:
    goal, title = goal_of(wanted, measure), MEASURES[measure].title
    best, rate = winners[0]
    reachable = abs(rate.value - wanted) <= CLOSE * half

    def said(solution: Solution) -> str:
        now = {knob.path: knob.now for knob in spans}
        return ", ".join(f"{path} {now[path]:g} → {value:g}" for path, value in solution.values.items()) or "no change"

    if reachable:
        verdicts = [f"{goal[0].upper()}{goal[1:]} takes {len(best.values)} of {len(spans)} knobs: {said(best)}."]
    else:
        verdicts = [f"No values within the spans give {goal}; the nearest: {said(best)}."]
    verdicts.append(f"It gives {shown(rate, measure)} on fresh luck.")
    columns = (
        Column("changes", "changes"),
        Column("knobs", "knobs turned", "count"),
        Column("turn", "how far, of the spans", "share"),
        Column(measure, f"{title} on fresh luck", MEASURES[measure].unit),
    )
    about = "The fewest changes first, then the smallest." if reachable else "None is on target; the nearest first."
    table = StudyTable("solutions", "What gives it" if reachable else "What comes close", about, columns)
    for solution, estimate in winners:
        row: dict[str, Any] = {"changes": said(solution), "knobs": len(solution.values), "turn": solution.turn}
        table.rows.append(row | {measure: estimate})
    return Answer(
        question="tune",
        scenario=scenario,
        verdicts=verdicts,
        tables=[table],
        settings={
            "seed": seed,
            "fresh_seed": other_seed(seed),
            "knobs": {knob.path: [knob.low, knob.high] for knob in spans},
            "target": {measure: wanted},
            "precision": half * scale_of(measure),
            "confidence": confidence,
            "search": search,
        },
        effort=pool.effort(),
        facts={"values": best.values, "reachable": reachable, "confirmed": rate.value},
    )
