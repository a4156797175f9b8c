"""Choices among sets of cells: the rulebook's "of those the ones next to the fewest enemies; if tied, by lot".

A set of cells is (words, lanes), as in `bits`. Like `pick` among units, a choice narrows the candidates by one key
after the other, and a lane without candidates stays without:

    squares = fewest(squares, tally(guarded_by_each_enemy))
    cell = pick_cell(bits, squares, draw_lot(s.luck, "BF-E11", s.round, actor, 0, at))
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from sim.core.board.bits import Bitboards, Bits
from sim.core.choose import Lot
from sim.core.lanes import Mask, Whole


def preferred(candidates: Bits, liked: Bits) -> Bits:
    """(words, lanes). The candidates that are liked; all of them in a lane in which none is."""
    both = candidates & liked
    return both | candidates * ~held(both)


def tally(sets: Iterable[Bits]) -> list[Bits]:
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
    """(words, lanes). The candidates that the fewest of the counted sets hold."""
    for digit in reversed(digits):
        candidates = preferred(candidates, ~digit)
    return candidates


def most(candidates: Bits, digits: Sequence[Bits]) -> Bits:
    """(words, lanes). The candidates that the most of the counted sets hold."""
    for digit in reversed(digits):
        candidates = preferred(candidates, digit)
    return candidates


def held_by_at_most(candidates: Bits, digits: Sequence[Bits], number: int) -> Bits:
    """(words, lanes). The candidates that at most so many of the counted sets hold."""
    fewer = np.zeros_like(candidates)
    equal = candidates.copy()  # as many, as far as the digits have been compared: the highest first
    for place in reversed(range(max(len(digits), number.bit_length()))):
        digit = digits[place] if place < len(digits) else np.zeros_like(candidates)
        if number >> place & 1:
            fewer |= equal & ~digit
            equal = equal & digit
        else:
            equal = equal & ~digit
    return fewer | equal


def nearest(candidates: Bits, rings: Iterable[Bits]) -> Bits:
    """(words, lanes). The candidates in the first ring that holds any, ring after ring; none where no ring does."""
    left = candidates.copy()
    chosen = np.zeros_like(candidates)
    for ring in rings:
        hit = left & ring
        found = held(hit)
        if found.any():
            chosen |= hit
            left *= ~found
            if not left.any():
                break
    return chosen


def held(sets: Bits) -> Mask:
    """(lanes,). Whether a set holds anything."""
    return sets[0] != 0 if len(sets) == 1 else np.asarray(sets.any(axis=0))


def where(sets: Bits, mask: Mask) -> Bits:
    """(words, lanes). The sets where the mask holds, the empty set elsewhere."""
    return sets * mask


def pick_cell(bits: Bitboards, candidates: Bits, lot: Lot) -> Whole:
    """(lanes,). One cell of the set by lot; -1 where it is empty."""
    return bits.nth(candidates, lot(bits.count(candidates)))
