"""The active slots of adventurers: dice that wait there, showing their X, until they are used."""

from __future__ import annotations

import numpy as np

from sim.core.choose import first
from sim.core.lanes import Lanes, Row, Small, Tiny, Whole, columns, cut, each, put, which
from sim.rulesets.second_era import data
from sim.rulesets.second_era.data import EMPTY, SLOTS
from sim.rulesets.second_era.rules.track import enter
from sim.rulesets.second_era.state import State

PLACES = np.arange(SLOTS)[:, None]  # (4, 1)
NO_DIE = np.int8(99)  # above every X


def slots_of(s: State, hero: Row, at: Lanes) -> tuple[Tiny, Tiny]:
    """(4, lanes) each. The dice in the active slots of one adventurer per lane, and their X."""
    if isinstance(hero, int):
        return columns(s.slot_die[hero], at), columns(s.slot_x[hero], at)
    return each(s.slot_die, (hero, PLACES), at), each(s.slot_x, (hero, PLACES), at)


def place_die(s: State, hero: int, code: int, x: Small, at: Lanes) -> tuple[Tiny, Whole]:
    """SE-A15: a die goes to an active slot; if all are full the lowest X leaves first.

    What left: the codes, and their places in `at`.
    """
    full = which(cut(s.slot_die[hero, SLOTS - 1], at) != EMPTY)
    gone = np.zeros(0, dtype=np.int8)
    if len(full):
        gone = leave_slot(s, hero, lowest_slot(s, hero, at[full]), at[full])
    dice, _ = slots_of(s, hero, at)
    used = (dice != EMPTY).sum(axis=0, dtype=np.int64)
    put(s.slot_die, (hero, used), at, code)
    put(s.slot_x, (hero, used), at, x)
    return gone, full


def lowest_slot(s: State, hero: Row, at: Lanes) -> Whole:
    """(lanes,). SE-A15, SE-K21: the active die with the lowest X, the earliest placed on a tie; -1 without one."""
    dice, x = slots_of(s, hero, at)
    return np.where(dice[0] == EMPTY, -1, np.where(dice == EMPTY, NO_DIE, x).argmin(axis=0))


def leave_slot(s: State, hero: Row, place: Whole, at: Lanes) -> Tiny:
    """(lanes,). The die at a slot leaves it; those placed later move up. Where it goes is the caller's business."""
    dice, x = slots_of(s, hero, at)
    code = each(s.slot_die, (hero, place), at)
    behind = place <= PLACES
    nothing = np.full((1, len(at)), EMPTY, dtype=np.int8)
    put(s.slot_die, (hero, PLACES), at, np.where(behind, np.concatenate([dice[1:], nothing]), dice))
    put(s.slot_x, (hero, PLACES), at, np.where(behind, np.concatenate([x[1:], nothing]), x))
    return code


def clear_slots(s: State, hero: Whole, at: Lanes) -> None:
    """SE-D9: a defeated adventurer's active dice leave their slots."""
    put(s.slot_die, (hero, PLACES), at, EMPTY)
    put(s.slot_x, (hero, PLACES), at, EMPTY)


def recycle(s: State, hero: int, at: Lanes) -> None:
    """SE-R8: while the track holds fewer dice than come back, active dice but Purge go there, in order."""
    cooldown = s.facts.heroes[hero].cooldown
    while len(at):
        dice, _ = slots_of(s, hero, at)
        place = first((dice != EMPTY) & (dice != data.PURGE))
        able = (place >= 0) & (cut(s.length[hero], at) < s.own(cooldown, at))
        at, place = at[able], place[able]
        if len(at):
            code = leave_slot(s, hero, place, at)
            enter(s, hero, code, at)
            if s.tell:
                s.tell.event("SE-R8", "recycles", at, who=hero, die=data.CALLED[code[0]])
