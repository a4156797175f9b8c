"""The wins of every tenth of the runs: how far they scatter says how far a sum of win rates can be trusted.

Run k belongs to tenth k % 10, in every fight. So where two fights have runs in common, the same tenth of both has the
luck of the same runs, also where one of them was played longer than the other.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sim.core.outcomes import Outcome
from sim.results.summary import ENCOUNTERS
from sim.studies.measures import Marks

PARTS = 10


@dataclass(frozen=True, slots=True)
class Tenths:
    """Sums of one fight, tenth by tenth."""

    wins: tuple[int, ...]
    encounters: tuple[int, ...]

    @classmethod
    def of(cls, marks: Marks, first: int) -> Tenths:
        """The sums of a stretch of runs that begins with that one."""
        tenth = np.arange(first, first + len(marks.outcome)) % PARTS
        met = np.isin(marks.outcome, ENCOUNTERS)
        return cls(_counted(tenth, marks.outcome == Outcome.WIN), _counted(tenth, met))

    def __add__(self, other: Tenths) -> Tenths:
        wins, encounters = (
            tuple(one + more for one, more in zip(mine, theirs, strict=True))
            for mine, theirs in ((self.wins, other.wins), (self.encounters, other.encounters))
        )
        return Tenths(wins, encounters)

    def can_be_of(self, runs: int) -> bool:
        """Whether these can be the sums of so many runs; asked of what comes from a file."""
        both = (self.wins, self.encounters)
        if not all(isinstance(one, tuple) and len(one) == PARTS for one in both):
            return False
        if not all(type(number) is int and number >= 0 for one in both for number in one):
            return False
        return sum(self.encounters) <= runs and all(map(int.__le__, self.wins, self.encounters))

    @property
    def rates(self) -> NDArray[np.float64]:
        """(parts,). The win rate of every tenth; NaN where a tenth had nobody to fight."""
        with np.errstate(invalid="ignore"):
            return np.array(self.wins) / np.array(self.encounters)


def _counted(tenth: NDArray[np.int64], which: NDArray[np.bool_]) -> tuple[int, ...]:
    return tuple(int(number) for number in np.bincount(tenth[which], minlength=PARTS))
