"""Ctrl-C and SIGTERM before the n-th operation on a file, for many n: nothing is spoiled, and all can be gone on with.

    python -m tests.runs.interrupting FOLDER WHAT JOBS MOMENTS KNOCK...

WHAT is `fresh`, `growing` or one of the questions of `tests.studies.questions`. MOMENTS is how many operations
are tried with each knock, spread over all; 0 tries all. A KNOCK is a signal and how often: SIGINT:1, SIGTERM:2.
Prints how many moments were tried; a moment that goes wrong ends it with a traceback. A process of its own, because it
decides itself what signals mean to it.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pyarrow.parquet as pq

from sim.errors import Interrupted
from sim.report import result_folder, study_folder
from sim.runs.runner import run
from sim.runs.signals import POLITE, StopAsked, answering
from tests.games.misbehaving import duel
from tests.studies.questions import QUESTIONS, found

MIXED = {"avoid_percent": 3, "empty_percent": 4, "round_cap": 9}
RUNS, BEFORE, CHUNK = 1_500, 600, 300
TABLES = ("runs.parquet", "units.parquet", "abilities.parquet", "summary.csv")


class Watch:
    """Counts the operations on files below a folder, and sends itself a signal before one of them."""

    def __init__(self) -> None:
        self.folder, self.done = "", 0
        self.at, self.number, self.times = 0, signal.SIGINT, 0
        sys.addaudithook(self.see)

    def begin(self, folder: Path, at: int = 0, number: signal.Signals = signal.SIGINT, times: int = 0) -> None:
        self.folder, self.done = f"{folder}{os.sep}", 0
        self.at, self.number, self.times = at, number, times

    def end(self) -> None:
        self.folder = ""

    def see(self, event: str, details: tuple[Any, ...]) -> None:
        touches = event in ("os.rename", "os.remove", "os.truncate") or (
            event == "open" and isinstance(details[1], str) and ("w" in details[1] or "x" in details[1])
        )
        if touches and self.folder and str(details[0]).startswith(self.folder):
            self.done += 1
            if self.done == self.at:
                for _ in range(self.times):
                    os.kill(os.getpid(), self.number)

    @property
    def knocked(self) -> bool:
        return self.done >= self.at


def whole_run(folder: Path) -> None:
    """Rows, sums and manifest agree, or there are neither tables nor a manifest."""
    assert not list(folder.rglob("*.part")), list(folder.rglob("*.part"))
    if not (folder / "manifest.json").exists():
        assert not (folder / "runs.parquet").exists()
        assert not (folder / "units.parquet").exists()
        return
    runs = json.loads((folder / "manifest.json").read_text())["runs"]
    played = pq.read_table(folder / "runs.parquet")
    units = pq.read_table(folder / "units.parquet")
    sums = json.loads((folder / "checkpoint/sums.piece").read_bytes().splitlines()[1])["facts"]["summary"]
    assert played["run"].to_pylist() == list(range(runs))
    assert units["run"].to_pylist() == sorted(units["run"].to_pylist())
    assert sums["runs"] == runs
    assert sum(sums["present"]["array"]) == units.num_rows > 0


def whole_study(folder: Path) -> None:
    """All files of the answer, or none."""
    assert not list(folder.rglob("*.part")), list(folder.rglob("*.part"))
    files = {path.name for path in folder.iterdir() if path.is_file()}
    if "study.json" in files:
        assert set(json.loads((folder / "study.json").read_text())["files"]) == files
    else:
        assert not files


def run_tables(folder: Path) -> Any:
    return {name: (folder / name).read_bytes() for name in TABLES}


Step: TypeAlias = Callable[..., Any]


def works(what: str, jobs: int) -> tuple[Step, Step, Step, Step]:
    """How it is begun, how it is played, what must hold whenever it stops, and what it has found."""
    if what in ("fresh", "growing"):

        def play(folder: Path, runs: int = RUNS, **how: Any) -> None:
            run(duel(**MIXED), runs=runs, seed=9, chunk=CHUNK, out=folder, progress=False, **({"jobs": jobs} | how))

        def begin(folder: Path) -> None:
            if what == "growing":
                play(folder, BEFORE, jobs=1)

        return begin, play, whole_run, run_tables

    def ask(folder: Path, **how: Any) -> None:
        QUESTIONS[what](out=folder, seed=3, progress=False, **({"jobs": jobs} | how))

    return (lambda folder: None), ask, whole_study, found


def main(root: str, what: str, jobs: str, moments: str, *knocks: str) -> None:
    """Every moment, one after the other."""
    for number in POLITE:  # a suite that was started in the background passes on that Ctrl-C is ignored
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    result_folder.result_page = lambda result: "page"  # drawing takes longer than everything else
    study_folder.answer_page = lambda answer, drawings: "page"
    study_folder.answer_drawings = lambda answer: []
    begin, play, whole, result = works(what, int(jobs))
    watch, folder, tried = Watch(), Path(root), 0
    growing = what == "growing"
    begin(folder / "all")
    watch.begin(folder / "all")
    play(folder / "all", resume=growing)
    operations, expected = watch.done, result(folder / "all")
    every = max(1, operations // int(moments)) if int(moments) else 1
    for knock in knocks:
        name, _, times = knock.partition(":")
        number = signal.Signals[name]
        for at in range(1 + tried % every, operations + 1, every):
            here = folder / f"{name}-{times}-{at}"
            watch.end()
            begin(here)
            watch.begin(here, at, number, int(times))
            heard = None
            try:
                with answering(to_the_end=False):
                    play(here, resume=growing)
            except Interrupted as stopped:
                heard = stopped.__cause__
            assert (heard.number if isinstance(heard, StopAsked) else None) == (number if watch.knocked else None), here
            watch.end()
            whole(here)
            play(here, resume=True, jobs=1)
            whole(here)
            assert result(here) == expected, here
            tried += 1
    print(json.dumps({"operations": operations, "tried": tried}))


if __name__ == "__main__":
    main(*sys.argv[1:])
