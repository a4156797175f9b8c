"""BF-P2 to P5: attack values, legal targets, the order of enemies, the best mode."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from .bestiary import Kind
from .rulebook import CLEVER
from .sheets import Mode
from .table import Table
from .units import Hero, Model

AV_PARTS = 576  # attack values are whole numbers of 576ths: 36 * 16 and 64 * 9


@lru_cache(maxsize=1 << 15)
def defences(kind: Kind, sort: str, distance: int) -> tuple[int, int]:
    """BF-A11(3): the effective Defense against a normal and against a critical hit."""
    full = kind.defense + (distance if kind.dodge else 0)
    if sort in ("gun", "hatchet"):
        full += kind.gun_ward
    if kind.tough:
        return full, full
    if kind.crit_floor is not None and kind.crit_floor < full:
        return full, kind.crit_floor
    return full, 0


@lru_cache(maxsize=1 << 15)
def attack_value(mode: Mode, needed: int, kind: Kind, distance: int) -> int:
    """BF-P3, in 576ths of a wound."""
    endurance = 10**6 if kind.endurance is None else kind.endurance
    if mode.sort == "shiv":
        return sum(min(endurance, roll) for roll in range(1, 7)) * AV_PARTS // 6
    full, critical = defences(kind, mode.sort, distance)

    def of_one_die(number: int) -> int:
        wounds = 0
        for face in range(number, mode.sides + 1):
            defense = critical if face >= mode.critical else full
            bonus = mode.bonus + (mode.six_bonus if face >= 6 else 0)
            wounds += sum(min(endurance, max(0, roll + bonus - defense)) for roll in range(1, mode.sides + 1))
        return wounds

    total = (mode.dice - mode.off_hand) * of_one_die(needed)
    if mode.off_hand:
        total += mode.off_hand * of_one_die(min(mode.sides, needed + 1))
    return total * (AV_PARTS // mode.sides**2)


class Targets(Table):
    """Choosing whom to attack and how."""

    def legal_targets(self, mode: Mode, square: int, near: list[Model] | None = None) -> list[Model]:
        """BF-P2, in slot order. `near` are the adjacent enemies, if already known."""
        if near is None:
            near = self.adjacent_enemies(square)
        if near or mode.sort in ("melee", "shiv"):
            return near
        ranges, sight = self.board.ranges[square], self.board.sight(square)
        return [model for model in self.living if ranges[model.sq] <= mode.range and sight[model.sq]]

    def needed(self, hero: Hero, mode: Mode, square: int) -> int:
        """BF-H15: the number needed To Hit."""
        number = hero.sheet.th_ranged if mode.sort == "gun" else hero.sheet.th_melee
        return self.clamp(number + self.penalty(hero, square), mode.sides)

    def penalty(self, hero: Hero, square: int) -> int:
        """Venom, and Elite Hungry Dead on the tile."""
        penalty = 1 if hero.status["venom"] else 0
        if self.daunting:
            tile = self.board.tile
            penalty += any(model.kind.daunt and tile[model.sq] == tile[square] for model in self.living)
        return penalty

    def order_key(self, hero: Hero, mode: Mode, needed: int, square: int, model: Model) -> tuple[Any, ...]:
        """10.2: the enemy order of a policy."""
        distance = self.board.ranges[square][model.sq]
        if hero.policy not in CLEVER:
            return distance, model.hp, model.serial
        value = attack_value(mode, needed, model.kind, distance)
        # remaining health / max(0.01, AV): 0.01 lies between 5 and 6 parts
        worth = model.hp * AV_PARTS / value if value >= 6 else 100.0 * model.hp
        return worth, -model.group.threat, distance, model.serial

    def first_enemy(self, hero: Hero, mode: Mode, square: int, targets: list[Model]) -> Model:
        if len(targets) == 1:
            return targets[0]
        needed = self.needed(hero, mode, square)
        return min(targets, key=lambda model: self.order_key(hero, mode, needed, square, model))

    def best_mode(self, hero: Hero, square: int) -> tuple[int, Mode] | None:
        """BF-P4: the mode with the largest attack value, and that value; None if no mode is available."""
        best: tuple[int, Mode] | None = None
        near = self.adjacent_enemies(square)
        for mode in hero.sheet.modes:
            targets = self.legal_targets(mode, square, near)
            if not targets:
                continue
            enemy = self.first_enemy(hero, mode, square, targets)
            needed = self.needed(hero, mode, square)
            value = attack_value(mode, needed, enemy.kind, self.board.ranges[square][enemy.sq])
            if best is None or value > best[0]:
                best = (value, mode)
        return best

    def steps_to_enemy(self, square: int) -> int:
        row = self.board.steps(square)
        return min(row[model.sq] for model in self.living)
