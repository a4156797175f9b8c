"""sweep: how does the fight change with one or two knobs? Every point with its interval, all in one pool of work."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Unpack

from sim.errors import InputError, Problem, ScenarioError
from sim.results.statistics import CONFIDENCE, MOST_RUNS, Estimate
from sim.results.verdict import DRAWS_MATTER, band
from sim.scenario import Scenario
from sim.scenario.wording import in_words, number_in_words, place_in_words, setting_in_words
from sim.studies.answer import Answer, Column, StudyTable
from sim.studies.cards import Fight
from sim.studies.crossings import Crossing, crossings
from sim.studies.measures import EVERY_MEASURE, RATES, is_share, told_beside
from sim.studies.options import check_options
from sim.studies.points import Points, remarks_on, scale_of, usual_precision
from sim.studies.race import Race, looks_to
from sim.studies.standing import clear_rates
from sim.studies.variants import AnyScenario, Knob, as_fight, span_values
from sim.studies.words import shown
from sim.studies.work import Work, delivered, pool_for

MOST_POINTS = 2_500
FAIR = 0.75  # the middle of what is called a fair challenge
ISO = (0.35, 0.5, 0.65, 0.85)  # win rates whose lines are drawn if nobody says which


def as_knobs(knobs: Mapping[str, Any] | Sequence[Knob]) -> list[Knob]:
    """Knobs from a table: path -> values, or {"from": 1, "to": 9, "step": 2}."""
    if not isinstance(knobs, Mapping):
        return list(knobs)
    found = []
    for path, values in knobs.items():
        if isinstance(values, Mapping):
            try:
                values = span_values(values["from"], values["to"], values.get("step"))
            except (KeyError, ValueError) as error:
                raise InputError(Problem(f"knobs.{path}", f"expected from, to and perhaps step: {error}")) from None
        found.append(Knob(path, tuple(values)))
    return found


@dataclass(frozen=True, slots=True)
class Grid:
    """The knobs, the fight at every point of them, and what is known of each."""

    knobs: list[Knob]
    fights: Mapping[tuple[Any, ...], Fight]
    points: Points
    until: Mapping[Fight, str]  # why a point was played no further, where all were given a number of runs

    @property
    def rates(self) -> dict[tuple[Any, ...], Estimate]:
        """The measure at every point."""
        points = self.points
        known = {values: points.known[fight] for values, fight in self.fights.items()}
        return {values: tally.estimate(points.measure, points.confidence) for values, tally in known.items()}

    @property
    def equal_allocation(self) -> int:
        """What it would have taken to give every point as many runs as the one that needs most."""
        return len(self.fights) * max(self.points.known[fight].runs for fight in self.fights.values())


def sweep(
    scenario: AnyScenario,
    knobs: Mapping[str, Any] | Sequence[Knob],
    *,
    runs: int | None = None,
    full: bool = False,
    precision: float | None = None,
    measure: str = "win_rate",
    iso: Sequence[float] | None = None,
    seed: int = 1,
    confidence: float = CONFIDENCE,
    max_runs: int = MOST_RUNS,
    **work: Unpack[Work],
) -> Answer:
    """The fight at every value of one knob, or at every pair of values of two.

    Args:
        knobs: path -> values, such as {"enemies.skeleton.count": range(2, 9)}; one or two of them.
        runs: at most so many of each point, fewer where it is clearly won or lost; None plays each to the precision.
        full: give every point all its runs, also where it is clear.
        precision: points either way (units for measures that are no shares); 1 if not given, along curves 4 points or
            0.05.
        measure: what the precision and the iso lines are about.
        iso: values of the measure whose place between the points is looked for; 35, 50, 65, 85 % if not given.
        work: processes, folder, cluster: see `sim.studies.work.Work`; nothing of it changes the answer.
    """
    base = as_fight(scenario)
    turned = as_knobs(knobs)
    if len({knob.path for knob in turned}) < len(turned):
        raise InputError(Problem("knobs", f"{turned[0].path} is named twice; two knobs must be different ones"))
    check_options(
        runs=runs, precision=precision, margin=1.0, measure=measure, confidence=confidence, seed=seed, iso=iso,
        course=True,
    )
    scenarios = _fights(base, turned)
    wanted = usual_precision(measure) if precision is None else precision
    with pool_for("sweep", [base], seed, work, short_answers=True) as pool:
        points = Points(pool, measure, confidence)
        fights = {values: points.fight(fight, seed) for values, fight in scenarios.items()}
        until: dict[Fight, str] = {}
        if runs is not None:
            until = _raced(points, list(dict.fromkeys(fights.values())), runs, full)
        else:
            points.play_until(fights.values(), wanted / scale_of(measure), max_runs)
        grid = Grid(turned, fights, points, until)
        return delivered(_answer(base, grid, iso, seed, runs, wanted), pool, work)


def _raced(points: Points, fights: list[Fight], runs: int, full: bool) -> dict[Fight, str]:
    """At most so many runs of every point, and why it was played no further."""
    measure, confidence = points.measure, points.confidence
    race = Race([fight.scenario.name for fight in fights], fights, points.pool, [])
    looks = looks_to(runs, full or measure not in RATES)

    def told(race: Race) -> str:
        return f"After {race.done:,} runs: {len(race.until)} of {len(fights)} points are clear."

    race.run(looks, clear_rates(measure, confidence, runs), told)
    points.known |= {fight: race.tallies[at] for at, fight in enumerate(fights)}
    return {fight: race.until[at] for at, fight in enumerate(fights)}


def _answer(
    scenario: Scenario, grid: Grid, iso: Sequence[float] | None, seed: int, runs: int | None, precision: float
) -> Answer:
    points, measure, rates = grid.points, grid.points.measure, grid.rates
    lines = tuple(iso) if iso is not None else ISO if measure == "win_rate" else ()
    found = _crossings(grid.knobs, rates, lines)
    return Answer(
        question="sweep",
        scenario=scenario,
        verdicts=_verdicts(scenario, grid, found),
        tables=[_table(scenario, grid), _crossing_table(scenario, grid.knobs, found, measure)],
        settings={
            "seed": seed,
            "runs": runs,
            "precision": None if runs is not None else precision,
            "measure": measure,
            "confidence": points.confidence,
            "knobs": {knob.path: list(knob.values) for knob in grid.knobs},
            "iso": list(lines),
            "interval": "each point by itself, of that confidence",
        },
        effort=points.pool.effort(grid.equal_allocation, "as many runs for every point"),
        warnings=_warnings(scenario, grid, None if runs is not None else precision / scale_of(measure)),
    )


def _fights(scenario: Scenario, knobs: list[Knob]) -> dict[tuple[Any, ...], Scenario]:
    """Every point of the grid, checked; all problems at once."""
    if not 1 <= len(knobs) <= 2:
        raise InputError(Problem("knobs", f"expected one or two knobs, found {len(knobs)}"))
    size = len(knobs[0].values) * (len(knobs[1].values) if len(knobs) > 1 else 1)
    if not 1 <= size <= MOST_POINTS:
        raise InputError(Problem("knobs", f"expected 1 to {MOST_POINTS:,} points, found {size:,}"))
    grid: dict[tuple[Any, ...], Scenario] = {}
    problems: list[Problem] = []
    for values in itertools.product(*(knob.values for knob in knobs)):
        try:
            settings = {knob.path: value for knob, value in zip(knobs, values, strict=True)}
            grid[values] = scenario.changed(values=settings)
        except InputError as error:
            problems += error.problems
    if problems:
        raise ScenarioError(list(dict.fromkeys(problems)))
    return grid


def _crossings(
    knobs: list[Knob], rates: Mapping[tuple[Any, ...], Estimate], lines: Sequence[float]
) -> list[tuple[Any, Crossing]]:
    """Where the iso values lie along the first knob, for every value of the second."""
    if not all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in knobs[0].values):
        return []
    found = []
    for other in knobs[1].values if len(knobs) > 1 else [None]:
        key = (lambda value, other=other: (value, other)) if len(knobs) > 1 else (lambda value: (value,))
        curve = [(float(value), rates[key(value)]) for value in sorted(knobs[0].values)]
        found += [(other, crossing) for line in lines for crossing in crossings(curve, line)]
    return found


def _verdicts(scenario: Scenario, grid: Grid, found: list[tuple[Any, Crossing]]) -> list[str]:
    """What a designer wants to know first: where the fight is fair; then the ends; then where the lines are passed."""
    knobs, measure = grid.knobs, grid.points.measure
    rates = {values: rate for values, rate in grid.rates.items() if rate.known}  # not of a fight against nobody
    if not rates:
        return ["Nobody fights at any of these values."]
    ordered = sorted(rates, key=lambda values: rates[values].value)
    title = EVERY_MEASURE[measure].title
    low, high = ordered[0], ordered[-1]

    said = partial(_said, scenario, knobs)

    ends = f"{shown(rates[low], measure)} ({said(low)}) to {shown(rates[high], measure)} ({said(high)})"
    sentences = [f"The {title} goes from {ends}."]
    if measure == "win_rate":
        sentences.insert(0, _fair_range(rates, said))
        draws = [grid.points.known[fight].estimate("draw_rate") for fight in grid.fights.values()]
        drawn = max(draw.value for draw in draws if draw.known)
        if drawn > DRAWS_MATTER:
            sentences.append(f"Up to {100 * drawn:.0f} % of fights end in a draw; the table has them point by point.")
    if len(knobs) == 1:
        sentences += [_passed(crossing, knobs[0], rates, measure, said) for _, crossing in found]
    return sentences


def _said(scenario: Scenario, knobs: list[Knob], values: tuple[Any, ...]) -> str:
    """A point of the grid: 'four skeletons and level 3'."""
    return in_words(
        [setting_in_words(knob.path, value, scenario.data) for knob, value in zip(knobs, values, strict=True)]
    )


def _fair_range(rates: Mapping[tuple[Any, ...], Estimate], said: Callable[[tuple[Any, ...]], str]) -> str:
    """Where the fight is a fair challenge, by its estimates."""
    fair = [values for values in rates if band(rates[values].value).name == "fair"]
    if not fair:
        nearest = min(rates, key=lambda values: abs(rates[values].value - FAIR))
        return f"No point is a fair challenge; the nearest is {said(nearest)} with {shown(rates[nearest], 'win_rate')}."
    best = min(fair, key=lambda values: abs(rates[values].value - FAIR))
    others = "" if len(fair) == 1 else f", from {said(fair[0])} to {said(fair[-1])}"
    points = "one point" if len(fair) == 1 else f"{number_in_words(len(fair))} points"
    return f"A fair challenge at {points}{others}; {said(best)}: {shown(rates[best], 'win_rate')}."


def _passed(
    crossing: Crossing,
    knob: Knob,
    rates: Mapping[tuple[Any, ...], Estimate],
    measure: str,
    said: Callable[[tuple[Any, ...]], str],
) -> str:
    """Where a line is passed: at the nearest value that was played, if only whole ones can be."""
    goal = f"{100 * crossing.line:g} %" if is_share(measure) else f"{crossing.line:g}"
    if all(float(value).is_integer() for value in knob.values):
        nearest = min(crossing.between, key=lambda value: abs(rates[_point(knob, value),].value - crossing.line))
        values = (_point(knob, nearest),)
        return f"Nearest to {goal}: {said(values)}, {shown(rates[values], measure)}."
    return f"A {EVERY_MEASURE[measure].title} of {goal} lies at {said((round(crossing.at.value, 3),))}."


def _point(knob: Knob, value: float) -> Any:
    return next(one for one in knob.values if float(one) == value)


def _table(scenario: Scenario, grid: Grid) -> StudyTable:
    measures = told_beside(grid.points.measure, (grid.points.known[fight] for fight in grid.fights.values()))
    columns = (
        *(Column(knob.path, place_in_words(knob.path, scenario.data), "value") for knob in grid.knobs),
        Column("runs", "runs", "count"),
        *([Column("until", "played until")] if grid.until else []),
        *(Column(name, about.short, about.unit) for name, about in measures.items()),
    )
    table = StudyTable("points", "Every point", "Win rate of all encounters, the rest per fight.", columns)
    for values, fight in grid.fights.items():
        tally = grid.points.known[fight]
        row: dict[str, Any] = {knob.path: value for knob, value in zip(grid.knobs, values, strict=True)}
        row |= {"runs": tally.runs, "until": grid.until.get(fight)}
        table.rows.append(row | {name: tally.estimate(name, grid.points.confidence) for name in measures})
    return table


def _crossing_table(
    scenario: Scenario, knobs: list[Knob], found: list[tuple[Any, Crossing]], measure: str
) -> StudyTable:
    first, *others = [place_in_words(knob.path, scenario.data) for knob in knobs]
    other = [Column(knobs[1].path, others[0], "value")] if others else []
    line = Column("line", EVERY_MEASURE[measure].title, "share" if is_share(measure) else "value")
    columns = (*other, line, Column("at", f"at {first}", "value"))
    about = "Where the curve passes these values, between the points in a straight line."
    rows: list[dict[str, Any]] = [
        ({knobs[1].path: value} if other else {}) | {"line": crossing.line, "at": crossing.at}
        for value, crossing in found
    ]
    return StudyTable("lines", "Lines of equal outcome", about, columns, rows)


def _warnings(scenario: Scenario, grid: Grid, half_width: float | None) -> list[str]:
    found = remarks_on(grid.points.measure, grid.points.known.values())
    vague = [] if half_width is None else [values for values, rate in grid.rates.items() if rate.margin > half_width]
    if vague:
        found.append(f"{len(vague)} of {len(grid.fights)} points reached the limit of runs before the precision.")
    for values, fight in grid.fights.items():
        if grid.points.known[fight].encounters == 0:
            found.append(f"{_said(scenario, grid.knobs, values)}: there was nobody to fight.")
    return found
