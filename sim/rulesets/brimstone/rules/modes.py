"""Modes of attack: how many dice a mode has, what they need, and whom they may hit (BF-H12 to BF-H15, BF-P2).

The lanes may repeat: a policy that weighs squares asks about a run once for every square.
"""

from __future__ import annotations

import numpy as np

from sim.core.lanes import Lanes, Mask, Small, Tiny, anyone, columns, lookup
from sim.rulesets.brimstone.build import HATCHET, MELEE, Mode
from sim.rulesets.brimstone.data import VENOM
from sim.rulesets.brimstone.rules.places import Cell, adjacent_models
from sim.rulesets.brimstone.state import State


def dice_of(s: State, hero: int, mode: int, at: Lanes) -> Tiny:
    """(lanes,). BF-H12 to BF-H14: the dice of a mode; 1 for free items (BF-H25)."""
    if mode >= len(s.facts.plot.heroes[hero].modes):
        return np.ones(len(at), dtype=np.int8)
    return columns(s.dice[hero, mode], at)


def off_hand_dice(s: State, hero: int, mode: Mode, dice: Tiny, at: Lanes) -> Tiny:
    """(lanes,). BF-H19: how many of the dice of two guns are those of the second, which need 1 more."""
    return np.maximum(0, dice - mode.first_shots - columns(s.shot_bonus[hero], at))


def number_needed(s: State, hero: int, mode: Mode, at: Lanes, cell: Cell) -> Tiny:
    """(lanes,). BF-H15: the To Hit number with all modifiers, at least 2 and at most 6, or 8 on a D8."""
    base = s.th_ranged if mode.ranged else s.th_melee
    needed = columns(base[hero], at) + (columns(s.status[VENOM, hero], at) > 0)
    if "daunt" in s.facts.any_has:
        needed = needed + daunted(s, at, cell)
    return np.clip(needed, 2, mode.sides)


def daunted(s: State, at: Lanes, cell: Cell) -> Mask:
    """(lanes,). Elite Hungry Dead: heroes on their tile need 1 more."""
    daunting = columns(s.alive, at) & (s.figure("daunt", columns(s.profile, at)) > 0)
    if s.has_board:
        daunting &= lookup(s.ground.same_tile, columns(s.spot, at), cell)
    return anyone(daunting)


def throwing_range(s: State, hero: int, at: Lanes) -> Small:
    """(lanes,). BF-H20: how far the hero throws."""
    return columns(s.strength[hero], at) + np.int16(3)


def legal_targets(s: State, hero: int, mode: Mode, at: Lanes, cell: Cell) -> Mask:
    """(slots, lanes). BF-P2, BF-H12, BF-H13: melee adjacent enemies; guns adjacent ones first, else those in range."""
    if mode.sort == MELEE or not s.has_board:
        return adjacent_models(s, cell, at)
    spots = columns(s.spot, at)
    if mode.sort == HATCHET:
        near = lookup(s.ground.nearness(s.ground.largest_range), spots, cell)
        near *= (near == 2) | (lookup(s.ground.range, spots, cell) <= throwing_range(s, hero, at))
    else:
        near = lookup(s.ground.nearness(mode.reach), spots, cell)
    near *= columns(s.alive, at)
    nearest = np.maximum.reduce(near, axis=0)  # (lanes,) 2 if somebody is adjacent, else 1 if somebody is in range
    legal: Mask = (near == nearest) & (nearest > 0)
    return legal


def has_targets(s: State, hero: int, mode: Mode, at: Lanes, cell: Cell) -> Mask:
    """(lanes,). Whether there is a legal target at all: asked of the squares of all enemies at once where possible."""
    if mode.sort == HATCHET or not s.has_board:
        return anyone(legal_targets(s, hero, mode, at, cell))
    ground = s.ground
    open_to = ground.beside if mode.sort == MELEE else ground.beside | ground.in_range(mode.reach)
    return ground.bits.any(columns(open_to, cell) & columns(s.enemy_bits, at))
