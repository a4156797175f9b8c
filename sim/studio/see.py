"""One run, to watch."""

from __future__ import annotations

from dataclasses import dataclass

from sim.replays.replay import replay
from sim.scenario import Scenario
from sim.studio.tasks import Task

MOST_RUN = 2**53  # numbers of runs that a page can name


@dataclass(frozen=True, slots=True)
class Watch(Task[str]):
    """Play one run again with somebody listening, and find the party's chance from every round on."""

    scenario: Scenario
    seed: int
    run: int
    back: str  # the address of the fight

    def do(self) -> str:
        """The page on which it is watched."""
        return replay(self.scenario, self.run, self.seed).page(self.back)
