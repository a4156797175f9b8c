"""Everybody's turns in the order of play (P52-T1, P52-T4)."""

from __future__ import annotations

import numpy as np

from sim.core.lanes import Lanes, Tiny, anywhere, columns, cut, keep, which
from sim.rulesets.p52.rules.enemy_turns import enemy_turn
from sim.rulesets.p52.rules.hero_turns import TakeTurn, hero_turn
from sim.rulesets.p52.state import State

HEROES_FIRST, ENEMIES_FIRST = 1, 2  # who is favoured in round 1 (P52-S6)


def play_turns(s: State, take_turn: TakeTurn, at: Lanes, only: list[int] | None = None) -> None:
    """P52-T1, P52-T4: every unit takes one turn in the order of play; k is 0 at the start."""
    everywhere = anywhere(at, s.size)
    s.pushed[everywhere] = 0
    s.received[:, everywhere] = 0
    s.struck[:, everywhere] = 0
    order = cut(s.order, at)
    if only is None and not s.facts.is_on("drop_mode", "off"):
        order = favoured_order(s, order, at)
    units = s.heroes + s.space.slots
    for row in order[:units]:
        first = int(row[0])
        alike = bool((row == first).all())  # the usual case: the same unit in all runs
        for unit in [first] if alike else np.unique(row).tolist():
            if unit >= units or (only is not None and unit not in only):
                continue
            mine = at if alike else keep(at, row == unit)
            mine = keep(mine, cut(s.on, mine))
            if not len(mine):
                continue
            if s.tell:
                s.tell.turn()
            if unit < s.heroes:
                hero_turn(s, take_turn, unit, mine)
            else:
                enemy_turn(s, unit - s.heroes, mine)


def favoured_order(s: State, order: Tiny, at: Lanes) -> Tiny:
    """P52-S6 `first_round`: in round 1 the favoured side goes first, each side in its own order."""
    special = which((cut(s.favoured, at) > 0) & (cut(s.stage_round, at) == 1))
    if not len(special):
        return order
    order = order.copy()
    part = columns(order, special)
    theirs = part >= s.heroes
    favoured = cut(s.favoured, at[special])
    late = np.where(favoured == HEROES_FIRST, theirs, ~theirs | (part >= s.heroes + s.space.slots))
    order[:, special] = np.take_along_axis(part, np.argsort(late, axis=0, kind="stable"), axis=0)
    return order
