"""Dynamite: aiming, bouncing, blasting, and going off by itself (BF-H20 to BF-H23)."""

from __future__ import annotations

import numpy as np

from sim.core.board import Bits
from sim.core.choose import draw_lot, pick
from sim.core.lanes import Lanes, Mask, Small, Whole, Wide, anyone, columns, cut, each, keep, lookup, which
from sim.core.telling import dice
from sim.rulesets.brimstone.data import DYNAMITE, VENOM
from sim.rulesets.brimstone.rules.armor import BATCH, take_wounds
from sim.rulesets.brimstone.rules.damage import is_up
from sim.rulesets.brimstone.rules.explosions import go_off
from sim.rulesets.brimstone.rules.hero_attacks import ToHit, improve
from sim.rulesets.brimstone.rules.models import Blow, armor_of_model, endured, hurt_model, in_order
from sim.rulesets.brimstone.rules.modes import daunted, throwing_range
from sim.rulesets.brimstone.rules.places import Cell, living_slots
from sim.rulesets.brimstone.state import MODEL, State

MOST_WOUNDS = 10  # so many wounds from one batch may set off own Dynamite


def throwing_squares(s: State, hero: int, at: Lanes) -> Bits:
    """(words, lanes). BF-H20: floor squares within `strength` + 3 and in sight."""
    cell = cut(s.cell[hero], at)
    reach = throwing_range(s, hero, at)
    squares = s.ground.bits.none(len(at))
    for value in np.unique(reach):
        some = which(reach == value)
        squares[:, some] = columns(s.ground.in_range(int(value)), cell[some])
    return squares


def enemy_squares(s: State, hero: int, at: Lanes) -> Mask:
    """(slots, lanes). Models within throwing range and sight, for a throw by lot."""
    return s.ground.bits.has(throwing_squares(s, hero, at), cut(s.spot, at)) & cut(s.alive, at)


def crowded_square(s: State, hero: int, at: Lanes, crowd: int, distance: int) -> Whole:
    """(lanes,). The square with the most enemies within range 1, at least `crowd`, and no hero within `distance`.

    Ties: highest summed threat, then by lot. -1 where there is none.
    """
    chosen = np.full(len(at), -1, dtype=np.int64)
    if not s.has_board:
        return chosen
    able = which((cut(s.bag[DYNAMITE, hero], at) > 0) & (cut(s.alive, at).sum(axis=0) >= crowd))
    if not len(able):
        return chosen
    number = models_within_one(s, at[able])
    squares = safe_squares(s, hero, at[able], distance) & (number >= crowd)
    some = which(anyone(squares))
    if not len(some):
        return chosen
    throwing = at[able[some]]
    lot = draw_lot(s.luck, "BF-H20", s.round, hero, 0, throwing)
    most_enemies, most_threat = -columns(number, some), -threat_within_one(s, throwing)
    chosen[able[some]] = pick(columns(squares, some), by=(most_enemies, most_threat), lot=lot)
    return chosen


def safe_squares(s: State, hero: int, at: Lanes, distance: int) -> Mask:
    """(cells, lanes). BF-H20: squares that the hero may aim at, no standing hero within `distance`."""
    squares = s.ground.bits.cells(throwing_squares(s, hero, at))
    near = s.ground.range <= distance  # (cells, cells)
    for other in range(s.heroes):
        squares &= ~(columns(near, cut(s.cell[other], at)) & cut(s.standing[other], at))
    return squares


def models_within_one(s: State, at: Lanes) -> Small:
    """(cells, lanes). How many living models are on each square or next to it."""
    close = (s.ground.range <= 1).astype(np.int8)  # (cells, cells)
    number = np.zeros((s.ground.cells, len(at)), dtype=np.int16)
    for slot in living_slots(s, at):
        number += columns(close, cut(s.spot[slot], at)) * cut(s.alive[slot], at)
    return number


def threat_within_one(s: State, at: Lanes) -> Wide:
    """(cells, lanes). BF-P12: the summed threat of the living models on each square or next to it."""
    close = (s.ground.range <= 1).astype(np.int8)  # (cells, cells)
    threat = np.zeros((s.ground.cells, len(at)), dtype=np.int32)
    for slot in living_slots(s, at):
        worth = s.figure("threat", cut(s.profile[slot], at)).astype(np.int32) * cut(s.alive[slot], at)
        threat += columns(close, cut(s.spot[slot], at)) * worth
    return threat


def throw(s: State, hero: int, at: Lanes, aim: Cell) -> None:
    """BF-H20, BF-H21, BF-H22, BF-H23: throw a token at a square; a miss bounces D3 times; it explodes where it lies."""
    s.bag[DYNAMITE, hero, at] -= 1
    s.tokens_used[hero, at] += 1
    row = s.facts.ability_row[hero, "dynamite"]
    s.ledger.uses[row][at] += 1
    needed = cut(s.th_ranged[hero], at) + (cut(s.status[VENOM, hero], at) > 0)
    if "daunt" in s.facts.any_has:
        needed = needed + daunted(s, at, cut(s.cell[hero], at))
    needed = np.clip(needed, 2, 6)
    faces = s.luck.die(6, "BF-H16", s.round, hero, 0, at).astype(np.int8)[None]
    roll = ToHit(hero, 0, 6, faces, needed[None], np.ones((1, len(at)), dtype=bool))
    roll.show(s)
    if s.tell and len(at):
        s.tell.event("BF-H20", "throws", at, who=hero, rolls=roll.shown, aim=s.ground.name_of(int(aim[0])))
    improve(s, roll, at)
    cell = aim.copy()
    missed = which(roll.missing[0])
    cell[missed] = bounced(s, hero, at[missed], aim[missed])
    if s.tell and len(at):
        place = s.ground.name_of(int(cell[0]))
        s.tell.event("BF-H21", "lands", at, who=hero, missed=bool(len(missed)), place=place)
    before = columns(s.dealt[hero], at)
    s.ledger.hits[row][at] += blast(s, hero, at, cell)
    s.ledger.damage[row][at] += cut(s.dealt[hero], at) - before


def bounced(s: State, hero: int, at: Lanes, aim: Cell) -> Cell:
    """(lanes,). BF-H21, BF-H22: where a throw that misses comes to lie; a closed way uses the bounce up."""
    cell = aim.copy()
    if not len(at):
        return cell
    bounces = s.luck.die(3, "BF-H21", s.round, hero, 0, at)
    for bounce in range(3):
        more = which(bounces > bounce)
        side = s.luck.die(8, "BF-H21", s.round, hero, 1 + bounce, at[more]) - 1
        goal = lookup(s.ground.bounce, side, cell[more])
        cell[more] = np.where(goal >= 0, goal, cell[more])
    return cell


def blast(s: State, hero: int, at: Lanes, cell: Cell) -> Whole:
    """(lanes,). BF-H23: D6 wounds, rolled separately and ignoring Defense, to everybody on the square or next to it.

    Models by creation number come before heroes in posse order, each applied at once. Returns how many models it hit.
    """
    models = np.zeros(len(at), dtype=np.int64)
    number = 8 * hero + cut(s.blasts[hero], at).astype(np.int64)
    s.blasts[hero, at] += 1
    if "xp_each" in s.facts.any_has:
        s.marked[:, at] = False
    near = s.ground.at_or_beside
    for slot in in_order(s, at):
        caught = which(cut(s.live, at) & each(s.alive, slot, at) & lookup(near, each(s.spot, slot, at), cell))
        if len(caught):
            who, struck = slot[caught], at[caught]
            wounds = s.luck.die(6, "BF-H23", s.round, MODEL + who, number[caught], struck)
            blow = Blow("BF-H23", "is_blasted", (dice(wounds, 6, purpose="damage"),) if s.tell else ())
            wounds = endured(s, who, struck, wounds)
            wounds = armor_of_model(s, who, struck, wounds, "BF-H23/armor", MODEL + who, 100 * number[caught])
            hurt_model(s, who, struck, wounds, hero, blow)
            models[caught] += 1
    for other in range(s.heroes):
        caught = which(is_up(s, other, at) & lookup(near, cut(s.cell[other], at), cell))
        if len(caught):
            wounds = s.luck.die(6, "BF-H23", s.round, other, number[caught], at[caught])
            take_wounds(s, other, at[caught], wounds, "BF-H23", number[caught])
    go_off(s, at)
    return models


def set_off(s: State, hero: int, wounds: Whole, name: str, number: int) -> None:
    """`dangerous_dynamite`: after 10 or more wounds from one batch own tokens go off on 1 or 2.

    All tokens are rolled for first, then they explode one by one. `wounds` is (runs,).
    """
    if not s.has_board:
        return
    at = which((wounds >= MOST_WOUNDS) & (s.bag[DYNAMITE, hero] > 0) & s.live)
    if not len(at):
        return
    tokens = cut(s.bag[DYNAMITE, hero], at)
    going = np.zeros(len(at), dtype=np.int8)
    for token in range(int(tokens.max())):
        die = s.luck.die(6, f"{name}/dangerous", s.round, hero, BATCH * number + token, at)
        going += (tokens > token) & (die <= 2)
    s.bag[DYNAMITE, hero, at] -= going
    for explosion in range(int(going.max(initial=0))):
        more = keep(at, (going > explosion) & cut(s.live, at))
        if s.tell:
            s.tell.event("BF-H23", "goes_off", more, who=hero)
        blast(s, hero, more, cut(s.cell[hero], more))
