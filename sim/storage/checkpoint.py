"""A folder of finished pieces of work, each under a name and with a digest."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

from sim.core.plain_text import cleaned
from sim.errors import InputError, Problem
from sim.storage.codec import parsed
from sim.storage.files import PART, digest_of, write_whole
from sim.storage.lock import FolderLock
from sim.storage.ownership import FOLDER, IDENTITY, LOCK, PIECE, REJECTED, refuse_foreign

T = TypeVar("T")

LOG = logging.getLogger("fairfight")

FORMAT = 1  # of the pieces; raised when older ones cannot be read any more

_MAGIC = b"fairfight piece "
_LONGEST_SHOWN = 200  # letters of a value that somebody may have put into a file
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,99}")


@dataclass(frozen=True, slots=True)
class Kept:
    """A finished piece of work."""

    name: str
    facts: dict[str, Any]  # what JSON knows
    blobs: dict[str, bytes]


class Checkpoint:
    """The finished pieces of one piece of work, in `folder/checkpoint`. Made by `open`; one process at a time."""

    def __init__(self, folder: Path, identity: Mapping[str, Any]) -> None:
        self.folder = folder / FOLDER
        self.identity = dict(identity) | {"format": FORMAT}
        self.mark = digest_of(json.dumps(self.identity, sort_keys=True).encode())
        self.lock = FolderLock(self.folder / LOCK)

    @classmethod
    def open(cls, folder: Path, identity: Mapping[str, Any], *, resume: bool, fresh: bool = False) -> Checkpoint:
        """Take the folder for this piece of work.

        Args:
            identity: everything that decides the result, such as scenario, seed and version: plain values.
            resume: go on with what is there; if that is another piece of work, say so and stop.
            fresh: without `resume`, throw away even what an interrupted piece of work has left.
        """
        checkpoint = cls(folder, identity)
        refuse_foreign(folder, (), study="study" in identity)
        checkpoint.folder.mkdir(parents=True, exist_ok=True)
        checkpoint.lock.take()
        try:
            checkpoint._begin(folder, resume, fresh)
        except BaseException:
            checkpoint.close()
            raise
        return checkpoint

    def _begin(self, folder: Path, resume: bool, fresh: bool) -> None:
        before = identity_in(folder)
        if resume:
            if before is not None:
                self._same_as(before, folder)
            elif (folder / "manifest.json").exists():
                problem = f"{folder} holds a result that cannot be gone on with: it has no checkpoint"
                raise InputError(Problem("--resume", f"{problem}; choose another folder, or leave out --resume"))
        else:
            if before is not None and self.names() and not fresh:
                raise InputError(Problem("--out", self._would_lose(before, folder)))
            for path in self.folder.iterdir():
                if path.name not in (LOCK, IDENTITY):  # whose they are is known as long as one of them is there
                    path.unlink()
        for path in self.folder.glob(f"*{PART}"):  # of a process that was killed
            path.unlink()
        if before != self.identity or not resume:
            write_whole(self.folder / IDENTITY, (json.dumps(self.identity, indent=2) + "\n").encode())

    def _same_as(self, before: dict[str, Any], folder: Path) -> None:
        differ = [key for key in {**before, **self.identity} if before.get(key) != self.identity.get(key)]
        if differ:
            pairs = [(key, _shown(before.get(key)), _shown(self.identity.get(key))) for key in differ]
            what = "; ".join(f"{key} is {there}, not {here}" for key, there, here in pairs)
            remedy = "choose another folder, or leave out --resume to replace what is there"
            raise InputError(Problem("--resume", f"{folder} holds other runs: {what}; {remedy}"))

    def _would_lose(self, before: dict[str, Any], folder: Path) -> str:
        whose = ", ".join(f"{key} {_shown(value)}" for key, value in before.items() if key in ("scenario", "seed"))
        return (
            f"{folder} holds runs that would be lost: an interrupted result, or a large one ({whose or 'unknown'}); "
            "--resume goes on with it, --fresh throws it away"
        )

    # ------------------------------------------------------------------------------------------------------ pieces

    def names(self) -> list[str]:
        """The pieces that are there, sorted."""
        found = (path.name.removesuffix(PIECE) for path in self.folder.glob(f"*{PIECE}"))
        return sorted(name for name in found if _NAME.fullmatch(name))

    def put(self, name: str, facts: Mapping[str, Any], blobs: Mapping[str, bytes] | None = None) -> None:
        """Keep a finished piece. When this returns it is on the disk."""
        if not _NAME.fullmatch(name):
            raise ValueError(f"{name!r}: expected small letters, digits and dashes")
        blobs = blobs or {}
        sizes = {blob: len(content) for blob, content in blobs.items()}
        header = json.dumps({"of": self.mark, "name": name, "facts": dict(facts), "blobs": sizes}, allow_nan=False)
        body = b"".join([header.encode(), b"\n", *blobs.values()])
        write_whole(self._path(name), b"%s%s\n%s" % (_MAGIC, digest_of(body).encode(), body))

    def get(self, name: str) -> Kept | None:
        """A piece; None if it is not there. One that is damaged or foreign is reported and put aside."""
        try:
            content = self._path(name).read_bytes()
        except FileNotFoundError:
            return None
        try:
            return self._read(name, content)
        except _UnusableError as reason:
            self.reject(name, str(reason))
            return None

    def made_of(self, name: str, make: Callable[[Kept], T]) -> T | None:
        """What `make` makes of a piece; None if it is not there.

        A digest says that a piece is whole, not that it is right: one that `make` refuses is put aside too.
        """
        kept = self.get(name)
        if kept is None:
            return None
        try:
            return make(kept)
        except KeyError as missing:
            self.reject(name, f"it does not say {missing}")
        except ValueError as reason:
            self.reject(name, str(reason)[:_LONGEST_SHOWN])
        except (TypeError, AttributeError, OverflowError) as error:
            self.reject(name, f"not what was kept: {error}"[:_LONGEST_SHOWN])
        return None

    def _read(self, name: str, content: bytes) -> Kept:
        first, _, body = content.partition(b"\n")
        if not first.startswith(_MAGIC):
            raise _UnusableError("not a piece of ours")
        if first.removeprefix(_MAGIC).decode("ascii", "replace") != digest_of(body):
            raise _UnusableError("damaged: its digest does not fit")
        head, _, rest = body.partition(b"\n")
        try:
            header = parsed(head)
            whose, facts, sizes = (header["of"], header["name"]), header["facts"], list(header["blobs"].items())
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise _UnusableError("its first lines are not ours") from error
        if whose != (self.mark, name):
            raise _UnusableError("a piece of something else")
        if not all(type(size) is int and size >= 0 for _, size in sizes) or sum(size for _, size in sizes) != len(rest):
            raise _UnusableError("it is shorter or longer than it says")
        if not isinstance(facts, dict):
            raise _UnusableError("its first lines are not ours")
        blobs, at = {}, 0
        for blob, size in sizes:
            blobs[blob] = rest[at : at + size]
            at += size
        return Kept(name, facts, blobs)

    def reject(self, name: str, reason: str) -> None:
        """Say that a piece cannot be used, and put it aside."""
        path = self._path(name)
        LOG.warning("%s: %s; it is put aside and its runs are played again", path, cleaned(reason))
        path.replace(path.with_name(path.name + REJECTED))

    def drop(self, name: str) -> None:
        """A piece that is not needed any more."""
        self._path(name).unlink(missing_ok=True)

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}{PIECE}"

    # ------------------------------------------------------------------------------------------------------- the end

    def close(self) -> None:
        """Let others in."""
        self.lock.release()

    def __enter__(self) -> Checkpoint:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


class _UnusableError(Exception):
    """Why a piece cannot be used."""


def identity_in(folder: Path) -> dict[str, Any] | None:
    """Whose pieces are kept in a folder; None if nobody's."""
    try:
        said = parsed((folder / FOLDER / IDENTITY).read_bytes())
    except FileNotFoundError:
        return None
    except ValueError:
        said = None
    return said if isinstance(said, dict) else {"format": "unreadable"}


def only_piece(folder: Path) -> tuple[str, dict[str, Any]] | None:
    """Name and facts of the piece that a folder keeps, if it keeps just one; asked without taking the folder."""
    pieces = list((folder / FOLDER).glob(f"*{PIECE}"))
    if len(pieces) != 1:
        return None
    try:
        facts = parsed(pieces[0].read_bytes().split(b"\n", 2)[1])["facts"]
    except (OSError, ValueError, IndexError, KeyError, TypeError):
        return None  # damaged: whoever takes the folder will see
    if not isinstance(facts, dict):
        return None
    return pieces[0].name.removesuffix(PIECE), facts


def _shown(value: Any) -> str:
    shown = "not given" if value is None else str(value)
    return shown if len(shown) <= _LONGEST_SHOWN else f"{shown[:_LONGEST_SHOWN]} ..."
