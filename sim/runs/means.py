"""By what means something is played: processes, folder, cluster. Nothing of it changes a result."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from sim.errors import Problem

Backend = Literal["local", "dask"]


@dataclass(frozen=True, slots=True)
class Means:
    """What a run and every question take beside what is asked."""

    jobs: int | None = None  # processes; None starts others only when that pays, -1 takes one per core
    out: str | Path | None = None  # a folder; what is finished is safe there at once
    resume: bool = False  # go on with what is in the folder
    fresh: bool = False  # throw away what an interrupted run or study has left in the folder
    backend: Backend = "local"  # "dask" plays on a cluster
    address: str | None = None  # of the cluster's scheduler; None starts a small cluster on this machine

    def problems(self) -> list[Problem]:
        """What is wrong with them, whatever is played."""
        found = []
        if self.jobs is not None and self.jobs < 1 and self.jobs != -1:
            expected = "expected a number of processes from 1 up, or -1 for all cores"
            found.append(Problem("jobs", f"{expected}, found {self.jobs}"))
        if self.out == "":
            found.append(Problem("out", "expected a folder, found ''; '.' is the current one"))
        if self.resume and self.out is None:
            found.append(Problem("resume", "there is no folder to go on with; give it with --out"))
        if self.resume and self.fresh:
            found.append(Problem("resume", "goes on with what is in the folder and 'fresh' throws it away: give one"))
        if self.backend not in ("local", "dask"):
            found.append(Problem("backend", f"expected 'local' or 'dask', found {self.backend!r}"))
        if self.address is not None and self.backend != "dask":
            found.append(Problem("address", "only a cluster has one; add --backend dask"))
        return found
