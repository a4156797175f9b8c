"""The policy `random`: a hex by lot, then any engage by lot."""

from __future__ import annotations

import numpy as np

from sim.core.board.sets import pick_cell
from sim.core.choose import draw_lot, pick
from sim.core.lanes import Lanes, cut, which
from sim.rulesets.second_era import data
from sim.rulesets.second_era.rules import hero_moves
from sim.rulesets.second_era.rules.dice import bracing, cloaks, offense, prayers, some_dice
from sim.rulesets.second_era.rules.hero_attacks import brace, engage, hide, pray
from sim.rulesets.second_era.state import State

ATTACKS = (data.LIGHT, data.HEAVY, data.RANGED, data.MAGIC)


def wander(s: State, hero: int, at: Lanes) -> Lanes:
    """Move to a uniform hex of reach(a), the own one included."""
    fill = hero_moves.reach(s, hero, at)
    lot = draw_lot(s.luck, "P0-1", s.round, hero, s.turn, at)
    hero_moves.walk_to(s, hero, pick_cell(s.facts.ground.board.bits, fill.all, lot), at, fill)
    return at


def anything(s: State, hero: int, at: Lanes) -> Lanes:
    """Forms with their targets, guard, prayers, cloak; one of them by lot. The lanes that had one."""
    at = at[hero_moves.may_roll(s, hero, at)]
    if not len(at):
        return at
    enemies = s.units - s.party
    own = s.facts.ground.board.bits.at(cut(s.cell[hero], at))
    rows = []
    for form in ATTACKS:
        armed = some_dice(offense(s, hero, form, at), at)
        rows += [(part & own).any(axis=0) & armed for part in hero_moves.engage_sets(s, hero, form, at)]
    rows.append(some_dice(bracing(s, hero, at), at))
    rows.append(some_dice(prayers(s, hero, at), at))
    rows.append(some_dice(cloaks(s, hero, at), at))
    index = 10 * s.turn + (cut(s.engaged, at) > 0)
    chosen = pick(np.stack(rows), lot=draw_lot(s.luck, "P0-2", s.round, hero, index, at))
    for place, form in enumerate(ATTACKS):
        some = which((chosen >= place * enemies) & (chosen < (place + 1) * enemies))
        if len(some):
            engaging = at[some]
            target = chosen[some] - place * enemies + s.party
            engage(s, hero, form, target, offense(s, hero, form, engaging), engaging)
    for place, action in enumerate((brace, pray, hide)):
        some = which(chosen == len(ATTACKS) * enemies + place)
        if len(some):
            action(s, hero, at[some])
    return at[chosen >= 0]
