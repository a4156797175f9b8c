"""The worker processes: who does what next, who died, and what is broken off.

A task is asked for with its urgency. The most urgent one goes first; where all workers are busy with less urgent work,
one of them breaks off what it does and does it again later. Whoever no longer waits for a task (a page was closed, a
number was turned) has it broken off at once. Of several workers who have nothing to do, one takes it who has played the
fight before: of a changed fight most is made already.
"""

from __future__ import annotations

import asyncio
import heapq
import os
import pickle
from asyncio import IncompleteReadError
from asyncio.subprocess import PIPE, Process
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from sim.errors import SimError
from sim.studio.processes import begin
from sim.studio.tasks import Ready, Task
from sim.studio.worker import BREAK_OFF, DONE, FAILED, LENGTH

R = TypeVar("R")

NOW, SOON, SOMETIME = 0, 1, 2  # urgencies: the fight that is watched, what else is on the page, curves

RETRIES = 2  # of a task whose worker died
LONGEST = 60.0  # seconds that one task may take
MOST_WORKERS = 8
LARGEST = 300 << 20  # bytes of a worker at rest: whoever remembers more makes room for a fresh one


class WorkerDied(SimError):  # noqa: N818 (reads as what it says)
    """A task has cost too many workers their lives."""


@dataclass(order=True, slots=True)
class _Order:
    """A task that somebody waits for."""

    urgency: int
    number: int
    task: Task[Any] = field(compare=False)
    found: asyncio.Future[Any] = field(compare=False)
    deaths: int = field(default=0, compare=False)


@dataclass(eq=False, slots=True)
class _Worker:
    """A process, and what it is doing."""

    process: Process
    order: _Order | None = None
    knows: set[str] = field(default_factory=set)  # the fights that it has played

    def break_off(self) -> None:
        """Have it stop what it is doing."""
        if BREAK_OFF is not None and self.process.returncode is None:
            with suppress(ProcessLookupError):
                self.process.send_signal(BREAK_OFF)


@dataclass(slots=True)
class Crew:
    """All workers."""

    size: int = field(default_factory=lambda: max(2, min(MOST_WORKERS, os.cpu_count() or 2)))
    deaths: int = 0  # of workers so far; each was replaced
    _waiting: list[_Order] = field(default_factory=list)
    _workers: set[_Worker] = field(default_factory=set)
    _idle: set[_Worker] = field(default_factory=set)  # who waits for something to do
    _leaving: set[Process] = field(default_factory=set)  # who was told to go, and may still be on the way
    _posts: list[asyncio.Task[None]] = field(default_factory=list)
    _more: asyncio.Condition = field(default_factory=asyncio.Condition)
    _numbers: int = 0

    async def start(self) -> None:
        """Hire everybody; they load the games while nobody waits yet."""
        self._posts = [asyncio.create_task(self._post()) for _ in range(self.size)]

    async def stop(self) -> None:
        """Everybody goes, at once."""
        for post in self._posts:
            post.cancel()
        await asyncio.gather(*self._posts, return_exceptions=True)
        await asyncio.gather(*(process.wait() for process in self._leaving))
        for order in self._waiting:
            order.found.cancel()
        self._waiting.clear()

    @property
    def processes(self) -> list[int]:
        """The ids of the processes that are alive."""
        return [worker.process.pid for worker in self._workers if worker.process.returncode is None]

    @property
    def busy(self) -> int:
        """How many of them are doing something."""
        return sum(worker.order is not None for worker in self._workers)

    async def do(self, task: Task[R], urgency: int = NOW) -> R:
        """Have a task done. Whoever stops waiting for it has it broken off."""
        self._numbers += 1
        order = _Order(urgency, self._numbers, task, asyncio.get_running_loop().create_future())
        await self._put(order)
        try:
            found: R = await order.found
        except asyncio.CancelledError:
            for worker in self._workers:
                if worker.order is order:
                    worker.break_off()
            raise
        return found

    async def _put(self, order: _Order) -> None:
        heapq.heappush(self._waiting, order)
        if self._workers and all(worker.order is not None for worker in self._workers):
            doing = [worker for worker in self._workers if worker.order and worker.order.urgency > order.urgency]
            if doing:
                max(doing, key=lambda worker: worker.order.urgency if worker.order else 0).break_off()
        async with self._more:
            self._more.notify_all()

    async def _next(self, worker: _Worker) -> _Order:
        async with self._more:
            self._idle.add(worker)
            try:
                while True:
                    while self._waiting and self._waiting[0].found.done():
                        heapq.heappop(self._waiting)
                    if self._waiting and not self._better_left(self._waiting[0].task.subject, worker):
                        return heapq.heappop(self._waiting)
                    await self._more.wait()
            finally:
                self._idle.discard(worker)
                self._more.notify_all()  # what was better left to this one may be another's now

    def _better_left(self, subject: str, worker: _Worker) -> bool:
        """Whether somebody else who has nothing to do either knows a fight that this worker does not know."""
        return subject not in worker.knows and any(subject in other.knows for other in self._idle)

    # ------------------------------------------------------------------------------------------------------- one worker

    async def _post(self) -> None:
        """A place for a worker; whoever dies, or has grown too large, is replaced."""
        while True:
            worker = _Worker(await begin("sim.studio.worker", stdin=PIPE, stdout=PIPE))
            self._workers.add(worker)
            try:
                await _answer(worker.process, Ready())
                await self._work(worker)
                while _size(worker.process) < LARGEST:
                    await self._work(worker)
            except (IncompleteReadError, OSError, TimeoutError):
                self.deaths += 1
            finally:
                self._workers.discard(worker)
                self._leaving.add(worker.process)
                with suppress(ProcessLookupError):
                    worker.process.kill()
                await worker.process.wait()
                self._leaving.discard(worker.process)
            await asyncio.sleep(0.05)  # a worker that cannot even start must not keep the machine busy

    async def _work(self, worker: _Worker) -> None:
        """One task, from the waiting list to whoever waits for it."""
        order = await self._next(worker)
        worker.order = order
        try:
            how, found = await asyncio.wait_for(_answer(worker.process, order.task), LONGEST)
        except TimeoutError:
            waited = f"a piece of this takes more than {LONGEST:.0f} seconds, longer than the studio waits"
            _tell(order, error=SimError(waited))
            raise
        except (IncompleteReadError, OSError):
            order.deaths += 1
            if order.deaths > RETRIES:
                _tell(order, error=WorkerDied(f"a worker process died {order.deaths} times while it played this fight"))
            else:
                heapq.heappush(self._waiting, order)
            raise
        finally:
            worker.order = None
        if how == DONE:
            worker.knows.add(order.task.subject)
            _tell(order, found)
        elif how == FAILED:
            _tell(order, error=SimError(found))
        elif not order.found.done():  # broken off for something more urgent: its turn comes again
            await self._put(order)


def _size(process: Process) -> int:
    """Bytes of memory that a process has; 0 where the system does not tell it so."""
    try:
        pages = int(Path(f"/proc/{process.pid}/statm").read_text().split()[1])
    except (OSError, ValueError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def _tell(order: _Order, found: Any = None, error: Exception | None = None) -> None:
    if order.found.done():
        return
    if error is not None:
        order.found.set_exception(error)
    else:
        order.found.set_result(found)


async def _answer(process: Process, task: Task[Any]) -> tuple[str, Any]:
    """Send a task, and wait for what comes of it."""
    assert process.stdin is not None
    assert process.stdout is not None
    message = pickle.dumps(task)
    process.stdin.write(LENGTH.pack(len(message)) + message)
    await process.stdin.drain()
    length = LENGTH.unpack(await process.stdout.readexactly(LENGTH.size))[0]
    answer: tuple[str, Any] = pickle.loads(await process.stdout.readexactly(length))  # from a process of our own
    return answer
