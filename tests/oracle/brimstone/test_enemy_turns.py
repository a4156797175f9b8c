"""Whom models of a group attack."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from tests.oracle.brimstone.chances import TreeLuck, chances
from tests.oracle.brimstone.scenes import act, at, hero_at, scene, targets, xy

F = Fraction


def spread_of(luck: TreeLuck, heroes: int, models: int, **switches: Any) -> tuple[int | None, ...]:
    enemies = [("tentacles", None)] * models
    fight = scene(luck, [{"class": "lawman"}] * heroes, enemies, board="none", switches=switches)
    for model in list(fight.living):
        fight.melee(model, heroes, models)
    return targets(fight)


@pytest.mark.rule("BF-E3")
def test_we5_targets_are_spread_evenly_only_if_there_are_more_heroes() -> None:
    two_on_three = chances(lambda luck: spread_of(luck, 3, 2))
    three_on_three = chances(lambda luck: spread_of(luck, 3, 3))
    three_on_four = chances(lambda luck: spread_of(luck, 4, 3))
    free_for_all = chances(lambda luck: spread_of(luck, 4, 3, targeting_spread="always_random"))
    even = chances(lambda luck: spread_of(luck, 2, 3, targeting_spread="always_even"))

    assert all(len(set(found)) == 2 for found in two_on_three)
    assert sum(p for found, p in two_on_three.items() if 0 in found) == F(2, 3)
    assert sum(p for found, p in three_on_three.items() if len(set(found)) == 1) == F(1, 9)
    assert sum(p for found, p in three_on_three.items() if len(set(found)) == 3) == F(2, 9)
    assert sum(p for found, p in free_for_all.items() if 0 not in found) == F(27, 64)
    assert sum(p for found, p in three_on_four.items() if 0 not in found) == F(1, 4)
    assert all(len(set(found)) == 2 for found in even)


@pytest.mark.rule("BF-E4", "BF-E5.1", "BF-E5.2")
@pytest.mark.parametrize(
    ("first_down", "expected"), [(False, {0: F(1, 2), 1: F(1, 2)}), (True, {1: F(1, 2), 2: F(1, 2)})]
)
def test_we6_a_melee_enemy_keeps_an_adjacent_target(first_down: bool, expected: dict[int, Fraction]) -> None:
    def chosen(luck: TreeLuck) -> int | None:
        posse = [hero_at(2, 2), hero_at(4, 2), hero_at(6, 2)]
        fight = scene(luck, posse, [("slashers", (4, 3)), ("slashers", (6, 3))])
        one, two = fight.slots
        one.target, two.target = fight.heroes[1], fight.heroes[2]
        fight.relocate(fight.heroes[1], at(fight, 4, 5))
        if first_down:
            fight.revive = 0
            fight.fall(fight.heroes[0])
        act(fight, one)
        assert two.target is fight.heroes[2]
        assert xy(fight, two.sq) == (6, 3)
        return targets(fight)[0]

    assert chances(chosen) == expected


@pytest.mark.rule("BF-E5.1")
def test_retarget_each_turn_drops_kept_targets() -> None:
    def chosen(luck: TreeLuck) -> int | None:
        posse = [hero_at(3, 3), hero_at(5, 3)]
        switches = {"melee_stickiness": "retarget_each_turn", "targeting_spread": "always_random"}
        fight = scene(luck, posse, [("tentacles", (4, 3))], switches=switches)
        fight.slots[0].target = fight.heroes[0]
        act(fight, fight.slots[0])
        return targets(fight)[0]

    assert chances(chosen) == {0: F(1, 2), 1: F(1, 2)}
