"""Phase A of a group: how models move by the rules of movement (BF-G8, BF-E9 to BF-E11)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.board import Bits, Reach
from sim.core.choose import count, narrow, nth
from sim.core.lanes import Lanes, Mask, Whole, columns, each, lookup, put
from sim.rulesets.brimstone.data import IMMOBILE, LARGE, SHOOTOUT
from sim.rulesets.brimstone.rules.models import model_name
from sim.rulesets.brimstone.rules.places import by_lot, occupied, put_model
from sim.rulesets.brimstone.state import MODEL, State

ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
NONE = np.uint64(0)
OUT_OF_THE_WAY = np.int16(32_000)


class Range:
    """Where the models of some lanes can go: the fill, and the squares on which they may end."""

    def __init__(self, s: State, kind: int, slot: Whole, at: Lanes, own_group: bool = False) -> None:
        """BF-G8, BF-E9, BF-E10: occupied squares block, unless the model passes, pushes or shoots it out."""
        assert s.ground is not None
        bits = s.ground.bits
        self.spot = each(s.spot, slot, at)
        taken = occupied(s, at)
        own = bits.at(self.spot)
        blocked = taken
        self.pushing = np.zeros(len(at), dtype=bool)
        self.small = bits.none(len(at))
        free = bits.every & ~taken
        if own_group:
            mates = columns(s.alive, at) & (columns(s.kind, at) == kind)
            blocked = blocked & ~bits.union(columns(s.spot, at), mates)
        elif may_push(s, kind):
            passes = np.broadcast_to(np.asarray(s.of_kind("passes", kind, at)) > 0, len(at))
            self.small = pushable(s, at) & ~own
            self.small *= ~passes
            self.pushing = ~passes
            blocked = blocked & ~self.small
            free = free | self.small
        if s.kind_may(kind, "passes"):
            passes = np.asarray(s.of_kind("passes", kind, at)) > 0
            blocked = blocked & np.where(passes, NONE, ALL)
        self.blocked = blocked & ~own
        self.fill: Reach = s.ground.board.reach(self.spot, s.of_kind("move", kind, at), blocked=blocked)
        self.landing: Bits = self.fill.all & (free | own)


def may_push(s: State, kind: int) -> bool:
    """BF-E10: whether models of the kind are Large and push smaller ones aside."""
    if s.facts.is_on("large_displace", "off"):
        return False
    profile = s.facts.plot.bestiary.first[kind]
    figure = s.facts.figure
    return bool(figure["size"][profile] == LARGE and figure["behaviour"][profile] not in (SHOOTOUT, IMMOBILE))


def pushable(s: State, at: Lanes) -> Bits:
    """(words, lanes). BF-E10: squares of S and M enemies that can be moved."""
    assert s.ground is not None
    profile = columns(s.profile, at)
    light = (s.figure("size", profile) != LARGE) & (s.figure("behaviour", profile) != IMMOBILE)
    return s.ground.bits.union(columns(s.spot, at), light & columns(s.alive, at))


def go(s: State, slot: Whole, at: Lanes, cell: Whole, area: Range, chosen: Mask | None = None) -> None:
    """A model moves to a square of its range; where the way leads through smaller ones they are pushed (BF-E10)."""
    moved = cell != each(s.spot, slot, at)
    if chosen is not None:
        moved &= chosen
    some = np.flatnonzero(moved)
    if not len(some):
        return
    pushes = np.zeros(len(at), dtype=bool)
    if area.pushing.any():
        lengths = area.fill.cost(cell)
        pushes[some] = pushes_somebody(s, cell, area, some, lengths[some])
    plain = some[~pushes[some]]
    put_model(s, slot[plain], at[plain], cell[plain])
    if s.tell and s.ground is not None:
        x, y = s.ground.board.coords[int(cell[some[0]])]
        s.tell("BF-G8", model_name(s, slot[some], at[some]), f"moves to ({x},{y})", at[some])
    pushing = some[pushes[some]]
    if len(pushing):
        push_through(s, slot[pushing], at[pushing], cell[pushing], area, pushing, lengths[pushing])


def pushes_somebody(s: State, cell: Whole, area: Range, some: Whole, length: NDArray[np.int16]) -> Mask:
    """(some,). Whether every shortest way to the square leads through a smaller enemy, or ends on one."""
    assert s.ground is not None
    around = s.ground.board.reach(
        area.spot[some], int(length.max(initial=0)), blocked=area.blocked[:, some] | area.small[:, some]
    )
    return around.cost(cell[some]) != length


def push_through(
    s: State, slot: Whole, at: Lanes, cell: Whole, area: Range, some: Whole, lengths: NDArray[np.int16]
) -> None:
    """BF-E10: a shortest way with the fewest displaced models, then by step order; each pushed one swaps places."""
    ground = s.ground
    assert ground is not None
    bits = ground.bits
    small = area.small[:, some]
    spot = area.spot[some].astype(np.int64)
    fill = ground.board.reach(cell, int(lengths.max()), blocked=area.blocked[:, some])
    # entering[j][e]: squares j steps from the goal from which e models are displaced, the one on the square included
    entering: list[list[Bits]] = []
    best: list[Bits] = [bits.at(cell)]  # squares of this layer by the fewest displaced after them
    for layer in range(int(lengths.max())):
        paid = [level & ~small for level in best] + [bits.none(len(at))]
        for number, level in enumerate(best):
            paid[number + 1] = paid[number + 1] | (level & small)
        entering.append(paid)
        left = fill.layers[layer + 1].copy()
        best = []
        for level in paid:
            here = left & bits.around(level)
            best.append(here)
            left &= ~here
    for length in np.unique(lengths):
        lanes = np.flatnonzero(lengths == length)
        walk(s, slot[lanes], at[lanes], spot[lanes], small[:, lanes], entering, lanes, int(length))


def walk(
    s: State,
    slot: Whole,
    at: Lanes,
    spot: Whole,
    small: Bits,
    entering: list[list[Bits]],
    some: Whole,
    length: int,
) -> None:
    """Go step by step: at each the first direction from which the fewest models are still displaced."""
    ground = s.ground
    assert ground is not None
    bits = ground.bits
    for layer in range(length - 1, -1, -1):
        onward = np.full(len(at), -1, dtype=np.int64)
        for level in entering[layer]:
            here = level[:, some]
            for side in ground.step:
                goal = side.take(spot).astype(np.int64)
                fits = (onward < 0) & (goal >= 0) & bits.has(here, goal)
                onward = np.where(fits, goal, onward)
        crowded = bits.has(bits.union(columns(s.spot, at), columns(s.alive, at)), onward)
        clear = np.flatnonzero(~crowded)
        put_model(s, slot[clear], at[clear], onward[clear])
        swap = np.flatnonzero(crowded)
        if len(swap):
            lanes = at[swap]
            there = columns(s.alive, lanes) & (columns(s.spot, lanes) == onward[swap])
            other = nth(there, 0)
            put(s.spot, other, lanes, spot[swap])
            put(s.spot, slot[swap], lanes, onward[swap])
        spot = onward


def nearest_hero(s: State, spot: NDArray[Any], at: Lanes) -> NDArray[np.int16]:
    """(lanes,). BF-G4: `steps` from a cell to the nearest standing hero."""
    assert s.ground is not None
    steps = lookup(s.ground.steps, columns(s.cell, at), spot)
    return np.where(columns(s.standing, at), steps, OUT_OF_THE_WAY).min(axis=0)


def toward_closest(s: State, slot: Whole, at: Lanes, area: Range, chosen: Mask) -> None:
    """BF-E11: to the square in range with the smallest `steps` to the closest hero; fewest steps, then by lot."""
    some = np.flatnonzero(chosen)
    if not len(some):
        return
    assert s.ground is not None
    lanes, who = at[some], slot[some]
    standing = columns(s.standing, lanes)
    steps = lookup(s.ground.steps, columns(s.cell, lanes), area.spot[some])
    closest = narrow(standing, steps)
    hero = nth(closest, s.luck.below(count(closest), "BF-E11", s.round, MODEL + who, 0, lanes))
    goal = each(s.cell, hero, lanes)
    squares = nearest_to(s, goal, area.landing[:, some])
    cell = np.full(len(at), 0, dtype=np.int64)
    fewest = cheapest_of(area, squares, some)
    cell[some] = by_lot(s, fewest, "BF-E11", MODEL + who, 1, lanes)
    go(s, slot, at, cell, area, chosen)


def nearest_to(s: State, goal: NDArray[Any], squares: Bits) -> Bits:
    """(words, lanes). Of the squares those with the smallest `steps` to a cell."""
    assert s.ground is not None
    bits = s.ground.bits
    found = s.ground.board.reach(goal).nearest(squares)[0]
    return np.where(bits.any(found), found, squares)


def cheapest_of(area: Range, squares: Bits, some: Whole) -> Bits:
    """(words, some). Of the squares those that cost the fewest steps."""
    chosen = np.zeros_like(squares)
    open_to = np.ones(squares.shape[1], dtype=bool)
    for layer in area.fill.layers:
        here = layer.take(some, axis=1) & squares
        here *= open_to
        chosen |= here
        open_to &= ~here.any(axis=0)
        if not open_to.any():
            break
    return chosen
