"""One run, to watch; and what if it had gone on otherwise from a round on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sim.core.branch import Fork
from sim.replays.replay import replay
from sim.replays.what_if import WhatIf, what_if
from sim.scenario import Scenario
from sim.studio.tasks import Task

MOST_RUN = 2**53  # numbers of runs that a page can name
MOST_ROUND = 2**15  # of rounds
MOST_AGAIN = 10_000  # continuations that a page may ask for


@dataclass(frozen=True, slots=True)
class Watch(Task[str]):
    """Play one run again with somebody listening, and find the party's chance from every round on."""

    scenario: Scenario
    seed: int
    run: int
    back: str  # the address of the fight, or of the run
    what_if: str = ""  # the address that plays on
    fork: Fork | None = None
    then_policy: str = ""

    def do(self) -> str:
        """The page on which it is watched."""
        telling = replay(self.scenario, self.run, self.seed, self.fork, self.then_policy)
        return telling.page(self.back, self.what_if)


@dataclass(frozen=True, slots=True)
class PlayOn(Task[WhatIf]):
    """Play a run on from the start of a round, again and again with other luck."""

    can_be_broken_off: ClassVar[bool] = True
    scenario: Scenario
    seed: int
    run: int
    round: int
    again: int
    policy: str

    def do(self) -> WhatIf:
        """How it would have gone on."""
        return what_if(self.scenario, self.run, self.seed, self.round, self.again, self.policy)
