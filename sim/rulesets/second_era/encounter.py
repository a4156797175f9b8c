"""A Second Era battle ready to be played, and what it yields (SE-X7, SE-X8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.batch import Carried
from sim.core.chance import Actor
from sim.core.engine import Encounter
from sim.core.lanes import Lanes, cut
from sim.core.ledger import Ledger
from sim.core.luck import Luck
from sim.core.outcomes import Ending, Outcome
from sim.core.telling import Recorder, Scene
from sim.rulesets.second_era.evening import leaving
from sim.rulesets.second_era.facts import Facts, after_other_battles, make_facts
from sim.rulesets.second_era.look import look
from sim.rulesets.second_era.plan import Plan
from sim.rulesets.second_era.player import Player
from sim.rulesets.second_era.rules.rounds import play_round
from sim.rulesets.second_era.rules.setup import set_up
from sim.rulesets.second_era.schema import SecondEraScenario
from sim.rulesets.second_era.state import State


class SecondEraEncounter(Encounter[State]):
    """A compiled battle. Holds facts and look-up tables; all that changes is in the State."""

    def __init__(self, scenario: SecondEraScenario, switches: Mapping[str, Any], plans: Sequence[Plan]) -> None:
        self.facts = make_facts(scenario, switches, plans)
        self.cast = self.facts.cast
        self.player = Player(plans)
        self.in_an_evening = after_other_battles(self.facts)

    @property
    def varying_facts(self) -> Facts:
        """Its facts, by which it can share a batch with variants of the battle."""
        return self.facts

    @property
    def plans(self) -> tuple[Plan, ...]:
        """How the party plays."""
        return tuple(self.player.plans)

    def with_facts(self, facts: Facts) -> SecondEraEncounter:
        """The same encounter with the facts of several variants in one."""
        several = copy(self)
        several.facts, several.cast = facts, facts.cast
        return several

    def start(self, luck: Luck, tell: Recorder | None, arriving: Carried | None = None) -> State:
        """SE-S1 to SE-S7, SE-V1: everything before round 1."""
        return set_up(self.facts if arriving is None else self.in_an_evening, luck, tell, arriving)

    def leaving(self, s: State, at: Lanes) -> Carried:
        """SE-V1: what the party takes along."""
        return leaving(s, at)

    def play_round(self, s: State) -> None:
        """SE-R1 to SE-R7: one round."""
        play_round(s, self.player)

    def actors(self) -> list[Actor]:
        """Adventurers, companions and enemies, each under its own number."""
        numbers = self.facts.actor.tolist()
        return [
            Actor(unit.name, unit.side, ((number, number),))
            for unit, number in zip(self.cast.units, numbers, strict=True)
        ]

    def look(self, s: State) -> Scene:
        """The table as it stands."""
        return look(s)

    def ending(self, s: State, at: Lanes, book: Ledger) -> Ending:
        """SE-X7, SE-X8: what is counted per run."""
        hp = cut(s.hp, at).astype(np.int32)
        won = s.outcome[at] == Outcome.WIN
        return Ending(
            xp=won.astype(np.int32) * np.int32(s.own(self.facts.reward, at)),
            counts=self.counts(s, at),
            hp=hp,
            present=np.ones(hp.shape, dtype=bool),
            dead=hp == 0,
            met=self.met(s, at),
        )

    def met(self, s: State, at: Lanes) -> dict[str, NDArray[np.bool_]]:
        """SE-S4: by enemy of the bags: (lanes,) whether the pool drew it at least once."""
        drawn = cut(s.kind[s.units - len(self.facts.pool) :], at)
        kinds = (kind for bag in self.facts.bags.values() for kind in bag)
        return {name: (drawn == kind).any(axis=0) for name, kind in zip(self.cast.met, kinds, strict=True)}

    def counts(self, s: State, at: Lanes) -> dict[str, NDArray[np.int32]]:
        """SE-X7: the game's own columns."""
        down = cut(s.hp, at) == 0
        heroes, party = s.heroes, s.party

        def total(table: NDArray[Any]) -> NDArray[np.int32]:
            return cut(table, at).sum(axis=0, dtype=np.int32)

        nobody = cut(s.harm[s.units], at)  # (units, lanes) lost to statuses and fatigue
        columns = {
            "standing": (~down[:heroes]).sum(axis=0, dtype=np.int32),
            "adventurers_defeated": down[:heroes].sum(axis=0, dtype=np.int32),
            "companions_lost": down[heroes:party].sum(axis=0, dtype=np.int32),
            "retreated": s.retreated[at].astype(np.int32),
            "healed": total(s.regained),
            "prevented_defense": total(s.prevented_defense),
            "prevented_guard": total(s.prevented_guard),
            "prevented_bonus": total(s.prevented_bonus),
            "statuses_party": total(s.statuses[:party]),
            "statuses_enemies": total(s.statuses[party:]),
            "worn_party": nobody[:party].sum(axis=0, dtype=np.int32),
            "worn_enemies": nobody[party:].sum(axis=0, dtype=np.int32),
            "light_fatigue": total(s.light),
            "overfatigue": total(s.over),
            "dice_drained": total(s.drained),
            "tenacity": total(s.tenacity_gained),
        }
        for row in range(heroes):
            columns[f"engages_{row + 1}"] = s.engages[row, at].astype(np.int32)
            columns[f"hexes_{row + 1}"] = s.hexes[row, at].astype(np.int32)
        for level in dict.fromkeys(self.facts.levels):
            of_level = np.array([[other == level] for other in self.facts.levels])
            columns[f"defeated_level_{level}"] = (down[party:] & of_level).sum(axis=0, dtype=np.int32)
        return columns
