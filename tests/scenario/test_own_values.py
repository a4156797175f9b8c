"""Setting a value to what it is changes nothing: overrides begin from the numbers that `show --toml` prints."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np
import pytest

from sim.core.engine import play
from sim.core.outcomes import Outcomes
from sim.errors import ScenarioError
from sim.scenario import Scenario, load, scenario_names
from sim.scenario.values import KeyPath, spell
from sim.testing import assert_same

SEED = 5
RUNS = 8
FEW = 2  # for each value by itself
EVERY = 41  # in the quick check, every so many-th value is set by itself

# Keys of a resolved file that cannot be set at all, and what the refusal says.
FIXED = {"ruleset": "a fight belongs to its ruleset"}


def values_of(resolved: dict[str, Any]) -> Iterator[tuple[KeyPath, Any]]:
    """Every path of a resolved file that can be set, with what stands there: tables, lists, their entries."""

    def walk(value: Any, path: KeyPath) -> Iterator[tuple[KeyPath, Any]]:
        if path:
            yield path, value
        if isinstance(value, dict):
            for key, part in value.items():
                yield from walk(part, (*path, key))
        elif isinstance(value, list):
            for place, part in enumerate(value):
                yield from walk(part, (*path, place))

    return walk({key: value for key, value in resolved.items() if key not in FIXED}, ())


def single_values(resolved: dict[str, Any]) -> list[tuple[KeyPath, Any]]:
    """Those of them that are no table and no list."""
    return [(path, value) for path, value in values_of(resolved) if not isinstance(value, (dict, list))]


@lru_cache(maxsize=2)  # the fight as it is meets many changed ones
def played(scenario: Scenario, runs: int = RUNS) -> Outcomes:
    return play(scenario.encounter(), SEED, np.arange(runs))


def assert_nothing_changed(scenario: Scenario, values: dict[str, Any], what: str) -> Scenario:
    changed = scenario.changed(values=values)
    assert changed.digest == scenario.digest, f"{scenario.name}: {what}"
    return changed


# Every fourth fight each time, so that every game is there; all of them in the soak.
FEW_AND_ALL = [
    pytest.param(name, marks=pytest.mark.soak if place % 4 else []) for place, name in enumerate(scenario_names())
]


@pytest.mark.parametrize("name", FEW_AND_ALL)
def test_values_set_to_what_they_are_leave_the_fight_as_it_is(name: str) -> None:
    scenario = load(name)
    resolved = scenario.resolved()
    tables: dict[KeyPath, dict[str, Any]] = {}
    for path, value in single_values(resolved):
        tables.setdefault(path[:-1], {})[spell(path)] = value

    for table, values in tables.items():
        assert_nothing_changed(scenario, values, f"the values of {spell(table)}")
    for path, value in list(values_of(resolved))[::EVERY]:
        assert_nothing_changed(scenario, {spell(path): value}, spell(path))
    everything = {path: value for values in tables.values() for path, value in values.items()}
    all_at_once = assert_nothing_changed(scenario, everything, "all values at once")
    assert_same(played(all_at_once), played(scenario), name)


@pytest.mark.parametrize("name", FEW_AND_ALL)
def test_one_value_of_each_left_out_table_set_to_what_it_is_gives_the_same_runs(name: str) -> None:
    scenario = load(name)
    one_of_each: dict[str, tuple[KeyPath, Any]] = {}  # heroes dice -> the first die of the first hero
    for path, value in single_values(scenario.resolved()):
        if len(path) > 3:
            one_of_each.setdefault(" ".join(step for step in path[:-1] if isinstance(step, str)), (path, value))

    for path, value in one_of_each.values():
        changed = scenario.changed(values={spell(path): value})

        if changed.data != scenario.data:
            assert_same(played(scenario), played(changed), f"{name}: {spell(path)}")


@pytest.mark.soak
@pytest.mark.parametrize("name", scenario_names())
def test_every_value_set_to_what_it_is_by_itself_gives_the_same_runs(name: str) -> None:
    scenario = load(name)

    for path, value in values_of(scenario.resolved()):
        changed = assert_nothing_changed(scenario, {spell(path): value}, spell(path))
        if changed.data != scenario.data:
            assert_same(played(scenario, FEW), played(changed, FEW), f"{name}: {spell(path)}")


@pytest.mark.parametrize(("key", "reason"), FIXED.items())
@pytest.mark.parametrize("name", FEW_AND_ALL)
def test_what_cannot_be_set_is_refused_with_the_reason(name: str, key: str, reason: str) -> None:
    scenario = load(name)

    with pytest.raises(ScenarioError, match=reason):
        scenario.changed(values={key: scenario.resolved()[key]})


# The archer of the patrol, whose dice the file leaves to the class.

PATROL = "second_era/se_patrol"


def dice_of(scenario: Scenario, hero: int = 0) -> dict[str, int]:
    found: dict[str, int] = scenario.resolved()["heroes"][hero]["dice"]
    return found


def test_one_die_of_the_archer_leaves_her_the_others() -> None:
    fight = load(PATROL)
    assert "dice" not in fight.data["heroes"][0]

    same = load(PATROL, sets=["heroes.archer.dice.combat=2"])
    more = load(PATROL, sets=["heroes.archer.dice.combat=3"])

    assert same.digest == fight.digest
    assert_same(played(same), played(fight), "the archer's combat dice as they are")
    assert dice_of(more) == dice_of(fight) | {"combat": 3}


@pytest.mark.parametrize("first", ["level=6", "heroes.archer.dice.combat=3"])
def test_the_other_dice_are_those_of_the_level_asked_for_whatever_comes_first(first: str) -> None:
    sets = ["level=6", "heroes.archer.dice.combat=3"]
    grown = load(PATROL, sets=["level=6"])
    assert dice_of(grown) != dice_of(load(PATROL))

    fight = load(PATROL, sets=sorted(sets, key=lambda setting: setting != first))

    assert dice_of(fight) == dice_of(grown) | {"combat": 3}


def test_of_a_die_and_the_whole_table_the_last_counts() -> None:
    die, table = "heroes.archer.dice.combat=3", "heroes.archer.dice={ combat = 1, snipe = 1 }"

    assert dice_of(load(PATROL, sets=[die, table])) == {"combat": 1, "snipe": 1}
    assert dice_of(load(PATROL, sets=[table, die])) == {"combat": 3, "snipe": 1}


def test_several_dice_are_set_one_after_the_other() -> None:
    fight = load(PATROL, sets=["heroes.archer.dice.combat=3", "heroes.*.dice.purge=1"])

    assert dice_of(fight) == dice_of(load(PATROL)) | {"combat": 3, "purge": 1}
    assert dice_of(fight, 1) == dice_of(load(PATROL), 1) | {"purge": 1}


def test_only_the_table_that_is_touched_is_written() -> None:
    before = load(PATROL).data["heroes"][0]

    after = load(PATROL, sets=["heroes.archer.dice.combat=3"]).data["heroes"][0]

    assert {key: value for key, value in after.items() if key != "dice"} == before


def test_one_entry_of_a_list_that_the_file_leaves_out_can_be_set() -> None:
    fight = load("brimstone/boot_hill")
    guns = fight.resolved()["heroes"][0]["guns"]

    armed = fight.changed(sets=["heroes.0.guns[0]=hunting_rifle"])

    assert "guns" not in fight.data["heroes"][0]
    assert armed.resolved()["heroes"][0]["guns"] == ["hunting_rifle", *guns[1:]]


def test_a_value_mends_a_file_that_is_wrong_without_it() -> None:
    track = 'heroes.archer.track=["snipe", "snipe", "snipe", "snipe"]'
    with pytest.raises(ScenarioError, match="holds more snipe dice"):
        load(PATROL, sets=[track])

    mended = load(PATROL, sets=[track, "heroes.archer.dice.snipe=4"])

    assert dice_of(mended) == dice_of(load(PATROL)) | {"snipe": 4}


def test_mistakes_elsewhere_are_told_along_with_a_value_that_has_to_wait_for_them() -> None:
    with pytest.raises(ScenarioError) as caught:
        load(PATROL, sets=["reward=many", "heroes.archer.dice.combat=2", "heroes.archer.dcie.combat=2"])

    told = str(caught.value)
    assert "reward: expected a whole number from 0 to 999, found 'many'" in told
    assert "heroes[0].dice is left to the game; set it when the rest is in order" in told
    assert "unknown key 'heroes[0].dcie'; did you mean 'dice'?" in told
    assert len(caught.value.problems) == 3
