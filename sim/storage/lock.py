"""One process at a time in a folder.

On one machine the system holds the lock and lets it go when the process ends, however it ends. A process on another
machine may see the same folder without seeing that lock, so the holder also counts up a number in the lock file every
few seconds: as long as the number changes, somebody is at work. Nobody looks at a clock that can be set.
"""

from __future__ import annotations

import json
import os
import socket
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from sim.errors import InputError, Problem
from sim.storage.codec import parsed

BEAT = 2.0  # seconds between two counts
PATIENCE = 10.0  # seconds without a count after which a lock of another machine is taken over


class FolderLock:
    """A lock file, held from `take` to `release`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.handle = -1
        self.beats = 0
        self.stop = threading.Event()
        self.heart: threading.Thread | None = None

    def take(self) -> None:
        """Hold the lock, or say who does."""
        follow_no_link = getattr(os, "O_NOFOLLOW", 0)  # Windows has none
        self.handle = os.open(self.path, os.O_RDWR | os.O_CREAT | follow_no_link, 0o644)
        try:
            held_by_system = _lock(self.handle)
            if held_by_system is False:
                raise self._in_use(self._holder())
            holder = self._holder()
            elsewhere = bool(holder) and (held_by_system is None or holder.get("host") != socket.gethostname())
            if elsewhere and self._beats_on(holder):
                raise self._in_use(holder)
        except BaseException:
            os.close(self.handle)
            self.handle = -1
            raise
        self._count()
        self.heart = threading.Thread(target=self._beat, name="folder-lock", daemon=True)
        self.heart.start()

    def release(self) -> None:
        """Let others in. The file stays, because deleting it could take it away from the next one."""
        if self.handle < 0:
            return
        self.stop.set()
        if self.heart is not None:
            self.heart.join()
        with suppress(OSError):
            os.ftruncate(self.handle, 0)
        os.close(self.handle)
        self.handle = -1

    def _holder(self) -> dict[str, Any]:
        """What the lock file says; empty if nobody holds it, or if it cannot be read."""
        try:
            said = parsed(os.pread(self.handle, 4096, 0))
        except (OSError, ValueError):
            return {}
        return said if isinstance(said, dict) else {}

    def _beats_on(self, holder: dict[str, Any]) -> bool:
        """Whether the holder on another machine is still at work."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            time.sleep(min(BEAT, PATIENCE) / 4)
            if self._holder() != holder:
                return True
        return False

    def _beat(self) -> None:
        while not self.stop.wait(BEAT):
            with suppress(OSError):  # a full disk; the next count may do
                self._count()

    def _count(self) -> None:
        self.beats += 1
        said = json.dumps({"process": os.getpid(), "host": socket.gethostname(), "beats": self.beats})
        os.pwrite(self.handle, said.ljust(200).encode(), 0)

    def _in_use(self, holder: dict[str, Any]) -> InputError:
        who = f"process {holder.get('process', '?')} on {holder.get('host', '?')}" if holder else "another process"
        return InputError(
            Problem("--out", f"{self.path.parent.parent} is in use by {who}; wait for it, or choose another folder")
        )


def _lock(handle: int) -> bool | None:
    """True: ours now. False: somebody else's. None: this system has no such locks, or not in this folder."""
    try:
        import fcntl
    except ImportError:  # Windows
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True
