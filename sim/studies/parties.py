"""parties: which party is best in this fight, what does each class add, and who is more than the sum of the two?

Every party of so many heroes is played, and every smaller one that it is made of, all with the same luck. What a class
adds is the mean change of the win rate when one of it joins a party of nobody, of one, of two ... others (its Shapley
value, cut at the size of the party). Two classes are more together than apart by

    I = W(rest + both) - W(rest + one) - W(rest + other) + W(rest)

in the mean over all that the rest of the party can be.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeAlias, Unpack

import numpy as np
from numpy.typing import NDArray

from sim.errors import InputError, Problem, ScenarioError, did_you_mean
from sim.results.statistics import CONFIDENCE, Estimate, holm, student_chance, student_quantile
from sim.scenario import Scenario
from sim.scenario.own_types import choices_at
from sim.scenario.shape import Shape
from sim.scenario.wording import plural, readable
from sim.studies.answer import Answer, Column, StudyTable
from sim.studies.cards import Fight
from sim.studies.counters import Counters, check_against
from sim.studies.measures import MEASURES, Tally
from sim.studies.options import check_options
from sim.studies.pool import Pool
from sim.studies.race import ALL_RUNS, STOPPED, Race, looks_to
from sim.studies.standing import clear_rates
from sim.studies.tenths import PARTS
from sim.studies.variants import AnyScenario, as_fight
from sim.studies.words import interval, shown
from sim.studies.work import Work, delivered, pool_for

Party: TypeAlias = tuple[str, ...]  # classes, in the order of the rules

RUNS = 4_000  # of every party at most, if nobody says otherwise
MOST_PARTIES = 240  # that are played, smaller ones included; beyond it a sample of the full ones
MOST_HEROES = 6  # of a party
PLACES = ("spot", "square", "hex")  # keys of a hero that belong to the place in the line, and not to the class


@dataclass(frozen=True, slots=True)
class Parties:
    """The parties of a study."""

    full: list[Party]  # those of the size that was asked for
    smaller: list[Party]  # what the full ones are made of; nobody at all is none of them
    of_how_many: int  # full parties there are, played or not

    @property
    def all(self) -> list[Party]:
        """Everyone who is played."""
        return [*self.full, *self.smaller]


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
    classes = _classes(base, of, size)
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
        lambda parts: _estimate(parts, runs, confidence),
        _chance_of_none,
        confidence,
    )
    return replace(
        answer,
        verdicts=[*answer.verdicts, *found.sentences(confidence)],
        tables=[*answer.tables, found.table(in_words, confidence)],
        settings=answer.settings | {"against": [fight.name for fight in fights[1:]]},
        on_top=answer.on_top | {"counters": found.to_json(confidence)},
    )


# ---------------------------------------------------------------------------------------------------------- who plays


def choose_parties(classes: Sequence[str], size: int, seed: int) -> Parties:
    """All parties of so many of these classes and all smaller ones; a balanced sample where there are too many."""
    every = list(itertools.combinations_with_replacement(classes, size))
    smaller = [
        party for few in range(1, size) for party in itertools.combinations_with_replacement(classes, few)
    ]
    if len(every) + len(smaller) <= MOST_PARTIES:
        return Parties(every, smaller, len(every))
    order = np.random.default_rng(seed)
    full: dict[Party, None] = {}
    parts: dict[Party, None] = {}
    while len(full) + len(parts) < MOST_PARTIES - 2 * size:  # a round of the table: every class in every place once
        for line in zip(*(order.permutation(classes).tolist() for _ in range(size)), strict=True):
            full[_sorted(line, classes)] = None
            for few in range(1, size):
                parts[_sorted(line[:few], classes)] = None
    return Parties(list(full), list(parts), len(every))


def _sorted(line: Sequence[str], classes: Sequence[str]) -> Party:
    return tuple(sorted(line, key=list(classes).index))


def _classes(scenario: Scenario, of: Sequence[str] | None, size: int) -> list[str]:
    """The classes to choose from, in the order of the rules; everything that is wrong with the wish at once."""
    known = known_classes(scenario)
    listed = f" (known: {', '.join(known)})"
    problems = [
        Problem("of", f"unknown class '{name}'{did_you_mean(name, known) or listed}")
        for name in of or ()
        if name not in known
    ]
    if not 1 <= size <= MOST_HEROES:
        problems.append(Problem("size", f"expected a party of 1 to {MOST_HEROES} heroes, found {size}"))
    wanted = known if of is None else [name for name in known if name in of]
    if len(wanted) < 2 and not problems:
        problems.append(Problem("of", "expected two classes or more, or there is nothing to choose"))
    if problems:
        raise InputError(problems)
    return wanted


def known_classes(scenario: Scenario) -> list[str]:
    """The classes of the game in the order of its rules, then those of the fight's own."""
    return choices_at(Shape.of(scenario.ruleset).at(("heroes", 0, "class")), scenario.data)


def with_party(scenario: Scenario, party: Party, option: str = "of") -> Scenario:
    """The fight with these heroes instead; who stands first in the line stands where the first one stood.

    A party that cannot be is told under the option that asked for it.
    """
    old: list[dict[str, Any]] = scenario.data["heroes"]
    like = {entry["class"]: entry for entry in reversed(old)}
    heroes: list[dict[str, Any]] = []
    for number, name in enumerate(party):
        own = {key: value for key, value in like.get(name, {"class": name}).items() if key not in PLACES}
        if party.count(name) > 1:
            own.pop("name", None)  # two of a name would be one for whoever reads the tables
        place = {key: old[number][key] for key in PLACES if number < len(old) and key in old[number]}
        heroes.append(own | place)
    try:
        return scenario.changed(values={"heroes": heroes})
    except ScenarioError as error:
        said = "; ".join(problem.message for problem in error.problems)
        raise InputError(Problem(option, f"this fight cannot be played with {in_words(party)}: {said}")) from error


def in_words(party: Party) -> str:
    """A party as people say it: '2 warriors, priest'."""
    counts = {name: party.count(name) for name in party}
    return ", ".join(
        readable(name) if many == 1 else f"{many} {plural(readable(name))}" for name, many in counts.items()
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


@dataclass(frozen=True, slots=True)
class Rates:
    """The win rates of parties, part by part; nobody at all never wins."""

    of: Mapping[Party, NDArray[np.float64]]  # (parts,)
    classes: Sequence[str]
    size: int

    def __call__(self, *line: str) -> NDArray[np.float64] | None:
        """(parts,). Of the party with these classes in any order; None if it was not played."""
        if not line:
            return np.zeros_like(next(iter(self.of.values())))
        return self.of.get(_sorted(line, self.classes))

    def added_by(self, name: str) -> NDArray[np.float64]:
        """(parts,). What one of a class adds in the mean when it joins: over sizes, and over parties of that size."""
        by_size = []
        for few in range(self.size):
            changes = [
                after - before
                for others in itertools.combinations_with_replacement(self.classes, few)
                if (before := self(*others)) is not None and (after := self(*others, name)) is not None
            ]
            if changes:
                by_size.append(np.mean(changes, axis=0))
        return np.mean(by_size, axis=0) if by_size else np.full(self._parts, math.nan)

    def together(self, one: str, other: str) -> NDArray[np.float64]:
        """(parts,). How much more two classes are together than apart, in the mean over the rest of the party."""
        found = []
        for rest in itertools.combinations_with_replacement(self.classes, self.size - 2):
            four = (self(*rest, one, other), self(*rest, one), self(*rest, other), self(*rest))
            if all(part is not None for part in four):
                both, first, second, without = (part for part in four if part is not None)
                found.append(both - first - second + without)
        return np.mean(found, axis=0) if found else np.full(self._parts, math.nan)

    @property
    def _parts(self) -> int:
        return len(next(iter(self.of.values())))


def _estimate(parts: NDArray[np.float64], runs: int, confidence: float) -> Estimate:
    """The mean of the parts, with Student's interval from how they scatter."""
    value, error = float(parts.mean()), float(parts.std(ddof=1)) / math.sqrt(len(parts))
    half = student_quantile(0.5 + confidence / 2, len(parts) - 1) * error
    return Estimate(value, value - half, value + half, runs)


def _chance_of_none(parts: NDArray[np.float64]) -> float:
    """How likely so large a mean is if the truth is 0."""
    error = float(parts.std(ddof=1)) / math.sqrt(len(parts))
    if error == 0:
        return 1.0 if parts.mean() == 0 else 0.0
    return student_chance(float(parts.mean()) / error, len(parts) - 1)


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
    added = {name: _estimate(by_party.added_by(name), runs, confidence) for name in classes}
    pairs = list(itertools.combinations(classes, 2)) if size > 1 else []
    apart = {pair: parts for pair in pairs if not np.isnan(parts := by_party.together(*pair)).any()}
    stand = dict(zip(apart, holm([_chance_of_none(parts) for parts in apart.values()], confidence), strict=True))
    more = {pair: _estimate(parts, runs, confidence) for pair, parts in apart.items()}
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
        f"The best party is {in_words(best)}: {shown(most.estimate('win_rate'), 'win_rate')} wins; "
        f"the worst is {in_words(worst)}: {shown(least.estimate('win_rate'), 'win_rate')}."
    ]
    first = max(added, key=lambda name: added[name].value)
    last = min(added, key=lambda name: added[name].value)
    said.append(
        f"One more {readable(first)} adds most: {interval(added[first], confidence)} "
        f"in the mean of all parties it can join; one more {readable(last)} least: {interval(added[last], confidence)}."
    )
    counted = [pair for pair, holds in stand.items() if holds]
    for pair in sorted(counted, key=lambda pair: -abs(more[pair].value))[:3]:
        one, other = map(readable, pair)
        what = "more together than apart" if more[pair].value > 0 else "less together than apart"
        said.append(f"{one[0].upper()}{one[1:]} and {other} are {what}: {interval(more[pair], confidence)}.")
    if more and not counted:
        said.append("No two classes are clearly more, or less, together than apart.")
    return said


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
    columns = (
        Column("party", "party"),
        *(Column(name, about.short, about.unit) for name, about in MEASURES.items()),
        Column("runs", "runs", "count"),
        Column("until", "played until"),
    )
    about = "Every party against the same enemies with the same luck, the best first."
    if not set(until.values()) <= {ALL_RUNS, STOPPED}:
        about += " Who wins or loses nearly always is known after fewer runs."
    table = StudyTable("parties", "Party by party", about, columns)
    for party, tally in league:
        row: dict[str, Any] = {"party": in_words(party), "runs": tally.runs, "until": until[party]}
        table.rows.append(row | {name: tally.estimate(name, confidence) for name in MEASURES})
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
