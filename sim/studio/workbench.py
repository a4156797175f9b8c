"""What all pages share: one folder, one crew, the questions, and what was watched lately."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field

from sim.errors import SimError
from sim.results.result import Result
from sim.scenario import Scenario
from sim.studio.address import Address
from sim.studio.crew import Crew
from sim.studio.fights import OpenFight, open_fight
from sim.studio.figures import result_of
from sim.studio.folder import Folder
from sim.studio.playing import Comparing, Memory, Watcher, Watching
from sim.studio.queue import Queue

OFTEN = 0.2  # seconds between two pieces of news on a page
AT_FIRST = 0.05  # seconds after the very first runs: in most fights enough for thousands, so that no number flickers
SLOW = 0.1  # seconds for the very first run, after which that moment would bring no second one
QUIET = 15.0  # seconds of silence after which a stream says that it is still there


@dataclass(slots=True)
class Workbench:
    """Everything that is not on a page."""

    folder: Folder
    crew: Crew = field(default_factory=Crew)
    memory: Memory = field(init=False)
    queue: Queue = field(init=False)
    closing: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.memory = Memory(self.crew)
        self.queue = Queue(self.folder)

    async def open(self) -> None:
        """Everybody comes to work."""
        await self.crew.start()

    async def close(self) -> None:
        """Everybody goes home."""
        self.closing.set()
        await asyncio.gather(self.queue.stop(), self.crew.stop())

    def kept(self, address: Address) -> list[Scenario | None]:
        """The variants that were kept; None for one that cannot be opened any more."""
        found: list[Scenario | None] = []
        for kept in address.kept:
            try:
                opened = open_fight(kept.variant, self.folder)
                found.append(None if opened.problems else opened.scenario)
            except SimError:
                found.append(None)
        return found

    def comparing(self, address: Address, opened: OpenFight) -> Comparing | None:
        """This fight against A; None if there is no A, or if it is another game."""
        if address.against is None:
            return None
        first = self.kept(address)[address.against]
        if first is None or first.ruleset_name != opened.scenario.ruleset_name:
            return None
        return self.memory.comparing(first, opened.scenario, address.seed)

    async def rested(self, address: Address) -> Result:
        """The result of a fight when it is known well enough."""
        opened = open_fight(address.variant, self.folder)
        watching, watcher = self.memory.watching(opened.scenario, address.seed), Watcher()
        with watching.watched(watcher, address.precision):
            while not watching.resting and not self.closing.is_set():
                await self.news(watcher)
        if watching.summary is None:
            raise SimError(watching.problem or "nothing was played")
        return result_of(watching, opened.scenario)

    async def news(self, watcher: Watcher, first: Watching | None = None) -> None:
        """Wait for news, and a little longer so that it is worth telling; not at all once the studio closes.

        Whoever waits for the very `first` numbers of a fight does not wait that long, and of a slow one no longer.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(QUIET):
                news, closing = asyncio.create_task(watcher.news.wait()), asyncio.create_task(self.closing.wait())
                try:
                    await asyncio.wait({news, closing}, return_when=asyncio.FIRST_COMPLETED)
                finally:
                    news.cancel()
                    closing.cancel()
        if not self.closing.is_set():
            await asyncio.sleep(OFTEN if first is None else AT_FIRST if first.seconds < SLOW else 0)
        watcher.news.clear()
