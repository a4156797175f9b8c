"""Distance tables, made once per board; the round only indexes them.

Every table is (cells, cells) of int16, indexed [from, to]. What cannot be reached is FAR away: a number larger than any
distance, so that "nearer than" and "within n" need no extra case, and small enough that three of them can be added.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

FAR = 9_999

Coord: TypeAlias = tuple[int, int]
Table: TypeAlias = NDArray[np.int16]  # (cells, cells), indexed [from, to]


def steps_table(neighbours: Sequence[Sequence[int]]) -> Table:
    """Steps of the shortest chain of neighbours.

    >>> steps_table([[1], [0], []])         # two cells side by side and one cut off
    array([[   0,    1, 9999],
           [   1,    0, 9999],
           [9999, 9999,    0]], dtype=int16)
    """
    return cost_table(neighbours, np.ones(len(neighbours), dtype=np.int16))


def cost_table(neighbours: Sequence[Sequence[int]], enter: Sequence[int] | NDArray[np.integer]) -> Table:
    """The least sum of entry costs on the way from one cell to another: every cell after the first is paid for.

    `enter` has one cost of at least 1 per cell. The table is not symmetric: [a, b] pays for b and not for a.

    >>> cost_table([[1], [0, 2], [1]], enter=[1, 2, 1])     # . O .   the middle cell costs 2
    array([[0, 2, 3],
           [1, 0, 1],
           [3, 2, 0]], dtype=int16)
    """
    cells = len(neighbours)
    price = np.asarray(enter, dtype=np.int16)[:, None]  # (cells, 1)
    found = np.full((cells + 1, cells), FAR, dtype=np.int16)  # [to, from]; the last row is the neighbour that is none
    np.fill_diagonal(found, 0)
    sides = _sides(neighbours)
    changed = np.arange(cells)
    while changed.size:  # every pass tries one step more for all cells at once
        near = np.unique(sides[:, changed])
        near = near[near < cells]
        best = np.minimum.reduce([found[side[near]] for side in sides])
        best += price[near]
        shorter = best < found[near]
        changed = near[shorter.any(axis=1)]
        found[near] = np.minimum(best, found[near])
    return np.ascontiguousarray(found[:cells].T)


def _sides(neighbours: Sequence[Sequence[int]]) -> NDArray[np.int64]:
    """(most neighbours, cells). The first neighbour of every cell, the second and so on; past the last cell if none."""
    cells = len(neighbours)
    table = np.full((max([1, *map(len, neighbours)]), cells), cells, dtype=np.int64)
    for cell, others in enumerate(neighbours):
        table[: len(others), cell] = others
    return table


def _differences(coords: Sequence[Coord]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(cells, cells) each: how far apart two cells are along the two axes, with sign."""
    first = np.array([coord[0] for coord in coords], dtype=np.int64)
    second = np.array([coord[1] for coord in coords], dtype=np.int64)
    return first[None, :] - first[:, None], second[None, :] - second[:, None]


def manhattan(coords: Sequence[Coord]) -> Table:
    """|dx| + |dy|: a diagonal neighbour is 2 away. Walls do not matter.

    >>> manhattan([(0, 0), (1, 1)])[0, 1]
    np.int16(2)
    """
    dx, dy = _differences(coords)
    return (abs(dx) + abs(dy)).astype(np.int16)


def chebyshev(coords: Sequence[Coord]) -> Table:
    """max(|dx|, |dy|): a diagonal neighbour is 1 away. Walls do not matter.

    >>> chebyshev([(0, 0), (1, 1)])[0, 1]
    np.int16(1)
    """
    dx, dy = _differences(coords)
    return np.maximum(abs(dx), abs(dy)).astype(np.int16)


def axial(coords: Sequence[Coord]) -> Table:
    """(|dq| + |dr| + |dq + dr|) / 2 on hexes. Gaps in the map do not matter.

    >>> axial([(0, 0), (2, -1)])[0, 1]
    np.int16(2)
    """
    dq, dr = _differences(coords)
    return ((abs(dq) + abs(dr) + abs(dq + dr)) // 2).astype(np.int16)
