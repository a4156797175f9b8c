"""A Brimstone fight ready to be played, and what it yields (BF-F10)."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sim.core.batch import Carried
from sim.core.chance import ALL_ENEMIES, Actor
from sim.core.engine import Encounter
from sim.core.lanes import Lanes, Mask, Wide, cut
from sim.core.ledger import Ledger
from sim.core.luck import Luck
from sim.core.outcomes import Ending
from sim.core.telling import Recorder, Scene
from sim.rulesets.brimstone.data import BY_DARKNESS, BY_FLIGHT
from sim.rulesets.brimstone.evening import leaving
from sim.rulesets.brimstone.facts import Facts, profiles_side_by_side, sanity_count
from sim.rulesets.brimstone.look import look
from sim.rulesets.brimstone.player import Player
from sim.rulesets.brimstone.rules.cards import hold_elites
from sim.rulesets.brimstone.rules.rounds import play_turn
from sim.rulesets.brimstone.rules.setup import set_up
from sim.rulesets.brimstone.state import LINE, MODEL, NEWCOMER, State
from sim.rulesets.brimstone.worth import Scales


class BrimstoneEncounter(Encounter[State]):
    """A compiled fight. Holds facts and look-up tables; all that changes is in the State."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.cast = facts.cast
        self.player = Player(Scales(facts))
        self.later_facts = replace(facts, markers=True)  # a posse may bring markers along from the fight before

    @property
    def varying_facts(self) -> Facts | None:
        """Its facts, unless levels are rolled on a chart, which reads the heroes one by one."""
        return None if self.facts.is_on("level_model", "chart") else self.facts

    def with_facts(self, facts: Facts) -> BrimstoneEncounter:
        """The same encounter with the facts of several variants in one."""
        several = copy(self)
        several.facts, several.cast = profiles_side_by_side(facts), facts.cast
        several.player = Player(Scales(several.facts))
        return several

    def start(self, luck: Luck, tell: Recorder | None, arriving: Carried | None = None) -> State:
        """Everything before turn 1."""
        if arriving is None:
            return set_up(self.facts, luck, tell)
        return set_up(self.later_facts, luck, tell, arriving)

    def leaving(self, s: State, at: Lanes) -> Carried:
        """BF-V1: what the posse takes along."""
        return leaving(s, at)

    def play_round(self, s: State) -> None:
        """One turn (BF-T1)."""
        play_turn(s, self.player)

    def fresh(self, s: State) -> None:
        """BF-S5: which Elite abilities a kind has that has not come yet, nobody knows."""
        known = np.where(s.made > 0, s.held, -1)
        hold_elites(s)
        s.held = np.where(known >= 0, known, s.held)

    def actors(self) -> list[Actor]:
        """Heroes, and the enemies together: a place among the models may go to another kind during the fight."""
        heroes = super().actors()[: len(self.facts.plot.heroes)]
        kinds = [unit.name for unit in self.cast.units if unit.side == "enemy"]
        name = kinds[0] if len(kinds) == 1 else ALL_ENEMIES
        return [*heroes, Actor(name, "enemy", ((MODEL, LINE - 1), (NEWCOMER, 2 * NEWCOMER)))]

    def look(self, s: State) -> Scene:
        """The table as it stands."""
        return look(s)

    def ending(self, s: State, at: Lanes, book: Ledger) -> Ending:
        """BF-F10: what is counted per run. The row of a kind is about all its models together."""
        heroes, units = s.heroes, len(self.cast.units)
        shape = (units, len(at))
        hp, present, dead = np.zeros(shape, np.int32), np.zeros(shape, bool), np.zeros(shape, bool)
        for hero in range(heroes):
            hp[hero] = s.health_left(hero, at)
        present[:heroes] = True
        dead[:heroes] = cut(s.dead, at) | cut(s.removed, at)
        book.damage_dealt[:heroes] = cut(s.dealt, at)
        book.damage_taken[:heroes] = cut(s.taken, at)
        book.healing[:heroes] = cut(s.healed, at) + cut(s.restored, at)
        book.kills[:heroes] = cut(s.kills, at)
        book.downs[:heroes] = cut(s.ko_count, at)
        for kind, row in self.facts.unit_row.items():
            left = (cut(s.alive, at) & (cut(s.kind, at) == kind)).sum(axis=0)
            hp[row] = left
            present[row] = cut(s.made[kind], at) > 0
            dead[row] = present[row] & (left == 0)
            book.damage_dealt[row] = cut(s.group_dealt[kind], at)
            book.downs[row] = cut(s.killed[kind], at)
        return Ending(
            xp=cut(s.xp, at).sum(axis=0, dtype=np.int32),
            counts=self.counts(s, at),
            hp=hp,
            present=present,
            dead=dead,
            met=dict(zip(self.cast.met, (*cut(s.drawn, at), *self.elites_met(s, at)), strict=True)),
        )

    def elites_met(self, s: State, at: Lanes) -> Iterator[Mask]:
        """(lanes,) each. BF-S5: where a kind that came into the fight held an Elite result, by `Facts.elites`."""
        bestiary = self.facts.plot.bestiary
        for kind, number in self.facts.elites:
            profiles = [row for (owner, mask), row in bestiary.by_mask.items() if owner == kind and mask & 1 << number]
            held = cut(s.held[kind], at)
            if self.facts.profiles_each:
                held = held % self.facts.profiles_each
            yield np.isin(held, profiles) & (cut(s.made[kind], at) > 0)

    def counts(self, s: State, at: Lanes) -> dict[str, Wide]:
        """BF-F10: the game's own columns."""
        of_heroes: dict[str, NDArray[np.bool_ | np.integer]] = {
            "standing": s.standing,
            "kos": s.ko_count,
            "dead": s.dead,
            "removed": s.removed,
            "wounds_taken": s.taken,
            "sanity_taken": s.sanity_taken,
            "loot": s.loot,
            "grit_gained": s.grit_gained,
            "grit_spent": s.grit_spent,
            "tokens_used": s.tokens_used,
            "injuries": s.injuries,
            "madness": s.madness,
            "corruption": s.corruption,
            "revivals": s.revivals,
        }
        of_the_fight: dict[str, NDArray[np.bool_ | np.integer]] = {
            "threat_cards": s.cards,
            "darkness": s.marker,
            "depth_events": s.depth,
            "ignored": s.ignored,
            "escaped": (s.cause == BY_DARKNESS) & ~s.live,
            "fled": (s.cause == BY_FLIGHT) & ~s.live,
        }
        for kind, row in self.facts.unit_row.items():
            name = sanity_count(self.cast.units[row].name)
            if name in self.cast.counts:
                of_the_fight[name] = s.group_frightened[kind]
        counts = {name: cut(table, at).sum(axis=0, dtype=np.int32) for name, table in of_heroes.items()}
        return counts | {name: cut(values, at).astype(np.int32) for name, values in of_the_fight.items()}
