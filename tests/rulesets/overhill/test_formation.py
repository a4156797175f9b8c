"""Rooms, and who stands where as the fight begins (W51, W52)."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from sim.errors import ScenarioError
from sim.rulesets.overhill.rules.formation import standard_formation
from sim.scenario import from_dict
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


# Rooms and guards that the scenario gives.


def guards(heroes: Sequence[Any], **more: Any) -> list[str]:
    """Where everybody stands as the fight begins."""
    return ["front" if front else "rear" for front in stage(heroes, [("gobbo", 1)], **more).s.front[:, 0]]


@pytest.mark.rule("OU-S5", "OU-P2")
@pytest.mark.parametrize(("ratio", "capacity"), [(0, 0), (2, 10), ("1/1", 5), ("2/3", 3), ("1/4", 1)])
def test_a_room_of_ones_own_covers_what_its_ratio_says(ratio: int | str, capacity: int) -> None:
    party = stage(["warrior"], [("gobbo", 1)], room="wide", rear_ratio=ratio)

    assert party.s.rear_capacity(np.array([5], dtype=np.int16)).tolist() == [capacity]


@pytest.mark.rule("OU-S5", "OU-P3", "OU-E2")
@pytest.mark.parametrize(("front_max", "in_front"), [(1, 1), (3, 3), ("none", 4)])
def test_the_front_of_a_room_of_ones_own_is_as_wide_as_it_says(front_max: int | str, in_front: int) -> None:
    heroes = ["warrior"] * 4

    assert guards(heroes, room="narrow", front_max=front_max).count("front") == in_front


@pytest.mark.rule("OU-S6", "OU-P2")
def test_the_formation_is_made_around_the_heroes_whom_the_scenario_places() -> None:
    warrior, rogue = {"class": "warrior"}, {"class": "rogue"}

    assert guards([warrior, rogue, "priest", "magic_user"]) == ["front", "front", "front", "rear"]
    assert guards([warrior, rogue | {"guard": "rear"}, "priest", "magic_user"]) == ["front", "rear", "front", "front"]
    assert guards([warrior, rogue, "priest", {"class": "magic_user", "guard": "front"}]) == [
        "front", "rear", "front", "front",
    ]  # fmt: skip
    assert guards([warrior | {"guard": "rear"}, rogue, "priest"]) == ["rear", "front", "front"]


@pytest.mark.rule("OU-P3")
def test_heroes_who_are_placed_in_front_stay_there_when_the_front_is_full() -> None:
    heroes = ["warrior", "warrior", {"class": "magic_user", "guard": "front"}]

    assert guards(heroes, room="narrow") == ["rear", "front", "front"]


@pytest.mark.rule("OU-S6")
def test_no_lot_moves_a_hero_whom_the_scenario_places() -> None:
    heroes = [{"class": "rogue", "guard": "rear"}, {"class": "priest", "guard": "front"}, "warrior", "magic_user"]

    party = stage(heroes, [("gobbo", 1)], runs=200, policy="random_legal", rear_ratio=1)

    assert party.s.front.mean(axis=1).tolist()[:2] == [0, 1]
    assert len(np.unique(party.s.front[2:], axis=1).T) > 1


@pytest.mark.rule("OU-S6", "OU-P2", "OU-P3")
@pytest.mark.parametrize(
    ("placed", "room", "said"),
    [
        ({0: "rear", 1: "rear"}, {}, "the front covers 1 in the rear, and warrior, rogue are placed there"),
        ({0: "rear"}, {"room": "open"}, "the front covers 0 in the rear, and warrior are placed there"),
        ({0: "front", 2: "front"}, {"front_max": 1}, "at most 1 may stand in front (front_max), and warrior, priest"),
    ],
)
def test_a_place_that_the_room_does_not_have_is_refused(
    placed: dict[int, str], room: dict[str, Any], said: str
) -> None:
    heroes = [{"class": name, "guard": placed.get(h, "policy")} for h, name in enumerate(STANDARD_PARTY)]

    with pytest.raises(ScenarioError) as refused:
        from_dict(table(heroes, [("gobbo", 1)], **room))

    assert said in str(refused.value)


@pytest.mark.rule("OU-P3")
def test_with_more_heroes_than_fit_in_front_the_rear_may_hold_more_than_is_covered() -> None:
    heroes = ["warrior", "warrior", {"class": "priest", "guard": "rear"}, {"class": "rogue", "guard": "rear"}]

    assert guards(heroes, front_max=1) == ["rear", "front", "rear", "rear"]


def test_a_fight_tells_where_everybody_stands_and_its_file_leaves_it_to_the_policy() -> None:
    fight = from_dict(table([*STANDARD_PARTY[:3], {"class": "magic_user", "guard": "front"}], [("gobbo", 1)]))

    assert [hero["guard"] for hero in fight.resolved()["heroes"]] == ["policy", "policy", "policy", "front"]
    assert [hero["guard"] for hero in fight.as_played()["heroes"]] == ["front", "rear", "front", "front"]
