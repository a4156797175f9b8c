"""Maps, lines of sight, sight by tile."""

from __future__ import annotations

import pytest

from tests.oracle.second_era import SCENARIOS, prepare
from tests.oracle.second_era.board import MAPS, build_board
from tests.oracle.second_era.examples import HALF, ROCK, enemy_moves, unit, walker


@pytest.mark.rule("SE-G9")
def test_w25_lines_of_sight_on_the_same_board() -> None:
    board = build_board(ROCK, "line")

    def sees(a: tuple[int, int], b: tuple[int, int]) -> bool:
        return board.sees[board.number[a]][board.number[b]]

    assert not sees((-1, 0), (1, 0))
    assert sees((-1, 0), (1, -1))
    assert sees((-1, 0), (-1, 1))
    assert all(sees(a, b) == sees(b, a) for a in board.spots for b in board.spots)


@pytest.mark.rule("SE-G4", "SE-G8")
def test_w26_sight_ends_after_the_next_tile() -> None:
    party, hunter = [unit(5, -2, 1)], walker(8, -3, range=12)

    by_tile = enemy_moves(party, [hunter], "dungeon")
    everywhere = enemy_moves(party, [hunter], "dungeon", switches={"sight_rule": "none"})

    assert by_tile == {((7, -3), (0,)): HALF, ((7, -2), (0,)): HALF}
    assert everywhere == {((8, -3), (0,)): 1}


@pytest.mark.rule("SE-G1", "SE-G2")
def test_maps_have_the_hexes_of_the_table() -> None:
    assert {name: len(build_board(name, "tile").spots) for name in MAPS} == {
        "pair": 2, "tile19": 19, "clash": 44, "dungeon": 60,
    }  # fmt: skip
    assert prepare({**SCENARIOS["se_duel"], "level": "part2"}).heroes[0].health == 8
