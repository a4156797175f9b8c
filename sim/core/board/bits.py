"""Sets of cells for a whole batch of runs: bitboards.

A set of cells is an array of shape (words, lanes) of uint64: one bit per cell and lane, in as few words as the board
allows (one for most boards up to 64 cells). Sets are joined and cut with `|`, `&` and `& ~`. A set that is the same in
all lanes has the shape (words, 1) and mixes with the others.

A layout gives every cell a bit. On a square board read row by row the step to the right is then a shift by 1 and the
step down a shift by the width:

    0 1 2 3        right: bit + 1        the last cell of a row has no right neighbour: a mask leaves it out,
    4 5 6 7        down:  bit + 4        as it leaves out every step that a wall or a closed corner forbids
    8 9 . .

In general a step from one cell to another moves a bit so many places to the left or right, within its word or into a
word so many further on. All steps with the same two numbers are done at once: and with a mask, shift, or. A layout is
good if it has few such groups, so several are tried and the best one is kept. Nobody outside of this module knows which
cell has which bit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from sim.core.board.distances import Coord

Bits: TypeAlias = NDArray[np.uint64]  # (words, lanes)
Cell: TypeAlias = NDArray[np.integer]  # (lanes,) or (units, lanes); -1 is nowhere

WORD = 64
MOST_SLANTED = 100  # across and down together: beyond it the search for a slant takes longer than it saves
NONE = np.uint64(0)
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)


@dataclass(frozen=True, slots=True)
class Shift:
    """All steps between cells that move a bit by the same distance, into a word the same number of words on."""

    source: slice  # words that bits leave
    target: slice  # words that they come to, as many
    left: int  # places to the left; one of the two is 0
    right: int  # places to the right
    mask: Bits  # (words of the slice, 1): the bits that take this step


class Bitboards:
    """The sets of cells of one board. A cell of -1 is nowhere: it adds nothing to a set and is in none."""

    def __init__(self, coords: Sequence[Coord], neighbours: Sequence[Sequence[int]]) -> None:
        choices = [(layout, _shifts(layout, neighbours)) for layout in _layouts(coords)]
        place, self.shifts = min(choices, key=lambda choice: sum(len(shift.mask) for shift in choice[1]))
        self.size = len(coords)
        self.words = int(place.max()) // WORD + 1
        self._place = place  # (cells,) the bit of every cell, counted over all words
        self._word = [int(word) for word in place // WORD]  # by cell
        self._bit = [np.uint64(1) << np.uint64(bit) for bit in place % WORD]  # by cell
        self._bytes: dict[tuple[int, np.uint64], list[tuple[int, np.uint8]]] = {}  # word, shift -> cells and their bits
        for cell, bit in enumerate(place % WORD):
            byte = (self._word[cell], np.uint64(bit - bit % 8))
            self._bytes.setdefault(byte, []).append((cell, np.uint8(1 << bit % 8)))
        # One column per cell and one of zeros at the end, which is where an index of -1 finds nothing.
        self._single = np.zeros((self.words, self.size + 1), dtype=np.uint64)
        for cell in range(self.size):
            self._single[self._word[cell], cell] = self._bit[cell]
        # Where one word is enough and its bits lie in the order of the cells: the cell of a bit, -1 behind the last.
        self._cell_of: NDArray[np.int64] | None = None
        if self.words == 1 and (np.diff(place) > 0).all():
            self._cell_of = np.full(WORD + 1, -1, dtype=np.int64)
            self._cell_of[place] = np.arange(self.size)
        # Column k is the set of the first k cells. As many columns as a power of two, for halving.
        self._first = np.zeros((self.words, 1 << self.size.bit_length()), dtype=np.uint64)
        for cell in range(1, self._first.shape[1]):
            self._first[:, cell] = self._first[:, cell - 1] | self._single[:, min(cell - 1, self.size)]
        self._sweeps = _sweeps(place, coords, neighbours)
        single = self._single[:, : self.size]
        if not np.array_equal(self._swept(single, np.empty_like(single)), self.around(single) | single):
            self._sweeps = ()  # walls, corners, hexes: not every step is one across and one down

    # -- making sets ---------------------------------------------------------------------------------------------

    def none(self, lanes: int = 1) -> Bits:
        """The empty set in every lane."""
        return np.zeros((self.words, lanes), dtype=np.uint64)

    @property
    def every(self) -> Bits:
        """(words, 1). All cells of the board."""
        return self._first[:, -1:].copy()

    def fixed(self, cells: Iterable[int] | NDArray[np.bool_]) -> Bits:
        """(words, 1). A set that is the same in all lanes: from cell numbers, or from a (cells,) mask."""
        chosen = np.asarray(cells if isinstance(cells, np.ndarray) else list(cells))
        numbers = np.flatnonzero(chosen) if chosen.dtype == np.bool_ else chosen.astype(np.int64)
        joined: Bits = np.bitwise_or.reduce(self._single[:, numbers], axis=1)[:, None]
        return joined

    def at(self, cell: Cell) -> Bits:
        """(words, lanes). The one cell named in every lane; -1 gives the empty set."""
        return self._single[0].take(cell)[None] if self.words == 1 else self._single.take(cell, axis=1)

    def union(self, cell: Cell, where: NDArray[np.bool_] | None = None) -> Bits:
        """(words, lanes). The cells of several units: `cell` and `where` are (units, lanes)."""
        joined = self.none(cell.shape[1])
        for unit in range(len(cell)):
            spot = self.at(cell[unit])
            if where is not None:
                spot *= where[unit]
            joined |= spot
        return joined

    def rows(self, table: NDArray[np.bool_]) -> Bits:
        """(words, cells + 1). A (cells, cells) relation as one set per cell; `rows(table)[:, cell]` is (words, lanes).

        The last column is empty, so that a cell of -1 is related to nothing.
        """
        spread = np.zeros((self.size + 1, self.words * WORD), dtype=np.bool_)  # one bit a column
        spread[:-1, self._place] = table
        words = np.packbits(spread, axis=1, bitorder="little").view("<u8")
        return np.ascontiguousarray(words.T, dtype=np.uint64)

    def pack(self, mask: NDArray[np.bool_]) -> Bits:
        """(words, lanes). The set of a (cells, lanes) mask."""
        sets = self.none(mask.shape[1])
        for cell in range(self.size):
            sets[self._word[cell]] |= mask[cell] * self._bit[cell]
        return sets

    # -- asking sets ---------------------------------------------------------------------------------------------

    def cells(self, sets: Bits) -> NDArray[np.bool_]:
        """(cells, lanes). The sets as a mask."""
        mask = np.empty((self.size, sets.shape[1]), dtype=np.bool_)
        one = np.empty(sets.shape[1], dtype=np.uint8)
        for (word, shift), cells in self._bytes.items():  # eight cells at a time, as bytes are quicker to look at
            part = (sets[word] >> shift).astype(np.uint8)
            for cell, bit in cells:
                np.bitwise_and(part, bit, out=one)
                np.not_equal(one, 0, out=mask[cell])
        return mask

    def has(self, sets: Bits, cell: Cell) -> NDArray[np.bool_]:
        """(lanes,), or (units, lanes) if `cell` is. Whether the cell is in the set of its lane."""
        across_units = sets if cell.ndim == 1 else sets[:, None, :]
        return self.any(self.at(cell) & across_units)

    def any(self, sets: Bits) -> NDArray[np.bool_]:
        """(lanes,). Whether the set holds anything."""
        holds: NDArray[np.bool_] = sets[0] != 0 if self.words == 1 else np.any(sets, axis=0)
        return holds

    def count(self, sets: Bits) -> NDArray[np.int64]:
        """(lanes,). How many cells the set holds."""
        return self._count(sets).astype(np.int64)

    def _count(self, sets: Bits) -> NDArray[np.integer]:
        """(lanes,). The same as small numbers."""
        each = np.bitwise_count(sets)
        number: NDArray[np.integer] = each[0] if self.words == 1 else each.sum(axis=0, dtype=np.int16)
        return number

    def nth(self, sets: Bits, n: NDArray[np.integer] | int = 0) -> NDArray[np.int64]:
        """(lanes,). The n-th cell of the set, counted from 0 in the order of the cells; -1 if it holds fewer.

        With `n = luck.below(count(sets), ...)` this is a cell by lot.
        """
        if self._cell_of is not None:
            return self._nth_bit(sets[0], n)
        passed = np.zeros(sets.shape[1], dtype=np.int64)  # (lanes,) the first cells that hold n of the set or fewer
        stride = self._first.shape[1] // 2
        while stride:
            not_yet = self._count(sets & self._first.take(passed + stride, axis=1)) <= n
            passed += not_yet * np.int64(stride)
            stride //= 2
        passed[passed >= self.size] = -1
        return passed

    def _nth_bit(self, word: NDArray[np.uint64], n: NDArray[np.integer] | int) -> NDArray[np.int64]:
        """(lanes,). The same where the bits of one word lie in the order of the cells: the lowest but n."""
        assert self._cell_of is not None
        most = n if isinstance(n, int) else int(np.maximum.reduce(n, initial=0))
        for passed in range(min(most, WORD)):
            lowest = word & (NONE - word)
            word = word ^ (lowest if isinstance(n, int) else lowest * (n > passed))
        lowest = word & (NONE - word)
        lowest -= np.uint64(1)  # as many bits as lie below it; all of them if there is none left
        return self._cell_of.take(np.bitwise_count(lowest))

    # -- moving sets ---------------------------------------------------------------------------------------------

    def around(self, sets: Bits, space: Bits | None = None) -> Bits:
        """The cells next to any cell of the set. A cell of the set is in it only if another one is next to it.

        `space` is an array of the same shape that may be written over: fresh memory costs more than the shifts.
        """
        space = np.empty(sets.shape, dtype=np.uint64) if space is None else space
        found = np.zeros(sets.shape, dtype=np.uint64)
        _step(self.shifts, sets, found, space)
        return found

    def around_or_in(self, sets: Bits, space: Bits) -> Bits:
        """The same for who does not mind cells of the set in it: at half the price on open boards of squares."""
        return self._swept(sets, space) if self._sweeps else self.around(sets, space)

    def _swept(self, sets: Bits, space: Bits) -> Bits:
        """The set and all that is next to it: first those to the left and right, then all above and below these."""
        found = sets
        for shifts in self._sweeps:
            before, found = found, found.copy()
            _step(shifts, before, found, space)
        return found


def _step(shifts: Sequence[Shift], sets: Bits, found: Bits, space: Bits) -> None:
    """Add to what was found where these steps lead from a set; `space` is written over."""
    for shift in shifts:
        moved = np.bitwise_and(sets[shift.source], shift.mask, out=space[shift.source])
        if shift.left:
            moved <<= shift.left
        else:
            moved >>= shift.right
        found[shift.target] |= moved


def _sweeps(
    place: NDArray[np.int64], coords: Sequence[Coord], neighbours: Sequence[Sequence[int]]
) -> tuple[list[Shift], ...]:
    """The steps along a row, and those along a column."""
    ways = []
    for fixed in (1, 0):
        along = [
            [other for other in others if coords[other][fixed] == coords[cell][fixed]]
            for cell, others in enumerate(neighbours)
        ]
        ways.append(_shifts(place, along))
    return tuple(ways)


def _layouts(coords: Sequence[Coord]) -> list[NDArray[np.int64]]:
    """Ways to give every cell a bit: (cells,) each. The first one, cell by cell, always works."""
    across = np.array([coord[0] for coord in coords], dtype=np.int64)
    down = np.array([coord[1] for coord in coords], dtype=np.int64)
    across -= across.min()
    down -= down.min()
    wide, high = int(across.max()) + 1, int(down.max()) + 1
    cell_by_cell = np.arange(len(coords), dtype=np.int64)
    row_by_row = across + wide * down
    column_by_column = high * across + down
    layouts = [cell_by_cell, row_by_row, column_by_column]
    if row_by_row.max() // WORD > cell_by_cell.max() // WORD and wide + high <= MOST_SLANTED:
        layouts.append(_tightest_slant(across, down, row_by_row, wide + high))
    return layouts


def _tightest_slant(
    across: NDArray[np.int64], down: NDArray[np.int64], best: NDArray[np.int64], most: int
) -> NDArray[np.int64]:
    """(cells,). Rows that run at a slant, a * across + b * down: what fits a long crooked map into few words."""
    for a in range(1, most + 1):
        for b in range(-most, most + 1):
            place = a * across + b * down
            place -= place.min()
            if place.max() < best.max() and len(np.unique(place)) == len(place):  # no two cells share a bit
                best = place
    return best


def _shifts(place: NDArray[np.int64], neighbours: Sequence[Sequence[int]]) -> list[Shift]:
    """Every step between cells under a layout, grouped."""
    groups: dict[tuple[int, int], dict[int, int]] = {}  # (words on, places to the left) -> word -> mask
    for cell, others in enumerate(neighbours):
        source, bit = divmod(int(place[cell]), WORD)
        for other in others:
            target, goal = divmod(int(place[other]), WORD)
            masks = groups.setdefault((target - source, goal - bit), {})
            masks[source] = masks.get(source, 0) | 1 << bit
    shifts = []
    for (on, by), masks in sorted(groups.items()):
        low, high = min(masks), max(masks) + 1
        mask = np.array([[masks.get(word, 0)] for word in range(low, high)], dtype=np.uint64)  # (words, 1)
        shifts.append(Shift(slice(low, high), slice(low + on, high + on), max(by, 0), max(-by, 0), mask))
    return shifts
