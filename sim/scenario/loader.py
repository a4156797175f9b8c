"""From a name, a file or a table to a checked scenario."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sim.errors import Problem, ScenarioError
from sim.scenario.catalogue import find
from sim.scenario.checks import Misfit, check, once_per_key, ruleset_of
from sim.scenario.files import TomlFile, read_toml
from sim.scenario.overrides import Override, apply, from_python, from_text
from sim.scenario.paths import KeyPath, spell
from sim.scenario.scenario import Scenario
from sim.scenario.values import plain, strange_values


def load(
    name_or_path: str | Path,
    *,
    sets: Sequence[str] = (),
    values: Mapping[str, Any] | None = None,
    preset: str | None = None,
    policy: str | None = None,
) -> Scenario:
    """A scenario by name ('overhill/playtest-1') or by path ('fights/gate.toml'), with overrides, checked.

    Args:
        sets: overrides as on the command line: 'enemies.skeleton.count=4'.
        values: overrides from Python: {'enemies.skeleton.count': 4}.

    Raises ScenarioError with every problem that was found.
    """
    name, path = find(name_or_path)
    file = read_toml(path, str(name_or_path))
    return _checked(file.table, name, path, file, sets, values, preset, policy)


def from_dict(
    data: Mapping[str, Any],
    *,
    name: str = "scenario",
    source: Path | None = None,
    sets: Sequence[str] = (),
    values: Mapping[str, Any] | None = None,
    preset: str | None = None,
    policy: str | None = None,
) -> Scenario:
    """A scenario from a table as a file would hold it, with overrides, checked."""
    own = plain(data)
    if misfits := list(strange_values(own)):
        raise ScenarioError([Problem(spell(path), what) for path, what in misfits])
    return _checked(own, name, source, None, sets, values, preset, policy)


def as_scenario(
    wanted: str | Path | Mapping[str, Any] | Scenario,
    *,
    sets: Sequence[str] = (),
    values: Mapping[str, Any] | None = None,
    preset: str | None = None,
    policy: str | None = None,
) -> Scenario:
    """A scenario from whatever names one: a name, a path, a table or a scenario."""
    if isinstance(wanted, Scenario):
        nothing = not sets and not values and preset is None and policy is None
        return wanted if nothing else wanted.changed(sets=sets, values=values, preset=preset, policy=policy)
    if isinstance(wanted, Mapping):
        return from_dict(wanted, sets=sets, values=values, preset=preset, policy=policy)
    return load(wanted, sets=sets, values=values, preset=preset, policy=policy)


def _checked(
    data: dict[str, Any],
    name: str,
    source: Path | None,
    file: TomlFile | None,
    sets: Sequence[str],
    values: Mapping[str, Any] | None,
    preset: str | None,
    policy: str | None,
) -> Scenario:
    overrides, problems = _asked_for(sets, values, preset, policy)
    ruleset, misfits = ruleset_of(data)
    touched: dict[KeyPath, str] = {}
    if ruleset is not None:
        touched, leading_nowhere = apply(data, overrides, ruleset)
        problems += leading_nowhere
        misfits += check(ruleset, data)[1]
    problems += [_placed(misfit, file, touched) for misfit in once_per_key(misfits)]
    if problems:
        raise ScenarioError(_in_reading_order(problems, overrides))
    assert ruleset is not None  # without one there is a problem
    return Scenario(ruleset.name, name, json.dumps(data), source, tuple(override.place for override in overrides))


def _asked_for(
    sets: Sequence[str], values: Mapping[str, Any] | None, preset: str | None, policy: str | None
) -> tuple[list[Override], list[Problem]]:
    """Every override in the order in which they count: preset and policy, then the values one by one."""
    overrides: list[Override] = []
    problems: list[Problem] = []
    if preset is not None:
        overrides.append(Override("preset", preset, f"--preset {preset}"))
    if policy is not None:
        overrides.append(Override("policy", policy, f"--policy {policy}"))
    for setting in sets:
        found = from_text(setting)
        if isinstance(found, Override):
            overrides.append(found)
        else:
            problems.append(found)
    for path, value in (values or {}).items():
        overrides.append(from_python(path, value))
    return overrides, problems


def _placed(misfit: Misfit, file: TomlFile | None, touched: Mapping[KeyPath, str]) -> Problem:
    """The problem with its place: the override that set the value, or else the line of the file."""
    key = spell(misfit.path)
    for length in range(len(misfit.path), 0, -1):
        if misfit.path[:length] in touched:
            return Problem(key, misfit.message, touched[misfit.path[:length]])
    if file is None:
        return Problem(key, misfit.message)
    return Problem(key, misfit.message, file.name, file.lines.of(misfit.path))


def _in_reading_order(problems: list[Problem], overrides: list[Override]) -> list[Problem]:
    """Problems of the file from top to bottom, then those of the overrides as they were asked for."""
    asked = {override.place: place for place, override in enumerate(overrides)}
    return sorted(problems, key=lambda problem: (asked.get(problem.file or "", -1), problem.line or 0))
