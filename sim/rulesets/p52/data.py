"""The ruleset's own tables, read once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sim.core.ruleset import read_table

FOLDER = Path(__file__).parent

CORES = ("Lt", "Th", "Bc", "Mv", "Ld")
CORE_NAMES = ("lift", "think", "balance", "move", "lead")  # the same in scenario files
DATA_SETS = ("calico", "mountain")
RANKS, SUITS = ("J", "Q", "K"), ("hearts", "diamonds", "spades", "clubs")
FACE_CARDS = tuple(f"{rank} {suit}" for rank in RANKS for suit in SUITS)
BOSSES = ("apprentice", "calico", "warlock")
MINOR_BOSSES = tuple(f"{rank} minor" for rank in RANKS)
CARDS = (*FACE_CARDS, *BOSSES, *MINOR_BOSSES)
OF_THE_DRAFT = tuple(f"mountain {card}" for card in FACE_CARDS)  # the draft's cards, with either data set
MOST_ENEMIES = 32  # in one encounter: a bit for each, and a power of two
ROLES = ("fighter", "rogue", "wizard", "cleric", "captain")


def table(file: str) -> dict[str, Any]:
    """One of the ruleset's TOML files."""
    return read_table(FOLDER, file)


def boards() -> dict[str, str]:
    """The named boards."""
    return dict(table("units.toml")["boards"])


def of_set(data_set: str, what: str) -> dict[str, Any]:
    """A table of a data set: races, classes, abilities, gear, consumables, enemies."""
    return dict(table("units.toml")[data_set].get(what, {}))


def names(what: str) -> tuple[str, ...]:
    """All names of a kind of table, in either data set."""
    return tuple(dict.fromkeys(name for data_set in DATA_SETS for name in of_set(data_set, what)))
