"""Who stands where, who is next to whom, and who comes and goes (section 2.4)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.board import Bits
from sim.core.lanes import Lanes, Mask, Small, Whole, columns, each, lookup, put
from sim.rulesets.brimstone.state import State

Cell = NDArray[Any]


# Looking.


def adjacent_models(s: State, cell: Cell, at: Lanes) -> Mask:
    """(slots, lanes). BF-G3: living models next to a cell; without a board every living model (BF-G10)."""
    alive = columns(s.alive, at)
    if s.ground is None:
        return alive
    return alive & lookup(s.ground.adjacent, columns(s.spot, at), cell)


def ranges(s: State, cell: Cell, at: Lanes) -> Small:
    """(slots, lanes). BF-G5: `range` from a cell to every model; 1 without a board (BF-G10)."""
    if s.ground is None:
        return np.ones((s.slots, len(at)), dtype=np.int16)
    return lookup(s.ground.range, columns(s.spot, at), cell)


def models_in_range(s: State, cell: Cell, at: Lanes, reach: Any) -> Mask:
    """(slots, lanes). BF-G5: living models within a Range and in sight of a cell."""
    alive = columns(s.alive, at)
    if s.ground is None:
        return alive
    spots = columns(s.spot, at)
    return alive & (lookup(s.ground.range, spots, cell) <= reach) & lookup(s.ground.sight, spots, cell)


def adjacent_heroes(s: State, spot: Cell, at: Lanes) -> Mask:
    """(heroes, lanes). BF-G3: standing heroes next to a model's cell."""
    standing = columns(s.standing, at)
    if s.ground is None:
        return standing
    return standing & lookup(s.ground.adjacent, columns(s.cell, at), spot)


def heroes_in_range(s: State, spot: Cell, at: Lanes, reach: Any) -> Mask:
    """(heroes, lanes). BF-G5: standing heroes within a Range and in sight of a model's cell."""
    standing = columns(s.standing, at)
    if s.ground is None:
        return standing
    cells = columns(s.cell, at)
    return standing & (lookup(s.ground.range, cells, spot) <= reach) & lookup(s.ground.sight, cells, spot)


def near_heroes(s: State, at: Lanes) -> Bits:
    """(words, lanes). The cells next to a standing hero."""
    assert s.ground is not None
    return s.ground.bits.around(columns(s.hero_bits, at))


def occupied(s: State, at: Lanes) -> Bits:
    """(words, lanes). BF-G7: the cells of standing heroes and living models."""
    return columns(s.hero_bits, at) | columns(s.enemy_bits, at)


def by_lot(s: State, cells: Bits, purpose: str, actor: Any, index: int, at: Lanes) -> Whole:
    """(lanes,). One cell of a set by lot; -1 where it is empty."""
    assert s.ground is not None
    bits = s.ground.bits
    number = bits.count(cells)
    many = number > 1
    draw = np.zeros(len(at), dtype=np.int64)
    if many.all():
        draw = s.luck.below(number, purpose, s.round, actor, index, at)
    elif many.any():
        some = np.flatnonzero(many)
        who = actor[some] if isinstance(actor, np.ndarray) else actor
        draw[some] = s.luck.below(number[some], purpose, s.round, who, index, at[some])
    return bits.nth(cells, draw)


# Coming and going.


def _flip(sets: Bits, at: Lanes, change: Bits) -> None:
    """Cells that were in the set leave it and the others enter."""
    for row, part in zip(sets, change, strict=True):
        row[at] ^= part


def put_hero(s: State, hero: int, at: Lanes, cell: Cell) -> None:
    """A standing hero goes to a cell."""
    if s.ground is not None:
        bits = s.ground.bits
        _flip(s.hero_bits, at, bits.at(s.cell[hero].take(at)) ^ bits.at(cell))
    s.cell[hero, at] = cell


def lift_hero(s: State, hero: int, at: Lanes) -> None:
    """BF-U2: a hero stands no more; a marker stays where it was."""
    s.standing[hero, at] = False
    if s.ground is not None:
        _flip(s.hero_bits, at, s.ground.bits.at(s.cell[hero].take(at)))


def return_hero(s: State, hero: int, at: Lanes, cell: Cell) -> None:
    """A KO'd hero stands again, on this cell."""
    s.standing[hero, at] = True
    s.cell[hero, at] = cell
    if s.ground is not None:
        _flip(s.hero_bits, at, s.ground.bits.at(cell))


def put_model(s: State, slot: Whole, at: Lanes, cell: Cell) -> None:
    """A living model goes to a free cell."""
    assert s.ground is not None
    before = each(s.spot, slot, at)
    bits = s.ground.bits
    _flip(s.enemy_bits, at, bits.at(before) ^ bits.at(cell))
    put(s.spot, slot, at, cell)


def lift_model(s: State, slot: Whole, at: Lanes) -> None:
    """BF-A12: a model is removed."""
    put(s.alive, slot, at, False)
    put(s.target, slot, at, -1)
    if s.ground is not None:
        _flip(s.enemy_bits, at, s.ground.bits.at(each(s.spot, slot, at)))


def enter_model(s: State, slot: Whole, at: Lanes, cell: Cell) -> None:
    """A new model stands on a cell."""
    put(s.alive, slot, at, True)
    if s.ground is not None:
        put(s.spot, slot, at, cell)
        _flip(s.enemy_bits, at, s.ground.bits.at(cell))
