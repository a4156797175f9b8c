"""Sweeps into a folder and kills itself at the n-th operation on a file: a power failure at a chosen moment.

    python -m tests.studies.crashing_study FOLDER KILL_AT [--resume]

KILL_AT 0 lets it finish; the number of operations is printed. Figures and page are left out: they take long, and they
are written like the tables.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import Any

import sim
from sim.report import study_folder

SWEEP: dict[str, Any] = {
    "scenario": "overhill/playtest-1-ladder",
    "knobs": {"enemies.skeleton.count": [2, 3, 4]},
    "runs": 400,
    "seed": 3,
    "jobs": 1,
    "progress": False,
}


def main(folder: str, kill_at: str, *words: str) -> None:
    """Play, and die on the way."""
    done = 0

    def watch(event: str, details: tuple[Any, ...]) -> None:
        nonlocal done
        touches = event in ("os.rename", "os.remove", "os.truncate") or (
            event == "open" and isinstance(details[1], str) and ("w" in details[1] or "x" in details[1])
        )
        if touches and str(details[0]).startswith(folder):
            done += 1
            if done == int(kill_at):
                os.kill(os.getpid(), signal.SIGKILL)

    study_folder.answer_page = lambda answer, drawings: "page"
    study_folder.answer_drawings = lambda answer: []
    sys.addaudithook(watch)
    sim.sweep(**SWEEP, out=folder, resume="--resume" in words)
    print(done)


if __name__ == "__main__":
    main(*sys.argv[1:])
