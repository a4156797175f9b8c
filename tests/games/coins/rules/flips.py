"""A flip, and what heads does."""

from __future__ import annotations

import numpy as np

from sim.core.lanes import Lanes, Small, Whole, add, each, keep, put
from tests.games.coins.state import State


def flip(s: State, unit: int, target: Whole, at: Lanes) -> None:
    """CD-F2: heads takes coins from the target, one per lane."""
    actor, row = s.facts.actor(unit), s.facts.ability_row[unit, "flip"]
    heads = s.luck.below(2, "CD-F2", s.round, actor, 0, at) == 1
    if unit < s.facts.heroes and s.facts.horseshoe[unit]:
        heads |= s.luck.below(2, "CD-F2", s.round, actor, 1, at) == 1
    if s.tell:
        s.tell("CD-F2", unit, "flips a coin", at, heads=heads)
    s.ledger.uses[row][at] += 1
    hit, struck = keep(at, heads), keep(target, heads)
    loss = np.minimum(s.facts.heads_takes, each(s.coins, struck, hit))
    s.ledger.hits[row][hit] += 1
    s.ledger.damage[row][hit] += loss
    lose(s, unit, struck, hit, loss)


def lose(s: State, unit: int, target: Whole, at: Lanes, loss: Small) -> None:
    """CD-F2: the target's coins are gone; whoever loses the last one is down, perhaps for good."""
    add(s.coins, target, at, -loss)
    s.taken[at] += loss
    s.ledger.damage_dealt[unit][at] += loss
    add(s.ledger.damage_taken, target, at, loss)
    emptied = each(s.coins, target, at) == 0
    down, fallen = keep(at, emptied), keep(target, emptied)
    s.ledger.kills[unit][down] += 1
    s.ledger.fell(fallen, down, s.round)
    put(s.ruined, fallen, down, s.luck.below(2, "CD-F2 ruin", s.round, s.facts.actor(unit), 0, down) == 1)
