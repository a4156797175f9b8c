"""Random fights that the players in C know: other parties, other enemies, other numbers."""

from __future__ import annotations

import random
from typing import Any

from tests.limit.overhill import CALLINGS, MONSTERS
from tests.limit.p52 import CARDS

DICE = [2, 4, 6, 8, 10, 12]


def overhill_fight(number: int) -> dict[str, Any]:
    """A fight of Overhill with the policy `plain`."""
    chance = random.Random(f"overhill {number}")
    heroes = [overhill_hero(chance) for _ in range(chance.randint(1, 6))]
    types = chance.sample(MONSTERS, chance.randint(1, 4))
    groups = [{"type": name, "count": chance.randint(0, 4), **group_numbers(chance)} for name in types]
    groups[chance.randrange(len(groups))]["count"] = chance.randint(1, 12)
    return {
        "ruleset": "overhill",
        "title": f"random fight {number}",
        "policy": "plain",
        "level": chance.randint(1, 6),
        "room": chance.choice(["standard", "narrow", "wide", "open"]),
        "switches": {"round_cap": chance.choice([1, 4, 30])},
        "heroes": heroes,
        "enemies": groups,
    }


def overhill_hero(chance: random.Random) -> dict[str, Any]:
    """A hero of any class, some of them with other numbers."""
    hero: dict[str, Any] = {"class": chance.choice(CALLINGS)}
    for die in ("vigor", "quick", "smart"):
        if chance.random() < 0.3:
            hero[die] = chance.choice(DICE)
    if chance.random() < 0.3:
        hero["max_health"] = chance.randint(1, 30)
    if chance.random() < 0.3:
        hero["melee_tag"] = chance.choice(["edged", "blunt", "none"])
        hero["ranged_tag"] = chance.choice(["edged", "blunt", "none"])
    if hero["class"] == "warrior" and chance.random() < 0.5:
        hero["feats"] = ["shield_wall"]
        hero["shield"] = chance.random() < 0.8
    return hero


def group_numbers(chance: random.Random) -> dict[str, Any]:
    """Some numbers of a group that are not those of its type."""
    numbers: dict[str, Any] = {}
    if chance.random() < 0.5:
        numbers["melee"], numbers["range"] = chance.randint(0, 6), chance.randint(0, 6)
    if chance.random() < 0.5:
        numbers["defence"] = chance.randint(1, 7)
        numbers["blunt_defence"] = chance.choice(["none", 1, 2, 5])
    return numbers


def p52_fight(number: int) -> dict[str, Any]:
    """A fight of P52 on one spot with the policy `brawler`."""
    chance = random.Random(f"p52 {number}")
    level = chance.randint(1, 4)
    return {
        "ruleset": "p52",
        "title": f"random fight {number}",
        "policy": "brawler",
        "level": level,
        "board": "one",
        "switches": {
            "round_cap": chance.choice([3, 30]),
            "reshuffle_at": chance.choice([0, 13, 13, 40]),
            "stamina_start": chance.randint(0, 5),
            "stamina_max": chance.randint(0, 5),
            "counter_depth": chance.randint(0, 3),
            "enemy_level_bonus": chance.choice([0, 1, 5]),
        },
        "heroes": [p52_hero(chance) for _ in range(chance.randint(1, 5))],
        "enemies": [p52_enemy(chance) for _ in range(chance.randint(1, 4))],
    }


def p52_hero(chance: random.Random) -> dict[str, Any]:
    """A fighter with a sword, some of them with other numbers."""
    hero: dict[str, Any] = {"class": "fighter", "gear": ["light_sword"]}
    if chance.random() < 0.3:
        hero["gear"] = ["scimitar", "leather_cap", "iron_greaves"]
        hero["balance"] = 2
    if chance.random() < 0.6:
        others = ("body_block", "parry", "dodge", "counter_spell", "charge")
        hero["abilities"] = {"sword": chance.randint(1, 6)}
        hero["abilities"] |= {name: chance.randint(1, 9) for name in others if chance.random() < 0.5}
    if chance.random() < 0.3:
        hero["lift"] = chance.randint(3, 9)
    if chance.random() < 0.4:
        hero["max_hp"] = chance.randint(1, 20)
    if chance.random() < 0.3:
        hero["armour"] = chance.randint(0, 5)
    hero["consumables"] = {"healing_potion": chance.randint(0, 2)}
    return hero


def p52_enemy(chance: random.Random) -> dict[str, Any]:
    """An enemy that fights hand to hand, some of them with other numbers."""
    enemy: dict[str, Any] = {"card": chance.choice(sorted(CARDS)), "spot": [0, 0]}
    if chance.random() < 0.4:
        enemy["max_hp"] = chance.choice([1, 7, 40, "11*L"])
    if chance.random() < 0.4:
        enemy["melee_defence"] = chance.randint(-13, 9)
    if chance.random() < 0.4:
        enemy["melee"] = {"target": chance.choice(["5 - L", "9", 13])}
        enemy["melee"]["damage"] = chance.choice(["L", "4*L + 2*O", "max(0, O - 3)"])
    if chance.random() < 0.3:
        enemy["initiative"] = chance.choice([7, 9])
    if chance.random() < 0.3:
        enemy["movement"] = 0
    return enemy
