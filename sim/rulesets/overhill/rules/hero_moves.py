"""Front guard and rear guard in the fight: stepping up, and moving as an action."""

from __future__ import annotations

import numpy as np

from sim.core.choose import pick
from sim.core.lanes import Lanes, Mask, cut, keep, put, which
from sim.rulesets.overhill.state import State


def step_up(s: State) -> None:
    """OU-P5: while the rear holds too many and the front has room, the healthiest rear hero goes to the front."""
    at = which(s.live & too_many_behind(s, s.everyone))
    while len(at):
        able = s.standing(at) & ~cut(s.front, at) & (cut(s.paralysed, at) == 0)
        hero = pick(able, by=(-cut(s.health, at),))
        found = hero >= 0
        at, hero = at[found], hero[found]
        if len(at):
            put(s.front, hero, at, True)
            if s.tell:
                s.tell.event("OU-P5", "steps_up", at, who=hero)
            at = keep(at, too_many_behind(s, at))


def too_many_behind(s: State, at: Lanes) -> Mask:
    """(lanes,). OU-P2, OU-P3, OU-P5: the rear holds more than its capacity, and the front has room."""
    standing, front = s.standing(at), s.standing_in_front(at)
    in_front = front.sum(axis=0, dtype=np.int16)
    in_rear = standing.sum(axis=0, dtype=np.int16) - in_front
    crowded = in_rear > s.rear_capacity((front * s.facts.weight).sum(axis=0, dtype=np.int16))
    return crowded & (in_front < s.facts.front_max)


# Moving as an action.


def may_move_back(s: State, hero: int, at: Lanes) -> Mask:
    """(lanes,). OU-A9: the rear must still be covered by the front that is left."""
    left = s.front_weight(at) - s.facts.heroes[hero].weight
    return cut(s.front[hero], at) & (s.rear_count(at) + 1 <= s.rear_capacity(left))


def may_move_up(s: State, hero: int, at: Lanes) -> Mask:
    """(lanes,). OU-A9: unless the front is full."""
    return ~cut(s.front[hero], at) & (s.front_count(at) < s.facts.front_max)


def move(s: State, hero: int, at: Lanes, to_front: bool) -> None:
    """OU-A9, OU-R8: change guard; neutral until the end of the round."""
    s.ledger.uses[s.ability(hero, "move")][at] += 1
    s.front[hero][at] = to_front
    s.stay_neutral(hero, at)
    if s.tell:
        s.tell.event("OU-A9", "moves", at, who=hero, to_front=to_front)
