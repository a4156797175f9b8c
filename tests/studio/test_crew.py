"""Worker processes: what is not wanted is broken off, who dies is replaced, what is urgent goes first."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pytest

from sim.errors import SimError
from sim.studio.crew import NOW, SOMETIME, Crew, WorkerDied
from sim.studio.tasks import Task


@dataclass(frozen=True)
class Note(Task[int]):
    """Writes into a file that it was here, and who."""

    can_be_broken_off: ClassVar[bool] = True
    file: Path
    seconds: float = 0.0

    def do(self) -> int:
        with self.file.open("a") as file:
            file.write("begun\n")
        until = time.monotonic() + self.seconds
        while time.monotonic() < until:
            sum(range(1000))
        with self.file.open("a") as file:
            file.write("done\n")
        return os.getpid()


@dataclass(frozen=True)
class Who(Task[int]):
    """Says who does it."""

    about: str

    @property
    def subject(self) -> str:
        return self.about

    def do(self) -> int:
        return os.getpid()


@dataclass(frozen=True)
class Die(Task[None]):
    """Kills its own worker, as often as there are signs left in a file."""

    file: Path

    def do(self) -> None:
        left = self.file.read_text()
        if left:
            self.file.write_text(left[1:])
            os.kill(os.getpid(), signal.SIGKILL)


@dataclass(frozen=True)
class Fail(Task[None]):
    """Fails as a fight does."""

    error: str = "SimError"

    def do(self) -> None:
        if self.error == "SimError":
            raise SimError("no such fight")
        if self.error == "MemoryError":
            raise MemoryError
        raise ValueError("odd")


def with_crew(work: Callable[[Crew], Awaitable[None]], size: int = 1) -> None:
    """Do something with a crew, and leave nobody behind."""

    async def whole() -> None:
        crew = Crew(size)
        await crew.start()
        try:
            await work(crew)
        finally:
            await crew.stop()
        assert crew.processes == []

    asyncio.run(whole())


async def begun(file: Path) -> None:
    while not file.exists():
        await asyncio.sleep(0.01)


def test_tasks_are_done_in_other_processes(tmp_path: Path) -> None:
    async def work(crew: Crew) -> None:
        found = await asyncio.gather(*(crew.do(Note(tmp_path / "note", 0.3)) for _ in range(4)))
        assert os.getpid() not in found
        assert set(found) <= set(crew.processes)

    with_crew(work, 2)


def test_a_worker_that_has_grown_too_large_makes_room_for_a_fresh_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sim.studio.crew.LARGEST", 1)

    async def work(crew: Crew) -> None:
        first = await crew.do(Note(tmp_path / "note"))
        second = await crew.do(Note(tmp_path / "note"))
        assert first != second
        assert crew.deaths == 0

    with_crew(work)


def test_what_nobody_waits_for_is_broken_off(tmp_path: Path) -> None:
    async def work(crew: Crew) -> None:
        waiting = asyncio.create_task(crew.do(Note(tmp_path / "long", 3600)))
        await begun(tmp_path / "long")
        waiting.cancel()

        who = await crew.do(Note(tmp_path / "next"))  # by the only worker, which is free again

        assert who in crew.processes
        assert crew.deaths == 0
        assert (tmp_path / "long").read_text() == "begun\n"

    with_crew(work)


@dataclass(frozen=True)
class Stay(Note):
    """A note that cannot be broken off, as whoever loads a package at that moment."""

    can_be_broken_off: ClassVar[bool] = False


def test_what_cannot_be_broken_off_is_done_though_nobody_waits(tmp_path: Path) -> None:
    async def work(crew: Crew) -> None:
        waiting = asyncio.create_task(crew.do(Stay(tmp_path / "long", 0.5)))
        await begun(tmp_path / "long")
        waiting.cancel()

        await crew.do(Note(tmp_path / "next"))

        assert (tmp_path / "long").read_text() == "begun\ndone\n"

    with_crew(work)


def test_what_is_urgent_goes_first_and_the_rest_is_done_again(tmp_path: Path) -> None:
    async def work(crew: Crew) -> None:
        later = asyncio.create_task(crew.do(Note(tmp_path / "later", 1.0), SOMETIME))
        await begun(tmp_path / "later")

        await crew.do(Note(tmp_path / "now"), NOW)

        assert not later.done()
        await later
        assert (tmp_path / "later").read_text() == "begun\nbegun\ndone\n"

    with_crew(work)


def test_a_dead_worker_is_replaced_and_its_task_done_again(tmp_path: Path) -> None:
    (tmp_path / "left").write_text("x")

    async def work(crew: Crew) -> None:
        await crew.do(Die(tmp_path / "left"))
        assert crew.deaths == 1

    with_crew(work)


def test_a_task_that_kills_every_worker_is_given_up_with_words(tmp_path: Path) -> None:
    (tmp_path / "left").write_text("x" * 50)

    async def work(crew: Crew) -> None:
        with pytest.raises(WorkerDied, match="died 3 times"):
            await crew.do(Die(tmp_path / "left"))
        assert await crew.do(Note(tmp_path / "note")) in crew.processes

    with_crew(work)


FAILURES = {"SimError": "no such fight", "MemoryError": "memory", "ValueError": "odd"}


def test_what_fails_is_told_and_the_worker_lives(tmp_path: Path) -> None:
    async def work(crew: Crew) -> None:
        before = await crew.do(Note(tmp_path / "before"))
        for error, words in FAILURES.items():
            with pytest.raises(SimError, match=words):
                await crew.do(Fail(error))

        assert await crew.do(Note(tmp_path / "after")) == before  # by the only worker, who is still the same
        assert crew.deaths == 0

    with_crew(work)


def test_a_fight_goes_to_a_worker_that_has_played_it() -> None:
    async def work(crew: Crew) -> None:
        await asyncio.gather(*(crew.do(Who(f"fight {number}")) for number in range(6)))
        knows = {about: await crew.do(Who(about)) for about in ("one", "two", "three")}

        for about in ("three", "one", "two", "one", "three", "two"):
            assert await crew.do(Who(about)) == knows[about]
        await asyncio.gather(*(crew.do(Who("one")) for _ in range(8)))  # and nobody waits in vain

    with_crew(work, size=3)
