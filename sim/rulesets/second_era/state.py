"""The state of a batch of battles: who stands where with how many hit points, and every adventurer's dice.

Units are rows: adventurers, then companions, then enemies, listed ones first. An adventurer's dice are in one of four
places: available (a count per type), in an active slot, in the track, or drained.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sim.core.batch import Batch
from sim.core.board import Bits
from sim.core.facts import EncounterFacts
from sim.core.lanes import Lanes, Mask, Small, Tiny, cut, each
from sim.rulesets.second_era import data
from sim.rulesets.second_era.build import CreatureFacts, HeroFacts
from sim.rulesets.second_era.ground import Ground

Rows: TypeAlias = NDArray[np.int64]  # (lanes,) a unit per lane
Who: TypeAlias = "int | Rows"

EMPTY = -1  # no die in this slot of an adventurer or of a track

# What a unit's damage can come from: the names of the abilities in the tables.
ABILITIES = (*data.FORMS, "pray", "cloak", "ability", "engage", "riposte", "necrotic")
PRAY, CLOAKING, SPECIAL, ENGAGE, RIPOSTE, NECROTIC = range(5, 11)


@dataclass(frozen=True, slots=True)
class Facts(EncounterFacts):
    """What is the same in all runs of a battle."""

    heroes: tuple[HeroFacts, ...]
    creatures: tuple[CreatureFacts, ...]  # by kind, from the first one that is no adventurer
    companions: int
    enemies: int  # listed and drawn
    ground: Ground
    objective: str
    reward: int
    retreat_below: int
    pool: tuple[tuple[int, int], ...]  # level and cell of the drawn enemies
    bags: dict[int, tuple[int, ...]]  # level -> kinds in its bag
    faces: Tiny  # (6,) of the enemy Combat die

    # by unit
    kind: Small  # (units,) the kind of those that are not drawn
    cell: Small  # (units,)
    hp: Small  # (units,)
    status: NDArray[np.uint8]  # (units,)
    actor: Rows  # (units,) their number for luck
    levels: tuple[Any, ...]  # by enemy
    objectives: Mask  # (units, 1)
    ability: Rows  # (abilities, units) rows of the abilities table

    # by kind
    health: Small
    defense: Small
    reach: Small  # the range
    combat: Small
    targets: Small
    sign: Small  # -1 for strongest, +1 for weakest: the smallest hp * sign goes first
    skills: NDArray[np.int32]  # a bit per skill
    numbers: Tiny  # (skills, kinds)
    rank: Small  # 0 for the highest level there is, 1 for the next
    quest: Mask
    smite_first: Mask
    after: Tiny  # (most, kinds) after-engage skills in chip order, -1 for none
    ending: Tiny  # (most, kinds) end-of-turn skills in chip order
    covers: Mask  # flat [kind, from, to]: in range and in sight
    shots: Bits  # (words, kinds x width): from where a unit on a hex is in range and seen
    threats: Bits  # (words, kinds x width): the hexes that an enemy on a hex threatens

    # by adventurer and form
    form_shots: tuple[tuple[Bits, ...], ...]  # (words, width)

    # what can occur at all; saves looking
    present: frozenset[str]  # skills
    fixed_order: bool  # all enemies have levels of their own
    possible: Mask  # (statuses,) whether a status can turn up
    racial: bool
    classes: bool


@dataclass(slots=True)
class State(Batch):
    """All battles of a batch; the last axis is the run."""

    facts: Facts

    kind: Small  # (units, runs)
    hp: Small  # (units, runs)
    cell: Small  # (units, runs) -1 once defeated, and for a companion that waits
    status: NDArray[np.uint8]  # (units, runs) a bit per status
    occupied: Bits  # (words, runs)

    form: Tiny  # (heroes, runs)
    bonus: Small  # (heroes, runs) bonus HP
    tenacity: Tiny  # (heroes, runs)
    available: Tiny  # (heroes x die types, runs)
    slot_die: Tiny  # (heroes x 4, runs) earliest placed first; EMPTY behind the last
    slot_x: Tiny  # (heroes x 4, runs)
    track: Tiny  # (heroes x 13, runs) left end first; EMPTY behind the last
    length: Tiny  # (heroes, runs) dice in the track
    spent: Mask  # (heroes, runs) racial ability used
    used: NDArray[np.uint8]  # (heroes, runs) class abilities used in the turn in progress, a bit each

    # The turn in progress (section 2.6).
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
    harm: Small  # ((units + 1) x units, runs) hit points lost by source and target
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

    def is_enemy(self, who: Who) -> Any:
        """Whether a row belongs to the enemies."""
        return who >= self.party

    def here(self, who: Who, at: Lanes) -> Mask:
        """(lanes,). SE-G5, SE-D8: undefeated and on the map."""
        return each(self.cell, _row(who), at) >= 0

    def adventurers(self, at: Lanes) -> Mask:
        """(heroes, lanes). Undefeated adventurers."""
        return cut(self.hp[: self.heroes], at) > 0

    def enemies_left(self, at: Lanes) -> Mask:
        """(lanes,). Whether an enemy is in play."""
        return np.asarray((cut(self.cell[self.party :], at) >= 0).any(axis=0))

    def has(self, skill: str, who: Who, at: Lanes) -> Mask:
        """(lanes,). SE-E14, SE-F4: whether the unit has a skill, and no Fear that makes it forget."""
        if skill not in self.facts.present:
            return np.zeros(len(at), dtype=bool)
        bits = self.facts.skills.take(each(self.kind, _row(who), at))
        known = (bits >> data.SKILLS.index(skill) & 1).astype(bool)
        if self.facts.possible[data.FEAR]:
            known &= ~self.under(data.FEAR, who, at)
        return known

    def number(self, skill: str, who: Who, at: Lanes) -> Tiny:
        """(lanes,). The number on the chip."""
        return self.facts.numbers[data.SKILLS.index(skill)].take(each(self.kind, _row(who), at))

    def under(self, status: int, who: Who, at: Lanes) -> Mask:
        """(lanes,). Whether the unit is under a status."""
        if not self.facts.possible[status]:
            return np.zeros(len(at), dtype=bool)
        return (each(self.status, _row(who), at) & np.uint8(1 << status)) != 0

    def stat(self, table: NDArray[Any], who: Who, at: Lanes) -> NDArray[Any]:
        """(lanes,). A number by kind for one unit per lane."""
        return table.take(each(self.kind, _row(who), at))

    def between(self, table: NDArray[Any], one: Who, other: Who, at: Lanes) -> NDArray[Any]:
        """(lanes,). A flat table of the ground for two units."""
        start = each(self.cell, _row(one), at).astype(np.int64)
        return table.take(start * self.facts.ground.width + each(self.cell, _row(other), at))

    def draw(self, who: Who) -> Any:
        """The actor number of a unit, for the address of luck."""
        return int(self.facts.actor[who]) if isinstance(who, int) else self.facts.actor.take(who)


def _row(who: Who) -> Rows:
    return np.int64(who) if isinstance(who, int) else who  # type: ignore[return-value]


def rows(who: Who, at: Lanes) -> Rows:
    """(lanes,). A unit per lane, also where it is the same everywhere."""
    return np.full(len(at), who, dtype=np.int64) if isinstance(who, int) else who
