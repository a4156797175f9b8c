"""The referee's magic and prayers against the worked examples W15 to W22."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.oracle.overhill import magic, odds, prayers, state
from tests.oracle.overhill.build import row_of
from tests.oracle.overhill.data import MISHAPS
from tests.oracle.overhill_courses import MANY, F, M, P, W, chances_of, dart, fight_of, kills_of, mean, pushed_dart


@pytest.mark.rule("OU-G1", "OU-G3", "OU-G5")
def test_w15_magic_dart() -> None:
    def do(fight: state.Fight) -> tuple[int, int]:
        return kills_of(dart, hero=2)(fight), fight.heroes[2].mishaps

    both = chances_of(do, [W, W, M], [("gobbo", MANY)])
    literal = chances_of(
        kills_of(dart, hero=2), [W, W, M], [("gobbo", MANY)], switches={"one_is": "literal", "mishaps": "off"}
    )
    kills = [sum(chance for (k, _), chance in both.items() if k == number) for number in range(3)]

    assert sum(chance for (_, mishaps), chance in both.items() if mishaps) == F(1, 8)
    assert kills == [F(29, 64), F(7, 32), F(21, 64)]
    assert kills[1] + 2 * kills[2] == F(7, 8)
    assert mean(literal) == 1


@pytest.mark.rule("OU-G4")
def test_w16_mishaps_of_a_level_1_spell() -> None:
    rows = [row_of(MISHAPS, face + 1) for face in range(1, 7)]

    assert rows == ["fizzle", "fizzle", "backlash", "backlash", "strain", "misfire"]
    assert row_of(MISHAPS, 8) == "burnout"


@pytest.mark.rule("OU-G2", "OU-G4")
def test_w17_one_push_at_level_2() -> None:
    same = magic.casting_dice(8, 1, "same_first")
    stepped = magic.casting_dice(8, 1, "step_first")
    many = [("gobbo", MANY)]

    off = chances_of(kills_of(pushed_dart), [M], many, level=2, switches={"mishaps": "off"})
    on = chances_of(kills_of(pushed_dart), [M], many, level=2)

    assert (same, stepped) == ((8, 8), (8, 6))
    assert (odds.chance_of_a_one(same), odds.chance_of_a_one(stepped)) == (F(15, 64), F(13, 48))
    assert (mean(off), mean(on)) == (F(7, 4), F(105, 64))


@pytest.mark.rule("OU-G2")
def test_w18_four_pushes_at_level_8() -> None:
    magic_user = fight_of([M], [("gobbo", 1)], level=8).heroes[0]

    assert magic.casting_dice(magic_user.smart, 4, "same_first") == (12, 12, 10, 8, 6)


def prayer(pray: Callable[[state.Fight, state.Hero, state.Hero], None]) -> Callable[[state.Fight], tuple[str, int]]:
    """What came of a prayer by the first hero for the second, and the health it restored."""

    def do(fight: state.Fight) -> tuple[str, int]:
        priest, friend = fight.heroes
        pray(fight, priest, friend)
        if priest.lapsed:
            return "lapses", 0
        return ("works" if friend.restored or friend.blessed else "fails"), friend.restored

    return do


HURT = {"class": W, "max_health": 100, "health": 1}


@pytest.mark.rule("OU-Y1", "OU-Y2", "OU-Y3", "OU-Y4", "OU-Y5")
@pytest.mark.parametrize(
    ("pray", "level", "works", "fails", "lapses", "healing"),
    [
        pytest.param(lambda f, p, h: prayers.heal(f, p, h, 0), 1, F(3, 4), F(1, 4), 0, F(21, 8), id="w19"),
        pytest.param(lambda f, p, h: prayers.heal(f, p, h, 1), 1, F(5, 8), F(1, 4), F(1, 8), F(35, 8), id="w20"),
        pytest.param(lambda f, p, h: prayers.bless(f, p, h, "vigor"), 1, F(3, 4), F(1, 8), F(1, 8), 0, id="w21"),
        pytest.param(lambda f, p, h: prayers.bless(f, p, h, "vigor"), 3, F(7, 8), 0, F(1, 8), 0, id="w22"),
    ],
)
def test_w19_to_w22_prayers(pray: Any, level: int, works: F, fails: F, lapses: F, healing: F) -> None:
    chances = chances_of(prayer(pray), [P, HURT], [("gobbo", 1)], level=level)

    def share(what: str) -> F:
        return sum((chance for (came, _), chance in chances.items() if came == what), F(0))

    assert (share("works"), share("fails"), share("lapses")) == (works, fails, lapses)
    assert sum(restored * chance for (_, restored), chance in chances.items()) == healing
