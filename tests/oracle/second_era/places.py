"""Where an adventurer can go, whom it can target from there, how dangerous it is there (section 10, common blocks)."""

from __future__ import annotations

from collections.abc import Iterable

from tests.oracle.second_era.board import walk_from
from tests.oracle.second_era.data import FAR
from tests.oracle.second_era.state import Battle, Creature, Hero, Unit

Reach = dict[int, int]  # hex -> steps


def reach(battle: Battle, unit: Unit, steps: int) -> Reach:
    """reach(a): the hexes within so many steps, the unit's own with 0 (SE-A1)."""
    return walk_from(battle.board.neighbours, unit.hex, battle.occupied, steps)


def span(battle: Battle, hero: Hero, form: str) -> tuple[int, int]:
    """SE-T3: least and most range of a form; (1, 0) if it reaches nobody."""
    if form == "defensive":
        return 1, 0
    if hero.has("Blind") and battle.switches["blind_rule"] == "errata":
        return 1, 1
    if form == "magic":
        return 1, hero.magicka
    if form == "ranged":
        return 2, hero.stamina
    return 1, 1


def strongest_only(units: list[Unit]) -> list[Unit]:
    """SE-F2: a Blind unit may only target the strongest."""
    most = max((unit.hp for unit in units), default=0)
    return [unit for unit in units if unit.hp == most]


def targetable(battle: Battle, unit: Unit, h: int, least: int, most: int) -> list[Creature]:
    """SE-T2: the enemies that a party unit can target from hex h, in list order."""
    near = battle.board.within(h, least, most)
    seen = [other for other in battle.opponents(unit) if other.hex in near and not battle.hidden_from(other, unit)]
    if unit.has("Blind"):
        if battle.switches["blind_friends"] == "passed_over":
            seen = [other for other in seen if other.is_enemy]
        seen = strongest_only(seen)
    return [other for other in seen if isinstance(other, Creature) and other.is_enemy]


def engageable(battle: Battle, hero: Hero, form: str, h: int) -> list[Creature]:
    """eng(F, h)."""
    least, most = span(battle, hero, form)
    return targetable(battle, hero, h, least, most)


def firing_hexes(battle: Battle, unit: Unit, least: int, most: int, hexes: Iterable[int]) -> list[int]:
    """The hexes of a list from which the unit could target an enemy."""
    if unit.has("Blind"):
        return [h for h in hexes if targetable(battle, unit, h, least, most)]
    covered: set[int] = set()
    for enemy in battle.enemies:
        if enemy.hex >= 0 and not battle.hidden_from(enemy, unit):
            covered |= battle.board.within(enemy.hex, least, most)
    return [h for h in hexes if h in covered]


def threat(battle: Battle, h: int) -> int:
    """threat(h): the enemies that could reach h with two steps and their range."""
    ranges = battle.board.range[h]
    return sum(1 for enemy in battle.enemies if enemy.hex >= 0 and ranges[enemy.hex] <= enemy.range + 2)


def weakest(enemies: list[Creature]) -> Creature:
    """weakest(L): lowest HP, then list order."""
    return min(enemies, key=lambda enemy: (enemy.hp, enemy.number))


def nearest(battle: Battle, unit: Unit) -> Creature | None:
    """nearest: the enemy with the lowest range from the unit, then HP, then list order."""
    ranges = battle.board.range[unit.hex]
    enemies = [enemy for enemy in battle.enemies if enemy.hex >= 0]
    return min(enemies, key=lambda enemy: (ranges[enemy.hex], enemy.hp, enemy.number), default=None)


def closest_hex(battle: Battle, goal: Unit, choices: Reach) -> int:
    """step toward t: the hex of a choice with the lowest range to the goal, then steps, then (q, r)."""
    ranges = battle.board.range[goal.hex]
    return min(choices, key=lambda h: (ranges[h], choices[h], h))


def safest(battle: Battle, unit: Unit, choices: Reach) -> int:
    """safest: lowest threat, then farthest from the nearest enemy, then steps, then (q, r)."""
    enemies = [enemy for enemy in battle.enemies if enemy.hex >= 0]
    if not enemies:
        return unit.hex
    table = battle.board.range
    best, best_key = unit.hex, (FAR, FAR, FAR, FAR)
    for h, steps in choices.items():
        ranges = table[h]
        danger, closest = 0, FAR
        for enemy in enemies:
            away = ranges[enemy.hex]
            danger += away <= enemy.range + 2
            closest = min(closest, away)
        key = (danger, -closest, steps, h)
        if key < best_key:
            best, best_key = h, key
    return best
