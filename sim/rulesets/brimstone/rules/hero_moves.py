"""Where a hero can go, and which square is best (BF-P1, BF-P13)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

import numpy as np
from numpy.typing import NDArray

from sim.core.board import Bits, Reach
from sim.core.board.sets import preferred, where
from sim.core.choose import Keys, first, narrow
from sim.core.lanes import Lanes, Mask, Whole, anyone, columns, cut, each, keep, nobody_where, put, which
from sim.rulesets.brimstone.build import MELEE, Mode
from sim.rulesets.brimstone.plan import Order
from sim.rulesets.brimstone.rules.modes import legal_targets
from sim.rulesets.brimstone.rules.places import (
    any_square,
    beside_fewest_models,
    cell_of_model,
    living_slots,
    next_to_models,
    occupied,
    ranges,
)
from sim.rulesets.brimstone.state import State
from sim.rulesets.brimstone.worth import OF_ANY_MODE, Scales, Worth, keys_of, preferred_enemy

PAIRS = 1 << 16  # so many pairs of a lane and a square are weighed at a time


def hero_reach(s: State, hero: int, at: Lanes) -> Reach:
    """BF-P1: free squares within the movement points, never past a square next to an enemy.

    A hero who starts next to an enemy stays, unless an Escape roll lets it leave; then only squares next to enemies
    with a higher Escape number stop it.
    """
    bits = s.ground.bits
    cell = cut(s.cell[hero], at)
    guarded = next_to_models(s, at)
    pressed = bits.has(guarded, cell)
    slip = cut(s.slip, at)
    steps = cut(s.moves[hero], at) * (~pressed | (slip > 0))
    slipping = which(pressed & (slip > 0))
    if len(slipping):
        leaving = at[slipping]
        stronger = s.figure("escape", cut(s.profile, leaving)) > slip[slipping]
        guarded[:, slipping] = bits.around(bits.union(cut(s.spot, leaving), stronger & cut(s.alive, leaving)))
    return s.ground.board.reach(cell, steps, blocked=occupied(s, at), stop=guarded)


def shooting_squares(s: State, hero: int, mode: int, at: Lanes) -> Bits:
    """(words, lanes). BF-P2: the squares on which a mode is available."""
    facts = s.facts.plot.heroes[hero].modes[mode]
    squares = next_to_models(s, at)
    if facts.sort != MELEE:
        sees = s.ground.in_range(facts.reach)
        for slot in living_slots(s, at):
            squares |= columns(sees, cell_of_model(s, slot, at))
    return where(squares, cut(s.dice[hero, mode], at) > 0)


# The squares with the best attack.


def best_squares(s: State, scales: Scales, hero: int, at: Lanes, allowed: Bits, uncrowded: bool) -> Bits:
    """(words, lanes). BF-P4: of the allowed squares with an available mode those with the largest best-mode AV.

    With `uncrowded` of those the ones with the fewest adjacent enemies.
    """
    modes = range(len(s.facts.plot.heroes[hero].modes))
    open_to = [shooting_squares(s, hero, mode, at) & allowed for mode in modes]
    chosen, plain = alike(s, scales, hero, at, open_to)
    rest = which(~plain)
    if len(rest):
        chosen[:, rest], settled = ranked(s, scales, hero, at[rest], [columns(squares, rest) for squares in open_to])
        rest = keep(rest, ~settled)
    if len(rest):
        squares = np.bitwise_or.reduce([columns(squares_of_mode, rest) for squares_of_mode in open_to])
        chosen[:, rest] = weighed(s, scales, hero, at[rest], squares)
    return beside_fewest_models(s, chosen, at) if uncrowded else chosen


def alike(s: State, scales: Scales, hero: int, at: Lanes, open_to: list[Bits]) -> tuple[Bits, Mask]:
    """Lanes in which every living model is worth the same to each mode: there the square decides by its modes alone.

    Returns the best squares of those lanes, and which lanes they are.
    """
    chosen = np.zeros_like(open_to[0])
    if scales.dodging or "daunt" in s.facts.any_has:
        return chosen, np.zeros(len(at), dtype=bool)
    alive, cell = cut(s.alive, at), cut(s.cell[hero], at)
    plain = np.ones(len(at), dtype=bool)
    best = np.full(len(at), -1, dtype=np.int32)
    worths = []
    for mode, squares in enumerate(open_to):
        worth = scales.worth(s, hero, mode, at, cell)
        most = (worth * alive).max(axis=0)
        if s.facts.mixed:
            plain &= ((worth == most) | ~alive).all(axis=0)
        most = nobody_where(~s.ground.bits.any(squares), most)
        worths.append(most)
        best = np.maximum(best, most)
    for most, squares in zip(worths, open_to, strict=True):
        chosen |= where(squares, most == best)
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
        facts = s.facts.plot.heroes[hero].modes[mode]
        worth = scales.worth(s, hero, mode, at, cut(s.cell[hero], at))
        keys = list(keys_of(s, order, at, None, worth))
        for cells, value, same, lane in first_enemies(s, facts, at, squares, worth, keys):
            settled[keep(lane, ~same)] = False
            worth_here = nobody_where(~s.ground.bits.any(cells), value)
            before = best[lane]
            better, worse = worth_here >= before, worth_here <= before
            chosen[:, lane] = where(cells, better) | where(columns(chosen, lane), worse)
            best[lane] = np.maximum(worth_here, before)
    return chosen, settled


def fixed_keys(s: State, scales: Scales, hero: int) -> Order:
    """The leading keys of the hero's order of enemies that do not depend on the square from which it looks."""
    if scales.dodging or "daunt" in s.facts.any_has:
        return ()
    return tuple(takewhile(lambda key: "their_range" not in key[0].names, s.facts.plans[hero].order))


def first_enemies(
    s: State, mode: Mode, at: Lanes, squares: Bits, worth: Worth, keys: list[tuple[Keys, bool]]
) -> Iterator[tuple[Bits, Worth, Mask, Whole]]:
    """Enemy by enemy in the order of the keys: the squares from which it is the first that the mode can attack.

    Yields these squares, the worth of the enemy, whether all that are equal in the keys are worth the same, and the
    places in `at` that this is about.
    """
    ground = s.ground
    lane = np.arange(len(at))
    left, pressed, models = squares, next_to_models(s, at), cut(s.alive, at)
    keys = [(np.broadcast_to(key, models.shape), largest) for key, largest in keys]
    while True:
        more = which(ground.bits.any(left) & anyone(models))
        if not len(more):
            return
        lane, worth = lane[more], columns(worth, more)
        left, pressed, models = columns(left, more), columns(pressed, more), columns(models, more)
        keys = [(columns(key, more), largest) for key, largest in keys]
        equals = models
        for key, largest in keys:
            equals = narrow(equals, key, largest)
        here = np.arange(len(lane))
        slot = first(equals)
        value = each(worth, slot, here)
        spot = each(s.spot, slot, at[lane])
        sees = columns(ground.beside, spot)  # BF-P2: adjacent enemies; a gun without any adjacent those in range
        if mode.sort != MELEE:
            sees |= columns(ground.in_range(mode.reach), spot) & ~pressed
        yield left & sees, value, np.asarray(((worth == value) | ~equals).all(axis=0)), lane
        left &= ~sees
        put(models, slot, here, False)


def weighed(s: State, scales: Scales, hero: int, at: Lanes, squares: Bits) -> Bits:
    """The general case: every pair of a lane and a square is weighed like a lane of its own."""
    bits = s.ground.bits
    cell, lane = bits.cells(squares).nonzero()
    value = np.full((s.ground.cells, len(at)), -1, dtype=np.int64)
    for begin in range(0, len(cell), PAIRS):
        part = slice(begin, begin + PAIRS)
        put(value, cell[part], lane[part], best_mode(s, scales, hero, at[lane[part]], cell[part])[1])
    best = value.max(axis=0)
    return bits.pack((value == best) & (best >= 0))


def best_mode(s: State, scales: Scales, hero: int, at: Lanes, cell: NDArray[np.integer]) -> tuple[Whole, Whole]:
    """(lanes,) each. BF-P4: the mode with the largest AV against its first enemy, and that AV; -1 if there is none.

    The lanes may repeat: one for every square that is weighed.
    """
    chosen = np.full(len(at), -1, dtype=np.int64)
    best = np.full(len(at), -1, dtype=np.int64)
    distance = ranges(s, cell, at)
    same_for_all = all(key.names <= OF_ANY_MODE for key, _ in s.facts.plans[hero].order)
    before, enemy = None, chosen
    for mode, facts in enumerate(s.facts.plot.heroes[hero].modes):
        legal = legal_targets(s, hero, facts, at, cell) & (columns(s.dice[hero, mode], at) > 0)
        if not legal.any():
            continue
        worth = scales.worth(s, hero, mode, at, cell, distance)
        # A gun has the same legal enemies as a blade where somebody is adjacent, and so the same first enemy.
        if before is None or not (same_for_all and np.array_equal(legal, before)):
            enemy = preferred_enemy(s, hero, legal, at, cell, worth, distance)
            before = legal
        value = each(worth, np.maximum(enemy, 0), np.arange(len(at)))
        better = (enemy >= 0) & (value > best)
        chosen[better] = mode
        best[better] = value[better]
    return chosen, best


# Where to go.


def square_with_best_attack(
    s: State, scales: Scales, hero: int, at: Lanes, clear: bool, uncrowded: bool
) -> Whole:
    """(lanes,). `best`: largest best-mode AV, (fewest adjacent enemies,) fewest steps, then by lot; -1 if none."""
    fill = hero_reach(s, hero, at)
    allowed = fill.all & ~next_to_models(s, at) if clear else fill.all
    squares = best_squares(s, scales, hero, at, allowed, uncrowded)
    return any_square(s, fill.nearest(squares)[0], "move", hero, 0, at)


def square_far_away(s: State, hero: int, at: Lanes) -> Whole:
    """(lanes,). `keep_away`: a shot, nobody adjacent, the nearest enemy farthest; fewest steps, by lot; -1 if none."""
    bits = s.ground.bits
    fill = hero_reach(s, hero, at)
    shots = bits.none(len(at))
    for mode, facts in enumerate(s.facts.plot.heroes[hero].modes):
        if facts.sort != MELEE:
            shots |= shooting_squares(s, hero, mode, at)
    shots &= fill.all & ~next_to_models(s, at)
    away = s.ground.board.reach(cut(s.enemy_bits, at))
    cut_off = shots & ~away.all
    farthest = cut_off | where(away.farthest(shots)[0], ~bits.any(cut_off))
    return any_square(s, fill.nearest(farthest)[0], "move", hero, 0, at)


def square_toward_enemies(s: State, hero: int, at: Lanes) -> Whole:
    """(lanes,). BF-P13: the square of reach with the smallest `steps` to its nearest enemy; fewest steps, by lot."""
    fill = hero_reach(s, hero, at)
    away = s.ground.board.reach(cut(s.enemy_bits, at))
    squares = preferred(fill.all, away.nearest(fill.all)[0])
    return any_square(s, fill.nearest(squares)[0], "move", hero, 0, at)
