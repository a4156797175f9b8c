"""Where units stand: stepping onto a hex, and the closest hexes that can be walked to."""

from __future__ import annotations

import numpy as np

from sim.core.board import FAR, Bits
from sim.core.board.bits import ALL, NONE, Cell
from sim.core.lanes import Lanes, Row, Small, anywhere, each, per_lane, put
from sim.rulesets.second_era.state import State


def stand(s: State, who: Row, cell: Cell, at: Lanes) -> None:
    """SE-A1, SE-G5: the unit now stands on this hex."""
    bits = s.facts.ground.board.bits
    s.occupied[:, anywhere(at, s.size)] ^= bits.at(each(s.cell, who, at)) ^ bits.at(cell)
    put(s.cell, who, at, cell)
    if s.tell and len(at):
        place = s.facts.ground.board.names[int(cell[0])]
        s.tell("SE-A1", int(per_lane(who, at)[0]), f"moves to {place}", at)


def closest(s: State, start: Cell, goals: Bits, blocked: Bits) -> tuple[Bits, Small]:
    """SE-G7, SE-T5: the goals with the smallest `walk` from the start, and that walk; FAR and none without a way.

    The fill of a lane ends where it meets its goal, and the loop when all have.
    """
    bits = s.facts.ground.board.bits
    edge = bits.at(start)
    free = bits.every & ~blocked & ~edge
    found = np.zeros_like(edge)
    walk = np.full(edge.shape[1], FAR, dtype=np.int16)
    space = np.empty_like(edge)
    distance = 0
    while edge.any():
        distance += 1
        edge = bits.around(edge, space)
        edge &= free
        free ^= edge
        hit = edge & goals
        arrived = hit.any(axis=0)
        if arrived.any():
            found |= hit
            walk[arrived] = distance
            edge &= np.where(arrived, NONE, ALL)
    return found, walk
