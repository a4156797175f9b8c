"""Monsters and classes as a spreadsheet: what goes out comes back, and every mistake is told by row and column."""

from __future__ import annotations

import pytest

from sim.core.registry import ruleset, ruleset_names
from sim.errors import InputError
from sim.rulesets.overhill import RULESET
from sim.scenario.spreadsheet import from_csv, to_csv


def read(text: str) -> dict[str, object]:
    table, entries = from_csv(text, RULESET, "m.csv")
    assert table == "monsters"
    return dict(entries)


def problems(text: str) -> list[str]:
    with pytest.raises(InputError) as error:
        from_csv(text, RULESET, "m.csv")
    return [str(problem) for problem in error.value.problems]


@pytest.mark.parametrize(
    ("game", "table"), [(name, table) for name in ruleset_names() for table in ruleset(name).own_types()]
)
def test_the_types_of_every_game_come_back_as_they_went_out(game: str, table: str) -> None:
    kind = ruleset(game).own_types()[table]

    assert from_csv(to_csv(kind, kind.built_in), ruleset(game), "m.csv") == (table, dict(kind.built_in))


def test_cells_say_what_a_scenario_file_would_say() -> None:
    text = "monster,like,defence,traits,number,early.melee\nlord,ghoul,4,leader; life_drain,1d6,2\nrat,ghoul,,[],3,\n"

    assert read(text) == {
        "lord": {
            "like": "ghoul",
            "defence": 4,
            "traits": ["leader", "life_drain"],
            "number": "1d6",
            "early": {"melee": 2},
        },
        "rat": {"like": "ghoul", "traits": [], "number": 3},
    }


@pytest.mark.parametrize(
    "text",
    [
        "\ufeffMonster;Like;Blunt Defence\r\nlord;ghoul;4\r\n;;\r\n",
        "monster\tlike\tblunt defence\nlord\tghoul\t4\n",
        '\nmonster,like,"blunt_defence",\n"lord", ghoul ,4,\n\n',
    ],
)
def test_files_of_all_spreadsheets_are_read(text: str) -> None:
    assert read(text) == {"lord": {"like": "ghoul", "blunt_defence": 4}}


def test_every_mistake_is_told_at_once_by_row_and_column() -> None:
    text = (
        "monster,like,defence,traits,early.melee,colour,defence\n"
        "bone_lord,skelton,5,leadr; life_drain,x,red,\n"
        ",ghoul,,,,,\n"
        "bone_lord,ghoul,0,,,,\n"
        "solo,,3,,,,\n"
        "long,ghoul,,,,,,,7\n"
    )

    assert problems(text) == [
        "m.csv: row 1, column colour: unknown column 'colour' (known: monster, name, melee, range, defence, "
        "blunt_defence, talk, alert, xp, like, number, family, traits, early.melee, early.range, early.defence, "
        "early.blunt_defence, early.talk, early.alert, early.xp)",
        "m.csv: row 1, column defence: stands there twice",
        "m.csv: row 2, column traits: unknown trait 'leadr'; did you mean 'leader'?",
        "m.csv: row 2, column early.melee: expected a whole number from 0 to 99, found 'x'",
        "m.csv: row 2, column like: unknown monster 'skelton'; did you mean 'skeleton'?",
        "m.csv: row 3, column monster: a monster needs a name",
        "m.csv: row 4, column monster: 'bone_lord' stands in row 2 already",
        "m.csv: row 4, column defence: expected a whole number from 1 to 99 or 'gobbo_defense', found 0",
        "m.csv: row 5, column monster: a monster needs melee, range; say them, or what it is `like`",
        "m.csv: row 6: has 9 cells, and there are 7 headings",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "m.csv: is empty"),
        ("name,like\nlord,ghoul\n", "m.csv: row 1: no column 'monster' or 'class'"),
        ("monster,like\n", "m.csv: row 2, column monster: no monster in this file"),
        ('monster,like\n"lord,ghoul\n', "m.csv: is no CSV file"),
        ("monster,,like\nlord,3,ghoul\n", "m.csv: row 1: column 2 has no heading"),
        ("monster,like\nlord,lord\n", "m.csv: row 2, column like: lord is like lord: one of them must stand by itself"),
    ],
)
def test_what_is_no_such_spreadsheet_is_refused_in_words(text: str, expected: str) -> None:
    assert problems(text)[0].startswith(expected)
