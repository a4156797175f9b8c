"""How far to play: to a number of runs, or to a precision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from sim.core.outcomes import Outcome
from sim.results.statistics import next_look, precision_reached
from sim.results.summary import Summary


class Goal(Protocol):
    """Says how far to play."""

    def next(self, summary: Summary | None) -> int | None:
        """The number of runs to play up to before asking again; None when it is enough."""

    def reached(self, summary: Summary) -> bool:
        """Whether the aim is met."""


@dataclass(frozen=True, slots=True)
class Fixed:
    """A number of runs."""

    runs: int

    def next(self, summary: Summary | None) -> int | None:
        return self.runs if summary is None or summary.runs < self.runs else None

    def reached(self, summary: Summary) -> bool:
        return summary.runs >= self.runs


@dataclass(frozen=True, slots=True)
class Precision:
    """A half-width of the win rate's interval, asked for at run counts that are fixed once and for all."""

    half_width: float
    most: int

    def next(self, summary: Summary | None) -> int | None:
        if summary is None:
            return next_look(0, 0, 0, self.half_width, self.most)
        wins = summary.ended(Outcome.WIN)
        return next_look(wins, summary.encounters, summary.runs, self.half_width, self.most)

    def reached(self, summary: Summary) -> bool:
        return precision_reached(summary.ended(Outcome.WIN), summary.encounters, self.half_width)
