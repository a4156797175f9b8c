"""Phase A of a group: how models move by the rules of movement (BF-G8, BF-E9 to BF-E11)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sim.core.board import Bits, Reach
from sim.core.board.sets import nearest, preferred, where
from sim.core.choose import draw_lot, first, pick
from sim.core.lanes import Lanes, Mask, Small, Whole, columns, cut, each, lookup, put, which
from sim.rulesets.brimstone.data import IMMOBILE, LARGE, SHOOTOUT
from sim.rulesets.brimstone.look import model_key
from sim.rulesets.brimstone.rules.places import Cell, adjacent_heroes, any_square, occupied, put_model
from sim.rulesets.brimstone.state import MODEL, State


@dataclass(frozen=True, slots=True)
class Range:
    """Where the models of some lanes can go, one model per lane."""

    spot: Small  # (lanes,) where they are
    fill: Reach  # the squares that they can come to
    landing: Bits  # (words, lanes) those on which they may end
    blocked: Bits  # (words, lanes) squares that they cannot enter, their own aside
    small: Bits  # (words, lanes) squares of models that they push aside (BF-E10)
    pushing: Mask  # (lanes,) whether they push at all


def range_of(s: State, kind: int, slot: Whole, at: Lanes, own_group: bool = False) -> Range:
    """BF-G8, BF-E9, BF-E10: occupied squares block, unless the model passes, pushes or (`own_group`) shoots it out."""
    bits = s.ground.bits
    spot = each(s.spot, slot, at)
    own = bits.at(spot)
    taken = occupied(s, at)
    blocked, free = taken, bits.every & ~taken
    passes = s.kind_has("passes", kind, at)
    pushing, small = np.zeros(len(at), dtype=bool), bits.none(len(at))
    if own_group:
        mates = cut(s.alive, at) & (cut(s.kind, at) == kind)
        blocked = blocked & ~bits.union(cut(s.spot, at), mates)
    elif may_push(s, kind):
        pushing = ~passes
        small = where(pushable(s, at) & ~own, pushing)
        blocked, free = blocked & ~small, free | small
    if s.kind_may(kind, "passes"):
        blocked = where(blocked, ~passes)
    fill = s.ground.board.reach(spot, s.of_kind("move", kind, at), blocked=blocked)
    return Range(spot, fill, fill.all & (free | own), blocked & ~own, small, pushing)


def may_push(s: State, kind: int) -> bool:
    """BF-E10: whether models of the kind are Large and push smaller ones aside."""
    if s.facts.is_on("large_displace", "off"):
        return False
    profile = s.facts.plot.bestiary.first[kind]
    figure = s.facts.figure
    return bool(figure["size"][profile] == LARGE and figure["behaviour"][profile] not in (SHOOTOUT, IMMOBILE))


def pushable(s: State, at: Lanes) -> Bits:
    """(words, lanes). BF-E10: squares of S and M enemies that can be moved."""
    profile = cut(s.profile, at)
    light = (s.figure("size", profile) != LARGE) & (s.figure("behaviour", profile) != IMMOBILE)
    return s.ground.bits.union(cut(s.spot, at), light & cut(s.alive, at))


def go(s: State, slot: Whole, at: Lanes, cell: Whole, area: Range, going: Mask) -> None:
    """A model moves to a square of its range; where the way leads through smaller ones they are pushed (BF-E10)."""
    some = which(going & (cell != each(s.spot, slot, at)))
    if not len(some):
        return
    pushes = np.zeros(len(some), dtype=bool)
    if area.pushing.any():
        length = area.fill.cost(cell)[some]
        pushes = pushes_somebody(s, cell[some], area, some, length)
    plain = some[~pushes]
    put_model(s, slot[plain], at[plain], cell[plain])
    if pushes.any():
        pushing = some[pushes]
        push_through(s, slot[pushing], at[pushing], cell[pushing], area, pushing, length[pushes])
    if s.tell:
        here = cell[some]
        beside = which(adjacent_heroes(s, here, at[some])[:, 0]).tolist()
        who, place = model_key(s, slot[some]), s.ground.name_of(int(here[0]))
        s.tell.event("BF-G8", "moves", at[some], who=who, whom=beside, place=place)


def pushes_somebody(s: State, cell: Whole, area: Range, some: Whole, length: Small) -> Mask:
    """(some,). Whether every shortest way to the square leads through a smaller enemy, or ends on one."""
    closed = columns(area.blocked, some) | columns(area.small, some)
    around = s.ground.board.reach(area.spot[some], int(length.max(initial=0)), blocked=closed)
    return around.cost(cell) != length


def push_through(s: State, slot: Whole, at: Lanes, cell: Whole, area: Range, some: Whole, lengths: Small) -> None:
    """BF-E10: a shortest way with the fewest displaced models, then by step order; each pushed one swaps places."""
    small, blocked = columns(area.small, some), columns(area.blocked, some)
    ways = ways_to(s, cell, small, blocked, int(lengths.max()))
    for length in np.unique(lengths).tolist():
        same = which(lengths == length)
        steps = [[columns(level, same) for level in layer] for layer in ways[:length]]
        walk(s, slot[same], at[same], steps)


def ways_to(s: State, cell: Whole, small: Bits, blocked: Bits, length: int) -> list[list[Bits]]:
    """By steps from the goal, then by how many models are displaced from there on: the squares of shortest ways.

    A model on the square itself counts among the displaced.
    """
    bits = s.ground.bits
    fill = s.ground.board.reach(cell, length, blocked=blocked)
    ways: list[list[Bits]] = []
    best: list[Bits] = [bits.at(cell)]  # squares of this layer by the fewest displaced after them
    for layer in range(length):
        entering = [level & ~small for level in best] + [bits.none(len(cell))]
        for number, level in enumerate(best):
            entering[number + 1] = entering[number + 1] | (level & small)
        ways.append(entering)
        left = fill.layers[layer + 1].copy()
        best = []
        for level in entering:
            here = left & bits.around(level)
            best.append(here)
            left &= ~here
    return ways


def walk(s: State, slot: Whole, at: Lanes, ways: list[list[Bits]]) -> None:
    """Go step by step: at each the first direction from which the fewest models are still displaced."""
    bits = s.ground.bits
    for levels in reversed(ways):
        spot = each(s.spot, slot, at)
        onward = np.full(len(at), -1, dtype=np.int64)
        for level in levels:
            for side in s.ground.step:
                goal = columns(side, spot)
                fits = (onward < 0) & (goal >= 0) & bits.has(level, goal)
                onward = np.where(fits, goal, onward)
        crowded = bits.has(cut(s.enemy_bits, at), onward)
        clear, swaps = which(~crowded), which(crowded)
        put_model(s, slot[clear], at[clear], onward[clear])
        if len(swaps):
            swap_places(s, slot[swaps], at[swaps], onward[swaps])


def swap_places(s: State, slot: Whole, at: Lanes, cell: Whole) -> None:
    """BF-E10: the model changes places with the one on the square that it enters."""
    pushed = first(cut(s.alive, at) & (cut(s.spot, at) == cell))
    put(s.spot, pushed, at, each(s.spot, slot, at))
    put(s.spot, slot, at, cell)
    if s.tell:
        s.tell.event("BF-E10", "pushes", at, who=model_key(s, slot), whom=model_key(s, pushed))


def toward_closest(s: State, slot: Whole, at: Lanes, area: Range, going: Mask) -> None:
    """BF-E11: to the square in range with the smallest `steps` to the closest hero; fewest steps, then by lot."""
    some = which(going)
    if not len(some):
        return
    moving, actor = at[some], MODEL + slot[some]
    steps = lookup(s.ground.steps, cut(s.cell, moving), area.spot[some])
    closest = draw_lot(s.luck, "BF-E11", s.round, actor, 0, moving)
    hero = pick(cut(s.standing, moving), by=(steps,), lot=closest)
    squares = nearest_to(s, each(s.cell, hero, moving), columns(area.landing, some))
    cell = np.zeros(len(at), dtype=np.int64)
    cell[some] = any_square(s, fewest_steps(area, squares, some), "BF-E11", actor, 1, moving)
    go(s, slot, at, cell, area, going)


def nearest_to(s: State, goal: Cell, squares: Bits) -> Bits:
    """(words, lanes). Of the squares those with the smallest `steps` to a cell; all where there is no way."""
    return preferred(squares, s.ground.board.reach(goal).nearest(squares)[0])


def fewest_steps(area: Range, squares: Bits, some: Whole) -> Bits:
    """(words, some). Of the squares of some lanes those that cost the fewest steps."""
    return nearest(squares, (columns(layer, some) for layer in area.fill.layers))
