"""Processes of our own: Python with a module of this very package, wherever the studio was started."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from asyncio.subprocess import Process
from contextlib import suppress
from pathlib import Path
from typing import Any

HERE = str(Path(__file__).parents[2])  # the folder that the package is in
STARTED_BY = "FAIRFIGHT_STARTED_BY"  # the variable that tells a process of ours who has started it


async def begin(module: str, *words: str, **how: Any) -> Process:
    """Start a module with these words; `how` is as for `asyncio.create_subprocess_exec`.

    Where nobody waits for it any more before it has begun, it ends at once: nobody else knows of it.
    """
    paths = os.pathsep.join(filter(None, [HERE, os.environ.get("PYTHONPATH", "")]))
    beginning = asyncio.create_task(
        asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            module,
            *words,
            env=os.environ | {"PYTHONPATH": paths, STARTED_BY: str(os.getpid())},
            preexec_fn=_leave_ctrl_c_to_the_studio if os.name == "posix" else None,
            **how,
        )
    )
    try:
        return await asyncio.shield(beginning)
    except asyncio.CancelledError:
        process = await beginning
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
        raise


def started_by() -> int:
    """In such a process: the studio that has started it, which may be gone by now."""
    return int(os.environ[STARTED_BY])


def _leave_ctrl_c_to_the_studio() -> None:
    """From the first moment: a process that is still starting would answer Ctrl-C with a traceback."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
