"""Help: bringing back a KO'd hero in the fight (BF-H27)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.choose import first
from sim.core.lanes import Lanes, Mask, Whole, columns, lookup
from sim.rulesets.brimstone.rules.ending import restore
from sim.rulesets.brimstone.rules.places import by_lot, occupied, return_hero
from sim.rulesets.brimstone.state import State

HELP_XP = 25


def whom_to_help(s: State, hero: int, at: Lanes) -> Whole:
    """(lanes,). BF-H27, BF-P14, I46: the first KO'd hero whose marker is here or adjacent, no enemy on its tile."""
    return first(np.stack([can_be_helped(s, hero, other, at) for other in range(s.heroes)]))


def can_be_helped(s: State, hero: int, other: int, at: Lanes) -> Mask:
    """(lanes,). BF-H27: whether Help is legal."""
    down = ~s.standing[other].take(at) & ~s.dead[other].take(at) & ~s.removed[other].take(at)
    if s.ground is None or not down.any():
        # BF-G10: all are on one tile, so an enemy is always on the marker's.
        return np.zeros(len(at), dtype=bool)
    cell, marker = s.cell[hero].take(at), s.cell[other].take(at)
    near = (cell == marker) | lookup(s.ground.adjacent, cell, marker)
    watched = columns(s.alive, at) & lookup(s.ground.same_tile, columns(s.spot, at), marker)
    return down & near & ~watched.any(axis=0)


def help_hero(s: State, hero: int, at: Lanes, other: Whole) -> None:
    """BF-H27: the revived hero heals 2D6 and returns on the marker's square or beside it; 25 XP, once per fight."""
    for who in np.unique(other):
        some = at[other == who]
        dice = [s.luck.die(6, "BF-H27", s.round, hero, i, some) for i in range(4)]
        restore(s, int(who), some, dice)
        come_back(s, int(who), some, "BF-H27", hero, 4)
        if s.tell:
            s.tell("BF-H27", hero, f"helps {s.facts.plot.heroes[int(who)].name} up", some)
    if not s.facts.plot.heroes[hero].ally:
        first_time = at[~s.rescuer[hero].take(at)]
        s.xp[hero, first_time] += HELP_XP
        s.rescuer[hero, first_time] = True


def come_back(s: State, hero: int, at: Lanes, purpose: str, actor: int, index: int) -> None:
    """BF-H27, I42: on the marker's square, else on a random free adjacent one, else on the nearest free one."""
    cell = s.cell[hero].take(at).astype(np.int64)
    if s.ground is not None:
        bits = s.ground.bits
        taken = occupied(s, at)
        some = np.flatnonzero(bits.has(taken, cell))
        if len(some):
            cell[some] = nearest_free(s, at[some], cell[some], taken[:, some], purpose, actor, index)
    return_hero(s, hero, at, cell)


def nearest_free(
    s: State, at: Lanes, cell: NDArray[Any], taken: NDArray[np.uint64], purpose: str, actor: int, index: int
) -> Whole:
    """(lanes,). I42: one of the free squares with the smallest `steps`, by lot."""
    assert s.ground is not None
    free = s.ground.bits.every & ~taken
    nearest, _ = s.ground.board.reach(cell).nearest(free)
    nearest = np.where(s.ground.bits.any(nearest), nearest, free)
    return by_lot(s, nearest, purpose, actor, index, at)
