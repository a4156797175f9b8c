"""Measures of the course of a fight: how much is decided when, whose luck it hangs on, and how it feels.

`fairfight why` tells them all of one fight; here each is a measure by itself, for questions that set fights against
each other, turn knobs or hold claims. Every run yields a few whole numbers (`course_numbers.py`), and a measure is a
formula of their means. So sums of the numbers and of their products are all that is kept; intervals follow by the delta
method, and differences of two fights on the same runs from the products across them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sim.core.branch import AGAIN
from sim.core.lanes import Whole
from sim.results.sequences import critical_value, rate_sequence
from sim.results.statistics import CONFIDENCE, Estimate, normal_quantile, nothing, rate, student_quantile
from sim.studies.feel import COMEBACK, EXCITEMENT, LEADS, PARTS, TAIL, Sums
from sim.studies.shares import EVER_THE_SAME, share_from, within

Kind = Literal["decided", "luck", "ends", "curve"]
Numbers = NDArray[np.float64]

FEWEST_CURVES = 100  # runs along which the chance is followed before a question may stop
MOST_CURVES = 4_000  # after which it gives up: each costs as much as hundreds of plain runs
CURVE_POINTS = 4.0  # percentage points to which a share along curves is known if nobody says otherwise
CURVE_PART = 0.05  # of its value: the same for what is counted per fight
ROUNDS_DECIDED = range(6)  # after which of them it can be asked how much is decided; 0 for before the first


@dataclass(frozen=True, slots=True)
class CourseMeasure:
    """What a measure of the course is made of.

    | kind    | a run yields                                                                                 |
    |---------|----------------------------------------------------------------------------------------------|
    | decided | with y, y' won or not, own luck and fresh luck from a round on: y y', y + y', 1 if it counts   |
    | luck    | the same, y' with other luck where a side asks                                               |
    | ends    | health left to the winner in parts, 1 if somebody won                                        |
    | curve   | the measure, what it is a share of, both from halves of the continuations added up, rounds     |
    """

    name: str
    kind: Kind
    end: int = 0  # the last round of the run's own luck
    side: str = ""  # whose luck is another one

    @property
    def numbers(self) -> int:
        """How many whole numbers a run yields."""
        return {"decided": 3, "luck": 3, "ends": 2, "curve": 4}[self.kind]

    @property
    def playings(self) -> int:
        """How many encounters are played for a run, continuations not counted."""
        return 2 if self.kind in ("decided", "luck") else 1

    @property
    def is_share(self) -> bool:
        """Whether it is made of pairs that share some of their luck."""
        return self.kind in ("decided", "luck")


COURSE = {
    one.name: one
    for one in (
        CourseMeasure("decided_before_round_1", "decided"),
        *(CourseMeasure(f"decided_after_round_{end}", "decided", end) for end in ROUNDS_DECIDED if end),
        CourseMeasure("luck_of_party", "luck", side="party"),
        CourseMeasure("luck_of_enemies", "luck", side="enemy"),
        CourseMeasure("luck_of_table", "luck", side="table"),
        CourseMeasure("closeness", "ends"),
        *(CourseMeasure(name, "curve") for name in (COMEBACK, TAIL, EXCITEMENT, LEADS)),
    )
}


def asked(measure: str) -> str:
    """The measure, if a fight must be played in another way for it; nothing for a plain one."""
    return measure if measure in COURSE else ""


def follows_curves(measure: str) -> bool:
    """Whether the chance of winning is followed for it, which costs hundreds of encounters a run."""
    return measure in COURSE and COURSE[measure].kind == "curve"


# ------------------------------------------------------------------------------------------------------------- the sums


@dataclass(frozen=True, slots=True)
class Moments(Sums):
    """Sums of the numbers that runs yield, and of the products of any two of them."""

    runs: int
    totals: tuple[int, ...]
    products: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, numbers: Whole) -> Moments:
        """The sums of a stretch of runs: (numbers, runs)."""
        products = numbers @ numbers.T
        return cls(
            numbers.shape[1],
            tuple(int(total) for total in numbers.sum(axis=1)),
            tuple(tuple(int(product) for product in row) for row in products),
        )

    def can_be_of(self, runs: int, numbers: int) -> bool:
        """Whether these can be the sums of so many numbers of so many runs; asked of what comes from a file."""
        shape = isinstance(self.totals, tuple) and isinstance(self.products, tuple)
        if not shape or not all(isinstance(row, tuple) for row in self.products):
            return False
        lengths = {len(self.totals), len(self.products), *map(len, self.products)}
        return self.are_numbers() and self.runs == runs and lengths == {numbers}

    def scatter(self, slope: Numbers) -> float:
        """The sum of the squares of what every run adds to a measure, by the slope of the measure in the means."""
        means = np.array(self.totals, dtype=np.float64) / self.runs
        around = np.array(self.products, dtype=np.float64) / self.runs - np.outer(means, means)
        return max(0.0, float(slope @ around @ slope)) * self.runs**2 / (self.runs - 1)


def estimate(measure: str, found: Moments, confidence: float = CONFIDENCE, watched: bool = False) -> Estimate:
    """A measure with its interval; `watched` makes it valid while watching."""
    about = COURSE[measure]
    if about.is_share:
        both, won, counted = found.totals
        unlike = (won - 2 * both) / 2
        known = share_from((both, unlike, unlike, counted - both - 2 * unlike), confidence, watched)
        return known if about.kind == "decided" else _rest(known)
    total, per = found.totals[:2]
    if per == 0:
        return nothing("no such run", found.runs)
    if measure == COMEBACK:  # happens in a fight or does not
        return (rate_sequence if watched else rate)(total, per, confidence)
    value, slope = _formula(about, found.totals, found.runs)
    if found.runs == 1:
        return Estimate(value, math.nan, math.nan, 1, "one run only")
    reach = _reach(found.runs, confidence, watched, small=True) * math.sqrt(found.scatter(slope)) / found.runs
    known = Estimate(value, value - reach, value + reach, found.runs)
    return within(known, 0.0, math.inf if measure in (EXCITEMENT, LEADS) else 1.0)


def difference(measure: str, found: Moments, confidence: float = CONFIDENCE, watched: bool = False) -> Estimate:
    """Second minus first of two fights on the same runs; `found` has the numbers of the first before the second's."""
    about, n = COURSE[measure], found.runs
    formulas = _formulas(about, found)
    if formulas is None:
        return nothing(EVER_THE_SAME if about.is_share else "no such run", n)
    if n == 1:
        return nothing("one run only", n)
    (old, old_slope), (new, new_slope) = formulas
    scatter = found.scatter(np.concatenate((-old_slope, new_slope)))
    if about.is_share and scatter > 0:
        scatter += 2 * max(abs(slope[0]) for slope in (old_slope, new_slope)) ** 2  # as two unlike pairs more
    reach = _reach(n, confidence, watched) * math.sqrt(scatter) / n
    return Estimate(new - old, new - old - reach, new - old + reach, n, "" if reach else "the same in every run")


def sharpening(measure: str, found: Moments) -> float:
    """How many times the variance of the difference would be larger with independent luck; NaN if unknown."""
    formulas = _formulas(COURSE[measure], found)
    if formulas is None or found.runs == 1:
        return math.nan
    (_, old), (_, new) = formulas
    shared = found.scatter(np.concatenate((-old, new)))
    apart = found.scatter(np.concatenate((old, 0 * new))) + found.scatter(np.concatenate((0 * old, new)))
    return apart / shared if shared > 1e-9 * apart else math.nan


def _formulas(about: CourseMeasure, found: Moments) -> list[tuple[float, Numbers]] | None:
    """The measure of both fights and its slopes; None where one of them has none."""
    half = about.numbers
    sums = found.totals[:half], found.totals[half:]
    for one in sums:
        per = one[2] if about.is_share else one[1]
        if per == 0 or (about.is_share and one[1] in (0, 2 * per)):
            return None
    return [_formula(about, one, found.runs) for one in sums]


def _formula(about: CourseMeasure, totals: tuple[int, ...], runs: int) -> tuple[float, Numbers]:
    """The measure from sums, and how it changes with the mean of every number."""
    means = [total / runs for total in totals]
    slope = np.zeros(about.numbers)
    if not about.is_share:
        scale = {"closeness": PARTS, EXCITEMENT: AGAIN}.get(about.name, 1)
        value = means[0] / means[1]
        slope[:2] = 1 / means[1], -value / means[1]
        return value / scale, slope / scale
    both, won, counted = means
    p, alike = won / (2 * counted), both / counted
    spread = p * (1 - p)
    value = (alike - p * p) / spread
    by_p = (-2 * p - value * (1 - 2 * p)) / spread
    slope[:] = 1 / (counted * spread), by_p / (2 * counted), -(alike / spread + by_p * p) / counted
    return (value, slope) if about.kind == "decided" else (1 - value, -slope)


def _rest(share: Estimate) -> Estimate:
    """1 minus a share: what the draws that are not shared have a part in."""
    return Estimate(1 - share.value, 1 - share.high, 1 - share.low, share.n, share.why)


def _reach(n: int, confidence: float, watched: bool, small: bool = False) -> float:
    """How many standard errors an interval reaches."""
    if watched:
        return critical_value(n, confidence)
    share = 0.5 + confidence / 2
    return student_quantile(share, n - 1) if small else normal_quantile(share)


def bias(measure: str, found: Moments) -> float:
    """What a measure along curves shows too much for want of continuations: about the most. See `feel.CurveTally`."""
    total, per, halves, _ = found.totals
    if not per:
        return math.nan
    return (halves / 2 - total) / per / (AGAIN if measure == EXCITEMENT else 1) / (math.sqrt(2) - 1)
