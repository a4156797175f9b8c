"""Fights of P52 as a table for `p52.c`: which it knows, and their numbers."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from typing import Any

from sim.scenario import Scenario
from tests.limit.refusal import EVERY_FIGHT, require, require_names, require_switches
from tests.oracle.luck import purpose_key
from tests.oracle.p52.formula import formula

MOST_HEROES, MOST_ENEMIES = 8, 20
KING = 13
PURPOSES = ("P52-R3", "P52-S5", "P52-E6")
DEFENCES = ("body_block", "parry", "dodge")

SWORDS = {"light_sword": (2, 0, 1), "scimitar": (4, -1, 2)}  # damage, and what a parry with it adds: target, reduction
PIECES = ("cap", "jacket", "helmet", "chest_plate", "bracers", "greaves")
ARMOUR = {f"{made}_{piece}" for made in ("leather", "iron", "enchanted") for piece in PIECES}
GEAR = {*SWORDS, *ARMOUR, "nice_shoes", "quick_shoes"}
# Of what is no sword and no defence nothing can be used on one spot, without a shield, against no magic.
ABILITIES = {"sword", *DEFENCES, "shield_block", "counter_spell", "charge", "lock_picking", "scholar"}
# Enemies with a weapon for their own spot and nothing special to do there.
CARDS = {"J hearts", "J spades", "J clubs", "Q diamonds", "Q spades", "Q clubs"}
CARDS |= {"K hearts", "K diamonds", "K spades", "K clubs"}

# On one spot nobody walks or shoots; there is no magic, no aim, no second room; the rest has made its numbers before.
FREE = [
    "ability_price",
    "gear",
    "arrows",
    "aim_loss_on_hit",
    "attack_choice",
    "boss_rout",
    "enemy_advance",
    "move_order",
    "frozen_recovers",
    "party_choice",
    "other_ability_xp",
    "space_recovery",
    "stunned_self_spell",
    "enemy_king_extra",
    "ranged_only_close",
    "idle_enemy",
    "enemy_level_bonus",
    "reshuffle_at",
    "stamina_start",
    "stamina_max",
    "counter_depth",
    "round_cap",
]
KNOWN = {
    "target_order": "last_then_closest",
    "distribute_attacks": "off",
    "enemy_king": "double",
    "untrained_defence": "scaled",
    "untrained_attack": "on",
    "stance_on_failed_defence": "keep",
    "enemy_hit": "greater",
    "hero_hit": "meet",
    "cornered_enemy": "heal",
    "king_stage": "before_defence",
    "king_on_tie": "plain",
    "drop_mode": "free_pass",
    "enemy_death": "at_zero",
    "min_target": "none",
    "deck_mode": "deck",
    "data_set": "calico",
    "flee_limit": "none",
    "ban": [],
}
HERO = [
    "level",
    "lift",
    "initiative",
    "hp",
    "max_hp",
    "armour",
    "potions",
    "sword",
    "weapon_damage",
    "parry_target",
    "parry_bonus",
]
ENEMY = ["initiative", "hp", "max_hp", "melee_defence", "target"]
ROUND = ["flip_bonus", "reshuffle_at", "stamina_start", "stamina_max", "counter_depth", "round_cap"]


class Hero(ctypes.Structure):
    """`Hero` of p52.c."""

    _fields_ = [*((name, ctypes.c_int32) for name in HERO), ("defence", ctypes.c_int32 * len(DEFENCES))]


class Enemy(ctypes.Structure):
    """`Enemy` of p52.c."""

    _fields_ = [*((name, ctypes.c_int32) for name in ENEMY), ("damage", ctypes.c_int32 * (KING + 1))]


class P52Fight(ctypes.Structure):
    """`P52Fight` of p52.c."""

    _fields_ = [
        ("purposes", ctypes.c_uint64 * len(PURPOSES)),
        *((name, ctypes.c_int32) for name in ("heroes", "enemies", *ROUND)),
        ("hero", Hero * MOST_HEROES),
        ("enemy", Enemy * MOST_ENEMIES),
    ]


def fight_of(scenario: Scenario) -> P52Fight:
    """The numbers of a fight; Unknown where there is more to it than numbers."""
    resolved, settings = scenario.resolved(), scenario.settings
    require_names(scenario.data, EVERY_FIGHT | {"board"}, "what the scenario says under")
    require(resolved["board"] == "one", "boards of more than one spot")
    require_switches(settings, KNOWN, FREE)
    heroes = [hero_of(hero) for hero in resolved["heroes"]]
    average = sum(hero["level"] for hero in resolved["heroes"]) // len(heroes)  # P52-U5
    bonus = average // settings["enemy_level_bonus"] if settings["enemy_level_bonus"] else 0  # P52-C9
    enemies = [enemy_of(enemy, average, bonus) for enemy in resolved["enemies"]]
    return P52Fight(
        purposes=(ctypes.c_uint64 * len(PURPOSES))(*map(purpose_key, PURPOSES)),
        heroes=len(heroes),
        enemies=len(enemies),
        flip_bonus=bonus,
        **{name: settings[name] for name in ROUND[1:]},
        hero=(Hero * MOST_HEROES)(*heroes),
        enemy=(Enemy * MOST_ENEMIES)(*enemies),
    )


def hero_of(hero: Mapping[str, Any]) -> Hero:
    """The numbers of one hero: a sword in hand, no shield, healing potions at most. What is too heavy is left out."""
    require(hero["policy"] == "brawler", f"the policy {hero['policy']}")
    require_names(hero["abilities"], ABILITIES, "the ability")
    require_names(hero["gear"], GEAR, "the item")
    require_names([name for name, count in hero["consumables"].items() if count], {"healing_potion"}, "the item")
    swords = [item for item in hero["gear"] if item in SWORDS]
    require("sword" in hero["abilities"] and len(swords) == 1, "heroes who do not fight with a sword")
    damage, parry_target, parry_bonus = SWORDS[swords[0]]
    return Hero(
        **{name: hero[name] for name in HERO[:6]},
        potions=hero["consumables"].get("healing_potion", 0),
        sword=hero["abilities"]["sword"],
        weapon_damage=damage,
        parry_target=parry_target,
        parry_bonus=parry_bonus,
        defence=(ctypes.c_int32 * len(DEFENCES))(*(hero["abilities"].get(name, 0) for name in DEFENCES)),
    )


def enemy_of(enemy: Mapping[str, Any], average: int, bonus: int) -> Enemy:
    """The numbers of one enemy, its formulas worked out for the party's level and range 0."""
    require_names([enemy["card"]], CARDS, "the enemy")
    require("target_order" not in enemy, "enemies with a target order of their own")
    require(enemy["melee"]["reach"][0] == 0, "enemies that cannot strike on their own spot")
    require(enemy.get("ranged", {"reach": [1]})["reach"][0] > 0, "missiles and magic on the enemy's own spot")
    target = formula(enemy["melee"]["target"])(average, 0, 0)
    damage = formula(enemy["melee"]["damage"])
    by_card = [0, *(damage(average, 0, card + bonus - target) for card in range(1, KING + 1))]
    return Enemy(
        **{name: formula(enemy[name])(average, 0, 0) for name in ENEMY[:4]},
        target=target,
        damage=(ctypes.c_int32 * (KING + 1))(*by_card),
    )
