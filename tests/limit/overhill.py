"""Fights of Overhill & Underdale as a table for `overhill.c`: which it knows, and their numbers."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from typing import Any

from sim.scenario import Scenario
from tests.limit.refusal import EVERY_FIGHT, require, require_names, require_switches
from tests.oracle.luck import purpose_key

MOST_HEROES = MOST_GROUPS = 12
PURPOSES = ("OU-A3", "OU-A5", "OU-G1", "OU-G4", "OU-G5", "OU-E7", "OU-D2")
CALLINGS = ("warrior", "rogue", "priest", "magic_user")
TAGS = ("none", "edged", "blunt")
MONSTERS = ("skeleton", "zombie", "armored_zombie", "gobbo", "gobbo_archer", "gobbo_dog", "gobbo_shaman")

# `plain` uses neither prayers, items, feats nor moves, and attacks at once; the rest has made its numbers before.
FREE = [
    "bestiary",
    "gobbo_defense",
    "dice_progression",
    "feat_start",
    "leader_aura",
    "bump_max",
    "heal_downed",
    "risk_roll",
    "push_ladder",
    "difficulty_check",
    "paralysed_defense",
    "sneak_attack_use",
    "opening_defence",
    "talk_fail",
    "sneak_fail",
    "stealth_check",
    "traps",
    "round_cap",
]
KNOWN = {
    "melee_threshold": "exceed",
    "dodge_threshold": "exceed",
    "monster_damage": "attack",
    "defense_die": "matching",
    "level_bonus": "class_only",
    "monster_targeting": "focus",
    "threat_window": "previous_round",
    "threat_scope": "group",
    "party_choice": "random",
    "melee_reach": "strict",
    "rear_protection": "outnumbered",
    "rear_modifier": "none",
    "dart_position": "rear_only",
    "dart_level": 1,
    "cast_threshold": "meet",
    "dart_roll": "reroll",
    "one_is": "failure",
    "mishaps": "on",
    "monster_scaling": "none",
}
HERO = ("calling", "level", "vigor", "quick", "smart", "health", "blade", "missile", "shield_wall")
GROUP = ("number", "melee", "range", "defence", "blunt_defence")
ROOM = ("heroes", "groups", "rear_ratio", "per_front", "front_max", "round_cap")


class Hero(ctypes.Structure):
    """`Hero` of overhill.c."""

    _fields_ = [(name, ctypes.c_int32) for name in HERO]


class Group(ctypes.Structure):
    """`Group` of overhill.c."""

    _fields_ = [(name, ctypes.c_int32) for name in GROUP]


class OverhillFight(ctypes.Structure):
    """`OverhillFight` of overhill.c."""

    _fields_ = [
        ("purposes", ctypes.c_uint64 * len(PURPOSES)),
        *((name, ctypes.c_int32) for name in ROOM),
        ("hero", Hero * MOST_HEROES),
        ("group", Group * MOST_GROUPS),
    ]


def fight_of(scenario: Scenario) -> OverhillFight:
    """The numbers of a fight; Unknown where there is more to it than numbers."""
    said, resolved = scenario.data, scenario.resolved()
    require_names(said, EVERY_FIGHT | {"room", "rear_ratio", "front_max"}, "what the scenario says under")
    require(scenario.policy == "plain", f"the policy {scenario.policy}")
    require_switches(scenario.settings, KNOWN, FREE)
    heroes = [hero_of(hero) for hero in resolved["heroes"]]
    groups = [group_of(group) for group in resolved["enemies"]]
    require(any(group.number for group in groups), "a fight without monsters")
    rear, _, per_front = str(resolved["rear_ratio"]).partition("/")
    front_max = resolved["front_max"]
    return OverhillFight(
        purposes=(ctypes.c_uint64 * len(PURPOSES))(*map(purpose_key, PURPOSES)),
        heroes=len(heroes),
        groups=len(groups),
        rear_ratio=int(rear),
        per_front=int(per_front or 1),
        front_max=0 if front_max == "none" else front_max,
        round_cap=scenario.settings["round_cap"],
        hero=(Hero * MOST_HEROES)(*heroes),
        group=(Group * MOST_GROUPS)(*groups),
    )


def hero_of(hero: Mapping[str, Any]) -> Hero:
    """The numbers of one hero."""
    require_names([hero["class"]], CALLINGS, "the class")
    require("accept_the_blade" not in hero["feats"], "Accept the Blade")
    require(hero["guard"] == "policy", "heroes with a guard of their own")
    return Hero(
        calling=CALLINGS.index(hero["class"]),
        level=hero["level"],
        vigor=hero["vigor"],
        quick=hero["quick"],
        smart=hero["smart"],
        health=hero["health"],
        blade=TAGS.index(hero["melee_tag"]),
        missile=TAGS.index(hero["ranged_tag"]),
        shield_wall=hero["class"] == "warrior" and hero["shield"] and "shield_wall" in hero["feats"],
    )


def group_of(group: Mapping[str, Any]) -> Group:
    """The numbers of one group."""
    require_names([group["type"]], MONSTERS, "the monster")
    require(isinstance(group["count"], int), f"a rolled number of monsters ({group['count']})")
    blunt = group.get("blunt_defence", "none")
    return Group(
        number=group["count"],
        melee=group["melee"],
        range=group["range"],
        defence=group["defence"],
        blunt_defence=group["defence"] if blunt == "none" else blunt,
    )
