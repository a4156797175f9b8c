"""The weapons of enemies: a line may change a part of the type's, or bring one where there is none."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim.core.engine import play
from sim.errors import ScenarioError
from sim.scenario import Scenario, load
from sim.scenario.changes import value_now
from sim.studies.variants import bounds
from sim.testing import assert_same
from tests.oracle import brimstone as referee
from tests.rulesets.brimstone.fights import differences

NOON = "brimstone/high_noon"  # undead outlaws: range 6, shots 4, damage 2


def weapon_of(scenario: Scenario) -> dict[str, Any]:
    found: dict[str, Any] = scenario.resolved()["enemies"][0]["weapon"]
    return found


@pytest.mark.parametrize(("key", "value"), [("range", 3), ("shots", 5), ("damage", 4), ("damage", "D6")])
def test_one_number_of_a_weapon_leaves_the_others(key: str, value: Any) -> None:
    whole = {"range": 6, "shots": 4, "damage": 2} | {key: value}

    partly = load(NOON, values={f"enemies.undead_outlaws.weapon.{key}": value})
    wholly = load(NOON, values={"enemies.undead_outlaws.weapon": whole})

    assert weapon_of(partly) == whole
    assert partly.digest == wholly.digest
    runs = np.arange(8)
    assert_same(play(partly.encounter(), 3, runs), play(wholly.encounter(), 3, runs), key)


@pytest.mark.parametrize("weapon", [{"shots": 5}, {"damage": 4}, {"range": 3, "damage": "D6"}])
def test_the_referee_reads_a_part_of_a_weapon_likewise(weapon: dict[str, Any]) -> None:
    fight = referee.SCENARIOS["high_noon"]
    lines = [line | {"weapon": weapon} for line in fight["enemies"]]

    assert differences(fight | {"enemies": lines}, seed=7, runs=6) == []


def test_a_weapon_where_there_was_none_has_damage_1_and_needs_the_rest() -> None:
    armed = load("brimstone/boot_hill", values={"enemies.0.weapon": {"range": 5, "shots": 2}})
    with pytest.raises(ScenarioError) as caught:
        load("brimstone/boot_hill", sets=["enemies.0.weapon.damage=2"])

    assert weapon_of(armed) == {"range": 5, "shots": 2, "damage": 1}
    said = "enemies[0].weapon.damage: needs range and shots too: 'hungry_dead' has no weapon of its own"
    assert str(caught.value) == f"--set enemies.0.weapon.damage=2: {said}"


def test_knobs_know_where_a_weapon_stands_and_how_far_it_goes() -> None:
    fight = load(NOON)

    assert value_now(fight, "enemies.undead_outlaws.weapon.shots") == 4
    assert bounds(fight, "enemies.undead_outlaws.weapon.shots") == (0, 20)


def test_figures_that_a_printed_brutal_side_replaces_begin_from_that_side() -> None:
    path = "enemies.xenocyte_impalers.abilities.fear"
    normal, brutal = (
        load(NOON, values={"enemies": [{"type": "xenocyte_impalers", "count": 2}], "level": level}) for level in (1, 5)
    )

    afraid = {fight: fight.changed(values={path: 1}).data["enemies"][0]["abilities"] for fight in (normal, brutal)}

    assert [value_now(fight, "enemies.0.health") for fight in (normal, brutal)] == [5, 8]
    assert afraid[normal] == {"swarm": True, "dodge": True, "tail": 5, "fear": 1}
    assert afraid[brutal] == {"swarm": True, "dodge": True, "tail": 6, "fear": 1}
