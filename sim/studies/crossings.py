"""Where a curve of estimates passes a value: the place between the points, with its interval."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from sim.results.statistics import Estimate


@dataclass(frozen=True, slots=True)
class Crossing:
    """A place at which a curve passes a line."""

    line: float
    at: Estimate
    rising: bool
    between: tuple[float, float]  # the neighbouring points


def place(at: Estimate) -> str:
    """A place on a knob: '6.9 [6.8, 7.0]'."""
    decimals = min(4, max(0, math.ceil(-math.log10(at.margin)) + 1)) if at.margin > 0 else 2
    if math.isnan(at.low):
        return f"{at.value:.2f} ({at.why})"
    return f"{at.value:.{decimals}f} [{at.low:.{decimals}f}, {at.high:.{decimals}f}]"


def crossings(curve: Sequence[tuple[float, Estimate]], line: float) -> list[Crossing]:
    """Every place where the straight lines between the points pass the value, in the order of the curve.

    The interval comes from the two points beside it: their errors, carried over to the place by the slope (the delta
    method). It cannot tell of bends between the points.
    """
    found = []
    known = [(x, estimate) for x, estimate in curve if estimate.known]
    for (left, low), (right, high) in pairwise(known):
        before, after = low.value - line, high.value - line
        if before * after > 0 or before == after:
            continue
        if after == 0 and right != known[-1][0]:
            continue  # it will be found as the left end of the next piece
        share = before / (before - after)
        slope = (high.value - low.value) / (right - left)
        error = math.hypot((1 - share) * low.margin, share * high.margin)
        x, reach = left + share * (right - left), abs(error / slope)
        why = "" if math.isfinite(reach) else "the points beside it have no interval"
        ends = (x - reach, x + reach) if math.isfinite(reach) else (math.nan, math.nan)
        found.append(Crossing(line, Estimate(x, *ends, min(low.n, high.n), why), slope > 0, (left, right)))
    return found
