"""Plays many runs of a scenario: in chunks, across processes, to a number of runs or to a precision.

What is sent to a worker is a stretch of run numbers, never a state: the worker builds the encounter itself and run k is
run k there too. What comes back are sums of whole numbers. So the chunk size, the number of processes and the order in
which they finish leave no trace in the result.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import reduce
from operator import add
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

import numpy as np

from sim.core.engine import play
from sim.core.outcomes import Cast, Outcome, Outcomes
from sim.errors import InputError, Interrupted, Problem, SimError
from sim.progress import progress_bar
from sim.results import Provenance, Result
from sim.stats import MOST_RUNS, next_look, precision_reached, rate
from sim.summary import Summary
from sim.tables import TableFiles

if TYPE_CHECKING:
    from sim.scenario import Scenario

BATCH = 32_768  # runs in lock-step, at most: enough to amortise NumPy's calls (twice as fast as 8,192), some 50 MB
FIRST_CHUNK = 2_048  # played in this process to learn how fast it goes
CHUNK_SECONDS = 1.0  # what a chunk should take: long against the cost of sending it, short against waiting for it
PATIENCE = 6.0  # seconds that a chunk may take if that makes a full batch
SMALLEST_CHUNK = 4_096
LARGEST_CHUNK = 8 * BATCH
LARGEST_CHUNK_WITH_TABLES = BATCH  # their tables come back with it
CHUNKS_IN_FLIGHT = 6  # per process, where tables come back: bounds the memory if writing is slower than playing
WORTH_A_POOL = 2.0  # seconds of work left for one process that justify starting others
RETRIES = 2  # of a chunk whose worker died
KEPT_BY_DEFAULT = 200_000  # runs whose tables stay in memory if nobody says otherwise

Keep = Literal["auto", "summary", "runs"]


def run(
    scenario: Scenario,
    *,
    runs: int | None = None,
    precision: float = 1.0,
    seed: int = 1,
    jobs: int | None = None,
    chunk: int | None = None,
    keep: Keep = "auto",
    out: str | Path | None = None,
    max_runs: int = MOST_RUNS,
    progress: bool | None = None,
    command: str | None = None,
) -> Result:
    """Play a scenario many times and sum up.

    Args:
        scenario: the fight.
        runs: how many; None plays until the win rate is known to the precision.
        precision: percentage points to either side of the win rate, at 95 % confidence.
        seed: names the luck; the same seed gives the same result.
        jobs: processes; None starts others only when that pays, -1 takes one per core.
        chunk: runs per piece of work; None measures what suits. Changes no result.
        keep: "runs" keeps the tables of single runs in memory, "summary" only the sums, "auto" up to 200,000 runs.
        out: a folder for the tables, the manifest and the report.
        max_runs: where a run to a precision gives up, with a warning.
        progress: show a progress bar; None shows one on a terminal.
        command: what the user typed, for the report.
    """
    _check(runs, precision, seed, jobs, chunk, keep, max_runs)
    goal: Goal = Precision(precision / 100, max_runs) if runs is None else Fixed(runs)
    started, clock = datetime.now(UTC), time.perf_counter()
    cast = scenario.encounter().cast
    crew = Crew(jobs, chunk)
    record = Record(cast, keep, None if out is None else Path(out), runs)
    stopped = not _play_until(goal, scenario, seed, crew, record, progress)
    if record.summary is None:
        raise Interrupted("Stopped before the first runs were finished; nothing was kept.")
    result = Result(
        scenario=scenario,
        cast=cast,
        sums=record.summary,
        provenance=Provenance(
            seed=seed,
            asked_runs=runs,
            precision=None if runs is not None else precision,
            reached=goal.reached(record.summary),
            stopped=stopped,
            jobs=crew.most_jobs,
            started=started.isoformat(timespec="seconds"),
            elapsed_s=time.perf_counter() - clock,
            peak_memory_bytes=record.peak_memory(),
            command=command,
        ),
        kept=record.kept,
        folder=record.folder,
    )
    if record.folder is not None:
        result.write(record.folder)
    if stopped:
        raise RunInterrupted(result)
    return result


def _play_until(
    goal: Goal, scenario: Scenario, seed: int, crew: Crew, record: Record, progress: bool | None
) -> bool:
    """Play until the goal is met; False if the user stopped it before. The record is complete in either case."""
    finished = True
    try:
        with progress_bar(scenario.name, progress) as tell:
            try:
                while (target := goal.next(record.summary)) is not None:
                    with closing(crew.play(scenario, seed, record.done, target, record)) as stretch:
                        for played in stretch:
                            so_far = record.add(played)
                            tell(so_far.runs, target, rate(so_far.ended(Outcome.WIN), so_far.encounters))
            except KeyboardInterrupt:
                finished = False
        record.close()
    except BaseException:
        record.abandon()
        raise
    return finished


class RunInterrupted(Interrupted):
    """Stopped by the user; the runs that were finished by then are in `result`."""

    def __init__(self, result: Result) -> None:
        self.result = result
        kept = f"their tables and report are in {result.folder}" if result.folder else "nothing was written to disk"
        super().__init__(f"Stopped after {result.runs_played:,} runs; {kept}. So far: {result.verdict}")


# -------------------------------------------------------------------------------------------------- how many, how long


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


# ----------------------------------------------------------------------------------------------------- a piece of work


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of runs: what is sent to a worker."""

    scenario: Scenario
    seed: int
    first: int
    count: int
    tables: bool  # send the tables of the single runs back too


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


def play_piece(piece: Piece) -> Played:
    """Play a stretch of runs in this process."""
    encounter = piece.scenario.encounter()
    started = time.perf_counter()
    summaries, tables = [], []
    runs = np.arange(piece.first, piece.first + piece.count, dtype=np.int64)
    for batch in np.array_split(runs, -(-piece.count // BATCH)):
        outcomes = play(encounter, piece.seed, batch)
        summaries.append(Summary.of(outcomes, encounter.cast))
        if piece.tables:
            tables.append(outcomes)
    return Played(
        first=piece.first,
        count=piece.count,
        summary=reduce(add, summaries),
        tables=tables,
        seconds=time.perf_counter() - started,
        process=os.getpid(),
        peak_memory=peak_memory(),
    )


def play_piece_in_worker(piece: Piece) -> Played:
    """The same in a worker, where Ctrl-C is the main process's business."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    return play_piece(piece)


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


@dataclass(slots=True)
class Crew:
    """Those who play: this process, and others when there is enough to do."""

    jobs: int | None  # None decides by the work that is left
    chunk: int | None
    rate: float = 0.0  # runs a second of one process, measured on the last chunk played here
    played_here: int = 0  # chunks; the first one is slowed by everything that happens once
    most_jobs: int = 1  # processes that were used

    def play(self, scenario: Scenario, seed: int, first: int, stop: int, record: Record) -> Generator[Played]:
        """Runs `first` to `stop - 1`, in stretches, in order."""
        while first < stop:
            jobs = self.jobs_for(stop - first)
            if jobs > 1:
                size = self.chunk_for(stop - first, jobs, record.wants_tables)
                pieces = [
                    Piece(scenario, seed, start, min(size, stop - start), record.wants_tables)
                    for start in range(first, stop, size)
                ]
                yield from self.spread(pieces, jobs)
                return
            size = self.chunk or (self.chunk_for(stop - first, 1, record.wants_tables) if self.rate else FIRST_CHUNK)
            played = play_piece(Piece(scenario, seed, first, min(size, stop - first), record.wants_tables))
            self.rate = played.count / max(played.seconds, 1e-6)
            self.played_here += 1
            first += played.count
            yield played

    def jobs_for(self, runs: int) -> int:
        """How many processes this many runs are worth."""
        if self.jobs == 1 or self.played_here < (2 if self.jobs is None else 1):
            return 1  # the first chunks tell how fast it goes
        from joblib import cpu_count  # not at the top: a quick run never needs it

        if self.jobs is None:
            worth = WORTH_A_POOL if self.most_jobs == 1 else CHUNK_SECONDS
            return cpu_count() if runs / self.rate > worth else 1
        return self.jobs if self.jobs > 0 else cpu_count()

    def chunk_for(self, runs: int, jobs: int, tables: bool) -> int:
        """How many runs make a good chunk: about a second, a full batch if that is bearable, two for everybody."""
        if self.chunk is not None:
            return self.chunk
        least = BATCH if self.rate * PATIENCE >= BATCH else SMALLEST_CHUNK
        largest = LARGEST_CHUNK_WITH_TABLES if tables else LARGEST_CHUNK
        size = min(max(int(self.rate * CHUNK_SECONDS), least), largest)
        return size if jobs == 1 else min(size, max(SMALLEST_CHUNK, -(-runs // (2 * jobs))))

    def spread(self, pieces: list[Piece], jobs: int) -> Generator[Played]:
        """The pieces across processes; in order, and again if a worker dies."""
        from concurrent.futures.process import BrokenProcessPool

        from joblib import Parallel, delayed

        self.most_jobs = max(self.most_jobs, jobs)
        at, failures = 0, 0
        while at < len(pieces):
            window = CHUNKS_IN_FLIGHT * jobs if pieces[at].tables else len(pieces)
            parallel = Parallel(n_jobs=jobs, return_as="generator", batch_size=1)
            results = parallel(delayed(play_piece_in_worker)(piece) for piece in pieces[at : at + window])
            with closing(results):
                try:
                    for played in results:
                        at, failures = at + 1, 0
                        yield played
                except BrokenProcessPool as broken:
                    failures += 1
                    if failures > RETRIES:
                        raise _worker_died(pieces[at], failures) from broken


def _worker_died(piece: Piece, times: int) -> SimError:
    last = piece.first + piece.count - 1
    return SimError(
        f"{piece.scenario.name}: a worker process died {times} times while playing runs {piece.first:,} to {last:,}. "
        "Most often the machine ran out of memory: try fewer processes (--jobs 1). The same seed plays the same runs, "
        "so nothing changes but the time."
    )


# ----------------------------------------------------------------------------------------------------- what is recorded


@dataclass(slots=True)
class Record:
    """What has been played so far: the sums always, the tables of the single runs where they are wanted."""

    cast: Cast
    keep: Keep
    folder: Path | None
    asked_runs: int | None
    summary: Summary | None = None
    kept: list[Outcomes] | None = None
    files: TableFiles | None = None
    memory: dict[int, int] = field(default_factory=dict)  # process -> bytes

    def __post_init__(self) -> None:
        if self.keep == "runs" or (self.keep == "auto" and (self.asked_runs or 0) <= KEPT_BY_DEFAULT):
            self.kept = []
        if self.folder is not None:
            _make_folder(self.folder)
            self.files = TableFiles(self.folder, self.cast)

    @property
    def done(self) -> int:
        """How many runs have been played."""
        return 0 if self.summary is None else self.summary.runs

    @property
    def wants_tables(self) -> bool:
        """Whether the tables of the single runs are asked for."""
        return self.kept is not None or self.files is not None

    def add(self, played: Played) -> Summary:
        """The next stretch of runs; returns the sums so far."""
        self.summary = played.summary if self.summary is None else self.summary + played.summary
        self.memory[played.process] = played.peak_memory
        if self.keep == "auto" and self.done > KEPT_BY_DEFAULT:
            self.kept = None
        for outcomes in played.tables:
            if self.kept is not None:
                self.kept.append(outcomes)
            if self.files is not None:
                with self._writing():
                    self.files.add(outcomes)
        return self.summary

    def close(self) -> None:
        """All runs are in."""
        if self.files is not None:
            with self._writing():
                self.files.close()
        self.memory[os.getpid()] = peak_memory()

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise SimError(f"{self.folder}: cannot write the tables: {error.strerror or error}") from error

    def abandon(self) -> None:
        """Something went wrong: leave no half-written file behind."""
        if self.files is not None:
            self.files.abandon()

    def peak_memory(self) -> dict[str, int]:
        """The most memory that this process and the largest of the others have held, in bytes."""
        others = [size for process, size in self.memory.items() if process != os.getpid()]
        return {"main": self.memory[os.getpid()], "largest_worker": max(others, default=0)}


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / ".fairfight-can-write"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise InputError(Problem("--out", f"cannot write to {folder}: {error.strerror or error}")) from error


def _check(
    runs: int | None, precision: float, seed: int, jobs: int | None, chunk: int | None, keep: str, max_runs: int
) -> None:
    """Refuse what cannot be played, all of it at once."""
    problems = []
    if runs is not None and runs < 1:
        problems.append(Problem("runs", f"expected a whole number from 1 up, found {runs}"))
    if not 0.0 < precision <= 50.0:
        problems.append(Problem("precision", f"expected percentage points above 0 and up to 50, found {precision}"))
    if not 0 <= seed < 2**64:
        problems.append(Problem("seed", f"expected a whole number from 0 to 2**64 - 1, found {seed}"))
    if jobs is not None and jobs < 1 and jobs != -1:
        problems.append(Problem("jobs", f"expected a number of processes from 1 up, or -1 for all cores, found {jobs}"))
    if chunk is not None and chunk < 1:
        problems.append(Problem("chunk", f"expected a whole number from 1 up, found {chunk}"))
    if keep not in ("auto", "summary", "runs"):
        problems.append(Problem("keep", f"expected 'auto', 'summary' or 'runs', found {keep!r}"))
    if max_runs < 1:
        problems.append(Problem("max_runs", f"expected a whole number from 1 up, found {max_runs}"))
    if problems:
        raise InputError(problems)
