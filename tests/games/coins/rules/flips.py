"""A flip, and what heads does."""

from __future__ import annotations

import numpy as np

from sim.core.lanes import Lanes, Mask, Small, Whole, add, each, keep, put
from sim.core.telling import Roll
from tests.games.coins.state import State


def flip(s: State, unit: int, target: Whole, at: Lanes) -> None:
    """CD-F2: heads takes coins from the target, one per lane."""
    actor, row = s.facts.actor(unit), s.facts.ability_row[unit, "flip"]
    faces = [s.luck.below(2, "CD-F2", s.round, actor, 0, at) == 1]
    if unit < s.facts.heroes and s.facts.horseshoe[unit]:
        faces.append(s.luck.below(2, "CD-F2", s.round, actor, 1, at) == 1)
    heads: Mask = np.any(faces, axis=0)
    s.ledger.uses[row][at] += 1
    hit, struck = keep(at, heads), keep(target, heads)
    loss = np.minimum(s.facts.heads_takes, each(s.coins, struck, hit))
    s.ledger.hits[row][hit] += 1
    s.ledger.damage[row][hit] += loss
    fallen, ruined = lose(s, unit, struck, hit, loss)
    if s.tell and len(at):
        s.tell.event("CD-F2", "flips", at, who=unit, whom=target, rolls=[coins(faces)], heads=heads, damage=loss.sum())
        s.tell.event("CD-F2", "goes_down", fallen, who=fallen, ruined=ruined)


def coins(faces: list[Mask]) -> Roll:
    """The coins of a flip as they lie: one head is enough."""
    heads = [bool(face[0]) for face in faces]
    return Roll(
        faces=tuple("heads" if head else "tails" for head in heads),
        needed="heads",
        counted=tuple(heads),
        chance=1 - 0.5 ** len(heads),
        came=float(any(heads)),
        expected=1 - 0.5 ** len(heads),
        measure="hits",
    )


def lose(s: State, unit: int, target: Whole, at: Lanes, loss: Small) -> tuple[Whole, Mask]:
    """CD-F2: the target's coins are gone; whoever loses the last one is down, perhaps for good. Returns both."""
    add(s.coins, target, at, -loss)
    s.taken[at] += loss
    s.ledger.damage_dealt[unit][at] += loss
    add(s.ledger.damage_taken, target, at, loss)
    emptied = each(s.coins, target, at) == 0
    down, fallen = keep(at, emptied), keep(target, emptied)
    s.ledger.kills[unit][down] += 1
    s.ledger.fell(fallen, down, s.round)
    for_good = s.luck.below(2, "CD-F2 ruin", s.round, s.facts.actor(unit), 0, down) == 1
    put(s.ruined, fallen, down, for_good)
    return fallen, for_good
