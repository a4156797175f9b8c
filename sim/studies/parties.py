"""parties: which party is best in this fight, what does each class add, and who is more than the sum of the two?

Every party of so many heroes is played, and every smaller one that it is made of (`rosters`), all with the same luck;
what a class adds and who fits whom follows from their win rates (`shapley`).
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from sim.results.statistics import CONFIDENCE, Estimate, holm
from sim.results.verdict import DRAWS_MATTER
from sim.scenario import Scenario
from sim.scenario.wording import readable
from sim.studies.answer import Answer, Column, StudyTable
from sim.studies.cards import Fight
from sim.studies.counters import Counters, check_against
from sim.studies.measures import Tally, told_beside
from sim.studies.options import check_options
from sim.studies.pool import Pool
from sim.studies.race import ALL_RUNS, STOPPED, Race, looks_to
from sim.studies.rosters import Parties, Party, choose_parties, classes_for, in_words, with_party
from sim.studies.shapley import Rates, chance_of_none, estimate_of
from sim.studies.standing import clear_rates
from sim.studies.tenths import PARTS
from sim.studies.variants import AnyScenario, as_fight
from sim.studies.words import interval, shown
from sim.studies.work import Work, delivered, pool_for

RUNS = 4_000  # of every party at most, if nobody says otherwise


def parties(
    scenario: AnyScenario,
    *,
    size: int | None = None,
    of: Sequence[str] | None = None,
    against: Sequence[AnyScenario] = (),
    runs: int = RUNS,
    full: bool = False,
    seed: int = 1,
    confidence: float = CONFIDENCE,
    **work: Unpack[Work],
) -> Answer:
    """Every party of so many heroes against the enemies of a fight, all with the same luck.

    A party that clearly wins or loses nearly always is played no further: the runs go to those in the balance. A class
    that stands in the file is taken as it stands there, any other as the rules build it.

    Args:
        size: heroes of a party; as many as the fight has if not given.
        of: the classes they are of; all classes of the game if not given.
        against: further fights of the game that the full parties meet: who counters whom.
        runs: of every party, at most.
        full: give every party all its runs, also where it is clear.
        work: processes, folder, cluster: see `sim.studies.work.Work`; nothing of it changes the answer.
    """
    base = as_fight(scenario)
    check_options(runs=runs, precision=None, margin=1.0, measure="win_rate", confidence=confidence, seed=seed)
    heroes = base.data["heroes"]
    size = len(heroes) if size is None else size
    classes = classes_for(base, of, size)
    chosen = choose_parties(classes, size, seed)
    others = [as_fight(fight) for fight in against]
    check_against(base, others)
    fights = [Fight(with_party(base, party), seed) for party in chosen.all]
    elsewhere = [Fight(with_party(other, party), seed) for other in others for party in chosen.full]
    with pool_for("parties", [base, *others], seed, work, short_answers=True) as pool:
        names = [in_words(party) for party in (*chosen.all, *(chosen.full * len(others)))]
        race = Race(names, [*fights, *elsewhere], pool, [], in_tenths=True)
        told = partial(_best_so_far, len(chosen.full), confidence)
        race.run(looks_to(runs, full), clear_rates("win_rate", confidence, runs), told)
        played = Played.of(race)
        at = len(fights)
        answer = _answer(base, chosen, classes, played.some(range(at)), confidence, pool, seed)
        if others:
            of_all = played.some([*range(len(chosen.full)), *range(at, len(names))])
            answer = _with_counters(answer, chosen, [base, *others], of_all, confidence)
        return delivered(answer, pool, work)


def _with_counters(
    answer: Answer,
    chosen: Parties,
    fights: Sequence[Scenario],
    played: Played,
    confidence: float,
) -> Answer:
    """The answer with the full parties against all fights, fight by fight."""
    many, runs, rates, tallies = len(chosen.full), played.runs, played.rates, played.tallies
    found = Counters.of(
        chosen.full,
        fights,
        rates.reshape(len(fights), many, -1).transpose(1, 0, 2),
        [[tallies[fight * many + party] for fight in range(len(fights))] for party in range(many)],
        lambda parts: estimate_of(parts, runs, confidence),
        chance_of_none,
        confidence,
    )
    return replace(
        answer,
        verdicts=[*answer.verdicts, *found.sentences(confidence)],
        tables=[*answer.tables, found.table(in_words, confidence)],
        settings=answer.settings | {"against": [fight.name for fight in fights[1:]]},
        on_top=answer.on_top | {"counters": found.to_json(confidence)},
    )


# ------------------------------------------------------------------------------------------------------ what they do


@dataclass(frozen=True, slots=True)
class Played:
    """What was played of some fights."""

    rates: NDArray[np.float64]  # (fights, parts) win rates, part by part of the runs
    tallies: Sequence[Tally]
    until: Sequence[str]  # why each was played no further

    @classmethod
    def of(cls, race: Race) -> Played:
        """What a race has shown; of a handful of runs not every tenth has one."""
        every = range(len(race.fights))
        parts = min(PARTS, min(tally.runs for tally in race.tallies.values()))
        rates = np.array([race.tenths[at].rates[:parts] for at in every])
        return cls(rates, [race.tallies[at] for at in every], [race.until[at] for at in every])

    def some(self, which: Sequence[int]) -> Played:
        """The same of some of the fights."""
        return Played(self.rates[list(which)], [self.tallies[at] for at in which], [self.until[at] for at in which])

    @property
    def runs(self) -> int:
        """Those of the fight that was played longest."""
        return max(tally.runs for tally in self.tallies)


def _best_so_far(full: int, confidence: float, race: Race) -> str:
    """Who leads, for whoever watches."""
    rates = [race.tallies[at].estimate("win_rate", confidence) for at in range(full)]
    order = sorted(range(full), key=lambda at: -rates[at].value if rates[at].known else 1.0)
    leaders = "; ".join(f"{race.names[at]} {shown(rates[at], 'win_rate')}" for at in order[:3])
    return f"After {race.done:,} runs: {leaders}; {len(race.until)} of {len(race.fights)} are clear."


def _share(tally: Tally) -> float:
    return tally.estimate("win_rate").value


# ------------------------------------------------------------------------------------------------------- the answer


def _answer(
    scenario: Scenario,
    chosen: Parties,
    classes: Sequence[str],
    played: Played,
    confidence: float,
    pool: Pool,
    seed: int,
) -> Answer:
    size, runs = len(chosen.full[0]), played.runs
    by_party = Rates(dict(zip(chosen.all, played.rates, strict=True)), classes, size)
    of_full = played.tallies[: len(chosen.full)]
    league = sorted(zip(chosen.full, of_full, strict=True), key=lambda entry: -_share(entry[1]))
    until = dict(zip(chosen.full, played.until, strict=False))
    added = {name: estimate_of(by_party.added_by(name), runs, confidence) for name in classes}
    pairs = list(itertools.combinations(classes, 2)) if size > 1 else []
    apart = {pair: parts for pair in pairs if not np.isnan(parts := by_party.together(*pair)).any()}
    stand = dict(zip(apart, holm([chance_of_none(parts) for parts in apart.values()], confidence), strict=True))
    more = {pair: estimate_of(parts, runs, confidence) for pair, parts in apart.items()}
    order = sorted(more, key=lambda pair: -abs(more[pair].value))
    return Answer(
        question="parties",
        scenario=scenario,
        verdicts=_verdicts(league, added, more, stand, confidence),
        tables=[
            _league_table(league, until, confidence),
            _class_table(added, confidence),
            _pair_table({pair: more[pair] for pair in order}, stand),
        ],
        settings={
            "seed": seed,
            "runs": runs,
            "size": size,
            "of": list(classes),
            "confidence": confidence,
            "correction": f"all {len(apart)} pairs are judged together (by Holm's method)",
        },
        effort=pool.effort(None),
        warnings=_warnings(chosen, league),
        on_top={
            "parties": [
                {"party": list(party), **_rate(tally, confidence), "runs": tally.runs} for party, tally in league
            ],
            "classes": [{"class": name, "value": one.value, **_ends(one)} for name, one in added.items()],
            "pairs": [
                {"pair": list(pair), "more": one.value, **_ends(one), "counts": stand[pair]}
                for pair, one in more.items()
            ],
        },
    )


def _rate(tally: Tally, confidence: float) -> dict[str, float]:
    found = tally.estimate("win_rate", confidence)
    return {"win_rate": found.value, **_ends(found)}


def _ends(found: Estimate) -> dict[str, float]:
    return {"low": found.low, "high": found.high}


def _verdicts(
    league: Sequence[tuple[Party, Tally]],
    added: Mapping[str, Estimate],
    more: Mapping[tuple[str, str], Estimate],
    stand: Mapping[tuple[str, str], bool],
    confidence: float,
) -> list[str]:
    (best, most), (worst, least) = league[0], league[-1]
    said = [
        f"The best party is {in_words(best)}: {shown(most.estimate('win_rate'), 'win_rate')} wins{_draws(most)}; "
        f"the worst is {in_words(worst)}: {shown(least.estimate('win_rate'), 'win_rate')}{_draws(least)}."
    ]
    first = max(added, key=lambda name: added[name].value)
    last = min(added, key=lambda name: added[name].value)
    if added[first].value == added[last].value:
        said.append(f"No class adds more than another: {interval(added[first], confidence)} each.")
    else:
        least_added = f"one more {readable(last)} least: {interval(added[last], confidence)}"
        said.append(
            f"One more {readable(first)} adds most: {interval(added[first], confidence)} "
            f"in the mean of all parties it can join; {least_added}."
        )
    counted = [pair for pair, holds in stand.items() if holds]
    for pair in sorted(counted, key=lambda pair: -abs(more[pair].value))[:3]:
        one, other = map(readable, pair)
        what = "more together than apart" if more[pair].value > 0 else "less together than apart"
        said.append(f"{one[0].upper()}{one[1:]} and {other} are {what}: {interval(more[pair], confidence)}.")
    if more and not counted:
        said.append("No two classes are clearly more, or less, together than apart.")
    return said


def _draws(tally: Tally) -> str:
    """How many fights nobody won, where that is more than a few: a party that never loses need not win."""
    drawn = tally.estimate("draw_rate").value
    return f" and {100 * drawn:.0f} % draws" if drawn > DRAWS_MATTER else ""


def _warnings(chosen: Parties, league: Sequence[tuple[Party, Tally]]) -> list[str]:
    found = []
    if len(chosen.full) < chosen.of_how_many:
        found.append(
            f"Of {chosen.of_how_many:,} parties a sample of {len(chosen.full):,} was played, in which every class "
            "stands equally often: the best of all may be another. Fewer classes with --of play them all."
        )
    shares = [_share(tally) for _, tally in league]
    if max(shares) < 0.02 or min(shares) > 0.98:
        found.append(
            "This fight is too one-sided to tell parties apart: make it easier or harder before you read the table."
        )
    return found


def _league_table(
    league: Sequence[tuple[Party, Tally]], until: Mapping[Party, str], confidence: float
) -> StudyTable:
    measures = told_beside(tallies=(tally for _, tally in league))
    columns = (
        Column("party", "party"),
        *(Column(name, about.short, about.unit) for name, about in measures.items()),
        Column("runs", "runs", "count"),
        Column("until", "played until"),
    )
    about = "Every party against the same enemies with the same luck, the best first."
    if not set(until.values()) <= {ALL_RUNS, STOPPED}:
        about += " Who wins or loses nearly always is known after fewer runs."
    table = StudyTable("parties", "Party by party", about, columns)
    for party, tally in league:
        row: dict[str, Any] = {"party": in_words(party), "runs": tally.runs, "until": until[party]}
        table.rows.append(row | {name: tally.estimate(name, confidence) for name in measures})
    return table


def _class_table(added: Mapping[str, Estimate], confidence: float) -> StudyTable:
    about = (
        "How much the win rate changes when one of the class joins, in the mean over parties of nobody, of one, of two "
        f"... others (Shapley value); {100 * confidence:.3g} % intervals one by one."
    )
    columns = (Column("class", "class"), Column("value", "adds", "points"))
    table = StudyTable("classes", "What each class adds", about, columns)
    for name in sorted(added, key=lambda name: -added[name].value):
        table.rows.append({"class": readable(name), "value": added[name]})
    return table


def _pair_table(more: Mapping[tuple[str, str], Estimate], stand: Mapping[tuple[str, str], bool]) -> StudyTable:
    about = (
        "How much more two classes win together than the sum of what each does alone, in the mean over the rest of the "
        "party. Surely: chance alone would hardly make such a pair, not even among so many of them."
    )
    columns = (Column("pair", "pair"), Column("more", "more together", "points"), Column("counts", "surely"))
    table = StudyTable("pairs", "Who is more than the sum", about, columns)
    for pair, found in more.items():
        table.rows.append({"pair": " and ".join(map(readable, pair)), "more": found, "counts": stand[pair]})
    return table
