"""The counter matrix: the same parties against several fights, and which party does better against whom than it should.

Some parties are stronger than others, and some fights harder: neither is news. What a counter is, is what is left:

    more = W(party, fight) - mean of the party - mean of the fight + mean of all

Above 0 the party does better in this fight than its strength and the fight's would say.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sim.errors import InputError, Problem
from sim.results.statistics import Estimate, holm
from sim.scenario import Scenario
from sim.scenario.wording import in_words, number_in_words, plural, readable, upper_first
from sim.studies.answer import Column, StudyTable
from sim.studies.measures import Tally
from sim.studies.words import interval

Spread: TypeAlias = Callable[[NDArray[np.float64]], Estimate]  # (parts,) -> their mean with its interval
Doubt: TypeAlias = Callable[[NDArray[np.float64]], float]  # (parts,) -> how likely so large a mean is if the truth is 0

TOLD = 3  # counters that the verdict names


@dataclass(frozen=True, slots=True)
class Counter:
    """One party against one fight."""

    party: tuple[str, ...]
    against: str  # the title of the fight
    tally: Tally
    more: Estimate
    stands: bool  # whether it holds, all of them together


@dataclass(frozen=True, slots=True)
class Counters:
    """Every party against every fight, the strongest party and the hardest fight in no order."""

    parties: list[tuple[str, ...]]
    against: list[str]
    cells: list[list[Counter]]  # [party][fight]

    @classmethod
    def of(
        cls,
        parties: Sequence[tuple[str, ...]],
        fights: Sequence[Scenario],
        rates: NDArray[np.float64],  # (parties, fights, parts)
        tallies: Sequence[Sequence[Tally]],
        spread: Spread,
        doubt: Doubt,
        confidence: float,
    ) -> Counters:
        """From the win rates, part by part of the runs."""
        left = rates - rates.mean(axis=0) - rates.mean(axis=1, keepdims=True) + rates.mean(axis=(0, 1))
        flat = left.reshape(-1, left.shape[2])
        stand = np.array(holm([doubt(parts) for parts in flat], confidence)).reshape(left.shape[:2])
        titles = [fight.title for fight in fights]
        cells = [
            [
                Counter(party, titles[e], tallies[p][e], spread(left[p, e]), bool(stand[p, e]))
                for e in range(len(fights))
            ]
            for p, party in enumerate(parties)
        ]
        return cls(list(parties), titles, cells)

    @property
    def strongest(self) -> list[Counter]:
        """Those that hold, the largest first."""
        every = [cell for row in self.cells for cell in row if cell.stands]
        return sorted(every, key=lambda cell: -abs(cell.more.value))

    def sentences(self, confidence: float) -> list[str]:
        """Who counters whom."""
        found = self.strongest
        if not found:
            return ["No party does clearly better in one of these fights than its strength in all of them says."]
        return [
            f"{upper_first(in_a_sentence(one.party))} {_does(one)} {one.against}: "
            f"{interval(one.more, confidence)} beside what party and fight alone would say."
            for one in found[:TOLD]
        ]

    def table(self, called: Callable[[tuple[str, ...]], str], confidence: float) -> StudyTable:
        """The win rates, a column for every fight."""
        fights = [Column(f"fight_{number}", title, "share") for number, title in enumerate(self.against, 1)]
        about = "The win rate of every party in every fight, with the same luck."
        table = StudyTable("counters", "Every party against every fight", about, (Column("party", "party"), *fights))
        for party, row in zip(self.parties, self.cells, strict=True):
            rates = {f"fight_{n}": cell.tally.estimate("win_rate", confidence) for n, cell in enumerate(row, 1)}
            table.rows.append({"party": called(party), **rates})
        return table

    def to_json(self, confidence: float) -> list[dict[str, Any]]:
        """For scripts: one entry for every party and fight."""
        found = []
        for cell in (cell for row in self.cells for cell in row):
            won = cell.tally.estimate("win_rate", confidence)
            rate = {"win_rate": won.value, "low": won.low, "high": won.high}
            more = {"more": cell.more.value, "more_low": cell.more.low, "more_high": cell.more.high}
            found.append({"party": list(cell.party), "against": cell.against, **rate, **more, "counts": cell.stands})
        return found


def check_against(base: Scenario, against: Sequence[Scenario]) -> None:
    """The fights must be of one game, and tell themselves apart."""
    problems = [
        Problem("against", f"{fight.name} is a fight of {fight.ruleset.title}, not of {base.ruleset.title}")
        for fight in against
        if fight.ruleset_name != base.ruleset_name
    ]
    titles = [fight.title for fight in (base, *against)]
    twice = sorted({title for title in titles if titles.count(title) > 1})
    problems += [Problem("against", f"two fights are called {title!r}; give one another title") for title in twice]
    if problems:
        raise InputError(problems)


def in_a_sentence(party: Sequence[str]) -> str:
    """A party as a sentence speaks of it.

    >>> in_a_sentence(["warrior", "warrior"]), in_a_sentence(["warrior", "warrior", "magic_user"])
    ('two warriors', 'two warriors and one magic user')
    >>> in_a_sentence(["warrior", "priest"]), in_a_sentence(["warrior"])
    ('warrior and priest', 'warrior')
    """
    counts = {name: party.count(name) for name in party}
    if len(counts) == len(party):
        return in_words([readable(name) for name in counts])
    return in_words(
        [
            f"{number_in_words(many)} {readable(name) if many == 1 else plural(readable(name))}"
            for name, many in counts.items()
        ]
    )


def _does(one: Counter) -> str:
    """What a party does to a fight, or the fight to it; one hero counters, two counter."""
    alone = len(one.party) == 1
    if one.more.value > 0:
        return "counters" if alone else "counter"
    return "is countered by" if alone else "are countered by"
