"""Who leads a race and who is settled: variants ranked by how far they move a measure from the fight as it is.

The first few places are sought. Whoever surely has none of them is clearly small; whose place and size are known is
decided; who changes no fight at all has no effect. All of it holds for all variants and all looks together with the
confidence of the study: half of the chance of a mistake is for intervals whose lower end puts a variant too far ahead
(any of them can be the one), half for those whose upper end puts one of the first few too far back.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from sim.results.statistics import Estimate, each_of, rate
from sim.scenario.wording import readable
from sim.studies.measures import RATES, PairTally
from sim.studies.points import scale_of
from sim.studies.race import Judge, Race
from sim.studies.words import amount, points

LEADERS = 5  # places that are sought
NO_EFFECT = "no effect"
NO_EFFECT_AFTER = 1_024  # runs without any difference, before which nobody is called without effect
WELL_KNOWN = 0.25  # of its size: how far the ends of the interval of a variant may lie from it when it is decided
RARE = 30  # unlike pairs below which the bound of a difference comes from their exact number

CLEARLY_SMALL = "clearly small"
DECIDED = "decided"
CLEARLY_LOW = "clearly low"
CLEARLY_HIGH = "clearly high"


def no_effect_in(runs: int) -> str:
    """Why a variant that changes nothing was played no further."""
    return f"{NO_EFFECT} in {runs:,} runs"


@dataclass(frozen=True, slots=True)
class Size:
    """How far a variant moves the measure either way: at least, and at most."""

    low: float  # holds for all variants together
    high: float  # holds for all variants together
    high_of_leaders: float  # holds for the first few together, whoever they are


@dataclass(frozen=True, slots=True)
class Ranking:
    """What a race is about: variants of a fight against the fight as it is."""

    measure: str
    confidence: float  # of everything that is said, all together
    groups: Sequence[Sequence[int]]  # fights that are ranked among each other

    def settled(self, race: Race) -> dict[int, str]:
        """Who of those still in the race has shown enough, and what."""
        found: dict[int, str] = {}
        for group in self.groups:
            sizes = {at: self.size(race, at) for at in group}
            lows = sorted((size.low for size in sizes.values()), reverse=True)
            bar = lows[LEADERS - 1] if len(lows) > LEADERS else 0.0  # so far at least go the first few
            for at in group:
                if at not in race.active:
                    continue
                pair = race.scores[0, at]
                if not pair.unlike and (pair.runs >= NO_EFFECT_AFTER or sizes[at].high_of_leaders < bar):
                    found[at] = no_effect_in(pair.runs)
                elif sizes[at].high_of_leaders < bar:
                    found[at] = CLEARLY_SMALL
                elif self._well_known(race, at) and _alone(at, sizes):
                    found[at] = DECIDED
        return found

    def line(self, race: Race) -> str:
        """Who leads so far, for whoever watches."""
        known = {at: self._difference(race, at) for group in self.groups for at in group}
        ranked = sorted((at for at in known if known[at].known), key=lambda at: -abs(known[at].value))
        leaders = ", ".join(f"{readable(race.names[at])} {self._said(known[at])}" for at in ranked[:LEADERS])
        settled = f"{len(race.until)} of {len(known)} are settled" if race.until else f"none of {len(known)} is settled"
        return f"After {race.done:,} runs: {leaders}; {settled}."

    def _said(self, difference: Estimate) -> str:
        write = points if scale_of(self.measure) == 100 else amount
        return f"{write(difference.value, difference.margin)} ± {write(difference.margin, difference.margin, False)}"

    def _difference(self, race: Race, at: int) -> Estimate:
        return race.scores[0, at].difference(self.measure, race.sure_of(at, self.confidence))

    def _well_known(self, race: Race, at: int) -> bool:
        """Whether the size of a variant is known well enough to stand in a table."""
        difference = self._difference(race, at)
        return difference.known and difference.margin <= WELL_KNOWN * abs(difference.value)

    def ranked(self, race: Race) -> list[int]:
        """All that are ranked, those that move the measure farthest first; last those of which nothing is known."""
        known = {at: race.scores[0, at].difference(self.measure) for group in self.groups for at in group}
        return sorted(known, key=lambda at: -abs(known[at].value) if known[at].known else 1.0)

    def size(self, race: Race, at: int) -> Size:
        """How far a variant moves the measure, by intervals that hold at all looks."""
        pair = race.scores[0, at]
        half = 1 - (1 - self.confidence) / 2 * race.share_of(at)
        of_all, of_leaders = each_of(len(race.pairs), half), each_of(LEADERS, half)
        wide = pair.difference(self.measure, of_all)
        if not wide.known or math.isnan(wide.low):
            return Size(0.0, math.inf, math.inf)
        low = max(0.0, wide.low, -wide.high)
        return Size(low, _at_most(pair, self.measure, of_all), _at_most(pair, self.measure, of_leaders))


def _at_most(pair: PairTally, measure: str, confidence: float) -> float:
    """How far a variant moves the measure at most.

    Where hardly any pair is unlike, by the exact interval of their share: a rate cannot move farther than that. A mean
    that no run has moved may be moved by the next one, so nothing is said of it before it was played for a while.
    """
    if measure in RATES and pair.same_encounters:
        unlike = pair.gained(RATES[measure]) + pair.lost(RATES[measure])
        if unlike < RARE:
            from scipy.special import betaincinv

            return float(betaincinv(unlike + 1, pair.pairs - unlike, confidence)) if unlike < pair.pairs else 1.0
    found = pair.difference(measure, 2 * confidence - 1)  # one end of it counts
    if found.low == found.high and pair.runs < NO_EFFECT_AFTER:
        return math.inf
    return max(abs(found.low), abs(found.high))


def _alone(at: int, sizes: dict[int, Size]) -> bool:
    """Whether the place of a variant is known: everybody else surely moves the measure farther, or less far."""
    own = sizes[at]
    others = (size for other, size in sizes.items() if other != at)
    return all(size.low > own.high or size.high < own.low for size in others)


def clear_rates(measure: str, confidence: float, runs: int) -> Judge:
    """For fights that stand each for itself: settled where a rate is known as well as an even one is after all runs.

    Fights that are nearly always won, or lost, need far fewer runs for that. It stops where an interval is short, so
    the ordinary intervals keep their promise.
    """
    enough = rate(runs // 2, runs, confidence).margin

    def settled(race: Race) -> dict[int, str]:
        found: dict[int, str] = {}
        for at in race.active:
            known = race.tallies[at].estimate(measure, race.sure_of(at, confidence))
            if known.known and known.margin <= enough:
                found[at] = CLEARLY_HIGH if known.value > 0.5 else CLEARLY_LOW
        return found

    return settled
