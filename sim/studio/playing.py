"""Fights that are played while somebody watches, and rest when they are known well enough.

The runs are played in pieces by the crew and added up in their order, so that what is shown is at every moment the
result of runs 0 to n - 1: the same numbers that `fairfight run --runs n` gives. When nobody watches any more, what is
under way is broken off; when somebody comes back, it goes on where it was.
"""

from __future__ import annotations

import asyncio
import time
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from sim.core.outcomes import Cast, Outcome
from sim.errors import SimError
from sim.results.sequences import rate_sequence
from sim.results.statistics import MOST_RUNS, Estimate, looks
from sim.results.summary import Summary
from sim.scenario import Scenario
from sim.studies.cards import Card, CardPiece, Fight
from sim.studies.measures import PairTally
from sim.studies.words import decided
from sim.studio.crew import NOW, Crew
from sim.studio.tasks import Pairs, Runs, Task

R = TypeVar("R")

FIRST_PIECE = 1  # runs: one takes a worker less time than two, and a first estimate must be there in half a second
LARGEST_PIECE = 16_384
GROWTH = 8  # times larger than the last piece a piece may be
PIECE_SECONDS = 2.0  # what a piece may take: large batches play faster, and a piece can be broken off at any time
SPARE = 1.05  # times as many runs as are likely to do: better a few too many than another piece
MOST_SECONDS = 240.0  # of playing after which a fight rests, however little is known
FEWEST_FORESEEN = 64  # runs from which on it can be said how many more are needed
AHEAD = 1.5  # seconds that a fight is played for a page which is not there yet
REMEMBERED = 200  # fights that are remembered when nobody watches them

MARGIN = 0.005  # what difference does not matter: as `fairfight compare` has it


@dataclass(eq=False, slots=True)
class Watcher:
    """Somebody who watches: told that there is news."""

    news: asyncio.Event = field(default_factory=asyncio.Event)


class Playing(ABC, Generic[R]):
    """Runs that are played piece by piece while somebody watches."""

    def __init__(self, crew: Crew) -> None:
        self.crew = crew
        self.runs = 0  # added up, from run 0 on
        self.seconds = 0.0  # of playing, by all workers together
        self.problem = ""  # why it cannot go on
        self.urgency = NOW
        self._next = 0  # the first run that nobody has been asked for
        self._early: dict[int, tuple[int, R]] = {}  # first run -> what came before its turn
        self._size = FIRST_PIECE
        self._watchers: dict[Watcher, float] = {}
        self._players: set[asyncio.Task[None]] = set()

    @abstractmethod
    def task(self, first: int, count: int) -> Task[R]:
        """These runs, for a worker."""

    @abstractmethod
    def add(self, found: R) -> None:
        """What came of the next runs."""

    @abstractmethod
    def known(self, precision: float) -> bool:
        """Whether it is known well enough."""

    def end_of_stretch(self, first: int) -> int:
        """The run before which a piece that begins at `first` must end."""
        return MOST_RUNS

    def likely_end(self, precision: float) -> int:
        """The runs with which it is likely to be known so well; more than are ever played where nobody can say."""
        return MOST_RUNS

    @property
    def resting(self) -> bool:
        """Whether nothing more is played: known well enough, given up, or in trouble."""
        if self.problem or self.runs >= MOST_RUNS or self.seconds >= MOST_SECONDS * self.crew.size:
            return True
        return self.known(min(self._watchers.values(), default=1.0))

    @property
    def is_watched(self) -> bool:
        """Whether anybody watches."""
        return bool(self._watchers)

    def rests_at(self, precision: float) -> bool:
        """Whether somebody who asks for this precision has it."""
        return self.known(precision) or self.resting

    @contextmanager
    def watched(self, watcher: Watcher, precision: float, urgency: int = NOW) -> Iterator[None]:
        """While this lasts, it is played until it is known to so many points either way."""
        self._watchers[watcher] = precision
        self.urgency = urgency if len(self._watchers) == 1 else min(self.urgency, urgency)
        self._go_on()
        try:
            yield
        finally:
            del self._watchers[watcher]
            if not self.is_watched:
                self._break_off()

    def begin(self, precision: float) -> None:
        """Play for a moment though nobody watches yet: whoever has asked for the page is about to."""
        watcher = Watcher()
        ahead = self.watched(watcher, precision)
        ahead.__enter__()
        asyncio.get_running_loop().call_later(AHEAD, ahead.__exit__, None, None, None)

    def _go_on(self) -> None:
        wanted = self.crew.size if self.runs else 1  # the first numbers come sooner where the page has a processor too
        while len(self._players) < wanted and not self.resting:
            player = asyncio.create_task(self._play())
            self._players.add(player)
            player.add_done_callback(self._players.discard)

    def _break_off(self, but: asyncio.Task[Any] | None = None) -> None:
        for player in self._players:
            if player is not but:
                player.cancel()
        self._players = {player for player in self._players if player is but}
        self._next = self.runs
        self._early.clear()

    async def _play(self) -> None:
        """One worker's share: piece after piece, until it is enough."""
        while not self.resting:
            first = self._next
            wanted = self.likely_end(min(self._watchers.values(), default=1.0)) - first
            count = min(self._size, max(wanted, self._size // GROWTH, 1), self.end_of_stretch(first) - first)
            if count <= 0:
                return
            self._next = first + count
            started = time.monotonic()
            try:
                found = await self.crew.do(self.task(first, count), self.urgency)
            except SimError as error:
                self.problem = str(error)
                self._tell()
                return
            self._take(first, count, found, time.monotonic() - started)

    def _take(self, first: int, count: int, found: R, seconds: float) -> None:
        self.seconds += seconds
        if count == self._size:
            grown = count * min(GROWTH, PIECE_SECONDS / max(seconds, 0.001))
            self._size = int(max(FIRST_PIECE, min(grown, LARGEST_PIECE)))
        self._early[first] = count, found
        while self.runs in self._early and not self.resting:
            count, found = self._early.pop(self.runs)
            self.runs += count
            self.add(found)
        if self.resting:
            self._break_off(but=asyncio.current_task())
        elif self.is_watched:
            self._go_on()
        self._tell()

    def _tell(self) -> None:
        for watcher in self._watchers:
            watcher.news.set()


class Watching(Playing[tuple[Summary, Cast]]):
    """One fight."""

    def __init__(self, crew: Crew, scenario: Scenario, seed: int) -> None:
        super().__init__(crew)
        self.scenario, self.seed = scenario, seed
        self.summary: Summary | None = None
        self.cast: Cast | None = None

    def task(self, first: int, count: int) -> Task[tuple[Summary, Cast]]:
        return Runs(self.scenario, self.seed, first, count)

    def add(self, found: tuple[Summary, Cast]) -> None:
        summary, self.cast = found
        self.summary = summary if self.summary is None else self.summary + summary

    def known(self, precision: float) -> bool:
        win = self.win_rate
        if win is None:
            return False
        return win.known and 100 * win.margin <= precision

    def likely_end(self, precision: float) -> int:
        """An interval shrinks about with the root of the runs; of a few runs nobody can say how it will."""
        win = self.win_rate
        if win is None or not win.known or self.runs < FEWEST_FORESEEN:
            return MOST_RUNS
        return int(SPARE * self.runs * (100 * win.margin / precision) ** 2) + 1

    @property
    def win_rate(self) -> Estimate | None:
        """Wins among the encounters, with an interval that is valid while watching; None before the first runs."""
        return None if self.summary is None else watched_rate(self.summary, Outcome.WIN)


def watched_rate(summary: Summary, outcome: Outcome) -> Estimate:
    """How often an encounter ends so, with an interval that is valid while watching."""
    return rate_sequence(summary.ended(outcome), summary.encounters)


class Comparing(Playing[Any]):
    """One fight against another with the same luck, look by look until it is decided: as `fairfight compare` does."""

    def __init__(self, crew: Crew, first: Scenario, second: Scenario, seed: int) -> None:
        super().__init__(crew)
        self.card = Card((Fight(first, seed), Fight(second, seed)), ((0, 1),))
        self.pair: PairTally | None = None
        self.looked_at = 0  # the runs of the last look
        self.decided = ""

    def task(self, first: int, count: int) -> Task[Any]:
        return Pairs(CardPiece(self.card, first, count))

    def end_of_stretch(self, first: int) -> int:
        return next((look for look in looks() if look > first), MOST_RUNS)

    def add(self, found: Any) -> None:
        self.pair = found.pairs[0] if self.pair is None else self.pair + found.pairs[0]
        if self.runs in looks():
            self.looked_at = self.runs
            self.decided = decided(self.difference(), MARGIN)

    def known(self, precision: float) -> bool:
        return self.decided != ""

    def difference(self, measure: str = "win_rate") -> Estimate:
        """Second minus first, with an interval that is valid while watching."""
        assert self.pair is not None  # asked for when something was played
        return self.pair.difference(measure, watched=True)


class Memory:
    """Every fight that was watched lately, so that going back shows at once what was known."""

    def __init__(self, crew: Crew) -> None:
        self.crew = crew
        self._known: OrderedDict[tuple[Any, ...], Playing[Any]] = OrderedDict()

    def watching(self, scenario: Scenario, seed: int) -> Watching:
        """One fight."""
        found = self._get((scenario.content, scenario.ruleset_name, seed), lambda: Watching(self.crew, scenario, seed))
        assert isinstance(found, Watching)
        return found

    def comparing(self, first: Scenario, second: Scenario, seed: int) -> Comparing:
        """One fight against another."""
        key = (first.content, second.content, first.ruleset_name, seed)
        found = self._get(key, lambda: Comparing(self.crew, first, second, seed))
        assert isinstance(found, Comparing)
        return found

    def _get(self, key: tuple[Any, ...], make: Any) -> Playing[Any]:
        found = self._known.pop(key, None)
        if found is None or (found.problem and not found.is_watched):
            found = make()
        idle = [old for old, one in self._known.items() if not one.is_watched]
        for old in idle[: max(0, len(self._known) - REMEMBERED)]:
            del self._known[old]
        self._known[key] = found
        return found
