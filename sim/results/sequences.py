"""Confidence sequences: intervals that hold all the time, so that one may watch and stop as soon as one knows.

An ordinary 95 % interval is right in 95 % of cases at one moment chosen beforehand. Whoever looks after every thousand
runs and stops when the answer pleases will be wrong far more often. The intervals here are right at all moments
together in 95 % of cases. The price is that they are about half again as wide. Where the looks are few and fixed
beforehand it is cheaper to divide the chance of a mistake among them (`share_of_look`), and exact tests stay exact.
docs/statistics.md has the references.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from sim.results.statistics import CONFIDENCE, Estimate, adjusted_pairs, nothing

TIGHTEST = 10_000  # runs at which the sequences are as tight as they can be: where most questions are decided


def critical_value(n: int, confidence: float = CONFIDENCE) -> float:
    """What takes the place of 1.96: how many standard errors an interval reaches that is valid while watching.

    The two-sided normal mixture (Robbins 1970), for estimated variances Waudby-Smith and others (2024).

    >>> round(critical_value(2_000), 2), round(critical_value(10_000), 2), round(critical_value(1_000_000), 2)
    (3.36, 3.04, 3.56)
    """
    miss = 1 - confidence
    weight = n * (-2 * math.log(miss) + math.log(1 - 2 * math.log(miss))) / TIGHTEST
    return math.sqrt(2 * (weight + 1) / weight * math.log(math.sqrt(weight + 1) / miss))


def share_of_look(look: int, looks: int) -> float:
    """Which part of the chance of a mistake one of a few fixed looks may spend; all together they spend the whole.

    Half of it is left for the last look, which most of what is undecided reaches; the others share the other half.

    >>> [share_of_look(look, 3) for look in (1, 2, 3)], share_of_look(1, 1)
    ([0.25, 0.25, 0.5], 1.0)
    """
    if looks <= 1:
        return 1.0
    return 0.5 if look >= looks else 0.5 / (looks - 1)


def sure_at_look(look: int, looks: int, confidence: float = CONFIDENCE) -> float:
    """The confidence that an ordinary interval needs at one of a few fixed looks, so that it holds at all of them.

    >>> round(sure_at_look(1, 3), 6)
    0.9875
    """
    return 1 - (1 - confidence) * share_of_look(look, looks)


def paired_rates_sequence(gained: int, lost: int, n: int, confidence: float = CONFIDENCE) -> Estimate:
    """The difference of two rates from pairs of runs, valid while watching."""
    if n == 0:
        return nothing("no such pair of runs")
    return adjusted_pairs(gained, lost, n, critical_value(n, confidence))


def mean_sequence(n: int, total: int, squares: int, confidence: float = CONFIDENCE) -> Estimate:
    """A mean from the sum and the sum of squares of n whole numbers, valid while watching."""
    if n == 0:
        return nothing("no such run")
    value = total / n
    if n == 1:
        return Estimate(value, math.nan, math.nan, n, "one run only")
    scatter = n * squares - total * total
    if scatter == 0:
        return Estimate(value, value, value, n, "the same in every run")
    reach = critical_value(n, confidence) * math.sqrt(scatter / (n - 1)) / n
    return Estimate(value, value - reach, value + reach, n)


def rate_sequence(successes: int, n: int, confidence: float = CONFIDENCE) -> Estimate:
    """A rate, valid while watching and for every n: the rates that a mixture of all rates does not rule out.

    If p is the true rate, the likelihood of the runs under an even mixture of all rates, divided by that under p, is
    a fair game: it passes 1 / (1 - confidence) at any time with a chance of at most 1 - confidence (Ville 1939).
    """
    if n == 0:
        return nothing("no such run")
    failures = n - successes
    bar = math.lgamma(successes + 1) + math.lgamma(failures + 1) - math.lgamma(n + 2) + math.log(1 - confidence)

    def ruled_out(p: float) -> bool:
        won = successes * math.log(p) if successes else 0.0
        missed = failures * math.log1p(-p) if failures else 0.0
        return won + missed < bar

    value = successes / n
    low = 0.0 if successes == 0 else _edge(0.0, value, ruled_out)
    high = 1.0 if failures == 0 else _edge(1.0, value, ruled_out)
    return Estimate(value, low, high, n)


def _edge(outside: float, inside: float, ruled_out: Callable[[float], bool]) -> float:
    """Where the rates that are ruled out begin, between one that is and one that is not."""
    for _ in range(60):
        middle = (outside + inside) / 2
        if middle in (0.0, 1.0) or ruled_out(middle):
            outside = middle
        else:
            inside = middle
    return outside
