"""Armor of heroes, and wounds that come without hits (BF-A3(6), BF-A13)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sim.core.lanes import Lanes, Row, Whole, cut, keep, which
from sim.core.telling import Roll, dice
from sim.rulesets.brimstone.rules.damage import wound
from sim.rulesets.brimstone.state import State

BATCH = 4096  # the index of a die is BATCH x number of the batch + place
CIGAR_ARMOR = 3


def armor_saves(s: State, hero: int, at: Lanes, wounds: Whole, name: str, first: Row) -> Whole:
    """(lanes,). BF-A3(6): how many wounds Armor prevents, one D6 each; `first` is the index of the first die."""
    armor = s.own(s.facts.plot.heroes[hero].armor, at)
    prevented = np.zeros(len(at), dtype=np.int64)
    smoking = np.minimum(np.where(armor == 0, CIGAR_ARMOR, armor), CIGAR_ARMOR)
    number = np.where(cut(s.cigar[hero], at), smoking, armor)
    if not number.any():
        return prevented
    index = np.broadcast_to(first, len(at))
    for i in range(int(wounds.max(initial=0))):
        more = which((wounds > i) & (number > 0))
        die = s.luck.die(6, f"{name}/armor", s.round, hero, index[more] + i, at[more])
        prevented[more] += die >= number[more]
    return prevented


def armor_shown(s: State, hero: int, wounds: int, name: str, first: int) -> list[Roll]:
    """The same dice as they lie, for whoever listens; nothing where there are none."""
    armor = s.facts.plot.heroes[hero].armor
    number = min(armor or CIGAR_ARMOR, CIGAR_ARMOR) if s.cigar[hero, 0] else armor
    if not number or not wounds:
        return []
    faces = [s.luck.die(6, f"{name}/armor", s.round, hero, first + i, s.everyone[:1]) for i in range(wounds)]
    return [dice(np.array(faces), 6, number, purpose="armor", measure="saves")]


def take_wounds(
    s: State, hero: int, at: Lanes, amount: int | NDArray[np.integer], name: str, number: Row, kind: int | None = None
) -> Whole:
    """(lanes,). BF-A13: wounds that come without hits, saved by Armor alone. `number` is one for all or per lane.

    Returns the wounds placed.
    """
    wounds = np.broadcast_to(np.asarray(amount, dtype=np.int64), len(at)).copy()
    wounds -= armor_saves(s, hero, at, wounds, name, BATCH * number)
    hit = wounds > 0
    wounds[hit] = wound(s, hero, keep(at, hit), keep(wounds, hit), name, kind)[0]
    return np.maximum(wounds, 0)
