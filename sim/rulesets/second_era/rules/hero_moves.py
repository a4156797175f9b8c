"""Where adventurers go, and whom they can engage from there."""

from __future__ import annotations

import numpy as np

from sim.core.board import Bits, Reach
from sim.core.board.bits import Cell
from sim.core.board.sets import fewest, preferred, tally, where
from sim.core.choose import narrow, pick
from sim.core.lanes import Lanes, Mask, Whole, cut, each, lookup, which
from sim.rulesets.second_era.data import BLIND, DAZE, DEFENSIVE, LIGHT
from sim.rulesets.second_era.rules.blind import sets_of_the_strongest
from sim.rulesets.second_era.rules.places import stand
from sim.rulesets.second_era.rules.targets import in_play
from sim.rulesets.second_era.state import State


def may_roll(s: State, hero: int, at: Lanes) -> Mask:
    """(lanes,). SE-F3: a Dazed unit that has moved cannot roll dice."""
    return ~(s.under(DAZE, hero, at) & (cut(s.moves, at) > 0))


def may_move(s: State, hero: int, at: Lanes) -> Mask:
    """(lanes,). SE-F3, SE-A2: a Dazed unit that has rolled cannot move; one move with an engage, two without."""
    dazed = s.under(DAZE, hero, at) & cut(s.rolled, at)
    return ~dazed & (cut(s.moves, at) < np.where(cut(s.engaged, at) > 0, 1, 2))


def reach(s: State, hero: int, at: Lanes, steps: int | None = None) -> Reach:
    """SE-A1: reach(a): hexes with walk up to S, the own one included."""
    most = s.facts.heroes[hero].stamina if steps is None else steps
    return s.facts.ground.board.reach(cut(s.cell[hero], at), most, blocked=cut(s.occupied, at))


def walk_to(s: State, hero: int, cell: Cell, at: Lanes, fill: Reach, action: bool = True) -> None:
    """SE-A1: move there; a move of 0 steps is none. `fill` tells the steps."""
    goes = which((cell >= 0) & (cell != cut(s.cell[hero], at)))
    if not len(goes):
        return
    moving = at[goes]
    s.hexes[hero][moving] += fill.cost(cell)[goes]
    if action:
        s.moves[moving] += 1
    stand(s, hero, cell[goes], moving, "SE-A1" if action else "SE-R8", fill.cost(cell)[goes] if s.tell else None)


def engage_sets(s: State, hero: int, form: int, at: Lanes) -> list[Bits]:
    """By enemy: eng(F,h), the hexes from which it is targetable in a form (SE-T2, SE-T3, SE-F2)."""
    enemies = slice(s.party, s.units)
    visible = in_play(s, hero, at, enemies)
    in_reach = s.facts.form_shots[hero][form]
    cells = cut(s.cell[enemies], at)
    sets = [where(s.find_columns(in_reach, at, cell), seen) for cell, seen in zip(cells, visible, strict=True)]
    blind = which(s.under(BLIND, hero, at))
    if len(blind):
        if s.facts.is_on("blind_rule", "errata") and form != DEFENSIVE:
            in_reach = s.facts.form_shots[hero][LIGHT]
        strongest = sets_of_the_strongest(s, hero, at[blind], in_reach)
        for part, of_blind in zip(sets, strongest[s.party :], strict=True):
            part[:, blind] = of_blind
    return sets


def joined(s: State, sets: list[Bits], at: Lanes) -> Bits:
    """(words, lanes). The hexes of any of the sets."""
    union = s.facts.ground.board.bits.none(len(at))
    for part in sets:
        union |= part
    return union


def threat(s: State, at: Lanes) -> list[Bits]:
    """threat(h), the number of enemies e with range(e,h) up to e.range + 2, as binary digits."""
    cells, kinds = cut(s.cell[s.party :], at), cut(s.kind[s.party :], at)
    return tally(s.find_columns(s.facts.threats, at, kind, cell) for kind, cell in zip(kinds, cells, strict=True))


def safest(s: State, hero: int, at: Lanes, fill: Reach) -> Whole:
    """(lanes,). The hex with the lowest (threat, -distance to the nearest enemy, steps, (q,r))."""
    board = s.facts.ground.board
    enemies = cut(s.cell[s.party :], at)
    best = fewest(fill.all, threat(s, at))
    distance = board.reach(board.bits.union(enemies))
    apart = best & ~distance.all
    best = np.where(apart.any(axis=0), apart, distance.farthest(best)[0])
    goal = board.bits.nth(fill.nearest(best)[0], 0)
    return np.where((enemies >= 0).any(axis=0), goal, cut(s.cell[hero], at))


def nearest_enemy(s: State, who: int, at: Lanes) -> Whole:
    """(lanes,). The enemy with the lowest (range, HP, index); -1 with none left."""
    cells = cut(s.cell[s.party :], at)
    near = narrow(cells >= 0, lookup(s.facts.ground.range, cut(s.cell[who], at), cells))
    chosen = pick(near, by=(cut(s.hp[s.party :], at),))
    return np.where(chosen >= 0, chosen + s.party, -1)


def toward(s: State, target: Whole, at: Lanes, fill: Reach, allowed: Bits | None = None) -> Whole:
    """(lanes,). Step toward t: the hex of the fill with the lowest (range to t, steps, (q,r)); -1 if none.

    Where no hex has a finite range all are equally near, and the fewest steps decide.
    """
    open_to = fill.all if allowed is None else fill.all & allowed
    near = preferred(open_to, s.facts.ground.nearest(open_to, each(s.cell, np.maximum(target, 0), at)))
    goal = s.facts.ground.board.bits.nth(fill.nearest(near)[0], 0)
    return np.where(target >= 0, goal, -1)
