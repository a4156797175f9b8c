"""Many fights, each played until it is known well enough, all in one pool of work."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from sim.core.branch import AGAIN
from sim.results.statistics import CONFIDENCE, MOST_RUNS, Aim, looks
from sim.scenario import Scenario
from sim.studies.cards import Card, Fight
from sim.studies.course import (
    CURVE_PART,
    CURVE_POINTS,
    FEWEST_CURVES,
    MOST_CURVES,
    asked,
    bias,
    follows_curves,
)
from sim.studies.known_luck import LIKELY_GAIN
from sim.studies.measures import ACCOUNT_FROM, EVERY_MEASURE, Tally, is_share
from sim.studies.pool import Pool


def scale_of(measure: str) -> int:
    """What a precision is given in: percentage points for rates, units of the measure otherwise."""
    return 100 if is_share(measure) else 1


def aim_for(measure: str, half_width: float, most: int = MOST_RUNS) -> Aim:
    """When a fight is known well enough: along curves after fewer runs, each of which is worth hundreds."""
    if follows_curves(measure):
        return Aim(half_width, min(most, MOST_CURVES), FEWEST_CURVES)
    return Aim(half_width, most)


def looks_for(measure: str, most: int = MOST_RUNS) -> Iterator[int]:
    """The run counts at which somebody who watches may stop."""
    aim = aim_for(measure, 0.0, most)
    return looks(aim.most, aim.least)


def usual_precision(measure: str, value: float | None = None) -> float:
    """What a measure is known to if nobody says otherwise, as people give it; by its value if that is known."""
    if follows_curves(measure):
        return CURVE_POINTS if is_share(measure) else CURVE_PART * (1.0 if value is None else max(0.2, abs(value)))
    return 1.0 if is_share(measure) or value is None else max(0.01, abs(value) / 100)


def remarks_on(measure: str, tallies: Iterable[Tally]) -> list[str]:
    """What a reader of a measure along curves must know: what it owes to the finite number of continuations."""
    if not follows_curves(measure):
        return []
    excess = [bias(measure, tally.course) for tally in tallies if tally.course is not None]
    most = max((one for one in excess if not math.isnan(one)), default=math.nan, key=abs)
    if math.isnan(most):
        return []
    shown = f"{100 * most:.1f} points" if is_share(measure) else f"{most:.2f}"
    about = EVERY_MEASURE[measure].title
    return [f"The chance was followed by {AGAIN} continuations a round, which owes the {about} up to about {shown}."]


def next_runs(
    tally: Tally | None, measure: str, aim: Aim, confidence: float = CONFIDENCE, account: bool = False
) -> int | None:
    """How far to play before looking again; None if the measure is known well enough, or will not be.

    Args:
        account: whether account is kept of the luck; when it is about to begin, fewer runs will probably do.
    """
    if tally is None:
        return aim.first_look
    if account and tally.runs <= ACCOUNT_FROM:
        found = tally.estimate(measure, confidence)
        plain = tally.runs * (found.margin / aim.half_width) ** 2
        return aim.next_look(tally.runs, tally.runs, found, lambda: plain / LIKELY_GAIN)
    return aim.next_look(tally.runs, tally.runs, tally.sharpest(measure, confidence))


@dataclass(slots=True)
class Points:
    """Fights and what is known of each."""

    pool: Pool
    measure: str = "win_rate"
    confidence: float = CONFIDENCE
    known: dict[Fight, Tally] = field(default_factory=dict)

    def fight(self, scenario: Scenario, seed: int, pilot: Scenario | None = None) -> Fight:
        """A scenario with the luck of a seed, played for the measure; with a pilot account is kept of the luck."""
        return Fight(scenario, seed, asked=asked(self.measure), pilot=pilot)

    def play(self, fights: Iterable[Fight], runs: int) -> None:
        """Exactly so many runs of each."""
        self._go([(fight, runs) for fight in dict.fromkeys(fights)])

    def play_until(self, fights: Iterable[Fight], half_width: float, most: int = MOST_RUNS) -> None:
        """Each until its interval is as narrow as this."""
        waiting = list(dict.fromkeys(fights))
        aim = aim_for(self.measure, half_width, most)
        while waiting and self.pool.stopped is None:
            targets = [
                (fight, next_runs(self.known.get(fight), self.measure, aim, self.confidence, fight.pilot is not None))
                for fight in waiting
            ]
            going = [(fight, target) for fight, target in targets if target is not None]
            self._go(going)
            waiting = [fight for fight, _ in going]

    def _go(self, targets: list[tuple[Fight, int]]) -> None:
        spans = []
        for fight, target in targets:
            done = self.known[fight].runs if fight in self.known else 0
            if target > done:
                spans.append((Card((fight,)), done, target))
        for (card, _, _), score in zip(spans, self.pool.play_spans(spans), strict=True):
            fight = card.fights[0]
            before = self.known.get(fight)
            self.known[fight] = score.fights[0] if before is None else before + score.fights[0]
