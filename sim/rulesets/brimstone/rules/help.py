"""Help: bringing back a KO'd hero in the fight (BF-H27)."""

from __future__ import annotations

import numpy as np

from sim.core.board import Bits
from sim.core.board.sets import preferred
from sim.core.choose import first
from sim.core.lanes import Lanes, Mask, Whole, anyone, columns, cut, keep, lookup, which
from sim.rulesets.brimstone.look import health_shown
from sim.rulesets.brimstone.rules.ending import restore
from sim.rulesets.brimstone.rules.places import Cell, any_square, occupied, return_hero
from sim.rulesets.brimstone.state import State

HELP_XP = 25


def whom_to_help(s: State, hero: int, at: Lanes) -> Whole:
    """(lanes,). BF-H27, BF-P14: the first KO'd hero in posse order beside this one, no enemy on its tile."""
    return first(np.stack([can_be_helped(s, hero, other, at) for other in range(s.heroes)]))


def can_be_helped(s: State, hero: int, other: int, at: Lanes) -> Mask:
    """(lanes,). BF-H27: whether Help is legal."""
    down = ~cut(s.standing[other], at) & ~cut(s.dead[other], at) & ~cut(s.removed[other], at)
    if not s.has_board or not down.any():
        # BF-G10: all are on one tile, so an enemy is always on the marker's.
        return np.zeros(len(at), dtype=bool)
    marker = cut(s.cell[other], at)
    near = lookup(s.ground.at_or_beside, cut(s.cell[hero], at), marker)
    watched = cut(s.alive, at) & lookup(s.ground.same_tile, cut(s.spot, at), marker)
    return down & near & ~anyone(watched)


def help_hero(s: State, hero: int, at: Lanes, other: Whole) -> None:
    """BF-H27: the revived hero heals 2D6 and returns on the marker's square or beside it; 25 XP, once per fight."""
    for who in np.unique(other).tolist():
        helped = keep(at, other == who)
        dice = [s.luck.die(6, "BF-H27", s.round, hero, i, helped) for i in range(4)]
        before = health_shown(s, who) if s.tell else 0
        restore(s, who, helped, dice)
        come_back(s, who, helped, "BF-H27", hero, 4)
        if s.tell:
            healed, xp = health_shown(s, who) - before, HELP_XP * (not s.rescuer[hero, 0])
            s.tell.event("BF-H27", "helps", helped, who=hero, whom=who, healed=healed, xp=xp)
    if not s.facts.plot.heroes[hero].ally:
        first_time = keep(at, ~cut(s.rescuer[hero], at))
        s.xp[hero, first_time] += HELP_XP
        s.rescuer[hero, first_time] = True


def come_back(s: State, hero: int, at: Lanes, purpose: str, actor: int, index: int) -> None:
    """BF-H27: on the marker's square, else on a random free adjacent one, else on the nearest free one."""
    cell = columns(s.cell[hero], at)
    if s.has_board:
        taken = occupied(s, at)
        some = which(s.ground.bits.has(taken, cell))
        if len(some):
            squares = nearest_free(s, cell[some], columns(taken, some))
            cell[some] = any_square(s, squares, purpose, actor, index, at[some])
    return_hero(s, hero, at, cell)


def nearest_free(s: State, cell: Cell, taken: Bits) -> Bits:
    """(words, lanes). The free squares with the smallest `steps` from a cell; all where none can be reached."""
    free = s.ground.bits.every & ~taken
    return preferred(free, s.ground.board.reach(cell).nearest(free)[0])
