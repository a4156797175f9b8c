"""How enemies move."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from tests.oracle.second_era import prepare
from tests.oracle.second_era.board import build_board
from tests.oracle.second_era.creatures import enemy_turn
from tests.oracle.second_era.examples import (
    HALF,
    KNIGHT,
    ROCK,
    Faces,
    battle_of,
    enemy,
    enemy_moves,
    scenario,
    unit,
    walker,
)
from tests.oracle.second_era.play import enemy_order
from tests.oracle.second_era.state import Battle

CORRIDOR = {"tiles": [{"name": "A", "hexes": [[q, 0] for q in range(6)]}]}


@pytest.mark.rule("SE-M1")
def test_w17_an_enemy_with_somebody_in_range_stays() -> None:
    chances = enemy_moves([unit(2, 1, 0), unit(6, -2, 2)], [walker(0, 0, priority="strongest")])

    assert chances == {((0, 0), (0,)): 1}


@pytest.mark.rule("SE-M2", "SE-M3", "SE-M4")
def test_w18_priority_picks_among_the_closest_hexes() -> None:
    party = [unit(3, 1, -2), unit(5, 0, 1)]

    strongest = enemy_moves(party, [walker(-2, 0, priority="strongest")])
    weakest = enemy_moves(party, [walker(-2, 0, priority="weakest")])

    assert strongest == {((-1, 1), (1,)): HALF, ((0, 0), (1,)): HALF}
    assert weakest == {((0, -2), (0,)): HALF, ((0, -1), (0,)): HALF}


@pytest.mark.rule("SE-M2")
def test_w19_distance_beats_priority() -> None:
    chances = enemy_moves([unit(1, 0, 0), unit(6, 2, 0)], [walker(-2, 0, priority="strongest")])

    assert chances == {((-1, 0), (0,)): 1}


@pytest.mark.rule("SE-M5", "SE-M7", "SE-M12")
def test_w20_it_stops_at_its_destination_although_another_step_would_cover_two() -> None:
    chances = enemy_moves([unit(4, 1, 0), unit(5, 1, 1)], [walker(-2, 0, range=2, targets=2, priority="strongest")])

    assert chances == {((-1, 0), (0,)): 1}


@pytest.mark.rule("SE-M6", "SE-M8")
def test_w21_a_long_way_is_walked_in_part() -> None:
    chances = enemy_moves([unit(5, -4, 1)], [walker(3, 0)], "clash")

    assert chances == {((1, 0), ()): Fraction(5, 8), ((1, 1), ()): Fraction(3, 8)}


@pytest.mark.rule("SE-M9", "SE-M10", "SE-M11")
@pytest.mark.parametrize("fallback", ["greedy", "planned"])
def test_w22_a_blocked_corridor(fallback: str) -> None:
    ready = prepare(
        scenario([unit(5, 1, 0)], [walker(5, 0), enemy("ogre", 3, 0)], CORRIDOR, switches={"fallback_move": fallback})
    )
    battle = Battle(ready, Faces())
    places = []

    for _ in range(2):
        enemy_turn(battle, battle.enemies[0])
        places.append(battle.board.spots[battle.enemies[0].hex])

    assert places == [(4, 0), (4, 0)]
    assert not battle.heroes[0].has("Bane")


@pytest.mark.rule("SE-F6")
def test_w23_stealth_hides_until_the_next_turn() -> None:
    battle = battle_of([unit(4, -1, 0, track=["Stealth"])], [walker(2, 0)])
    hunter, hidden = battle.enemies[0], battle.heroes[0]

    enemy_turn(battle, hunter)
    assert (battle.board.spots[hunter.hex], hidden.has("Bane")) == ((0, 0), False)
    enemy_turn(battle, hunter)

    assert (battle.board.spots[hunter.hex], hidden.has("Bane")) == ((0, 0), True)


@pytest.mark.rule("SE-F6", "SE-M8")
def test_w24_a_hidden_unit_is_no_goal() -> None:
    chances = enemy_moves([unit(6, 0, 0, track=["Stealth"]), unit(2, -2, 2)], [walker(2, 0, priority="strongest")])

    assert chances == {((0, 1), ()): Fraction(7, 8), ((0, 2), ()): Fraction(1, 8)}


@pytest.mark.rule("SE-G3", "SE-G6")
def test_w25_range_goes_round_obstacles() -> None:
    chances = enemy_moves([unit(5, 1, 0)], [walker(-1, 0, range=2)], ROCK)

    assert chances == {((-1, 1), (0,)): HALF, ((0, -1), (0,)): HALF}


@pytest.mark.rule("SE-G5", "SE-G7")
def test_w27_friends_are_in_the_way() -> None:
    others = [enemy("ogre", -1, 0), enemy("ogre", 0, -1)]
    chances = enemy_moves([unit(2, 0, 0), unit(5, 1, 0)], [walker(-2, 0), *others])

    assert chances == {((-1, 1), (0,)): 1}


def test_w28_surrounded_in_a_corner() -> None:
    others = [enemy("ogre", q, r) for q, r in ((1, -2), (1, -1), (2, -1))]
    chances = enemy_moves([unit(5, 0, 0)], [walker(2, -2), *others])

    assert chances == {((2, -2), ()): 1}


@pytest.mark.rule("SE-K19", "SE-R1")
@pytest.mark.parametrize(("number", "start", "steps"), [(1, 6, 1), (4, 6, 4), (5, 5, 5), (9, "off", 5)])
def test_swift_walks_the_round_counter(number: int, start: Any, steps: int) -> None:
    board = {"tiles": [{"name": "A", "hexes": [[q, 0] for q in range(12)]}]}
    foe = walker(11, 0, skills=["Swift"])
    battle = battle_of([unit(5, 5, 0)], [foe], board, switches={"fatigue_from": start})
    battle.round = number

    enemy_turn(battle, battle.enemies[0])

    assert battle.board.spots[battle.enemies[0].hex] == (11 - steps, 0)


@pytest.mark.rule("SE-K25")
def test_detection_sees_the_hidden() -> None:
    chances = enemy_moves([unit(5, 0, 0, track=["Stealth"])], [walker(2, 0, skills=["Bane", "Detection"])])

    assert set(chances) == {((1, 0), (0,))}


@pytest.mark.rule("SE-M3")
def test_dest_tiebreak_priority_near_takes_the_nearest_of_the_wanted() -> None:
    party, hunter = [unit(5, 1, -2), unit(5, 0, 1)], walker(-2, 0, range=2, priority="strongest")
    plain = enemy_moves(party, [hunter])
    near = enemy_moves(party, [hunter], switches={"dest_tiebreak": "priority_near"})
    most = enemy_moves(party, [hunter], switches={"dest_tiebreak": "most_targets"})

    board = build_board("tile19", "tile")

    def closest(spot: tuple[int, int]) -> int:
        ranges = board.range[board.number[spot]]
        return min(ranges[board.number[goal]] for goal in ((1, -2), (0, 1)))

    assert set(near) <= set(plain)
    assert {closest(spot) for spot, _ in near} == {min(closest(spot) for spot, _ in plain)}
    assert set(most) <= set(plain)


def test_dest_tiebreak_nearest_unit_is_the_older_text() -> None:
    party, hunter = [unit(3, 1, -2), unit(5, 0, 1)], walker(-2, 0, priority="weakest")

    chances = enemy_moves(party, [hunter], switches={"dest_tiebreak": "nearest_unit"})

    # both are three hexes away: priority picks A, and two hexes at range 1 of A are two steps away
    assert chances == {((0, -2), (0,)): HALF, ((0, -1), (0,)): HALF}


@pytest.mark.parametrize(("steps", "place"), [(1, (1, 0)), (3, (-1, 0)), (4, (-1, 0))])
def test_enemy_move_sets_the_steps(steps: int, place: tuple[int, int]) -> None:
    row = {"tiles": [{"name": "A", "hexes": [[q, 0] for q in range(-2, 3)]}]}
    chances = enemy_moves([unit(5, -2, 0)], [walker(2, 0)], row, switches={"enemy_move": steps})

    assert {spot for spot, _ in chances} == {place}


def test_best_for_party_decides_without_luck() -> None:
    switches = {"party_choice": "best_for_party"}
    party = [unit(3, 1, -2), unit(5, 0, 1)]

    assert enemy_moves(party, [walker(-2, 0, priority="strongest")], switches=switches) == {((-1, 1), (1,)): 1}
    kinds = ("skeever", "draugr", "bandit_archer", "clannfear")
    battle = battle_of([{**KNIGHT}], [{"type": kind} for kind in kinds], "clash", switches=switches)
    assert [one.number for one in enemy_order(battle)] == [2, 1, 3, 0]
