"""Health lost and regained, going down, and the end of the encounter (sections 7 and 8)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.batch import Lanes
from sim.core.outcomes import Outcome
from sim.rulesets.overhill.state import State

Whole = NDArray[np.int64]


def wound(s: State, hero: int | Whole, at: Lanes, amount: int | NDArray[Any]) -> Whole:
    """OU-D4, OU-U4: health falls, never below 0; at 0 the hero is down. Returns the health really lost.

    OU-Z2: the encounter is lost at once if nobody stands any more.
    """
    before = s.health[hero, at]
    lost = np.minimum(before, amount)
    s.health[hero, at] = before - lost
    s.ledger.damage_taken[hero, at] += lost
    fell = (before > 0) & (lost == before)
    if fell.any():
        go_down(s, hero if isinstance(hero, int) else hero[fell], at[fell])
    return lost.astype(np.int64)


def go_down(s: State, hero: int | Whole, at: Lanes) -> None:
    """OU-D4: the hero is down; paralysis and blessings end. OU-Z2: with the last one the encounter is lost."""
    s.paralysed[hero, at] = 0
    s.blessed[:, hero, at] = False
    s.ledger.fell(hero, at, s.round)
    if s.tell:
        s.tell("OU-D4", _one(hero), "goes down", at)
    nobody = at[~s.standing(at).any(axis=0)]
    if len(nobody):
        s.decide(nobody, Outcome.LOSS)
        if s.tell:
            s.tell("OU-Z2", "", "No hero stands: the party has lost.", nobody)


def restore(s: State, hero: int | Whole, healer: int, at: Lanes, amount: NDArray[Any]) -> Whole:
    """OU-D11: health rises, never above the maximum. Returns the health really regained."""
    before = s.health[hero, at]
    gained = np.minimum(amount, s.facts.max_health[hero, 0] - before)
    s.health[hero, at] = before + gained
    s.ledger.healing[healer, at] += gained.astype(np.int32)
    return gained.astype(np.int64)


def remove_monsters(s: State, hero: int, group: Whole, at: Lanes, hits: NDArray[Any], ability: str) -> Whole:
    """OU-A1, OU-U5, OU-U7: each hit removes one monster of the group, surplus hits are lost, kills are remembered."""
    removed = np.minimum(hits, s.n[group, at])
    s.n[group, at] -= removed.astype(np.int16)
    s.kills_now[hero, group, at] += removed.astype(np.int16)
    s.ledger.damage_dealt[hero, at] += removed
    s.ledger.kills[hero, at] += removed
    row = s.ability(hero, ability)
    s.ledger.hits[row, at] += removed > 0
    s.ledger.damage[row, at] += removed
    unit = s.unit[group, at]
    s.ledger.damage_taken[unit, at] += removed
    emptied = (removed > 0) & (s.n[group, at] == 0)
    if emptied.any():
        s.ledger.fell(unit[emptied].astype(np.int64), at[emptied], s.round)
    return removed


def check_win(s: State, at: Lanes) -> None:
    """OU-Z1: with no monster left and a hero standing the encounter is won at once."""
    won = at[s.live[at] & ~s.n[:, at].any(axis=0)]
    if len(won):
        s.decide(won, Outcome.WIN)
        if s.tell:
            s.tell("OU-Z1", "", "No monster is left: the party has won.", won)


def _one(hero: int | Whole) -> int:
    """The hero of the only lane, for telling."""
    return hero if isinstance(hero, int) else int(hero[0])
