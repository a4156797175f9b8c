"""The tables of units.toml."""

from __future__ import annotations

from pathlib import Path

from sim.core.ruleset import read_table

FOLDER = Path(__file__).parent

CLASSES = read_table(FOLDER, "units.toml")["classes"]
FOES = read_table(FOLDER, "units.toml")["foes"]
CHARMS = ("penny", "horseshoe")
CROWD = 5  # foes in a crowd
