"""A piece of work: a stretch of runs, played in whatever process it arrives in."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import reduce
from operator import add
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.core.engine import Encounter, in_order, play, play_batches
from sim.core.outcomes import Outcomes
from sim.results.summary import Summary

if TYPE_CHECKING:
    from sim.scenario import Scenario

BATCH = 32_768  # runs in lock-step, at most: enough to amortise NumPy's calls (twice as fast as 8,192), some 50 MB


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of runs: what is sent to a worker."""

    scenario: Scenario
    seed: int
    first: int
    count: int
    tables: bool  # send the tables of the single runs back too
    packed: bool = False  # send them back as they are written to disk: small, and the work is done by the worker


@dataclass(frozen=True, slots=True)
class Played:
    """What comes back."""

    first: int
    count: int
    summary: Summary
    tables: list[Outcomes]
    seconds: float
    process: int  # its id
    peak_memory: int  # of that process so far, bytes; 0 where the system does not say
    packed: dict[str, bytes] = field(default_factory=dict)  # name of the table -> its rows


def play_piece(piece: Piece) -> Played:
    """Play a stretch of runs in this process."""
    from sim.results.tables import TABLES, packed

    encounter = piece.scenario.encounter()
    started = time.perf_counter()
    summaries, tables = [], []
    rows: dict[str, list[bytes]] = {name: [] for name in TABLES} if piece.packed else {}
    for outcomes in _stretches(encounter, piece):
        summaries.append(Summary.of(outcomes, encounter.cast))
        if piece.tables:
            tables.append(outcomes)
        for name in rows:
            rows[name].append(packed(TABLES[name](outcomes, encounter.cast)))
    summary = reduce(add, summaries)
    if summary.runs != piece.count:
        raise RuntimeError(f"{piece.scenario.name}: {summary.runs:,} of {piece.count:,} runs came back from the engine")
    return Played(
        first=piece.first,
        count=piece.count,
        summary=summary,
        tables=tables,
        seconds=time.perf_counter() - started,
        process=os.getpid(),
        peak_memory=peak_memory(),
        packed={name: b"".join(parts) for name, parts in rows.items()},
    )


def _stretches(encounter: Encounter[Any], piece: Piece) -> Iterator[Outcomes]:
    """The tables of the runs, about a batch at a time; in the order of the runs where their rows are wanted."""
    runs = np.arange(piece.first, piece.first + piece.count, dtype=np.int64)
    batches = np.array_split(runs, -(-piece.count // BATCH))
    if piece.tables or piece.packed:
        for batch in batches:
            yield play(encounter, piece.seed, batch)
        return
    parts: list[Outcomes] = []
    for part in play_batches(encounter, piece.seed, batches):
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
