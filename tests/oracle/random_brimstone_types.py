"""Random enemy types and hero classes of a scenario's own, put into a random Brimstone scenario."""

from __future__ import annotations

import random
from typing import Any

from tests.oracle.brimstone import CLASSES, GUNS, MARKERS, TYPES, UPGRADES
from tests.oracle.random_brimstone import KEYWORD_VALUES, all_lines, random_bag, random_scenario

BEHAVIOURS = ("melee", "melee", "ranged", "melee_or_ranged", "shootout", "immobile")
TALENTS = ("double_shot", "wild_card", "fortune", "shiv")
GROWING = ("init", "move", "combat", "damage", "weapon_damage", "shots", "defense", "health", "flail", "xp")
SETTING = ("init", "move", "escape", "th_melee", "th_ranged", "combat", "defense", "health", "xp", "shots")
SET_ABILITIES = ("fear", "terror", "uterror", "nightmare", "armor", "endurance", "regen", "tail", "six", "hail")
PLAIN = tuple(name for name, values in KEYWORD_VALUES.items() if values == (True,))


def random_scenario_of_own_types(seed: int) -> dict[str, Any]:
    """A random scenario in which many enemies and some heroes are of types that the scenario itself defines."""
    scenario = random_scenario(seed)
    lot = random.Random(f"own types {seed}")
    monsters: dict[str, Any] = {}
    for number in range(lot.randint(1, 4)):
        replaces = lot.random() < 0.15
        name = lot.choice([kind.name for kind in TYPES]) if replaces else f"thing_{number}"
        likes = [None, name] if replaces else [None, *(kind.name for kind in lot.sample(TYPES, 3)), *monsters]
        monsters.setdefault(name, random_monster(lot, name, lot.choice(likes), list(monsters)))
    monsters = {name: monsters[name] for name in lot.sample(list(monsters), len(monsters))}
    scenario["monsters"] = monsters
    mine = [name for name in monsters if name.startswith("thing_")]
    for line in all_lines(scenario):
        if mine and lot.random() < 0.7:
            line["type"] = lot.choice(mine)
        if line["type"] in monsters:
            line.pop("elites", None)
    if lot.random() < 0.5:
        add_classes(lot, scenario)
    return scenario


def random_monster(lot: random.Random, name: str, like: str | None, others: list[str]) -> dict[str, Any]:
    """A type of one's own: with all its figures, or with some that differ from those of another one."""
    figures: dict[str, Any] = {
        "init": lot.choice((0, 1, 2, 3, 4, 6, 8)),
        "move": lot.choice((0, 2, 4, 6, 9)),
        "escape": lot.randint(1, 6),
        "th_melee": lot.randint(2, 6),
        "th_ranged": lot.randint(2, 6),
        "combat": lot.randint(1, 5),
        "damage": lot.choice((1, 2, 3, "D6", "D6+1")),
        "defense": lot.randint(0, 5),
        "health": lot.choice((1, 2, 4, 7, 15)),
        "xp": lot.choice((10, 25)),
        "xp_each": lot.choice((0, 0, 5)),
        "size": lot.choice("SML"),
        "behaviour": lot.choice(BEHAVIOURS),
        "weapon": {"range": lot.randint(3, 10), "shots": lot.randint(1, 4), "damage": lot.choice((1, 2, "D6"))},
        "abilities": random_abilities(lot, others),
    }
    if like is not None:
        kept = [key for key in figures if lot.random() < 0.3 and key != "behaviour"]
        figures = {key: figures[key] for key in kept}
        if "weapon" in figures:
            figures["th_ranged"] = lot.randint(3, 6)
        if "th_melee" not in figures and ("combat" in figures or "abilities" in figures):
            figures["th_melee"] = lot.randint(3, 6)
        figures["like"] = like
    if lot.random() < 0.3:
        figures["name"] = f"the {name} of doom"
    if lot.random() < 0.5:
        figures["elite_chart"] = [random_result(lot) for _ in range(lot.randint(0, 6))]
    if lot.random() < 0.2 and ("elite_chart" in figures or like):
        figures["brutal_chart"] = [random_result(lot) for _ in range(lot.randint(0, 6))]
    if lot.random() < 0.3:
        figures["brutal_side"] = "" if lot.random() < 0.2 else random_change(lot)
    if lot.random() < 0.15:
        figures["any_elite"] = random_change(lot)
    return figures


def random_abilities(lot: random.Random, others: list[str]) -> dict[str, Any]:
    names = lot.sample(sorted(KEYWORD_VALUES), lot.choice((0, 1, 2, 3, 5)))
    abilities = {name: lot.choice(KEYWORD_VALUES[name]) for name in names}
    if others and lot.random() < 0.25:
        abilities["spawn"] = [lot.randint(3, 5), lot.choice(others)]
    return abilities


def random_result(lot: random.Random) -> str:
    return "none" if lot.random() < 0.1 else random_change(lot)


def random_change(lot: random.Random) -> str:
    """One to three parts of an Elite result or a Brutal side, each about something else."""
    parts: dict[str, str] = {}
    for _ in range(lot.randint(1, 3)):
        name, part = random_part(lot)
        parts.setdefault(name, part)
    return ", ".join(parts.values())


def random_part(lot: random.Random) -> tuple[str, str]:
    way = lot.choice(("grow", "grow", "set", "ability", "plain", "markers", "damage", "spawn"))
    if way == "grow":
        name = lot.choice(GROWING)
        return name, f"{name} +{lot.randint(1, 3)}"
    if way == "set":
        name = lot.choice(SETTING)
        return name, f"{name} {lot.randint(2, 6)}"
    if way == "ability":
        name = lot.choice(SET_ABILITIES)
        return name, f"{name} {lot.randint(2, 5)}"
    if way == "plain":
        name = lot.choice(PLAIN)
        return name, name
    if way == "markers":
        name = lot.choice(("on_wound", "on_melee_wound"))
        return name, f"{name} {' '.join(lot.sample(MARKERS, lot.randint(1, 2)))}"
    if way == "damage":
        name = lot.choice(("damage", "weapon_damage"))
        return name, f"{name} {lot.choice(('2', '4', 'D6', 'D6+1'))}"
    return "spawn_on", f"spawn_on {lot.randint(2, 5)}"


def add_classes(lot: random.Random, scenario: dict[str, Any]) -> None:
    """Some heroes are of a class of the scenario's own."""
    classes: dict[str, Any] = {}
    for number in range(lot.randint(1, 2)):
        likes = [None, *lot.sample(tuple(CLASSES), 3), *classes]
        classes[f"drifter_{number}"] = random_class(lot, lot.choice(likes))
    scenario["classes"] = classes
    for hero in scenario["heroes"]:
        if lot.random() < 0.6:
            hero["class"] = lot.choice(list(classes))
            hero.pop("upgrade", None)
            for key in ("wounds", "sdmg", "grit", "status"):
                hero.pop(key, None)  # what was possible for the class before


def random_class(lot: random.Random, like: str | None) -> dict[str, Any]:
    figures: dict[str, Any] = {
        "init": lot.randint(1, 7),
        "th_ranged": lot.randint(2, 6),
        "th_melee": lot.randint(2, 6),
        "combat": lot.randint(0, 4),
        "health": lot.randint(6, 18),
        "defense": lot.randint(2, 6),
        "sanity": lot.randint(6, 18),
        "willpower": lot.randint(2, 6),
        "max_grit": lot.randint(0, 4),
        **{skill: lot.randint(1, 5) for skill in ("agility", "cunning", "spirit", "strength", "lore", "luck")},
        "guns": lot.sample(tuple(GUNS), lot.randint(0, 2)),
        "free_items": ["hold_out_pistol"] * lot.randint(0, 1),
        "melee_items": ["katana"] * lot.randint(0, 1),
        "bag": random_bag(lot),
        "talents": lot.sample(TALENTS, lot.randint(0, 3)),
        "upgrades": lot.sample(tuple(UPGRADES), lot.randint(0, 3)),
    }
    if like is None:
        return figures
    return {"like": like} | {key: value for key, value in figures.items() if lot.random() < 0.3}
