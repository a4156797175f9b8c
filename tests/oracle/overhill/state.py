"""One run: its heroes and groups, and what rules count of them."""

from __future__ import annotations

from dataclasses import dataclass

from tests.oracle.overhill.addresses import Luck
from tests.oracle.overhill.build import GroupSheet, HeroSheet, Prepared


class Hero:
    """A hero in a run: the sheet and what changes. Health 0 means down (OU-U4)."""

    __slots__ = (
        "accepted", "blessed", "blocked_round", "damage_taken", "dodged", "feats", "front", "guard", "has_rear_attack",
        "health", "index", "items", "job", "kills", "lapsed", "lapses", "level", "lost_phase", "max_health",
        "melee_tag", "mishaps", "name", "oil", "paralysed", "quick", "ranged_tag", "restored", "rose_in", "shield",
        "silenced", "smart", "stance", "tonic", "vigor", "weight", "wise",
    )  # fmt: skip

    def __init__(self, sheet: HeroSheet) -> None:
        self.index = sheet.index
        self.name = sheet.name
        self.job = sheet.job
        self.level = sheet.level
        self.vigor = sheet.vigor
        self.wise = sheet.wise
        self.quick = sheet.quick
        self.smart = sheet.smart
        self.max_health = sheet.max_health
        self.health = sheet.health
        self.shield = sheet.shield
        self.melee_tag = sheet.melee_tag
        self.ranged_tag = sheet.ranged_tag
        self.feats = sheet.feats
        self.items = dict(sheet.items)
        self.weight = sheet.weight
        self.has_rear_attack = sheet.has_rear_attack
        self.guard = sheet.guard
        self.front = True
        self.stance = "neutral"
        self.tonic = 0  # war tonics drunk
        self.oil = 0  # stone oils used
        self.paralysed = 0  # hero phases still to lose
        self.lost_phase = False  # this hero phase was lost to paralysis (OU-R5)
        self.blessed: set[str] = set()
        self.lapsed = False
        self.silenced = False
        self.blocked_round = -1  # no spells in this round
        self.accepted = False  # Accept the Blade was tried in this round
        self.rose_in = -1  # the round in which Heal brought this hero back
        self.kills = 0
        self.damage_taken = 0
        self.dodged = 0
        self.mishaps = 0
        self.lapses = 0
        self.restored = 0


class Group:
    """A group in a run: the sheet and what changes. It lives while n > 0 (OU-U5)."""

    __slots__ = ("attack_mod", "bashed", "defence_mod", "front", "index", "n", "sheet", "start")

    def __init__(self, sheet: GroupSheet, n: int) -> None:
        self.sheet = sheet
        self.index = sheet.index
        self.front = sheet.front
        self.start = n
        self.n = n
        self.attack_mod = 0
        self.defence_mod = 0
        self.bashed = 0

    def defence_against(self, tag: str) -> int:
        """OU-A3: the blunt defence against a blunt weapon, else the defence; never below 1."""
        defence = self.sheet.blunt_defence if tag == "blunt" else self.sheet.defence
        return max(1, defence + self.defence_mod)


class Fight:
    """One run."""

    __slots__ = ("groups", "heroes", "kills_now", "kills_prev", "luck", "outcome", "prepared", "room", "round", "rules",
                 "surprise", "trace", "trap")  # fmt: skip

    def __init__(self, prepared: Prepared, luck: Luck, trace: list[str] | None = None) -> None:
        self.prepared = prepared
        self.rules = prepared.rules
        self.room = prepared.room
        self.luck = luck
        self.trace = trace
        self.round = 0
        self.outcome = ""
        self.heroes = [Hero(sheet) for sheet in prepared.heroes]
        self.groups: list[Group] = []
        self.trap = False
        self.surprise = False  # the scenario says that the monsters attack before round 1 (OU-S10)
        self.kills_now: list[list[int]] = []  # [hero][group], OU-U7
        self.kills_prev: list[list[int]] = []


@dataclass(slots=True)
class Result:
    """What a run is counted by (OU-Z4, OU-Z5); lists of heroes in roster order, of groups in list order."""

    outcome: str  # win, loss, draw, avoided, empty
    rounds: int
    friendly: bool
    standing: int
    health: list[int]
    front: list[bool]
    vigor: list[int]
    kills: list[int]
    damage_taken: list[int]
    dodged: list[int]
    mishaps: list[int]
    lapses: list[int]
    restored: list[int]
    items_left: list[dict[str, int]]
    monsters_start: list[int]
    monsters_left: list[int]
    xp: int


def standing_heroes(fight: Fight) -> list[Hero]:
    """OU-U4."""
    return [hero for hero in fight.heroes if hero.health > 0]


def living_groups(fight: Fight) -> list[Group]:
    """OU-U5."""
    return [group for group in fight.groups if group.n > 0]


def hero_number(fight: Fight) -> int:
    """OU-U6: HN."""
    return sum(1 for hero in fight.heroes if hero.health > 0)


def monster_number(fight: Fight) -> int:
    """OU-U6: MN."""
    return sum(group.n for group in fight.groups)


def hero_front(fight: Fight) -> int:
    """OU-U6: HF, with weights."""
    return sum(hero.weight for hero in fight.heroes if hero.front and hero.health > 0)


def monster_front(fight: Fight) -> int:
    """OU-U6: MF, at most the room's front."""
    number = sum(group.n for group in fight.groups if group.front)
    limit = fight.room.front_max
    return number if limit is None else min(number, limit)


def tell(fight: Fight, text: str) -> None:
    """An event for the trace; callers ask first whether there is one."""
    if fight.trace is not None:
        fight.trace.append(f"round {fight.round}: {text}")


def no_kills(fight: Fight) -> list[list[int]]:
    """OU-U7: a kill table of zeros."""
    return [[0] * len(fight.groups) for _ in fight.heroes]
