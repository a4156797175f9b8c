"""The ruleset's own tables, read once, and the words of the rules in the order of their codes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sim.core.ruleset import read_table

FOLDER = Path(__file__).parent

SKILLS = ("agility", "cunning", "spirit", "strength", "lore", "luck")
FIGURES = ("init", "th_ranged", "th_melee", "combat", "health", "sanity", "defense", "willpower", *SKILLS, "max_grit")
CARRIED_FIGURES = (*FIGURES, "move_bonus", "shot_bonus")  # of a hero; a level may change any of them
TOKENS = ("bandages", "herbs", "whiskey", "tonic", "dynamite", "hatchet", "shiv", "fine_cigar", "flash", "spice")
MARKERS = ("bleeding", "burning", "death_mark", "ensnared", "poison", "stunned", "webbed", "venom", "entangled")
SINGLE_MARKERS = ("death_mark", "ensnared")  # at most one on a hero
SIZES = ("S", "M", "L")
BEHAVIOURS = ("melee", "ranged", "melee_or_ranged", "shootout", "immobile")
CAUSES = ("enemies", "heroes", "darkness", "fled", "cap")  # what ended a fight

BANDAGES, HERBS, WHISKEY, TONIC, DYNAMITE, HATCHET, SHIV, FINE_CIGAR, FLASH, SPICE = range(len(TOKENS))
BLEEDING, BURNING, DEATH_MARK, ENSNARED, POISON, STUNNED, WEBBED, VENOM, ENTANGLED = range(len(MARKERS))
MELEE, RANGED, MELEE_OR_RANGED, SHOOTOUT, IMMOBILE = range(len(BEHAVIOURS))
LARGE = SIZES.index("L")
BY_ENEMIES, BY_HEROES, BY_DARKNESS, BY_FLIGHT, BY_CAP = range(len(CAUSES))

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
    """The hero classes."""
    return dict(table("units.toml")["classes"])


def upgrades() -> dict[str, str]:
    """The upgrades and what each does."""
    return dict(table("units.toml")["upgrades"])


def talents() -> dict[str, str]:
    """What a class can do besides, and what each means."""
    return dict(table("units.toml")["talents"])


def guns() -> dict[str, Any]:
    """The guns."""
    return dict(table("units.toml")["guns"])


def free_items() -> dict[str, Any]:
    """Items that give a Free Attack (BF-H24)."""
    return dict(table("units.toml")["free_items"])


def melee_items() -> dict[str, Any]:
    """Items that add to Combat."""
    return dict(table("units.toml")["melee_items"])


def types() -> dict[str, Any]:
    """The enemy types in the order that addresses use."""
    return dict(table("units.toml")["enemies"])


def threats() -> dict[str, list[dict[str, Any]]]:
    """The threat lists (BF-S2)."""
    return dict(table("units.toml")["threats"])


def levels() -> dict[str, Any]:
    """The gains of the fixed level model."""
    return dict(table("units.toml")["levels"])
