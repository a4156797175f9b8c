"""A piece of work: a stretch of runs of one fight or of several, played in whatever process it arrives in.

There are two kinds: `RunsPiece` here, whose runs are summed up for a result, and `sim.studies.cards.CardPiece`, whose
fights are set against each other.
"""

from __future__ import annotations

import os
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import reduce
from operator import add
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from sim.core.engine import Encounter, in_order, play, play_batches
from sim.core.known_luck import NO_WORTHS, Worths
from sim.core.outcomes import Outcomes
from sim.results.summary import Summary
from sim.results.tables import TABLES, packed

if TYPE_CHECKING:
    from sim.scenario import Scenario

R = TypeVar("R")

BATCH = 32_768  # runs in lock-step, at most: enough to amortise NumPy's calls (twice as fast as 8,192), some 50 MB


class Piece(ABC, Generic[R]):
    """Runs `first` to `first + count - 1` of some fights: what is sent to a worker."""

    __slots__ = ()
    first: int
    count: int

    @property
    @abstractmethod
    def scenarios(self) -> tuple[Scenario, ...]:
        """The fights that are played on these runs."""

    @abstractmethod
    def play(self) -> R:
        """Play the runs in this process and say what came of them."""

    @property
    def bulky(self) -> bool:
        """Whether what comes back is large, so that only some of it may be on its way at once."""
        return False

    @property
    def encounters(self) -> int:
        """How many encounters are played for it, at most."""
        return len(self.scenarios) * self.count

    @property
    def about(self) -> str:
        """The names of the fights."""
        return ", ".join(dict.fromkeys(scenario.name for scenario in self.scenarios))


@dataclass(frozen=True, slots=True)
class Played(Generic[R]):
    """What comes back."""

    first: int
    count: int
    found: R
    seconds: float
    process: int  # its id
    peak_memory: int  # of that process so far, bytes; 0 where the system does not say


def play_piece(piece: Piece[R]) -> Played[R]:
    """Play a piece of work in this process."""
    started = time.perf_counter()
    found = piece.play()
    seconds = time.perf_counter() - started
    return Played(piece.first, piece.count, found, seconds, os.getpid(), peak_memory())


# ------------------------------------------------------------------------------------------------- runs of one fight


@dataclass(frozen=True, slots=True)
class Chunk:
    """What a stretch of runs of one fight yields."""

    summary: Summary
    tables: list[Outcomes] = field(default_factory=list)
    packed: dict[str, bytes] = field(default_factory=dict)  # name of the table -> its rows


@dataclass(frozen=True, slots=True)
class RunsPiece(Piece[Chunk]):
    """A stretch of runs of one fight, to be summed up."""

    scenario: Scenario
    seed: int
    first: int
    count: int
    tables: bool = False  # send the tables of the single runs back too
    packed: bool = False  # send them back as they are written to disk: small, and the work is done by the worker
    worths: Worths = NO_WORTHS  # what dice and cards are worth, if account is to be kept of the luck

    @property
    def scenarios(self) -> tuple[Scenario, ...]:
        """The one fight."""
        return (self.scenario,)

    @property
    def bulky(self) -> bool:
        """Whether tables of single runs come back."""
        return self.tables or self.packed

    def play(self) -> Chunk:
        """The sums, and the tables that were asked for."""
        encounter = self.scenario.encounter()
        summaries, tables = [], []
        rows: dict[str, list[bytes]] = {name: [] for name in TABLES} if self.packed else {}
        for outcomes in self._batches(encounter):
            summaries.append(Summary.of(outcomes, encounter.cast))
            if self.tables:
                tables.append(outcomes)
            for name in rows:
                rows[name].append(packed(TABLES[name](outcomes, encounter.cast)))
        summary = reduce(add, summaries)
        if summary.runs != self.count:
            raise RuntimeError(f"{self.about}: {summary.runs:,} of {self.count:,} runs came back from the engine")
        return Chunk(summary, tables, {name: b"".join(parts) for name, parts in rows.items()})

    def _batches(self, encounter: Encounter[Any]) -> Iterator[Outcomes]:
        """The tables of the runs, about a batch at a time; in the order of the runs where their rows are wanted."""
        runs = np.arange(self.first, self.first + self.count, dtype=np.int64)
        batches = np.array_split(runs, -(-self.count // BATCH))
        if self.bulky:
            for batch in batches:
                yield play(encounter, self.seed, batch, worths=self.worths)
            return
        parts: list[Outcomes] = []
        for part in play_batches(encounter, self.seed, batches, worths=self.worths):
            parts.append(part)
            if sum(part.size for part in parts) >= BATCH:
                yield in_order(parts)
                parts = []
        if parts:
            yield in_order(parts)


def peak_memory() -> int:
    """The most memory that this process has held, in bytes; 0 where the system does not say."""
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
        return 1024 * next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM"))
    except (OSError, StopIteration):
        pass
    try:
        import resource
    except ImportError:  # Windows
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else 1024 * peak
