"""How far it is from enemies, or from any spot, to the heroes (P52-U8, P52-U9)."""

from __future__ import annotations

import numpy as np

from sim.core.lanes import Lanes, Small, columns, cut, lookup
from sim.rulesets.p52.state import State

FARTHEST = 30_000  # more steps than any board has


def steps_to_heroes(s: State, enemy: int, at: Lanes) -> Small:
    """(heroes, lanes). Steps from an enemy to every hero."""
    return lookup(s.space.ground.steps, cut(s.foe_spot[enemy], at), cut(s.spot, at))


def ranges_to_heroes(s: State, enemy: int, at: Lanes) -> Small:
    """(heroes, lanes). Range from an enemy to every hero."""
    return lookup(s.space.ground.range, cut(s.foe_spot[enemy], at), cut(s.spot, at))


def steps_to_nearest(s: State, at: Lanes) -> Small:
    """(spots, lanes). Steps from every spot to the nearest living hero; 0 if there is none."""
    ground = s.space.ground
    living = s.living(at)
    least = np.full((ground.size, len(at)), FARTHEST, dtype=np.int16)
    for hero in range(s.heroes):
        steps = columns(ground.steps, cut(s.spot[hero], at))
        least = np.minimum(least, np.where(living[hero], steps, np.int16(FARTHEST)))
    return np.where(least == FARTHEST, np.int16(0), least)
