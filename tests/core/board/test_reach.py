"""The flood fill against a plain search, one lane at a time."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from sim.core.board import (
    FAR,
    Bits,
    Board,
    disk,
    hex_board,
    open_map,
    square_board,
    tile_sight,
)
from tests.core.board.boards import any_board, batches, plain_reach, some_cells

Batch = tuple[np.random.Generator, int]
Coord = tuple[int, int]


@settings(max_examples=120, deadline=None)
@given(any_board(), batches(), st.sampled_from(["all", "scalar", "lanes"]), st.booleans(), st.booleans())
def test_a_fill_agrees_with_a_plain_search(board: Board, batch: Batch, how_far: str, priced: bool, stops: bool) -> None:
    rng, lanes = batch
    start = rng.integers(-1, len(board), lanes)
    blocked, stop = some_cells(board, rng, lanes, 0.2), some_cells(board, rng, lanes, 0.3 if stops else 0.0)
    enter = rng.integers(1, 4, len(board)) if priced else np.ones(len(board), dtype=np.int64)
    limit = rng.integers(0, 9, lanes) if how_far == "lanes" else np.full(lanes, 4)
    steps = {"all": None, "scalar": 4, "lanes": limit}[how_far]

    distance = board.reach(
        start,
        steps,
        blocked=board.bits.pack(blocked),
        stop=board.bits.pack(stop) if stops else None,
        enter=enter if priced else None,
    ).distance()

    for lane in range(lanes):
        most = None if how_far == "all" else int(limit[lane])
        expected = plain_reach(board, int(start[lane]), most, blocked[:, lane], stop[:, lane], enter.tolist())
        assert distance[:, lane].tolist() == expected


@settings(max_examples=60, deadline=None)
@given(any_board(), batches())
def test_what_a_fill_tells_agrees_with_its_distances(board: Board, batch: Batch) -> None:
    rng, lanes = batch
    start, cell = rng.integers(0, len(board), (2, lanes))
    candidates = some_cells(board, rng, lanes)
    fill = board.reach(start, 5, blocked=board.bits.pack(some_cells(board, rng, lanes, 0.2)))

    distance = fill.distance()
    nearest, least = fill.nearest(board.bits.pack(candidates))
    farthest, most = fill.farthest(board.bits.pack(candidates))

    found = candidates & (distance < FAR)
    assert (least == np.where(found, distance, FAR).min(axis=0)).all()
    assert (most == np.where(found.any(axis=0), np.where(found, distance, -1).max(axis=0), FAR)).all()
    assert (board.bits.cells(nearest) == (found & (distance == least))).all()
    assert (board.bits.cells(farthest) == (found & (distance == most))).all()
    assert (fill.cost(cell) == distance[cell, np.arange(lanes)]).all()
    assert (board.bits.cells(fill.all) == (distance < FAR)).all()
    assert (board.bits.cells(fill.within(2)) == (distance <= 2)).all()


@settings(max_examples=80, deadline=None)
@given(any_board(), batches(), st.booleans())
def test_back_leads_along_cheapest_ways(board: Board, batch: Batch, priced: bool) -> None:
    rng, lanes = batch
    start, cell = rng.integers(0, len(board), (2, lanes))
    stop = some_cells(board, rng, lanes, 0.2)
    enter = rng.integers(1, 4, len(board)) if priced else np.ones(len(board), dtype=np.int64)
    fill = board.reach(start, stop=board.bits.pack(stop), enter=enter)

    back = board.bits.cells(fill.back(cell))

    distance = fill.distance()
    for lane in range(lanes):
        goal, arrived = int(cell[lane]), int(distance[cell[lane], lane])
        expected = {
            other
            for other in board.neighbours[goal]
            if 0 < arrived < FAR
            and distance[other, lane] + enter[goal] == arrived
            and (not stop[other, lane] or other == start[lane])
        }
        assert set(np.flatnonzero(back[:, lane])) == expected


@settings(max_examples=30, deadline=None)
@given(any_board(), batches())
def test_a_fill_from_several_starts_is_the_nearest_of_them(board: Board, batch: Batch) -> None:
    rng, lanes = batch
    starts = rng.integers(0, len(board), (3, lanes))

    together = board.reach(board.bits.union(starts)).distance()

    alone = [board.reach(start).distance() for start in starts]
    assert (together == np.minimum.reduce(alone)).all()


@settings(max_examples=30, deadline=None)
@given(any_board(), batches())
def test_a_lane_fills_alike_alone_and_in_a_batch(board: Board, batch: Batch) -> None:
    rng, lanes = batch
    start = rng.integers(0, len(board), lanes)
    blocked = board.bits.pack(some_cells(board, rng, lanes))
    lane = int(rng.integers(lanes))

    together = board.reach(start, 5, blocked=blocked).distance()
    alone = board.reach(start[lane : lane + 1], 5, blocked=blocked[:, lane : lane + 1]).distance()

    assert (together[:, lane] == alone[:, 0]).all()


@settings(max_examples=30, deadline=None)
@given(any_board(), batches())
def test_a_fill_can_be_cut_to_some_of_its_lanes(board: Board, batch: Batch) -> None:
    rng, lanes = batch
    start = rng.integers(0, len(board), lanes)
    cell = rng.integers(0, len(board), lanes)
    stop = board.bits.pack(some_cells(board, rng, lanes))
    some = np.flatnonzero(rng.random(lanes) < 0.5)

    fill = board.reach(start, stop=stop)
    part = fill.only(some)

    assert (part.distance() == fill.distance()[:, some]).all()
    assert (part.back(cell[some]) == fill.back(cell)[:, some]).all()


def test_a_fill_leaves_what_it_was_given_unchanged() -> None:
    board = square_board(open_map(3, 3))
    start = board.bits.at(np.array([4, 0]))
    blocked = board.bits.at(np.array([1, 1]))
    before = start.copy(), blocked.copy()

    board.reach(start, 3, blocked=blocked, stop=blocked)

    assert (start == before[0]).all()
    assert (blocked == before[1]).all()


def test_the_picture_of_the_module_holds() -> None:
    board = square_board(open_map(3, 3))
    centre, below = np.array([4]), np.array([6])

    fill = board.reach(np.array([3]), 2, blocked=board.bits.at(centre), stop=board.bits.at(below))

    assert fill.distance()[:, 0].tolist() == [1, 2, FAR, 0, FAR, FAR, 1, FAR, FAR]


def test_entering_is_never_free() -> None:
    with pytest.raises(ValueError, match="entry costs must be 1 or more, found 0"):
        square_board("...").reach(np.array([0]), 2, enter=[1, 0, 1])


def test_a_batch_without_lanes_fills_nothing() -> None:
    board = square_board(open_map(3, 3))
    nobody = np.zeros(0, dtype=np.int64)

    assert board.reach(nobody, nobody).distance().shape == (9, 0)


def test_a_unit_does_not_block_itself_and_leaves_a_stop_cell_that_it_starts_on() -> None:
    board = square_board("...")
    start = np.array([1])
    own = board.bits.at(start)

    assert board.reach(start, 1, blocked=own, stop=own).distance()[:, 0].tolist() == [1, 0, 1]


# -- boards from the rulebooks' worked examples ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("start", "points", "expected"),
    [
        ((1, 0), 2, {(0, 0), (1, 0), (2, 0), (0, 1)}),
        ((1, 0), 3, {(0, 0), (1, 0), (2, 0), (3, 0), (0, 1), (0, 2)}),
        ((0, 0), 2, {(0, 0), (1, 0), (0, 1), (0, 2)}),  # one point left is not enough to enter
    ],
)
def test_an_obstructed_spot_needs_two_points(
    start: tuple[int, int], points: int, expected: set[tuple[int, int]]
) -> None:
    board = square_board("..O..\n.###.\n.....", {"O": "obstructed"})

    fill = board.reach(np.array([board.find(start)]), points, enter=np.where(board.has("obstructed"), 2, 1))

    assert {board.coords[cell] for cell in np.flatnonzero(fill.distance()[:, 0] < FAR)} == expected


def test_a_path_ends_on_a_stop_cell() -> None:
    board = square_board(".......")

    fill = board.reach(np.array([0]), 3, stop=board.bits.at(np.array([2])))

    assert fill.distance()[:, 0].tolist() == [0, 1, 2, FAR, FAR, FAR, FAR]


CORRIDOR = """
    . . .
    . . .
    # . #
    # . #
    # . #
    . . .
"""


@pytest.mark.parametrize(("diagonals", "beside_the_end"), [("any", {(2, 2)}), ("both", {(2, 2), (1, 1), (3, 1)})])
def test_walls_close_the_corners_of_a_corridor(diagonals: str, beside_the_end: set[tuple[int, int]]) -> None:
    board = square_board(CORRIDOR, diagonals=diagonals, rows_from="bottom", count_from=1)
    hero, mover = np.array([board.find((2, 1))]), np.array([board.find((2, 4))])

    fill = board.reach(mover, 6, blocked=board.bits.at(hero))

    ends = board.bits.cells(fill.all & board.bits.around(board.bits.at(hero)))[:, 0]
    assert {board.coords[cell] for cell in np.flatnonzero(ends)} == beside_the_end


@pytest.mark.parametrize(
    ("move", "ends"),
    [
        (2, {(3, 3), (4, 3), (5, 3)}),
        (3, {(3, 2), (5, 2)}),
        (4, {(3, 1), (4, 1), (5, 1)}),
        (6, {(3, 1), (4, 1), (5, 1)}),
    ],
)
def test_the_farthest_cell_beside_a_unit_is_behind_it(move: int, ends: set[tuple[int, int]]) -> None:
    board = square_board(open_map(7, 7), diagonals="any", rows_from="bottom", count_from=1)
    hero, mover = np.array([board.find((4, 2))]), np.array([board.find((4, 5))])
    fill = board.reach(mover, move, blocked=board.bits.at(hero))

    farthest, cost = fill.farthest(board.bits.around(board.bits.at(hero)))

    assert {board.coords[cell] for cell in np.flatnonzero(board.bits.cells(farthest)[:, 0])} == ends
    assert cost[0] == min(move, 4)


CLASH = {"F": disk((0, 0), 3), "E": disk((-5, 2), 1)}
DUNGEON = {"E": disk((-4, 2), 1), "T1": disk((0, 0), 2), "T2": disk((5, -2), 2), "T3": disk((10, -4), 2)}
DUNGEON_ROCKS = [(0, 0), (5, -3), (5, -1), (10, -4)]
TILE = {"A": disk((0, 0), 2)}
ROW = {"A": [(q, 0) for q in range(6)]}


def goals_of(
    board: Board,
    mover: Coord,
    targets: list[Coord],
    others: list[Coord],
    reach: int,
    sight: NDArray[np.bool_] | None = None,
) -> tuple[set[Coord], int]:
    """The nearest free cells from which a target is in reach, counted through whoever stands there, and how far."""
    covers = (board.steps <= reach) & (True if sight is None else sight)
    in_reach_of = board.bits.rows(covers)
    occupied = board.bits.fixed(board.find(place) for place in [mover, *targets, *others])
    candidates = board.bits.none()
    for target in targets:
        candidates |= in_reach_of[:, [board.find(target)]]
    fill = board.reach(np.array([board.find(mover)]), blocked=occupied)

    goals, cost = fill.nearest(candidates & ~occupied)

    return {board.coords[cell] for cell in np.flatnonzero(board.bits.cells(goals)[:, 0])}, int(cost[0])


@pytest.mark.parametrize(
    ("board", "mover", "targets", "others", "reach", "goals", "steps"),
    [
        pytest.param(
            hex_board(TILE), (-2, 0), [(1, -2), (0, 1)], [], 1, {(-1, 1), (0, 0), (0, -2), (0, -1)}, 2,
            id="four hexes are equally close",
        ),
        pytest.param(hex_board(TILE), (-2, 0), [(0, 0), (2, 0)], [], 1, {(-1, 0)}, 1, id="the nearer target decides"),
        pytest.param(hex_board(TILE), (-2, 0), [(1, 0), (1, 1)], [], 2, {(-1, 0)}, 1, id="the first shot is enough"),
        pytest.param(hex_board(CLASH), (3, 0), [(-4, 1)], [], 1, {(-3, 0), (-3, 1)}, 6, id="far away"),
        pytest.param(hex_board(ROW), (5, 0), [(1, 0)], [(3, 0)], 1, set(), FAR, id="a friend blocks the corridor"),
        pytest.param(
            hex_board(TILE), (2, 0), [(-2, 2)], [(0, 0)], 1, {(-1, 1), (-1, 2)}, 3, id="a hidden unit only blocks"
        ),
        pytest.param(
            hex_board(TILE, [(0, 0)]), (-1, 0), [(1, 0)], [], 2, {(-1, 1), (0, -1)}, 1, id="reach goes round a rock"
        ),
        pytest.param(
            hex_board(TILE), (-2, 0), [(0, 0), (1, 0)], [(-1, 0), (0, -1)], 1, {(-1, 1)}, 2, id="friends in the way"
        ),
        pytest.param(
            hex_board(TILE), (2, -2), [(-2, 0)], [(1, -2), (1, -1), (2, -1)], 1, set(), FAR, id="surrounded in a corner"
        ),
    ],
)  # fmt: skip
def test_the_nearest_hexes_that_give_a_shot(
    board: Board, mover: Coord, targets: list[Coord], others: list[Coord], reach: int, goals: set[Coord], steps: int
) -> None:
    assert goals_of(board, mover, targets, others, reach) == (goals, steps)


def test_the_nearest_hexes_on_a_tile_that_sees_the_target() -> None:
    board = hex_board(DUNGEON, DUNGEON_ROCKS)

    goals, steps = goals_of(board, (8, -3), [(-2, 1)], [], 12, tile_sight(board))

    assert goals == {(7, -3), (7, -2)}
    assert steps == 1


def walk(board: Board, mover: Coord, goal: Coord, steps: int, blocked: Bits, chance: float = 1.0) -> dict[Coord, float]:
    """Where a walk of so many steps ends if every next cell of a shortest route is equally likely."""
    if steps == 0 or mover == goal:
        return {mover: chance}
    fill = board.reach(np.array([board.find(goal)]), blocked=blocked)
    onward = np.flatnonzero(board.bits.cells(fill.back(np.array([board.find(mover)])))[:, 0])
    ends: dict[Coord, float] = {}
    for cell in onward:
        for end, part in walk(board, board.coords[cell], goal, steps - 1, blocked, chance / len(onward)).items():
            ends[end] = ends.get(end, 0) + part
    return ends


@pytest.mark.parametrize(
    ("tiles", "mover", "targets", "others", "expected"),
    [
        (CLASH, (3, 0), [(-4, 1)], [], {(1, 0): 5 / 8, (1, 1): 3 / 8}),
        (TILE, (2, 0), [(-2, 2)], [(0, 0)], {(0, 1): 7 / 8, (0, 2): 1 / 8}),
    ],
)
def test_a_partial_walk_chooses_among_all_shortest_routes(
    tiles: dict[str, list[Coord]], mover: Coord, targets: list[Coord], others: list[Coord], expected: dict[Coord, float]
) -> None:
    board = hex_board(tiles)
    goals, _ = goals_of(board, mover, targets, others, 1)
    blocked = board.bits.fixed(board.find(place) for place in [*targets, *others])

    ends: dict[Coord, float] = {}
    for goal in goals:
        for end, chance in walk(board, mover, goal, 2, blocked).items():
            ends[end] = ends.get(end, 0) + chance / len(goals)

    assert ends == expected
