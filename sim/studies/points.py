"""Many fights, each played until it is known well enough, all in one pool of work."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from sim.results.statistics import CONFIDENCE, MINIMUM_RUNS, MOST_RUNS, looks
from sim.studies.measures import MEASURES, Tally
from sim.studies.pool import Card, Fight, Pool


def scale_of(measure: str) -> int:
    """What a precision is given in: percentage points for rates, units of the measure otherwise."""
    return 100 if MEASURES[measure].unit == "share" else 1


def next_runs(
    tally: Tally | None, measure: str, half_width: float, most: int = MOST_RUNS, confidence: float = CONFIDENCE
) -> int | None:
    """How far to play before looking again; None if the measure is known well enough, or will not be.

    Stopping at a width is safe with ordinary intervals (Chow and Robbins 1965), as long as there is a minimum of runs.
    """
    if tally is None:
        return next(looks(most))
    runs, estimate = tally.runs, tally.estimate(measure, confidence)
    if runs >= most or not estimate.known or (runs >= MINIMUM_RUNS and estimate.margin <= half_width):
        return None
    needed = runs * (estimate.margin / half_width) ** 2
    return next((look for look in looks(most) if look > runs and look >= needed), most)


@dataclass(slots=True)
class Points:
    """Fights and what is known of each."""

    pool: Pool
    measure: str = "win_rate"
    confidence: float = CONFIDENCE
    known: dict[Fight, Tally] = field(default_factory=dict)

    def play(self, fights: Iterable[Fight], runs: int) -> None:
        """Exactly so many runs of each."""
        self._go([(fight, runs) for fight in dict.fromkeys(fights)])

    def play_until(self, fights: Iterable[Fight], half_width: float, most: int = MOST_RUNS) -> None:
        """Each until its interval is as narrow as this."""
        waiting = list(dict.fromkeys(fights))
        while waiting:
            targets = [
                (fight, next_runs(self.known.get(fight), self.measure, half_width, most, self.confidence))
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
