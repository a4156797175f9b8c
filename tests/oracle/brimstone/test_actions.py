"""Dynamite and Help."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.oracle import brimstone as bf
from tests.oracle.brimstone.chances import FixedLuck, TreeLuck, chance, chances
from tests.oracle.brimstone.scenes import at, hero_at, scene, xy

F = Fraction


def lands_on(luck: TreeLuck, target: tuple[int, int]) -> tuple[int, int]:
    hero = hero_at(5, 5, "bandido", policy="random_legal")
    fight = scene(luck, [hero], [("corpse_pile", (5, 1))], board=(5, 5))
    landed: list[int] = []
    fight.blast = lambda owner, square: landed.append(square)  # type: ignore[method-assign]
    fight.throw_dynamite(fight.heroes[0], at(fight, *target))
    return xy(fight, landed[0])


@pytest.mark.rule("BF-H21", "BF-H22")
def test_we25_dynamite_bounces() -> None:
    found = chances(lambda luck: lands_on(luck, (3, 3)))

    assert found[(3, 3)] == F(1, 3) + F(2, 3) * F(11, 192)

    board = bf.read_board({"width": 5, "height": 5}, "any")
    stays = [
        sum(board.bounce(board.at(*place), way) == board.at(*place) for way in range(1, 9))
        for place in ((0, 0), (2, 0))
    ]
    assert stays == [5, 3]


@pytest.mark.rule("BF-H23")
def test_we25_a_blast_kills_health_four_half_of_the_time() -> None:
    def dies(luck: TreeLuck) -> bool:
        fight = scene(luck, [hero_at(7, 7, "bandido")], [("tentacles", (2, 2)), ("tentacles", (6, 1))])
        fight.blast(fight.heroes[0], at(fight, 2, 2))
        return not fight.slots[0].alive

    assert chance(dies) == F(1, 2)


@pytest.mark.rule("BF-H23", "BF-A13")
def test_a_blast_hurts_heroes_and_ignores_their_defense() -> None:
    posse = [hero_at(3, 3, "bandido"), hero_at(2, 2, armor=2)]
    fight = scene(FixedLuck({"BF-H23": 5, "BF-H23/armor": 6}), posse, [("tentacles", (2, 3)), ("tentacles", (7, 7))])

    fight.blast(fight.heroes[0], at(fight, 2, 3))

    assert [hero.taken for hero in fight.heroes] == [5, 0]
    assert not fight.slots[0].alive
    assert (fight.heroes[0].kills, fight.heroes[0].xp) == (1, 30)


@pytest.mark.rule("BF-H27", "BF-P14")
def test_help_needs_a_tile_without_enemies() -> None:
    board = "2 2 2 2\n1 1 1 1\n1 1 1 1\n"
    posse = [hero_at(1, 1, policy="cautious"), hero_at(2, 1)]
    switches = {"revive_tokens": 0}
    for place, helped in (((4, 3), True), ((4, 2), False)):
        fight = scene(FixedLuck({"BF-H27": [4, 4]}), posse, [("tentacles", place)], board, switches=switches)
        fight.wound_hero(fight.heroes[1], 12)
        fight.help(fight.heroes[0])
        assert fight.heroes[1].standing == helped
        assert fight.heroes[0].xp == (25 if helped else 0)
        assert fight.heroes[1].hp == (8 if helped else 0)
        assert not fight.activate(fight.heroes[1])


def test_dangerous_dynamite_goes_off() -> None:
    hero = hero_at(3, 3, "bandido", health=30, bag={"dynamite": 2})
    rolls = {"BF-A1": 4, "BF-A2/defense": 1, "BF-A2/dangerous": [1, 3], "BF-H23": 3}
    kind = {"type": "tentacles", "damage": 4}
    fight = scene(FixedLuck(rolls), [hero], [(kind, (3, 4)), (kind, (7, 7))], switches={"dangerous_dynamite": "on"})
    fight.slots[0].target = fight.heroes[0]

    fight.phase_b(fight.slots[0].group)

    assert (fight.heroes[0].taken, fight.heroes[0].bag["dynamite"], fight.slots[0].taken) == (15, 1, 3)
