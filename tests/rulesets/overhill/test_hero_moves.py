"""Stepping up, and moving between the guards (W43)."""

import pytest

from sim.rulesets.overhill.data import AGGRESSIVE
from sim.rulesets.overhill.rules import hero_moves
from sim.rulesets.overhill.rules.rounds import start_round
from tests.rulesets.overhill.fights import STANDARD_PARTY, M, P, R, W, stage

# Stepping up.


@pytest.mark.rule("OU-P5", "OU-R2", "OU-G7")
def test_a_rear_that_is_no_longer_covered_steps_up() -> None:
    fight = stage(STANDARD_PARTY, [("zombie", 3)], {("OU-A3", M): [4]})
    fight.lose(R, 99)
    fight.lose(P, 99)

    start_round(fight.s)

    assert fight.s.front[M].all()  # W43: floor(1 / 2) = 0
    fight.turn(M)
    assert fight.s.n[0, 0] == 2  # with a blow of the staff: no darts from the front


@pytest.mark.rule("OU-P5")
def test_the_healthiest_steps_up_first_then_the_first_of_the_roster() -> None:
    heroes = ["warrior", "warrior", "warrior", "warrior", "rogue", "magic_user"]
    fight = stage(heroes, [("zombie", 3)])
    fight.s.health[4:, :] = 5
    fight.lose(0, 99)
    fight.s.health[1] = 11

    start_round(fight.s)

    assert fight.s.front[4:, 0].tolist() == [True, False]


@pytest.mark.rule("OU-P5")
def test_the_paralysed_do_not_step_up() -> None:
    fight = stage(["warrior", "warrior", "magic_user"], [("zombie", 3)])
    fight.lose(0, 99)
    fight.s.paralysed[2] = 1

    start_round(fight.s)

    assert not fight.s.front[2].any()


@pytest.mark.rule("OU-P5", "OU-P3")
def test_nobody_steps_up_into_a_full_front() -> None:
    fight = stage(["warrior"] * 5, [("zombie", 3)], room="narrow")

    start_round(fight.s)

    assert fight.s.front_count(fight.at).tolist() == [2]


# Moving.


@pytest.mark.rule("OU-A9", "OU-P2")
def test_falling_back_is_legal_while_the_front_still_covers_the_rear() -> None:
    fight = stage(["warrior", "warrior", "rogue"], [("gobbo", 3)], policy="aggressive")  # all in front

    assert hero_moves.may_move_back(fight.s, 2, fight.at).all()
    hero_moves.move(fight.s, 2, fight.at, to_front=False)
    assert not hero_moves.may_move_back(fight.s, 1, fight.at).any()


@pytest.mark.rule("OU-A9", "OU-F2")
def test_a_shield_wall_takes_its_weight_along() -> None:
    wall = {"class": "warrior", "feats": ["shield_wall"]}
    fight = stage([wall, "warrior"], [("gobbo", 3)])

    assert hero_moves.may_move_back(fight.s, 1, fight.at).all()  # weight 2 is left
    assert not hero_moves.may_move_back(fight.s, 0, fight.at).any()  # weight 1 is left


@pytest.mark.rule("OU-A9")
def test_coming_forward_is_legal_unless_the_front_is_full() -> None:
    roomy = stage(STANDARD_PARTY, [("gobbo", 3)])
    narrow = stage(STANDARD_PARTY, [("gobbo", 3)], room="narrow")

    assert hero_moves.may_move_up(roomy.s, M, roomy.at).all()
    assert not hero_moves.may_move_up(roomy.s, W, roomy.at).any()  # is there already
    assert not hero_moves.may_move_up(narrow.s, M, narrow.at).any()


@pytest.mark.rule("OU-R8", "OU-A9")
def test_who_moves_is_neutral_for_the_rest_of_the_round() -> None:
    fight = stage(["warrior", "warrior", "rogue"], [("gobbo", 3)], policy="aggressive")
    fight.s.stance[:] = AGGRESSIVE

    hero_moves.move(fight.s, 2, fight.at, to_front=False)

    assert not fight.s.front[2].any()
    assert fight.s.stance[:, 0].tolist() == [1, 1, 0]
