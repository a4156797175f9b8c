"""Whatever a file says, the answer is a scenario or a list of problems, never a crash."""

from __future__ import annotations

import copy
import random
from pathlib import Path
from typing import Any

import pytest

from sim.core.registry import ruleset
from sim.errors import ScenarioError
from sim.scenario import Scenario, from_dict, load, scenarios_of
from sim.scenario.paths import KeyPath, spell
from sim.scenario.toml import to_toml
from tests.scenario.toy import RULESET

ODD_VALUES: list[Any] = [
    0, -1, 1, 3, 10**9, 2**62, 1.5, -0.0, 1e300, True, False, "", "x", "plain", "1d6", "0d0", "99d99", "-1", "é\u202e\x07",
    [], [1], ["x"], [[]], {}, {"x": 1}, [{}], [{"type": "zombie"}], {"": {"": []}}, "number", "none", "first",
]  # fmt: skip


def places(value: Any, path: KeyPath = ()) -> list[KeyPath]:
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(found for step, below in steps for found in places(below, (*path, step)))]


def mangled(data: dict[str, Any], luck: random.Random) -> dict[str, Any]:
    """The scenario with a few values replaced, keys renamed, added or removed."""
    data = copy.deepcopy(data)
    for _ in range(luck.randint(1, 4)):
        path = luck.choice(places(data)[1:])
        table: Any = data
        for step in path[:-1]:
            table = table[step]
        deed = luck.choice(["replace", "replace", "remove", "rename", "add"])
        if deed == "replace":
            table[path[-1]] = copy.deepcopy(luck.choice(ODD_VALUES))
        elif deed == "remove":
            del table[path[-1]]
        elif isinstance(table, dict) and deed == "rename":
            table[f"{path[-1]}s"] = table.pop(path[-1])
        elif isinstance(table, dict):
            table[luck.choice(["", "level", "class", "a b", "x.y", "policies", "encounter"])] = luck.choice(ODD_VALUES)
        if not data:
            break
    return data


def answer(data: dict[str, Any], path: Path) -> Scenario | list[str]:
    """What is said about the table, which must be what is said about the same thing as a file."""
    path.write_text(to_toml(data), encoding="utf-8")
    try:
        from_dict(data)
    except ScenarioError as error:
        with pytest.raises(ScenarioError) as caught:
            load(path)
        assert sorted(problem.key for problem in caught.value.problems) == sorted(one.key for one in error.problems)
        assert all(problem.line for problem in caught.value.problems if problem.key in map(spell, places(data)[1:]))
        return [problem.message for problem in error.problems]
    return load(path)


@pytest.mark.parametrize("name", ["coins/brawl", "overhill/warband", "overhill/gobbo-dungeon"])
def test_a_mangled_scenario_is_played_or_explained(name: str, tmp_path: Path) -> None:
    luck = random.Random(name)
    base = load(name).data
    refused = 0

    for _ in range(150):
        said = answer(mangled(base, luck), tmp_path / "mangled.toml")
        if isinstance(said, Scenario):
            said.resolved()
            said.encounter()
        else:
            refused += 1
            assert all(said)

    assert refused > 50


@pytest.mark.parametrize("name", [*scenarios_of(RULESET), *scenarios_of(ruleset("overhill"))])
def test_any_key_with_any_value_is_played_or_explained(name: str) -> None:
    luck = random.Random(name)
    base = load(name)
    paths = [spell(path) for path in places(base.resolved())[1:]]

    for _ in range(60):
        try:
            base.changed(values={luck.choice(paths): luck.choice(ODD_VALUES)}).digest
        except ScenarioError as error:
            assert all(problem.message for problem in error.problems)
