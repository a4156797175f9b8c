"""The round: stepping up, stances, the order of turns, the end of a round and of the fight (W43)."""

import numpy as np
import pytest

from sim.core.engine import play
from sim.core.outcomes import Outcome
from sim.rulesets.overhill.rules.rounds import end_round, hero_phase, start_round
from sim.scenario import load
from tests.rulesets.overhill.fights import STANDARD_PARTY, M, P, R, W, compiled, stage, table

# The beginning.


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

    hero_phase(fight.s, fight.encounter.heroes)

    assert fight.s.kills_now[:, 0, 0].tolist() == [3, 3, 1]
    assert fight.s.ledger.uses[:, 0].sum() == 3


@pytest.mark.rule("OU-R4", "OU-Z1")
def test_the_fight_is_won_with_the_last_monster_and_the_rest_do_not_act() -> None:
    fight = stage(["warrior"] * 3, [("gobbo", 3)], {("OU-A3", 0): [8]})

    hero_phase(fight.s, fight.encounter.heroes)

    assert fight.s.outcome.tolist() == [Outcome.WIN]
    assert not fight.s.live.any()
    assert fight.s.ledger.uses[:, 0].sum() == 1


@pytest.mark.rule("OU-R4", "OU-U4")
def test_the_fallen_and_the_paralysed_do_not_act() -> None:
    fight = stage(["warrior"] * 3, [("gobbo", 90)], {"OU-A3": [8]})
    fight.lose(0, 99)
    fight.s.paralysed[1] = 1

    hero_phase(fight.s, fight.encounter.heroes)

    assert fight.s.kills_now[:, 0, 0].tolist() == [0, 0, 3]


@pytest.mark.rule("OU-R5")
def test_a_lost_hero_phase_is_counted_off() -> None:
    fight = stage(["warrior"] * 2, [("gobbo", 90)])
    fight.s.paralysed[0] = 3

    hero_phase(fight.s, fight.encounter.heroes)

    assert fight.s.paralysed[:, 0].tolist() == [2, 0]


# The end of a round.


@pytest.mark.rule("OU-R7", "OU-U7")
def test_kills_become_those_of_the_last_round_and_bashes_end() -> None:
    fight = stage(["warrior"], [("gobbo", 9)])
    fight.s.kills_now[0, 0] = 2
    fight.s.kills_prev[0, 0] = 5
    fight.s.bashed[0] = 1

    end_round(fight.s)

    assert fight.s.kills_prev[0, 0].tolist() == [2]
    assert not fight.s.kills_now.any()
    assert not fight.s.bashed.any()


@pytest.mark.rule("OU-U7", "OU-E6")
def test_in_round_1_nothing_is_remembered() -> None:
    fight = stage(["warrior"], [("gobbo", 9)])

    assert not fight.s.kills_prev.any()


@pytest.mark.rule("OU-R7", "OU-Z3", "OU-R1")
def test_the_round_cap_is_a_draw() -> None:
    stalemate = {"type": "gobbo", "count": 2, "melee": 0, "defence": 99}

    outcomes = play(compiled(table(["warrior"], [stalemate], switches={"round_cap": 7})), 1, np.arange(5))

    assert outcomes.outcome.tolist() == [Outcome.DRAW] * 5
    assert outcomes.rounds.tolist() == [7] * 5


@pytest.mark.rule("OU-R1", "OU-Z1")
def test_a_fight_won_at_once_takes_one_round() -> None:
    weak = {"type": "gobbo", "count": 1, "defence": 1}

    outcomes = play(compiled(table(["warrior"], [weak])), 1, np.arange(20))

    assert outcomes.rounds.tolist() == [1] * 20
    assert outcomes.outcome.tolist() == [Outcome.WIN] * 20


# What is counted.


@pytest.mark.rule("OU-Z4")
def test_damage_kills_and_healing_balance() -> None:
    encounter = load("overhill/warband", policy="focus_expert").encounter()
    heroes = len(encounter.facts.heroes)
    starting = np.array([[hero.health] for hero in encounter.facts.heroes])

    outcomes = play(encounter, 5, np.arange(300))

    assert (outcomes.hp[:heroes] <= starting - outcomes.damage_taken[:heroes] + outcomes.counts["restored"]).all()
    assert (outcomes.counts["standing"] == (outcomes.hp[:heroes] > 0).sum(axis=0)).all()
    assert (outcomes.kills[:heroes].sum(axis=0) == outcomes.damage_taken[heroes:].sum(axis=0)).all()
    assert (outcomes.damage_dealt[heroes:].sum(axis=0) <= outcomes.damage_taken[:heroes].sum(axis=0)).all()
    assert ((outcomes.outcome == Outcome.LOSS) == (outcomes.counts["standing"] == 0)).all()


@pytest.mark.rule("OU-Z5")
def test_experience_is_for_removed_monsters_if_somebody_stands() -> None:
    worth = {"enemies.skeleton.xp": 6, "enemies.zombie.xp": 7}
    encounter = load("overhill/crypt-swarm", policy="plain", values=worth).encounter()

    outcomes = play(encounter, 5, np.arange(300))

    won = outcomes.outcome == Outcome.WIN
    assert 0 < won.sum() < 300
    assert set(outcomes.xp[won].tolist()) == {5 * 6 + 3 * 7}
    assert not outcomes.xp[outcomes.outcome == Outcome.LOSS].any()


@pytest.mark.rule("OU-Z5", "OU-Z3")
def test_avoided_fights_are_worth_nothing() -> None:
    scenario = table(STANDARD_PARTY, [("gobbo", 3)], policy_options={"engage": "sneak"})

    outcomes = play(compiled(scenario), 1, np.arange(200))

    avoided = outcomes.outcome == Outcome.AVOIDED
    assert avoided.any()
    assert not outcomes.xp[avoided].any()
    assert not outcomes.rounds[avoided].any()


@pytest.mark.rule("OU-Z5", "OU-R7")
def test_a_draw_counts_the_monsters_removed_so_far() -> None:
    groups = [{"type": "gobbo", "count": 1, "xp": 4}, {"type": "zombie", "count": 1, "melee": 0, "defence": 99}]

    outcomes = play(compiled(table(["warrior"], groups, switches={"round_cap": 40})), 1, np.arange(10))

    assert outcomes.outcome.tolist() == [Outcome.DRAW] * 10
    assert outcomes.xp.tolist() == [4] * 10


@pytest.mark.rule("OU-Z2")
def test_a_lost_fight_ends_in_the_round_in_which_the_last_hero_falls() -> None:
    hero = {"class": "rogue", "health": 1}
    encounter = compiled(table([hero], [("zombie", 20)]))

    outcomes = play(encounter, 1, np.arange(10))

    assert outcomes.outcome.tolist() == [Outcome.LOSS] * 10
    assert outcomes.rounds.tolist() == [1] * 10
    assert outcomes.down_round[0].tolist() == [1] * 10
