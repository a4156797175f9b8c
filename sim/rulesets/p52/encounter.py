"""A P52 scenario ready to be played, and what it yields (P52-X6)."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from typing import Any

import numpy as np

from sim.core.batch import Carried
from sim.core.chance import Actor, actors_of_places
from sim.core.engine import Encounter
from sim.core.lanes import Lanes, Wide, cut
from sim.core.ledger import Ledger
from sim.core.luck import ENEMIES, Luck
from sim.core.outcomes import Ending, Outcome, room_counts
from sim.core.policy import asks_for
from sim.core.stalemates import Endless
from sim.core.telling import Recorder, Scene
from sim.rulesets.p52.evening import RESTS, arrive, leaving
from sim.rulesets.p52.facts import SUCCESSES, Facts, make_facts
from sim.rulesets.p52.look import look
from sim.rulesets.p52.plan import read_plans
from sim.rulesets.p52.player import take_turn
from sim.rulesets.p52.rules.hidden_cards import shuffle_enemy_deck, shuffle_hidden_cards
from sim.rulesets.p52.rules.rounds import break_off, go_on, play_round
from sim.rulesets.p52.rules.setup import deal_stamina, enter_space, place_everybody
from sim.rulesets.p52.schema import P52Scenario
from sim.rulesets.p52.state import State, blank_state

CLOCKS = frozenset({"round", "rounds", "stage_round", "fled"})  # `fled` is asked for where there is a limit


class P52Encounter(Encounter[State]):
    """A compiled scenario. Holds facts and look-up tables; all that changes is in the State."""

    def __init__(self, scenario: P52Scenario, switches: Mapping[str, Any]) -> None:
        plans = read_plans(scenario)
        self.facts = make_facts(scenario, switches, plans)
        self.cast = self.facts.cast
        self.counts_rounds = any(asks_for("round", plan.action) for plan in plans)
        self.clocks = CLOCKS if self.facts.is_on("flee_limit", "none") else CLOCKS - {"fled"}

    @property
    def varying_facts(self) -> Facts | None:
        """Its facts, unless enemies stop where they can attack: a rule that reads more than can vary."""
        return None if self.facts.is_on("enemy_advance", "stop_in_range") else self.facts

    def with_facts(self, facts: Facts) -> P52Encounter:
        """The same encounter with the facts of several variants in one."""
        several = copy(self)
        several.facts, several.cast = facts, facts.cast
        return several

    def start(self, luck: Luck, tell: Recorder | None, arriving: Carried | None = None) -> State:
        """P52-S3, P52-S4, P52-V1: shuffle and deal, or come from the scene before; and enter the first space."""
        s = blank_state(self.facts, luck, tell)
        if arriving is None:
            deal_stamina(s)
        else:
            arrive(s, arriving)
        enter_space(s, take_turn, s.everyone, 0)
        go_on(s, take_turn, s.everyone)
        return s

    def leaving(self, s: State, at: Lanes) -> Carried:
        """P52-V1: what the party takes along."""
        return leaving(s, at)

    def rested(self, party: Carried, kind: str, luck: Luck, house: Mapping[str, int]) -> Carried:
        """P52-V2: the party after a rest, with the luck of that scene."""
        s = blank_state(self.facts, luck, None)
        arrive(s, party)
        RESTS[kind](s, house)
        return leaving(s, s.everyone)

    def play_round(self, s: State) -> None:
        """P52-T1: one round."""
        play_round(s, take_turn)

    def endless(self, s: State) -> Endless | None:
        """P52-T6: after round 1, whose order may differ (P52-S6), only a policy can ask which round it is."""
        if self.counts_rounds:
            return None
        left = (self.facts.switches["round_cap"] - s.stage_round) * (s.stage_round > 0)
        return Endless(left.astype(np.int16), self.clocks)

    def break_off(self, s: State, at: Lanes) -> None:
        """P52-T6: as at the round cap."""
        s.stage_round[at] = self.facts.switches["round_cap"]
        break_off(s, at)
        go_on(s, take_turn, at)

    def fresh(self, s: State) -> None:
        """P52-U4, P52-R3, P52-S2: nobody knows the draw pile, the stamina cards and the rest of the enemy deck."""
        shuffle_hidden_cards(s)
        shuffle_enemy_deck(s)

    def actors(self) -> list[Actor]:
        """P52-S2: heroes, and enemies by their place in an encounter, where others may stand in the next one."""
        heroes = super().actors()[: len(self.facts.kits)]
        places: dict[int, list[str]] = {}
        for space in self.facts.spaces:
            for slot, kinds in enumerate(space.types):
                names = [self.cast.units[len(heroes) + kind].name for kind in kinds]
                places.setdefault(ENEMIES + slot, []).extend(names)
        return heroes + actors_of_places(places)

    def openings(self, luck: Luck) -> list[Scene]:
        """P52-S2: every room as it is entered, with everybody as the scenario says."""
        scenes = []
        for stage in range(len(self.facts.spaces)):
            s = blank_state(self.facts, luck, None)
            place_everybody(s, s.everyone, stage)
            scenes.append(look(s))
        return scenes

    def look(self, s: State) -> Scene:
        """The table as it stands in the first run."""
        return look(s)

    def ending(self, s: State, at: Lanes, book: Ledger) -> Ending:
        """P52-X6: what is counted per run."""
        heroes, units = s.heroes, len(self.cast.units)
        hp = np.zeros((units, len(at)), dtype=np.int32)
        dead = np.zeros((units, len(at)), dtype=bool)
        present = np.ones((units, len(at)), dtype=bool)
        hp[:heroes] = cut(s.hp, at)
        dead[:heroes] = hp[:heroes] < 0
        hp[heroes:] = cut(s.end_hp, at)
        dead[heroes:] = cut(s.fallen, at)
        present[heroes:] = cut(s.met, at)
        xp = cut(s.xp, at)
        alive = ~dead[:heroes]
        counts = {name: s.tally[name][at] for name in s.tally} | self.flips(book)
        counts |= self.by_room(s, at)
        told, told_dead = cut(s.brought_xp, at), cut(s.brought_dead, at)  # of the scenes before
        counts["xp_dead"] = (xp * ~alive - told * told_dead).sum(axis=0, dtype=np.int32)
        return Ending(
            xp=(xp * alive - told * ~told_dead).sum(axis=0, dtype=np.int32),
            counts={name: counts[name] for name in self.cast.counts},
            hp=hp,
            present=present,
            dead=dead,
        )

    def by_room(self, s: State, at: Lanes) -> dict[str, Wide]:
        """P52-X5, P52-X6: how it went in each encounter of a gauntlet; 0 in runs that did not come there."""
        counts: dict[str, Wide] = {}
        for room in range(len(self.cast.rooms)):
            stage, won = cut(s.stage, at), cut(s.outcome, at) == Outcome.WIN
            reached = stage >= room
            passed = (stage > room) | ((stage == room) & won)
            columns = (reached, passed, cut(s.room_rounds[room], at), cut(s.room_hp[room], at) * passed)
            counts |= {name: column.astype(np.int32) for name, column in zip(room_counts(room), columns, strict=True)}
        return counts

    def flips(self, book: Ledger) -> dict[str, Wide]:
        """P52-X6: attack flips and defence attempts with their successes, which are the uses of those abilities."""
        counts = {}
        for name, rows in self.facts.flip_rows.items():
            counts[name] = book.uses[rows].sum(axis=0, dtype=np.int32)
            counts[SUCCESSES[name]] = book.hits[rows].sum(axis=0, dtype=np.int32)
        return counts
