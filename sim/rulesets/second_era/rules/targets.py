"""Who can be targeted from where: range, sight and hiding."""

from __future__ import annotations

import numpy as np

from sim.core.board import Bits
from sim.core.board.bits import Cell
from sim.core.board.sets import where
from sim.core.lanes import Lanes, Mask, Row, cut, each
from sim.rulesets.second_era.data import STEALTH
from sim.rulesets.second_era.state import State


def hidden(s: State, who: Row, at: Lanes) -> Mask:
    """(units, lanes). SE-F6, SE-K25: who hides from this unit: in Stealth, and not adjacent when its turn began."""
    stealth = (cut(s.status, at) & np.uint8(1 << STEALTH)) != 0
    return stealth & ~cut(s.adj0, at) & ~s.has("Detection", who, at)


def in_play(s: State, who: Row, at: Lanes, side: slice) -> Mask:
    """(units of the side, lanes). SE-T1: undefeated units on the map that the unit can see through Stealth."""
    on_the_map = cut(s.cell[side], at) >= 0
    if s.facts.possible[STEALTH]:
        on_the_map &= ~hidden(s, who, at)[side]
    return on_the_map


def covered(s: State, who: Row, at: Lanes, side: slice) -> Mask:
    """(units of the side, lanes). SE-T2, SE-T3: cover(h): within range of the hex and seen, whether hidden or not."""
    return s.find(s.facts.covers, at, each(s.kind, who, at), each(s.cell, who, at), cut(s.cell[side], at))


def shots(s: State, who: Row, at: Lanes, cell: Cell) -> Bits:
    """(words, lanes). SE-T2: from where a unit would have another one, standing on `cell`, in range and in sight."""
    return s.find_columns(s.facts.shots, at, each(s.kind, who, at), cell)


def cover_sets(s: State, who: Row, at: Lanes, side: slice, visible: Mask) -> list[Bits]:
    """By unit of the side: the hexes h with it in cover(h); none for those that are not `visible`."""
    cells = cut(s.cell[side], at)
    return [where(shots(s, who, at, cell), seen) for cell, seen in zip(cells, visible, strict=True)]
