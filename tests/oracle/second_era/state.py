"""The state of one battle: units, the turn's memories, the counts (sections 2.2 to 2.6)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from tests.oracle.second_era import data
from tests.oracle.second_era.board import Board, Hex
from tests.oracle.second_era.build import CreaturePlan, HeroPlan, Prepared


class Luck(Protocol):
    """What the referee asks of `AddressedLuck` or `PythonLuck`."""

    def below(self, n: int, purpose: str, round: int, actor: int, index: int = 0) -> int: ...
    def die(self, sides: int, purpose: str, round: int, actor: int, index: int = 0) -> int: ...
    def order(self, items: Sequence[int], purpose: str, round: int, actor: int) -> list[int]: ...


class Unit(ABC):
    """What every unit has (2.2). `hex` is -1 for a unit that is not on the map."""

    is_enemy = False

    def __init__(self, plan: HeroPlan | CreaturePlan, actor: int, slot: int) -> None:
        self.name = plan.name
        self.actor = actor
        self.slot = slot  # place in the list of all units: adventurers, companions, enemies
        self.health = plan.health
        self.hp = plan.hp
        self.hex = -1 if plan.hex is None else plan.hex
        self.moved = False  # this turn
        # counts (SE-X7)
        self.dealt = self.taken = self.kills = self.healed = 0
        self.prevented_defense = self.prevented_guard = self.prevented_bonus = 0
        self.statuses_gained = 0

    @property
    def standing(self) -> bool:
        return self.hp > 0

    @property
    def in_play(self) -> bool:
        """Undefeated and on the map."""
        return self.hex >= 0

    @abstractmethod
    def has(self, status: str) -> bool:
        """Whether it is under a status."""

    def skill(self, name: str) -> int:
        """The number of a skill, 0 without it."""
        return 0


class Creature(Unit):
    """An enemy or a companion."""

    def __init__(self, plan: CreaturePlan, actor: int, slot: int, is_enemy: bool, number: int) -> None:
        super().__init__(plan, actor, slot)
        self.is_enemy = is_enemy
        self.number = number  # place in its list
        self.level = plan.level
        self.rank = data.QUEST_RANK if plan.level == "quest" else plan.level
        self.range = plan.range
        self.combat = plan.combat
        self.defense = plan.defense
        self.targets = plan.targets
        self.strongest = plan.strongest
        self.skills = plan.skills
        self.objective = plan.objective
        self.statuses = set(plan.statuses)
        self.lost_this_turn = 0  # Stalwart
        self.riposte_used = False

    def has(self, status: str) -> bool:
        return status in self.statuses

    def skill(self, name: str) -> int:
        """SE-F4: under Fear all skills are ignored."""
        if name in self.skills and "Fear" not in self.statuses:
            return self.skills[name]
        return 0


class Hero(Unit):
    """An adventurer (2.3)."""

    def __init__(self, plan: HeroPlan, actor: int, banned: Sequence[str]) -> None:
        super().__init__(plan, actor, actor)
        self.plan = plan
        self.banned = frozenset(banned)
        self.stamina = plan.stamina
        self.magicka = plan.magicka
        self.cooldown = plan.cooldown
        self.form = plan.form
        self.available = dict(plan.available)
        self.active: list[tuple[str, int]] = []  # die type and X, in the order placed
        self.track = list(plan.track)
        self.bonus_hp = plan.bonus_hp
        self.tenacity = plan.tenacity
        self.rolled = False  # this turn
        self.engages_this_turn = 0
        self.turns_this_round = self.engages_this_round = 0  # addresses of luck
        self.race_used = False
        self.shade_used = self.oath_used = False  # once per turn
        # counts (SE-X7)
        self.light = self.over = self.drained = self.tenacity_gained = self.engages = self.hexes = 0

    def has(self, status: str) -> bool:
        return status in self.track


@dataclass
class Bearing:
    """SE-V1: how an adventurer comes from one battle to the next."""

    hp: int
    tenacity: int
    available: dict[str, int]
    active: list[tuple[str, int]]
    track: list[str]


@dataclass
class Result:
    """How a battle went. Lists of units: adventurers, companions, enemies."""

    outcome: str  # "win", "loss", "draw", "retreat"
    rounds: int
    xp: int
    names: list[str]
    hp: list[int]
    hex: list[Hex | None]
    dealt: list[int]
    taken: list[int]
    kills: list[int]
    healed: list[int]
    prevented_defense: list[int]
    statuses: list[int]
    harm: dict[tuple[int, int], int]  # (source, target) as actor numbers; the source may be TABLE
    # adventurers only
    prevented_guard: list[int]
    prevented_bonus: list[int]
    light: list[int]
    over: list[int]
    drained: list[int]
    tenacity_gained: list[int]
    engages: list[int]
    hexes: list[int]
    # sums
    adventurers_defeated: int
    companions_lost: int
    enemies_defeated: dict[int | str, int] = field(default_factory=dict)


class Battle:
    """One battle in progress."""

    def __init__(self, prepared: Prepared, luck: Luck, trace: list[str] | None = None) -> None:
        self.prepared = prepared
        self.board: Board = prepared.board
        self.switches: dict[str, Any] = prepared.switches
        self.luck = luck
        self.trace = trace
        self.round = 1
        self.best = prepared.switches["party_choice"] == "best_for_party"
        self.heroes = [Hero(plan, i, prepared.switches["ban"]) for i, plan in enumerate(prepared.heroes)]
        size = len(self.heroes)
        self.companions = [
            Creature(plan, size + c, size + c, False, c) for c, plan in enumerate(prepared.companions)
        ]
        self.party: list[Unit] = [*self.heroes, *self.companions]
        plans = [*prepared.enemies, *draw_pool(prepared, luck)]
        self.enemies = [
            Creature(plan, data.ENEMIES + j, len(self.party) + j, True, j) for j, plan in enumerate(plans)
        ]
        self.units: list[Unit] = [*self.party, *self.enemies]
        self.occupied = {unit.hex: unit for unit in self.units if unit.hex >= 0}
        self.harm: dict[tuple[int, int], int] = {}
        # the turn in progress (2.6)
        self.acting: Unit | None = None
        self.adjacent_at_start: set[int] = set()  # adj0, by slot
        self.damage_taken = False

    def tell(self, text: str) -> None:
        """A line for the trace; callers check `trace` first so that it costs nothing."""
        if self.trace is not None:
            self.trace.append(f"round {self.round}: {text}")

    def arrive(self, bearings: Sequence[Bearing]) -> None:
        """SE-V1: adventurers as the battle before left them, the defeated off the map; none: all are fresh."""
        for hero, bearing in zip(self.heroes, bearings, strict=bool(bearings)):
            hero.hp, hero.tenacity, hero.bonus_hp = bearing.hp, bearing.tenacity, 0
            hero.available = {die: count for die, count in bearing.available.items() if count}
            hero.active, hero.track = list(bearing.active), list(bearing.track)
            if not hero.hp:
                self.place(hero, -1)

    # -- who is there -------------------------------------------------------------------------------------------------

    def standing_heroes(self) -> list[Hero]:
        return [hero for hero in self.heroes if hero.hp > 0]

    def enemies_left(self) -> list[Creature]:
        return [enemy for enemy in self.enemies if enemy.hp > 0]

    def opponents(self, unit: Unit) -> list[Unit]:
        """SE-T1: the other side, or for a Blind unit everybody else; on the map."""
        if unit.has("Blind"):
            return [other for other in self.units if other is not unit and other.hex >= 0]
        return [other for other in (self.party if unit.is_enemy else self.enemies) if other.hex >= 0]

    def hidden_from(self, unit: Unit, viewer: Unit) -> bool:
        """SE-F6: Stealth hides from whoever was not adjacent when the turn began; Detection ignores it (SE-K25)."""
        return unit.has("Stealth") and unit.slot not in self.adjacent_at_start and not viewer.skill("Detection")

    def adjacent(self, a: Unit, b: Unit) -> bool:
        """SE-G2, for units on the map."""
        return a.hex >= 0 and b.hex >= 0 and self.board.range[a.hex][b.hex] == 1

    # -- places -------------------------------------------------------------------------------------------------------

    def place(self, unit: Unit, h: int) -> None:
        """Put a unit on a hex; -1 takes it off the map (SE-G5)."""
        if unit.hex >= 0:
            del self.occupied[unit.hex]
        unit.hex = h
        if h >= 0:
            self.occupied[h] = unit

    def free_entrance(self) -> int:
        """The first entrance hex that nobody holds, or -1."""
        return next((h for h in self.board.entrance if h not in self.occupied), -1)

    # -- turns --------------------------------------------------------------------------------------------------------

    def start_turn(self, unit: Unit) -> None:
        """SE-R10: adj0 and every per-turn memory start anew with every unit's turn."""
        self.acting = unit
        self.adjacent_at_start = {
            self.occupied[h].slot for h in self.board.neighbours[unit.hex] if h in self.occupied
        }
        self.damage_taken = False
        unit.moved = False
        for creature in (*self.companions, *self.enemies):
            creature.lost_this_turn = 0
            creature.riposte_used = False
        for hero in self.heroes:
            hero.shade_used = hero.oath_used = False


def draw_pool(prepared: Prepared, luck: Luck) -> list[CreaturePlan]:
    """SE-S4: the enemies of the pool; a bag that runs empty is refilled."""
    drawn: list[CreaturePlan] = []
    bags: dict[int, list[CreaturePlan]] = {}
    for k, (level, h) in enumerate(prepared.pool):
        bag = bags.get(level)
        if not bag:
            bag = bags[level] = list(prepared.bags[level])
        chip = bag.pop(luck.below(len(bag), "SE-S4", 0, data.TABLE, k))
        drawn.append(replace(chip, hex=h))
    return drawn
