"""Health lost and regained, going down; and monsters removed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sim.core.lanes import (
    Lanes,
    Row,
    Rows,
    Small,
    Spots,
    Whole,
    add,
    anywhere,
    columns,
    each,
    is_still,
    lookup,
    per_lane,
    put,
    which,
    written,
)
from sim.core.varying import Varying
from sim.rulesets.overhill.rules.ending import check_loss
from sim.rulesets.overhill.state import State

Amount = NDArray[np.integer]  # (lanes,) of health or monsters


def wound(s: State, hero: Row | Spots, at: Lanes, amount: Amount) -> tuple[Amount, Amount]:
    """OU-D4, OU-U4: health falls, never below 0. Returns what is really lost and what is left: for `see_who_falls`."""
    before = each(s.health, hero, at)
    lost = np.minimum(before, amount)
    left = before - lost
    put(s.health, hero, at, left)
    return lost, left


def see_who_falls(s: State, hero: Row, at: Lanes, lost: Amount, left: Amount) -> None:
    """OU-D4: at 0 a hero who has lost health is down."""
    fell = which((lost > 0) & (left == 0))
    if len(fell):
        go_down(s, columns(per_lane(hero, at), fell), columns(at, fell))


def go_down(s: State, hero: Whole, at: Lanes) -> None:
    """OU-D4: the hero is down; paralysis and blessings end. With the last one the encounter is lost."""
    if not is_still(s.paralysed):
        put(s.paralysed, hero, at, 0)
    if s.bless_given:
        for blessed in s.blessed:  # attribute by attribute
            put(blessed, hero, at, False)
    s.ledger.fell(hero, at, s.round)
    if s.tell:
        s.tell.event("OU-D4", "goes_down", at, who=hero)
    check_loss(s, at)


def _most_health(s: State, hero: Row, at: Lanes) -> Small:
    """(lanes,). The maximum of one hero per lane."""
    most = s.facts.max_health  # (heroes, 1)
    return s.find(most, at, hero, 0) if isinstance(most, Varying) else lookup(most[:, 0], hero)


def restore(s: State, hero: Row, healer: int, at: Lanes, amount: Amount) -> Amount:
    """OU-D11: health rises, never above the maximum. Returns the health really regained."""
    before = each(s.health, hero, at)
    gained = np.minimum(amount, _most_health(s, hero, at) - before)
    put(s.health, hero, at, before + gained)
    s.regained, s.ledger.healing = written(s.regained), written(s.ledger.healing)
    add(s.regained, hero, at, gained)
    s.ledger.healing[healer][at] += gained
    return gained


def remove_monsters(s: State, hero: int, group: Rows, at: Lanes, hits: Amount, ability: str) -> Amount:
    """OU-A1, OU-U5, OU-U7: each hit removes one monster of the group, surplus hits are lost, kills are remembered."""
    living = each(s.n, group, at)
    removed = np.minimum(hits, living)
    put(s.n, group, at, living - removed)
    s.kills_now = written(s.kills_now)
    add(s.kills_now[hero], group, at, removed)
    row, lanes = s.ability(hero, ability), anywhere(at, s.size)
    s.ledger.hits[row][lanes] += removed > 0
    s.ledger.damage[row][lanes] += removed
    return removed
