"""Dynamite: aiming, bouncing, blasting, and going off by itself (5.5)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.board import Bits
from sim.core.choose import draw_lot, pick
from sim.core.lanes import Lanes, Whole, columns, each, lookup
from sim.rulesets.brimstone.data import DYNAMITE, VENOM
from sim.rulesets.brimstone.rules.armor import BATCH, take_wounds
from sim.rulesets.brimstone.rules.explosions import go_off
from sim.rulesets.brimstone.rules.hero_attacks import improve
from sim.rulesets.brimstone.rules.models import armor_of_model, endured, hurt_model, in_order
from sim.rulesets.brimstone.state import MODEL, State
from sim.rulesets.brimstone.worth import daunted

MOST_WOUNDS = 10  # so many wounds from one batch may set off own Dynamite


def throwing_squares(s: State, hero: int, at: Lanes) -> Bits:
    """(words, lanes). BF-H20: floor squares within `strength` + 3 and in sight."""
    assert s.ground is not None
    cell = s.cell[hero].take(at)
    reach = s.strength[hero].take(at) + np.int16(3)
    squares = s.ground.bits.none(len(at))
    for value in np.unique(reach):
        some = np.flatnonzero(reach == value)
        squares[:, some] = s.ground.in_range(int(value)).take(cell[some], axis=1)
    return squares


def crowded_square(s: State, hero: int, at: Lanes, crowd: int, distance: int) -> Whole:
    """(lanes,). The square with the most enemies within range 1, at least `crowd`, and no hero within `distance`.

    Ties: highest summed threat, then by lot. -1 where there is none.
    """
    chosen = np.full(len(at), -1, dtype=np.int64)
    ground = s.ground
    if ground is None:
        return chosen
    able = np.flatnonzero((s.bag[DYNAMITE, hero].take(at) > 0) & (s.alive.take(at, axis=1).sum(axis=0) >= crowd))
    if not len(able):
        return chosen
    lanes = at[able]
    close = (ground.range <= 1).astype(np.int8)
    open_to = ground.bits.cells(throwing_squares(s, hero, lanes))
    shy = ground.range <= distance
    for other in range(s.heroes):
        near = shy.take(s.cell[other].take(lanes), axis=1)
        open_to &= ~(near & s.standing[other].take(lanes))
    number = np.zeros((ground.cells, len(lanes)), dtype=np.int16)
    for slot in range(s.slots):
        alive = s.alive[slot].take(lanes)
        if alive.any():
            number += close.take(s.spot[slot].take(lanes), axis=1) * alive
    open_to &= number >= crowd
    some = np.flatnonzero(open_to.any(axis=0))
    if not len(some):
        return chosen
    lanes, open_to, number = lanes[some], open_to.take(some, axis=1), number.take(some, axis=1)
    threat = np.zeros(number.shape, dtype=np.int32)
    for slot in range(s.slots):
        alive = s.alive[slot].take(lanes)
        if alive.any():
            worth = s.figure("threat", s.profile[slot].take(lanes)).astype(np.int32) * alive
            threat += close.take(s.spot[slot].take(lanes), axis=1) * worth
    lot = draw_lot(s.luck, "BF-H20", s.round, hero, 0, lanes)
    chosen[able[some]] = pick(open_to, by=(-number, -threat), lot=lot)
    return chosen


def throw(s: State, hero: int, at: Lanes, aim: Whole) -> None:
    """BF-H20, BF-H21, BF-H22, BF-H23: throw a token at a square; a miss bounces D3 times; it explodes where it lies."""
    assert s.ground is not None
    s.bag[DYNAMITE, hero, at] -= 1
    s.tokens_used[hero, at] += 1
    row = s.facts.ability_row[hero, "dynamite"]
    s.ledger.uses[row][at] += 1
    needed = s.th_ranged[hero].take(at) + (s.status[VENOM, hero].take(at) > 0)
    if "daunt" in s.facts.any_has:
        needed = needed + daunted(s, at, s.cell[hero].take(at))
    needed = np.clip(needed, 2, 6)
    faces = s.luck.die(6, "BF-H16", s.round, hero, 0, at).astype(np.int8)[None]
    improve(s, hero, at, faces, needed[None], np.ones((1, len(at)), dtype=bool), 6, 0)
    missed = np.flatnonzero(faces[0] < needed)
    cell = aim.copy()
    if len(missed):
        bounces = s.luck.die(3, "BF-H21", s.round, hero, 0, at[missed])
        for bounce in range(3):
            more = missed[bounces > bounce]
            side = s.luck.die(8, "BF-H21", s.round, hero, 1 + bounce, at[more]) - 1
            goal = lookup(s.ground.bounce, side, cell[more])
            cell[more] = np.where(goal >= 0, goal, cell[more])  # BF-H22: a closed way uses the bounce up
    if s.tell and len(at):
        x, y = s.ground.board.coords[int(cell[0])]
        s.tell("BF-H21", hero, f"throws Dynamite, which explodes on ({x},{y})", at, roll=faces[0], needed=needed)
    before = s.dealt[hero].take(at)
    blast(s, hero, at, cell)
    s.ledger.damage[row][at] += s.dealt[hero].take(at) - before


def blast(s: State, hero: int, at: Lanes, cell: NDArray[Any]) -> None:
    """BF-H23, I34: D6 wounds, rolled separately and ignoring Defense, to everybody on the square or next to it."""
    assert s.ground is not None
    number = 8 * hero + s.blasts[hero].take(at).astype(np.int64)
    s.blasts[hero, at] += 1
    if "xp_each" in s.facts.any_has:
        s.marked[:, at] = False

    def caught(where: NDArray[Any]) -> Any:
        assert s.ground is not None
        return (where == cell) | lookup(s.ground.adjacent, where, cell)

    for slot in in_order(s, at):
        some = np.flatnonzero(s.live.take(at) & each(s.alive, slot, at) & caught(each(s.spot, slot, at)))
        if len(some):
            who, lane = slot[some], at[some]
            wounds = s.luck.die(6, "BF-H23", s.round, MODEL + who, number[some], lane)
            wounds = endured(s, who, lane, wounds)
            wounds = armor_of_model(s, who, lane, wounds, "BF-H23/armor", MODEL + who, 100 * number[some])
            hurt_model(s, who, lane, wounds, hero, "BF-H23")
    for other in range(s.heroes):
        some = np.flatnonzero(s.live.take(at) & s.standing[other].take(at) & caught(s.cell[other].take(at)))
        if len(some):
            wounds = s.luck.die(6, "BF-H23", s.round, other, number[some], at[some])
            take_wounds(s, other, at[some], wounds, "BF-H23", number[some])
    go_off(s, at)


def set_off(s: State, hero: int, wounds: Whole, name: str, number: int | Whole) -> None:
    """`dangerous_dynamite`: after 10 or more wounds from one batch own tokens go off on 1 or 2.

    All tokens are rolled for first, then they explode one by one. `wounds` is (runs,).
    """
    if s.ground is None:
        return
    at = np.flatnonzero((wounds >= MOST_WOUNDS) & (s.bag[DYNAMITE, hero] > 0) & s.live)
    if not len(at):
        return
    first = BATCH * (np.full(len(at), number) if isinstance(number, int) else number.take(at))
    tokens = s.bag[DYNAMITE, hero].take(at)
    going = np.zeros(len(at), dtype=np.int64)
    for token in range(int(tokens.max())):
        die = s.luck.die(6, f"{name}/dangerous", s.round, hero, first + token, at)
        going += (tokens > token) & (die <= 2)
    s.bag[DYNAMITE, hero, at] -= going.astype(np.int8)
    for explosion in range(int(going.max(initial=0))):
        more = at[(going > explosion) & s.live.take(at)]
        if s.tell and len(more):
            s.tell("BF-H23", hero, "own Dynamite goes off", more)
        blast(s, hero, more, s.cell[hero].take(more))


def enemy_squares(s: State, hero: int, at: Lanes) -> NDArray[np.bool_]:
    """(slots, lanes). Models within throwing range and sight, for a throw by lot."""
    assert s.ground is not None
    return s.ground.bits.has(throwing_squares(s, hero, at), columns(s.spot, at)) & columns(s.alive, at)
