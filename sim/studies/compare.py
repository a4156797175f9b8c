"""compare: is B better than A? Variants against a baseline with the same luck, watched until it is known."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, Unpack

from sim.results.statistics import CONFIDENCE, MOST_RUNS, Estimate, each_of, looks
from sim.studies.answer import Answer, Column, Effort, StudyTable
from sim.studies.cards import Fight
from sim.studies.measures import MEASURES
from sim.studies.options import check_options
from sim.studies.race import Race, other_seed
from sim.studies.variants import AnyScenario, as_fight
from sim.studies.variants import variants as all_variants
from sim.studies.words import decided, runs_to_decide, verdict
from sim.studies.work import Work, delivered, pool_for

if TYPE_CHECKING:
    from sim.scenario import Scenario

Best = Literal["highest", "lowest"]
BASELINE = "baseline"  # what the fight as it is is called beside its variants


def compare(
    scenario: AnyScenario,
    variants: Mapping[str, Any],
    *,
    runs: int | None = None,
    precision: float | None = None,
    margin: float = 0.5,
    measure: str = "win_rate",
    best: Best | None = None,
    seed: int = 1,
    confidence: float = CONFIDENCE,
    max_runs: int = MOST_RUNS,
    shared_luck: bool = True,
    **work: Unpack[Work],
) -> Answer:
    """Variants of a fight against the fight as it is.

    Args:
        scenario: the baseline.
        variants: name -> change; see `sim.studies.variants.variant`.
        runs: exactly so many runs of each; None plays until it is known.
        precision: play until the difference is known to so many points (or units of the measure) either way; None
            stops as soon as it is decided which is harder, or that they differ by less than `margin`.
        margin: what difference does not matter: percentage points, or units of the measure.
        measure: what is compared: win_rate, rounds, party_hp, damage_dealt, damage_taken, heroes_down.
        best: "highest" or "lowest" looks for the best of all, baseline included, and drops losers on the way.
        confidence: of all verdicts together.
        max_runs: where an undecided comparison gives up.
        shared_luck: False gives every variant a luck of its own; only good for checking.
        work: processes, folder, cluster: see `sim.studies.work.Work`; nothing of it changes the answer.
    """
    base = as_fight(scenario)
    check_options(runs=runs, precision=precision, margin=margin, measure=measure, confidence=confidence, seed=seed)
    fights = {BASELINE: base, **all_variants(base, variants, taken=BASELINE)}
    names = list(fights)
    seeds = [seed if shared_luck or at == 0 else other_seed(seed, at) for at in range(len(names))]
    pairs = [(0, at) for at in range(1, len(names))]
    if best is not None:
        pairs = list(itertools.combinations(range(len(names)), 2))
    scale = 100 if measure == "win_rate" else 1
    each = each_of(len(pairs), confidence)
    watched = runs is None
    wanted = None if precision is None else precision / scale
    with pool_for("compare", [base], seed, work) as pool:
        race = Race(names, [Fight(fight, own) for fight, own in zip(fights.values(), seeds, strict=True)], pool, pairs)
        for look in [runs] if runs is not None else looks(max_runs):
            race.play_to(look)
            if runs is None and _known(race, measure, each, margin / scale, wanted, best):
                break
        answer = _answer(race, base, measure, each, confidence, margin / scale, best, watched, precision, seed)
        return delivered(answer, pool, work)


def _known(
    race: Race, measure: str, each: float, margin: float, precision: float | None, best: Best | None
) -> bool:
    """Whether enough is known to stop; drops whoever is out of the race."""
    if best is not None:
        _drop_losers(race, measure, each, margin, best)
        return len(race.active) == 1 or all(
            decided(race.scores[pair].difference(measure, each, watched=True), margin) == "same"
            for pair in itertools.combinations(race.active, 2)
        )
    still = []
    for pair, score in race.scores.items():
        if pair[1] not in race.active:
            continue
        difference = score.difference(measure, each, watched=True)
        if precision is None:
            settled = decided(difference, margin) != ""
        else:
            settled = difference.margin <= precision
        if not settled:
            still.append(pair[1])
    race.active = [0, *still]
    return not still


def _drop_losers(race: Race, measure: str, each: float, margin: float, best: Best) -> None:
    """Whoever is surely worse than somebody still in the race is played no more."""
    worse = "less" if best == "highest" else "more"
    better = "more" if best == "highest" else "less"
    losers = set()
    for one, other in itertools.combinations(race.active, 2):
        known = decided(race.scores[one, other].difference(measure, each, watched=True), 0.0)
        if known == worse:
            losers.add(other)
        elif known == better:
            losers.add(one)
    race.active = [at for at in race.active if at not in losers]


# ---------------------------------------------------------------------------------------------------------- the answer


def _answer(
    race: Race,
    scenario: Scenario,
    measure: str,
    each: float,
    confidence: float,
    margin: float,
    best: Best | None,
    watched: bool,
    precision: float | None,
    seed: int,
) -> Answer:
    against = [pair for pair in race.pairs if pair[0] == 0]
    verdicts = []
    for _, second in against:
        pair, difference = race.scores[0, second], _main(race, second, measure, each, watched)
        if best is not None and second not in race.active and not decided(difference, margin):
            verdicts.append(f"{race.names[second]} is out after {pair.runs:,} runs: it is not the best.")
        else:
            verdicts.append(verdict(race.names[second], pair, difference, margin, each, measure))
    facts: dict[str, Any] = {}
    if best is not None:
        facts, sentence = _winner(race, measure, each, best, watched)
        verdicts.insert(0, sentence)
    several = len(race.pairs) > 1
    settings = {
        "seed": seed,
        "runs": race.done,
        "stopped_when_known": watched,
        "precision": precision,
        "margin": margin * (100 if measure == "win_rate" else 1),
        "measure": measure,
        "confidence": confidence,
        "confidence_of_each": each,
        "interval": "confidence sequence, valid while watching" if watched else "paired, for a fixed number of runs",
        "correction": f"Bonferroni over {len(race.pairs)} comparisons" if several else "none: one comparison",
    }
    return Answer(
        question="compare",
        scenario=scenario,
        verdicts=verdicts,
        tables=[
            _differences_table(race, against, each, watched),
            _fights_table(race, each, watched),
            _pairs_table(race, against, each, watched),
        ],
        settings=settings,
        effort=_effort(race, against, measure),
        warnings=_warnings(race, against, measure, each, margin, watched, best),
        facts=facts,
    )


def _main(race: Race, second: int, measure: str, each: float, watched: bool) -> Estimate:
    return race.scores[0, second].difference(measure, each, watched)


def _winner(race: Race, measure: str, each: float, best: Best, watched: bool) -> tuple[dict[str, Any], str]:
    """Who is best, or who cannot be told apart."""
    sign = 1 if best == "highest" else -1
    ranked = sorted(race.tallies, key=lambda at: -sign * race.tallies[at].estimate(measure).value)
    left = [at for at in ranked if at in race.active]
    if not watched:
        top = ranked[0]
        losers = []
        for at in ranked[1:]:
            pair = (min(top, at), max(top, at))
            known = decided(race.scores[pair].difference(measure, each), 0.0)
            if known:
                losers.append(at)
        left = [at for at in ranked if at not in losers]
    names = [race.names[at] for at in left]
    what = f"the {best} {MEASURES[measure].title}"
    if len(left) == 1:
        return {"best": names[0]}, f"{names[0]} has {what} of {len(race.names)}."
    facts = {"best": names[0], "cannot_be_told_apart": names}
    return facts, f"{names[0]} has {what}, but {', '.join(names[1:])} cannot be told apart from it."


def _fights_table(race: Race, each: float, watched: bool) -> StudyTable:
    columns = (
        Column("variant", "variant"),
        Column("runs", "runs", "count"),
        *(Column(name, about.short, about.unit) for name, about in MEASURES.items()),
    )
    about = "Win rate of all encounters, the rest per fight." + (
        " Intervals are valid while watching." if watched else ""
    )
    table = StudyTable("fights", "How each one goes", about, columns)
    for at, name in enumerate(race.names):
        tally = race.tallies[at]
        row: dict[str, Any] = {"variant": name, "runs": tally.runs}
        table.rows.append(row | {m: tally.estimate(m, each, watched) for m in MEASURES})
    return table


def _differences_table(race: Race, against: list[tuple[int, int]], each: float, watched: bool) -> StudyTable:
    columns = (
        Column("variant", "variant"),
        *(
            Column(name, about.short, "points" if name == "win_rate" else "change")
            for name, about in MEASURES.items()
        ),
        Column("unlike", "differ", "share"),
        Column("sharpening", "luck saves", "times"),
    )
    about = (
        "Variant minus baseline, run by run with the same luck: win rate in points, the rest per fight. Differ: fights "
        "that went another way at all. Luck saves: how often the variance would be larger with independent luck."
    )
    table = StudyTable("differences", "Against the baseline", about, columns)
    for _, second in against:
        pair = race.scores[0, second]
        row: dict[str, Any] = {"variant": race.names[second], "unlike": pair.unlike / pair.runs}
        row |= {measure: pair.difference(measure, each, watched) for measure in MEASURES}
        table.rows.append(row | {"sharpening": pair.sharpening("win_rate")})
    return table


def _pairs_table(race: Race, against: list[tuple[int, int]], each: float, watched: bool) -> StudyTable:
    columns = (
        Column("variant", "variant"),
        Column("measure", "measure"),
        Column("difference", "difference", "by measure"),
        Column("unit", "in"),
        Column("sharpening", "variance saved by shared luck", "times"),
    )
    about = "The differences one by one, with the variance that the shared luck has saved for each measure."
    table = StudyTable("pairs", "Differences one by one", about, columns, on_screen=False)
    for _, second in against:
        pair = race.scores[0, second]
        for measure in MEASURES:
            table.rows.append(
                {
                    "variant": race.names[second],
                    "measure": measure,
                    "difference": pair.difference(measure, each, watched),
                    "unit": "points" if measure == "win_rate" else MEASURES[measure].unit,
                    "sharpening": pair.sharpening(measure),
                }
            )
    return table


def _effort(race: Race, against: list[tuple[int, int]], measure: str) -> Effort:
    """Independent luck needs its own baseline for every variant, and more runs by the variance that was saved."""
    independent = 0
    for _, second in against:
        pair = race.scores[0, second]
        times = pair.sharpening(measure)
        independent += round(2 * pair.runs * (times if not math.isnan(times) else 1.0))
    return race.pool.effort(independent)


def _warnings(
    race: Race,
    against: list[tuple[int, int]],
    measure: str,
    each: float,
    margin: float,
    watched: bool,
    best: Best | None,
) -> list[str]:
    found = []
    for _, second in against:
        difference = _main(race, second, measure, each, watched)
        if not difference.known:
            found.append(f"{race.names[second]}: no difference can be given: {difference.why}.")
        elif watched and best is None and not decided(difference, margin) and second in race.active:
            needed = runs_to_decide(difference, margin)
            limit = f"undecided after {race.done:,} runs, the limit"
            found.append(f"{race.names[second]}: {limit}; it takes about {needed:,}.")
        if not race.scores[0, second].same_encounters:
            found.append(f"{race.names[second]}: there is somebody to fight in other runs than in the baseline.")
    return found
