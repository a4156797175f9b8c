"""Workers end when the process that they work for is gone.

A main process that is killed (`kill -9`, out of memory) cannot tell its workers. They would wait for work for minutes,
or play on for nobody. So every worker looks each second whether its parent is still the process that has started it.
"""

from __future__ import annotations

import os
import threading
import time
from functools import partial
from typing import Any

from sim.runs.signals import leave_signals_to_the_main_process

LOOK = 1.0  # seconds between two looks


def watched_processes() -> Any:
    """joblib's processes on this machine, each of which begins as a worker of ours."""
    from joblib.parallel import LokyBackend

    processes = LokyBackend()
    processes.configure = partial(processes.configure, initializer=begin_as_worker, initargs=(os.getpid(),))
    return processes


def begin_as_worker(parent: int) -> None:
    """What a worker does first, before any piece arrives: Ctrl-C is not its business, and it outlives nobody."""
    leave_signals_to_the_main_process()
    outlive_nobody(parent)


def outlive_nobody(parent: int) -> None:
    """End this process soon after the one that has started it is gone."""
    if os.name == "posix":  # elsewhere the number of a parent that is gone stays the same
        threading.Thread(target=_end_with, args=(parent,), name="parent-watch", daemon=True).start()


def _end_with(parent: int) -> None:
    """End this process when the parent is gone: at once, as whatever is finished is kept already."""
    while os.getppid() == parent:
        time.sleep(LOOK)
    os._exit(1)
