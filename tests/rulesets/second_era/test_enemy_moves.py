"""How enemies move: worked examples of destinations, routes and the fallback."""

from __future__ import annotations

import pytest

from sim.rulesets.second_era.rules.enemy_moves import steps_of
from tests.rulesets.second_era.table import (
    battle,
    begin,
    cell,
    everybody,
    first_enemy,
    foe,
    hero,
    lone,
    moved,
    near,
    places,
    turn,
    victims,
)

CORRIDOR = {"tiles": [{"name": "A", "hexes": [[q, 0] for q in range(6)]}]}
WALLED = {"tiles": [{"name": "A", "disks": [[0, 0, 2]]}], "impassable": [[0, 0]]}


@pytest.mark.rule("SE-M1", "SE-E5", "SE-E7", "SE-E8", "SE-T6")
def test_w17_an_enemy_with_a_target_stays_though_another_is_stronger() -> None:
    s = begin(battle([hero((1, 0), 2), hero((-2, 2), 6)], [foe((0, 0), combat=9)]))

    turn(s)

    assert places(s, s.party) == {(0, 0): 1.0}
    assert victims(s) == [True, False]


@pytest.mark.rule("SE-M2", "SE-M3", "SE-M4", "SE-T4")
@pytest.mark.parametrize(("priority", "goals"), [("strongest", {(-1, 1), (0, 0)}), ("weakest", {(0, -2), (0, -1)})])
def test_w18_priority_picks_among_the_closest_hexes(priority: str, goals: set[tuple[int, int]]) -> None:
    s = begin(battle([hero((1, -2), 3), hero((0, 1), 5)], [foe((-2, 0), priority=priority)]))

    shares = moved(s)

    assert set(shares) == goals
    assert all(near(share, 0.5) for share in shares.values())


@pytest.mark.rule("SE-M5", "SE-M12", "SE-E4")
def test_w19_distance_beats_priority() -> None:
    s = begin(battle([hero((0, 0), 1), hero((2, 0), 6)], [foe((-2, 0), combat=9)]))

    turn(s)

    assert places(s, s.party) == {(-1, 0): 1.0}
    assert victims(s) == [True, False]


@pytest.mark.rule("SE-M7")
def test_w20_it_stops_at_the_destination_with_steps_left() -> None:
    s = begin(battle([hero((1, 0), 4), hero((1, 1), 5)], [foe((-2, 0), range=2, targets=2, combat=9)]))

    turn(s)

    assert places(s, s.party) == {(-1, 0): 1.0}
    assert victims(s) == [True, False]


@pytest.mark.rule("SE-M6", "SE-M8", "SE-G7")
def test_w21_a_partial_move_along_random_shortest_routes() -> None:
    s = begin(battle([hero((-4, 1))], [foe((3, 0))], "clash"))

    shares = moved(s)

    assert set(shares) == {(1, 0), (1, 1)}
    assert near(shares[1, 0], 5 / 8)


@pytest.mark.rule("SE-M9", "SE-M10", "SE-G5", "SE-T5")
def test_w22_a_blocked_corridor() -> None:
    s = begin(battle([hero((1, 0))], [foe((5, 0)), foe((3, 0))], CORRIDOR), 8)

    assert moved(s) == {(4, 0): 1.0}
    assert moved(s) == {(4, 0): 1.0}


@pytest.mark.rule("SE-F6", "SE-T2", "SE-R10", "SE-E3")
def test_w23_stealth_hides_from_whoever_was_not_adjacent() -> None:
    s = begin(battle([hero((-1, 0), 4, track=["Stealth"])], [foe((2, 0), combat=9)]), 8)

    turn(s)
    assert places(s, s.party) == {(0, 0): 1.0}
    assert victims(s) == [False]

    turn(s)
    assert places(s, s.party) == {(0, 0): 1.0}
    assert victims(s) == [True]


@pytest.mark.rule("SE-K25")
def test_detection_ignores_stealth() -> None:
    s = begin(battle([hero((-1, 0), 4, track=["Stealth"])], [foe((1, 0), combat=9, skills=["Detection"])]), 8)

    turn(s)

    assert victims(s) == [True]


@pytest.mark.rule("SE-F6", "SE-M2")
def test_w24_a_hidden_unit_is_no_goal() -> None:
    s = begin(battle([hero((0, 0), 6, track=["Stealth"]), hero((-2, 2), 2)], [foe((2, 0))]))

    shares = moved(s)

    assert set(shares) == {(0, 1), (0, 2)}
    assert near(shares[0, 1], 7 / 8)


@pytest.mark.rule("SE-G6")
def test_w25_range_goes_round_obstacles() -> None:
    s = begin(battle([hero((1, 0))], [foe((-1, 0), range=2)], WALLED))

    shares = moved(s)

    assert set(shares) == {(-1, 1), (0, -1)}
    assert near(shares[0, -1], 0.5)


@pytest.mark.rule("SE-G8")
def test_w26_sight_by_tile() -> None:
    s = begin(battle([hero((-2, 1))], [foe((8, -3), range=12, combat=9)], "dungeon"))

    turn(s)

    assert set(places(s, s.party)) == {(7, -3), (7, -2)}
    assert victims(s) == [True]


@pytest.mark.rule("SE-G5", "SE-G7")
def test_w27_friends_block() -> None:
    enemies = [foe((-2, 0), priority="weakest", combat=9), foe((-1, 0)), foe((0, -1))]
    s = begin(battle([hero((0, 0), 2), hero((1, 0), 5)], enemies), 64)

    turn(s)

    assert places(s, s.party) == {(-1, 1): 1.0}
    assert victims(s) == [True, False]


@pytest.mark.rule("SE-M10")
def test_w28_surrounded() -> None:
    s = begin(battle([hero((-2, 2))], [foe((2, -2)), foe((1, -2)), foe((1, -1)), foe((2, -1))]), 8)

    assert moved(s) == {(2, -2): 1.0}


@pytest.mark.rule("SE-M11")
def test_planned_goes_round_where_greedy_is_stuck() -> None:
    ring = {"tiles": [{"name": "A", "disks": [[0, 0, 2]]}], "impassable": [[0, 0], [0, -1], [1, -1], [1, 0], [0, 1]]}
    heroes = [hero((-1, 0), 4, track=["Stealth"])]
    greedy = begin(battle(heroes, [foe((2, 0))], ring), 64)
    planned = begin(battle(heroes, [foe((2, 0))], ring, switches={"fallback_move": "planned"}), 64)
    goal = greedy.facts.ground.range

    ends = []
    for s in (greedy, planned):
        for _ in range(6):
            moved(s)
        ends.append(goal[s.cell[s.party], cell(s, (-1, 0))].max())

    assert ends[1] == 1  # the planner arrives beside the hidden adventurer
    assert ends[0] >= ends[1]


@pytest.mark.rule("SE-M3")
@pytest.mark.parametrize("rule", ["priority_near", "nearest_unit", "most_targets"])
def test_other_ways_to_break_ties_still_end_next_to_somebody(rule: str) -> None:
    heroes = [hero((1, -2), 3), hero((0, 1), 5)]
    s = begin(battle(heroes, [foe((-2, 0))], switches={"dest_tiebreak": rule}), 400)

    shares = moved(s)

    assert set(shares) <= {(-1, 1), (0, 0), (0, -2), (0, -1), (-1, 0)}
    if rule == "most_targets":
        assert set(shares) == {(-1, 1), (0, 0)}


@pytest.mark.rule("SE-K19", "SE-R1")
@pytest.mark.parametrize(("round_number", "steps"), [(1, 1), (4, 4), (6, 6), (9, 6)])
def test_swift_walks_as_far_as_the_round_counter(round_number: int, steps: int) -> None:
    s = lone({"skills": ["Swift"]})
    s.round = round_number

    assert (steps_of(s, first_enemy(s), everybody(s), 2) == steps).all()
