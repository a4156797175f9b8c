"""An Overhill fight ready to be played."""

from __future__ import annotations

from sim.core.batch import Carried
from sim.core.chance import Actor, actors_of_places
from sim.core.engine import Encounter
from sim.core.lanes import Lanes
from sim.core.ledger import Ledger
from sim.core.luck import ENEMIES, Luck
from sim.core.outcomes import Ending
from sim.core.telling import Recorder, Scene
from sim.rulesets.overhill.evening import leaving
from sim.rulesets.overhill.facts import Facts
from sim.rulesets.overhill.look import look
from sim.rulesets.overhill.plan import Plan
from sim.rulesets.overhill.player import Player
from sim.rulesets.overhill.rules.ending import count_up
from sim.rulesets.overhill.rules.rounds import play_round
from sim.rulesets.overhill.rules.setup import set_up
from sim.rulesets.overhill.state import State
from sim.rulesets.overhill.worth import Scales


class OverhillEncounter(Encounter[State]):
    """A compiled fight. Holds facts and look-up tables; all that changes is in the State."""

    def __init__(self, facts: Facts, plan: Plan) -> None:
        self.facts = facts
        self.cast = facts.cast
        self.player = Player(plan, Scales(facts), [hero.name for hero in facts.heroes])

    @property
    def varying_facts(self) -> Facts:
        """Its facts, by which it can share a batch with variants of the fight."""
        return self.facts

    @property
    def plans(self) -> Plan:
        """How the party plays."""
        return self.player.plan

    def with_facts(self, facts: Facts) -> OverhillEncounter:
        """The same encounter with the facts of several variants in one."""
        return OverhillEncounter(facts, self.player.plan)

    def start(self, luck: Luck, tell: Recorder | None, arriving: Carried | None = None) -> State:
        """OU-S12: everything before round 1."""
        return set_up(self.facts, self.player, luck, tell, arriving)

    def leaving(self, s: State, at: Lanes) -> Carried:
        """OU-V1: what the party takes along."""
        return leaving(s, at)

    def play_round(self, s: State) -> None:
        """OU-R1: one round."""
        play_round(s, self.player)

    def look(self, s: State) -> Scene:
        """The table as it stands."""
        return look(s)

    def actors(self) -> list[Actor]:
        """OU-S2: heroes, and groups of monsters in list order; a rolled encounter may put others in their place."""
        heroes = super().actors()[: len(self.facts.heroes)]
        groups: dict[int, list[str]] = {}
        for gathering in self.facts.gatherings:
            for number, group in enumerate(gathering.groups):
                groups.setdefault(ENEMIES + number, []).append(group.name)
        return heroes + actors_of_places(groups)

    def ending(self, s: State, at: Lanes, book: Ledger) -> Ending:
        """OU-Z4: what is counted per run."""
        return count_up(s, at, book)
