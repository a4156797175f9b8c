"""Commands in processes of their own that hear signals, whoever has started the tests."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

ROOT = Path(__file__).parent.parent
PATIENCE = 600  # seconds until a process counts as stuck; if all is well nothing takes that long


def hear_signals() -> None:
    """For `preexec_fn`: a suite in the background of a script passes on that Ctrl-C is ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, signal.SIGTERM})


@contextmanager
def started(*words: str) -> Iterator[subprocess.Popen[str]]:
    """Python with these words, as if from a terminal of its own; nothing of it is left when this is over."""
    process = subprocess.Popen(
        [sys.executable, *words],
        cwd=ROOT,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=hear_signals,
    )
    with process:
        try:
            yield process
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def group_of(process: subprocess.Popen[str]) -> list[int]:
    """The processes that are alive among those that this one has started, and itself."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended meanwhile
            state, _, group = (folder / "stat").read_text().rpartition(")")[2].split()[:3]
            if int(group) == process.pid and state not in "ZX":
                found.append(int(folder.name))
    return found


def until_nobody_is_left(process: subprocess.Popen[str]) -> None:
    """Waits until all processes that this one has started are gone, and itself."""
    until = time.monotonic() + PATIENCE
    while left := group_of(process):
        assert time.monotonic() < until, f"still there: {left}"
        time.sleep(0.05)
