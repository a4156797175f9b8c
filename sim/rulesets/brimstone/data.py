"""The ruleset's own tables, read once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sim.core.ruleset import read_table

FOLDER = Path(__file__).parent

SKILLS = ("agility", "cunning", "spirit", "strength", "lore", "luck")
FIGURES = ("init", "th_ranged", "th_melee", "combat", "health", "sanity", "defense", "willpower", *SKILLS, "max_grit")
TOKENS = ("bandages", "herbs", "whiskey", "tonic", "dynamite", "hatchet", "shiv", "fine_cigar", "flash", "spice")
MARKERS = ("bleeding", "burning", "death_mark", "ensnared", "poison", "stunned", "webbed", "venom", "entangled")
SINGLE_MARKERS = ("death_mark", "ensnared")  # at most one on a hero
SIZES = ("S", "M", "L")
BEHAVIOURS = ("melee", "ranged", "melee_or_ranged", "shootout", "immobile")

NUMBER_ABILITIES = (
    "fear",
    "terror",
    "uterror",
    "six",
    "hail",
    "nightmare",
    "crit_floor",
    "endurance",
    "armor",
    "cover",
    "tail",
    "explode",
    "regen",
    "gun_ward",
    "spawn_rolls",
    "horror_bonus",
    "six_shot_bonus",
)
PLAIN_ABILITIES = (
    "smash",
    "burst",
    "flight",
    "swarm",
    "pack",
    "tough",
    "zealot",
    "dodge",
    "cursed",
    "hordes",
    "always_ambush",
    "taint",
    "drag",
    "daunt",
    "six_pierces",
    "free_shot",
    "again_on_one",
    "double_first",
    "tail_each",
    "tail_d3",
    "cut",
    "opening",
)

MOST_MODELS = 40
MOST_KINDS = 40
PERIL = (3, 3, 4, 4, 5, 6)


def table(file: str) -> dict[str, Any]:
    """One of the ruleset's TOML files."""
    return read_table(FOLDER, file)


def classes() -> dict[str, Any]:
    """The hero classes (11.1)."""
    return dict(table("units.toml")["classes"])


def upgrades() -> dict[str, str]:
    """The upgrades and the class that each is for (11.1)."""
    return dict(table("units.toml")["upgrades"])


def guns() -> dict[str, Any]:
    """The guns (11.2)."""
    return dict(table("units.toml")["guns"])


def free_items() -> dict[str, Any]:
    """Items that give a Free Attack (11.2)."""
    return dict(table("units.toml")["free_items"])


def melee_items() -> dict[str, Any]:
    """Items that add to Combat (11.2)."""
    return dict(table("units.toml")["melee_items"])


def types() -> dict[str, Any]:
    """The enemy types in the order that addresses use (11.5)."""
    return dict(table("units.toml")["enemies"])


def threats() -> dict[str, list[dict[str, Any]]]:
    """The threat lists (11.6)."""
    return dict(table("units.toml")["threats"])


def levels() -> dict[str, Any]:
    """The gains of the fixed level model (11.7)."""
    return dict(table("units.toml")["levels"])
