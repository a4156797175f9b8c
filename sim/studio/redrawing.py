"""The figures of the report while a fight is being played: drawn again and again, but for a small part of the time.

A set of figures takes a worker about as long as some thousand fights. So it is drawn again only when twice as many runs
are known, and not before the playing has had several times as long as the last drawing took.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from dataclasses import dataclass, field

from sim.errors import SimError
from sim.report.svg import Drawing
from sim.scenario import Scenario
from sim.studio.crew import SOON, Crew
from sim.studio.figures import result_of
from sim.studio.playing import Watcher, Watching
from sim.studio.tasks import Drawings

FEWEST_RUNS = 500  # of which figures are worth drawing: bars come and go with fewer
MORE = 2  # times as many runs as the last figures had
PAUSE = 4.0  # times as long as a drawing took nothing is drawn: at most a fifth of one worker's time


@dataclass(slots=True)
class Redrawing:
    """The figures of one fight for one page."""

    crew: Crew
    watching: Watching
    scenario: Scenario
    watcher: Watcher
    still: bool = False  # whoever wants no motion sees the figures when the fight rests
    runs: int = 0  # that the last figures are made of
    drawn: list[Drawing] | None = None  # figures that nobody has seen yet
    _not_before: float = 0.0
    _drawing: asyncio.Task[None] | None = field(default=None)

    def go_on(self) -> None:
        """Have figures drawn, if there is enough news for that."""
        if self.still or self._drawing is not None or time.monotonic() < self._not_before:
            return
        if self._played >= max(FEWEST_RUNS, MORE * self.runs):
            self._drawing = asyncio.create_task(self._draw())

    def take(self) -> list[Drawing] | None:
        """Figures that nobody has seen yet."""
        drawn, self.drawn = self.drawn, None
        return drawn

    async def last(self) -> list[Drawing] | None:
        """The figures of the fight at rest; None if they are shown already, or if there are none."""
        if self._drawing is not None:
            with suppress(SimError):
                await self._drawing
        if self.runs < self._played:
            await self._draw()
        return self.take()

    def stop(self) -> None:
        """Nobody looks any more."""
        if self._drawing is not None:
            self._drawing.cancel()
            self._drawing = None

    @property
    def _played(self) -> int:
        """The runs that figures can be made of."""
        summary = self.watching.summary
        return self.watching.runs if summary is not None and summary.encounters and not self.watching.problem else 0

    async def _draw(self) -> None:
        runs, began = self.watching.runs, time.monotonic()
        try:
            with suppress(SimError):
                self.drawn = await self.crew.do(Drawings(result_of(self.watching, self.scenario)), SOON)
                self.runs = runs
        finally:
            now = time.monotonic()
            self._not_before, self._drawing = now + PAUSE * (now - began), None
            self.watcher.news.set()
