"""Bestiary files: `bestiary = "mine.toml"` in a scenario brings the monsters and classes of another file along.

The file lies beside the scenario, or in a folder below it, and has the same tables as a scenario would have:

    ruleset = "overhill"          # may be left out; if it is there, it must be the scenario's

    [monsters.bone_lord]
    like = "skeleton"
    defence = 5

Its entries are put into the tables of the scenario as it is read, where the scenario has none of the same name itself;
from then on nobody needs the file.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

from sim.core.ruleset import Ruleset
from sim.core.schema import unknown_name
from sim.errors import Problem, ScenarioError
from sim.scenario.own_types import TABLES
from sim.scenario.toml_reader import TomlFile, read_toml
from sim.scenario.values import KeyPath, spell

KEY = "bestiary"
_ONLY_IN_SCENARIOS = ("title", "policy", "heroes", "enemies")


def is_bestiary(table: Mapping[str, Any]) -> bool:
    """Whether a file is a bestiary and no scenario: it has tables of types, and nothing of a fight."""
    return any(key in table for key in TABLES) and not any(key in table for key in _ONLY_IN_SCENARIOS)


def bring_along(
    data: dict[str, Any], scenario_file: Path | None, ruleset: Ruleset[Any]
) -> tuple[dict[KeyPath, TomlFile], list[Problem], list[str]]:
    """Puts the entries of the bestiary that a scenario names into its tables, and takes its key `bestiary` out.

    Which entries came from which file; what is wrong with that file; and what is wrong with the key itself, which then
    stays where it is.
    """
    named = data.get(KEY)
    if not isinstance(named, str):
        return {}, [], []  # there is none, or the model complains
    if not ruleset.own_types():
        return {}, [], [f"{ruleset.title} takes no monsters or classes of your own"]
    if scenario_file is None:
        return {}, [], ["is looked for beside the scenario's file, and this scenario has none; write its tables out"]
    if reason := _leads_out(named, scenario_file.parent):
        return {}, [], [reason]
    try:
        file = read_toml(scenario_file.parent / named)
    except ScenarioError as error:
        return {}, list(error.problems), []
    del data[KEY]
    came: dict[KeyPath, TomlFile] = {}
    for key in TABLES:
        entries, there = file.table.get(key, {}), data.get(key, {})
        if isinstance(entries, dict) and isinstance(there, dict):
            new = {name: entry for name, entry in entries.items() if name not in there}
            came |= {(key, name): file for name in new}
            if new:
                data[key] = there | new
    return came, problems_of_file(file, ruleset), []


def problems_of_file(file: TomlFile, ruleset: Ruleset[Any]) -> list[Problem]:
    """What is wrong with a bestiary file as a whole; its entries are checked with the scenario that they come to."""
    tables = list(ruleset.own_types())
    found = []
    for key, value in file.table.items():
        message = ""
        if key == "ruleset":
            if value != ruleset.name:
                message = f"the scenario belongs to {ruleset.name}, found {value!r}"
        elif key not in tables:
            message = unknown_name(key, ["ruleset", *tables], "key")
        elif not isinstance(value, dict):
            message = f"expected tables such as [{key}.bone_lord]"
        if message:
            found.append(Problem(spell((key,)), message, file.name, file.lines.of((key,))))
    return found


def _leads_out(named: str, folder: Path) -> str:
    """Why a bestiary may not be read from there: a scenario that somebody sends must not reach other files."""
    parts = (*PurePosixPath(named).parts, *PureWindowsPath(named).parts)
    absolute = named.startswith(("/", "\\", "~")) or bool(PureWindowsPath(named).drive)
    if not named.strip() or "\0" in named:
        return "expected the name of a file beside the scenario, such as 'mine.toml'"
    if absolute or ".." in parts or not _lies_in(folder / named, folder):
        return f"expected a file beside the scenario or in a folder below it, found {named!r}"
    return ""


def _lies_in(path: Path, folder: Path) -> bool:
    """Links followed."""
    try:
        return path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError, ValueError):
        return False
