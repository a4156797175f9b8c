"""The tables of units.toml, and the words of the rules in the order of their codes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sim.core.ruleset import read_table

FOLDER = Path(__file__).parent

ATTRIBUTES = ("vigor", "wise", "quick", "smart")
VIGOR, WISE, QUICK, SMART = range(4)

CLASSES = ("warrior", "rogue", "magic_user", "priest")

STANCES = {"neutral": 0, "aggressive": 1, "defensive": -1}  # what it adds to attack totals; the opposite to defence
NEUTRAL, AGGRESSIVE, DEFENSIVE = STANCES.values()

ITEMS = ("healing_potion", "war_tonic", "stone_oil", "smoke_flask", "acid_flask")
POTION, TONIC, OIL, SMOKE, ACID = range(5)

TOUCHES = ("", "paralysis", "drain")
NO_TOUCH, PARALYSIS, DRAIN = range(3)

STRIKES = ("melee", "sneak", "frenzy", "dual", "ranged", "dart")  # attacks that may remove monsters, in fixed order
ACTIONS = ("melee", "sneak", "frenzy", "dual", "bash", "ranged", "dart", "heal", "bless", "item", "move")


def table(file: str) -> dict[str, Any]:
    """One of the ruleset's TOML files."""
    return read_table(FOLDER, file)


def classes() -> dict[str, Any]:
    """The hero classes."""
    return dict(table("units.toml")["classes"])


def monsters() -> dict[str, Any]:
    """The bestiary."""
    return dict(table("units.toml")["monsters"])


def items() -> dict[str, str]:
    """What the items do."""
    return dict(table("units.toml")["items"])


def prayers() -> dict[str, Any]:
    """The prayers: their levels and risks."""
    return dict(table("units.toml")["magic"])


def rooms() -> dict[str, Any]:
    """The rooms."""
    return dict(table("units.toml")["rooms"])


def feats() -> tuple[str, ...]:
    """The feats, in the order in which warriors learn them (OU-F1)."""
    return tuple(table("units.toml")["feats"]["order"])
