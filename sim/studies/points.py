"""Many fights, each played until it is known well enough, all in one pool of work."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from sim.results.statistics import CONFIDENCE, MOST_RUNS, Aim
from sim.studies.cards import Card, Fight
from sim.studies.measures import MEASURES, Tally
from sim.studies.pool import Pool


def scale_of(measure: str) -> int:
    """What a precision is given in: percentage points for rates, units of the measure otherwise."""
    return 100 if MEASURES[measure].unit == "share" else 1


def next_runs(tally: Tally | None, measure: str, aim: Aim, confidence: float = CONFIDENCE) -> int | None:
    """How far to play before looking again; None if the measure is known well enough, or will not be."""
    if tally is None:
        return aim.first_look
    return aim.next_look(tally.runs, tally.runs, tally.estimate(measure, confidence))


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
        aim = Aim(half_width, most)
        while waiting and self.pool.stopped is None:
            targets = [
                (fight, next_runs(self.known.get(fight), self.measure, aim, self.confidence)) for fight in waiting
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
