"""Plays a duel into a folder and kills itself at the n-th operation on a file: a power failure at a chosen moment.

    python -m tests.runs.crashing FOLDER KILL_AT [RUNS] [--resume]

KILL_AT 0 lets it finish; the number of operations is printed.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import Any

from sim.runs.runner import run
from tests.games.misbehaving import duel

MIXED = {"avoid_percent": 3, "empty_percent": 4, "round_cap": 9}
SEED, RUNS, CHUNK = 9, 2_500, 500


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

    sys.addaudithook(watch)
    numbers = [int(word) for word in words if word.isdigit()]
    run(
        duel(**MIXED),
        runs=numbers[0] if numbers else RUNS,
        seed=SEED,
        jobs=1,
        chunk=CHUNK,
        out=folder,
        resume="--resume" in words,
        progress=False,
    )
    print(done)


if __name__ == "__main__":
    main(*sys.argv[1:])
