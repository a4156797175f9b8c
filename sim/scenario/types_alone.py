"""Monsters and classes without a fight: a bestiary file or a spreadsheet, checked by itself.

What is said of own types is the same in every fight, so they are checked as part of the game's starter fight, and what
is said of anything else there is left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sim.core.registry import ruleset as find_ruleset
from sim.core.registry import ruleset_names
from sim.core.ruleset import Ruleset
from sim.core.schema import unknown_name
from sim.errors import Problem, ScenarioError
from sim.scenario.bestiary import problems_of_file
from sim.scenario.checks import check
from sim.scenario.own_types import TABLES
from sim.scenario.starter import base_scenario
from sim.scenario.toml_reader import TomlFile, read_toml
from sim.scenario.values import KeyPath, spell


def misfits_of_types(tables: Mapping[str, Any], ruleset: Ruleset[Any]) -> list[tuple[KeyPath, str]]:
    """What is wrong with own types, given as the tables `monsters` and `classes` of a scenario."""
    fight = base_scenario(ruleset).data | {key: tables[key] for key in TABLES if key in tables}
    found = [(misfit.path, misfit.message) for misfit in check(ruleset, fight)[1]]
    return [(path, message) for path, message in found if path and path[0] in TABLES]


def load_bestiary(path: Path, name: str | None = None) -> tuple[Ruleset[Any], dict[str, dict[str, Any]]]:
    """A bestiary file checked by itself: its game, and its tables. ScenarioError with every problem that was found."""
    file = read_toml(path, name)
    ruleset = _game_of(file)
    problems = problems_of_file(file, ruleset)
    tables = {key: file.table[key] for key in ruleset.own_types() if isinstance(file.table.get(key), dict)}
    problems += [
        Problem(spell(path), message, file.name, file.lines.of(path))
        for path, message in misfits_of_types(tables, ruleset)
    ]
    if problems:
        raise ScenarioError(sorted(problems, key=lambda problem: problem.line or 0))
    return ruleset, tables


def _game_of(file: TomlFile) -> Ruleset[Any]:
    named, known = file.table.get("ruleset"), ruleset_names()
    if isinstance(named, str) and named in known:
        return find_ruleset(named)
    if named is None:
        said = 'missing; a bestiary that is looked at by itself says its game, as in ruleset = "overhill"'
    else:
        said = unknown_name(str(named), known, "ruleset")
    raise ScenarioError(Problem("ruleset", said, file.name, file.lines.of(("ruleset",))))
