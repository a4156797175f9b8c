"""Runs cut into chunks of a bearable size: about a second's worth, once it is known how fast it goes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from sim.runs.pieces import BATCH, Chunk, RunsPiece
from sim.runs.workers import Plan, Speed

FIRST_CHUNK = 2_048  # played in this process to learn how fast it goes
CHUNK_SECONDS = 1.0  # what a chunk should take: long against the cost of sending it, short against waiting for it
PATIENCE = 6.0  # seconds that a chunk may take if that makes a full batch, or where there is much to do
LONG = 16  # a chunk may take this part of all the time that is left: long fights of several batches play on together
SMALLEST_CHUNK = 4_096
SMALLEST_PART = 2  # towards the end chunks shrink to this part of their size, and no further: small batches are slow
FULL_BATCH_GAIN = 4.0  # so much quicker may a full batch be than the first chunk
LARGEST_CHUNK = 8 * BATCH
LARGEST_CHUNK_WITH_TABLES = BATCH  # their tables come back with it
BUSY = 32  # chunks a second that this process can well add up and keep; more workers get larger chunks


@dataclass(slots=True)
class Chunks(Plan[Chunk]):
    """A long stretch of runs of one fight, cut on the way by the speed that was measured."""

    runs: RunsPiece  # all that is left
    size: int | None = None  # of a chunk, given by hand

    @property
    def left(self) -> int:
        """How many encounters are left."""
        return self.runs.count

    @property
    def needs_speed(self) -> bool:
        """Nobody can say how much a second's worth is before a chunk has been played."""
        return True

    def next(self, speed: Speed) -> RunsPiece:
        """The next chunk, for this process; it is not left any more."""
        size = self.size or (chunk_for(speed, self.left, 1, self.runs.bulky) if speed.rate else FIRST_CHUNK)
        count = min(size, self.left)
        chunk = replace(self.runs, count=count)
        self.runs = replace(self.runs, first=self.runs.first + count, count=self.left - count)
        return chunk

    def rest(self, speed: Speed, jobs: int) -> list[RunsPiece]:
        """All that is left, for so many processes."""
        stop = self.runs.first + self.left
        return [
            replace(self.runs, first=first, count=count)
            for first, count in cut(speed, self.runs.first, stop, jobs, self.runs.bulky, self.size)
        ]


def cut(
    speed: Speed, first: int, stop: int, jobs: int, tables: bool, size: int | None = None
) -> Iterator[tuple[int, int]]:
    """Runs `first` to `stop - 1` in chunks: (first, count). The last ones are small: nobody waits long for them."""
    while first < stop:
        count = min(size or chunk_for(speed, stop - first, jobs, tables), stop - first)
        yield first, count
        first += count


def chunk_for(speed: Speed, runs: int, jobs: int, tables: bool) -> int:
    """How many runs make a good chunk when so many are left.

    About a second's worth, more where there is much to do; a full batch if that is bearable; two for everybody.
    """
    full_rate = speed.rate * (1.0 if speed.measured_on >= BATCH else FULL_BATCH_GAIN)
    least = BATCH if full_rate * PATIENCE >= BATCH else SMALLEST_CHUNK
    crowd = max(1, jobs // BUSY)
    largest = LARGEST_CHUNK_WITH_TABLES if tables else LARGEST_CHUNK * crowd
    seconds = min(max(CHUNK_SECONDS, runs / speed.rate / jobs / LONG), PATIENCE)
    size = min(max(int(speed.rate * seconds * crowd), least), largest)
    if jobs == 1:
        return size
    return min(size, max(SMALLEST_CHUNK, size // SMALLEST_PART, -(-runs // (2 * jobs))))
