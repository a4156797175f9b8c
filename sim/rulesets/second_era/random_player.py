"""The policy `random`: a hex by lot, then any engage by lot (section 10, P0)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sim.core.choose import count, nth
from sim.core.lanes import Lanes, cut, which
from sim.rulesets.second_era import data
from sim.rulesets.second_era.rules import hero_moves as moves
from sim.rulesets.second_era.rules.dice import PRAYERS, gather, some_dice
from sim.rulesets.second_era.rules.hero_attacks import engage
from sim.rulesets.second_era.state import State

if TYPE_CHECKING:
    from sim.rulesets.second_era.player import Player

ATTACKS = (data.LIGHT, data.HEAVY, data.RANGED, data.MAGIC)


def wander(s: State, hero: int, at: Lanes) -> Lanes:
    """P0 (1): move to a uniform hex of reach(a), the own one included."""
    fill = moves.reach(s, hero, at)
    bits = s.facts.ground.board.bits
    choice = s.luck.below(bits.count(fill.all), "P0-1", s.round, hero, s.turn, at)
    moves.walk_to(s, hero, bits.nth(fill.all, choice), at, fill)
    return at


def anything(heroes: Player, s: State, hero: int, at: Lanes) -> Lanes:
    """P0 (2), (3): forms with their targets, guard, prayers, cloak; one of them by lot. The lanes that had one."""
    at = at[moves.may_roll(s, hero, at)]
    if not len(at):
        return at
    enemies = s.units - s.party
    own = s.facts.ground.board.bits.at(cut(s.cell[hero], at))
    rows = []
    for form in ATTACKS:
        armed = some_dice(heroes.offense(s, hero, form, at), at)
        rows += [(part & own).any(axis=0) & armed for part in moves.engage_sets(s, hero, form, at)]
    rows.append(some_dice(gather(s, hero, (data.COMBAT,), data.DEFENSIVE, at), at))
    rows.append(some_dice(gather(s, hero, PRAYERS, data.MAGIC, at), at))
    rows.append(some_dice(gather(s, hero, (data.CLOAK,), data.LIGHT, at), at))
    options = np.stack(rows)  # (options, lanes)
    index = 10 * s.turn + np.minimum(cut(s.engaged, at), 1).astype(np.int64)
    chosen = nth(options, s.luck.below(count(options), "P0-2", s.round, hero, index, at))
    for place, form in enumerate(ATTACKS):
        some = which((chosen >= place * enemies) & (chosen < (place + 1) * enemies))
        if len(some):
            lanes = at[some]
            target = chosen[some] - place * enemies + s.party
            engage(s, hero, form, target, heroes.offense(s, hero, form, lanes), lanes)
    for place, action in enumerate((heroes.brace, heroes.pray, heroes.hide)):
        some = which(chosen == len(ATTACKS) * enemies + place)
        if len(some):
            action(s, hero, at[some])
    return at[chosen >= 0]
