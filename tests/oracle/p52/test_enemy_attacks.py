"""Attacks of enemies: the worked examples, shown by the scalar referee."""

from __future__ import annotations

from typing import Any

import pytest

from tests.oracle.p52.attacks import enemy_attack, usable_strike
from tests.oracle.p52.prepare import all_switches, average_level
from tests.oracle.p52.state import Fight
from tests.oracle.p52_table import ALL_DEFENCES, CARDS, foe, table


def undefended_blow(value: int, enemy: dict[str, Any], r: int = 0, level: int = 1, **switches: Any) -> Fight:
    """One enemy attack with this flip on a hero who cannot defend or counter, r spots away on a lane."""
    hero = {"class": "fighter", "spot": [r, 0], "max_hp": 10_000, "armour": 0, "magic_armour": 0}
    fight = table([value], [hero], [enemy], "." * 11, level, ban=ALL_DEFENCES, counter_depth=0, **switches)
    strike_at = usable_strike(fight, fight.enemies[0], fight.heroes[0])
    assert strike_at is not None
    enemy_attack(fight, fight.enemies[0], strike_at, fight.heroes[0])
    return fight


def blows(enemy: dict[str, Any], r: int = 0, level: int = 1, **switches: Any) -> tuple[list[int], list[int]]:
    """The cards that hit, and the damage of each of the 13 cards."""
    fights = [undefended_blow(value, enemy, r, level, **switches) for value in CARDS]
    hits = [value for value, fight in zip(CARDS, fights, strict=True) if fight.enemies[0].counts.hits]
    return hits, [fight.heroes[0].counts.damage_taken for fight in fights]


@pytest.mark.rule("P52-W1", "P52-U5", "P52-C9")
def test_the_average_level_is_rounded_down_and_gives_one_per_five_levels() -> None:
    assert average_level([3, 5, 6]) == 4
    bonus = [level // all_switches({})["enemy_level_bonus"] for level in (4, 5, 7, 14, 15, 19, 20)]
    assert bonus == [0, 1, 1, 2, 3, 3, 4]


@pytest.mark.rule("P52-W2")
def test_the_knife_of_j_clubs_hits_as_often_as_written() -> None:
    assert blows(foe("J clubs"))[0] == [10, 11, 12, 13]
    assert blows(foe("J clubs"), enemy_hit="meet")[0] == [9, 10, 11, 12, 13]
    assert blows(foe("J clubs"), level=7)[0] == list(range(3, 14))


@pytest.mark.rule("P52-W3")
def test_the_knife_of_j_clubs_does_the_written_damage() -> None:
    assert sum(blows(foe("J clubs"))[1]) == 24
    assert sum(blows(foe("J clubs"), enemy_king="extra")[1]) == 20


@pytest.mark.rule("P52-W4")
def test_j_spades_never_hits_at_the_end_of_its_range() -> None:
    assert blows(foe("J spades"), r=6)[0] == []
    hits, damage = blows(foe("J spades"), r=2)
    assert hits == [11, 12, 13]
    assert damage[10:] == [2, 3, 8]


@pytest.mark.rule("P52-W5")
def test_the_bow_of_k_spades_at_four_needs_the_meeting_rule() -> None:
    assert blows(foe("K spades"), r=4)[0] == []
    hits, damage = blows(foe("K spades"), r=4, enemy_hit="meet")
    assert hits == [13]
    assert damage[12] == 4


@pytest.mark.rule("P52-W6")
def test_k_hearts_at_nineteen_fails_on_an_ace_alone() -> None:
    hits, damage = blows(foe("K hearts"), level=19)
    assert hits == list(range(2, 14))
    assert damage[6] == 76
    assert damage[12] == 164
