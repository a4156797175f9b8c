"""Random boards and random batches for the property tests, and the plain loops that they are compared with."""

from __future__ import annotations

from heapq import heappop, heappush

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from sim.core.board import FAR, Board, disk, hex_board, square_board, zone_board


@st.composite
def square_boards(draw: st.DrawFn, diagonals: str | None = None, most: int = 14) -> Board:
    """From 1 to 196 cells with holes, about half of them open boards with a few walls."""
    columns, rows = draw(st.integers(1, most)), draw(st.integers(1, most))
    seed, walls = draw(st.integers(0, 2**32)), draw(st.sampled_from([0.0, 0.1, 0.3, 0.6]))
    rng = np.random.default_rng(seed)
    letters = np.where(rng.random((rows, columns)) < walls, "#", ".")
    letters[rng.integers(rows), rng.integers(columns)] = "."
    text = "\n".join("".join(row) for row in letters)
    return square_board(text, diagonals=diagonals or draw(st.sampled_from(["no", "any", "both"])))


@st.composite
def hex_boards(draw: st.DrawFn, most_tiles: int = 4) -> Board:
    """A chain of disks with impassable hexes."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    tiles: dict[str, list[tuple[int, int]]] = {}
    taken: set[tuple[int, int]] = set()
    for number in range(draw(st.integers(1, most_tiles))):
        q, r, radius = int(rng.integers(-6, 7)), int(rng.integers(-6, 7)), int(rng.integers(0, 4))
        tiles[f"T{number}"] = [place for place in disk((q, r), radius) if place not in taken]
        taken |= set(tiles[f"T{number}"])
    places = sorted(taken)
    holes = [place for place in places[1:] if rng.random() < 0.15]
    return hex_board(tiles, holes)


@st.composite
def zone_boards(draw: st.DrawFn) -> Board:
    """Places with random links: no geometry that a layout could use."""
    names = [f"z{number}" for number in range(draw(st.integers(1, 70)))]
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    links = [(names[a], names[b]) for a, b in rng.integers(0, len(names), (len(names), 2))]
    return zone_board(names, links)


def any_board() -> st.SearchStrategy[Board]:
    return st.one_of(square_boards(), hex_boards(), zone_boards())


@st.composite
def batches(draw: st.DrawFn, most_lanes: int = 9) -> tuple[np.random.Generator, int]:
    """A generator and a number of lanes."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    return rng, draw(st.integers(1, most_lanes))


def some_cells(board: Board, rng: np.random.Generator, lanes: int, share: float = 0.3) -> NDArray[np.bool_]:
    """(cells, lanes). A random set of cells in every lane."""
    return rng.random((len(board), lanes)) < share


def plain_reach(
    board: Board,
    start: int,
    steps: int | None,
    blocked: NDArray[np.bool_],
    stop: NDArray[np.bool_],
    enter: list[int],
) -> list[int]:
    """Dijkstra for one lane, as a designer would write it."""
    cost = [FAR] * len(board)
    if start < 0:
        return cost
    cost[start] = 0
    waiting = [(0, start)]
    while waiting:
        paid, cell = heappop(waiting)
        if paid > cost[cell] or (stop[cell] and cell != start):
            continue
        for other in board.neighbours[cell]:
            total = paid + enter[other]
            if blocked[other] or (steps is not None and total > steps) or total >= cost[other]:
                continue
            cost[other] = total
            heappush(waiting, (total, other))
    return cost
