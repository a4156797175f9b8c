"""Explode: models that go off when they die."""

from __future__ import annotations

import numpy as np

from sim.core.lanes import Lanes, Whole, anyone, cut, each, keep, lookup, put, which
from sim.rulesets.brimstone.look import model_key
from sim.rulesets.brimstone.rules.armor import take_wounds
from sim.rulesets.brimstone.rules.credit import credit
from sim.rulesets.brimstone.rules.damage import is_up
from sim.rulesets.brimstone.rules.models import Blow, armor_of_model, endured, hurt_model, in_order
from sim.rulesets.brimstone.state import NEWCOMER, State

NOT_LIT = np.int16(32_000)


def go_off(s: State, at: Lanes) -> None:
    """Explode: models that have died go off one after the other, in the order of death."""
    if "explode" not in s.facts.any_has:
        return
    while True:
        at = keep(at, cut(s.live, at) & anyone(cut(s.fuse, at) > 0))
        if not len(at):
            return
        fuses = cut(s.fuse, at)
        slot = np.where(fuses > 0, fuses, NOT_LIT).argmin(axis=0)
        put(s.fuse, slot, at, 0)
        explode(s, slot, at)


def explode(s: State, slot: Whole, at: Lanes) -> None:
    """Explode: D3 (D6) wounds to every model and hero next to it, ignoring Defense; models first."""
    sides = s.figure("explode", each(s.profile, slot, at)).astype(np.int64)
    actor = NEWCOMER + each(s.serial, slot, at).astype(np.int64)
    spot = each(s.spot, slot, at)
    kinds = each(s.kind, slot, at)
    for kind in np.unique(kinds).tolist():
        credit(s, kind, "explode", keep(at, kinds == kind), uses=1)
    if s.tell:
        s.tell.event("BF-A12", "explodes", at, who=model_key(s, slot))
    if s.has_board:
        for other in in_order(s, at):
            near = cut(s.live, at) & each(s.alive, other, at)
            near &= lookup(s.ground.adjacent, each(s.spot, other, at), spot)
            some = which(near)
            if len(some):
                caught, struck, by = other[some], at[some], actor[some]
                wounds = s.luck.die(sides[some], "Explode", s.round, by, caught, struck)
                wounds = endured(s, caught, struck, wounds)
                wounds = armor_of_model(s, caught, struck, wounds, "Explode/armor", by, 100 * caught)
                hurt_model(s, caught, struck, wounds, None, Blow("BF-A13", "is_caught"))
    for hero in range(s.heroes):
        near = is_up(s, hero, at)
        if s.has_board:
            near &= lookup(s.ground.adjacent, cut(s.cell[hero], at), spot)
        some = which(near)
        if len(some):
            wounds = s.luck.die(sides[some], "Explode", s.round, actor[some], 100 + hero, at[some])
            for kind in np.unique(kinds[some]):
                mine = kinds[some] == kind
                struck = at[some][mine]
                placed = take_wounds(s, hero, struck, wounds[mine], "Explode", slot[some][mine], int(kind))
                credit(s, int(kind), "explode", struck, hits=1, damage=placed)
