"""Whose doing it was: what each kind of enemy did with what it can do, for the tables."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sim.core.lanes import Lanes, Whole, which
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
    s.ledger.uses[row][at] += uses
    s.ledger.hits[row][at] += hits
    s.ledger.damage[row][at] += damage


def sum_before(lane: Whole, amount: NDArray[np.bool_ | np.integer]) -> Whole:
    """(entries,). What the earlier entries of the same lane add up to."""
    if not len(lane):
        return np.zeros(0, dtype=np.int64)
    order = np.argsort(lane, kind="stable")
    sorted_lane, sorted_amount = lane[order], amount[order].astype(np.int64)
    running = np.cumsum(sorted_amount) - sorted_amount
    starts = which(np.r_[True, sorted_lane[1:] != sorted_lane[:-1]])
    lengths = np.diff(np.r_[starts, len(lane)])
    before = np.empty(len(lane), dtype=np.int64)
    before[order] = running - np.repeat(running[starts], lengths)
    return before


def parts(lane: Whole, amount: Whole, placed: Whole) -> Whole:
    """(entries,). What of each entry was placed, where not all was (runs,): the first of a batch count first."""
    return np.clip(placed[lane] - sum_before(lane, amount), 0, amount)
