"""Prayers: Heal and Bless, risk and lapses (W19 to W22)."""

import numpy as np
import pytest

from sim.rulesets.overhill.data import QUICK, VIGOR, WISE
from sim.rulesets.overhill.random_player import blessings_open
from sim.rulesets.overhill.rules import prayers
from tests.rulesets.overhill.fights import F, Stage, chances, d, mean, stage

HURT = {"class": "warrior", "max_health": 40, "health": 5}
PRIEST = 1


def prayed(dice: dict, bumps: int = 0, level: int = 1, friend: dict | str = HURT, **switches: object) -> Stage:
    """A priest of this level prays for the healing of a friend."""
    fight = stage([friend, {"class": "priest", "level": level}], [("zombie", 1)], dice, switches=switches)
    prayers.heal(fight.s, PRIEST, fight.hero(0), fight.at, bumps)
    return fight


def gained(fight: Stage) -> np.ndarray:
    """(runs,). Health that the friend has gained."""
    return fight.s.health[0] - 5


@pytest.mark.rule("OU-Y1", "OU-Y2", "OU-Y3", "OU-Y4")
def test_heal_of_a_level_1_priest_works_three_times_in_four_and_is_safe() -> None:
    fight = prayed({"OU-Y1": d(8), "OU-Y4": d(6)})

    assert chances(gained(fight) > 0) == {0: F(1, 4), 1: F(3, 4)}  # W19
    assert not fight.s.lapsed.any()
    assert mean(gained(fight)) == F(21, 8)


@pytest.mark.rule("OU-Y2", "OU-Y4")
def test_a_bump_makes_heal_stronger_harder_and_riskier() -> None:
    fight = prayed({"OU-Y1": d(8), ("OU-Y4", PRIEST, 0): d(6), ("OU-Y4", PRIEST, 1): d(6)}, bumps=1)

    works, lapses = gained(fight) > 0, fight.s.lapsed[PRIEST]
    assert mean(works) == F(5, 8)  # W20
    assert mean(lapses) == F(1, 8)
    assert mean(~works & ~lapses) == F(1, 4)
    assert mean(gained(fight)) == F(35, 8)


@pytest.mark.rule("OU-Y2")
@pytest.mark.parametrize(("roll", "lapsed"), [("natural", F(1, 8)), ("total", F(0))])
def test_risk_is_compared_with_the_die_or_by_switch_with_the_total(roll: str, lapsed: F) -> None:
    fight = prayed({"OU-Y1": d(8), "OU-Y4": [1]}, bumps=1, risk_roll=roll)

    assert mean(fight.s.lapsed[PRIEST]) == lapsed


@pytest.mark.rule("OU-D11", "OU-Y4", "OU-Z4")
def test_nobody_is_healed_beyond_the_maximum() -> None:
    fight = prayed({"OU-Y1": [8], "OU-Y4": [6]}, friend={"class": "warrior", "max_health": 7, "health": 5})

    assert fight.s.health[0].tolist() == [7]
    assert fight.s.regained[0].tolist() == [2]  # only what was really regained is counted


@pytest.mark.rule("OU-Y1")
def test_a_lapsed_priest_and_everybody_else_prays_no_more() -> None:
    fight = stage(["warrior", "priest"], [("zombie", 1)])
    before = prayers.may_pray(fight.s, PRIEST, fight.at).all()

    fight.s.lapsed[PRIEST] = True

    assert before
    assert not prayers.may_pray(fight.s, PRIEST, fight.at).any()
    assert not prayers.may_pray(fight.s, 0, fight.at).any()


@pytest.mark.rule("OU-Y1")
@pytest.mark.parametrize("front", [True, False])
def test_priests_pray_from_either_guard(front: bool) -> None:
    fight = stage(["warrior", "priest"], [("zombie", 1)])
    fight.s.front[PRIEST] = front

    assert prayers.may_pray(fight.s, PRIEST, fight.at).all()


@pytest.mark.rule("OU-Y4", "OU-U4")
@pytest.mark.parametrize(("switch", "healable"), [("no", [False, True]), ("yes", [True, True])])
def test_the_fallen_can_be_healed_only_by_switch(switch: str, healable: list[bool]) -> None:
    fight = stage(["warrior", "priest"], [("zombie", 1)], switches={"heal_downed": switch})
    fight.lose(0, 99)

    assert prayers.healable(fight.s, fight.at)[:, 0].tolist() == healable


@pytest.mark.rule("OU-Y4", "OU-R4")
def test_who_is_raised_acts_again_from_the_next_round() -> None:
    dice = {"OU-Y1": [8], "OU-Y4": [6], ("OU-A3", 1): [8]}
    harmless = {"type": "gobbo", "count": 9, "melee": 0}
    fight = stage(["priest", "warrior"], [harmless], dice, policy="cautious", switches={"heal_downed": "yes"})
    fight.lose(1, 99)
    fight.s.round = 0

    fight.round()
    left_after_first = int(fight.s.n[0, 0])
    fight.round()

    assert fight.s.health[1, 0] > 0
    assert left_after_first == 9  # the priest prayed, and the warrior only got to his feet
    assert fight.s.n[0, 0] < 9


# Bless.


def blessed(level: int) -> Stage:
    """A priest of this level blesses a warrior's vigor."""
    fight = stage(["warrior", {"class": "priest", "level": level}], [("zombie", 1)], {"OU-Y1": d(8)})
    prayers.bless(fight.s, PRIEST, fight.hero(0), fight.at, VIGOR)
    return fight


@pytest.mark.rule("OU-Y5", "OU-Y2", "OU-Y3")
def test_bless_lapses_on_a_1_and_only_fails_on_a_2() -> None:
    fight = blessed(level=1)

    assert fight.s.lapsed[PRIEST].tolist() == [True] + [False] * 7  # W21
    assert fight.s.blessed[VIGOR, 0].tolist() == [False, False] + [True] * 6


@pytest.mark.rule("OU-Y2")
def test_risk_goes_before_a_total_that_would_be_enough() -> None:
    fight = blessed(level=3)  # a die of 1 makes 4, above the prayer's 3

    assert fight.s.lapsed[PRIEST].tolist() == [True] + [False] * 7  # W22
    assert fight.s.blessed[VIGOR, 0].tolist() == [False] + [True] * 7
    assert fight.s.lapses.tolist() == [1] + [0] * 7


@pytest.mark.rule("OU-Y5")
def test_a_blessing_is_for_one_attribute_and_not_given_twice() -> None:
    fight = stage(["warrior", "priest"], [("zombie", 1)], {"OU-Y1": [8]}, policy="random_legal")

    open_before = int(blessings_open(fight.s, PRIEST, fight.at).sum())
    prayers.bless(fight.s, PRIEST, fight.hero(0), fight.at, QUICK)
    open_after = int(blessings_open(fight.s, PRIEST, fight.at).sum())

    assert open_before == 8
    assert open_after == 7
    assert fight.s.blessed[:, 0, 0].tolist() == [attribute == QUICK for attribute in range(4)]


@pytest.mark.rule("OU-Y5", "OU-U8")
def test_a_blessing_on_wise_helps_the_next_prayer() -> None:
    dice = {("OU-Y1", PRIEST, 0): d(8), ("OU-Y1", PRIEST, 1000): [8], "OU-Y4": [1]}
    fight = stage([HURT, "priest"], [("zombie", 1)], {"OU-Y1": [8]})
    prayers.bless(fight.s, PRIEST, fight.hero(PRIEST), fight.at, WISE)
    told = stage([HURT, "priest"], [("zombie", 1)], dice)
    told.s.blessed[WISE, PRIEST] = True
    told.s.bless_given = fight.s.bless_given

    prayers.heal(told.s, PRIEST, told.hero(0), told.at, 0)

    assert mean(told.s.health[0] > 5) == 1  # the second die shows 8 every time
    assert not told.s.blessed.any()


@pytest.mark.rule("OU-D4", "OU-Y5")
def test_blessings_end_when_the_hero_goes_down() -> None:
    fight = stage(["warrior", "priest"], [("zombie", 1)], {"OU-Y1": [8]})
    prayers.bless(fight.s, PRIEST, fight.hero(0), fight.at, VIGOR)

    fight.lose(0, 99)

    assert not fight.s.blessed.any()
