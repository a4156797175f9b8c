"""Armor of heroes, and wounds that come without hits (BF-A3(6), BF-A13)."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.lanes import Lanes, Whole
from sim.rulesets.brimstone.rules.damage import wound
from sim.rulesets.brimstone.state import State

BATCH = 4096  # the index of a die is BATCH x number of the batch + place

Number = int | Whole  # of a batch: one for all, or one per run of all runs (runs,)


def first_index(number: Number, lane: Whole) -> Any:
    """(lanes,), or one for all. The index of the first die of a batch."""
    return BATCH * (number if isinstance(number, int) else number.take(lane))


def armor_saves(s: State, hero: int, at: Lanes, wounds: Whole, name: str, first: Any) -> Whole:
    """(lanes,). BF-A3(6): how many wounds Armor prevents, one D6 each."""
    armor = s.facts.plot.heroes[hero].armor
    prevented = np.zeros(len(at), dtype=np.int64)
    number = np.where(s.cigar[hero].take(at), min(armor or 3, 3), armor)
    if not number.any():
        return prevented
    first = np.broadcast_to(first, len(at))
    for i in range(int(wounds.max(initial=0))):
        more = np.flatnonzero((wounds > i) & (number > 0))
        die = s.luck.die(6, f"{name}/armor", s.round, hero, first[more] + i, at[more])
        prevented[more] += die >= number[more]
    return prevented


def take_wounds(
    s: State,
    hero: int,
    at: Lanes,
    amount: Any,
    name: str,
    number: Number,
    armor: bool = True,
    kind: int | None = None,
) -> None:
    """Wounds that come without hits (BF-A13, 7.5): saved by Armor alone. `number` is one for all or per lane."""
    wounds = np.broadcast_to(np.asarray(amount, dtype=np.int64), len(at)).copy()
    if armor:
        wounds -= armor_saves(s, hero, at, wounds, name, BATCH * number)
    hit = wounds > 0
    wound(s, hero, at[hit], wounds[hit], name, kind)
