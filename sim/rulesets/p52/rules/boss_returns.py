"""Enemies that fall and come back (P52-E17, P52-E19)."""

from __future__ import annotations

import numpy as np

from sim.core.choose import draw_lot, pick
from sim.core.lanes import Lanes, Mask, Whole, columns, cut, keep, lookup, which
from sim.core.luck import ENEMIES
from sim.rulesets.p52 import faces
from sim.rulesets.p52.rules.cards import ACE, flip
from sim.rulesets.p52.rules.distances import steps_to_nearest
from sim.rulesets.p52.state import NOWHERE, State

UP_TO = {"reappears": 5, "rises": 6}  # the highest flips with which they return
RULES = {"reappears": "P52-E17", "rises": "P52-E19"}
NEAR = 2  # steps within which they reappear, unless at a door


def comes_back(s: State, enemy: int, at: Lanes) -> Mask:
    """P52-E17, P52-E19: (lanes,). A flip decides whether an enemy that may return does so."""
    back = np.zeros(len(at), dtype=bool)
    for kind in s.space.returning[enemy]:
        mine = which(cut(s.kind[enemy], at) == kind)
        if len(mine):
            back[mine] = flip_to_return(s, enemy, kind, at[mine])
    return back


def flip_to_return(s: State, enemy: int, kind: int, at: Lanes) -> Mask:
    """P52-E17, P52-E19: (lanes,). The same for one type."""
    way = s.facts.types[kind].when_fallen
    before, value = columns(s.foe_hp[enemy], at), flip(s, at, RULES[way], ENEMIES + enemy)
    most = UP_TO[way]
    roll = [faces.flipped(s, faces.values > most, "to stay down", f"{most + 1} or more")] if s.tell else []
    back = rises(s, enemy, kind, value, at) if way == "rises" else reappears(s, enemy, kind, value, at)
    if s.tell:
        after = cut(s.foe_hp[enemy], at)
        told = "comes_back" if back[0] else "stays_down"
        s.tell.event(RULES[way], told, at, who=s.unit_of(enemy, at), rolls=roll, healed=after - before, left=after)
    return back


def rises(s: State, enemy: int, kind: int, value: Whole, at: Lanes) -> Mask:
    """P52-E19: (lanes,). With up to 6, and with so many hit points."""
    back = value <= UP_TO["rises"]
    s.foe_hp[enemy][keep(at, back)] = np.minimum(keep(value, back), s.own(s.facts.types[kind].max_hp, keep(at, back)))
    return back


def reappears(s: State, enemy: int, kind: int, value: Whole, at: Lanes) -> Mask:
    """P52-E17: (lanes,). With up to 5; with an Ace stronger, and at a door."""
    fall = columns(s.falls[enemy], at)
    s.falls[enemy][at] += 1
    back = value <= UP_TO["reappears"]
    some = which(back)
    if len(some):
        returning, ace = at[some], value[some] == ACE
        most = s.own(s.facts.types[kind].max_hp, returning)
        s.foe_hp[enemy][returning] = np.where(ace, np.maximum(1, most // 4), np.maximum(1, most // 8))
        for chosen, go_to in ((which(ace), at_a_door), (which(~ace), nearby)):
            if len(chosen):
                go_to(s, enemy, fall[some[chosen]], returning[chosen])
        s.foe_wade[enemy][returning] = NOWHERE
    return back


def at_a_door(s: State, enemy: int, fall: Whole, at: Lanes) -> None:
    """P52-E17: at the entrance or exit, whichever is farther from the nearest hero."""
    ground = s.space.ground
    doors = np.array([ground.entrance] if ground.exit < 0 else [ground.entrance, ground.exit])
    open_to = np.ones((len(doors), len(at)), dtype=bool)
    lot = draw_lot(s.luck, "P52-E17", s.when(at), ENEMIES + enemy, fall, at)
    s.foe_spot[enemy][at] = lookup(doors, pick(open_to, by=(-steps_to_nearest(s, at)[doors],), lot=lot))


def nearby(s: State, enemy: int, fall: Whole, at: Lanes) -> None:
    """P52-E17: within two steps, farthest from the nearest hero."""
    open_to = columns(s.space.ground.steps, cut(s.foe_spot[enemy], at)) <= NEAR
    lot = draw_lot(s.luck, "P52-E17", s.when(at), ENEMIES + enemy, fall, at)
    s.foe_spot[enemy][at] = pick(open_to, by=(-steps_to_nearest(s, at),), lot=lot)
