"""Where a hero can go, and which square is best (BF-P1, BF-P13, 10.2)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.board import Bits, Reach
from sim.core.choose import narrow, nth
from sim.core.lanes import Lanes, Mask, Whole, columns, each, put
from sim.rulesets.brimstone.build import MELEE
from sim.rulesets.brimstone.plan import Order
from sim.rulesets.brimstone.rules.places import adjacent_models, by_lot, occupied, ranges
from sim.rulesets.brimstone.state import State
from sim.rulesets.brimstone.worth import Scales, Worth, keys_of, legal_targets, preferred

ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
NONE = np.uint64(0)


def hero_reach(s: State, hero: int, at: Lanes) -> Reach:
    """BF-P1: free squares within the movement points, never past a square next to an enemy.

    A hero who starts next to an enemy stays, unless an Escape roll lets it leave; then only squares next to enemies
    with a higher Escape number stop it.
    """
    assert s.ground is not None
    bits = s.ground.bits
    cell = s.cell[hero].take(at)
    enemies = columns(s.enemy_bits, at)
    guarded = bits.around(enemies)
    pressed = bits.has(guarded, cell)
    slip = s.slip.take(at)
    steps = s.moves[hero].take(at) * (~pressed | (slip > 0))
    slipping = np.flatnonzero(pressed & (slip > 0))
    if len(slipping):
        stronger = columns(s.alive, at[slipping])
        stronger &= s.figure("escape", columns(s.profile, at[slipping])) > slip[slipping]
        guarded[:, slipping] = bits.around(bits.union(columns(s.spot, at[slipping]), stronger))
    return s.ground.board.reach(cell, steps, blocked=occupied(s, at), stop=guarded)


def shooting_squares(s: State, hero: int, mode: int, at: Lanes) -> Bits:
    """(words, lanes). BF-P2: the squares on which a mode is available."""
    assert s.ground is not None
    facts = s.facts.plot.heroes[hero].modes[mode]
    squares = s.ground.bits.around(columns(s.enemy_bits, at))
    if facts.sort != MELEE:
        sees = s.ground.in_range(facts.reach)
        for slot in range(s.slots):
            there = s.alive[slot].take(at)
            if there.any():
                squares |= sees.take(np.where(there, s.spot[slot].take(at), -1), axis=1)
    squares *= s.dice[hero, mode].take(at) > 0
    return squares


def best_squares(
    s: State, scales: Scales, hero: int, at: Lanes, allowed: Bits, uncrowded: bool
) -> Bits:
    """(words, lanes). 10.2: of the allowed squares with an available mode those with the largest best-mode AV.

    With `uncrowded` of those the ones with the fewest adjacent enemies.
    """
    modes = range(len(s.facts.plot.heroes[hero].modes))
    open_to = [shooting_squares(s, hero, mode, at) & allowed for mode in modes]
    chosen, plain = alike(s, scales, hero, at, open_to)
    rest = np.flatnonzero(~plain)
    if len(rest):
        chosen[:, rest], settled = ranked(s, scales, hero, at[rest], [squares[:, rest] for squares in open_to])
        rest = rest[~settled]
    if len(rest):
        squares = np.bitwise_or.reduce([squares_of_mode[:, rest] for squares_of_mode in open_to])
        chosen[:, rest] = weighed(s, scales, hero, at[rest], squares)
    if uncrowded:
        chosen = least_crowded(s, at, chosen)
    return chosen


def alike(s: State, scales: Scales, hero: int, at: Lanes, open_to: list[Bits]) -> tuple[Bits, Mask]:
    """Lanes in which every living model is worth the same to each mode: there the square decides by its modes alone.

    Returns the best squares of those lanes, and which lanes they are.
    """
    chosen = np.zeros_like(open_to[0])
    if scales.dodging or "daunt" in s.facts.any_has:
        return chosen, np.zeros(len(at), dtype=bool)
    alive = columns(s.alive, at)
    cell = s.cell[hero].take(at)
    plain = np.ones(len(at), dtype=bool)
    best = np.full(len(at), -1, dtype=np.int32)
    worths = []
    for mode, squares in enumerate(open_to):
        worth = scales.worth(s, hero, mode, at, cell)
        most = (worth * alive).max(axis=0)
        if s.facts.mixed:
            plain &= ((worth == most) | ~alive).all(axis=0)
        most = np.where(squares.any(axis=0), most, -1)
        worths.append(most)
        best = np.maximum(best, most)
    for most, squares in zip(worths, open_to, strict=True):
        chosen |= squares & np.where(most == best, ALL, NONE)
    return chosen, plain


def ranked(s: State, scales: Scales, hero: int, at: Lanes, open_to: list[Bits]) -> tuple[Bits, Mask]:
    """Lanes in which the enemies come in the same order on every square: then squares go to the first they can attack.

    Keys about the range are left out, which is right where enemies that are equal in all keys before it are worth the
    same. Returns the best squares of those lanes, and which lanes they are.
    """
    chosen = np.zeros_like(open_to[0])
    order = fixed_keys(s, scales, hero)
    if not order:
        return chosen, np.zeros(len(at), dtype=bool)
    settled = np.ones(len(at), dtype=bool)
    best = np.full(len(at), -1, dtype=np.int64)
    for mode, squares in enumerate(open_to):
        worth = scales.worth(s, hero, mode, at, s.cell[hero].take(at))
        keys = list(keys_of(s, order, at, None, worth))
        for cells, value, same, lane in first_enemies(s, hero, mode, at, squares, worth, keys):
            settled[lane[~same]] = False
            value = np.where(cells.any(axis=0), value, -1)
            before = best.take(lane)
            chosen[:, lane] = cells * (value >= before) | chosen.take(lane, axis=1) * (value <= before)
            best[lane] = np.maximum(value, before)
    return chosen, settled


def fixed_keys(s: State, scales: Scales, hero: int) -> Order:
    """The leading keys of the hero's order of enemies that do not depend on the square from which it looks."""
    if scales.dodging or "daunt" in s.facts.any_has:
        return ()
    return tuple(takewhile(lambda key: "their_range" not in key[0].names, s.facts.plans[hero].order))


def first_enemies(
    s: State, hero: int, mode: int, at: Lanes, squares: Bits, worth: Worth, keys: list[tuple[NDArray[Any], bool]]
) -> Iterator[tuple[Bits, Worth, Mask, Whole]]:
    """Enemy by enemy in the order of the keys: the squares from which it is the first that the mode can attack.

    Yields these squares, the worth of the enemy, whether all that are equal in the keys are worth the same, and the
    places in `at` that this is about.
    """
    ground = s.ground
    assert ground is not None
    facts = s.facts.plot.heroes[hero].modes[mode]
    lane = np.arange(len(at))
    left, pressed, models = squares, ground.bits.around(columns(s.enemy_bits, at)), columns(s.alive, at)
    keys = [(np.broadcast_to(key, models.shape), largest) for key, largest in keys]
    while True:
        more = np.flatnonzero(ground.bits.any(left) & models.any(axis=0))
        if not len(more):
            return
        lane, worth = lane.take(more), worth.take(more, axis=1)
        left, pressed, models = left.take(more, axis=1), pressed.take(more, axis=1), models.take(more, axis=1)
        keys = [(key.take(more, axis=1), largest) for key, largest in keys]
        equals = models
        for key, largest in keys:
            equals = narrow(equals, key, largest)
        slot = nth(equals, 0)
        value = each(worth, slot, np.arange(len(lane)))
        spot = each(s.spot, slot, at[lane])
        sees = ground.beside.take(spot, axis=1)  # BF-P2: adjacent enemies; a gun without any adjacent those in range
        if facts.sort != MELEE:
            sees |= ground.in_range(facts.reach).take(spot, axis=1) & ~pressed
        yield left & sees, value, np.asarray(((worth == value) | ~equals).all(axis=0)), lane
        left &= ~sees
        put(models, slot, np.arange(len(lane)), False)


def weighed(s: State, scales: Scales, hero: int, at: Lanes, squares: Bits) -> Bits:
    """The general case: every pair of a lane and a square is weighed like a lane of its own."""
    assert s.ground is not None
    bits = s.ground.bits
    cell, lane = np.nonzero(bits.cells(squares))
    value = np.full((s.ground.cells, len(at)), -1, dtype=np.int32)
    for begin in range(0, len(cell), 1 << 16):
        part = slice(begin, begin + (1 << 16))
        value[cell[part], lane[part]] = best_mode(s, scales, hero, at[lane[part]], cell[part])[1]
    best = value.max(axis=0)
    return bits.pack((value == best) & (best >= 0))


def best_mode(s: State, scales: Scales, hero: int, at: Lanes, cell: NDArray[np.integer]) -> tuple[Whole, Whole]:
    """(lanes,) each. BF-P4: the mode with the largest AV against its first enemy, and that AV; -1 if there is none."""
    plan = s.facts.plans[hero]
    chosen = np.full(len(at), -1, dtype=np.int64)
    best = np.full(len(at), -1, dtype=np.int64)
    adjacent = adjacent_models(s, cell, at)
    distance = ranges(s, cell, at)
    for mode, facts in enumerate(s.facts.plot.heroes[hero].modes):
        legal = legal_targets(s, hero, facts, at, cell, adjacent) & (s.dice[hero, mode].take(at) > 0)
        if not legal.any():
            continue
        worth = scales.worth(s, hero, mode, at, cell, distance)
        enemy = preferred(s, hero, plan, legal, at, cell, worth, distance)
        value = worth.reshape(-1).take(np.maximum(enemy, 0) * len(at) + np.arange(len(at)))
        better = (enemy >= 0) & (value > best)
        chosen[better] = mode
        best[better] = value[better]
    return chosen, best


def least_crowded(s: State, at: Lanes, squares: Bits) -> Bits:
    """(words, lanes). Of the squares those next to the fewest enemies."""
    assert s.ground is not None
    bits = s.ground.bits
    # Levels of the count as sets: more[k] are the squares next to more than k enemies.
    more: list[Bits] = []
    for slot in range(s.slots):
        there = s.alive[slot].take(at)
        if not there.any():
            continue
        carry = s.ground.beside.take(np.where(there, s.spot[slot].take(at), -1), axis=1) & squares
        for level in more:
            both = level & carry
            level |= carry
            carry = both
        if len(more) < 8 and carry.any():
            more.append(carry)
    left = squares
    for level in reversed(more):
        fewer = left & ~level
        some = bits.any(fewer)
        left = np.where(some, fewer, left)
    return left


def square_with_best_attack(
    s: State, scales: Scales, hero: int, at: Lanes, clear: bool, uncrowded: bool
) -> Whole:
    """(lanes,). `best`: largest best-mode AV, (fewest adjacent enemies,) fewest steps, then by lot; -1 if none."""
    assert s.ground is not None
    fill = hero_reach(s, hero, at)
    allowed = fill.all
    if clear:
        allowed &= ~s.ground.bits.around(columns(s.enemy_bits, at))
    squares = best_squares(s, scales, hero, at, allowed, uncrowded)
    nearest, _ = fill.nearest(squares)
    return by_lot(s, nearest, "move", hero, 0, at)


def square_far_away(s: State, hero: int, at: Lanes) -> Whole:
    """(lanes,). `keep_away`: a shot, nobody adjacent, the nearest enemy farthest; fewest steps, by lot; -1 if none."""
    assert s.ground is not None
    bits = s.ground.bits
    fill = hero_reach(s, hero, at)
    enemies = columns(s.enemy_bits, at)
    shots = np.zeros_like(enemies)
    for mode, facts in enumerate(s.facts.plot.heroes[hero].modes):
        if facts.sort != MELEE:
            shots |= shooting_squares(s, hero, mode, at)
    shots &= fill.all & ~bits.around(enemies)
    away = s.ground.board.reach(enemies)
    cut_off = shots & ~away.all
    farthest = np.where(bits.any(cut_off), cut_off, away.farthest(shots)[0])
    nearest, _ = fill.nearest(farthest)
    return by_lot(s, nearest, "move", hero, 0, at)


def square_toward_enemies(s: State, hero: int, at: Lanes) -> Whole:
    """(lanes,). BF-P13: the square of reach with the smallest `steps` to its nearest enemy; fewest steps, by lot."""
    assert s.ground is not None
    bits = s.ground.bits
    fill = hero_reach(s, hero, at)
    away = s.ground.board.reach(columns(s.enemy_bits, at))
    squares = away.nearest(fill.all)[0]
    squares = np.where(bits.any(squares), squares, fill.all)
    nearest, _ = fill.nearest(squares)
    return by_lot(s, nearest, "move", hero, 0, at)
