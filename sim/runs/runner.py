"""Plays many runs of a scenario: in chunks, across processes, to a number of runs or to a precision.

What is sent to a worker is a stretch of run numbers, never a state: the worker builds the encounter itself and run k is
run k there too. What comes back are sums of whole numbers. So the chunk size, the number of processes and the order in
which they finish leave no trace in the result.

    goals     how far to play
    pieces    a stretch of runs, played in whatever process it arrives in
    chunks    how large a piece should be
    workers   who plays: this process, others, a cluster
    record    what has been played, in memory and safe in the folder
"""

from __future__ import annotations

import time
from contextlib import ExitStack, closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from sim.core.known_luck import NO_WORTHS, Worths
from sim.core.outcomes import Outcome
from sim.core.pilot import learned
from sim.errors import InputError, Interrupted, Problem
from sim.results.adjusted import FIRST
from sim.results.result import Provenance, Result
from sim.results.statistics import MOST_RUNS, rate
from sim.runs.cluster import cluster_for
from sim.runs.goals import Fixed, Goal, Precision
from sim.runs.means import Backend, Means
from sim.runs.progress import progress_bar
from sim.runs.record import Keep, Record
from sim.runs.signals import StopAsked, heeding
from sim.runs.workers import Workers

if TYPE_CHECKING:
    from sim.scenario import Scenario

__all__ = ["RunInterrupted", "run"]


@dataclass(frozen=True, slots=True)
class Order:
    """What was asked for."""

    scenario: Scenario
    runs: int | None
    precision: float  # percentage points
    seed: int
    chunk: int | None
    keep: Keep
    max_runs: int
    means: Means

    @property
    def goal(self) -> Goal:
        """How far to play."""
        return Precision(self.precision / 100, self.max_runs) if self.runs is None else Fixed(self.runs)

    def check(self) -> None:
        """Refuse what cannot be played, all of it at once."""
        problems = []
        if self.runs is not None and self.runs < 1:
            problems.append(Problem("runs", f"expected a whole number from 1 up, found {self.runs}"))
        if not 0.0 < self.precision <= 50.0:
            expected = "expected percentage points above 0 and up to 50"
            problems.append(Problem("precision", f"{expected}, found {self.precision}"))
        if not 0 <= self.seed < 2**64:
            problems.append(Problem("seed", f"expected a whole number from 0 to 2**64 - 1, found {self.seed}"))
        problems += self.means.problems()
        if self.chunk is not None and self.chunk < 1:
            problems.append(Problem("chunk", f"expected a whole number from 1 up, found {self.chunk}"))
        if self.keep not in ("auto", "summary", "runs"):
            problems.append(Problem("keep", f"expected 'auto', 'summary' or 'runs', found {self.keep!r}"))
        if self.max_runs < 1:
            problems.append(Problem("max_runs", f"expected a whole number from 1 up, found {self.max_runs}"))
        if problems:
            raise InputError(problems)


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
    resume: bool = False,
    fresh: bool = False,
    backend: Backend = "local",
    address: str | None = None,
    max_runs: int = MOST_RUNS,
    progress: bool | None = None,
    command: str | None = None,
    why: bool = True,
) -> Result:
    """Play a scenario many times and sum up.

    Args:
        scenario: the fight.
        runs: how many; None plays until the win rate is known to the precision.
        precision: percentage points to either side of the win rate, at 95 % confidence.
        seed: names the luck; the same seed gives the same result.
        jobs: processes; None starts others only when that pays, -1 takes one per core.
        chunk: runs per piece of work; None measures what suits. Changes no result.
        keep: "runs" keeps the tables of the single runs, in the folder if there is one and in memory if not; "summary"
            only the sums; "auto" those of up to 200,000 runs in memory, and all of them in a folder.
        out: a folder for the tables, the manifest and the report. Finished chunks are safe there at once.
        resume: go on with what is in the folder: an interrupted run, or a finished one that is to have more runs.
        fresh: throw away what an interrupted run has left in the folder.
        backend: "dask" plays on a cluster.
        address: of the cluster's scheduler; None starts a small cluster on this machine.
        max_runs: where a run to a precision gives up, with a warning.
        progress: show a progress bar; None shows one on a terminal.
        command: what the user typed, for the report.
        why: whether the report says what decides the fight, where that costs less than the run itself.
    """
    means = Means(jobs, out, resume, fresh, backend, address)
    order = Order(scenario, runs, precision, seed, chunk, keep, max_runs, means)
    order.check()
    return _played(order, progress, command, why)


def _played(order: Order, progress: bool | None, command: str | None, why: bool) -> Result:
    """The result of an order, in its folder if it has one."""
    started, clock = datetime.now(UTC), time.perf_counter()
    scenario, fixed = order.scenario, order.runs is not None
    with ExitStack() as held:
        wish = held.enter_context(heeding())
        record = Record.of(scenario, order.seed, order.keep, order.runs, order.means)
        held.callback(record.let_go)  # whatever happens, others may use the folder afterwards
        workers = Workers(order.means.jobs, held.enter_context(cluster_for(order.means, [scenario])))
        stop = _play_until_done(order, workers, record, progress)
        if record.summary is None:
            raise Interrupted("Stopped before the first runs were finished; nothing was kept.") from stop
        provenance = Provenance(
            seed=order.seed,
            asked_runs=order.runs,
            precision=None if fixed else order.precision,
            reached=order.goal.reached(record.summary),
            stopped=stop is not None,
            jobs=workers.most_jobs,
            started=started.isoformat(timespec="seconds"),
            elapsed_s=time.perf_counter() - clock,
            peak_memory_bytes=record.peak_memory(),
            command=command,
            resumed_runs=record.resumed,
        )
        result = Result(scenario, record.cast, record.summary, provenance, record.kept, record.folder)
        result.tells_why = why and stop is None  # whoever stops it does not wait for more
        if record.folder is not None:
            result.write(record.folder)
    if stop is None and wish.signal is not None:  # it was finished by then, but whoever asked wants to go no further
        stop = StopAsked(wish.signal)
    if stop is not None:
        raise RunInterrupted(result) from stop
    return result


def _play_until_done(
    order: Order, workers: Workers, record: Record, progress: bool | None
) -> KeyboardInterrupt | None:
    """Play until the goal is met, or until the user stops it. The record is complete in either case."""
    stop: KeyboardInterrupt | None = None
    goal, target = order.goal, None
    worths: Worths | None = None  # learned when there is something to play
    try:
        with progress_bar(order.scenario.name, progress) as tell:
            try:
                while (target := record.next_target(goal)) is not None:
                    worths = _worths(order) if worths is None else worths
                    going = record.play_to(target, order.scenario, order.seed, workers, order.chunk, worths)
                    with closing(going):
                        for so_far in going:
                            tell(so_far.runs, target, rate(so_far.ended(Outcome.WIN), so_far.encounters))
            except KeyboardInterrupt as pressed:
                stop = pressed
                if record.torn:
                    raise record.left_as_it_was() from pressed
        record.close(goal, target)
    except BaseException:
        record.abandon()
        raise
    return stop


def _worths(order: Order) -> Worths:
    """What dice and cards are worth in this fight, where so many runs are played that learning it pays."""
    few = order.runs is not None and order.runs <= FIRST
    return NO_WORTHS if few else learned(order.scenario.encounter(), order.seed)


class RunInterrupted(Interrupted):
    """Stopped by the user; the runs that were finished by then are in `result`."""

    def __init__(self, result: Result) -> None:
        self.result = result
        count, so_far, more = f"{result.runs_played:,} runs", "So far: ", ", and the same command with --resume goes on"
        if not result.provenance.stopped:
            count, so_far, more = f"{count}, all that were asked for", "", ""
        kept = "nothing was written to disk"
        if result.folder:
            kept = f"their tables and report are in {result.folder}{more}"
        super().__init__(f"Stopped after {count}; {kept}. {so_far}{result.verdict}")
