"""The state of a batch of duels: all that changes."""

from __future__ import annotations

from dataclasses import dataclass

from sim.core.batch import Batch, Blank, beginning
from sim.core.lanes import Mask, Small, Wide
from sim.core.luck import Luck
from sim.core.telling import Recorder
from tests.games.coins.facts import Facts


@dataclass(slots=True)
class State(Batch):
    """All duels of a batch. Rows are the units of the cast, heroes first; the last axis is the run."""

    facts: Facts
    coins: Small  # (units, runs)
    present: Mask  # (units, runs) False where a foe did not turn up
    ruined: Mask  # (units, runs) down for good
    bluffed: Mask  # (units, runs) misses its next turn
    taken: Wide  # (runs,) coins taken by anybody

    @property
    def party_stands(self) -> Mask:
        """(runs,). Whether a hero has a coin."""
        return (self.coins[: self.facts.heroes] > 0).any(axis=0)

    @property
    def foes_stand(self) -> Mask:
        """(runs,). Whether a foe has a coin."""
        return (self.coins[self.facts.heroes :] > 0).any(axis=0)


def blank_state(facts: Facts, luck: Luck, tell: Recorder | None) -> State:
    """CD-S1: everybody is there with a full purse."""
    blank, units = Blank(len(luck.keys)), len(facts.cast.units)
    return State(
        **beginning(luck, facts.cast, tell),
        facts=facts,
        coins=blank.alike(facts.purse),
        present=blank.mask(units, value=True),
        ruined=blank.mask(units),
        bluffed=blank.mask(units),
        taken=blank.wide(),
    )
