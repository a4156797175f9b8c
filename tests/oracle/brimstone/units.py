"""The state of heroes, groups and models in one run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from tests.oracle.luck import ENEMIES

from .bestiary import Kind
from .kit import MARKERS
from .sheets import Sheet


class FightEnds(Exception):  # noqa: N818 (an event of the game, not an error)
    """BF-T10."""

    def __init__(self, outcome: str, cause: str) -> None:
        super().__init__(outcome)
        self.outcome, self.cause = outcome, cause


class Hero:
    """A hero-side unit during the fight."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.number = sheet.number
        self.name = sheet.name
        self.policy = sheet.policy
        self.ally = sheet.ally
        self.sq = sheet.square
        self.health, self.sanity, self.max_grit = sheet.health, sheet.sanity, sheet.max_grit
        self.wounds, self.sdmg, self.grit = sheet.wounds, sheet.sdmg, sheet.grit
        self.bag = dict(sheet.bag)
        self.status = dict.fromkeys(MARKERS, 0) | sheet.status
        self.used_items: set[int] = set()
        self.fortune = 3 if "fortune" in sheet.talents else 0
        self.standing = True
        self.dead = self.removed = False
        self.turn_acted = self.turn_recovered = self.fortune_turn = self.cigar_turn = 0
        self.free_used = self.spice = self.blasts = 0
        self.helped = False
        self.xp = self.corruption = self.kills = self.dealt = self.taken = self.sanity_taken = self.ko_count = 0
        self.healed = self.grit_gained = self.grit_spent = self.tokens_used = self.injuries = self.madness = 0
        self.loot = self.revivals = 0

    @property
    def hp(self) -> int:
        """BF-U1: remaining Health."""
        return self.health - 3 * self.status["bleeding"] - self.wounds

    @property
    def mind(self) -> int:
        """BF-U1: remaining Sanity."""
        return self.sanity - self.sdmg


class Group:
    """All models of one kind, and the figures of the kind in this fight."""

    def __init__(self, number: int, kind: Kind, elites: tuple[int, ...], first_turn: int) -> None:
        self.number, self.kind, self.elites, self.first_turn = number, kind, elites, first_turn
        self.first_serial = -1
        self.bonus_turn = 0
        self.fixed_turn = self.fixed = 0  # the Initiative of a turn, once it is known
        self.created = self.killed = self.dealt = 0
        self.threat = kind.threat


class Model:
    """One enemy. `serial` counts creations (BF-P12: its index), `slot` is its place in the list of models."""

    def __init__(self, group: Group, slot: int, serial: int, sq: int) -> None:
        self.group, self.kind = group, group.kind
        self.slot, self.serial, self.sq = slot, serial, sq
        self.actor = ENEMIES + slot
        self.wounds = self.taken = 0
        self.target: Hero | None = None
        self.shoots = False  # whether the target is one of a ranged attack
        self.alive = True

    @property
    def hp(self) -> int:
        return self.kind.health - self.wounds


class Hit(NamedTuple):
    """A hit on a hero."""

    dice: int
    fixed: int
    no_defense: bool = False
    no_armor: bool = False
    melee: bool = False
    horror: int = 0
    double: bool = False


@dataclass
class Attack:
    """What an attack of a hero has done so far (BF-F8)."""

    hero: Hero
    wounded: set[int] = field(default_factory=set)
    kills: int = 0
