"""The tables of units.toml, and the words of the rules in the order of their codes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from sim.core.dice import Dice
from sim.core.lanes import Whole
from sim.core.ruleset import read_table

FOLDER = Path(__file__).parent

ATTRIBUTES = ("vigor", "wise", "quick", "smart")
VIGOR, WISE, QUICK, SMART = range(4)

CLASSES = ("warrior", "rogue", "magic_user", "priest")

STANCES = {"neutral": 0, "aggressive": 1, "defensive": -1}  # what it adds to attack totals; the opposite to defence
NEUTRAL, AGGRESSIVE, DEFENSIVE = STANCES.values()

ITEMS = ("healing_potion", "war_tonic", "stone_oil", "smoke_flask", "acid_flask")
POTION, TONIC, OIL, SMOKE, ACID = range(5)

PARALYSIS, DRAIN = 1, 2  # touches of monsters, which may have both: bits
TOUCHES = {"paralysing_touch": PARALYSIS, "life_drain": DRAIN}

NOTHING = Dice.parse(0)

R = TypeVar("R", bound="TableRow")

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


def traits() -> dict[str, str]:
    """What monsters can have, each with what it does."""
    return dict(table("units.toml")["traits"])


def items() -> dict[str, str]:
    """What the items do."""
    return dict(table("units.toml")["items"])


def prayers() -> dict[str, Any]:
    """The prayers: their levels and risks."""
    return dict(table("units.toml")["magic"])


def rooms() -> dict[str, Any]:
    """The rooms."""
    return dict(table("units.toml")["rooms"])


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row of a table that is rolled on."""

    name: str
    up_to: int | None  # the highest total of the row; None for the last, which takes all others


@dataclass(frozen=True, slots=True)
class Reaction(TableRow):
    """OU-S8: a row of the reaction table: how monsters take to being talked to."""

    avoided: bool = False  # they let the party go
    friendly: bool = False
    surprise: bool = False  # with `talk_fail` = surprise they attack before the first round


@dataclass(frozen=True, slots=True)
class Mishap(TableRow):
    """OU-G4: a row of the mishap table."""

    damage: Dice = NOTHING  # that the caster takes
    darts_lost: bool = False  # all successes of this casting
    blocks: bool = False  # no spells in the next round
    silences: bool = False  # no more spells in this fight


@cache
def reactions() -> tuple[Reaction, ...]:
    """OU-S8: the reaction table."""
    return tuple(Reaction(name, **{"up_to": None} | row) for name, row in table("units.toml")["reactions"].items())


@cache
def mishaps() -> tuple[Mishap, ...]:
    """OU-G4: the mishap table."""
    rows = {name: {"up_to": None} | row for name, row in table("units.toml")["mishaps"].items()}
    return tuple(Mishap(name, **row | {"damage": Dice.parse(row.get("damage", 0))}) for name, row in rows.items())


def places_of(rows: Sequence[TableRow], total: Whole) -> Whole:
    """The places of the rows to which totals lead: the first whose `up_to` they do not exceed."""
    return np.searchsorted([row.up_to for row in rows if row.up_to is not None], total)


def row_of(rows: Sequence[R], total: int) -> R:
    """The row to which one total leads."""
    return rows[int(places_of(rows, np.array([total]))[0])]


def feats() -> tuple[str, ...]:
    """The feats, in the order in which warriors learn them (OU-F1)."""
    return tuple(table("units.toml")["feats"]["order"])
