"""Hexes as bitboards: counting sets, closest hexes, who hides, who is covered (sections 2.1, 2.7)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from sim.core.board import FAR, Bits
from sim.core.lanes import Lanes, Mask, Small, cut, each, put
from sim.rulesets.second_era.data import STEALTH
from sim.rulesets.second_era.state import State, Who, rows

ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
NONE = np.uint64(0)


def where(mask: Mask, sets: Bits) -> Bits:
    """(words, lanes). The sets where the mask holds, the empty set elsewhere."""
    return sets * mask


def tally(sets: Sequence[Bits]) -> list[Bits]:
    """How many of the sets hold a cell, as binary digits: one bitboard per digit, the lowest first."""
    digits: list[Bits] = []
    for carry in sets:
        for place, digit in enumerate(digits):
            digits[place], carry = digit ^ carry, digit & carry
            if not carry.any():
                break
        else:
            digits.append(carry.copy())
    return digits


def fewest(candidates: Bits, digits: Sequence[Bits]) -> Bits:
    """The candidates that the fewest of the counted sets hold."""
    for digit in reversed(digits):
        without = candidates & ~digit
        candidates = np.where(without.any(axis=0), without, candidates)
    return candidates


def most(candidates: Bits, digits: Sequence[Bits]) -> Bits:
    """The candidates that the most of the counted sets hold."""
    for digit in reversed(digits):
        with_digit = candidates & digit
        candidates = np.where(with_digit.any(axis=0), with_digit, candidates)
    return candidates


def closest(s: State, start: Any, goals: Bits, blocked: Bits) -> tuple[Bits, Small]:
    """SE-G7, SE-T5: the goals with the smallest `walk` from the start, and that walk; FAR and none without a way.

    The fill of a lane ends where it meets its goal, and the loop when all have.
    """
    bits = s.facts.ground.board.bits
    edge = bits.at(start)
    free = bits.every & ~blocked & ~edge
    found = np.zeros_like(edge)
    walk = np.full(edge.shape[1], FAR, dtype=np.int16)
    space = np.empty_like(edge)
    distance = 0
    while edge.any():
        distance += 1
        edge = bits.around(edge, space)
        edge &= free
        free ^= edge
        hit = edge & goals
        here = hit.any(axis=0)
        if here.any():
            found |= hit
            walk[here] = distance
            edge &= np.where(here, NONE, ALL)
    return found, walk


def nearest_to(s: State, candidates: Bits, goal: Any) -> Bits:
    """(words, lanes). The candidates with the smallest `range` to the goal's hex; none if none has a finite one."""
    rings = s.facts.ground.rings
    left = candidates.copy()
    chosen = np.zeros_like(candidates)
    for distance in range(s.facts.ground.most + 1):
        hit = left & rings[:, distance].take(goal, axis=1)
        here = hit.any(axis=0)
        if here.any():
            chosen |= hit
            left &= np.where(here, NONE, ALL)
            if not left.any():
                break
    return chosen


def hidden(s: State, who: Who, at: Lanes) -> Mask:
    """(units, lanes). SE-F6, SE-K25: who hides from this unit: in Stealth, and not adjacent when its turn began."""
    stealth = (cut(s.status, at) & np.uint8(1 << STEALTH)) != 0
    return stealth & ~cut(s.adj0, at) & ~s.has("Detection", who, at)


def in_play(s: State, who: Who, at: Lanes, side: slice) -> Mask:
    """(units of the side, lanes). SE-T1: undefeated units on the map that the unit can see through Stealth."""
    there = cut(s.cell[side], at) >= 0
    if s.facts.possible[STEALTH]:
        there &= ~hidden(s, who, at)[side]
    return there


def covered(s: State, who: Any, at: Lanes, side: slice) -> Mask:
    """(units of the side, lanes). SE-T2, SE-T3: cover(h): within range of the hex and seen, whether hidden or not."""
    facts, width = s.facts, s.facts.ground.width
    base = (each(s.kind, who, at).astype(np.int32) * width + each(s.cell, who, at)) * width  # (lanes,)
    return facts.covers.take(base + cut(s.cell[side], at))


def shots(s: State, who: Any, at: Lanes, cells: Any) -> Bits:
    """(words, lanes). From where `who` has a unit, standing on `cells`, in range and in sight."""
    place = each(s.kind, who, at).astype(np.int32) * s.facts.ground.width + cells
    return s.facts.shots.take(place, axis=1)


def stand(s: State, who: Who, cell: Any, at: Lanes) -> None:
    """SE-A1, SE-G5: the unit now stands on this hex."""
    bits = s.facts.ground.board.bits
    who = rows(who, at)
    moved = bits.at(each(s.cell, who, at)) ^ bits.at(cell)
    if len(at) == s.size:
        s.occupied ^= moved
    else:
        s.occupied[:, at] ^= moved
    put(s.cell, who, at, cell.astype(np.int16))
    if s.tell and len(at):
        place = s.facts.ground.board.names[int(cell[0])]
        s.tell("SE-A1", int(who[0]), f"moves to {place}", at)


def begin_turn(s: State, who: Who, at: Lanes) -> None:
    """SE-R10, SE-E3: what is remembered per turn starts anew, and `adj0` is recorded."""
    facts = s.facts
    who = rows(who, at)
    s.acting[at] = who
    if facts.possible[STEALTH] or "Elusive" in facts.present:
        start = each(s.cell, who, at).astype(np.int32) * facts.ground.width
        s.adj0[:, at] = facts.ground.adjacent.take(start + cut(s.cell, at))
    # In lanes without a turn nobody looks at these memories before the next turn begins there.
    if "Stalwart" in facts.present:
        s.lost[:] = 0
    if "Riposte" in facts.present:
        s.riposted[:] = False
    s.hurt[:] = False
    s.moves[:] = 0
    s.rolled[:] = False
    s.engaged[:] = 0
    s.healed[:] = False
    s.used[:] = 0
