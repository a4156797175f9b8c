"""What share of a fight a set of draws decides, from pairs of runs that share just these draws.

With y and y' the two outcomes (1 won, 0 not), p the win rate and C the covariance of y and y', the share is

    S = C / (p (1 - p))

the first-order index of Sobol for the shared draws. In pairs that share nothing it is 0, in pairs that share everything
it is 1. Four counts say it all: pairs in which both won, only the first, only the second, neither.
"""

from __future__ import annotations

import math
from typing import Protocol

from sim.results.sequences import critical_value
from sim.results.statistics import CONFIDENCE, Estimate, normal_quantile, nothing

Cells = tuple[float, float, float, float]  # pairs: both won, only the first, only the second, neither

EVER_THE_SAME = "every fight ended the same way"


class Pairs(Protocol):
    """Pairs of runs, counted by who won."""

    @property
    def cells(self) -> tuple[int, int, int, int]:
        """Both won, only the first, only the second, neither."""


def share(pair: Pairs, confidence: float = CONFIDENCE) -> Estimate:
    """The share that the draws which a pair has in common decide alone."""
    return share_from(pair.cells, confidence)


def total_share(pair: Pairs, confidence: float = CONFIDENCE) -> Estimate:
    """The share in which the draws that a pair does *not* have in common have a part: 1 minus the share of the rest."""
    rest = share(pair, confidence)
    return Estimate(1 - rest.value, 1 - rest.high, 1 - rest.low, rest.n, rest.why)


def share_from(cells: Cells, confidence: float = CONFIDENCE, watched: bool = False) -> Estimate:
    """The share from the four counts; `watched` makes its interval valid while watching.

    The interval is that of the products (y - p)(y' - p), with what p and p (1 - p) owe to the same runs taken into
    account (the delta method), from counts to each of which a half is added: so it stays honest where unlike pairs, or
    wins, are rare. A share lies between 0 and 1, and chance does not lead it out.

    >>> round(share_from((40, 10, 10, 40)).value, 6)
    0.6
    >>> share_from((50, 0, 0, 50)).value
    1.0
    """
    both, one, other, neither = cells
    n = round(sum(cells))
    if n == 0:
        return nothing("no such run")
    if 2 * both + one + other in (0, 2 * n):
        return nothing(EVER_THE_SAME, n)
    value, _ = _share((both, one, other, neither))
    centre, error = _share((both + 0.5, one + 0.5, other + 0.5, neither + 0.5))
    reach = (critical_value(n, confidence) if watched else normal_quantile(0.5 + confidence / 2)) * error
    return within(Estimate(value, min(value, centre - reach), max(value, centre + reach), n), 0.0, 1.0)


def within(estimate: Estimate, least: float, most: float) -> Estimate:
    """An estimate of something that cannot lie outside: neither does it, whatever chance says."""
    value, low, high = (min(max(end, least), most) for end in (estimate.value, estimate.low, estimate.high))
    return Estimate(value, low, high, estimate.n, estimate.why)


def _share(cells: Cells) -> tuple[float, float]:
    """The share and its standard error."""
    n = sum(cells)
    p = (2 * cells[0] + cells[1] + cells[2]) / (2 * n)
    spread = p * (1 - p)
    value = (cells[0] / n - p * p) / spread
    scatter = 0.0
    for count, y, z in zip(cells, (1, 1, 0, 0), (1, 0, 1, 0), strict=True):
        product = (y - p) * (z - p) - value * spread
        influence = (product - value * (1 - 2 * p) * ((y + z) / 2 - p)) / spread
        scatter += count * influence**2
    return value, math.sqrt(scatter) / n
