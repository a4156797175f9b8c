"""Heroes (11.3, 11.4) and enemies (11.5, 11.6) as they stand before the first card is turned."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .bestiary import (
    ARMOUR_TIERS,
    CALICO_GEAR,
    CONSUMABLES,
    MOUNTAIN_GEAR,
    MOUNTAIN_WEAPONS,
    EnemyEntry,
    Strike,
)
from .data import ABILITIES, CORES, POLICIES, RACES, SHORT, ClassEntry
from .formula import Formula, formula
from .monsters import class_of, entry_of, known_cards

HERO_KEYS = {
    "class", "name", "level", "race", "policy", "spot", *CORES, "abilities", "gear", "arrows", "sharp_arrows",
    "consumables", "max_hp", "hp", "movement", "initiative", "armour", "magic_armour",
}  # fmt: skip
ENEMY_KEYS = {
    "card", "name", "spot", "max_hp", "hp", "initiative", "movement", "melee_defence", "magic_defence",
    "ranged_defence", "target_order", "melee", "ranged",
}  # fmt: skip


@dataclass(slots=True)
class HeroSheet:
    """A hero as built: everything that no run changes."""

    name: str
    role: str  # the class; the Thief is the Rogue
    level: int
    lift: int
    think: int
    balance: int
    move: int
    lead: int
    abilities: dict[str, int]
    left_over: int  # ability XP not spent (P52-D4)
    gear: dict[str, str]  # slot -> item; mountain: weapon0.., armour0..
    consumables: dict[str, int]
    arrows: int
    sharp_arrows: int
    policy: str
    spot: tuple[int, int] | None
    max_hp: int = 0
    hp: int = 0
    movement: int = 0
    initiative: int = 0
    armour: int = 0
    magic_armour: int = 0
    bonus: dict[str, int] = field(default_factory=dict)  # I of an ability through the gear


@dataclass(slots=True)
class EnemyStrike:
    """An enemy's attack with `L` put in."""

    name: str
    kind: str
    least: int
    most: int
    target: Formula
    damage: Formula
    needs_sight: bool  # P52-E19: the creature does not
    is_bow: bool  # P52-E12g: must be readied
    freezes: bool  # P52-E12e
    pushes: bool  # P52-E12f
    spreads: bool  # P52-E19


@dataclass(slots=True)
class EnemySheet:
    """An enemy as it starts the encounter."""

    name: str
    card: str
    xp: int  # P52-X2
    spot: tuple[int, int]
    max_hp: int
    hp: int
    initiative: int
    movement: int
    melee_defence: int
    magic_defence: int
    ranged_defence: int
    target_order: str | None
    strikes: tuple[EnemyStrike, ...]  # in the order of preference: not melee first (P52-E12a)
    beast: EnemyStrike | None  # P52-E15
    boss: bool
    floats: bool  # P52-E16
    twice: bool  # P52-E12c
    retreats: bool  # P52-E12c, E12d
    fears_water: bool  # P52-E18
    no_start_flip: bool  # P52-S7
    extra_turn: bool  # P52-E13
    when_weak: str  # flees, fights_on (E14), flees_and_heals (E16), heals (E19)
    when_fallen: str  # stays_down, reappears (E17), rises (E19)


def refuse_unknown(given: dict[str, Any], known: set[str], place: str) -> None:
    strange = sorted(set(given) - known)
    if strange:
        raise ValueError(f"{place}: unknown keys {strange}")


def meets(cores: list[int], needs: dict[str, int]) -> bool:
    """Prerequisites of an ability, requirements of an item."""
    return all(cores[SHORT[core]] >= least for core, least in needs.items())


def build_cores(data_set: str, entry: ClassEntry, race: str | None, level: int) -> list[int]:
    """P52-D1, P52-D2: the five core abilities."""
    modifiers = RACES[data_set][race or entry.race]
    parts = zip(modifiers, entry.cores, entry.allocation, strict=True)
    cores = [max(1, 1 + of_race + of_class + placed) for of_race, of_class, placed in parts]
    for point in range(points(level)):
        cores[SHORT[entry.cycle[point % len(entry.cycle)]]] += 1
    return cores


def points(level: int) -> int:
    """P52-D2: level points placed up to this level."""
    return 42 * (level - 1) // 13


def build_abilities(
    data_set: str, entry: ClassEntry, race: str | None, level: int, price: str
) -> tuple[dict[str, int], int]:
    """P52-D3, P52-D4: the abilities with their levels, and the ability XP left over."""
    table = ABILITIES[data_set]
    known = dict.fromkeys(entry.starting, 1)
    purse = 0
    for reached in range(1, level + 1):
        cores = build_cores(data_set, entry, race, reached)
        if reached % 2 == 1:
            pick = next((w for w in entry.wishes if w not in known and meets(cores, table[w].needs)), None)
            if pick is not None:
                known[pick] = 1
        if reached == 1:
            continue
        purse += 5 * reached
        while any(name in known for name in entry.focus):
            raised = min((name for name in entry.focus if name in known), key=lambda name: known[name])
            cost = table[raised].exp * (known[raised] if price == "times_level" else 1)
            if cost > purse:
                break
            purse -= cost
            known[raised] += 1
    return known, purse


def standard_gear(data_set: str, entry: ClassEntry, level: int, cores: list[int]) -> list[str]:
    """P52-D6, P52-D7, P52-D9."""
    if data_set == "mountain":
        armour = (level >= 3) + (level >= 10)
        return [item for from_level, item in entry.weapons if level >= from_level] + ["decent_armour"] * armour
    slots: dict[str, str] = {}
    for from_level, item in entry.weapons:
        if level >= from_level and meets(cores, CALICO_GEAR[item].needs):
            slots[CALICO_GEAR[item].slot] = item
    hands = CALICO_GEAR[slots["main"]].hands if "main" in slots else 1
    if hands > 1:
        slots.pop("shield", None)
        if hands == 2:
            slots.pop("side", None)
    for from_level, pieces in ARMOUR_TIERS:
        for item in pieces:
            if level >= from_level and meets(cores, CALICO_GEAR[item].needs):
                slots[CALICO_GEAR[item].slot] = item
    return list(slots.values())


def equip(sheet: HeroSheet, items: list[str], data_set: str, cores: list[int], place: str) -> None:
    """Gear into slots, and what it does for abilities and armour."""
    if data_set == "mountain":
        equip_mountain(sheet, items, place)
        return
    weight = 0
    for item in items:
        if item not in CALICO_GEAR:
            raise ValueError(f"{place}.gear: unknown item {item!r} in the data set calico")
        entry = CALICO_GEAR[item]
        if not meets(cores, entry.needs):
            continue
        if entry.slot in sheet.gear:
            raise ValueError(f"{place}.gear: two items for the slot {entry.slot}")
        sheet.gear[entry.slot] = item
        weight += entry.weight
        sheet.armour += entry.armour
        sheet.magic_armour += entry.magic_armour
        sheet.movement += entry.shoes
    main = CALICO_GEAR[sheet.gear["main"]] if "main" in sheet.gear else None
    if main is not None and main.hands > 1 and ("shield" in sheet.gear or (main.hands == 2 and "side" in sheet.gear)):
        raise ValueError(f"{place}.gear: {sheet.gear['main']} needs both hands")
    sheet.movement -= 10 * weight // (10 * sheet.lift * sheet.balance)  # P52-U2, in tenths


def equip_mountain(sheet: HeroSheet, items: list[str], place: str) -> None:
    """11.4, data set mountain: weapons raise an ability, armour counts the hero's level per piece."""
    pieces = heavy = 0
    for item in items:
        if item not in MOUNTAIN_GEAR:
            raise ValueError(f"{place}.gear: unknown item {item!r} in the data set mountain")
        if item in MOUNTAIN_WEAPONS:
            ability = MOUNTAIN_WEAPONS[item]
            sheet.bonus[ability] = 2 * sheet.abilities.get(ability, 1)
            sheet.gear[item] = item
            continue
        sheet.gear[f"armour{pieces}"] = item
        pieces += 1
        heavy += item != "enchanted_armour"
        sheet.armour += sheet.level if item == "decent_armour" else 2 * sheet.level
    if pieces > 4:
        raise ValueError(f"{place}.gear: four pieces of armour at most")
    sheet.magic_armour = sheet.armour
    sheet.movement -= heavy // 2  # P52-U2


def build_hero(spec: dict[str, Any], scenario: dict[str, Any], switches: dict[str, Any], place: str) -> HeroSheet:
    """A hero of a scenario: the standard one of its class and level, with the scenario's changes."""
    refuse_unknown(spec, HERO_KEYS, place)
    data_set = switches["data_set"]
    role = spec["class"]
    entry = class_of(role, scenario.get("classes", {}), data_set)
    level = spec.get("level", scenario.get("level", 1))
    race = spec.get("race")
    cores = build_cores(data_set, entry, race, level)
    abilities, left_over = build_abilities(data_set, entry, race, level, switches["ability_price"])
    for number, core in enumerate(CORES):
        cores[number] = spec.get(core, cores[number])
    if "abilities" in spec:
        abilities, left_over = dict(spec["abilities"]), 0
    strange = sorted(set(abilities) - set(ABILITIES[data_set]))
    if strange:
        raise ValueError(f"{place}.abilities: unknown in the data set {data_set}: {strange}")
    standard = switches["gear"] == "standard"
    stock = spec.get("consumables", entry.stock if standard else {})
    refuse_unknown(stock, set(CONSUMABLES[data_set]), f"{place}.consumables")
    policy = spec.get("policy", scenario.get("policy", "brawler"))
    if policy not in POLICIES:
        raise ValueError(f"{place}.policy: unknown policy {policy!r}")
    sheet = HeroSheet(
        name=spec.get("name", entry.name or role), role=role, level=level,
        lift=cores[0], think=cores[1], balance=cores[2], move=cores[3], lead=cores[4],
        abilities=abilities, left_over=left_over, gear={}, consumables={k: n for k, n in stock.items() if n > 0},
        arrows=0, sharp_arrows=0, policy=policy, spot=tuple(spec["spot"]) if "spot" in spec else None,
    )  # fmt: skip
    sheet.movement = sheet.move // 4 + 1  # P52-U2
    usual = standard_gear(data_set, entry, level, cores) if standard else []
    items = spec.get("gear", usual)
    equip(sheet, items, data_set, cores, place)
    stock_arrows(sheet, spec, entry if standard and sorted(items) == sorted(usual) else None)
    sheet.max_hp = spec.get("max_hp", sheet.lift * sheet.think + 3)  # P52-U1
    sheet.hp = min(spec.get("hp", sheet.max_hp), sheet.max_hp)
    sheet.movement = spec.get("movement", max(0, sheet.movement))
    sheet.initiative = spec.get("initiative", sheet.move + 2 * sheet.lead)  # P52-U3
    sheet.armour = spec.get("armour", sheet.armour)
    sheet.magic_armour = spec.get("magic_armour", sheet.magic_armour)
    return sheet


def stock_arrows(sheet: HeroSheet, spec: dict[str, Any], entry: ClassEntry | None) -> None:
    """P52-D6 for standard gear of a class that says how many; otherwise a bow comes with 10 basic arrows."""
    has_bow = sheet.gear.get("main") in ("long_bow", "recurve_bow")
    if entry is not None and entry.arrows:
        for from_level, basic, sharp in entry.arrows:
            if sheet.level >= from_level:
                sheet.arrows, sheet.sharp_arrows = basic, sharp
    elif has_bow:
        sheet.arrows = 10
    if "arrows" in spec or "sharp_arrows" in spec:
        sheet.arrows, sheet.sharp_arrows = spec.get("arrows", 0), spec.get("sharp_arrows", 0)


def build_strike(strike: Strike) -> EnemyStrike:
    """An attack of the tables, with the special effects of 6.3 and 6.4."""
    return EnemyStrike(
        strike.name, strike.kind, strike.least, strike.most, formula(strike.target), formula(strike.damage),
        needs_sight="needs_no_sight" not in strike.effects, is_bow="must_be_readied" in strike.effects,
        freezes="freezes" in strike.effects, pushes="pushes" in strike.effects, spreads="spreads" in strike.effects,
    )  # fmt: skip


def changed_strikes(entry: EnemyEntry, spec: dict[str, Any], place: str) -> list[Strike]:
    """The attacks of the table with what the scenario changes."""
    strikes = list(entry.strikes)
    for which in ("melee", "ranged"):
        if which not in spec:
            continue
        refuse_unknown(spec[which], {"target", "damage", "reach"}, f"{place}.{which}")
        number = next((i for i, s in enumerate(strikes) if (s.kind == "melee") == (which == "melee")), None)
        if number is None:
            raise ValueError(f"{place}.{which}: this enemy has no such attack")
        least, most = spec[which].get("reach", (strikes[number].least, strikes[number].most))
        strikes[number] = strikes[number]._replace(
            least=least, most=most,
            target=spec[which].get("target", strikes[number].target),
            damage=spec[which].get("damage", strikes[number].damage),
        )  # fmt: skip
    return strikes


def build_enemy(
    spec: dict[str, Any], average: int, switches: dict[str, Any], place: str, monsters: dict[str, Any] | None = None
) -> EnemySheet:
    """P52-S1: an enemy with every formula evaluated at the average level."""
    refuse_unknown(spec, ENEMY_KEYS, place)
    data_set, card = switches["data_set"], spec["card"]
    if card not in known_cards(monsters or {}, data_set):
        raise ValueError(f"{place}.card: unknown enemy {card!r} in the data set {data_set}")
    entry = entry_of(card, monsters or {}, data_set)

    def number(key: str, default: str | int) -> int:
        return formula(spec.get(key, default))(average, 0, 0)

    strikes = [build_strike(strike) for strike in changed_strikes(entry, spec, place)]
    strikes.sort(key=lambda strike: strike.kind == "melee")
    ranged_only = all(strike.kind != "melee" for strike in strikes)
    max_hp = number("max_hp", entry.max_hp)
    return EnemySheet(
        name=spec.get("name", entry.name or card), card=card, xp=entry.xp, spot=tuple(spec["spot"]), max_hp=max_hp,
        hp=min(number("hp", max_hp), max_hp), initiative=number("initiative", entry.initiative),
        movement=number("movement", entry.movement), melee_defence=number("melee_defence", entry.melee),
        magic_defence=number("magic_defence", entry.magic), ranged_defence=number("ranged_defence", entry.ranged),
        target_order=spec.get("target_order", entry.target_order), strikes=tuple(strikes),
        beast=build_strike(entry.beast) if entry.beast else None,
        boss="boss" in entry.traits, floats="floats" in entry.traits, twice="attacks_again" in entry.traits,
        retreats="keeps_away" in entry.traits or (ranged_only and switches["ranged_only_close"] == "retreat_all"),
        fears_water="fears_water" in entry.traits, no_start_flip="no_start_flip" in entry.traits,
        extra_turn="extra_turn" in entry.traits, when_weak=entry.when_weak, when_fallen=entry.when_fallen,
    )  # fmt: skip
