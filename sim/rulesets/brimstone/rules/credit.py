"""Whose doing it was: what each kind of enemy did with what it can do, for the tables."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sim.core.lanes import Lanes, Whole
from sim.rulesets.brimstone.state import State

Amount = int | NDArray[np.integer]  # one for all lanes, or (lanes,)

BLOWS, FLAIL, SHOTS = "melee", "flail", "shooting"  # the attacks of a kind in phase B


def blow_of(s: State, kind: int) -> str:
    """What the melee attack of a kind is called."""
    return FLAIL if s.kind_may(kind, "flail") else BLOWS


def credit(
    s: State, kind: int, ability: str, at: Lanes, *, uses: Amount = 0, hits: Amount = 0, damage: Amount = 0
) -> None:
    """A kind has done something, in lanes that do not repeat: how often, with how many hits, for how many wounds."""
    row = s.facts.ability_row[s.facts.unit_row[kind], ability]
    for account, amount in ((s.ledger.uses, uses), (s.ledger.hits, hits), (s.ledger.damage, damage)):
        if isinstance(amount, np.ndarray) or amount:
            account[row][at] += amount


def sum_before(lane: Whole, amount: NDArray[np.bool_ | np.integer]) -> Whole:
    """(entries,). What the earlier entries of the same lane add up to; those of a lane must lie side by side."""
    running: Whole = np.cumsum(amount, dtype=np.int64)
    running -= amount  # of all entries before
    begins = np.ones(len(lane), dtype=bool)
    np.not_equal(lane[1:], lane[:-1], out=begins[1:])
    return running - np.maximum.accumulate(running * begins)  # less what it was where the lane begins


def parts(lane: Whole, amount: Whole, placed: Whole) -> Whole:
    """(entries,). What of each entry was placed, where not all was (runs,): the first of a batch count first."""
    return np.clip(placed[lane] - sum_before(lane, amount), 0, amount)
