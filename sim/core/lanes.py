"""One dialect for all games: how a rule speaks of some lanes of a batch.

A lane is the position of a run in its batch. The caller decides which lanes a rule is about; the rule looks up what it
needs for them, works it out, and writes it back:

    at = which(mask)                      the lanes where a mask holds
    enemy, lane = pairs(mask)             the rows and lanes where a mask of several rows holds: for each(...), put(...)
    keep(at, mask)                        those of some values, lanes for instance, for which a mask holds
    anyone(mask)                          where a mask of several rows holds in any of them; rows_of(mask) which rows
    cut(s.hp[hero], at)                   this unit's value in these lanes; cut(s.hp, at) that of every unit
    each(s.hp, target, at)                the value of one unit per lane: its target's
    put(s.hp, target, at, value)          written back, one unit per lane; add(...) adds to what is there
    each(s.track, (hero, place), at)      the same in a table with more than one axis before the lanes
    place = spots(s.hp, target, at)       where these values lie: instead of the target in `each`, `put` and `add`, for
                                          all tables of that shape, so that it is worked out once
    per_lane(hero, at)                    one unit per lane, also where it is the same in all of them
    s.hp[hero][at] = value                written back, the same unit in all lanes
    either(swift, quick, vigor)           one of two small numbers, by a mask
    nobody_where(gone, s.target)          the numbers, and -1 where a mask holds
    lookup(facts.damage, kind, total)     one entry per lane of a table that is the same for all runs
    columns(ground.beside, cell)          one column per lane of such a table: a set of cells, say
    columns(facts.cover, kind, cell)      the same with two axes to choose from
    s.vigor = written(s.vigor)            before a `still` table is written to for the first time

A table that is `still` holds the same in all runs and nobody has written to it yet: one column stands for all of them,
so that it takes no room and costs nothing to cut. All words above know what to do with it.

Plain fancy indexing says the same and takes two to five times as long, which is why these words exist. Nothing else in
the house calls `take` or flattens a table by hand.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

Mask: TypeAlias = NDArray[np.bool_]
Lanes: TypeAlias = NDArray[np.int64]  # positions in the batch, in order, each once unless somebody says otherwise
Whole: TypeAlias = NDArray[np.int64]
Wide: TypeAlias = NDArray[np.int32]
Small: TypeAlias = NDArray[np.int16]
Tiny: TypeAlias = NDArray[np.int8]
Row: TypeAlias = "int | NDArray[np.integer] | Mask"  # the same row in all lanes, or one per lane; no is 0, yes is 1
Rows: TypeAlias = "Row | tuple[Row, ...] | Spots"  # one for each axis before the lanes

N = TypeVar("N", bound=np.generic)

SMALL = 32_767  # the largest Small number
MANY = 1_024  # lanes from which on it pays to ask first whether a mask holds in all of them


@dataclass(slots=True)
class Spots:
    """Where one row per lane lies in every flat table of one shape; cut with the lanes like any state."""

    places: Whole  # (lanes,)
    runs: int  # the last axis of the tables
    row: Rows  # the rows themselves, which are all that a still table needs


def which(mask: Mask) -> Lanes:
    """The positions at which the mask holds, in order, each once."""
    if len(mask) > MANY and np.count_nonzero(mask) == len(mask):  # to count is much quicker than to find
        return np.arange(len(mask))
    return mask.nonzero()[0]


def pairs(mask: Mask) -> tuple[Whole, Lanes]:
    """The row and the lane of every place at which a (rows, lanes) mask holds, row by row.

    Lanes that stand in several rows repeat, so look other things up with `columns`.
    """
    place = mask.reshape(-1).nonzero()[0]
    row = place // mask.shape[1]
    return row, place - row * mask.shape[1]


def keep(values: NDArray[N], mask: Mask) -> NDArray[N]:
    """`values[mask]`."""
    if len(mask) > MANY and np.count_nonzero(mask) == len(mask):
        return values.copy()
    return values.take(mask.nonzero()[0])


def anyone(mask: Mask) -> Mask:
    """(lanes,). `mask.any(axis=0)`: where a (rows, lanes) mask holds in any row."""
    return np.asarray(mask.any(axis=0))


def rows_of(mask: Mask) -> Whole:
    """The rows of a (rows, lanes) mask that hold in any lane, in order: the units that a rule has to look at."""
    return np.asarray(mask.any(axis=1)).nonzero()[0]


def still(column: NDArray[N], runs: int) -> NDArray[N]:
    """A table that holds this column in all of so many runs, without room of its own: see `written`."""
    return np.broadcast_to(column[..., None], (*column.shape, runs))


def is_still(table: NDArray[Any]) -> bool:
    """Whether nobody has written to a table that began `still`."""
    return not table.flags.writeable and table.strides[-1] == 0


def written(table: NDArray[N]) -> NDArray[N]:
    """The table with room of its own, so that it can be written to: itself unless it is still."""
    return table if table.flags.writeable else table.copy()


def cut(table: NDArray[N], at: Lanes) -> NDArray[N]:
    """`table[..., at]`: all rows for these lanes. Only to read from: for all lanes it is the table itself.

    The lanes must not repeat; `columns` is for those that may.
    """
    if len(at) == table.shape[-1]:
        return table
    return table[..., : len(at)] if is_still(table) else table.take(at, axis=-1)


def columns(table: NDArray[N], *index: NDArray[np.integer]) -> NDArray[N]:
    """`table[..., index]`: one column per entry of the index, which may repeat.

    With several, one for each of the last axes: `table[..., index, further]`.
    """
    if len(index) == 1:
        return table.take(index[0], axis=-1)
    kept = table.ndim - len(index)
    place: NDArray[np.integer] = index[0]
    for size, further in zip(table.shape[kept + 1 :], index[1:], strict=True):
        place = np.multiply(place, size, dtype=np.int64) + further
    return table.reshape(*table.shape[:kept], -1).take(place, axis=-1)


def per_lane(row: Row, at: Lanes) -> Whole:
    """(lanes,). One row per lane, also where it is the same in all of them."""
    if isinstance(row, (int, np.integer)):
        return np.full(len(at), row, dtype=np.int64)
    return row.astype(np.int64, copy=False)


def each(table: NDArray[N], row: Rows, at: Lanes) -> NDArray[N]:
    """(lanes,). `table[row, at]`: one row per lane.

    A table with more axes takes a row for each: `each(s.track, (hero, place), at)`. A last row of shape (places, 1)
    gives (places, lanes).
    """
    if isinstance(row, int):
        return table[row].take(at)
    if len(at) and table.strides[-1] == 0 and table.ndim == 2:
        rows = row.row if isinstance(row, Spots) else row
        if isinstance(rows, np.ndarray) and rows.shape == at.shape:
            return table[:, 0].take(rows)
    return table.reshape(-1).take(_places(table, row, at))


def spots(table: NDArray[Any], row: Rows, at: Lanes) -> Spots:
    """Where one row per lane lies, for several words about tables of this shape."""
    return Spots(_places(table, row, at), table.shape[-1], row)


def put(table: NDArray[N], row: Rows, at: Lanes, value: Any) -> None:
    """`table[row, at] = value`: one row per lane; the table must be contiguous, as State arrays are."""
    if isinstance(row, int):
        table[row][at] = value
    else:
        _flat(table)[_places(table, row, at)] = value


def add(table: NDArray[N], row: Rows, at: Lanes, value: Any) -> None:
    """`table[row, at] += value`: one row per lane, so that no place is named twice."""
    flat: NDArray[Any] = table[row] if isinstance(row, int) else _flat(table)
    places = at if isinstance(row, int) else _places(table, row, at)
    # Two thirds of the time of `flat[places] += value`, but only with values of the table's own kind.
    np.add.at(flat, places, np.asarray(value).astype(flat.dtype, copy=False))


def either(mask: Mask, yes: int | NDArray[np.integer], no: int | NDArray[np.integer]) -> Small:
    """(lanes,). `np.where(mask, yes, no)` for small numbers, a tenth of the time where the mask is mixed."""
    none = np.asarray(no, dtype=np.int16)
    return none + mask * (np.asarray(yes, dtype=np.int16) - none)


def nobody_where(mask: Mask, numbers: NDArray[N]) -> NDArray[N]:
    """`np.where(mask, -1, numbers)` for signed numbers of any kind, likewise: -1 is the number with all bits set."""
    all_bits: NDArray[Any] = np.negative(mask.view(np.int8))
    return numbers | all_bits


def lookup(table: NDArray[N], *index: Row) -> NDArray[N]:
    """`table[index]` with one number, or one array of numbers, per axis: an entry of the table per lane.

    An index must not be -1: it would find the last entry. The arrays may have more than one axis, as in
    `lookup(ground.range, cut(s.cell, at), goal)`: (units, lanes), the range of every unit from one cell per lane.
    """
    place: Any = index[-1]
    if len(index) == table.ndim == 1:
        return table.take(place)
    for number, step in zip(index[:-1], _steps(table.shape), strict=True):
        if type(number) is not int:
            place = number * step + place
        elif number:
            place = place + number * step
    return table.reshape(-1).take(place)


@lru_cache(maxsize=1 << 10)
def _steps(shape: tuple[int, ...]) -> tuple[NDArray[np.integer], ...]:
    """How far apart the entries of every axis but the last lie in the flat table.

    Numbers of the smallest kind that holds every place: with them the indices become such numbers too, and small ones
    are several times as fast as wide ones. Arrays without an axis, since NumPy takes twice as long to multiply by a
    number of its own or of Python's.
    """
    kind = np.int16 if math.prod(shape) <= SMALL else np.int64
    return tuple(np.array(math.prod(shape[axis:]), dtype=kind) for axis in range(1, len(shape)))


def anywhere(at: Lanes, size: int) -> Lanes | slice:
    """The lanes to write to: all of a batch of this size are a slice, which is quicker than naming each."""
    return slice(None) if len(at) == size else at


def _flat(table: NDArray[N]) -> NDArray[N]:
    """The table as one row to write to. Of a still one that would be a copy, and what is written would be lost."""
    if not table.flags.writeable:
        raise ValueError("a table that is still has no room to write to; `table = written(table)` gives it some")
    return table.reshape(-1)


def _places(table: NDArray[N], row: Rows, at: Lanes) -> Whole:
    """Where one row per lane lies in the flat table; rows of any kind of number, since small ones would overflow."""
    if isinstance(row, Spots):
        if row.runs != table.shape[-1]:
            raise ValueError(f"spots in tables of {row.runs} runs were asked for in one of {table.shape[-1]}")
        return row.places
    if isinstance(row, tuple):
        first, *others = row
        for size, further in zip(table.shape[1:-1], others, strict=True):
            first = np.multiply(first, size, dtype=np.int64) + further
        row = first
    places: Whole = np.asarray(row * _wide(table.shape[-1]))
    if places.shape[-1:] == at.shape:
        places += at
        return places
    return places + at


@lru_cache(maxsize=1 << 10)
def _wide(number: int) -> Whole:
    """A number as an array without an axis, of a kind that does not overflow."""
    return np.array(number, dtype=np.int64)
