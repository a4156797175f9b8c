"""The state of a batch of battles: who stands where with how many hit points, and every adventurer's dice.

Units are rows: adventurers, then companions, then enemies, listed ones first. An adventurer's dice are in one of four
places: available (a count per type), in an active slot, in the track, or drained.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sim.core.batch import Batch, Blank, beginning
from sim.core.board import Bits
from sim.core.lanes import Lanes, Mask, N, Row, Small, Tiny, Whole, cut, each, lookup, per_lane
from sim.core.luck import Luck
from sim.core.telling import Recorder
from sim.rulesets.second_era import data
from sim.rulesets.second_era.data import EMPTY, SLOTS, TRACK
from sim.rulesets.second_era.facts import Facts


@dataclass(slots=True)
class State(Batch):
    """All battles of a batch; the last axis is the run."""

    facts: Facts

    kind: Small  # (units, runs)
    hp: Small  # (units, runs)
    cell: Small  # (units, runs) -1 once defeated, and for a companion that waits
    fell: Small  # (units, runs) the hex on which it fell, kept only while somebody listens; -1 for none
    status: NDArray[np.uint8]  # (units, runs) a bit per status
    occupied: Bits  # (words, runs)

    form: Tiny  # (heroes, runs)
    bonus: Small  # (heroes, runs) bonus HP
    tenacity: Tiny  # (heroes, runs)
    available: Tiny  # (heroes, die types, runs)
    slot_die: Tiny  # (heroes, 4, runs) earliest placed first; EMPTY behind the last
    slot_x: Tiny  # (heroes, 4, runs)
    track: Tiny  # (heroes, 13, runs) left end first; EMPTY behind the last
    length: Tiny  # (heroes, runs) dice in the track
    spent: Mask  # (heroes, runs) racial ability used
    used: NDArray[np.uint8]  # (heroes, runs) class abilities used in the turn in progress, a bit each

    # The turn in progress.
    turn: int  # 0, and 1 in the second turn of an Orc
    acting: Small  # (runs,) row of the unit whose turn it is, -1 outside of turns
    adj0: Mask  # (units, runs) adjacent to it at the very start of its turn
    lost: Small  # (units, runs) hit points lost in this turn
    riposted: Mask  # (units, runs) has used Riposte in this turn
    hurt: Mask  # (runs,) somebody lost hit points in this turn
    moves: Tiny  # (runs,) move actions of this turn
    rolled: Mask  # (runs,) has rolled dice in this turn
    engaged: Tiny  # (runs,) engages of this turn
    healed: Mask  # (runs,) has healed first in this turn
    struck: Mask  # (runs,) has dealt damage in the engage in progress

    # Counts (SE-X7).
    engages_round: Tiny  # (heroes, runs) engages of this round, for the addresses of luck
    harm: Small  # (units + 1, units, runs) hit points lost by source and target; the last source is nobody
    regained: Small  # (units, runs)
    prevented_defense: Small  # (units, runs)
    statuses: Small  # (units, runs)
    prevented_guard: Small  # (heroes, runs)
    prevented_bonus: Small
    light: Small
    over: Small
    drained: Small
    tenacity_gained: Small
    engages: Small
    hexes: Small
    retreated: Mask  # (runs,)

    @property
    def heroes(self) -> int:
        """How many adventurers there are; PS of the rules."""
        return len(self.form)

    @property
    def party(self) -> int:
        """How many rows belong to the party."""
        return len(self.form) + self.facts.companions

    @property
    def units(self) -> int:
        """How many rows there are."""
        return len(self.hp)

    def is_enemy(self, who: Whole) -> Mask:
        """(lanes,). Whether a row belongs to the enemies."""
        return who >= self.party

    def here(self, who: Row, at: Lanes) -> Mask:
        """(lanes,). SE-G5, SE-D8: undefeated and on the map."""
        return each(self.cell, who, at) >= 0

    def adventurers(self, at: Lanes) -> Mask:
        """(heroes, lanes). Undefeated adventurers."""
        return cut(self.hp[: self.heroes], at) > 0

    def enemies_left(self, at: Lanes) -> Mask:
        """(lanes,). Whether an enemy is in play."""
        return np.asarray((cut(self.cell[self.party :], at) >= 0).any(axis=0))

    def has(self, skill: str, who: Row, at: Lanes) -> Mask:
        """(lanes,). SE-E14, SE-F4: whether the unit has a skill, and no Fear that makes it forget."""
        if skill not in self.facts.present:
            return np.zeros(len(at), dtype=bool)
        bits = self.stat(self.facts.skills, who, at)
        known = (bits >> data.SKILLS.index(skill) & 1).astype(bool)
        if self.facts.possible[data.FEAR]:
            known &= ~self.under(data.FEAR, who, at)
        return known

    def number(self, skill: str, who: Row, at: Lanes) -> Tiny:
        """(lanes,). The number on the chip."""
        return self.stat(self.facts.numbers[data.SKILLS.index(skill)], who, at)

    def under(self, status: int, who: Row, at: Lanes) -> Mask:
        """(lanes,). Whether the unit is under a status."""
        if not self.facts.possible[status]:
            return np.zeros(len(at), dtype=bool)
        return (each(self.status, who, at) & np.uint8(1 << status)) != 0

    def stat(self, table: NDArray[N], who: Row, at: Lanes) -> NDArray[N]:
        """(lanes,). A number by kind for one unit per lane."""
        return self.find(table, at, each(self.kind, who, at))

    def between(self, table: NDArray[N], one: Row, other: Row, at: Lanes) -> NDArray[N]:
        """(lanes,). A table of the ground for two units."""
        return lookup(table, each(self.cell, one, at), each(self.cell, other, at))

    def actor(self, who: Row, at: Lanes) -> Whole:
        """(lanes,). The number of a unit for the address of luck."""
        return lookup(self.facts.actor, per_lane(who, at))


def blank_state(facts: Facts, luck: Luck, tell: Recorder | None) -> State:
    """SE-S7: everybody at full strength on their hexes, tracks as carried over, nothing counted yet."""
    heroes, units = len(facts.heroes), len(facts.cell)
    blank = Blank(len(luck.keys), facts.cast.variants)
    track = np.full((heroes, TRACK), EMPTY)
    for row, hero in enumerate(facts.heroes):
        track[row, : len(hero.track)] = hero.track
    return State(
        **beginning(luck, facts.cast, tell),
        facts=facts,
        kind=blank.alike(facts.kind),
        hp=blank.alike(facts.hp),
        cell=blank.alike(facts.cell),
        fell=blank.small(units, value=-1),
        status=blank.alike(facts.status, np.uint8),
        occupied=np.repeat(facts.ground.board.bits.fixed([c for c in facts.cell if c >= 0]), blank.runs, axis=1),
        form=blank.alike([hero.form for hero in facts.heroes], np.int8),
        bonus=blank.alike([hero.bonus_hp for hero in facts.heroes]),
        tenacity=blank.alike([hero.tenacity for hero in facts.heroes], np.int8),
        available=blank.alike([hero.available for hero in facts.heroes], np.int8),
        slot_die=blank.tiny(heroes, SLOTS, value=EMPTY),
        slot_x=blank.tiny(heroes, SLOTS, value=EMPTY),
        track=blank.alike(track, np.int8),
        length=blank.alike([len(hero.track) for hero in facts.heroes], np.int8),
        spent=blank.mask(heroes),
        used=np.zeros((heroes, blank.runs), dtype=np.uint8),
        turn=0,
        acting=blank.small(value=-1),
        adj0=blank.mask(units),
        lost=blank.small(units),
        riposted=blank.mask(units),
        hurt=blank.mask(),
        moves=blank.tiny(),
        rolled=blank.mask(),
        engaged=blank.tiny(),
        healed=blank.mask(),
        struck=blank.mask(),
        engages_round=blank.tiny(heroes),
        harm=blank.small(units + 1, units),
        regained=blank.small(units),
        prevented_defense=blank.small(units),
        statuses=blank.small(units),
        prevented_guard=blank.small(heroes),
        prevented_bonus=blank.small(heroes),
        light=blank.small(heroes),
        over=blank.small(heroes),
        drained=blank.small(heroes),
        tenacity_gained=blank.small(heroes),
        engages=blank.small(heroes),
        hexes=blank.small(heroes),
        retreated=blank.mask(),
    )
