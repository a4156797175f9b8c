"""What heroes do besides flipping."""

from __future__ import annotations

from sim.core.lanes import Lanes, Whole, add, keep, put
from tests.games.coins.rules.flips import coins
from tests.games.coins.state import State


def give(s: State, hero: int, friend: Whole, at: Lanes) -> None:
    """CD-F3: coins of the bank for a friend."""
    alms, row = s.facts.alms[hero], s.facts.ability_row[hero, "give"]
    add(s.coins, friend, at, alms)
    s.ledger.uses[row][at] += 1
    s.ledger.hits[row][at] += 1
    s.ledger.healing[hero][at] += alms
    if s.tell:
        s.tell.event("CD-F3", "gives", at, who=hero, whom=friend, healed=alms)


def bluff(s: State, hero: int, foe: Whole, at: Lanes) -> None:
    """CD-F4: on heads the foe misses its next turn."""
    row = s.facts.ability_row[hero, "bluff"]
    heads = s.luck.below(2, "CD-F4", s.round, s.facts.actor(hero), 0, at) == 1
    fooled = keep(at, heads)
    put(s.bluffed, keep(foe, heads), fooled, True)
    s.ledger.uses[row][at] += 1
    s.ledger.hits[row][fooled] += 1
    if s.tell:
        s.tell.event("CD-F4", "bluffs", at, who=hero, whom=foe, rolls=[coins([heads])], heads=heads)
