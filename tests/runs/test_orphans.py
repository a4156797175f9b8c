"""A main process that is killed leaves nobody behind."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.processes import PATIENCE, group_of, started, until_nobody_is_left

WORK = {
    "run": ["run", "overhill/playtest-1", "--runs", "500M", "--keep", "summary", "--chunk", "20k"],
    "precision run": ["run", "overhill/playtest-1", "--precision", "0.00001", "--keep", "summary", "--chunk", "20k"],
    "study": ["sensitivity", "overhill/playtest-1", "--runs", "500M"],
}


def workers_of(command: subprocess.Popen[str]) -> int:
    """How many workers of a command are there."""
    found = 0
    for process in group_of(command):
        with suppress(OSError):  # it has ended meanwhile
            found += b"LokyProcess" in Path(f"/proc/{process}/cmdline").read_bytes()
    return found


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize("kind", WORK)
def test_workers_end_when_their_main_process_is_killed(tmp_path: Path, kind: str) -> None:
    with started("-m", "sim", *WORK[kind], "--jobs", "2", "--out", str(tmp_path / "out")) as command:
        until = time.monotonic() + PATIENCE
        while workers_of(command) < 2:
            assert command.poll() is None, command.communicate()
            assert time.monotonic() < until, "no worker was started"
            time.sleep(0.05)

        os.kill(command.pid, 9)
        command.wait(PATIENCE)

        until_nobody_is_left(command)
