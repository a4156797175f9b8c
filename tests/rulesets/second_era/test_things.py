"""What designers choose from is listed with figures and effects, on the command line and on the game's page."""

from __future__ import annotations

from itertools import dropwhile, takewhile
from pathlib import Path

import pytest

from sim.cli import main
from sim.rulesets.second_era import RULESET, data

PAGE = Path(__file__).parents[3] / "docs" / "games" / "second_era.md"


def rows_under(title: str) -> dict[str, list[str]]:
    """The first table under a heading of the page: first cell -> the others."""
    text = PAGE.read_text(encoding="utf-8").partition(f"\n{title}\n")[2]
    from_the_table = dropwhile(lambda line: not line.startswith("|"), text.splitlines())
    lines = list(takewhile(lambda line: line.startswith("|"), from_the_table))
    table = [[cell.strip().strip("`") for cell in line.strip("|").split("|")] for line in lines]
    return {first: rest for first, *rest in table[2:]}


def answer(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    with pytest.raises(SystemExit) as left:
        main(list(words))
    assert not left.value.code
    return capsys.readouterr().out


def test_every_kind_is_there_in_full() -> None:
    things = RULESET.things

    assert {kind: len(some) for kind, some in things.items()} == {
        "enemies": 18, "companions": 2, "classes": 6, "races": 10, "dice": 11, "skills": 27, "statuses": 6,
        "traits": 31,
    }  # fmt: skip
    assert all(thing.about for kind in ("dice", "skills", "statuses") for thing in things[kind].values())
    assert set(data.units("abilities")) == set(data.CLASS_ABILITIES)
    for name, thing in things["enemies"].items():
        assert list(thing.parts) == data.units("enemies")[name]["skills"]


def test_the_page_says_the_figures_of_every_enemy() -> None:
    page = rows_under("## Bestiary")
    keys = ("level", "type", "health", "range", "combat", "defense", "targets", "priority")

    for name, thing in RULESET.things["enemies"].items():
        skills = ", ".join(thing.figures["skills"]) or "–"
        assert page[name] == [*(str(thing.figures[key]) for key in keys), skills]
    assert list(page) == list(RULESET.things["enemies"])


def test_the_page_says_what_every_skill_die_and_race_does() -> None:
    dice, races = rows_under("### Dice"), rows_under("### Races")

    assert {name.removesuffix(" n") for name in rows_under("### The 27 skills")} == set(data.SKILLS)
    for name, row in data.units("dice").items():
        forms, faces, effect = dice[name][1:]
        assert (forms, faces, effect) == (", ".join(row["forms"]), " ".join(row["faces"]), row["does"])
    for name, row in data.units("races").items():
        keys = ("health", "stamina", "magicka", "combat", "cooldown", "ability")
        assert races[name] == [str(row[key]) for key in keys]


def test_one_enemy_is_shown_with_its_figures_and_what_its_skills_do(capsys: pytest.CaptureFixture[str]) -> None:
    shown = answer(capsys, "show", "second_era/draugr")

    assert "draugr, one of the enemies of Second Era" in shown
    assert "health    5" in shown
    assert "the sum of Combat dice is halved" in " ".join(shown.split())


def test_a_name_of_two_things_shows_both_whatever_its_letters(capsys: pytest.CaptureFixture[str]) -> None:
    shown = answer(capsys, "show", "second_era/bane")

    assert "Bane, one of the skills" in shown
    assert "Bane, one of the statuses" in shown
    assert "Iron Bark, one of the skills" in answer(capsys, "show", "second_era/iron_bark")


def test_what_there_is_is_listed_by_kind(capsys: pytest.CaptureFixture[str]) -> None:
    listed = answer(capsys, "list", "dice", "--ruleset", "second_era")

    assert all(name in listed for name in data.DICE)
    assert "T T o4 o4 o5 o5" in listed
    assert "enemies, companions, classes" in answer(capsys, "list", "--ruleset", "second_era")


def test_an_unknown_kind_is_refused_with_the_nearest_one(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["list", "dcie"])

    assert left.value.code == 2
    assert "did you mean 'dice'?" in capsys.readouterr().err
