"""`--set path=value`: where paths lead, how values are read, and what is said when they do not fit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim.errors import ScenarioError
from sim.scenario import load

BRAWL = "coins/brawl"


def complaints(*sets: str, **others: Any) -> list[str]:
    with pytest.raises(ScenarioError) as caught:
        load(BRAWL, sets=sets, **others)
    return str(caught.value).splitlines()


@pytest.mark.parametrize(
    ("setting", "path", "value"),
    [
        ("level=3", ("level",), 3),
        (" level = 3 ", ("level",), 3),
        ("heroes.0.level=4", ("heroes", 0, "level"), 4),
        ("heroes[1].level=4", ("heroes", 1, "level"), 4),
        ("heroes.pauper.level=4", ("heroes", 1, "level"), 4),
        ("heroes.Old Ada.level=4", ("heroes", 0, "level"), 4),
        ('heroes."Old Ada".hat=bowler', ("heroes", 0, "hat"), "bowler"),
        ("enemies.urchin.count=4", ("enemies", 0, "count"), 4),
        ("enemies.urchin.count=crowd", ("enemies", 0, "count"), "crowd"),
        ('enemies.urchin.count="crowd"', ("enemies", 0, "count"), "crowd"),
        ("enemies.tax_collector.coins=7", ("enemies", 1, "coins"), 7),
        ("switches.heads_takes=2", ("switches", "heads_takes"), 2),
        ("switches.mood=1", ("switches", "mood"), "1"),
        ("policy_options.bluff=false", ("policy_options", "bluff"), False),
        ("heroes.pauper.charms.horseshoe=2", ("heroes", 1, "charms", "horseshoe"), 2),
        ("heroes.0.charms={ penny = 3 }", ("heroes", 0, "charms"), {"penny": 3}),
        ("prize=[1, 2]", ("prize",), [1, 2]),
        ("title=Two = 2 # really", ("title",), "Two = 2 # really"),
        ("title=007", ("title",), "007"),
        ("title=7", ("title",), "7"),
        ("title=true", ("title",), "true"),
        ("title=2024-06-02", ("title",), "2024-06-02"),
        ("title=nan", ("title",), "nan"),
        ("title=1\nlevel = 2", ("title",), "1\nlevel = 2"),
        ("description=", ("description",), ""),
        ('enemies=[{type = "urchin", count = 1}]', ("enemies",), [{"type": "urchin", "count": 1}]),
    ],
)
def test_an_override_sets_the_value_it_names(setting: str, path: tuple[Any, ...], value: Any) -> None:
    found: Any = load(BRAWL, sets=[setting]).data

    for step in path:
        found = found[step]
    assert found == value
    assert type(found) is type(value)


def test_a_star_sets_all_entries_of_a_list() -> None:
    data = load(BRAWL, sets=["heroes.*.level=5", "enemies[*].coins=2"]).data

    assert [hero["level"] for hero in data["heroes"]] == [5, 5]
    assert [foe["coins"] for foe in data["enemies"]] == [2, 2]


def test_the_last_of_two_overrides_counts() -> None:
    assert load(BRAWL, sets=["level=3", "level=4"]).data["level"] == 4


def test_preset_and_policy_go_before_single_values() -> None:
    scenario = load(BRAWL, preset="gentle", policy="first", sets=["switches.heads_takes=2"])

    assert (scenario.preset, scenario.policy) == ("gentle", "first")
    assert scenario.settings["heads_takes"] == 2


def test_values_from_python_are_taken_as_they_are() -> None:
    scenario = load(BRAWL, values={"heroes.*.level": np.int64(3), "title": "7", "switches.mood": "1"})

    assert scenario.data["heroes"][0]["level"] == 3
    assert scenario.data["title"] == "7"


def test_values_from_python_are_remembered_as_they_would_be_typed() -> None:
    values = {"title": "Two", "prize": (1, np.int64(2)), "heroes.0.charms": {"penny": np.int8(1)}}

    scenario = load(BRAWL, values=values)

    assert scenario.changes == ('--set title="Two"', "--set prize=[1, 2]", "--set heroes.0.charms={ penny = 1 }")
    typed = [change.removeprefix("--set ") for change in scenario.changes]
    assert load(BRAWL, sets=typed) == scenario


@pytest.mark.parametrize("value", [None, object(), float("nan"), 2**64, {1, 2}, [None], {"a": b"x"}])
def test_a_value_that_no_file_could_hold_is_refused(value: Any) -> None:
    assert "expected a number" in complaints(values={"level": value})[0]


@pytest.mark.parametrize(
    ("setting", "expected"),
    [
        ("level", "expected path=value, as in --set enemies.skeleton.count=4"),
        ("=3", "'' is not a path"),
        ("a..b=3", "'a..b' is not a path"),
        ("levl=3", "unknown key 'levl'; did you mean 'level'?"),
        ("mood=merry", "unknown key 'mood'; did you mean 'switches.mood'?"),
        ("switches.mod=merry", "unknown key 'switches.mod'; did you mean 'mood'?"),
        ("heroes.0.levl=3", "unknown key 'heroes[0].levl'; did you mean 'level'?"),
        ("heroes.0.zzz=3", "unknown key 'heroes[0].zzz' (known: class, name, level, coins, hat, charms)"),
        ("enemies.urchn.count=3", "no entry of enemies is called 'urchn'; did you mean 'urchin'? (there: urchin,"),
        ("heroes.2.level=3", "heroes[2] is not there: heroes has the entries 0 to 1"),
        ("level.x=3", "level is a single value; nothing lies below it"),
        ("heroes.0.hat.x=3", "heroes[0].hat is a single value; nothing lies below it"),
        ("prize.0=3", "the scenario has no prize to change"),
        ("switches.*=3", "'*' stands for all entries of a list, and switches is a table"),
        ("ruleset=overhill", "a fight belongs to its ruleset"),
        ("enemies.urchin.count=x", "enemies[0].count: expected a whole number from 1 to 9 or 'crowd', found 'x'"),
        ("heroes.*.level=11", "heroes[1].level: expected a whole number from 1 to 10, found 11"),
        ("switches.heads_takes=77", "switches.heads_takes: expected a whole number from 1 to 9, found 77"),
        ("heroes.0={}", "heroes[0].class: missing"),
        ("enemies=[]", "enemies: a duel needs somebody to fight"),
    ],
)
def test_an_override_that_does_not_fit_is_named_with_the_reason(setting: str, expected: str) -> None:
    found = complaints(setting)

    assert all(line.startswith(f"--set {setting}: ") for line in found)
    assert any(expected in line for line in found)


def test_a_name_that_several_entries_have_must_be_made_clear() -> None:
    twins = {"ruleset": "coins", "title": "t", "policy": "first", "enemies": [{"type": "urchin", "count": 1}]}
    twins["heroes"] = [{"class": "pauper"}, {"class": "banker"}, {"class": "pauper"}]
    from sim.scenario import from_dict

    with pytest.raises(ScenarioError) as caught:
        from_dict(twins, sets=["heroes.pauper.level=2"])
    second = from_dict(twins, sets=["heroes.pauper 2.level=2"])

    assert "'pauper' may be any of heroes[0], heroes[2]; name one by its index or as 'pauper 1'" in str(caught.value)
    assert [hero.get("level") for hero in second.data["heroes"]] == [None, None, 2]


def test_all_problems_of_all_overrides_are_told_at_once() -> None:
    found = complaints("levl=3", "enemies.urchin.count=0", policy="frist", preset="brtal")

    assert [line.partition(": ")[0] for line in found] == [
        "--preset brtal",
        "--policy frist",
        "--set levl=3",
        "--set enemies.urchin.count=0",
    ]


def test_an_override_that_upsets_another_key_is_told_at_the_line_of_that_key() -> None:
    found = complaints("policy_options.bluff=true")

    assert found == ["coins/brawl:18: heroes[1].hat: nobody bluffs without a hat"]
