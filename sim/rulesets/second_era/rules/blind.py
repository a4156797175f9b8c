"""Blind enemies and companions (SE-F2, I29): they strike whoever stands strongest beside them."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.board import FAR, Bits
from sim.core.choose import narrow
from sim.core.lanes import Lanes, Mask, cut, each, which
from sim.rulesets.second_era.rules.places import closest, in_play, where
from sim.rulesets.second_era.state import State


def others(s: State, who: Any, at: Lanes) -> Mask:
    """(units, lanes). SE-T1: for a Blind unit every other unit is opposing; hidden ones are left out."""
    there = in_play(s, who, at, slice(0, s.units))
    there[who, np.arange(len(at))] = False
    return there


def blind_covered(s: State, who: Any, at: Lanes) -> Mask:
    """(units, lanes). SE-F2: the strongest unit of either side in reach and in sight; all of them if tied."""
    ground = s.facts.ground
    start = each(s.cell, who, at).astype(np.int32)
    cells = cut(s.cell, at)
    if s.facts.is_on("blind_rule", "errata"):
        place = start * ground.width + cells
        near = ground.adjacent.take(place) & ground.sees.take(place)
    else:
        base = (each(s.kind, who, at).astype(np.int32) * ground.width + start) * ground.width
        near = s.facts.covers.take(base + cells)
    return narrow(near & others(s, who, at), cut(s.hp, at), largest=True)


def blind_sets(s: State, who: Any, at: Lanes) -> list[Bits]:
    """By unit: the hexes from which it would be in the cover of a Blind unit."""
    if s.facts.is_on("blind_rule", "errata"):
        return sets_of_the_strongest(s, who, at, s.facts.ground.rows(1, 1))
    kinds = each(s.kind, who, at)
    width = s.facts.ground.width
    sets = [s.facts.ground.board.bits.none(len(at)) for _ in range(s.units)]
    for kind in np.unique(kinds):
        lane = which(kinds == kind)
        near = s.facts.shots[:, int(kind) * width : (int(kind) + 1) * width]
        for unit, part in enumerate(sets_of_the_strongest(s, who[lane], at[lane], near)):
            sets[unit][:, lane] = part
    return sets


def sets_of_the_strongest(s: State, who: Any, at: Lanes, reach: Bits) -> list[Bits]:
    """By unit: the hexes that have it in reach (a table of rows) and nobody stronger. Every other unit counts."""
    there = others(s, who, at)
    cells, hp = cut(s.cell, at), cut(s.hp, at)
    near = [where(there[unit], reach.take(cells[unit], axis=1)) for unit in range(s.units)]
    sets = []
    for unit in range(s.units):
        mine = near[unit].copy()
        for other in range(s.units):
            if other != unit:
                mine &= ~where(hp[other] > hp[unit], near[other])
        sets.append(mine)
    return sets


def blind_cover_sets(s: State, e: Any, at: Lanes, blind: Mask) -> list[Bits]:
    """By unit: the hexes that cover it, for lanes some of which have a Blind enemy."""
    from sim.rulesets.second_era.rules.places import shots

    seen = in_play(s, e, at, slice(0, s.party))
    cells = cut(s.cell, at)
    sets = blind_sets(s, e, at)
    for unit in range(s.units):
        plain = where(seen[unit], shots(s, e, at, cells[unit])) if unit < s.party else np.zeros_like(sets[unit])
        sets[unit] = np.where(blind, sets[unit], plain)
    return sets


def move_blind(s: State, e: Any, at: Lanes, step: int) -> None:
    """SE-F2: without cover it goes next to the closest other unit that is not hidden, the strongest on a tie."""
    from sim.rulesets.second_era.rules.enemy_moves import (
        _cover_sets,
        approach,
        choose_hex,
        closest_unit,
        walk_toward,
    )

    goes = which(~np.asarray(blind_covered(s, e, at).any(axis=0)))
    e, at = e[goes], at[goes]
    if not len(at):
        return
    unit = closest_unit(s, e, at, others(s, e, at), -cut(s.hp, at), step)
    lost = which(unit < 0)
    if len(lost):  # SE-M9: everybody counts, hidden or not
        stray, lanes = e[lost], at[lost]
        there = cut(s.cell, lanes) >= 0
        there[stray, np.arange(len(lanes))] = False
        anyone = closest_unit(s, stray, lanes, there, cut(s.hp, lanes) * s.stat(s.facts.sign, stray, lanes), step)
        some = which(anyone >= 0)
        if len(some):
            approach(s, stray[some], lanes[some], anyone[some], step)
    some = which(unit >= 0)
    e, at, unit = e[some], at[some], unit[some]
    if not len(at):
        return
    ground = s.facts.ground
    occupied = cut(s.occupied, at)
    beside = ground.rings[:, 1].take(each(s.cell, unit, at), axis=1)
    tied, walk = closest(s, each(s.cell, e, at), beside & ~occupied, occupied)
    blocked = which(walk == FAR)
    if len(blocked):
        approach(s, e[blocked], at[blocked], unit[blocked], step)
    some = which(walk < FAR)
    if len(some):
        e, at, tied, walk = e[some], at[some], tied[:, some], walk[some]
        sets = _cover_sets(s, e, at)
        walk_toward(s, e, at, choose_hex(s, e, at, tied, sets, "SE-M4", step), walk, sets, step)
