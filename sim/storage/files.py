"""Files that are there as a whole or not at all, even if the power fails in between."""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from pathlib import Path
from typing import IO

PART = ".part"  # the end of the name of a file that is being written
_BLOCK = 1 << 20  # bytes read at once


def write_whole(path: Path, content: bytes) -> None:
    """Write a file beside its place, make sure that it is on the disk, and move it there."""
    part = path.with_name(f"{path.name}.{os.getpid()}{PART}")
    try:
        with begin_part(part) as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        move_whole(part, path)
    except BaseException:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise


def begin_part(part: Path) -> IO[bytes]:
    """A new file that is being written: one that was left there is removed, and a link is not followed."""
    part.unlink(missing_ok=True)
    return part.open("xb")


def move_whole(part: Path, path: Path) -> None:
    """Give a file that is on the disk its own name, so that the name is on the disk too."""
    part.replace(path)
    settle(path.parent)


def settle(folder: Path) -> None:
    """Make sure that the names in a folder are on the disk."""
    with suppress(OSError):  # not every system can do this with a folder; those that cannot do it by themselves
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def digest_of(content: bytes) -> str:
    """A short name for some bytes: another one for any other bytes."""
    return hashlib.blake2b(content, digest_size=32).hexdigest()


def digest_of_file(path: Path) -> str:
    """The same for a file, read in blocks; empty if there is no such file."""
    digest = hashlib.blake2b(digest_size=32)
    try:
        with path.open("rb") as file:
            while block := file.read(_BLOCK):
                digest.update(block)
    except FileNotFoundError:
        return ""
    return digest.hexdigest()
