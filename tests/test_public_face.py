"""`import sim`: all of the public API, in one short list."""

from __future__ import annotations

import inspect
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import sim
from sim.errors import NotSolvable, ScenarioError
from tests.games.registry import with_coin_duel

ROOT = Path(__file__).parent.parent

with_coins = pytest.fixture(autouse=True)(with_coin_duel)


def test_the_public_face_is_this_and_nothing_else() -> None:
    own = ["Scenario", "SimError", "__version__", "exact", "load", "replay", "run"]
    about_one_fight = ["compare", "ladder", "parties", "price", "scale", "sensitivity", "sweep", "tune", "why"]
    questions = [*about_one_fight, "diff", "gate", "improve", "study"]
    assert sorted(sim.__all__) == sorted(own + questions)
    for name in sim.__all__:
        assert getattr(sim, name) is not None
    with pytest.raises(AttributeError, match="module 'sim' has no attribute 'balance'"):
        _ = sim.balance  # type: ignore[attr-defined]


def test_the_version_is_that_of_the_distribution() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

    assert project["version"] == sim.__version__


def test_importing_sim_imports_nothing_heavy() -> None:
    code = "import sys, sim; print(sorted({'numpy', 'pydantic', 'pandas', 'click', 'rich'} & set(sys.modules)))"

    answer = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)

    assert answer.stdout.strip() == "[]"


def test_every_function_takes_the_same_changes() -> None:
    changes = {"set", "sets", "preset", "policy"}

    for function in (sim.load, sim.run, sim.replay, sim.exact):
        assert changes <= set(inspect.signature(function).parameters)
        assert function.__doc__


def test_a_scenario_is_taken_by_name_path_table_or_as_it_is(tmp_path: Path) -> None:
    from sim.scenario.toml_writer import to_toml

    duel = sim.load("coins/duel")
    path = tmp_path / "duel.toml"
    path.write_text(to_toml(duel.data))

    results = [sim.run(one, runs=300, seed=7) for one in ("coins/duel", path, str(path), duel.data, duel)]

    assert isinstance(duel, sim.Scenario)
    assert len({result.win_rate.value for result in results}) == 1
    assert results[0].runs.shape[0] == 300
    assert len(results[0].summary()) > 5


def test_values_are_set_from_python_and_as_on_the_command_line() -> None:
    by_value = sim.load("coins/duel", set={"enemies.pickpocket.count": 3}, policy="strongest")
    by_text = sim.load("coins/duel", sets=["enemies.pickpocket.count=3"], policy="strongest")

    assert by_value == by_text
    assert sim.run("coins/duel", runs=500, set={"enemies.pickpocket.count": 9}).win_rate.value < 0.01
    with pytest.raises(ScenarioError, match=r"--set enemies\.pickpocket\.count=\"x\": enemies\[0\]\.count: expected"):
        sim.run("coins/duel", runs=500, set={"enemies.pickpocket.count": "x"})


def test_exact_gives_the_chances_or_the_reason() -> None:
    assert str(sim.exact("coins/duel").win) == "22/27"
    with pytest.raises(NotSolvable, match="one hero against one foe"):
        sim.exact("coins/brawl")
    assert issubclass(NotSolvable, sim.SimError)


def test_replay_tells_a_run_by_its_number_or_by_its_kind() -> None:
    told = sim.replay("coins/duel", run=3, seed=2)
    again = sim.replay("coins/duel", pick="worst", runs=200)

    assert (told.run, told.seed) == (3, 2)
    assert again.outcome == "loss"
    assert next(told.lines()) == "One against one (coins/duel), policy first, run 3 of seed 2"
