"""Spawners at the end of a turn: Hordes, then Spawn (BF-T8)."""

from __future__ import annotations

import numpy as np

from sim.core.choose import lots, order_by
from sim.core.lanes import Lanes, Whole, anyone, columns, cut, each, keep, lookup, rows_of, which
from sim.core.telling import dice
from sim.rulesets.brimstone.look import kind_name, model_key
from sim.rulesets.brimstone.rules.arrivals import beside_heroes, create, last_slot, newcomer, off_board
from sim.rulesets.brimstone.rules.damage import is_up
from sim.rulesets.brimstone.rules.places import any_square, occupied
from sim.rulesets.brimstone.rules.saves import Source, plain_hits, take_batch
from sim.rulesets.brimstone.state import GROUP, MODEL, State

SPAWN_DAMAGE = 3


def spawn_models(s: State) -> None:
    """BF-T8(a): Hordes by type in order of first appearance, then the models with Spawn in random order."""
    if "hordes" in s.facts.any_has:
        hordes(s)
    if "spawn_on" in s.facts.any_has:
        spawners(s)


def hordes(s: State) -> None:
    """Hordes: D6 above the number in play adds max(0, D6 - 3) models, placed beside heroes."""
    kinds = [kind for kind in s.facts.kind_has if s.kind_may(kind, "hordes")]
    for now in order_by((s.appeared[kinds],)):
        for row, kind in enumerate(kinds):
            add_to_horde(s, kind, which(s.live & (now == row)))


def add_to_horde(s: State, kind: int, at: Lanes) -> None:
    """Hordes: the roll of one type."""
    in_play = (cut(s.alive, at) & (cut(s.kind, at) == kind)).sum(axis=0)
    rolls = s.kind_has("hordes", kind, at) & (in_play > 0)
    at, in_play = keep(at, rolls), keep(in_play, rolls)
    if not len(at):
        return
    roll = s.luck.die(6, "Hordes", s.round, GROUP + kind, 0, at)
    above = roll > in_play
    second = s.luck.die(6, "Hordes", s.round, GROUP + kind, 1, at)
    number = np.maximum(second - 3, 0) * above
    if s.tell:
        shown = [dice(roll, 6, above=in_play, purpose="the horde", measure="rolls")]
        shown += [dice(second, 6, purpose="their number")] if above.any() else []
        s.tell.event("BF-T8", "horde_grows", at, rolls=shown, by=kind_name(s, kind), number=number)
    enter = beside_heroes if s.has_board else off_board
    enter(s, kind, keep(at, number > 0), keep(number, number > 0), s.round + 1)


def spawners(s: State) -> None:
    """Spawn: every model that lived when the step began rolls, in random order."""
    going = which(s.live)
    able = cut(s.alive, going) & (s.figure("spawn_on", cut(s.profile, going)) > 0)
    some = which(anyone(able))
    if not len(some):
        return
    at, rows = going[some], rows_of(able)
    able = able[rows][:, some]
    order = rows[order_by((~able, lots(s.luck, "Spawn/order", s.round, rows.tolist(), at)))]
    number = able.sum(axis=0)
    for place, slot in enumerate(order):
        rolling = which((number > place) & cut(s.live, at))
        if len(rolling):
            spawn(s, slot[rolling], at[rolling])


def spawn(s: State, slot: Whole, at: Lanes) -> None:
    """Spawn (t, type): D6 of t or more puts a model beside it; without a free square adjacent heroes are hit."""
    rolls = s.figure("spawn_rolls", each(s.profile, slot, at))
    for roll in range(int(rolls.max())):
        die = s.luck.die(6, "Spawn", s.round, MODEL + slot, roll, at)
        profile = each(s.profile, slot, at)
        works = (rolls > roll) & (die >= s.figure("spawn_on", profile)) & cut(s.live, at)
        if not works.any():
            continue
        kinds = s.figure("spawn_kind", profile)
        book_spawn(s, keep(slot, works), keep(at, works))
        for kind in np.unique(keep(kinds, works)).tolist():
            of_kind = works & (kinds == kind)
            put_beside(s, kind, keep(slot, of_kind), keep(at, of_kind), roll)


def book_spawn(s: State, slot: Whole, at: Lanes) -> None:
    """The spawner has done something (one model per lane)."""
    kinds = each(s.kind, slot, at)
    for kind in np.unique(kinds).tolist():
        row = s.facts.ability_row[s.facts.unit_row[kind], "spawn"]
        s.ledger.uses[row][keep(at, kinds == kind)] += 1


def put_beside(s: State, kind: int, slot: Whole, at: Lanes, roll: int) -> None:
    """Spawn: one model on a random free square beside the spawner, or a hit of damage 3 for every adjacent hero."""
    if not s.has_board:
        tell_spawn(s, slot, create(s, kind, at, None, s.round + 1))
        return
    free = columns(s.ground.beside, each(s.spot, slot, at)) & ~occupied(s, at)
    open_to = s.ground.bits.any(free)
    some = which(open_to)
    cell = any_square(s, columns(free, some), "Spawn/square", newcomer(s, at[some]), 0, at[some])
    tell_spawn(s, slot[some], create(s, kind, at[some], cell, s.round + 1))
    burst_out(s, keep(slot, ~open_to), keep(at, ~open_to), roll)


def tell_spawn(s: State, slot: Whole, at: Lanes) -> None:
    """What a spawner has brought forth."""
    if s.tell and len(at):
        s.tell.event("BF-T8", "spawns", at, who=model_key(s, slot), whom=model_key(s, last_slot(s, at)))


def burst_out(s: State, slot: Whole, at: Lanes, roll: int) -> None:
    """Spawn: without a free square every adjacent hero takes a hit of damage 3 from the spawner."""
    spot, kind = each(s.spot, slot, at), each(s.kind, slot, at)
    if s.tell and len(at):
        s.tell.event("BF-T8", "bursts_out", at, who=model_key(s, slot))
    for hero in range(s.heroes):
        near = is_up(s, hero, at) & lookup(s.ground.adjacent, cut(s.cell[hero], at), spot)
        for row in np.unique(keep(slot, near)).tolist():
            of_row = near & (slot == row)
            for owner in np.unique(keep(kind, of_row)).tolist():
                struck = keep(at, of_row & (kind == owner))
                take_batch(s, hero, plain_hits(struck, SPAWN_DAMAGE), Source("Spawn", 2 * row + roll, owner))
