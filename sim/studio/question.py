"""A study in a process of its own: the very command that the page shows, with its progress told line by line.

Started by `sim.studio.queue` as `python -m sim.studio.question WORDS`: what `fairfight WORDS` does. Progress goes
to the standard output of this process as JSON, numbers of runs and lines about what is known so far; what the command
itself prints goes to standard error.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress

from sim.cli import main as fairfight
from sim.results.statistics import Estimate
from sim.runs.orphans import outlive_nobody
from sim.runs.progress import listening
from sim.studio.processes import started_by

LOWER = 5  # how much this gives way to the fight that somebody watches


def main() -> None:
    """Do it, and tell how far it is."""
    outlive_nobody(started_by())
    told = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    with suppress(AttributeError, OSError):  # Windows has no such thing
        os.nice(LOWER)

    def tell(done: int, expected: int, _win_rate: Estimate) -> None:
        with suppress(BrokenPipeError):
            print(json.dumps([done, expected]), file=told, flush=True)

    def say(line: str) -> None:
        with suppress(BrokenPipeError):
            print(json.dumps(line), file=told, flush=True)

    with listening(tell, say):
        fairfight()


if __name__ == "__main__":
    main()
