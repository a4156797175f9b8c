"""A win rate with the known luck taken out: the same mean, from fewer runs.

Every run has a known luck L with mean zero (`sim.core.known_luck`), so won - L has the mean of won, and less
scatter where L follows the outcome. The worths behind L were learned from runs of their own before the first of these
was played, so nothing is fitted to the runs that are corrected and the interval is an ordinary one.

The win rate is taken of the encounters, and a run may turn out to be none (an empty room). So it is a ratio, and
its interval that of the delta method: of the sum of won - L - rate x encounter.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sim.core.lanes import Whole
from sim.core.outcomes import Outcome, Outcomes
from sim.results.sequences import critical_value
from sim.results.statistics import CONFIDENCE, Estimate, normal_quantile

UNIT = 1 << 20  # luck is counted in whole numbers of this part of a win, so that sums are exact in any order
FIRST = 1_000  # the runs before this number are never corrected: learning what luck is worth pays only for more
SPARE = 2  # squares added to the scatter, as two runs more that are off by a whole win: for rare endings in few runs
FEWEST = 100  # wins, and encounters not won, from which on the interval can be trusted to be an ordinary one


@dataclass(frozen=True, slots=True)
class LuckSums:
    """The sums that the correction needs, in whole numbers."""

    known: int = 0  # sum of the known luck of all runs
    squares: int = 0
    of_won: int = 0  # the same over the runs that were won
    of_encounters: int = 0  # and over those that were encounters

    @classmethod
    def of(cls, outcomes: Outcomes) -> LuckSums:
        """Those of a batch; nothing where no account was kept."""
        known = in_whole_numbers(outcomes, FIRST)
        return cls() if known is None else cls.over(known, outcomes.outcome)

    @classmethod
    def over(cls, known: Whole, outcome: NDArray[np.integer]) -> LuckSums:
        """Those of some runs, by their luck in whole numbers and how they ended."""
        won, met = outcome == Outcome.WIN, outcome != Outcome.EMPTY
        squares = int((known * known).sum())  # of a batch, and luck of a few wins at most: far below 2**63
        return cls(int(known.sum()), squares, int(known[won].sum()), int(known[met].sum()))

    def __add__(self, other: LuckSums) -> LuckSums:
        return LuckSums(
            self.known + other.known,
            self.squares + other.squares,
            self.of_won + other.of_won,
            self.of_encounters + other.of_encounters,
        )


def in_whole_numbers(outcomes: Outcomes, first: int) -> Whole | None:
    """(runs,). The known luck of a batch in parts of a UNIT, 0 before run `first`; None where no account was kept."""
    if outcomes.known_luck is None:
        return None
    return np.rint(outcomes.known_luck * UNIT).astype(np.int64) * (outcomes.run >= first)


@dataclass(frozen=True, slots=True)
class Adjusted:
    """A win rate with the known luck taken out."""

    rate: Estimate
    gain: float  # the variance of the raw rate over that of this one: so many times as many runs would be needed


def adjusted_rate(
    won: int, encounters: int, runs: int, luck: LuckSums, confidence: float = CONFIDENCE, watched: bool = False
) -> Adjusted | None:
    """The win rate with the known luck taken out; None where none is known, or where wins or others are too rare.

    Args:
        watched: whether the interval is to be valid while watching.

    >>> adjusted_rate(640, 1000, 1000, LuckSums()) is None
    True
    """
    if luck.squares == 0 or min(won, encounters - won) < FEWEST:
        return None
    known, squares, of_won, of_encounters = (
        luck.known / UNIT, luck.squares / UNIT**2, luck.of_won / UNIT, luck.of_encounters / UNIT
    )  # fmt: skip
    value = (won - known) / encounters
    raw = won / encounters
    left = won - 2 * of_won + squares - 2 * value * (won - of_encounters) + value * value * encounters
    errors = critical_value(runs, confidence) if watched else normal_quantile(0.5 + confidence / 2)
    reach = errors * math.sqrt((left + SPARE) * runs / (runs - 1)) / encounters
    before = won - 2 * raw * won + raw * raw * encounters
    found = Estimate(value, max(0.0, value - reach), min(1.0, value + reach), encounters)
    return Adjusted(found, before / left)
