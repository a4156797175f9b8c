"""Loading: names and paths, what a scenario knows, and how it travels."""

from __future__ import annotations

import dataclasses
import os
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from sim.core.engine import play
from sim.core.registry import ruleset
from sim.errors import ScenarioError
from sim.scenario import Scenario, as_scenario, from_dict, load, scenario_names, scenarios_of
from sim.scenario.toml_writer import to_toml
from tests.games.coins import RULESET

EVERY_SCENARIO = sorted([*scenarios_of(RULESET), *scenarios_of(ruleset("overhill"))])


def test_a_built_in_scenario_is_found_by_name() -> None:
    scenario = load("coins/brawl")

    assert scenario.name == "coins/brawl"
    assert scenario.title == "Two against a crowd"
    assert scenario.settings == {"heads_takes": 3, "mood": "merry"}
    assert scenario.source == RULESET.folder / "scenarios" / "brawl.toml"
    assert "coins/brawl" in scenario_names()


@pytest.mark.parametrize("written", ["gate.toml", "./gate.toml", "{folder}/gate.toml"])
def test_a_file_is_found_by_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: str) -> None:
    (tmp_path / "gate.toml").write_text(to_toml(load("coins/duel").data))
    monkeypatch.chdir(tmp_path)

    scenario = load(written.format(folder=tmp_path))

    assert scenario.name == "gate"
    assert scenario.data == load("coins/duel").data


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ("coins/brwl", "unknown scenario 'coins/brwl'; did you mean 'coins/brawl'?"),
        ("brawl", "unknown scenario 'brawl'; did you mean 'coins/brawl'?"),
        ("conis/duel", "did you mean 'coins/duel'?"),
        ("zzzzzzz", "unknown scenario 'zzzzzzz'; a file needs its .toml ('fairfight list scenarios' shows all)"),
        ("gate", "unknown scenario 'gate'; did you mean the file 'gate.toml'?"),
        ("fights", "that is a folder, expected a name or a .toml file"),
        ("gaet.toml", "gaet.toml: no such file; did you mean 'gate.toml'?"),
        ("", "unknown scenario ''"),
    ],
)
def test_a_name_that_nobody_knows_names_the_nearest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wanted: str, expected: str
) -> None:
    (tmp_path / "gate.toml").touch()
    (tmp_path / "fights").mkdir()
    monkeypatch.chdir(tmp_path)

    with pytest.raises(ScenarioError) as caught:
        load(wanted)

    assert expected in str(caught.value)


def test_a_scenario_is_frozen_and_its_data_is_a_copy() -> None:
    scenario = load("coins/duel")

    scenario.data["title"] = "changed"

    assert scenario.title == "One against one"
    with pytest.raises(dataclasses.FrozenInstanceError):
        scenario.name = "other"  # type: ignore[misc]


def test_a_table_is_not_changed_by_its_overrides() -> None:
    table = load("coins/duel").data

    from_dict(table, sets=["level=4", "heroes.0.level=3"])

    assert table == load("coins/duel").data


def test_a_scenario_travels_small_and_arrives_equal() -> None:
    scenario = load("coins/brawl", sets=["level=4"])
    scenario.encounter()  # whatever it has made for itself stays at home

    parcel = pickle.dumps(scenario)
    arrived = pickle.loads(parcel)

    assert len(parcel) < 2_000
    assert arrived == scenario
    assert hash(arrived) == hash(scenario)
    assert (arrived.digest, arrived.changes) == (scenario.digest, ("--set level=4",))


def test_the_fight_is_compiled_once_however_often_it_arrives() -> None:
    scenario = load("coins/duel")

    assert pickle.loads(pickle.dumps(scenario)).encounter() is scenario.encounter()
    assert scenario.changed(sets=["level=2"]).encounter() is not scenario.encounter()


def test_the_digest_names_the_fight_and_not_its_wording() -> None:
    duel = load("coins/duel")

    assert duel.changed(sets=["title=Other", "description=words", "heroes.0.coins=3"]).digest == duel.digest
    assert duel.changed(preset="gentle", sets=["switches.heads_takes=1"]).digest == duel.digest
    assert duel.changed(sets=["heroes.0.coins=4"]).digest != duel.digest
    assert duel.changed(policy="strongest").digest != duel.digest
    assert duel.changed(preset="brutal").digest != duel.digest


def test_the_digest_is_the_same_in_every_process() -> None:
    code = "import sim; print(sim.load('overhill/playtest-1').digest)"
    here = load("overhill/playtest-1").digest

    for hash_seed in ("1", "2"):
        environment = os.environ | {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(sys.path)}
        there = subprocess.check_output([sys.executable, "-c", code], env=environment, text=True)

        assert there.strip() == here


def test_changes_are_remembered_in_order() -> None:
    scenario = load("coins/duel", sets=["level=2"]).changed(values={"level": 3}, policy="strongest")

    assert scenario.changes == ("--set level=2", "--policy strongest", "--set level=3")
    assert scenario.data["level"] == 3


def test_whatever_names_a_scenario_is_taken() -> None:
    duel = load("coins/duel")

    assert as_scenario(duel) is duel
    assert as_scenario(duel, policy="strongest").policy == "strongest"
    assert as_scenario(duel.data).content == duel.content
    assert as_scenario(duel.source or "").content == duel.content
    assert as_scenario("coins/duel") == duel


@pytest.mark.parametrize("name", EVERY_SCENARIO)
def test_every_built_in_scenario_is_valid_and_its_resolved_form_is_the_same_fight(name: str) -> None:
    scenario = load(name)

    again = from_dict(scenario.resolved(), name=name)

    assert again.digest == scenario.digest
    assert again.resolved() == scenario.resolved()
    runs = np.arange(64)
    assert np.array_equal(play(again.encounter(), 5, runs).hp, play(scenario.encounter(), 5, runs).hp)


def test_a_scenario_plays_what_its_exact_solution_says() -> None:
    duel = load("coins/duel")
    runs = 20_000

    wins = np.count_nonzero(play(duel.encounter(), 1, np.arange(runs)).outcome == 0)

    chance = float(duel.exact().win)
    assert abs(wins / runs - chance) < 4 * (chance * (1 - chance) / runs) ** 0.5


def test_a_scenario_is_a_value() -> None:
    assert isinstance(load("coins/duel"), Scenario)
    assert len({load("coins/duel"), load("coins/duel"), load("coins/brawl")}) == 2
