"""Intervals: how far a number from so many runs can be trusted.

Everything works on whole-number sums (how many wins, the sum of the rounds, the sum of their squares), so that the way
in which the runs were divided among workers cannot change a digit. docs/statistics.md explains each method in plain
words.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist

CONFIDENCE = 0.95  # of every interval that is not told otherwise
MINIMUM_RUNS = 2_000  # before a run to a precision may stop, however sure it looks
MOST_RUNS = 1_000_000  # after which a run to a precision gives up


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number from a simulation with its interval. Where there is no interval, `why` says so and the ends are NaN."""

    value: float
    low: float
    high: float
    n: int  # the runs it comes from
    why: str = ""

    @property
    def known(self) -> bool:
        """Whether there is a value at all."""
        return not math.isnan(self.value)

    @property
    def margin(self) -> float:
        """How far the farther end of the interval lies from the value."""
        return max(self.high - self.value, self.value - self.low)


def nothing(why: str, n: int = 0) -> Estimate:
    """A number that nobody can know, with the reason."""
    return Estimate(math.nan, math.nan, math.nan, n, why)


# ------------------------------------------------------------------------------------------------------------- rates


def wilson(successes: int, n: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Wilson's score interval for a rate: good from a handful of runs up, also near 0 and 1.

    >>> [round(end, 4) for end in wilson(81, 263)]
    [0.2553, 0.3662]
    """
    if n == 0:
        return 0.0, 1.0
    z = normal_quantile(0.5 + confidence / 2)
    rate = successes / n
    centre = (rate + z * z / (2 * n)) / (1 + z * z / n)
    reach = z * math.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    # The ends are 0 and 1 exactly where nothing or everything succeeded; the formula misses them by a rounding error.
    low = 0.0 if successes == 0 else max(0.0, centre - reach)
    high = 1.0 if successes == n else min(1.0, centre + reach)
    return low, high


def share_interval(successes: int, n: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """The interval of every rate in a report: Wilson's, mended where successes or failures are rare.

    With one, two or three of them Wilson's near end lies too far in, and covers a true rate of about 1 / n in 92 % of
    cases instead of 95 %. There the end is taken from the Poisson distribution instead, as Brown, Cai and DasGupta
    (2001) advise.
    """
    low, high = wilson(successes, n, confidence)
    if 1 <= successes <= 3:
        low = min(low, _rarest_mean(successes, confidence) / n)
    if 1 <= n - successes <= 3:
        high = max(high, 1 - _rarest_mean(n - successes, confidence) / n)
    return max(0.0, low), min(1.0, high)


@lru_cache(maxsize=64)
def _rarest_mean(events: int, confidence: float) -> float:
    """The mean for which a Poisson count stays below `events` with just this probability."""
    low, high = 0.0, float(events)
    for _ in range(60):
        middle = (low + high) / 2
        below = math.exp(-middle) * sum(middle**count / math.factorial(count) for count in range(events))
        low, high = (middle, high) if below > confidence else (low, middle)
    return low


def rate(successes: int, n: int, confidence: float = CONFIDENCE) -> Estimate:
    """A rate with its interval."""
    if n == 0:
        return nothing("no such run")
    low, high = share_interval(successes, n, confidence)
    return Estimate(successes / n, low, high, n)


# ------------------------------------------------------------------------------------------------------------- means


def mean(n: int, total: int, squares: int, confidence: float = CONFIDENCE) -> Estimate:
    """A mean from the sum and the sum of squares of n whole numbers, with Student's interval.

    >>> found = mean(5, 1 + 2 + 3 + 4 + 5, 1 + 4 + 9 + 16 + 25)
    >>> found.value, round(found.low, 3), round(found.high, 3)
    (3.0, 1.037, 4.963)
    """
    if n == 0:
        return nothing("no such run")
    value = total / n
    if n == 1:
        return Estimate(value, math.nan, math.nan, n, "one run only")
    scatter = n * squares - total * total  # n (n - 1) times the variance, in whole numbers: nothing cancels
    if scatter == 0:
        return Estimate(value, value, value, n, "the same in every run")
    reach = student_quantile(0.5 + confidence / 2, n - 1) * math.sqrt(scatter / (n - 1)) / n
    return Estimate(value, value - reach, value + reach, n)


def ratio(
    n: int, total: int, per: int, squares: int, per_squares: int, products: int, confidence: float = CONFIDENCE
) -> Estimate:
    """A ratio of two sums over the same n runs (hits per use), with the interval of the delta method.

    Args:
        n: runs.
        total: sum of the numerator (hits).
        per: sum of the denominator (uses).
        squares: sum of the squares of the numerator.
        per_squares: sum of the squares of the denominator.
        products: sum of numerator times denominator.
    """
    if per == 0:
        return nothing("never", n)
    value = total / per
    if n == 1:
        return Estimate(value, math.nan, math.nan, n, "one run only")
    # Sum of (numerator - value * denominator) squared, times per squared: whole numbers again.
    residual = squares * per * per - 2 * total * per * products + total * total * per_squares
    if residual == 0:
        return Estimate(value, value, value, n, "the same in every run")
    reach = student_quantile(0.5 + confidence / 2, n - 1) * math.sqrt(residual * n / (n - 1)) / (per * per)
    return Estimate(value, value - reach, value + reach, n)


# ---------------------------------------------------------------------------------------------------------- stopping


def runs_needed(successes: int, n: int, half_width: float, confidence: float = CONFIDENCE) -> int:
    """How many runs will probably do for a rate's precision, if the rate stays what it is now."""

    def enough(runs: int) -> bool:
        return rate(round(successes * runs / n), runs, confidence).margin <= half_width

    fewest, most = 1, 1
    while not enough(most):
        fewest, most = most, 2 * most
    while fewest < most:
        middle = (fewest + most) // 2
        fewest, most = (fewest, middle) if enough(middle) else (middle + 1, most)
    return most


def looks(most: int = MOST_RUNS, least: int = MINIMUM_RUNS) -> Iterator[int]:
    """The run counts at which a run to a precision may stop: 2,000, then a fifth more each time, in full thousands.

    Where a run is worth many, the first look is earlier (`least`), and the others are multiples of half of it.

    They are the same for every scenario, chunk size and number of workers: that is what keeps the result the same.

    >>> list(looks(10_000))
    [2000, 3000, 4000, 5000, 6000, 8000, 10000]
    >>> list(looks(400, 100))
    [100, 150, 200, 250, 300, 400]
    """
    runs, step = least, least // 2
    while runs < most:
        yield runs
        runs = -(-runs * 6 // (5 * step)) * step
    yield most


@dataclass(frozen=True, slots=True)
class Aim:
    """A precision to stop at, the same rule for runs and studies: look at fixed run counts, stop at a narrow interval.

    Stopping at a width is safe with ordinary intervals (Chow and Robbins 1965), as long as there is a minimum of runs.
    """

    half_width: float
    most: int = MOST_RUNS  # runs after which it is given up
    least: int = MINIMUM_RUNS  # runs before which it may not stop

    def reached(self, counted: int, estimate: Estimate) -> bool:
        """Whether it is known well enough: both ends of the interval within the half-width, after a minimum of runs.

        Near 0 and 1 the interval of a rate leans to one side, so the farther end counts, not half the width: with no
        loss in n runs the loss rate may still be 3.8 / n. The minimum guards against a lucky start in which the rare
        outcome has not shown yet.
        """
        return counted >= self.least and estimate.margin <= self.half_width

    @property
    def first_look(self) -> int:
        """How far to play before looking for the first time."""
        return next(looks(self.most, self.least))

    def next_look(
        self, runs: int, counted: int, estimate: Estimate, needed: Callable[[], float] | None = None
    ) -> int | None:
        """How far to play before looking again; None if it is known well enough, or will not be.

        Args:
            runs: played so far.
            counted: those of them that the minimum is about.
            needed: how many runs will probably do; by the square root of the runs if not told.
        """
        if runs >= self.most or not estimate.known or self.reached(counted, estimate):
            return None
        # Go on to where it will probably do: a look before that would most likely be in vain.
        enough = needed() if needed is not None else runs * (estimate.margin / self.half_width) ** 2
        return next((look for look in looks(self.most, self.least) if look > runs and look >= enough), self.most)


def next_look(successes: int, n: int, runs: int, aim: Aim) -> int | None:
    """How far to play before looking at a rate again; None if it is known well enough, or will not be.

    Args:
        successes: so far, among the n runs that count.
        runs: played so far; more than n where some do not count.
    """
    if runs == 0:
        return aim.first_look
    return aim.next_look(runs, n, rate(successes, n), lambda: runs_needed(successes, n, aim.half_width) * runs // n)


# ------------------------------------------------------------------------------------------------------- differences


def paired_rates(gained: int, lost: int, n: int, confidence: float = CONFIDENCE) -> Estimate:
    """The difference of two rates from n pairs of runs with the same luck: second minus first.

    The interval is that of Bonett and Price (2012): one is added to either kind of unlike pair, which keeps it honest
    where unlike pairs are rare; without one in n pairs the difference may still be about 2.8 / n.

    Args:
        gained: pairs in which only the second succeeded.
        lost: pairs in which only the first succeeded.

    >>> paired_rates(10, 50, 1000)
    Estimate(value=-0.04, low=-0.0551..., high=-0.0247..., n=1000, why='')
    """
    if n == 0:
        return nothing("no such pair of runs")
    return adjusted_pairs(gained, lost, n, normal_quantile(0.5 + confidence / 2))


def adjusted_pairs(gained: int, lost: int, n: int, z: float) -> Estimate:
    """The interval of Bonett and Price for a given critical value."""
    up, down = (gained + 1) / (n + 2), (lost + 1) / (n + 2)
    reach = z * math.sqrt((up + down - (up - down) ** 2) / (n + 2))
    value = (gained - lost) / n
    return Estimate(value, max(-1.0, min(value, up - down - reach)), min(1.0, max(value, up - down + reach)), n)


# --------------------------------------------------------------------------------------------------- several at once


def each_of(comparisons: int, confidence: float = CONFIDENCE) -> float:
    """The confidence that each of several intervals needs so that all of them hold together (Bonferroni).

    >>> round(each_of(5, 0.95), 6)
    0.99
    """
    return 1 - (1 - confidence) / max(1, comparisons)


def holm(p_values: Sequence[float], confidence: float = CONFIDENCE) -> list[bool]:
    """Which of several findings stand, so that all of them are right with this confidence (Holm 1979).

    >>> holm([0.001, 0.04, 0.02])
    [True, True, True]
    """
    stand = [False] * len(p_values)
    order = sorted(range(len(p_values)), key=lambda place: p_values[place])
    for rank, place in enumerate(order):
        if p_values[place] > (1 - confidence) / (len(p_values) - rank):
            break
        stand[place] = True
    return stand


def sign_test(gained: int, lost: int) -> float:
    """How likely unlike pairs lean to one side at least this far if nothing has changed (McNemar, exact or normal)."""
    unlike = gained + lost
    if unlike == 0:
        return 1.0
    if unlike <= 1_000:
        from scipy.special import bdtr

        return min(1.0, 2 * float(bdtr(min(gained, lost), unlike, 0.5)))
    z = (abs(gained - lost) - 1) / math.sqrt(unlike)
    return min(1.0, math.erfc(max(0.0, z) / math.sqrt(2)))


# --------------------------------------------------------------------------------------------------- order statistics


def quantile(values: Sequence[int], counts: Sequence[int], share: float, confidence: float = CONFIDENCE) -> Estimate:
    """The value below which a share of the runs lies, with the interval that the ranks give, whatever the shape.

    Args:
        values: those that occurred, ascending.
        counts: how often each did.

    >>> quantile([1, 2, 3], [40, 50, 10], 0.5)
    Estimate(value=2, low=1, high=2, n=100, why='')
    """
    n = sum(counts)
    if n == 0:
        return nothing("no such run")
    reach = normal_quantile(0.5 + confidence / 2) * math.sqrt(n * share * (1 - share))

    def at(rank: int) -> int:
        so_far = 0
        for value, count in zip(values, counts, strict=True):
            so_far += count
            if so_far >= rank:
                return value
        return values[-1]

    middle = max(1, math.ceil(n * share))
    low, high = math.floor(n * share - reach), math.ceil(n * share + reach) + 1
    return Estimate(at(middle), at(max(1, low)), at(min(n, high)), n)


# --------------------------------------------------------------------------------------------------------- quantiles


@lru_cache(maxsize=64)
def normal_quantile(share: float) -> float:
    """The point below which the standard normal distribution has this share."""
    return NormalDist().inv_cdf(share)


@lru_cache(maxsize=4096)
def student_quantile(share: float, freedom: int) -> float:
    """The point below which Student's distribution has this share.

    From 10 degrees of freedom up by the expansion of Cornish and Fisher in the normal quantile (off by less than
    0.00001 at 97.5 %), so that the everyday case does not wait for SciPy to load.
    """
    if freedom < 10:
        from scipy.special import stdtrit

        return float(stdtrit(freedom, share))
    z = normal_quantile(share)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92_160,
    )
    correction: float = sum(term / float(freedom) ** power for power, term in enumerate(terms, start=1))
    return z + correction


def student_chance(t: float, freedom: int) -> float:
    """How likely it is to be at least so far from 0, on either side, under Student's distribution.

    >>> round(student_chance(2.262, 9), 3)
    0.05
    """
    from scipy.special import stdtr

    return float(2 * stdtr(freedom, -abs(t)))
