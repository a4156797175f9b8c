"""Studies in a queue: each is a command in a process of its own, and its answer is the study's page in the folder."""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import signal
import time
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from sim.errors import SimError
from sim.storage.files import write_whole
from sim.studio.address import Address
from sim.studio.fights import is_shipped
from sim.studio.findings import Finding, finding_in
from sim.studio.folder import Folder
from sim.studio.processes import begin
from sim.studio.questions import Question, names_given

STUDIES = "studies"  # the folder in the folder
NOTE = "studio.json"  # beside the page of a study: what was asked
MOST_WAITING = 20
MOST_OVER = 20  # studies that are over and still listed as asked
MOST_ANSWERS = 60  # of those in the folder that are listed
PATIENCE = 0.4  # seconds between asking a study to end and ending it
LAST_WORDS = 4_000  # signs of what a study has said that are kept


@dataclass(frozen=True, slots=True)
class About:
    """What a question is about, in words."""

    fight: str
    knob: str = ""


@dataclass(slots=True)
class Asked:
    """A study in the queue."""

    number: int
    title: str
    about: str  # the fight
    words: list[str]
    folder: str  # its name below STUDIES
    address: Address  # the page from which it was asked
    state: str = "waiting"  # waiting, playing, done, failed, cancelled
    done: int = 0
    expected: int = 0
    began: float = 0.0
    so_far: str = ""  # what is known while it is played: who leads a race
    said: str = ""  # why it failed
    finding: Finding | None = None  # what can be taken over into the fight
    process: Process | None = None

    @property
    def command(self) -> str:
        """What to type to do the same."""
        return shlex.join(["fairfight", *self.words])

    @property
    def page(self) -> str:
        """The name of its page in the folder."""
        return f"{STUDIES}/{self.folder}/index.html"

    @property
    def share(self) -> float | None:
        """How much is done, of what is known to do; None if nobody knows."""
        return min(1.0, self.done / self.expected) if self.expected else None

    @property
    def left(self) -> str:
        """How long it will still take, in words."""
        share = self.share
        if not share or self.state != "playing":
            return ""
        seconds = (time.monotonic() - self.began) * (1 - share) / share
        return "a few seconds" if seconds < 10 else f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"


@dataclass(frozen=True, slots=True)
class Answered:
    """A study whose page is in the folder."""

    page: str
    title: str
    about: str
    command: str
    finding: Finding | None = None


@dataclass(slots=True)
class Queue:
    """One study at a time."""

    folder: Folder
    asked: list[Asked] = field(default_factory=list)
    changed: asyncio.Condition = field(default_factory=asyncio.Condition)
    _server: asyncio.Task[None] | None = None
    _numbers: int = 0

    async def put(self, question: Question, address: Address, given: Mapping[str, str], about: About) -> Asked:
        """Ask a question; its turn comes."""
        missing = [
            blank.label
            for blank in question.blanks
            if blank.needed and not all(given.get(name, "").strip() for name in blank.given)
        ]
        if missing:
            raise SimError(f"fill in: {', '.join(missing)}")
        if sum(one.state == "waiting" for one in self.asked) >= MOST_WAITING:
            raise SimError("enough questions are waiting; let some of them be answered first")
        words = question.words(address, given)
        self._refuse_what_leads_out(question, given)
        self._numbers += 1
        folder = _free_name(self.folder.root / STUDIES, question.name)
        title = question.title if not about.knob else f"{question.title} ({about.knob})"
        one = Asked(self._numbers, title, about.fight, [*words, f"--out={STUDIES}/{folder}"], folder, address)
        over = [old for old in self.asked if old.state not in ("waiting", "playing")]
        for old in over[: max(0, len(over) - MOST_OVER)]:
            self.asked.remove(old)
        self.asked.append(one)
        if self._server is None:
            self._server = asyncio.create_task(self._serve())
        await self._tell()
        return one

    def _refuse_what_leads_out(self, question: Question, given: Mapping[str, str]) -> None:
        """Files that a form names are files of the folder."""
        for blank in question.blanks:
            names = names_given(given, blank.name) if blank.kind == "fights" else [given.get(blank.name, "")]
            for name in names:
                if blank.kind == "file" or (blank.kind == "fights" and not is_shipped(name)):
                    self.folder.file(name)

    async def cancel(self, number: int) -> None:
        """Have a study end, or not begin."""
        for one in self.asked:
            if one.number == number and one.state in ("waiting", "playing"):
                one.state = "cancelled"
                if one.process is not None:
                    await _end(one.process)
                self._tidy_up(one)
        await self._tell()

    async def stop(self) -> None:
        """End everything."""
        if self._server is not None:
            self._server.cancel()
            await asyncio.gather(self._server, return_exceptions=True)

    def answered(self) -> list[Answered]:
        """The latest studies whose pages are in the folder, the newest first."""
        found = []
        pages = sorted((self.folder.root / STUDIES).glob("*/index.html"), key=_when, reverse=True)
        for page in pages[:MOST_ANSWERS]:
            name = page.relative_to(self.folder.root).as_posix()
            try:
                self.folder.file(name, ".html")
                note = json.loads((page.parent / NOTE).read_text(encoding="utf-8"))
                about = (str(note["title"]), str(note["about"]), str(note["command"]))
                asked = Address.of(str(note.get("address", "")))
                finding = finding_in(page.parent, asked) if asked.variant.fight else None
                found.append(Answered(name, *about, finding))
            except (SimError, OSError, ValueError, KeyError, TypeError):
                found.append(Answered(name, page.parent.name, "", ""))
        return found

    # ------------------------------------------------------------------------------------------------------ one by one

    async def _serve(self) -> None:
        while (one := next((one for one in self.asked if one.state == "waiting"), None)) is not None:
            one.state, one.began = "playing", time.monotonic()
            await self._tell()
            try:
                await self._answer(one)
            except asyncio.CancelledError:
                if one.process is not None:
                    await _end(one.process)
                raise
            await self._tell()
        self._server = None

    async def _answer(self, one: Asked) -> None:
        pipes = {"stdin": DEVNULL, "stdout": PIPE, "stderr": PIPE}
        process = one.process = await begin(
            "sim.studio.question", *one.words, cwd=self.folder.root, start_new_session=True, **pipes
        )
        if one.state == "cancelled":
            await _end(process)
        assert process.stdout is not None
        assert process.stderr is not None
        words = asyncio.create_task(process.stderr.read())
        async for line in process.stdout:
            told = json.loads(line)
            if isinstance(told, str):
                one.so_far = told
            else:
                one.done, one.expected = told
            await self._tell()
        said = (await words).decode("utf-8", "replace")
        status = await process.wait()
        if one.state == "cancelled":
            return
        page = self.folder.root / one.page
        if status in (0, 3) and page.exists():  # 3: a gate whose claims do not all hold, which is an answer too
            one.state = "done"
            one.finding = finding_in(page.parent, one.address)
            note = {"title": one.title, "about": one.about, "command": one.command, "address": one.address.query}
            write_whole(page.parent / NOTE, json.dumps(note).encode())
        else:
            one.state, one.said = "failed", said[-LAST_WORDS:].strip()
            self._tidy_up(one)

    def _tidy_up(self, one: Asked) -> None:
        """The folder of a study that has written nothing into it goes."""
        with suppress(OSError):
            (self.folder.root / STUDIES / one.folder).rmdir()

    async def _tell(self) -> None:
        async with self.changed:
            self.changed.notify_all()


async def _end(process: Process) -> None:
    """A study and all its workers."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, number)
        with suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), PATIENCE)


def _free_name(folder: Path, name: str) -> str:
    number = 1
    while (folder / f"{name}-{number}").exists():
        number += 1
    (folder / f"{name}-{number}").mkdir(parents=True)
    return f"{name}-{number}"


def _when(page: Path) -> float:
    with suppress(OSError):
        return page.stat().st_mtime
    return 0.0
