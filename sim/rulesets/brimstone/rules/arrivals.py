"""How models enter: placement, ambush, spawning (3.1, 3.2, BF-G9)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.board import Bits
from sim.core.choose import count, narrow, nth
from sim.core.lanes import Lanes, Mask, Whole, columns, each, put
from sim.core.luck import TABLE
from sim.rulesets.brimstone import data
from sim.rulesets.brimstone.data import IMMOBILE, SHOOTOUT
from sim.rulesets.brimstone.rules.enemy_turns import fewest_heroes
from sim.rulesets.brimstone.rules.places import by_lot, enter_model, occupied
from sim.rulesets.brimstone.schema import read_count
from sim.rulesets.brimstone.state import EVENT, GROUP, NEWCOMER, State

Counts = NDArray[np.int16]  # (kinds, runs) how many models of each kind enter


def roll_count(s: State, text: int | str, actor: int, first: int, at: Lanes) -> NDArray[Any]:
    """(lanes,). BF-S3: a count with its dice; P is the Peril die."""
    dice, die, plus = read_count(text)
    total = np.full(len(at), plus, dtype=np.int64)
    peril = np.array(data.PERIL)
    for i in range(dice):
        if die == "P":
            total += peril[s.luck.below(6, "BF-S3", s.round, actor, first + i, at)]
        else:
            total += s.luck.die(int(die[1:]), "BF-S3", s.round, actor, first + i, at)
    return total


def enter_all(
    s: State, at: Lanes, wanted: Counts, ambush: bool, tile: int, event: int | None, turn: int, bonus: int
) -> None:
    """BF-S4, BF-S9, BF-S14: models enter type by type; those that always ambush after the others.

    `turn` is the first turn of new groups, `bonus` the turn in which ambushers are quicker (BF-S18).
    """
    lies_in_wait = np.zeros(wanted.shape, dtype=bool)
    if ambush:
        lies_in_wait[:] = True
    elif "always_ambush" in s.facts.any_has:
        for kind in s.facts.kind_has:
            lies_in_wait[kind, at] = np.asarray(s.of_kind("always_ambush", kind, at)) > 0
    for hidden in (False, True):
        number = wanted * (lies_in_wait == hidden)
        rows = np.flatnonzero(number[:, at].any(axis=1))
        for kinds, lanes in type_order(s, rows, number, at, hidden, event):
            for kind in np.unique(kinds):
                some = lanes[kinds == kind]
                enter_kind(s, int(kind), some, number[kind].take(some), hidden, tile, event, turn, bonus)


def type_order(
    s: State, rows: NDArray[Any], number: Counts, at: Lanes, ambush: bool, event: int | None
) -> list[tuple[Whole, Lanes]]:
    """BF-S9: ascending Initiative; BF-S14, BF-S17: descending, immobile types first. Ties by lot."""
    if not len(rows):
        return []
    if len(rows) == 1:
        some = at[number[rows[0]].take(at) > 0]
        return [(np.full(len(some), rows[0]), some)]
    actor = TABLE if event is None else EVENT + event
    purpose = "BF-S14" if ambush else "BF-S9"
    keys = np.full((len(rows), len(at)), np.uint64(0xFFFFFFFFFFFFFFFF))
    for row, kind in enumerate(rows):
        init = np.broadcast_to(np.asarray(s.of_kind("init", int(kind), at)), len(at)).astype(np.int64)
        first = 100 + init
        if ambush:
            still = s.facts.figure["behaviour"][s.facts.plot.bestiary.first[int(kind)]] == IMMOBILE
            first = 100 - init - 50 * int(still)
        key = s.luck.bits(purpose, s.round, actor, int(kind), at)
        key >>= np.uint64(16)
        key <<= np.uint64(6)
        key |= np.uint64(row)
        key |= first.astype(np.uint64) << np.uint64(54)
        there = number[kind].take(at) > 0
        keys[row, there] = key[there]
    keys.sort(axis=0)
    present = (number[:, at] > 0).sum(axis=0)
    order = rows[(keys & np.uint64(63)).astype(np.int64) % len(rows)]
    return [(order[place, present > place], at[present > place]) for place in range(int(present.max(initial=0)))]


def enter_kind(
    s: State,
    kind: int,
    at: Lanes,
    number: NDArray[Any],
    ambush: bool,
    tile: int,
    event: int | None,
    turn: int,
    bonus: int,
) -> None:
    """BF-S18: models of one kind enter, one at a time; an ambush makes the whole kind quicker for a turn."""
    if ambush:
        s.bonus_turn[kind, at] = bonus
    behaviour = int(s.facts.figure["behaviour"][s.facts.plot.bestiary.first[kind]])
    apart = ambush and behaviour in (SHOOTOUT, IMMOBILE) and s.ground is not None
    if apart:
        far_away(s, kind, at, number, event, turn)
    elif ambush and s.ground is not None:
        beside_heroes(s, kind, at, number, turn)
    elif s.ground is not None:
        on_tile(s, kind, at, number, tile, turn)
    else:
        for place in range(int(number.max(initial=0))):
            create(s, kind, at[number > place], None, turn)


def room(s: State, at: Lanes) -> Mask:
    """(lanes,). BF-G9: whether one more model is allowed."""
    return s.alive.take(at, axis=1).sum(axis=0, dtype=np.int16) < data.MOST_MODELS


def create(s: State, kind: int, at: Lanes, cell: Whole | None, turn: int) -> Lanes:
    """BF-G9: a model enters on a cell (-1: there is none); it is ignored and counted where it cannot.

    Returns the lanes in which it entered.
    """
    fits = room(s, at)
    if cell is not None:
        fits &= cell >= 0
    s.ignored[at[~fits]] += 1
    some = np.flatnonzero(fits)
    lanes = at[some]
    if not len(lanes):
        return lanes
    serial = s.created.take(lanes).astype(np.int64)
    slot = serial
    s.make_room(min(int(serial.max()) + 1, data.MOST_MODELS))
    if s.facts.reuse:
        full = np.flatnonzero(serial >= data.MOST_MODELS)
        if len(full):
            slot = serial.copy()
            slot[full] = nth(~s.alive.take(lanes[full], axis=1), 0)
    s.created[lanes] += 1
    s.first_turn[kind, lanes] = np.where(s.made[kind].take(lanes) == 0, turn, s.first_turn[kind].take(lanes))
    new = lanes[s.made[kind].take(lanes) == 0]
    s.appeared[kind, new] = s.appeared.take(new, axis=1).max(axis=0) + 1
    s.made[kind, lanes] += 1
    put(s.kind, slot, lanes, kind)
    put(s.profile, slot, lanes, s.held[kind].take(lanes))
    put(s.hurt, slot, lanes, 0)
    put(s.target, slot, lanes, -1)
    put(s.serial, slot, lanes, serial)
    enter_model(s, slot, lanes, slot if cell is None else cell[some])
    if s.tell:
        where = ""
        if s.ground is not None and cell is not None:
            x, y = s.ground.board.coords[int(cell[some[0]])]
            where = f" on ({x},{y})"
        s.tell("BF-S12", s.facts.plot.kinds[kind].name, f"enters{where}", lanes)
    return lanes


def last_slot(s: State, at: Lanes) -> Whole:
    """(lanes,). The slot of the model that entered last."""
    if not s.facts.reuse:
        return s.created.take(at).astype(np.int64) - 1
    return s.serial.take(at, axis=1).argmax(axis=0)


def placement_order(s: State, tile: int) -> NDArray[np.int64]:
    """(cells of the tile,). BF-S10, BF-S11, BF-S12: the checkerboard from the back left, then the other squares."""
    ground = s.ground
    assert ground is not None
    cells = [cell for cell in range(ground.cells) if ground.tile[cell] == tile]
    if not cells:
        return np.zeros(0, dtype=np.int64)
    place = {cell: ground.board.coords[cell] for cell in cells}
    back = max(y for _, y in place.values())
    corner = min(x for x, y in place.values() if y == back) + back
    ordered = sorted(cells, key=lambda c: ((sum(place[c]) - corner) % 2, -place[c][1], place[c][0]))
    return np.array(ordered, dtype=np.int64)


def on_tile(s: State, kind: int, at: Lanes, number: NDArray[Any], tile: int, turn: int) -> None:
    """BF-S12: models take the squares of the tile in order, skipping occupied ones."""
    assert s.ground is not None
    order = placement_order(s, tile)
    free = ~s.ground.bits.cells(occupied(s, at))[order]  # (squares, lanes)
    for place in range(int(number.max(initial=0))):
        some = np.flatnonzero(number > place)
        first = nth(free[:, some], 0) if len(order) else np.full(len(some), -1)
        cell = np.where(first >= 0, order[np.maximum(first, 0)], -1) if len(order) else first
        fits = room(s, at[some]) & (first >= 0)
        free[first[fits], some[fits]] = False
        create(s, kind, at[some], cell, turn)


def beside_heroes(s: State, kind: int, at: Lanes, number: NDArray[Any], turn: int) -> None:
    """BF-S15, BF-S16: each model on a free square beside a hero, which is its target; else as near as possible."""
    ground = s.ground
    assert ground is not None
    bits = ground.bits
    standing = s.standing.take(at, axis=1).sum(axis=0)
    models = (s.alive.take(at, axis=1) & (s.kind.take(at, axis=1) == kind)).sum(axis=0) + number
    spread = s.facts.switches["ambush_spread"]
    even = np.full(len(at), spread == "even")
    if spread == "follow_targeting":
        rule = s.facts.switches["targeting_spread"]
        even = standing > models if rule == "seed" else np.full(len(at), rule == "always_even")
    for place in range(int(number.max(initial=0))):
        some = np.flatnonzero(number > place)
        lanes = at[some]
        actor = NEWCOMER + s.created.take(lanes).astype(np.int64)
        free = bits.every & ~occupied(s, lanes)
        beside = [ground.beside.take(s.cell[hero].take(lanes), axis=1) & free for hero in range(s.heroes)]
        eligible = np.stack([bits.any(squares) for squares in beside]) & columns(s.standing, lanes)
        if even.any():
            mine = s.alive.take(lanes, axis=1) & (s.kind.take(lanes, axis=1) == kind)
            targets = np.where(mine, s.target.take(lanes, axis=1), np.int8(-1))
            holders = np.stack([(targets == hero).sum(axis=0, dtype=np.int8) for hero in range(s.heroes)])
            eligible = narrow(eligible, holders * even[some])
        hero = nth(eligible, s.luck.below(count(eligible), "BF-S15", s.round, actor, 0, lanes))
        squares = bits.none(len(lanes))
        for who in range(s.heroes):
            squares |= beside[who] * (hero == who)
        if s.facts.is_on("party_choice", "best_for_party"):
            squares = fewest_heroes(s, lanes, squares)
        cell = by_lot(s, squares, "BF-S15", actor, 1, lanes)
        crowded = np.flatnonzero(hero < 0)
        if len(crowded):
            cell[crowded] = near_somebody(s, lanes[crowded], free[:, crowded], actor[crowded])
        entered = create(s, kind, lanes, cell, turn)
        target = np.full(s.size, -1, dtype=np.int8)
        target[lanes] = hero
        put(s.target, last_slot(s, entered), entered, target[entered])


def near_somebody(s: State, at: Lanes, free: Bits, actor: Whole) -> Whole:
    """(lanes,). BF-S16: one of the free squares with the smallest `steps` to the nearest standing hero, by lot."""
    assert s.ground is not None
    bits = s.ground.bits
    nearest = s.ground.board.reach(columns(s.hero_bits, at)).nearest(free)[0]
    nearest = np.where(bits.any(nearest), nearest, free)
    return by_lot(s, nearest, "BF-S16", actor, 0, at)


def far_away(s: State, kind: int, at: Lanes, number: NDArray[Any], event: int | None, turn: int) -> None:
    """BF-S17: the group chooses one hero; each model takes a square of that hero's tile farthest from any hero."""
    ground = s.ground
    assert ground is not None
    bits = ground.bits
    standing = columns(s.standing, at)
    index = 0 if event is None else 1 + event
    hero = nth(standing, s.luck.below(count(standing), "BF-S17", s.round, GROUP + kind, index, at))
    cell = each(s.cell, hero, at)
    tile = bits.rows(ground.same_tile).take(cell, axis=1)
    for place in range(int(number.max(initial=0))):
        some = np.flatnonzero(number > place)
        lanes = at[some]
        actor = NEWCOMER + s.created.take(lanes).astype(np.int64)
        free = tile[:, some] & ~occupied(s, lanes)
        away = ground.board.reach(columns(s.hero_bits, lanes))
        cut_off = free & ~away.all
        squares = np.where(bits.any(cut_off), cut_off, away.farthest(free)[0])
        create(s, kind, lanes, by_lot(s, squares, "BF-S17", actor, 0, lanes), turn)


