"""Whom monsters attack: legal targets, remembered kills, ties, sharing out (W36 to W42)."""

import numpy as np
import pytest

from sim.rulesets.overhill.rules.enemy_turns import monster_phase
from tests.rulesets.overhill.fights import (
    STANDARD_PARTY,
    F,
    M,
    P,
    R,
    Stage,
    W,
    chances,
    foe,
    lot,
    stage,
)

SKELETONS, ZOMBIES = 0, 1
ONE = {"monster_damage": "one"}  # so that health lost counts the attacks


def attacked(fight: Stage) -> np.ndarray:
    """(heroes, runs). How often each hero is hit in one monster phase in which every attack hits for 1."""
    before = fight.s.health.copy()
    monster_phase(fight.s)
    return before - fight.s.health


def crypt(
    skeletons: int, zombies: int, dice: dict | None = None, heroes: tuple = STANDARD_PARTY, **switches: object
) -> Stage:
    """The standard party (magic user in the rear); warrior and magic user have each killed a skeleton last round."""
    groups = [("skeleton", skeletons), ("zombie", zombies)]
    fight = stage(heroes, groups, {"OU-D2": [1], **(dice or {})}, switches={**ONE, **switches})
    fight.s.kills_prev[W, SKELETONS] = 1
    fight.s.kills_prev[M, SKELETONS] = 1
    return fight


@pytest.mark.rule("OU-E3", "OU-E6", "OU-E7", "OU-U6")
def test_an_outnumbered_front_exposes_the_rear_and_equal_killers_are_drawn_by_lot() -> None:
    dice = {("OU-E7", foe(0), 0): lot(0, 1), ("OU-E7", foe(0), 1): lot(0), ("OU-E7", foe(0), 2): lot(1)}
    dice |= {("OU-E7", foe(1), 0): lot(0, 1, 2, 3), ("OU-E7", foe(1), 1): lot(0)}

    hits = attacked(crypt(3, 2, dice))  # W36: MF 5 > HF 3

    by_lot = np.array([[2, 1], [0, 0], [0, 0], [1, 2]])  # skeletons: W or M, two of the three draws fixed
    for run in range(8):
        zombie_on = run // 2
        expected = by_lot[:, run % 2] + np.eye(4, dtype=int)[zombie_on] + np.eye(4, dtype=int)[W]
        assert hits[:, run].tolist() == expected.tolist()


@pytest.mark.rule("OU-E3", "OU-E6", "OU-E7")
def test_a_front_that_is_not_outnumbered_protects_the_rear() -> None:
    dice = {("OU-E7", foe(1), 0): lot(0, 1, 2)}

    hits = attacked(crypt(2, 1, dice))  # W37: MF 3 = HF 3

    assert hits[W].tolist() == [3, 2, 2]
    assert hits[R].tolist() == [0, 1, 0]
    assert hits[P].tolist() == [0, 0, 1]
    assert not hits[M].any()


@pytest.mark.rule("OU-E5", "OU-E3")
def test_legal_targets_are_found_anew_before_every_attack() -> None:
    fight = crypt(2, 1, {("OU-E7", foe(1), 0): lot(0, 1, 2)})
    fight.s.health[W] = 1

    hits = attacked(fight)  # W38: W falls to the first skeleton, and HF 2 < MF 3

    assert hits[W].tolist() == [1, 1, 1]
    assert hits[M].tolist() == [1, 1, 2]  # the second skeleton, and the zombie's third lot
    assert hits[R].tolist() == [1, 0, 0]
    assert hits[P].tolist() == [0, 1, 0]


@pytest.mark.rule("OU-F2", "OU-E3", "OU-U6")
def test_a_shield_wall_keeps_the_front_from_being_outnumbered() -> None:
    heroes = ({"class": "warrior", "feats": ["shield_wall"]}, "rogue", "priest", "magic_user")

    with_wall = attacked(crypt(3, 1, heroes=heroes))  # W39: MF 4 = HF 4
    without = attacked(crypt(3, 1, {("OU-E7", foe(0)): lot(1)}))

    assert not with_wall[M].any()
    assert without[M].any()


@pytest.mark.rule("OU-E4", "OU-E6")
def test_rear_monsters_attack_whoever_removed_their_friends_wherever_he_stands() -> None:
    heroes = ["warrior", "warrior", "rogue"]
    fight = stage(heroes, [("gobbo_archer", 2)], {"OU-D2": [1]}, switches=ONE)
    fight.s.kills_prev[2, 0] = 1

    assert not fight.s.front[2, 0]
    assert attacked(fight)[:, 0].tolist() == [0, 0, 2]  # W40


@pytest.mark.rule("OU-E3")
@pytest.mark.parametrize(("protection", "rear_is_hit"), [("outnumbered", True), ("last_standing", False)])
def test_with_last_standing_numbers_do_not_expose_the_rear(protection: str, rear_is_hit: bool) -> None:
    fight = crypt(4, 0, rear_protection=protection)
    fight.s.kills_prev[:] = 0
    fight.s.kills_prev[M, SKELETONS] = 3

    if not rear_is_hit:
        assert not attacked(fight)[M].any()
        fight.s.health[[W, R, P]] = 0  # now nobody stands in front
    assert attacked(fight)[M, 0] == 4


@pytest.mark.rule("OU-E6")
@pytest.mark.parametrize(
    ("window", "scope", "target"),
    [
        ("previous_round", "group", W),
        ("current_round", "group", R),
        ("previous_round", "all", P),
        ("current_round", "all", R),
    ],
)
def test_switches_say_which_kills_are_remembered(window: str, scope: str, target: int) -> None:
    fight = crypt(1, 1, threat_window=window, threat_scope=scope)
    fight.s.n[ZOMBIES] = 0
    fight.s.kills_prev[:] = 0
    fight.s.kills_prev[W, SKELETONS] = 1
    fight.s.kills_prev[P, ZOMBIES] = 2
    fight.s.kills_now[R, SKELETONS] = 1

    assert attacked(fight)[:, 0].tolist() == np.eye(4, dtype=int)[target].tolist()


@pytest.mark.rule("OU-E7")
def test_best_for_party_sends_ties_to_the_healthiest_then_the_first() -> None:
    fight = stage(["rogue", "priest", "rogue"], [("skeleton", 2)], {"OU-D2": [1]},
                  room="open", switches={**ONE, "party_choice": "best_for_party"})  # fmt: skip

    hits = attacked(fight)  # 7, 8, 7: the priest, then at 7 each the first

    assert hits[:, 0].tolist() == [1, 1, 0]


@pytest.mark.rule("OU-E8")
def test_spread_shares_out_down_the_ranking_and_begins_anew() -> None:
    fight = crypt(4, 0, monster_targeting="spread", rear_protection="last_standing")
    fight.s.kills_prev[:] = 0
    fight.s.kills_prev[W, SKELETONS] = 2
    fight.s.kills_prev[R, SKELETONS] = 1

    assert attacked(fight)[:, 0].tolist() == [2, 1, 1, 0]  # W41: W, R, P, W


@pytest.mark.rule("OU-E8")
def test_spread_breaks_ties_by_an_order_drawn_once_per_group() -> None:
    runs = 6000
    switches = {**ONE, "monster_targeting": "spread", "rear_protection": "last_standing"}
    fight = stage(STANDARD_PARTY, [("skeleton", 2)], {"OU-D2": [1]}, runs, switches=switches)

    hits = attacked(fight)

    assert (hits.sum(axis=0) == 2).all()
    assert hits.max() == 1  # two monsters of the group never choose the same hero
    four_sigma = 4 * np.sqrt(2 / 3 * 1 / 3 / runs)
    assert np.abs(hits[[W, R, P]].mean(axis=1) - 2 / 3).max() < four_sigma


@pytest.mark.rule("OU-E8")
def test_random_monsters_forget_who_killed_whom() -> None:
    fight = crypt(1, 0, {("OU-E7", foe(0), 0): lot(0, 1, 2)}, monster_targeting="random")

    assert attacked(fight).T.tolist() == [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]]


@pytest.mark.rule("OU-E7")
def test_every_monster_draws_its_own_lot() -> None:
    fight = crypt(0, 2, {("OU-E7", foe(1), 0): lot(0, 1, 2), ("OU-E7", foe(1), 1): lot(0, 1, 2)})

    hits = attacked(fight)

    assert chances(hits[W]) == {0: F(4, 9), 1: F(4, 9), 2: F(1, 9)}


@pytest.mark.rule("OU-E2", "OU-U6", "OU-P3")
def test_in_a_narrow_room_two_monsters_attack_and_the_rear_is_safe() -> None:
    heroes = ["warrior", "priest", "rogue", "magic_user"]
    fight = stage(heroes, [("zombie", 6)], {"OU-D2": [1]}, room="narrow", switches=ONE)

    hits = attacked(fight)  # W42: MF = 2, HF = 2

    assert hits[:2].sum() == 2
    assert not hits[2:].any()


@pytest.mark.rule("OU-E2", "OU-E1")
def test_the_places_of_a_narrow_room_are_taken_in_list_order_and_archers_need_none() -> None:
    heroes = [{"class": "warrior", "max_health": 30}]
    groups = [("gobbo", 1), ("gobbo_archer", 3), ("zombie", 5)]
    fight = stage(heroes, groups, {"OU-D2": [1]}, room="narrow", switches=ONE)

    assert attacked(fight)[0, 0] == 1 + 3 + 1


@pytest.mark.rule("OU-E1", "OU-F6")
def test_every_living_monster_beyond_the_bashed_attacks_once() -> None:
    fight = stage([{"class": "warrior", "max_health": 30}], [("gobbo", 5)], {"OU-D2": [1]}, switches=ONE)
    fight.s.n[0] = 4
    fight.s.bashed[0] = 1

    assert attacked(fight)[0, 0] == 3


@pytest.mark.rule("OU-E10")
def test_monsters_stay_where_and_what_they_are() -> None:
    fight = stage(["warrior"], [("gobbo_archer", 3), ("gobbo", 3)], {"OU-A3": [1], "OU-D2": [6]}, runs=4)
    guards = fight.s.rear_group.copy()
    fight.s.round = 0

    for _ in range(5):
        fight.round()

    assert (fight.s.rear_group == guards).all()
    assert (fight.s.n == 3).all()
