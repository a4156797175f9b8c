"""Every number that `--set` can reach can be turned, what differs is marked, and problems stand where they belong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from sim.scenario import load
from sim.scenario.catalogue import scenario_names
from sim.scenario.overrides import places
from sim.scenario.toml_writer import to_toml
from sim.scenario.values import KeyPath, spell
from sim.studio.address import Variant
from sim.studio.fields import Field
from sim.studio.fights import OpenFight, open_fight, with_entry, with_value, without_entry
from sim.studio.folder import Folder
from sim.studio.forms import form_of

FOLDER = Folder(Path.cwd())


def opened(name: str, *sets: str) -> OpenFight:
    return open_fight(Variant(name, sets), FOLDER)


def fields(fight: OpenFight) -> dict[str, Field]:
    return {field.path: field for field in form_of(fight).all_fields()}


def numbers(value: Any, path: KeyPath = ()) -> Iterator[KeyPath]:
    if isinstance(value, Mapping):
        for key, part in value.items():
            yield from numbers(part, (*path, key))
    elif isinstance(value, list):
        for at, part in enumerate(value):
            yield from numbers(part, (*path, at))
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield path


@pytest.mark.parametrize("name", list(scenario_names()))
def test_every_number_of_every_shipped_fight_has_a_field(name: str) -> None:
    fight = opened(name)
    there = set(fields(fight))

    for path in numbers(fight.scenario.in_full()):
        around = [spell(path[:length]) for length in range(1, len(path) + 1)]  # a list of numbers is one field
        assert there & set(around), spell(path)
    assert there >= {f"switches.{name}" for name in fight.scenario.settings}
    assert {"policy", "preset"} <= there


LARGE = ("overhill/gobbo-dungeon", "p52/mountain-pass", "brimstone/high_noon", "second_era/se_hound")


@pytest.mark.parametrize("name", LARGE)
def test_every_field_leads_where_set_leads(name: str) -> None:
    fight = opened(name)
    full = fight.scenario.in_full() | {"switches": fight.scenario.settings}

    for path, field in fields(fight).items():
        assert places(full, path, fight.scenario.ruleset), path
        if field.typed and field.kind not in ("long", "list", "names"):
            load(name, sets=[f"{path}={field.typed}"])  # what stands there may be typed there


def test_what_differs_is_marked_with_the_old_value() -> None:
    found = fields(opened("overhill/playtest-1", "enemies[0].count=7", "level=2"))

    assert found["enemies[0].count"].typed == "7"
    assert found["enemies[0].count"].was == "3"
    assert found["enemies[0].count"].by_hand
    assert found["heroes[0].max_health"].was == "11"
    assert not found["heroes[0].max_health"].by_hand  # the level has moved it
    assert found["enemies[1].count"].was is None


def test_a_problem_stands_beside_its_field_in_the_words_of_check() -> None:
    fight = opened("overhill/playtest-1", "enemies[0].count=7", "enemies[1].melee=many", "level=99")
    form = form_of(fight)
    found = fields(fight)

    assert len(fight.problems) == 2
    assert found["enemies[1].melee"].problem == next(p.message for p in fight.problems if "melee" in p.key)
    assert found["enemies[1].melee"].typed == "many"
    assert "99" in found["level"].problem
    assert form.elsewhere == ()
    assert fight.scenario.data["enemies"][0]["count"] == 7  # the rest counts


def test_a_setting_that_leads_nowhere_is_told_too() -> None:
    form = form_of(opened("overhill/playtest-1", "enemies.dragon.count=7"))

    assert len(form.elsewhere) == 1
    assert "dragon" in str(form.elsewhere[0])


def test_putting_back_the_old_value_is_no_change() -> None:
    fight = opened("overhill/playtest-1", "enemies[0].count=7")

    assert with_value(fight, "enemies[0].count", "3").sets == ()
    assert with_value(fight, "enemies[0].count", "4").sets == ("enemies[0].count=4",)
    assert with_value(fight, "switches.monster_damage", str(fight.base.settings["monster_damage"])).sets == (
        "enemies[0].count=7",
    )


@pytest.mark.parametrize(
    ("name", "key", "kind", "who"),
    [
        ("overhill/playtest-1", "enemies", "type", "ghoul"),
        ("p52/duel", "enemies", "card", "Q clubs"),
        ("brimstone/boot_hill", "heroes", "class", "gambler"),
        ("second_era/se_patrol", "heroes", "class", "mage"),
    ],
)
def test_somebody_joins_the_fight_and_leaves_it(name: str, key: str, kind: str, who: str) -> None:
    fight = opened(name)

    more = open_fight(with_entry(fight, key, kind, who), FOLDER)

    assert more.problems == ()
    assert more.scenario.data[key][-1][kind] == who
    last = len(more.scenario.data[key]) - 1
    assert without_entry(more, key, last).sets == ()


def test_names_have_menus_and_switches_their_help() -> None:
    found = fields(opened("p52/four-on-four"))

    assert found["enemies[0].card"].kind == "choice"
    assert found["heroes[0].gear"].kind == "names"
    assert found["policy"].kind == "choice"
    assert all(choice.about for choice in found["policy"].choices)
    assert all(field.about for path, field in found.items() if path.startswith("switches."))
    assert "_" not in found["heroes[0].max_hp"].label


def test_monsters_of_the_files_own_stand_in_the_menus(tmp_path: Path) -> None:
    base = load("overhill/playtest-1").data
    base["monsters"] = {"bone_lord": {"like": "skeleton", "defence": 5}}
    base["classes"] = {"squire": {"like": "warrior"}}
    (tmp_path / "crypt.toml").write_text(to_toml(base))
    (tmp_path / "mine.toml").write_text(to_toml({"ruleset": "overhill", "monsters": base["monsters"]}))
    folder = Folder(tmp_path)

    there = open_fight(Variant("crypt.toml", ("enemies[0].type=bone_lord", "heroes[0].class=squire")), folder)
    form = form_of(there)
    menus = {field.path: [choice.typed for choice in field.choices] for field in form.all_fields()}
    joins = {group.id: [choice.typed for choice in group.names] for group in form.groups}

    assert there.problems == ()
    assert "bone_lord" in menus["enemies[0].type"]
    assert "squire" in menus["heroes[0].class"]
    assert "bone_lord" in joins["group-enemies"]
    assert "zombie" in joins["group-enemies"]
    assert menus.keys() >= {"monsters.bone_lord.defence", "monsters.bone_lord.traits", "classes.squire.health"}
    assert [found.name for found in folder.scenarios()] == ["crypt.toml"]


def test_long_tables_of_the_rules_are_folded_and_the_enemies_are_not() -> None:
    groups = {group.id: group for group in form_of(opened("overhill/playtest-1")).groups}

    assert groups["group-reaction_table"].folded
    assert groups["group-mishap_table"].folded
    assert not groups["group-enemies"].folded


def test_a_preset_says_in_its_menu_what_it_is() -> None:
    preset = fields(opened("overhill/playtest-1"))["preset"]

    assert preset.choices[0].typed == "seed"
    assert preset.choices[0].label == "seed: the combat chapter, read literally"


def test_names_that_are_no_words_are_written_as_people_write_them() -> None:
    found = fields(opened("brimstone/boot_hill"))
    titles = [group.title for group in form_of(opened("brimstone/boot_hill")).groups[0].groups]

    assert titles == ["US marshal"]
    assert found["enemies[0].xp"].label == "XP"
    assert fields(opened("p52/duel"))["heroes[0].max_hp"].label == "Max HP"


def test_a_board_that_has_a_name_is_a_menu_of_boards() -> None:
    board = fields(opened("p52/four-on-four"))["board"]

    assert board.kind in ("choice", "long")
    named = fields(opened("p52/four-on-four", "board=hall"))["board"]
    assert named.kind == "choice"
    assert "hall" in [choice.typed for choice in named.choices]


def test_scenes_that_are_no_fights_are_called_by_what_they_are() -> None:
    scenes = next(group for group in form_of(opened("overhill/gobbo-hole")).groups if group.id == "group-scenes")

    titles = [group.title for group in scenes.groups]

    assert "A level gained" in titles
    assert "Short rest" in titles
    assert not any(title.startswith("Entry") for title in titles)
