"""How far units can go in a turn, and which of those spots bring them closer to a goal (P52-U12, P52-E10, P52-Y5)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sim.core.board import Bits
from sim.core.lanes import Small, Whole, columns, lookup, which
from sim.rulesets.p52.ground import Costs, set_of
from sim.rulesets.p52.state import State


@dataclass(slots=True)
class Walk:
    """Where a unit can go this turn, (words, lanes) each. The present spot is in neither."""

    entered: Bits  # can be entered
    waded: Bits  # can only be waded towards


def reach_of(
    s: State, spot: Small, movement: int | Whole, stops: Bits | None, wade: Small, floats: bool = False
) -> Walk:
    """P52-E10, P52-U12: where a unit can go; `stops` are spots that it must not leave again, `wade` where it wades.

    With movement 1 an obstructed neighbour is entered if it was waded into before.
    """
    ground = s.space.ground
    bits = ground.board.bits
    if not isinstance(movement, int):  # it differs among variants of the fight: (lanes,)
        walk = Walk(bits.none(len(spot)), bits.none(len(spot)))
        for value in np.unique(movement).tolist():
            mine = which(movement == value)
            part = reach_of(s, spot[mine], value, None if stops is None else columns(stops, mine), wade[mine], floats)
            walk.entered[:, mine], walk.waded[:, mine] = part.entered, part.waded
        return walk
    if movement <= 0:
        return Walk(bits.none(len(spot)), bits.none(len(spot)))
    plain = floats or not ground.any_obstructed
    if movement > 1 or plain:
        whole, inner = s.space.free[movement, plain]
        entered = columns(whole, spot)
        if stops is not None:
            stopped = which(bits.any(columns(inner, spot) & stops))
            if len(stopped):
                some = spot[stopped]
                enter = None if plain else ground.enter
                fill = ground.board.reach(some, movement, stop=columns(stops, stopped), enter=enter)
                entered[:, stopped] = fill.all & ~bits.at(some)
        return Walk(entered, bits.none(len(spot)))
    beside = bits.around(bits.at(spot))
    rough = bits.fixed(ground.obstructed)
    begun = bits.at(wade) & beside
    return Walk((beside & ~rough) | begun, beside & rough & ~begun)


def closest(s: State, costs: Costs, walk: Walk, spot: Small, goal: Small | Whole, movement: int | Whole) -> Bits:
    """P52-E10, P52-Y5: the spots with the least cost to go, if that is less than from here; else none.

    A spot that is only waded towards counts 1 more. A move cannot save more than its points and the traps passed.
    """
    ground = s.space.ground
    bits = ground.board.bits
    now = lookup(costs.to_go, spot, goal)
    chosen = np.zeros_like(walk.entered)
    waiting = bits.any(walk.entered | walk.waded)
    wading = bool(walk.waded.any())
    movement = movement if isinstance(movement, int) else int(movement.max(initial=0))
    most = (max(movement, 2) if ground.any_obstructed else movement) * (2 if ground.any_trap else 1)
    for saved in range(min(most, costs.sets.shape[2] - 1), 0, -1):  # nothing on the board is farther
        value = now - saved
        found = set_of(costs.sets, goal, np.maximum(value, 0)) & walk.entered
        found *= value >= 0
        if wading:
            beyond = set_of(costs.sets, goal, np.maximum(value - 1, 0)) & walk.waded
            found |= beyond * (value >= 1)
        found *= waiting
        chosen |= found
        waiting &= ~bits.any(found)
        if not waiting.any():
            break
    return chosen
