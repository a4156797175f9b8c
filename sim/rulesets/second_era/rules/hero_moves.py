"""Where adventurers go and whom they can engage from there (section 5.1 and the common blocks of section 10)."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.board import Bits, Reach
from sim.core.choose import narrow, nth
from sim.core.lanes import Lanes, Mask, cut, each, which
from sim.rulesets.second_era.data import BLIND, DAZE
from sim.rulesets.second_era.rules.blind import sets_of_the_strongest
from sim.rulesets.second_era.rules.places import fewest, in_play, nearest_to, stand, tally, where
from sim.rulesets.second_era.state import State, rows


def may_roll(s: State, hero: int, at: Lanes) -> Mask:
    """(lanes,). SE-F3: a Dazed unit that has moved cannot roll dice."""
    return ~(s.under(DAZE, hero, at) & (cut(s.moves, at) > 0))


def may_move(s: State, hero: int, at: Lanes) -> Mask:
    """(lanes,). SE-F3, SE-A2: a Dazed unit that has rolled cannot move; one move with an engage, two without."""
    moves = cut(s.moves, at)
    return ~(s.under(DAZE, hero, at) & cut(s.rolled, at)) & (moves < np.where(cut(s.engaged, at) > 0, 1, 2))


def reach(s: State, hero: int, at: Lanes, steps: int | None = None) -> Reach:
    """SE-A1, section 10: reach(a): hexes with walk up to S, the own one included."""
    most = s.facts.heroes[hero].stamina if steps is None else steps
    return s.facts.ground.board.reach(cut(s.cell[hero], at), most, blocked=cut(s.occupied, at))


def narrowed(fill: Reach, lane: Any) -> Reach:
    """A fill for some of its lanes."""
    return Reach(fill.bits, [layer[:, lane] for layer in fill.layers], None, [])


def walk_to(s: State, hero: int, cell: Any, at: Lanes, fill: Reach, action: bool = True) -> None:
    """SE-A1: move there; a move of 0 steps is none. `fill` tells the steps."""
    goes = which((cell >= 0) & (cell != cut(s.cell[hero], at)))
    if not len(goes):
        return
    lanes = at[goes]
    s.hexes[hero, lanes] += fill.cost(cell)[goes]
    if action:
        s.moves[lanes] += 1
    stand(s, hero, cell[goes], lanes)


def engage_sets(s: State, hero: int, form: int, at: Lanes) -> list[Bits]:
    """By enemy: eng(F,h), the hexes from which it is targetable in a form (SE-T2, SE-T3, SE-F2)."""
    seen = in_play(s, hero, at, slice(s.party, s.units))
    table = s.facts.form_shots[hero][form]
    cells = cut(s.cell, at)
    sets = [where(seen[row - s.party], table.take(cells[row], axis=1)) for row in range(s.party, s.units)]
    blind = which(s.under(BLIND, hero, at))
    if len(blind):
        errata = s.facts.is_on("blind_rule", "errata") and form != 4
        near = s.facts.form_shots[hero][0] if errata else table
        strongest = sets_of_the_strongest(s, rows(hero, at[blind]), at[blind], near)
        for enemy in range(s.units - s.party):
            sets[enemy][:, blind] = strongest[s.party + enemy]
    return sets


def joined(sets: list[Bits], lanes: int, s: State) -> Bits:
    """(words, lanes). The hexes of any of the sets."""
    union = s.facts.ground.board.bits.none(lanes)
    for part in sets:
        union |= part
    return union


def threat(s: State, at: Lanes) -> list[Bits]:
    """Section 10: threat(h), the enemies e with range(e,h) up to e.range + 2, as binary digits."""
    facts = s.facts
    sets = []
    cells, kinds = cut(s.cell[s.party :], at), cut(s.kind[s.party :], at)
    for enemy in range(s.units - s.party):
        sets.append(facts.threats.take(kinds[enemy].astype(np.int32) * facts.ground.width + cells[enemy], axis=1))
    return tally(sets)


def safest(s: State, hero: int, at: Lanes, fill: Reach) -> Any:
    """(lanes,). Section 10: the hex with the lowest (threat, -distance to the nearest enemy, steps, (q,r))."""
    board = s.facts.ground.board
    enemies = cut(s.cell[s.party :], at)
    best = fewest(fill.all, threat(s, at))
    distance = board.reach(board.bits.union(enemies))
    apart = best & ~distance.all
    best = np.where(apart.any(axis=0), apart, distance.farthest(best)[0])
    goal = board.bits.nth(fill.nearest(best)[0], 0)
    return np.where((enemies >= 0).any(axis=0), goal, cut(s.cell[hero], at))


def nearest_enemy(s: State, who: int, at: Lanes) -> Any:
    """(lanes,). Section 10: the enemy with the lowest (range, HP, index); -1 with none left."""
    cells = cut(s.cell[s.party :], at)
    start = cut(s.cell[who], at).astype(np.int32) * s.facts.ground.width
    left = narrow(cells >= 0, s.facts.ground.range.take(start + cells))
    chosen = nth(narrow(left, cut(s.hp[s.party :], at)), 0)
    return np.where(chosen >= 0, chosen + s.party, -1)


def toward(s: State, target: Any, at: Lanes, fill: Reach, allowed: Bits | None = None) -> Any:
    """(lanes,). Section 10: step toward t: the hex of the fill with the lowest (range to t, steps, (q,r)); -1 if none.

    Where no hex has a finite range all are equally near, and the fewest steps decide.
    """
    open_to = fill.all if allowed is None else fill.all & allowed
    near = nearest_to(s, open_to, each(s.cell, np.maximum(target, 0), at))
    near = np.where(near.any(axis=0), near, open_to)
    goal = s.facts.ground.board.bits.nth(fill.nearest(near)[0], 0)
    return np.where(target >= 0, goal, -1)
