"""What was played to learn what decides a fight."""

from __future__ import annotations

from dataclasses import dataclass, field

from sim.core.branch import AGAIN
from sim.core.chance import Actor
from sim.results.statistics import Estimate
from sim.scenario import Scenario
from sim.studies.feel import CurveTally, EndingTally
from sim.studies.measures import PairTally, Tally
from sim.studies.shares import share, total_share, within


@dataclass(frozen=True, slots=True)
class Shared:
    """A set of draws, played: pairs that share just these, and pairs that share all others."""

    name: str
    these: PairTally  # the run itself and the mixed one
    others: PairTally  # the run with its other luck and the mixed one

    def alone(self, confidence: float) -> Estimate:
        """What these draws decide by themselves, which is never more than what they have a part in."""
        found = share(self.these, confidence)
        if not found.known:
            return found
        if self.idle:
            return within(found, 0.0, 0.0)  # no run noticed them
        return within(found, 0.0, self.total(confidence).high)

    def total(self, confidence: float) -> Estimate:
        """What they have a part in."""
        return total_share(self.others, confidence)

    @property
    def idle(self) -> bool:
        """Whether they changed nothing in any run."""
        return self.others.unlike == 0


@dataclass(slots=True)
class Findings:
    """Everything that was played for the question."""

    fight: Scenario
    seed: int
    runs: int = 0
    again: int = AGAIN
    tally: Tally | None = None
    endings: EndingTally | None = None
    curves: CurveTally | None = None
    rounds: dict[int, PairTally] = field(default_factory=dict)  # shared up to and with this round
    groups: dict[str, Shared] = field(default_factory=dict)
    sides: dict[str, Shared] = field(default_factory=dict)
    actors: dict[Actor, Shared] = field(default_factory=dict)
