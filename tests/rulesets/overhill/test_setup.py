"""Before round 1: who is met, traps, and the surprise phase (W49, W50)."""

import numpy as np
import pytest

from sim.core.engine import play
from sim.core.outcomes import Outcome
from sim.scenario import load
from tests.rulesets.overhill.fights import STANDARD_PARTY, TABLE, F, ToldLuck, chances, compiled, d, lot, stage, table

# What is met.


@pytest.mark.rule("OU-S12", "OU-Z3")
def test_a_room_without_monsters_is_empty() -> None:
    outcomes = play(compiled(table(["warrior"], [("gobbo", 0)])), 1, np.arange(3))

    assert outcomes.outcome.tolist() == [Outcome.EMPTY] * 3
    assert not outcomes.rounds.any()


@pytest.mark.rule("OU-S2", "OU-S12")
def test_the_dungeon_table_leads_to_its_rows() -> None:
    encounter = load("overhill/gobbo-dungeon").encounter()
    met = {}
    for total in range(2, 13):
        first = min(6, total - 1)
        dice = {("OU-11.7", TABLE, 0): [first], ("OU-11.7", TABLE, 1): [total - first]}
        s = encounter.start(ToldLuck(dice), None)
        names = [encounter.cast.units[int(s.unit[g, 0])].name for g in range(s.groups) if s.n[g, 0]]
        met[total] = names

    assert met[2] == []
    assert met[5] == ["gobbo", "gobbo_shaman", "gobbo_dog"]
    assert met[10] == ["gobbo_warmonger", "gobbo"]
    assert met[12] == ["gobbo_grandgobbo", "gobbo"]


@pytest.mark.rule("OU-S11", "OU-S2")
def test_only_the_trapped_row_of_a_table_has_a_trap() -> None:
    rows = [
        {"on": 1, "trap": True, "enemies": [{"type": "gobbo", "count": 1}]},
        {"on": "2-3", "enemies": [{"type": "gobbo", "count": 1}]},
    ]
    scenario = table(["warrior"], [], encounter={"roll": "1d4", "rows": rows})
    del scenario["enemies"]
    luck = ToldLuck({("OU-11.7", TABLE, 0): d(4), ("OU-S11", 0, 0): [1]})

    s = compiled(scenario).start(luck, None)

    assert (s.health[0] < 11).tolist() == [True, False, False, False]
    assert s.outcome.tolist()[3] == Outcome.EMPTY  # a total without a row


# Traps.


@pytest.mark.rule("OU-S11", "OU-D9")
@pytest.mark.parametrize(("check", "caught"), [("meet", F(1, 3)), ("exceed", F(1, 2))])
def test_a_trap_costs_1d4_unless_a_quick_check_is_passed(check: str, caught: F) -> None:
    dice = {("OU-S11", TABLE): lot(0), ("OU-S11", 0, 0): d(6), ("OU-S11", 0, 1): d(4)}

    party = stage(["warrior", "rogue"], [("gobbo", 1)], dice, trap=True, switches={"difficulty_check": check})

    lost = chances(11 - party.s.health[0])
    assert lost == {0: 1 - caught, **dict.fromkeys((1, 2, 3, 4), caught / 4)}


@pytest.mark.rule("OU-S11")
def test_the_trap_meets_a_front_hero_by_lot() -> None:
    dice = {("OU-S11", TABLE): lot(0, 1, 2), **{("OU-S11", h, 0): [1] for h in range(4)}}

    party = stage(STANDARD_PARTY, [("gobbo", 1)], dice, trap=True)

    assert ((party.s.health < party.s.facts.max_health).T.tolist()) == [
        [True, False, False, False],
        [False, True, False, False],
        [False, False, True, False],
    ]  # the magic user stands in the rear


@pytest.mark.rule("OU-S11")
def test_traps_can_be_switched_off() -> None:
    party = stage(["warrior"], [("gobbo", 1)], {("OU-S11", 0, 0): [1]}, trap=True, switches={"traps": "off"})

    assert party.s.health[0, 0] == 11


@pytest.mark.rule("OU-Z2", "OU-S12", "OU-Z4")
def test_a_trap_can_end_the_fight_before_round_1() -> None:
    hero = {"class": "rogue", "health": 1, "quick": 2}

    outcomes = play(compiled(table([hero], [("gobbo", 1)], trap=True)), 1, np.arange(50))

    assert set(outcomes.outcome.tolist()) == {int(Outcome.LOSS)}
    assert not outcomes.rounds.any()


# Surprise.


@pytest.mark.rule("OU-S10")
def test_the_surprise_phase_is_no_round_and_knows_no_stances() -> None:
    dice = {"OU-S8": [1], "OU-D2": d(8)}

    party = stage(["warrior"], [("gobbo", 1)], dice, policy_options={"engage": "talk", "stance": "defensive"})

    assert (party.s.health[0] < 11).tolist() == [True] + [False] * 7  # a 1 does not exceed 1
    assert not party.s.rounds.any()
    assert not party.s.kills_prev.any()


@pytest.mark.rule("OU-S10", "OU-S12")
def test_a_scenario_can_let_the_monsters_attack_before_round_1() -> None:
    party = stage(["warrior"], [("gobbo", 3)], {"OU-D2": [1]}, surprise=True)

    assert party.s.health[0].tolist() == [8]
    assert party.s.rounds.tolist() == [0]


@pytest.mark.rule("OU-S10")
def test_monsters_that_are_talked_round_surprise_nobody() -> None:
    options = {"engage": "talk"}

    party = stage(["warrior"], [("gobbo", 3)], {"OU-S8": [6], "OU-D2": [1]}, surprise=True, policy_options=options)

    assert party.s.outcome.tolist() == [Outcome.AVOIDED]
    assert party.s.health[0].tolist() == [11]


@pytest.mark.rule("OU-S10", "OU-S2")
def test_only_the_row_of_a_table_that_says_so_is_a_surprise() -> None:
    rows = [
        {"on": 1, "surprise": True, "enemies": [{"type": "gobbo", "count": 1}]},
        {"on": 2, "enemies": [{"type": "gobbo", "count": 1}]},
    ]
    scenario = table(["warrior"], [], encounter={"roll": "1d2", "rows": rows})
    del scenario["enemies"]

    s = compiled(scenario).start(ToldLuck({("OU-11.7", TABLE, 0): d(2), "OU-D2": [1]}), None)

    assert s.health[0].tolist() == [10, 11]
