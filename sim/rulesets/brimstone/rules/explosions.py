"""Explode: models that go off when they die."""

from __future__ import annotations

import numpy as np

from sim.core.lanes import Lanes, Whole, each, lookup, put
from sim.rulesets.brimstone.rules.armor import take_wounds
from sim.rulesets.brimstone.rules.models import armor_of_model, endured, hurt_model, in_order, model_name
from sim.rulesets.brimstone.state import NEWCOMER, State


def go_off(s: State, at: Lanes) -> None:
    """Explode: models that have died go off one after the other, in the order of death."""
    if "explode" not in s.facts.any_has:
        return
    while True:
        at = at[s.live.take(at)]
        fuses = s.fuse.take(at, axis=1)
        at = at[(fuses > 0).any(axis=0)]
        if not len(at):
            return
        fuses = s.fuse.take(at, axis=1)
        slot = np.where(fuses > 0, fuses, np.int16(32_000)).argmin(axis=0)
        put(s.fuse, slot, at, 0)
        explode(s, slot, at)


def explode(s: State, slot: Whole, at: Lanes) -> None:
    """Explode: D3 (D6) wounds to every model and hero next to it, ignoring Defense; models first (I34)."""
    sides = s.figure("explode", each(s.profile, slot, at)).astype(np.int64)
    actor = NEWCOMER + each(s.serial, slot, at).astype(np.int64)
    spot = each(s.spot, slot, at)
    kinds = each(s.kind, slot, at)
    if s.tell:
        s.tell("Explode", model_name(s, slot, at), "explodes", at)
    if s.ground is not None:
        for other in in_order(s, at):
            near = s.live.take(at) & each(s.alive, other, at)
            near &= lookup(s.ground.adjacent, each(s.spot, other, at), spot)
            some = np.flatnonzero(near)
            if len(some):
                who, where = other[some], at[some]
                wounds = s.luck.die(sides[some], "Explode", s.round, actor[some], who, where)
                wounds = endured(s, who, where, wounds)
                wounds = armor_of_model(s, who, where, wounds, "Explode/armor", actor[some], 100 * who)
                hurt_model(s, who, where, wounds, None, "Explode")
    for hero in range(s.heroes):
        near = s.live.take(at) & s.standing[hero].take(at)
        if s.ground is not None:
            near &= lookup(s.ground.adjacent, s.cell[hero].take(at), spot)
        some = np.flatnonzero(near)
        if len(some):
            wounds = s.luck.die(sides[some], "Explode", s.round, actor[some], 100 + hero, at[some])
            for kind in np.unique(kinds[some]):
                of_kind = kinds[some] == kind
                take_wounds(
                    s, hero, at[some][of_kind], wounds[of_kind], "Explode", slot[some][of_kind], kind=int(kind)
                )
