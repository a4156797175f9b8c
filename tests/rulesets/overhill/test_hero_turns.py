"""The heroes' part of a round: stances, and the order of turns."""

import pytest

from sim.core.outcomes import Outcome
from sim.rulesets.overhill.rules.hero_turns import hero_phase
from tests.rulesets.overhill.fights import STANDARD_PARTY, P, W, stage

# Stances.


@pytest.mark.rule("OU-R3", "OU-R8")
def test_front_heroes_who_can_move_get_a_stance_and_nobody_else() -> None:
    options = {"stance": "aggressive"}
    heroes = [*STANDARD_PARTY, "warrior", "warrior", "warrior"]
    fight = stage(heroes, [("zombie", 3)], policy_options=options)
    fight.s.paralysed[W] = 2
    fight.lose(P, 99)

    fight.round_start()

    assert fight.s.front[:, 0].tolist() == [True, False, True, False, True, True, True]
    assert fight.s.stance[:, 0].tolist() == [0, 0, 0, 0, 1, 1, 1]


@pytest.mark.rule("OU-R8", "OU-P5")
def test_who_steps_up_takes_a_stance_like_the_rest() -> None:
    fight = stage(["warrior", "warrior", "magic_user"], [("zombie", 3)], policy_options={"stance": "defensive"})
    fight.lose(0, 99)

    fight.round_start()

    assert fight.s.front[2].all()
    assert fight.s.stance[2].tolist() == [-1]


# The hero phase.


@pytest.mark.rule("OU-R4", "OU-A0", "OU-S1")
def test_heroes_act_in_roster_order_one_action_each() -> None:
    dice = {("OU-A3", 0): [8], ("OU-A3", 1): [8], ("OU-A3", 2): [8]}
    fight = stage(["warrior"] * 3, [("gobbo", 7)], dice)

    hero_phase(fight.s, fight.encounter.player)

    assert fight.s.kills_now[:, 0, 0].tolist() == [3, 3, 1]
    assert fight.s.ledger.uses[:, 0].sum() == 3


@pytest.mark.rule("OU-R4", "OU-Z1")
def test_the_fight_is_won_with_the_last_monster_and_the_rest_do_not_act() -> None:
    fight = stage(["warrior"] * 3, [("gobbo", 3)], {("OU-A3", 0): [8]})

    hero_phase(fight.s, fight.encounter.player)

    assert fight.s.outcome.tolist() == [Outcome.WIN]
    assert not fight.s.live.any()
    assert fight.s.ledger.uses[:, 0].sum() == 1


@pytest.mark.rule("OU-R4", "OU-U4")
def test_the_fallen_and_the_paralysed_do_not_act() -> None:
    fight = stage(["warrior"] * 3, [("gobbo", 90)], {"OU-A3": [8]})
    fight.lose(0, 99)
    fight.s.paralysed[1] = 1

    hero_phase(fight.s, fight.encounter.player)

    assert fight.s.kills_now[:, 0, 0].tolist() == [0, 0, 3]


@pytest.mark.rule("OU-R5")
def test_a_lost_hero_phase_is_counted_off() -> None:
    fight = stage(["warrior"] * 2, [("gobbo", 90)])
    fight.s.paralysed[0] = 3

    hero_phase(fight.s, fight.encounter.player)

    assert fight.s.paralysed[:, 0].tolist() == [2, 0]
