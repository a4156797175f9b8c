"""Zones behave like a small board without geometry."""

from __future__ import annotations

import numpy as np
import pytest

from sim.core.board import FAR, zone_board
from sim.errors import ScenarioError


def test_zones_are_found_by_name_and_linked_both_ways() -> None:
    board = zone_board(["front", "middle", "rear"], links=[("front", "middle"), ("rear", "middle")])

    assert board.find("rear") == 2
    assert board.names == ("front", "middle", "rear")
    assert board.steps.tolist() == [[0, 1, 2], [1, 0, 1], [2, 1, 0]]


def test_zones_without_links_are_far_apart() -> None:
    board = zone_board(["front", "rear"])

    assert board.steps[0, 1] == FAR
    assert board.bits.count(board.reach(np.array([0, 1])).all).tolist() == [1, 1]


def test_sets_of_zones_work_as_on_any_board() -> None:
    board = zone_board(["front", "rear"], links=[("front", "rear")])

    sets = board.bits.union(np.array([[0, 1], [0, 0]]))

    assert board.bits.cells(sets).tolist() == [[True, True], [False, True]]


def test_every_problem_is_told() -> None:
    with pytest.raises(ScenarioError) as error:
        zone_board(["front", "rear", "rear"], links=[("front", "reer")], key="room.zones")

    assert str(error.value).splitlines() == [
        "room.zones: zone 'rear' is listed twice; give every zone its own name",
        "room.zones: link to an unknown zone 'reer'; did you mean 'rear'?",
    ]
    with pytest.raises(ScenarioError, match="expected at least one zone"):
        zone_board([])


def test_an_unknown_zone_is_named() -> None:
    assert zone_board(["front", "rear"]).problem_with("reer") == (
        "expected a cell of the board (front, rear), found 'reer'; did you mean 'rear'?"
    )
