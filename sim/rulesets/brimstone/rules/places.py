"""Who stands where, who is next to whom, and who comes and goes (BF-G3 to BF-G10)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sim.core.board import Bits
from sim.core.board.sets import fewest, pick_cell, tally, where
from sim.core.choose import draw_lot
from sim.core.lanes import Lanes, Mask, Rows, Small, Whole, columns, cut, each, lookup, nobody_where, put, rows_of
from sim.rulesets.brimstone.state import State

Cell = NDArray[np.integer]


# Looking. The lanes may repeat here: a policy that weighs squares asks about a run once for every square.


def adjacent_models(s: State, cell: Cell, at: Lanes) -> Mask:
    """(slots, lanes). BF-G3: living models next to a cell; without a board every living model (BF-G10)."""
    alive = columns(s.alive, at)
    if not s.has_board:
        return alive
    return alive & lookup(s.ground.adjacent, columns(s.spot, at), cell)


def ranges(s: State, cell: Cell, at: Lanes) -> Small:
    """(slots, lanes). BF-G5: `range` from a cell to every model; 1 without a board (BF-G10)."""
    if not s.has_board:
        return np.ones((s.slots, len(at)), dtype=np.int16)
    return lookup(s.ground.range, columns(s.spot, at), cell)


def adjacent_heroes(s: State, spot: Cell, at: Lanes) -> Mask:
    """(heroes, lanes). BF-G3: standing heroes next to a model's cell."""
    standing = columns(s.standing, at)
    if not s.has_board:
        return standing
    return standing & lookup(s.ground.adjacent, columns(s.cell, at), spot)


def heroes_in_range(s: State, spot: Cell, at: Lanes, reach: int | Small) -> Mask:
    """(heroes, lanes). BF-G5: standing heroes within a Range and in sight of a model's cell."""
    standing = columns(s.standing, at)
    if not s.has_board:
        return standing
    cells = columns(s.cell, at)
    return standing & (lookup(s.ground.range, cells, spot) <= reach) & lookup(s.ground.sight, cells, spot)


# Sets of squares.


def cell_of_hero(s: State, hero: int, at: Lanes) -> Small:
    """(lanes,). Where a standing hero is; -1 for who does not stand."""
    return nobody_where(~cut(s.standing[hero], at), cut(s.cell[hero], at))


def cell_of_model(s: State, slot: int, at: Lanes) -> Small:
    """(lanes,). Where a living model is; -1 for who does not live."""
    return nobody_where(~cut(s.alive[slot], at), cut(s.spot[slot], at))


def living_slots(s: State, at: Lanes) -> list[int]:
    """The slots that hold a living model in some of the lanes."""
    return rows_of(cut(s.alive, at)).tolist()


def beside_each_hero(s: State, at: Lanes) -> list[Bits]:
    """(words, lanes) each. BF-G3: the squares next to every hero; none for who does not stand."""
    return [columns(s.ground.beside, cell_of_hero(s, hero, at)) for hero in range(s.heroes)]


def next_to_heroes(s: State, at: Lanes) -> Bits:
    """(words, lanes). The squares next to a standing hero."""
    return s.ground.bits.around(cut(s.hero_bits, at))


def next_to_models(s: State, at: Lanes) -> Bits:
    """(words, lanes). The squares next to a living model."""
    return s.ground.bits.around(cut(s.enemy_bits, at))


def beside_fewest_heroes(s: State, squares: Bits, at: Lanes) -> Bits:
    """(words, lanes). BF-E14: of the squares those next to the fewest standing heroes."""
    return fewest(squares, tally(beside_each_hero(s, at)))


def beside_fewest_models(s: State, squares: Bits, at: Lanes) -> Bits:
    """(words, lanes). Of the squares those next to the fewest enemies."""
    return fewest(squares, tally(columns(s.ground.beside, cell_of_model(s, slot, at)) for slot in living_slots(s, at)))


def occupied(s: State, at: Lanes) -> Bits:
    """(words, lanes). BF-G7: the squares of standing heroes and living models."""
    return cut(s.hero_bits, at) | cut(s.enemy_bits, at)


def of_chosen(sets: Sequence[Bits], chosen: Whole) -> Bits:
    """(words, lanes). Of several sets the one chosen in every lane; the empty set where none is (-1)."""
    squares = np.zeros_like(sets[0])
    for number, one in enumerate(sets):
        squares |= where(one, chosen == number)
    return squares


def any_square(s: State, squares: Bits, purpose: str, actor: int | Whole, index: int, at: Lanes) -> Whole:
    """(lanes,). One square of a set by lot; -1 where it is empty."""
    return pick_cell(s.ground.bits, squares, draw_lot(s.luck, purpose, s.round, actor, index, at))


# Coming and going.


def _flip(sets: Bits, at: Lanes, change: Bits) -> None:
    """Cells that were in the set leave it and the others enter."""
    for row, part in zip(sets, change, strict=True):
        row[at] ^= part


def put_hero(s: State, hero: int, at: Lanes, cell: Cell) -> None:
    """A standing hero goes to a cell."""
    if s.has_board:
        bits = s.ground.bits
        _flip(s.hero_bits, at, bits.at(cut(s.cell[hero], at)) ^ bits.at(cell))
    s.cell[hero, at] = cell


def lift_hero(s: State, hero: int, at: Lanes) -> None:
    """BF-U2: a hero stands no more; a marker stays where it was."""
    s.standing[hero, at] = False
    if s.has_board:
        _flip(s.hero_bits, at, s.ground.bits.at(cut(s.cell[hero], at)))


def return_hero(s: State, hero: int, at: Lanes, cell: Cell) -> None:
    """A KO'd hero stands again, on this cell."""
    s.standing[hero, at] = True
    s.cell[hero, at] = cell
    if s.has_board:
        _flip(s.hero_bits, at, s.ground.bits.at(cell))


def put_model(s: State, slot: Whole, at: Lanes, cell: Cell) -> None:
    """A living model goes to a free cell."""
    bits = s.ground.bits
    _flip(s.enemy_bits, at, bits.at(each(s.spot, slot, at)) ^ bits.at(cell))
    put(s.spot, slot, at, cell)


def lift_model(s: State, slot: Rows, at: Lanes) -> None:
    """BF-A12: a model is removed."""
    put(s.alive, slot, at, False)
    put(s.target, slot, at, -1)
    if s.has_board:
        _flip(s.enemy_bits, at, s.ground.bits.at(each(s.spot, slot, at)))


def enter_model(s: State, slot: Whole, at: Lanes, cell: Cell) -> None:
    """A new model stands on a cell."""
    put(s.alive, slot, at, True)
    if s.has_board:
        put(s.spot, slot, at, cell)
        _flip(s.enemy_bits, at, s.ground.bits.at(cell))
