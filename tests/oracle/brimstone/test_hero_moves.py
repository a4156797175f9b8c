"""Escape."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.oracle.brimstone.chances import FixedLuck, TreeLuck, chance
from tests.oracle.brimstone.scenes import hero_at, scene, xy

F = Fraction


@pytest.mark.rule("BF-H9", "BF-H10", "BF-P1")
@pytest.mark.parametrize("rule", ["once_per_turn", "retest_higher"])
@pytest.mark.parametrize(("roll", "farthest"), [(2, 1), (4, 3), (6, 7)])
def test_we23_escape(rule: str, roll: int, farthest: int) -> None:
    # The hero on (1,1) stands next to a Slasher; the Strangler is next to square (3,1) of the corridor and to no other.
    board = """
        . # . # # # #
        . . . . . . .
    """
    enemies = [("slashers", (1, 2)), ("stranglers", (3, 2))]
    fight = scene(FixedLuck({"BF-H9": roll}), [hero_at(1, 1)], enemies, board, switches={"escape_roll": rule})
    hero = fight.heroes[0]

    limit = fight.try_escape(hero, fight.adjacent_enemies(hero.sq))
    reach = fight.reach(hero, 6, limit) if limit else {hero.sq: 0}

    if roll == 6 and rule == "retest_higher":
        farthest = 3  # the first roll only passed the Slasher
    assert max(xy(fight, square)[0] for square in reach) == farthest


@pytest.mark.rule("BF-H9")
def test_we23_breaking_away_from_a_strangler() -> None:
    def escapes(luck: TreeLuck) -> bool:
        fight = scene(luck, [hero_at(4, 4)], [("stranglers", (4, 5))])
        return fight.try_escape(fight.heroes[0], fight.living) > 0

    assert chance(escapes) == F(1, 6)
