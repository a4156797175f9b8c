"""Rooms, and who stands where as the fight begins (W51, W52)."""

import numpy as np
import pytest

from sim.rulesets.overhill.rules.formation import standard_formation
from tests.rulesets.overhill.fights import STANDARD_PARTY, compiled, stage, table


@pytest.mark.rule("OU-P2", "OU-S5", "OU-U9")
@pytest.mark.parametrize(
    ("room", "capacity"),
    [
        ("standard", [0, 0, 1, 1, 2, 2, 3]),
        ("narrow", [0, 1, 2, 3, 4, 5, 6]),
        ("wide", [0, 0, 0, 1, 1, 1, 2]),
        ("open", [0] * 7),
    ],
)
def test_the_room_says_how_many_the_front_covers(room: str, capacity: list[int]) -> None:
    party = stage(["warrior"], [("gobbo", 1)], room=room)

    assert party.s.rear_capacity(np.arange(7, dtype=np.int16)).tolist() == capacity  # W33


@pytest.mark.rule("OU-P2", "OU-S6")
def test_the_largest_rear_of_one_to_seven_rogues() -> None:
    parties = [compiled(table(["rogue"] * n, [("gobbo", 1)])) for n in range(1, 8)]

    rears = [int((~standard_formation(party.facts)).sum()) for party in parties]

    assert rears == [0, 0, 1, 1, 1, 2, 2]  # W34


@pytest.mark.rule("OU-F2", "OU-P2", "OU-P3", "OU-U6")
@pytest.mark.parametrize(("shield", "rear"), [(True, [False, True]), (False, [False, False])])
def test_a_shield_wall_covers_one_more(shield: bool, rear: list[bool]) -> None:
    warrior = {"class": "warrior", "feats": ["shield_wall"], "shield": shield}

    party = stage([warrior, "magic_user"], [("gobbo", 1)])

    assert (~party.s.front[:, 0]).tolist() == rear  # W35
    assert party.s.front_weight(party.at)[0] == 2


@pytest.mark.rule("OU-S6", "OU-P1")
def test_the_standard_formation_sends_magic_users_rogues_and_priests_back_in_this_order() -> None:
    party = stage(["priest", "rogue", "magic_user", "warrior", "warrior", "warrior"], [("gobbo", 1)])

    assert party.s.front[:, 0].tolist() == [True, False, False, True, True, True]


@pytest.mark.rule("OU-P3")
def test_a_narrow_front_goes_before_the_limit_of_the_rear() -> None:
    party = stage(["warrior"] * 5, [("gobbo", 1)], room="narrow")

    assert party.s.front_count(party.at)[0] == 2
    assert party.s.rear_count(party.at)[0] == 3  # more than the two who are covered


@pytest.mark.rule("OU-S6")
def test_a_random_formation_is_always_legal() -> None:
    party = stage(STANDARD_PARTY, [("gobbo", 1)], runs=200, policy="random_legal")

    rear = party.s.rear_count(party.at)

    assert (rear <= party.s.rear_capacity(party.s.front_weight(party.at))).all()
    assert set(rear.tolist()) == {0, 1}
