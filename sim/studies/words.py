"""Verdicts in words: what a difference means for a designer."""

from __future__ import annotations

import math

from sim.results.statistics import Estimate
from sim.studies.measures import EVERY_MEASURE, PairTally, is_share


def points(share: float, margin: float = 0.005, sign: bool = True) -> str:
    """A difference of shares in percentage points, with as many decimals as its margin deserves.

    >>> points(-0.0412, 0.005), points(0.00012, 0.0001), points(0.3, 0.03, sign=False)
    ('-4.1', '+0.01', '30')
    """
    decimals = 0 if margin >= 0.02 else 2 if 0 < margin < 0.0005 else 1
    text = f"{100 * share:{'+' if sign else ''}.{decimals}f}"
    return text.lstrip("+-") if float(text) == 0 else text


def amount(value: float, margin: float, sign: bool = True) -> str:
    """A difference of means, with as many decimals as its margin deserves."""
    decimals = 2 if not margin > 0 else min(3, max(0, math.ceil(-math.log10(margin / 0.95))))
    return f"{value:{'+' if sign else ''}.{decimals}f}"


def interval(difference: Estimate, confidence: float, measure: str = "win_rate") -> str:
    """'-4.1 points, 95 % interval -4.6 to -3.6'."""
    write = points if is_share(measure) else amount
    unit = "points" if is_share(measure) else EVERY_MEASURE[measure].unit
    margin = difference.margin
    ends = f"{write(difference.low, margin)} to {write(difference.high, margin)}"
    return f"{write(difference.value, margin)} {unit}, {100 * confidence:.3g} % interval {ends}"


def shown(estimate: Estimate, measure: str) -> str:
    """A rate or a mean with its interval: '64.2 % (63.1 to 65.3)'."""
    if is_share(measure):
        low, high = (f"{100 * end:.1f}" for end in (estimate.low, estimate.high))
        return f"{100 * estimate.value:.1f} % ({low} to {high})"
    return f"{estimate.value:.2f} ({estimate.low:.2f} to {estimate.high:.2f})"


def decided(difference: Estimate, margin: float) -> str:
    """What is known of a difference: 'more', 'less', 'same' (smaller than the margin), or '' if not enough yet."""
    if not difference.known or math.isnan(difference.low):
        return ""
    if difference.low > 0:
        return "more"
    if difference.high < 0:
        return "less"
    return "same" if difference.high <= margin and difference.low >= -margin else ""


def direction(known: str, measure: str) -> str:
    """'is harder', 'is easier', or what there is more or less of.

    >>> direction("more", "damage_taken"), direction("less", "rounds"), direction("less", "damage_dealt")
    ('is harder', 'has fewer rounds', 'has less damage dealt by the party')
    """
    about = EVERY_MEASURE[measure]
    if about.harder_if:
        return "is harder" if (known == "more") == (about.harder_if > 0) else "is easier"
    what = about.short if is_share(measure) else about.title
    return f"has {about.less if known == 'less' else known} {what}"


def verdict(name: str, pair: PairTally, difference: Estimate, margin: float, confidence: float, measure: str) -> str:
    """One sentence about a variant against the baseline."""
    if pair.unlike == 0:
        return f"{name} changes nothing: every one of {pair.runs:,} runs went exactly the same way."
    known = decided(difference, margin)
    size = interval(difference, confidence, measure)
    if known in ("more", "less"):
        small = ", but by less than " + _margin(margin, measure) if _within(difference, margin) else ""
        return f"{name} {direction(known, measure)}{small}: {size}."
    if known == "same":
        return f"{name}: no difference larger than {_margin(margin, measure)} ({size})."
    needed = runs_to_decide(difference, margin)
    more = max(0, needed - difference.n)
    return f"{name}: not decided yet ({size}); {_round(more):,} more runs would decide ±{_margin(margin, measure)}."


def runs_to_decide(difference: Estimate, margin: float) -> int:
    """How many runs would probably decide it, if the difference stays what it is.

    It is decided when the interval leaves out 0, or lies within the margin; the easier of the two is asked for.
    """
    half = (difference.high - difference.low) / 2
    enough = max(abs(difference.value), margin - abs(difference.value))
    return max(difference.n + 1, math.ceil(difference.n * (half / enough) ** 2))


def _within(difference: Estimate, margin: float) -> bool:
    return -margin <= difference.low and difference.high <= margin


def _margin(margin: float, measure: str) -> str:
    return f"{100 * margin:g} points" if is_share(measure) else f"{margin:g} {EVERY_MEASURE[measure].unit}"


def _round(runs: int) -> int:
    """Two digits are enough for an outlook: 38,412 -> 39,000."""
    if runs < 100:
        return runs
    scale = 10 ** (len(str(runs)) - 2)
    return -(-runs // scale) * scale
