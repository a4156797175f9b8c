"""Spawners at the end of a turn: Hordes, then Spawn (11.4, I43)."""

from __future__ import annotations

import numpy as np

from sim.core.lanes import Lanes, Whole, each, lookup, which
from sim.core.luck import TABLE
from sim.rulesets.brimstone.rules.arrivals import beside_heroes, create
from sim.rulesets.brimstone.rules.places import by_lot, occupied
from sim.rulesets.brimstone.rules.saves import plain_hits, take_batch
from sim.rulesets.brimstone.state import GROUP, MODEL, NEWCOMER, State

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
    order = np.argsort(np.stack([s.appeared[kind] for kind in kinds]), axis=0, kind="stable")
    for place in range(len(kinds)):
        for row, kind in enumerate(kinds):
            at = which(s.live & (order[place] == row))
            in_play = (s.alive.take(at, axis=1) & (s.kind.take(at, axis=1) == kind)).sum(axis=0)
            has = (np.asarray(s.of_kind("hordes", kind, at)) > 0) & (in_play > 0)
            at, in_play = at[has], in_play[has]
            if not len(at):
                continue
            first = s.luck.die(6, "Hordes", s.round, GROUP + kind, 0, at)
            number = np.maximum(s.luck.die(6, "Hordes", s.round, GROUP + kind, 1, at) - 3, 0) * (first > in_play)
            more = number > 0
            at, number = at[more], number[more]
            if s.ground is not None:
                beside_heroes(s, kind, at, number, s.round + 1)
            else:
                for model in range(int(number.max(initial=0))):
                    create(s, kind, at[number > model], None, s.round + 1)


def spawners(s: State) -> None:
    """Spawn: every model that lived when the step began rolls, in random order."""
    at = which(s.live)
    able = s.alive.take(at, axis=1) & (s.figure("spawn_on", s.profile.take(at, axis=1)) > 0)
    some = np.flatnonzero(able.any(axis=0))
    if not len(some):
        return
    at, able = at[some], able[:, some]
    rows = np.flatnonzero(able.any(axis=1))
    keys = np.full((len(rows), len(at)), np.uint64(0xFFFFFFFFFFFFFFFF))
    for row, slot in enumerate(rows):
        key = s.luck.bits("Spawn/order", s.round, TABLE, int(slot), at)
        keys[row, able[slot]] = key[able[slot]]
    order = rows[np.argsort(keys, axis=0, kind="stable")]
    number = able.sum(axis=0)
    for place in range(len(rows)):
        there = np.flatnonzero((number > place) & s.live.take(at))
        if len(there):
            spawn(s, order[place, there], at[there])


def spawn(s: State, slot: Whole, at: Lanes) -> None:
    """Spawn (t, type): D6 of t or more puts a model beside it; without a free square adjacent heroes are hit."""
    rolls = s.figure("spawn_rolls", each(s.profile, slot, at))
    for roll in range(int(rolls.max())):
        die = s.luck.die(6, "Spawn", s.round, MODEL + slot, roll, at)
        profile = each(s.profile, slot, at)
        works = (rolls > roll) & (die >= s.figure("spawn_on", profile)) & s.live.take(at)
        some = np.flatnonzero(works)
        if not len(some):
            continue
        kinds = s.figure("spawn_kind", profile)[some]
        lane, who = at[some], slot[some]
        book_spawn(s, who, lane)
        for kind in np.unique(kinds):
            of_kind = np.flatnonzero(kinds == kind)
            put_beside(s, int(kind), who[of_kind], lane[of_kind], roll)


def book_spawn(s: State, slot: Whole, at: Lanes) -> None:
    """The spawner has done something (one model per lane)."""
    kinds = each(s.kind, slot, at)
    for kind in np.unique(kinds):
        row = s.facts.ability_row[s.facts.unit_row[int(kind)], "spawn"]
        s.ledger.uses[row][at[kinds == kind]] += 1


def put_beside(s: State, kind: int, slot: Whole, at: Lanes, roll: int) -> None:
    """Spawn: one model on a random free square beside the spawner, or a hit of damage 3 for every adjacent hero."""
    if s.ground is None:
        create(s, kind, at, None, s.round + 1)
        return
    spot = each(s.spot, slot, at)
    free = s.ground.beside.take(spot, axis=1) & ~occupied(s, at)
    open_to = s.ground.bits.any(free)
    some = np.flatnonzero(open_to)
    actor = NEWCOMER + s.created.take(at[some]).astype(np.int64)
    create(s, kind, at[some], by_lot(s, free[:, some], "Spawn/square", actor, 0, at[some]), s.round + 1)
    some = np.flatnonzero(~open_to)
    for hero in range(s.heroes):
        lane = at[some]
        near = s.live.take(lane) & s.standing[hero].take(lane)
        near &= lookup(s.ground.adjacent, s.cell[hero].take(lane), spot[some])
        hit = some[near]
        for row in np.unique(slot[hit]):
            mine = hit[slot[hit] == row]
            for owner in np.unique(s.kind[row].take(at[mine])):
                of_kind = at[mine][s.kind[row].take(at[mine]) == owner]
                take_batch(s, hero, plain_hits(of_kind, SPAWN_DAMAGE), "Spawn", 2 * int(row) + roll, int(owner))
