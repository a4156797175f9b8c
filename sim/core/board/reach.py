"""Where a unit can go: a flood fill on bitboards, all lanes at once.

    reach(start, 2) with a blocked cell X and a stop cell !

    . . .       1 2 .        0 is the start, X cannot be entered,
    0 X .  ->   0 X .        ! can be entered and not left, so the cell
    ! . .       1 . .        to the right of it is not reached
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sim.core.board.bits import Bitboards, Bits, Cell
from sim.core.board.distances import FAR
from sim.core.lanes import Lanes, cut, lookup


class Reach:
    """A finished flood fill. Layer k holds the cells whose cheapest way from the start costs k."""

    def __init__(self, bits: Bitboards, layers: list[Bits], stop: Bits | None, prices: list[tuple[int, Bits]]) -> None:
        self.bits = bits
        self.layers = layers  # each (words, lanes); layer 0 is the start
        self._stop = stop
        self._prices = prices  # (cost, the cells that cost so much to enter)

    @property
    def all(self) -> Bits:
        """(words, lanes). Every cell reached, the start included."""
        return self.within(len(self.layers))

    def within(self, most: int) -> Bits:
        """(words, lanes). The cells reached at a cost of at most `most`, the start included."""
        joined = self.layers[0].copy()
        for layer in self.layers[1 : most + 1]:
            joined |= layer
        return joined

    def only(self, at: Lanes) -> Reach:
        """The same fill in some of its lanes."""
        stop = self._stop
        if stop is not None and stop.shape[1] > 1:
            stop = cut(stop, at)
        return Reach(self.bits, [cut(layer, at) for layer in self.layers], stop, self._prices)

    def distance(self) -> NDArray[np.int16]:
        """(cells, lanes). The cost of every cell, FAR where it was not reached.

        The layer numbers are first written in binary, one bitboard per binary digit, so that only those are unpacked.
        """
        digits = (len(self.layers) - 1).bit_length()
        planes = [np.zeros_like(self.layers[0]) for _ in range(digits)]
        for number, layer in enumerate(self.layers):
            for digit, plane in enumerate(planes):
                if number >> digit & 1:
                    plane |= layer
        distance = (~self.bits.cells(self.all)).astype(np.int16)  # (cells, lanes)
        distance *= FAR
        for digit, plane in enumerate(planes):
            part = self.bits.cells(plane).astype(np.int16)
            part <<= digit
            distance += part
        return distance

    def cost(self, cell: Cell) -> NDArray[np.int16]:
        """(lanes,). The cost of one cell per lane, FAR where it was not reached."""
        single = self.bits.at(cell)
        cost = np.full(single.shape[1], FAR, dtype=np.int16)
        for number, layer in enumerate(self.layers):
            cost[self.bits.any(single & layer)] = number
        return cost

    def nearest(self, candidates: Bits) -> tuple[Bits, NDArray[np.int16]]:
        """The candidates of the least cost (words, lanes), and that cost (lanes,): FAR and none if none is reached."""
        return self._first_layer_with(candidates, range(len(self.layers)))

    def farthest(self, candidates: Bits) -> tuple[Bits, NDArray[np.int16]]:
        """The reached candidates of the greatest cost, and that cost: FAR and none if none is reached."""
        return self._first_layer_with(candidates, range(len(self.layers) - 1, -1, -1))

    def _first_layer_with(self, candidates: Bits, order: range) -> tuple[Bits, NDArray[np.int16]]:
        chosen = np.zeros_like(self.layers[0])
        none_yet = np.ones(chosen.shape[1], dtype=bool)  # lanes that have not found theirs in an earlier layer
        passed = np.zeros(chosen.shape[1], dtype=np.int16)  # layers before the one in which they do
        for number in order:
            here = self.layers[number] & candidates
            here *= none_yet
            chosen |= here
            none_yet &= ~self.bits.any(here)
            passed += none_yet
            if not none_yet.any():
                break
        return chosen, lookup(np.array([*order, FAR], dtype=np.int16), passed)

    def back(self, cell: Cell) -> Bits:
        """(words, lanes). The cells from which the fill came to `cell` on a cheapest way; none at the start.

        Fill from the goal, and this is the next step of a shortest route to it. Fill from the unit, and this leads back
        along a cheapest route from the chosen end. The cell must have been reached: leave the mover itself out of
        `blocked` when filling from a goal.
        """
        single = self.bits.at(cell)
        beside = self.bits.around(single)
        found = np.zeros_like(single)
        for number, layer in enumerate(self.layers[1:], start=1):
            for price, cells in self._prices:
                if price <= number:
                    entered = self.bits.any(single & layer & cells)
                    earlier = self.layers[number - price]
                    if self._stop is not None and number > price:
                        earlier = earlier & ~self._stop
                    found |= beside & earlier * entered
        return found


def reach(
    bits: Bitboards,
    start: Cell | Bits,
    steps: int | NDArray[np.integer] | None = None,
    *,
    blocked: Bits | None = None,
    stop: Bits | None = None,
    enter: Sequence[int] | NDArray[np.integer] | None = None,
) -> Reach:
    """Flood fill from a cell (or from a set of cells) in every lane.

    Args:
        start: a cell per lane (-1 reaches nothing), or a bitboard with several starts. It is always reached, at cost 0.
        steps: how far, one number for all lanes or one per lane; None means as far as it goes.
        blocked: cells that cannot be entered. The start may be among them: a unit does not block itself.
        stop: cells that can be entered and not left again. The start can always be left; give 0 steps to hold a unit.
        enter: (cells,). What it costs to enter a cell, 1 or more; 1 everywhere if absent. `steps` then counts costs.
    """
    first = bits.at(start) if start.ndim == 1 else start.astype(np.uint64, copy=False)  # (words, lanes)
    prices = [(1, bits.every)]
    if enter is not None:
        costs = np.asarray(enter)
        if costs.min() < 1:
            raise ValueError(f"entry costs must be 1 or more, found {costs.min()}; to close cells use `blocked`")
        prices = [(int(price), bits.fixed(costs == price)) for price in np.unique(costs)]
    dearest = prices[-1][0]
    most = steps if steps is None or isinstance(steps, int) else int(np.max(steps, initial=0))

    layers = [first]
    unvisited = bits.every & ~first  # (words, lanes)
    if blocked is not None:
        unvisited &= ~blocked
    leavable = None if stop is None else ~stop
    spread: list[Bits] = []  # by layer: the cells next to those of the layer that may be left
    space = np.empty_like(first)
    idle = 0  # layers in a row that are empty in every lane
    while (most is None or len(layers) <= most) and idle < dearest:
        number = len(layers)
        leaving = layers[-1] if leavable is None or number == 1 else layers[-1] & leavable
        spread.append(bits.around_or_in(leaving, space))  # a cell of the layer was visited and is not entered again
        entered = spread.pop() if dearest == 1 else _paid_for(spread, prices)
        entered &= unvisited
        if isinstance(steps, np.ndarray):
            entered *= steps >= number  # a product takes a tenth of the time of `np.where`
        unvisited ^= entered
        layers.append(entered)
        idle = 0 if entered.any() else idle + 1
    return Reach(bits, layers, stop, prices)


def _paid_for(spread: list[Bits], prices: list[tuple[int, Bits]]) -> Bits:
    """(words, lanes). The cells that can be entered now: those that cost k, next to the layer of k ago."""
    entered = np.zeros_like(spread[0])
    for price, cells in prices:
        if price <= len(spread):
            entered |= spread[-price] & cells
    return entered
