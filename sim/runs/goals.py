"""How far to play: to a number of runs, or to a precision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from sim.core.outcomes import Outcome
from sim.results.statistics import Aim, next_look, rate
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
    """A half-width of the win rate's interval, asked for at run counts that are fixed once and for all.

    Of the rate with the known luck taken out, where there is one: it is known sooner.
    """

    half_width: float
    most: int

    def next(self, summary: Summary | None) -> int | None:
        if summary is None:
            return self._aim.first_look
        if (adjusted := summary.adjusted) is not None:
            return self._aim.next_look(summary.runs, summary.encounters, adjusted.rate)
        return next_look(summary.ended(Outcome.WIN), summary.encounters, summary.runs, self._aim)

    def reached(self, summary: Summary) -> bool:
        adjusted = summary.adjusted
        found = rate(summary.ended(Outcome.WIN), summary.encounters) if adjusted is None else adjusted.rate
        return self._aim.reached(summary.encounters, found)

    @property
    def _aim(self) -> Aim:
        return Aim(self.half_width, self.most)
