"""compare: is B better than A? Variants against a baseline with the same luck, watched until it is known."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Unpack

from sim.results.statistics import CONFIDENCE, MOST_RUNS, Estimate, each_of
from sim.scenario import Scenario
from sim.scenario.changes import changes_since, variant_in_words
from sim.scenario.wording import readable
from sim.studies.answer import Answer, Column, Effort, StudyTable
from sim.studies.cards import Fight
from sim.studies.course import asked
from sim.studies.measures import EVERY_MEASURE, PairTally, Tally, is_share, told_beside
from sim.studies.options import check_options
from sim.studies.points import looks_for, remarks_on, scale_of
from sim.studies.race import Race, other_seed
from sim.studies.variants import AnyScenario, as_fight
from sim.studies.variants import variants as all_variants
from sim.studies.words import decided, runs_to_decide, verdict
from sim.studies.work import Work, delivered, pool_for

Best = Literal["highest", "lowest"]
BASELINE = "baseline"  # what the fight as it is is called beside its variants


@dataclass(frozen=True, slots=True)
class Terms:
    """What is compared, and what counts as a difference."""

    measure: str
    margin: float  # what does not matter, in the measure's own unit
    best: Best | None
    precision: float | None  # as it was asked for: in points, or units of the measure
    confidence: float  # of all verdicts together
    each: float  # confidence of every single one
    watched: bool  # whether it stops as soon as it is known
    seed: int

    def difference(self, pair: PairTally, measure: str | None = None) -> Estimate:
        """Second minus first; of the measure that is compared if not told otherwise."""
        return pair.difference(measure or self.measure, self.each, self.watched)


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
        measure: what is compared: win_rate, rounds, party_hp, damage_dealt, damage_taken, heroes_down, or a measure of
            the course of the fight such as decided_after_round_1 or excitement.
        best: "highest" or "lowest" looks for the best of all, baseline included, and drops losers on the way.
        confidence: of all verdicts together.
        max_runs: where an undecided comparison gives up.
        shared_luck: False gives every variant a luck of its own; only good for checking.
        work: processes, folder, cluster: see `sim.studies.work.Work`; nothing of it changes the answer.
    """
    base = as_fight(scenario)
    check_options(
        runs=runs, precision=precision, margin=margin, measure=measure, confidence=confidence, seed=seed, course=True
    )
    fights = {BASELINE: base, **all_variants(base, variants, taken=BASELINE)}
    names = list(fights)
    seeds = [seed if shared_luck or at == 0 else other_seed(seed, at) for at in range(len(names))]
    pairs = [(0, at) for at in range(1, len(names))]
    if best is not None:
        pairs = list(itertools.combinations(range(len(names)), 2))
    each = each_of(len(pairs), confidence)
    terms = Terms(measure, margin / scale_of(measure), best, precision, confidence, each, runs is None, seed)
    with pool_for("compare", [base], seed, work, short_answers=True) as pool:
        played = [Fight(one, own, asked=asked(measure)) for one, own in zip(fights.values(), seeds, strict=True)]
        race = Race(names, played, pool, pairs)
        for look in [runs] if runs is not None else looks_for(measure, max_runs):
            race.play_to(look)
            if pool.stopped is not None or (runs is None and _known(race, terms)):
                break
        return delivered(_answer(race, base, terms), pool, work)


def _known(race: Race, terms: Terms) -> bool:
    """Whether enough is known to stop; drops whoever is out of the race."""
    if terms.best is not None:
        _drop_losers(race, terms)
        return len(race.active) == 1 or all(
            decided(terms.difference(race.scores[pair]), terms.margin) == "same"
            for pair in itertools.combinations(race.active, 2)
        )
    still = []
    for pair, score in race.scores.items():
        if pair[1] not in race.active:
            continue
        difference = terms.difference(score)
        if terms.precision is None:
            settled = decided(difference, terms.margin) != ""
        else:
            settled = difference.margin <= terms.precision / scale_of(terms.measure)
        if not settled:
            still.append(pair[1])
    race.active = [0, *still]
    return not still


def _drop_losers(race: Race, terms: Terms) -> None:
    """Whoever is surely worse than somebody still in the race is played no more."""
    worse = "less" if terms.best == "highest" else "more"
    better = "more" if terms.best == "highest" else "less"
    losers = set()
    for one, other in itertools.combinations(race.active, 2):
        known = decided(terms.difference(race.scores[one, other]), 0.0)
        if known == worse:
            losers.add(other)
        elif known == better:
            losers.add(one)
    race.active = [at for at in race.active if at not in losers]


# ---------------------------------------------------------------------------------------------------------- the answer


def _answer(race: Race, scenario: Scenario, terms: Terms) -> Answer:
    against = [pair for pair in race.pairs if pair[0] == 0]
    facts: dict[str, Any] = {}
    verdicts = [_verdict(race, second, terms) for _, second in against]
    if terms.best is not None:
        facts, sentence = _winner(race, terms, terms.best)
        verdicts.insert(0, sentence)
    several, watched = len(race.pairs) > 1, terms.watched
    settings = {
        "seed": terms.seed,
        "runs": race.done,
        "stopped_when_known": watched,
        "precision": terms.precision,
        "margin": terms.margin * scale_of(terms.measure),
        "measure": terms.measure,
        "variants": {name: _asked_for(race, at) for at, name in enumerate(race.names) if at},
        "confidence": terms.confidence,
        "confidence_of_each": terms.each,
        "interval": "confidence sequence, valid while watching" if watched else "paired, for a fixed number of runs",
        "correction": f"Bonferroni over {len(race.pairs)} comparisons" if several else "none: one comparison",
    }
    return Answer(
        question="compare",
        scenario=scenario,
        verdicts=verdicts,
        tables=[
            _differences_table(race, against, terms),
            _fights_table(race, terms),
            _pairs_table(race, against, terms),
        ],
        settings=settings,
        effort=_effort(race, against, terms.measure),
        warnings=_warnings(race, against, terms),
        facts=facts,
    )


EDGE = 0.02  # a fight that is won less often, or lost, hardly shows a difference of win rates


def _verdict(race: Race, second: int, terms: Terms) -> str:
    """One sentence about a variant against the baseline."""
    pair = race.scores[0, second]
    difference = terms.difference(pair)
    if terms.best is not None and second not in race.active and not decided(difference, terms.margin):
        return f"{_called(race, second)} is out after {pair.runs:,} runs: it is not the best."
    said = verdict(_called(race, second), pair, difference, terms.margin, terms.each, terms.measure)
    if terms.measure == "win_rate" and pair.unlike and decided(difference, terms.margin) == "same":
        said += _cannot_show(race.tallies[0])
    return said


def _called(race: Race, at: int) -> str:
    """What a fight is called in a sentence."""
    return readable(race.names[at])


def _cannot_show(baseline: Tally) -> str:
    """That a fight that is nearly always won, or lost, cannot show a difference of win rates; and what can."""
    rate = baseline.estimate("win_rate").value
    if EDGE <= rate <= 1 - EDGE:
        return ""
    always = f"is won {100 * rate:.1f} % of the time"
    return f" But this fight {always}, so its win rate cannot show one: ask for hit points left (--measure party_hp)."


def _winner(race: Race, terms: Terms, best: Best) -> tuple[dict[str, Any], str]:
    """Who is best, or who cannot be told apart."""
    sign = 1 if best == "highest" else -1
    ranked = sorted(race.tallies, key=lambda at: -sign * race.tallies[at].estimate(terms.measure).value)
    left = [at for at in ranked if at in race.active]
    if not terms.watched:
        top = ranked[0]
        pairs = {at: race.scores[min(top, at), max(top, at)] for at in ranked[1:]}
        left = [at for at in ranked if at == top or not decided(terms.difference(pairs[at]), 0.0)]
    names = [race.names[at] for at in left]
    first, *others = map(readable, names)
    what = f"the {best} {EVERY_MEASURE[terms.measure].title}"
    if not others:
        return {"best": names[0]}, f"{first} has {what} of {len(race.names)}."
    facts = {"best": names[0], "cannot_be_told_apart": names}
    return facts, f"{first} has {what}, but {', '.join(others)} cannot be told apart from it."


def _fights_table(race: Race, terms: Terms) -> StudyTable:
    measures = told_beside(terms.measure, race.tallies.values())
    columns = (
        Column("variant", "variant"),
        Column("changes", "what it changes"),
        Column("runs", "runs", "count"),
        *(Column(name, about.short, about.unit) for name, about in measures.items()),
    )
    about = "Win rate of all encounters, the rest per fight." + (
        " Intervals are valid while watching." if terms.watched else ""
    )
    table = StudyTable("fights", "How each one goes", about, columns)
    for at, name in enumerate(race.names):
        tally = race.tallies[at]
        row: dict[str, Any] = {"variant": name, "changes": _changes(race, at), "runs": tally.runs}
        table.rows.append(row | {m: tally.estimate(m, terms.each, terms.watched) for m in measures})
    return table


def _changes(race: Race, at: int) -> str:
    return variant_in_words(race.fights[at].scenario, race.fights[0].scenario)


def _asked_for(race: Race, at: int) -> list[str]:
    """What makes a variant, as it was asked for; another fight is named."""
    fight = race.fights[at].scenario
    changes = changes_since(fight, race.fights[0].scenario)
    return [fight.name, *fight.changes] if changes is None else list(changes)


def _differences_table(race: Race, against: list[tuple[int, int]], terms: Terms) -> StudyTable:
    measures = told_beside(terms.measure, race.tallies.values())
    columns = (
        Column("variant", "variant"),
        Column("changes", "what it changes"),
        *(
            Column(name, about.short, "points" if is_share(name) else "change")
            for name, about in measures.items()
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
        row: dict[str, Any] = {"variant": race.names[second], "changes": _changes(race, second)}
        row["unlike"] = pair.unlike / pair.runs
        row |= {measure: terms.difference(pair, measure) for measure in measures}
        table.rows.append(row | {"sharpening": pair.sharpening("win_rate")})
    return table


def _pairs_table(race: Race, against: list[tuple[int, int]], terms: Terms) -> StudyTable:
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
        for measure, about_it in told_beside(terms.measure).items():
            table.rows.append(
                {
                    "variant": race.names[second],
                    "measure": measure,
                    "difference": terms.difference(pair, measure),
                    "unit": "points" if is_share(measure) else about_it.unit,
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


def _warnings(race: Race, against: list[tuple[int, int]], terms: Terms) -> list[str]:
    found = remarks_on(terms.measure, race.tallies.values())
    stops = terms.watched and terms.best is None
    for _, second in against:
        difference = terms.difference(race.scores[0, second])
        if not difference.known:
            found.append(f"{_called(race, second)}: no difference can be given: {difference.why}.")
        elif stops and not decided(difference, terms.margin) and second in race.active:
            needed = runs_to_decide(difference, terms.margin)
            limit = f"undecided after {race.done:,} runs, the limit"
            found.append(f"{_called(race, second)}: {limit}; it takes about {needed:,}.")
        if not race.scores[0, second].same_encounters:
            found.append(f"{_called(race, second)}: there is somebody to fight in other runs than in the baseline.")
    return found
