"""The standard hero builder, and what a scenario changes about a hero (P52-D1 to P52-D9)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from sim.core.outcomes import told_apart
from sim.core.own_types import said
from sim.core.varying import Varies, may_vary, unread
from sim.rulesets.p52 import data
from sim.rulesets.p52.classes import Row, arrows_of, class_of, gear_of
from sim.rulesets.p52.schema import Hero, P52Scenario

Cores = dict[str, int]
PIECES = ("head", "torso", "arms", "legs")


@dataclass(frozen=True, slots=True)
class HeroFacts:
    """A hero as the fight begins (P52-U1 to P52-U4)."""

    name: str
    role: str
    level: int
    race: str
    policy: str
    spot: tuple[int, int] | None
    cores: Cores
    abilities: dict[str, int]
    gear: tuple[str, ...]
    arrows: int
    sharp_arrows: int
    consumables: dict[str, int]
    max_hp: int
    hp: int
    movement: int
    initiative: int
    armour: int
    magic_armour: int

    VARIES: ClassVar[Varies] = may_vary(
        "level", "cores", "arrows", "sharp_arrows", "consumables", "max_hp", "hp",
        "movement", "initiative", "armour", "magic_armour", abilities=unread, gear=unread,
    )  # fmt: skip


def build_heroes(scenario: P52Scenario, switches: Mapping[str, Any]) -> list[HeroFacts]:
    """P52-S1: the roster, in the order of the scenario; heroes of one name are numbered."""
    heroes = [build_hero(hero, scenario, switches) for hero in scenario.heroes]
    names = told_apart([hero.name for hero in heroes])
    return [replace(hero, name=name) for hero, name in zip(heroes, names, strict=True)]


def party_level(heroes: list[HeroFacts]) -> int:
    """P52-U5: the mean level of all heroes, rounded down; fixed at setup."""
    return sum(hero.level for hero in heroes) // len(heroes)


def build_hero(hero: Hero, scenario: P52Scenario, switches: Mapping[str, Any]) -> HeroFacts:
    """P52-S1, P52-U1, P52-U3, P52-D8: the standard hero of class and level, with the scenario's changes."""
    data_set = switches["data_set"]
    role = "rogue" if hero.hero_class == "thief" else hero.hero_class
    entry = class_of(role, said(scenario.classes), data_set)
    level = hero.level or scenario.level
    race = hero.race or entry["race"]
    cores, abilities = grow(data_set, entry, race, level, switches["ability_price"])
    for core, name in zip(data.CORES, data.CORE_NAMES, strict=True):
        cores[core] = getattr(hero, name) or cores[core]
    if hero.abilities is not None:
        order = data.of_set(data_set, "abilities")
        abilities = {name: hero.abilities[name] for name in order if name in hero.abilities}
    bare = switches["gear"] == "none"
    items = data.of_set(data_set, "gear")
    standard = gear = () if bare else standard_gear(data_set, entry, level, cores)
    if hero.gear is not None:
        gear = tuple(item for item in hero.gear if item in items and can_use(items[item], cores))
    own = hero.gear is not None and sorted(hero.gear) != sorted(standard)  # standard gear may be written out
    listed = bool(entry["arrows"]) and not own
    arrows, sharp = (0, 0) if bare and not own else arrows_of(entry, level) if listed else own_arrows(gear, items)
    stock = hero.consumables
    if stock is None:
        stock = {} if bare else entry["consumables"]
    max_hp = hero.max_hp or cores["Lt"] * cores["Th"] + 3
    armour, magic_armour = armour_of(gear, items, level)
    movement = movement_of(gear, items, cores)
    return HeroFacts(
        name=hero.name or entry.get("name") or hero.hero_class,
        role=role,
        level=level,
        race=race,
        policy=hero.policy or scenario.policy,
        spot=None if hero.spot is None else (hero.spot[0], hero.spot[1]),
        cores=cores,
        abilities=abilities,
        gear=gear,
        arrows=arrows if hero.arrows is None else hero.arrows,
        sharp_arrows=sharp if hero.sharp_arrows is None else hero.sharp_arrows,
        consumables={item: stock[item] for item in data.of_set(data_set, "consumables") if stock.get(item)},
        max_hp=max_hp,
        hp=max_hp if hero.hp is None else hero.hp,
        movement=movement if hero.movement is None else hero.movement,
        initiative=cores["Mv"] + 2 * cores["Ld"] if hero.initiative is None else hero.initiative,
        armour=armour if hero.armour is None else hero.armour,
        magic_armour=magic_armour if hero.magic_armour is None else hero.magic_armour,
    )


# ---------------------------------------------------------------------------------------------------------------------
# Cores and abilities
# ---------------------------------------------------------------------------------------------------------------------


def grow(data_set: str, entry: Row, race: str, level: int, price: str) -> tuple[Cores, dict[str, int]]:
    """P52-D1 to D4: cores and ability levels of the standard hero of a class."""
    by_race = data.of_set(data_set, "races")[race]
    known = data.of_set(data_set, "abilities")
    sums = zip(by_race, entry["cores"], entry["allocation"], strict=True)
    cores = {core: max(1, 1 + sum(parts)) for core, parts in zip(data.CORES, sums, strict=True)}
    abilities = dict.fromkeys(entry["starts"], 1)
    cycle = entry["cycle"].split()
    placed = purse = 0
    for reached in range(1, level + 1):
        for point in range(placed, points_at(reached)):
            cores[cycle[point % len(cycle)]] += 1
        placed = points_at(reached)
        if reached % 2 == 1:
            pick_ability(entry["wishes"], abilities, known, cores)
        if reached > 1:
            purse = raise_abilities(entry["focus"], abilities, known, purse + 5 * reached, price)
    return cores, {name: abilities[name] for name in known if name in abilities}


def points_at(level: int) -> int:
    """P52-D2: core points placed up to a level."""
    return 42 * (level - 1) // 13


def pick_ability(wishes: list[str], abilities: dict[str, int], known: Mapping[str, Any], cores: Cores) -> None:
    """P52-D3: the first ability of the wish list that is new and whose prerequisites are met; lost if there is none."""
    for name in wishes:
        if name not in abilities and can_use(known[name], cores):
            abilities[name] = 1
            return


def raise_abilities(
    focus: list[str], abilities: dict[str, int], known: Mapping[str, Any], purse: int, price: str
) -> int:
    """P52-D4: spend ability XP on the lowest ability of the focus list as long as it can be paid; returns the rest."""
    while True:
        trained = [name for name in focus if name in abilities]
        if not trained:
            return purse
        lowest = min(trained, key=lambda name: abilities[name])
        cost = known[lowest]["exp"] * (abilities[lowest] if price == "times_level" else 1)
        if cost > purse:
            return purse
        purse -= cost
        abilities[lowest] += 1


def level_cost(level: int) -> int:
    """P52-D5: XP from a level to the next, for reports."""
    return 10 * level + 10


# ---------------------------------------------------------------------------------------------------------------------
# Gear
# ---------------------------------------------------------------------------------------------------------------------


def can_use(item: Mapping[str, Any], cores: Cores) -> bool:
    """P52-D3, P52-D6: whether the requirements are met."""
    return all(cores[core] >= least for core, least in item.get("needs", {}).items())


def standard_gear(data_set: str, entry: Row, level: int, cores: Cores) -> tuple[str, ...]:
    """P52-D6, P52-D7, P52-D9: weapons and armour of the standard hero of a class."""
    if data_set == "mountain":
        rule = data.of_set("mountain", "armour_pieces")
        pieces = next(number for start, number in reversed(rule.items()) if level >= int(start))
        weapons = [item for start, item in gear_of(entry) if level >= start]
        return tuple(weapons + ["decent_armour"] * pieces)
    items = data.of_set(data_set, "gear")
    worn: dict[str, str] = {}
    for start, item in gear_of(entry):
        if level >= start and can_use(items[item], cores):
            worn[items[item]["slot"]] = item
    if "main" in worn:
        hands = items[worn["main"]].get("hands", 1)
        if hands > 1:
            worn.pop("shield", None)
        if hands == 2:
            worn.pop("side", None)
    tiers = data.of_set(data_set, "armour_tiers")
    best = next(tier for start, tier in reversed(tiers.items()) if level >= int(start))
    for slot in PIECES:
        fitting = [
            (item["tier"], name)
            for name, item in items.items()
            if item["slot"] == slot and item["tier"] <= best and can_use(item, cores)
        ]
        if fitting:
            worn[slot] = max(fitting)[1]
    return tuple(worn.values())


def own_arrows(gear: tuple[str, ...], items: Mapping[str, Any]) -> tuple[int, int]:
    """11.4: a bow among gear of one's own comes with 10 basic arrows."""
    return (10 if any("bow" in items[item].get("serves", ()) for item in gear) else 0), 0


def armour_of(gear: tuple[str, ...], items: Mapping[str, Any], level: int) -> tuple[int, int]:
    """P52-C14: armour against plain attacks and against magic."""
    plain = magic = 0
    for item in gear:
        armour = items[item].get("armour", 0)
        if isinstance(armour, str):  # mountain: so many times the level
            armour = level * {"Lv": 1, "2*Lv": 2}[armour]
        plain += armour
        magic += items[item].get("magic_armour", armour)
    return plain, magic


def movement_of(gear: tuple[str, ...], items: Mapping[str, Any], cores: Cores) -> int:
    """P52-U2: a quarter of Move and one, shoes, less what the gear weighs."""
    pieces = sum(items[item].get("piece", 0) for item in gear)
    tenths = 10 * sum(items[item].get("weight", 0) for item in gear)
    shoes = sum(items[item].get("shoes", 0) for item in gear)
    burden = pieces // 2 + tenths // (10 * cores["Lt"] * cores["Bc"])
    return max(0, cores["Mv"] // 4 + 1 + shoes - burden)
