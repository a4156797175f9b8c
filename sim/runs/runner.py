"""Plays many runs of a scenario: in chunks, across processes, to a number of runs or to a precision.

What is sent to a worker is a stretch of run numbers, never a state: the worker builds the encounter itself and run k is
run k there too. What comes back are sums of whole numbers. So the chunk size, the number of processes and the order in
which they finish leave no trace in the result.

    goals     how far to play
    pieces    a stretch of runs, played in whatever process it arrives in
    crew      who plays: this process, others, a cluster
    record    what has been played, in memory and safe in the folder
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from sim.core.outcomes import Outcome
from sim.errors import InputError, Interrupted, Problem
from sim.results.result import Provenance, Result
from sim.results.statistics import MOST_RUNS, rate
from sim.runs.goals import Fixed, Goal, Precision
from sim.runs.pieces import BATCH, Piece, Played, peak_memory, play_piece
from sim.runs.progress import progress_bar
from sim.runs.record import Keep, Record
from sim.runs.signals import StopAsked, heeding, stop_if_asked
from sim.runs.workers import Crew, crew_problems

if TYPE_CHECKING:
    from sim.runs.cluster import Cluster
    from sim.scenario import Scenario

__all__ = ["BATCH", "Crew", "Piece", "Played", "RunInterrupted", "peak_memory", "play_piece", "run"]

Backend = Literal["local", "dask"]


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
    """
    _check(runs, precision, seed, jobs, chunk, keep, max_runs, out, resume, fresh, backend, address)
    goal: Goal = Precision(precision / 100, max_runs) if runs is None else Fixed(runs)
    started, clock = datetime.now(UTC), time.perf_counter()
    with ExitStack() as held:
        wish = held.enter_context(heeding())
        record = Record.of(scenario, seed, keep, runs, None if out is None else Path(out), resume, fresh)
        held.callback(record.let_go)  # whatever happens, others may use the folder afterwards
        crew = Crew(jobs, chunk, cluster=held.enter_context(_cluster(backend, address, jobs, scenario)))
        stop = _play_until(goal, scenario, seed, crew, record, progress)
        if record.summary is None:
            raise Interrupted("Stopped before the first runs were finished; nothing was kept.") from stop
        result = Result(
            scenario=scenario,
            cast=record.cast,
            sums=record.summary,
            provenance=Provenance(
                seed=seed,
                asked_runs=runs,
                precision=None if runs is not None else precision,
                reached=goal.reached(record.summary),
                stopped=stop is not None,
                jobs=crew.most_jobs,
                started=started.isoformat(timespec="seconds"),
                elapsed_s=time.perf_counter() - clock,
                peak_memory_bytes=record.peak_memory(),
                command=command,
                resumed_runs=record.resumed,
            ),
            kept=record.kept,
            folder=record.folder,
        )
        if record.folder is not None:
            result.write(record.folder)
    if stop is None and wish.signal is not None:  # it was finished by then, but whoever asked wants to go no further
        stop = StopAsked(wish.signal)
    if stop is not None:
        raise RunInterrupted(result) from stop
    return result


def _play_until(
    goal: Goal, scenario: Scenario, seed: int, crew: Crew, record: Record, progress: bool | None
) -> KeyboardInterrupt | None:
    """Play until the goal is met, or until the user stops it. The record is complete in either case."""
    stop: KeyboardInterrupt | None = None
    target: int | None = None
    try:
        with progress_bar(scenario.name, progress) as tell:
            try:
                while (target := record.next_target(goal)) is not None:
                    stop_if_asked()
                    with closing(record.play_to(target, scenario, seed, crew)) as going:
                        for so_far in going:
                            tell(so_far.runs, target, rate(so_far.ended(Outcome.WIN), so_far.encounters))
                            if so_far.runs < target:
                                stop_if_asked()
            except KeyboardInterrupt as pressed:
                stop = pressed
                if record.torn:
                    raise record.left_as_it_was() from pressed
        record.close(goal, target)
    except BaseException:
        record.abandon()
        raise
    return stop


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


@contextmanager
def _cluster(backend: Backend, address: str | None, jobs: int | None, scenario: Scenario) -> Iterator[Cluster | None]:
    """The cluster to play on, its workers checked; None for this machine's own processes."""
    if backend == "local":
        yield None
        return
    from sim.runs.cluster import Cluster

    with Cluster(address, jobs) as cluster:
        cluster.check(scenario)
        yield cluster


def _check(
    runs: int | None,
    precision: float,
    seed: int,
    jobs: int | None,
    chunk: int | None,
    keep: str,
    max_runs: int,
    out: str | Path | None,
    resume: bool,
    fresh: bool,
    backend: str,
    address: str | None,
) -> None:
    """Refuse what cannot be played, all of it at once."""
    problems = []
    if runs is not None and runs < 1:
        problems.append(Problem("runs", f"expected a whole number from 1 up, found {runs}"))
    if not 0.0 < precision <= 50.0:
        problems.append(Problem("precision", f"expected percentage points above 0 and up to 50, found {precision}"))
    if not 0 <= seed < 2**64:
        problems.append(Problem("seed", f"expected a whole number from 0 to 2**64 - 1, found {seed}"))
    problems += crew_problems(jobs, out, resume, fresh, backend, address)
    if chunk is not None and chunk < 1:
        problems.append(Problem("chunk", f"expected a whole number from 1 up, found {chunk}"))
    if keep not in ("auto", "summary", "runs"):
        problems.append(Problem("keep", f"expected 'auto', 'summary' or 'runs', found {keep!r}"))
    if max_runs < 1:
        problems.append(Problem("max_runs", f"expected a whole number from 1 up, found {max_runs}"))
    if problems:
        raise InputError(problems)
