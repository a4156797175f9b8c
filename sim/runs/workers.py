"""Those who play: this process, others on this machine, or a cluster.

Pieces of work go out and come back in order; again if a worker dies, and never more in flight than fits. Whoever wants
us to stop is heard between two pieces (`sim.runs.signals`).
"""

from __future__ import annotations

import threading
import warnings
from abc import ABC, abstractmethod
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from sim.errors import SimError
from sim.runs.cluster import Cluster
from sim.runs.orphans import watched_processes
from sim.runs.pieces import Piece, Played, play_piece
from sim.runs.signals import children_shielded, may_break_off, stop_if_asked, waiting_in

R = TypeVar("R")

WORTH_OTHERS = 2.0  # seconds of work left for one process that justify starting others
WORTH_THEM_AGAIN = 1.0  # the same when others are there already
IN_FLIGHT = 6  # pieces per process, where tables come back: bounds the memory if writing is slower than playing
RETRIES = 2  # of a piece whose worker died
MANAGER_THREAD = "ExecutorManagerThread"  # the name that joblib gives to the thread that hands out pieces

_NO_MORE: Any = object()


@dataclass(frozen=True, slots=True)
class Speed:
    """How fast this process plays, measured on the last piece it played."""

    rate: float = 0.0  # encounters a second; 0 as long as nothing was played
    measured_on: int = 0  # how many runs that piece had
    pieces: int = 0  # how many were played here; the first one is slowed by everything that happens once


class Plan(ABC, Generic[R]):
    """What is left to play, and how it is cut into pieces."""

    __slots__ = ()

    @property
    @abstractmethod
    def left(self) -> int:
        """How many encounters are left."""

    @property
    @abstractmethod
    def needs_speed(self) -> bool:
        """Whether a piece must be played here before the rest can be cut."""

    @abstractmethod
    def next(self, speed: Speed) -> Piece[R]:
        """The next piece, for this process; it is not left any more."""

    @abstractmethod
    def rest(self, speed: Speed, jobs: int) -> Sequence[Piece[R]]:
        """All that is left, for so many processes."""


@dataclass(slots=True)
class Workers:
    """This process, and others when there is enough to do."""

    jobs: int | None = None  # None decides by the work that is left, -1 takes one per core
    cluster: Cluster | None = None  # where to play; None for processes on this machine
    speed: Speed = field(default_factory=Speed)
    most_jobs: int = 1  # processes that were used

    def play(self, plan: Plan[R]) -> Generator[Played[R]]:
        """The pieces in order: here as long as that is quickest, then by others; on a cluster if there is one."""
        while plan.left:
            stop_if_asked()
            jobs = self.jobs_for(plan.left)
            if jobs > 1 or self.cluster is not None:
                pieces = self._for_others(plan, jobs)
                if pieces:
                    yield from self.spread(pieces, jobs)
                    return
            yield self.here(plan.next(self.speed))

    def _for_others(self, plan: Plan[R], jobs: int) -> Sequence[Piece[R]]:
        """What is left in pieces for others; none if it cannot be cut yet, or if there is nothing to share."""
        if self.cluster is not None:
            return [] if plan.needs_speed and not self.speed.pieces else plan.rest(self.speed, jobs)
        pieces = plan.rest(self.speed, jobs)
        return pieces if len(pieces) > 1 else []

    def jobs_for(self, encounters: int) -> int:
        """How many processes so many encounters are worth."""
        if self.cluster is not None:
            return self.cluster.processes()
        if self.jobs == 1 or self.speed.pieces < (2 if self.jobs is None else 1):
            return 1  # the first pieces tell how fast it goes
        if self.jobs is None:
            worth = WORTH_OTHERS if self.most_jobs == 1 else WORTH_THEM_AGAIN
            if encounters / self.speed.rate <= worth:
                return 1
        from joblib import cpu_count

        return self.jobs if self.jobs is not None and self.jobs > 0 else int(cpu_count())

    def here(self, piece: Piece[R]) -> Played[R]:
        """A piece in this process, which tells how fast it goes."""
        with may_break_off():
            played = play_piece(piece)
        rate = piece.encounters / max(played.seconds, 1e-6)
        self.speed = Speed(rate, piece.count, self.speed.pieces + 1)
        return played

    def spread(self, pieces: Sequence[Piece[R]], jobs: int) -> Generator[Played[R]]:
        """The pieces across processes, in their order; again if a worker dies."""
        from joblib import parallel

        self.most_jobs = max(self.most_jobs, jobs)
        if self.cluster is not None:
            self.cluster.check(*(scenario for piece in pieces for scenario in piece.scenarios))
        window = IN_FLIGHT * jobs if any(piece.bulky for piece in pieces) else len(pieces)
        deaths = self._deaths()
        at, died = 0, 0
        while at < len(pieces):
            stop_if_asked()
            results = self._sent(pieces[at : at + window], jobs)
            with _closing(results):
                try:
                    while True:
                        with waiting_in(parallel.__file__):
                            if at < len(pieces):
                                stop_if_asked()
                            played = next(results, _NO_MORE)
                        if played is _NO_MORE:
                            break
                        at, died = at + 1, 0
                        yield played
                except deaths as broken:
                    died += 1
                    if died > RETRIES:
                        raise worker_died(pieces[at], died) from broken

    def _deaths(self) -> tuple[type[BaseException], ...]:
        """What is raised when a worker dies."""
        if self.cluster is not None:
            return self.cluster.deaths
        from concurrent.futures.process import BrokenProcessPool  # not at the top: a quick run never needs it

        return (BrokenProcessPool,)

    def _sent(self, pieces: Sequence[Piece[R]], jobs: int) -> Generator[Played[R]]:
        """The pieces on their way: what comes back, in order."""
        if self.cluster is not None:
            return self.cluster.play(play_piece, pieces)
        from joblib import Parallel, delayed

        crowd = Parallel(n_jobs=jobs, backend=watched_processes(), return_as="generator", batch_size=1)
        with children_shielded():
            results: Generator[Played[R]] = crowd(delayed(play_piece)(piece) for piece in pieces)
        return results


@contextmanager
def _closing(results: Generator[R]) -> Iterator[None]:
    """Closes them at the end. That somebody stops early is meant, and no reason for joblib's warning."""
    try:
        yield
    except BaseException:
        _let_the_pool_go_in_silence()
        raise
    finally:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", ".*You could benefit from adjusting the input task iterator", UserWarning)
            results.close()


def _let_the_pool_go_in_silence() -> None:
    """No traceback of the thread that hands pieces to joblib's processes.

    It may be about to hand out a piece at the moment at which all of them are taken back, and then fails to find it.
    Nobody waits for it any more.
    """
    usual = threading.excepthook
    if getattr(usual, "lets_the_pool_go", False):
        return

    def hook(failed: threading.ExceptHookArgs) -> None:
        if not (failed.exc_type is KeyError and failed.thread and failed.thread.name == MANAGER_THREAD):
            usual(failed)

    hook.lets_the_pool_go = True  # type: ignore[attr-defined]
    threading.excepthook = hook


def worker_died(piece: Piece[Any], times: int) -> SimError:
    """What to say when one piece has cost too many workers their lives."""
    last = piece.first + piece.count - 1
    return SimError(
        f"{piece.about}: a worker process died {times} times while playing runs {piece.first:,} to {last:,}. "
        "Most often the machine ran out of memory: try fewer processes (--jobs 1). The same seed plays the same runs, "
        "so nothing changes but the time; with --out what is finished is kept, and --resume goes on with it."
    )
