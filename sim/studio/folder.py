"""The files of the folder that the studio was opened on, and no others.

Nothing outside of it is read or written: no `..`, no absolute path, no link that leads out. A file is there as a whole
or not at all, and none is overwritten that somebody has changed meanwhile.
"""

from __future__ import annotations

import os
import stat
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from sim.errors import SimError
from sim.scenario.bestiary import is_bestiary
from sim.storage.files import digest_of, write_whole

DEEPEST = 4  # folders within folders that are looked through
MOST_FILES = 500  # that are listed
LARGEST = 30_000_000  # bytes of a file that is read
DIGITS = 16  # of the digest of a file, in an address


class Refused(SimError):  # noqa: N818 (reads as what it says)
    """A name that leads out of the folder, or to something that is no plain file."""


class AlreadyThere(SimError):  # noqa: N818
    """A file of this name is there; whoever wants to replace it must say so, and know what it holds."""

    def __init__(self, name: str, digest: str) -> None:
        super().__init__(f"{name} is there already")
        self.name, self.digest = name, digest


@dataclass(frozen=True, slots=True)
class Found:
    """A scenario file of the folder."""

    name: str  # its path inside the folder
    title: str
    ruleset: str


@dataclass(frozen=True, slots=True)
class Folder:
    """The one folder that is worked in."""

    root: Path

    def file(self, name: str, ending: str = ".toml") -> Path:
        """The file of this name, there or not."""
        parts = PurePosixPath(name).parts
        if not name or "\\" in name or "\0" in name or PurePosixPath(name).is_absolute() or not parts:
            raise Refused(f"{name!r} is no name of a file in this folder")
        if any(part in ("..", ".") or part.startswith(".") for part in parts) or Path(name).is_absolute():
            raise Refused(f"{name!r} leads out of the folder, or to a hidden file")
        if not name.endswith(ending):
            raise Refused(f"{name!r}: the name of the file must end in {ending}")
        path = self.root
        for part in parts:
            path = path / part
            if path.is_symlink():
                raise Refused(f"{name!r} leads through a link, which the studio does not follow")
        return path

    def read(self, name: str, ending: str = ".toml") -> bytes:
        """What a file holds."""
        path = self.file(name, ending)
        try:
            handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
        except OSError as error:
            raise Refused(f"{name}: cannot be read: {error.strerror}") from error
        about = os.fstat(handle)
        if not stat.S_ISREG(about.st_mode) or about.st_size > LARGEST:
            os.close(handle)
            raise Refused(f"{name}: is no file of a bearable size")
        with os.fdopen(handle, "rb") as file:
            return file.read()

    def digest(self, name: str) -> str:
        """A short name for what a file holds now; empty if it cannot be read."""
        try:
            return digest_of(self.read(name))[:DIGITS]
        except Refused:
            return ""

    def write(self, name: str, content: bytes, replaces: str = "") -> Path:
        """Write a file, whole or not at all. One that is there is replaced only by who knows its digest."""
        path = self.file(name)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.is_symlink() or path.exists():
                now = self.digest(name)
                if not replaces or now != replaces:
                    raise AlreadyThere(name, now)
                write_whole(path, content)
            else:
                _write_new(path, name, content)
        except OSError as error:
            raise Refused(f"{name}: cannot be written: {error.strerror or error}") from error
        return path

    def scenarios(self) -> list[Found]:
        """The scenario files of the folder, those on top first."""
        found = []
        for path in self._toml_files(self.root, DEEPEST):
            name = path.relative_to(self.root).as_posix()
            with suppress(Refused, ValueError, UnicodeDecodeError, RecursionError):
                table = tomllib.loads(self.read(name).decode())
                if isinstance(table.get("ruleset"), str) and "question" not in table and not is_bestiary(table):
                    found.append(Found(name, str(table.get("title", name)), table["ruleset"]))
            if len(found) >= MOST_FILES:
                break
        return sorted(found, key=lambda one: (one.name.count("/"), one.name))

    def claims(self) -> list[str]:
        """The names of the files that hold claims for a gate."""
        found = []
        for path in self._toml_files(self.root, DEEPEST):
            name = path.relative_to(self.root).as_posix()
            with suppress(Refused, ValueError, UnicodeDecodeError, RecursionError):
                if "claims" in tomllib.loads(self.read(name).decode()):
                    found.append(name)
        return found[:MOST_FILES]

    def _toml_files(self, folder: Path, depth: int) -> Iterator[Path]:
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError:
            return
        for entry in entries:
            if entry.name.startswith(".") or entry.is_symlink():
                continue
            if entry.is_dir() and depth > 1:
                yield from self._toml_files(folder / entry.name, depth - 1)
            elif entry.name.endswith(".toml") and entry.is_file():
                yield folder / entry.name


def _write_new(path: Path, name: str, content: bytes) -> None:
    """A file that was not there: if somebody else is quicker, theirs stays."""
    beside = path.with_name(f".{path.name}.{os.getpid()}.new")
    write_whole(beside, content)
    try:
        os.link(beside, path)
    except FileExistsError:
        raise AlreadyThere(name, "") from None
    finally:
        beside.unlink(missing_ok=True)
