"""Those who play: this process, others on this machine, or a cluster.

Pieces of work go out and come back in order; again if a worker dies, and never more in flight than fits.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from sim.errors import Problem, SimError
from sim.runs.pieces import BATCH, Piece, Played, play_piece
from sim.runs.signals import (
    children_shielded,
    leave_signals_to_the_main_process,
    may_break_off,
    stop_if_asked,
    waiting_in,
)

if TYPE_CHECKING:
    from sim.runs.cluster import Cluster
    from sim.scenario import Scenario

P = TypeVar("P")
R = TypeVar("R")

FIRST_CHUNK = 2_048  # played in this process to learn how fast it goes
CHUNK_SECONDS = 1.0  # what a chunk should take: long against the cost of sending it, short against waiting for it
PATIENCE = 6.0  # seconds that a chunk may take if that makes a full batch, or where there is much to do
LONG = 16  # a chunk may take this part of all the time that is left: long fights of several batches play on together
SMALLEST_CHUNK = 4_096
SMALLEST_PART = 2  # towards the end chunks shrink to this part of their size, and no further: small batches are slow
FULL_BATCH_GAIN = 4.0  # so much quicker may a full batch be than the first chunk
LARGEST_CHUNK = 8 * BATCH
LARGEST_CHUNK_WITH_TABLES = BATCH  # their tables come back with it
CHUNKS_IN_FLIGHT = 6  # per process, where tables come back: bounds the memory if writing is slower than playing
BUSY = 32  # chunks a second that this process can well add up and keep; more workers get larger chunks
WORTH_A_POOL = 2.0  # seconds of work left for one process that justify starting others
RETRIES = 2  # of a piece whose worker died

_NO_MORE: Any = object()


def crew_problems(
    jobs: int | None, out: object, resume: bool, fresh: bool, backend: str, address: str | None
) -> list[Problem]:
    """What is wrong with how somebody wants to have something played, whatever it is."""
    problems = []
    if jobs is not None and jobs < 1 and jobs != -1:
        problems.append(Problem("jobs", f"expected a number of processes from 1 up, or -1 for all cores, found {jobs}"))
    if out == "":
        problems.append(Problem("out", "expected a folder, found ''; '.' is the current one"))
    if resume and out is None:
        problems.append(Problem("resume", "there is no folder to go on with; give it with --out"))
    if resume and fresh:
        problems.append(Problem("resume", "goes on with what is in the folder and 'fresh' throws it away: give one"))
    if backend not in ("local", "dask"):
        problems.append(Problem("backend", f"expected 'local' or 'dask', found {backend!r}"))
    if address is not None and backend != "dask":
        problems.append(Problem("address", "only a cluster has one; add --backend dask"))
    return problems


def spread(
    work: Callable[[P], R],
    pieces: Sequence[P],
    jobs: int,
    died: Callable[[P, int], Exception],
    window: int | None = None,
    cluster: Cluster | None = None,
) -> Generator[R]:
    """What the work makes of each piece, in the order of the pieces.

    Args:
        work: a function of a module, called in the workers.
        died: the error to raise for a piece whose worker has died so many times.
        window: how many pieces may be under way at once; None for all.
        cluster: where to play; None for processes on this machine.
    """
    from concurrent.futures.process import BrokenProcessPool

    from joblib import Parallel, delayed, parallel

    deaths: tuple[type[BaseException], ...] = (BrokenProcessPool,) if cluster is None else cluster.deaths
    at, failures = 0, 0
    while at < len(pieces):
        stop_if_asked()
        batch = pieces[at : at + (window or len(pieces))]
        if cluster is None:
            crowd = Parallel(n_jobs=jobs, return_as="generator", batch_size=1)
            with children_shielded():
                results = crowd(delayed(in_worker)(work, piece) for piece in batch)
        else:
            results = cluster.play(work, batch)
        with _closing(results):
            try:
                while True:
                    with waiting_in(parallel.__file__):
                        if at < len(pieces):
                            stop_if_asked()
                        result = next(results, _NO_MORE)
                    if result is _NO_MORE:
                        break
                    at, failures = at + 1, 0
                    yield result
            except deaths as broken:
                failures += 1
                if failures > RETRIES:
                    raise died(pieces[at], failures) from broken


@contextmanager
def _closing(results: Generator[R]) -> Iterator[None]:
    """Closes them at the end. That somebody stops early is meant, and no reason for joblib's warning."""
    try:
        yield
    finally:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", ".*You could benefit from adjusting the input task iterator", UserWarning)
            results.close()


def in_worker(work: Callable[[P], R], piece: P) -> R:
    """Do a piece of work in a worker, where Ctrl-C and a polite request to stop are the main process's business."""
    leave_signals_to_the_main_process()
    return work(piece)


@dataclass(slots=True)
class Crew:
    """Those who play the runs of one scenario: this process, and others when there is enough to do."""

    jobs: int | None  # None decides by the work that is left
    chunk: int | None
    rate: float = 0.0  # runs a second of one process, measured on the last chunk played here ...
    measured_on: int = 0  # ... which had so many runs
    played_here: int = 0  # chunks; the first one is slowed by everything that happens once
    most_jobs: int = 1  # processes that were used
    cluster: Cluster | None = None

    def play(
        self, scenario: Scenario, seed: int, first: int, stop: int, tables: bool = False, packed: bool = False
    ) -> Generator[Played]:
        """Runs `first` to `stop - 1`, in stretches, in order."""
        with_tables = tables or packed
        while first < stop:
            jobs = self.jobs_for(stop - first)
            if jobs > 1 or (self.cluster is not None and self.played_here):
                cut = self.cut(first, stop, jobs, with_tables)
                yield from self.spread([Piece(scenario, seed, *stretch, tables, packed) for stretch in cut], jobs)
                return
            size = self.chunk or (self.chunk_for(stop - first, 1, with_tables) if self.rate else FIRST_CHUNK)
            with may_break_off():
                played = play_piece(Piece(scenario, seed, first, min(size, stop - first), tables, packed))
            self.rate, self.measured_on = played.count / max(played.seconds, 1e-6), played.count
            self.played_here += 1
            first += played.count
            yield played

    def jobs_for(self, runs: int) -> int:
        """How many processes this many runs are worth."""
        if self.cluster is not None:
            return self.cluster.processes() if self.played_here else 1
        if self.jobs == 1 or self.played_here < (2 if self.jobs is None else 1):
            return 1  # the first chunks tell how fast it goes
        from joblib import cpu_count  # not at the top: a quick run never needs it

        if self.jobs is None:
            worth = WORTH_A_POOL if self.most_jobs == 1 else CHUNK_SECONDS
            return cpu_count() if runs / self.rate > worth else 1
        return self.jobs if self.jobs > 0 else cpu_count()

    def cut(self, first: int, stop: int, jobs: int, tables: bool) -> Iterator[tuple[int, int]]:
        """Runs `first` to `stop - 1` in chunks: (first, count). The last ones are small: nobody waits long for them."""
        while first < stop:
            count = min(self.chunk_for(stop - first, jobs, tables), stop - first)
            yield first, count
            first += count

    def chunk_for(self, runs: int, jobs: int, tables: bool) -> int:
        """How many runs make a good chunk when so many are left.

        About a second's worth, more where there is much to do; a full batch if that is bearable; two for everybody.
        """
        if self.chunk is not None:
            return self.chunk
        full_rate = self.rate * (1.0 if self.measured_on >= BATCH else FULL_BATCH_GAIN)
        least = BATCH if full_rate * PATIENCE >= BATCH else SMALLEST_CHUNK
        crowd = max(1, jobs // BUSY)
        largest = LARGEST_CHUNK_WITH_TABLES if tables else LARGEST_CHUNK * crowd
        seconds = min(max(CHUNK_SECONDS, runs / self.rate / jobs / LONG), PATIENCE)
        size = min(max(int(self.rate * seconds * crowd), least), largest)
        if jobs == 1:
            return size
        return min(size, max(SMALLEST_CHUNK, size // SMALLEST_PART, -(-runs // (2 * jobs))))

    def spread(self, pieces: list[Piece], jobs: int) -> Generator[Played]:
        """The pieces across processes; in order, and again if a worker dies."""
        self.most_jobs = max(self.most_jobs, jobs)
        bulky = bool(pieces) and (pieces[0].tables or pieces[0].packed)
        window = CHUNKS_IN_FLIGHT * jobs if bulky else None
        return spread(play_piece, pieces, jobs, _worker_died, window, self.cluster)


def _worker_died(piece: Piece, times: int) -> SimError:
    last = piece.first + piece.count - 1
    return SimError(
        f"{piece.scenario.name}: a worker process died {times} times while playing runs {piece.first:,} to {last:,}. "
        "Most often the machine ran out of memory: try fewer processes (--jobs 1). The same seed plays the same runs, "
        "so nothing changes but the time; with --out what is finished is kept, and --resume goes on with it."
    )
