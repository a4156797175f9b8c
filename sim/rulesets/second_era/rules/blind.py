"""Whom Blind units can target (SE-F2): whoever stands strongest beside them, friend or foe."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.board import Bits
from sim.core.board.sets import where
from sim.core.choose import narrow
from sim.core.lanes import Lanes, Mask, Row, Whole, cut, each, lookup, per_lane, which
from sim.core.varying import Varying
from sim.rulesets.second_era.data import BLIND
from sim.rulesets.second_era.rules.targets import cover_sets, in_play
from sim.rulesets.second_era.state import State


def others(s: State, who: Row, at: Lanes) -> Mask:
    """(units, lanes). SE-T1: for a Blind unit every other unit is opposing; hidden ones are left out.

    With `passed_over` friends do not count for units of the party, so that the strongest is always an enemy.
    """
    found = in_play(s, who, at, slice(0, s.units))
    found[who, np.arange(len(at))] = False
    if s.facts.is_on("blind_friends", "passed_over"):
        found[: s.party] &= s.is_enemy(per_lane(who, at))
    return found


def blind_covered(s: State, who: Row, at: Lanes) -> Mask:
    """(units, lanes). SE-F2: the strongest unit of either side in reach and in sight; all of them if tied.

    By the errata only adjacent units are in reach; by the rulebook reach stays what it was.
    """
    ground = s.facts.ground
    start, cells = each(s.cell, who, at), cut(s.cell, at)
    if s.facts.is_on("blind_rule", "errata"):
        near = lookup(ground.adjacent, start, cells) & lookup(ground.sees, start, cells)
    else:
        near = s.find(s.facts.covers, at, each(s.kind, who, at), start, cells)
    return narrow(near & others(s, who, at), cut(s.hp, at), largest=True)


def blind_sets(s: State, who: Row, at: Lanes) -> list[Bits]:
    """By unit: the hexes from which it would be in the cover of a Blind unit."""
    if s.facts.is_on("blind_rule", "errata"):
        return sets_of_the_strongest(s, who, at, s.facts.ground.beside)
    who = per_lane(who, at)
    kinds = each(s.kind, who, at)
    sets = [s.facts.ground.board.bits.none(len(at)) for _ in range(s.units)]
    for kind in np.unique(kinds):
        alike = which(kinds == kind)
        shots: Any = s.facts.shots
        reach: Any = Varying(shots.table[:, :, kind]) if isinstance(shots, Varying) else shots[:, kind]
        for unit, part in enumerate(sets_of_the_strongest(s, who[alike], at[alike], reach)):
            sets[unit][:, alike] = part
    return sets


def sets_of_the_strongest(s: State, who: Row, at: Lanes, reach: Bits) -> list[Bits]:
    """By unit: the hexes that have it in reach, a (words, cell) table, and nobody stronger. Every other unit counts."""
    opposing = others(s, who, at)
    cells, hp = cut(s.cell, at), cut(s.hp, at)
    near = [where(s.find_columns(reach, at, cells[unit]), opposing[unit]) for unit in range(s.units)]
    sets = []
    for unit in range(s.units):
        mine = near[unit].copy()
        for other in range(s.units):
            if other != unit:
                mine &= ~where(near[other], hp[other] > hp[unit])
        sets.append(mine)
    return sets


def cover_sets_of_all(s: State, e: Whole, at: Lanes) -> list[Bits]:
    """By unit: the hexes that cover it; in lanes with a Blind enemy as SE-F2 says, else of the party alone."""
    party = slice(0, s.party)
    sets = cover_sets(s, e, at, party, in_play(s, e, at, party))
    blind = s.under(BLIND, e, at)
    if not blind.any():
        return sets
    nothing = s.facts.ground.board.bits.none(len(at))
    sets += [nothing] * (s.units - s.party)
    return [np.where(blind, of_blind, plain) for of_blind, plain in zip(blind_sets(s, e, at), sets, strict=True)]
