"""Whatever a file says, the answer is a scenario or a list of problems, never a crash."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from sim.core.registry import ruleset
from sim.errors import Problem, ScenarioError
from sim.scenario import Scenario, from_dict, load, scenarios_of
from sim.scenario.toml_writer import to_toml
from sim.scenario.values import KeyPath, spell
from tests.games.coins import RULESET

ODD_VALUES: list[Any] = [
    0, -1, 1, 3, 10**9, 2**62, 1.5, -0.0, 1e300, True, False, "", "x", "plain", "1d6", "0d0", "99d99", "-1",
    "é\u202e\x07", [], [1], ["x"], [[]], {}, {"x": 1}, [{}], [{"type": "zombie"}], {"": {"": []}}, "number", "none",
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


def answer(loading: Callable[[], Scenario]) -> Scenario | tuple[Problem, ...]:
    """The scenario, or what is wrong with it."""
    try:
        return loading()
    except ScenarioError as error:
        return error.problems


@pytest.mark.parametrize("name", ["coins/brawl", "overhill/warband", "overhill/gobbo-dungeon"])
def test_a_mangled_scenario_is_played_or_explained(name: str, tmp_path: Path) -> None:
    luck = random.Random(name)
    base = load(name).data
    refused = 0

    for _ in range(150):
        data = mangled(base, luck)
        path = tmp_path / "mangled.toml"
        path.write_text(to_toml(data), encoding="utf-8")
        of_the_table, of_the_file = answer(partial(from_dict, data)), answer(partial(load, path))
        if isinstance(of_the_file, Scenario):
            assert isinstance(of_the_table, Scenario)
            assert of_the_file.digest == of_the_table.digest
            of_the_file.encounter()
        else:
            assert not isinstance(of_the_table, Scenario)
            assert {(one.key, one.message) for one in of_the_file} == {(one.key, one.message) for one in of_the_table}
            there = [spell(place) for place in places(data)[1:]]
            assert all(one.message and (one.line or one.key not in there) for one in of_the_file)
            refused += 1

    assert refused > 50


@pytest.mark.parametrize("name", [*scenarios_of(RULESET), *scenarios_of(ruleset("overhill"))])
def test_any_key_with_any_value_is_played_or_explained(name: str) -> None:
    luck = random.Random(name)
    base = load(name)
    paths = [spell(path) for path in places(base.resolved())[1:]]

    for _ in range(60):
        said = answer(partial(base.changed, values={luck.choice(paths): luck.choice(ODD_VALUES)}))

        assert said.digest if isinstance(said, Scenario) else all(problem.message for problem in said)
