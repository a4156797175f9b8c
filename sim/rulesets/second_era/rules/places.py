"""Where units stand: stepping onto a hex, and the closest hexes that can be walked to."""

from __future__ import annotations

import numpy as np

from sim.core.board import FAR, Bits
from sim.core.board.bits import ALL, NONE, Cell
from sim.core.lanes import Lanes, Row, Small, anywhere, each, per_lane, put
from sim.rulesets.second_era.state import State


def stand(s: State, who: Row, cell: Cell, at: Lanes, rule: str = "SE-A1", steps: Small | None = None) -> None:
    """SE-A1, SE-G5: the unit now stands on this hex. Rule and steps are for whoever listens."""
    bits = s.facts.ground.board.bits
    before = each(s.cell, who, at).copy() if s.tell else None
    s.occupied[:, anywhere(at, s.size)] ^= bits.at(each(s.cell, who, at)) ^ bits.at(cell)
    put(s.cell, who, at, cell)
    if before is not None and len(at) and before[0] != cell[0]:
        tell_move(s, int(per_lane(who, at)[0]), int(before[0]), at, rule, steps)


def tell_move(s: State, who: int, before: int, at: Lanes, rule: str, steps: Small | None) -> None:
    """How far a unit has come, and how near the other side is now."""
    ground, here = s.facts.ground, int(s.cell[who, 0])
    foes = range(s.party) if who >= s.party else range(s.party, s.units)
    away = {foe: int(ground.range[here, s.cell[foe, 0]]) for foe in foes if s.cell[foe, 0] >= 0}
    nearest = min(away.values(), default=FAR)
    walked = int(ground.range[before, here]) if steps is None else int(steps[0])
    beside = [foe for foe, distance in away.items() if distance == 1]
    assert s.tell is not None
    s.tell.event(
        rule, "moves", at, who=who, whom=beside, steps=walked, beside=nearest == 1, alone=nearest == FAR, away=nearest
    )


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
