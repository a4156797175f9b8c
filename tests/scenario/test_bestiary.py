"""Bestiary files: what they bring to a scenario, and where their mistakes are told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sim.errors import ScenarioError
from sim.scenario import from_dict, load

FIGHT = """\
ruleset = "overhill"
title = "The crypt"
policy = "plain"
bestiary = "mine.toml"

[[heroes]]
class = "squire"

[[enemies]]
type = "bone_lord"
count = 1
"""
BESTIARY = """\
ruleset = "overhill"

[monsters.bone_lord]
like = "skeleton"
defence = 5

[monsters.bone_king]
like = "bone_lord"
melee = 6

[classes.squire]
like = "warrior"
health = 8
"""


def written(folder: Path, fight: str = FIGHT, bestiary: str = BESTIARY, name: str = "mine.toml") -> Path:
    (folder / "crypt.toml").write_text(fight)
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text(bestiary)
    return folder / "crypt.toml"


def problems(path: Path, **changes: Any) -> list[str]:
    with pytest.raises(ScenarioError) as error:
        load(path, **changes)
    return [str(problem).replace(f"{path.parent}/", "") for problem in error.value.problems]


def test_a_bestiary_is_brought_along_and_not_needed_afterwards(tmp_path: Path) -> None:
    file = written(tmp_path)
    scenario = load(file)
    (tmp_path / "mine.toml").unlink()

    harder = scenario.changed(values={"monsters.bone_lord.melee": 5})

    assert "bestiary" not in scenario.data
    assert list(scenario.data["monsters"]) == ["bone_lord", "bone_king"]
    assert harder.resolved()["enemies"][0] | {"name": ""} == scenario.resolved()["enemies"][0] | {
        "melee": 5,
        "name": "",
    }
    assert from_dict(scenario.data).digest == scenario.digest


def test_an_entry_of_the_scenario_wins_over_that_of_the_bestiary(tmp_path: Path) -> None:
    file = written(tmp_path, FIGHT + '\n[monsters.bone_lord]\nlike = "ghoul"\n')

    scenario = load(file)

    assert scenario.data["monsters"]["bone_lord"] == {"like": "ghoul"}
    assert scenario.data["monsters"]["bone_king"] == {"like": "bone_lord", "melee": 6}


def test_a_bestiary_may_lie_in_a_folder_below(tmp_path: Path) -> None:
    file = written(tmp_path, FIGHT.replace("mine.toml", "beasts/mine.toml"), name="beasts/mine.toml")

    assert load(file).data["monsters"]["bone_lord"]["defence"] == 5


def test_mistakes_are_told_at_the_line_of_the_file_in_which_they_stand(tmp_path: Path) -> None:
    bestiary = BESTIARY.replace("defence = 5", "defense = 5").replace('"warrior"', '"wariror"') + "\n[monster.x]\n"
    file = written(tmp_path, FIGHT.replace("count = 1", "count = 'x'") + "\n[monsters.rat]\nmelee = 1\n", bestiary)

    assert problems(file) == [
        "crypt.toml:11: enemies[0].count: expected a number, dice such as '1d6', or 'number', found 'x'",
        "crypt.toml:13: monsters.rat: a monster needs range, defence; say them, or what it is `like`",
        "mine.toml:5: monsters.bone_lord.defense: unknown key; did you mean 'defence'?",
        "mine.toml:12: classes.squire.like: unknown class 'wariror'; did you mean 'warrior'?",
        "mine.toml:15: monster: unknown key 'monster'; did you mean 'monsters'?",
    ]


@pytest.mark.parametrize(
    "named", ["../mine.toml", "/etc/passwd", "~/mine.toml", "a/../../mine.toml", "C:\\mine.toml", "..\\mine.toml"]
)
def test_a_bestiary_outside_the_scenarios_folder_is_refused(tmp_path: Path, named: str) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "mine.toml").write_text(BESTIARY)
    file = written(tmp_path / "inner", FIGHT.replace('"mine.toml"', f"'{named}'"))

    assert f"expected a file beside the scenario or in a folder below it, found {named!r}" in problems(file)[0]


def test_a_link_that_leads_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    file = written(tmp_path / "inner")
    (tmp_path / "inner" / "mine.toml").replace(tmp_path / "secret.toml")
    (tmp_path / "inner" / "mine.toml").symlink_to(tmp_path / "secret.toml")

    assert "expected a file beside the scenario" in problems(file)[0]


@pytest.mark.parametrize(
    ("bestiary", "expected"),
    [
        ("[monsters.a", "mine.toml:1: not valid TOML"),
        ('ruleset = "p52"', "mine.toml:1: ruleset: the scenario belongs to overhill, found 'p52'"),
        ("monsters = 3", "mine.toml:1: monsters: expected tables such as [monsters.bone_lord]"),
        ("[monsters]\nbone_lord = 3", "mine.toml:2: monsters.bone_lord: expected a table, found 3"),
        ('[monsters."bone lord"]\nlike = "ghoul"', 'mine.toml:1: monsters."bone lord": expected a monster called by'),
        ('[monsters.a]\nlike = "b"\n[monsters.b]\nlike = "a"', "mine.toml:2: monsters.a.like: a is like b is like a"),
    ],
)
def test_a_bestiary_that_is_none_is_refused_in_words(tmp_path: Path, bestiary: str, expected: str) -> None:
    assert [line for line in problems(written(tmp_path, FIGHT, bestiary)) if line.startswith(expected)]


def test_a_bestiary_that_is_not_there_is_told_with_the_nearest(tmp_path: Path) -> None:
    file = written(tmp_path, FIGHT.replace("mine", "mime"))

    assert "mime.toml: no such file; did you mean 'mine.toml'?" in problems(file)


def test_a_table_without_a_file_has_no_bestiary() -> None:
    fight = load("overhill/playtest-1").data | {"bestiary": "mine.toml"}

    with pytest.raises(ScenarioError, match="bestiary: is looked for beside the scenario's file"):
        from_dict(fight)


def test_a_bestiary_cannot_be_set_from_outside(tmp_path: Path) -> None:
    assert "a bestiary is read with the file that names it" in problems(written(tmp_path), sets=["bestiary=b.toml"])[0]


def test_a_game_without_own_types_takes_no_bestiary(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(BESTIARY)
    (tmp_path / "duel.toml").write_text('bestiary = "mine.toml"\n' + _coin_duel())

    assert "duel.toml:1: bestiary: Coin Duel takes no monsters or classes of your own" in problems(
        tmp_path / "duel.toml"
    )


def _coin_duel() -> str:
    source = load("coins/duel").source
    assert source is not None
    return source.read_text()
