"""Start lines: tokens for others, bought movement, and the provider who uses them all."""

from __future__ import annotations

from typing import Any

import pytest

from tests.oracle import brimstone as bf
from tests.oracle.brimstone.chances import FixedLuck
from tests.oracle.brimstone.scenes import BIG, hero_at, scene, xy
from tests.oracle.brimstone.start_lines import StartLine

TREATED = [  # token, rolls, health left before and after, sanity left before and after, XP of the user
    ("bandages", {"treat/bandages": 4}, (6, 10), (6, 6), 20),
    ("bandages", {"treat/bandages": 6}, (11, 12), (6, 6), 5),
    ("herbs", {"treat/herbs": [2, 3]}, (4, 9), (6, 6), 25),
    ("whiskey", {"treat/whiskey": 5}, (4, 4), (6, 11), 25),
    ("tonic", {}, (4, 4), (6, 6), 0),
]
PROVIDER_BAG = {"flash": 1, "fine_cigar": 1, "herbs": 1, "bandages": 1, "whiskey": 1, "tonic": 1, "spice": 1}


@pytest.mark.rule("BF-H26")
@pytest.mark.parametrize(("token", "rolls", "health", "sanity", "xp"), TREATED)
def test_treating_a_neighbour_earns_xp(
    token: str, rolls: dict[str, Any], health: tuple[int, int], sanity: tuple[int, int], xp: int
) -> None:
    patient = hero_at(2, 1, wounds=12 - health[0], sdmg=12 - sanity[0], grit=0, bag={})
    fight = scene(FixedLuck(rolls), [hero_at(1, 1, bag={token: 1}), patient], [(BIG, (7, 7))])
    user, treated = fight.heroes

    fight.treat(user, token, (1, 1))

    assert (treated.hp, treated.mind, treated.grit) == (health[1], sanity[1], int(token == "tonic"))
    assert (user.xp, user.tokens_used, user.healed, user.bag[token]) == (xp, 1, 0, 0)
    assert (treated.xp, treated.tokens_used, treated.healed) == (0, 0, 5 * xp // 25)
    assert treated.grit_gained == int(token == "tonic")


@pytest.mark.rule("BF-H26")
def test_an_ally_earns_no_xp_for_treating() -> None:
    ally = {"class": "lawman", "ally": True, "move": 4, "bag": {"bandages": 1}}
    hurt = {"class": "lawman", "wounds": 9}
    fight = scene(FixedLuck({"treat/bandages": 3}), [ally, hurt], [(BIG, None)], board="none")

    fight.treat(fight.heroes[0], "bandages", (1, 2))

    assert (fight.heroes[0].xp, fight.heroes[1].healed) == (0, 3)


@pytest.mark.rule("BF-H26")
def test_the_first_adjacent_hero_in_need_is_treated() -> None:
    # hero 0 is hurt but too far, 1 is the user, 2 is hurt too little, 3 lies on the ground, 4 and 5 are in need
    heroes = [
        hero_at(7, 1, wounds=9),
        hero_at(2, 2, wounds=9, bag={"bandages": 2}),
        hero_at(2, 1, wounds=5),
        hero_at(1, 1, wounds=11),
        hero_at(3, 3, wounds=6),
        hero_at(1, 2, wounds=9),
    ]
    fight = scene(FixedLuck({"treat/bandages": 3}), heroes, [(BIG, (7, 7))], switches={"revive_tokens": 0})
    fight.wound_hero(fight.heroes[3], 1)

    fight.treat(fight.heroes[1], "bandages", (1, 2))
    fight.treat(fight.heroes[1], "bandages", (1, 2))

    assert [hero.healed for hero in fight.heroes] == [0, 0, 0, 0, 3, 3]


@pytest.mark.rule("BF-H26")
@pytest.mark.parametrize(
    ("token", "hero"),
    [
        ("bandages", {"status": {"bleeding": 3}}),  # little Health left, but no wounds
        ("whiskey", {"wounds": 9}),
        ("tonic", {"grit": 1}),
        ("tonic", {"grit": 0, "max_grit": 0}),
    ],
)
def test_nobody_is_treated_in_vain(token: str, hero: dict[str, Any]) -> None:
    heroes = [{"class": "lawman", "bag": {token: 1}}, {"class": "lawman"} | hero]
    fight = scene(FixedLuck({}), heroes, [(BIG, None)], board="none")

    fight.treat(fight.heroes[0], token, (1, 2))

    assert fight.heroes[0].tokens_used == 0


@pytest.mark.rule("BF-H26")
def test_a_closed_corner_keeps_helpers_away() -> None:
    board = ". .\n# .\n. .\n"
    heroes = [hero_at(1, 1, bag={"bandages": 1}), hero_at(2, 2, wounds=9)]
    fight = scene(FixedLuck({}), heroes, [(BIG, (1, 3))], board=board)

    fight.treat(fight.heroes[0], "bandages", (1, 2))

    assert fight.heroes[0].tokens_used == 0


@pytest.mark.rule("BF-H5")
@pytest.mark.parametrize(
    ("roll", "webbed", "entangled", "steps"), [(1, 0, 0, 3), (6, 0, 0, 8), (6, 3, 0, 5), (6, 9, 0, 0), (6, 0, 1, 0)]
)
def test_bought_movement_is_added_to_the_roll(roll: int, webbed: int, entangled: int, steps: int) -> None:
    status = {"webbed": webbed, "entangled": entangled}
    hero = hero_at(1, 1, "preacher", policy="provider", grit=2, status=status)
    rolls = {"BF-H2": 2, "BF-H5": roll, "Webbed": 1}
    fight = scene(FixedLuck(rolls), [hero], [({"type": "tentacles", "health": 99}, (1, 14))], board=(1, 14))
    walker = fight.heroes[0]

    fight.activate_hero(walker)

    assert xy(fight, walker.sq) == (1, 1 + steps)
    assert (walker.grit, walker.grit_spent, walker.grit_gained) == (1, 1, 0)


@pytest.mark.rule("BF-H5")
@pytest.mark.parametrize(
    ("grit", "switches", "board"), [(1, {}, (1, 14)), (2, {"grit_use": "off"}, (1, 14)), (2, {}, "none")]
)
def test_movement_is_not_bought_with_the_last_grit_nor_without_a_board(grit: int, switches: Any, board: Any) -> None:
    hero = hero_at(1, 1, "preacher", policy="provider", grit=grit, combat=0)
    square = None if board == "none" else (1, 14)
    fight = scene(FixedLuck({}), [hero], [(BIG, square)], board=board, switches=switches)

    assert fight.start_lines(fight.heroes[0]) == 0
    assert fight.heroes[0].grit_spent == 0


@pytest.mark.parametrize("turn", [1, 2])
def test_a_provider_next_to_an_enemy_uses_everything_in_order(turn: int) -> None:
    patient = hero_at(2, 1, "us_marshal", health=12, wounds=8, sdmg=6, grit=0, bag={})
    rolls = {"treat/herbs": [1, 1], "treat/bandages": 1, "treat/whiskey": 1, "spice": 2}
    fight = scene(FixedLuck(rolls), [hero_at(1, 1, policy="provider", bag={}), patient], [(BIG, (1, 2))], turn=turn)
    user, treated = fight.heroes
    user.bag = dict(PROVIDER_BAG)
    fight.trace = []

    assert fight.start_lines(user) == 0

    used = [text.split(" uses ")[1] for text in fight.trace if " uses " in text]
    others = [f"{token} on us_marshal" for token in ("herbs", "bandages", "whiskey", "tonic")]
    assert used == ["flash"] * (turn == 1) + ["fine_cigar", *others, "spice"]
    assert (treated.hp, treated.mind, treated.grit) == (7, 5, 1)
    assert (user.xp, user.spice, user.taken) == (5 * 4, 2, 1)
    assert user.cigar_turn == turn
    assert fight.flashed == ({1, 2} if turn == 1 else set())


def test_a_provider_far_from_the_enemy_keeps_cigar_and_spice_and_walks() -> None:
    fight = scene(FixedLuck({"BF-H5": 4}), [hero_at(1, 1, policy="provider", bag={}, grit=2)], [(BIG, (1, 14))],
                  board=(1, 14), turn=2)  # fmt: skip
    user = fight.heroes[0]
    user.bag = dict(PROVIDER_BAG)

    assert fight.start_lines(user) == 4
    assert user.bag == PROVIDER_BAG


def test_no_start_line_is_wasted_while_its_like_still_works() -> None:
    bag = {"flash": 2, "fine_cigar": 1, "spice": 2}
    fight = scene(FixedLuck({"spice": 1}), [{"class": "lawman", "bag": bag}], [(BIG, None)], board="none")
    user = fight.heroes[0]

    for do in (*bag, *bag):
        fight.start_line(user, StartLine(do))

    assert user.bag == {"flash": 1, "fine_cigar": 0, "spice": 1}


def test_other_policies_have_no_start_lines() -> None:
    for policy in bf.POLICIES[:-1]:
        fight = scene(FixedLuck({}), [{"class": "lawman", "policy": policy, "bag": {"flash": 1}}], [(BIG, None)],
                      board="none")  # fmt: skip

        assert fight.start_lines(fight.heroes[0]) == 0
        assert fight.heroes[0].tokens_used == 0
