"""How models enter: counts, the order of types, placement and ambush (BF-S3, BF-S9 to BF-S18)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from sim.core.board.sets import preferred
from sim.core.choose import draw_lot, first, lots, narrow, order_by, pick
from sim.core.lanes import Lanes, Mask, Small, Whole, columns, cut, each, keep, put, rows_of, which
from sim.core.luck import TABLE
from sim.rulesets.brimstone import data
from sim.rulesets.brimstone.data import IMMOBILE, SHOOTOUT
from sim.rulesets.brimstone.dice_texts import read_count
from sim.rulesets.brimstone.elite_words import elite_words
from sim.rulesets.brimstone.look import kind_name, model_key
from sim.rulesets.brimstone.rules.places import (
    Cell,
    any_square,
    beside_each_hero,
    beside_fewest_heroes,
    enter_model,
    occupied,
    of_chosen,
)
from sim.rulesets.brimstone.rules.targets import holders
from sim.rulesets.brimstone.state import EVENT, GROUP, NEWCOMER, State

Counts = Small  # (kinds, runs) how many models of each kind enter

ABSENT = 1_000  # comes after every Initiative


@dataclass(frozen=True, slots=True)
class Entrance:
    """How enemies come into the fight."""

    ambush: bool
    tile: int
    turn: int  # the first turn of new groups
    bonus: int  # the turn in which ambushers are quicker (BF-S18)
    event: int | None = None  # the number of the event; None at the start


def roll_count(s: State, text: int | str, actor: int, first: int, at: Lanes) -> Whole:
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


def enter_all(s: State, at: Lanes, wanted: Counts, entrance: Entrance) -> None:
    """BF-S4, BF-S9, BF-S14: models enter type by type; those that always ambush after the others."""
    lies_in_wait = np.full(wanted.shape, entrance.ambush)
    if not entrance.ambush and "always_ambush" in s.facts.any_has:
        for kind in s.facts.kind_has:
            lies_in_wait[kind, at] = s.kind_has("always_ambush", kind, at)
    for hidden in (False, True):
        number = wanted * (lies_in_wait == hidden)
        way = replace(entrance, ambush=hidden)
        for kinds, entering in type_order(s, number, at, way):
            for kind in np.unique(kinds).tolist():
                some = keep(entering, kinds == kind)
                enter_kind(s, kind, some, cut(number[kind], some), way)


def type_order(s: State, number: Counts, at: Lanes, entrance: Entrance) -> Iterator[tuple[Whole, Lanes]]:
    """BF-S9: ascending Initiative; BF-S14, BF-S17: descending, immobile types first. Ties by lot.

    Yields place by place the kinds that enter and their lanes; `number` is (kinds, runs).
    """
    kinds = rows_of(cut(number, at) > 0)
    if not len(kinds):
        return
    entering = cut(number, at)[kinds] > 0  # (kinds of the order, lanes)
    place_of = np.stack([initiative_key(s, kind, at, entrance.ambush) for kind in kinds.tolist()])
    place_of[~entering] = ABSENT
    actor = TABLE if entrance.event is None else EVENT + entrance.event
    purpose = "BF-S14" if entrance.ambush else "BF-S9"
    order = order_by((place_of, lots(s.luck, purpose, s.round, kinds.tolist(), at, actor)))
    for place, row in enumerate(order):
        some = which(entering.sum(axis=0) > place)
        if len(some):
            yield kinds[row[some]], at[some]


def initiative_key(s: State, kind: int, at: Lanes, ambush: bool) -> Whole:
    """(lanes,). The smallest enters first: by Initiative, in an ambush from the highest down, immobile ones first."""
    init = np.broadcast_to(np.asarray(s.of_kind("init", kind, at), dtype=np.int64), len(at))
    if not ambush:
        return 100 + init
    still = behaviour_of(s, kind) == IMMOBILE
    return 100 - init - 50 * int(still)


def behaviour_of(s: State, kind: int) -> int:
    """How models of a kind behave, which no Elite result changes."""
    return int(s.facts.figure["behaviour"][s.facts.plot.bestiary.first[kind]])


def enter_kind(s: State, kind: int, at: Lanes, number: Small, entrance: Entrance) -> None:
    """BF-S18: models of one kind enter, one at a time; an ambush makes the whole kind quicker for a turn."""
    if entrance.ambush:
        s.bonus_turn[kind, at] = entrance.bonus
    if not s.has_board:
        off_board(s, kind, at, number, entrance.turn)
    elif not entrance.ambush:
        on_tile(s, kind, at, number, entrance)
    elif behaviour_of(s, kind) in (SHOOTOUT, IMMOBILE):
        far_away(s, kind, at, number, entrance)
    else:
        beside_heroes(s, kind, at, number, entrance.turn)


def room(s: State, at: Lanes) -> Mask:
    """(lanes,). BF-G9: whether one more model is allowed."""
    return cut(s.alive, at).sum(axis=0, dtype=np.int16) < data.MOST_MODELS


def create(s: State, kind: int, at: Lanes, cell: Cell | None, turn: int) -> Lanes:
    """BF-G9: a model enters on a cell (-1: there is none); it is ignored and counted where it cannot.

    Returns the lanes in which it entered.
    """
    fits = room(s, at)
    if cell is not None:
        fits &= cell >= 0
    s.ignored[keep(at, ~fits)] += 1
    if s.tell:
        s.tell.event("BF-G9", "finds_no_room", keep(at, ~fits), by=kind_name(s, kind))
    some = which(fits)
    entered = at[some]
    if not len(entered):
        return entered
    serial = columns(s.created, entered)
    slot = slot_for(s, serial, entered)
    s.created[entered] += 1
    new = keep(entered, cut(s.made[kind], entered) == 0)
    tell_elites(s, kind, new)
    s.first_turn[kind, new] = turn
    s.appeared[kind, new] = cut(s.appeared, new).max(axis=0) + 1
    s.made[kind, entered] += 1
    put(s.kind, slot, entered, kind)
    put(s.profile, slot, entered, cut(s.held[kind], entered))
    put(s.hurt, slot, entered, 0)
    put(s.target, slot, entered, -1)
    put(s.serial, slot, entered, serial)
    put(s.number, slot, entered, cut(s.made[kind], entered))
    enter_model(s, slot, entered, slot if cell is None else cell[some])
    return entered


def tell_elites(s: State, kind: int, at: Lanes) -> None:
    """BF-S5: the Elite abilities of a kind that comes into the fight for the first time."""
    if not s.tell or not len(at):
        return
    bestiary = s.facts.plot.bestiary
    held = [elite_words(bestiary.result(kind, number)) for number in bestiary.elites_of(int(s.held[kind, 0]))]
    if held:
        s.tell.event("BF-S5", "is_elite", at, by=kind_name(s, kind), ability="; ".join(held))


def tell_entrance(s: State, rule: str, way: str, at: Lanes, whom: int = -1) -> None:
    """The model that has just entered, beside a hero or not; those on the board when the fight starts are no news."""
    if not s.tell or not len(at) or (s.round == 0 and way == "enters"):
        return
    slot = int(last_slot(s, at)[0])
    place = s.ground.name_of(int(s.spot[slot, 0])) if s.has_board else ""
    who = model_key(s, slot)
    s.tell.event(rule, way, at, who=who, whom=whom if whom >= 0 else None, place=place, board=s.has_board)


def slot_for(s: State, serial: Small, at: Lanes) -> Whole:
    """(lanes,). BF-G9: the slot of a new model: the next one, or after the last that of a model that is gone."""
    slot = serial.astype(np.int64)
    s.make_room(min(int(slot.max()) + 1, data.MOST_MODELS))
    full = which(slot >= data.MOST_MODELS)
    if len(full):
        slot[full] = first(~cut(s.alive, at[full]))
    return slot


def last_slot(s: State, at: Lanes) -> Whole:
    """(lanes,). The slot of the model that entered last."""
    if not s.facts.reuse:
        return cut(s.created, at).astype(np.int64) - 1
    return cut(s.serial, at).argmax(axis=0)


def off_board(s: State, kind: int, at: Lanes, number: Small | Whole, turn: int) -> None:
    """BF-G10: models enter a fight without a board."""
    for place in range(int(number.max(initial=0))):
        tell_entrance(s, "BF-G10", "enters", create(s, kind, keep(at, number > place), None, turn))


def placement_order(s: State, tile: int) -> Whole:
    """(cells of the tile,). BF-S10, BF-S11, BF-S12: the checkerboard from the back left, then the other squares."""
    ground = s.ground
    cells = [cell for cell in range(ground.cells) if ground.tile[cell] == tile]
    if not cells:
        return np.zeros(0, dtype=np.int64)
    place = {cell: ground.board.coords[cell] for cell in cells}
    back = max(y for _, y in place.values())
    corner = min(x for x, y in place.values() if y == back) + back
    ordered = sorted(cells, key=lambda c: ((sum(place[c]) - corner) % 2, -place[c][1], place[c][0]))
    return np.array(ordered, dtype=np.int64)


def on_tile(s: State, kind: int, at: Lanes, number: Small, entrance: Entrance) -> None:
    """BF-S12: models take the squares of the tile in order, skipping occupied ones.

    At the start the first models stand where the scenario says, and nobody else takes these squares.
    """
    given = s.facts.given if entrance.event is None else {}
    own, turn = given.get(kind, ()), entrance.turn
    order = placement_order(s, entrance.tile)
    free = ~s.ground.bits.cells(occupied(s, at))[order]  # (squares, lanes)
    free[np.isin(order, [cell for cells in given.values() for cell in cells])] = False
    for place in range(int(number.max(initial=0))):
        some = which(number > place)
        if place < len(own):
            create(s, kind, at[some], np.full(len(some), own[place]), turn)
            continue
        square = first(cut(free, some)) if len(order) else np.full(len(some), -1)
        cell = np.where(square >= 0, order[np.maximum(square, 0)], -1) if len(order) else square
        fits = room(s, at[some]) & (square >= 0)
        free[keep(square, fits), keep(some, fits)] = False
        tell_entrance(s, "BF-S12", "enters", create(s, kind, at[some], cell, turn))


def beside_heroes(s: State, kind: int, at: Lanes, number: Small | Whole, turn: int) -> None:
    """BF-S15, BF-S16: each model on a free square beside a hero, which is its target; else as near as possible."""
    even = spread_evenly(s, kind, at, number)
    for place in range(int(number.max(initial=0))):
        some = which(number > place)
        entering = at[some]
        actor = newcomer(s, entering)
        free = s.ground.bits.every & ~occupied(s, entering)
        beside = [squares & free for squares in beside_each_hero(s, entering)]
        eligible = np.stack([s.ground.bits.any(squares) for squares in beside])
        if even.any():
            eligible = narrow(eligible, holders(s, kind, entering) * even[some])
        hero = pick(eligible, lot=draw_lot(s.luck, "BF-S15", s.round, actor, 0, entering))
        squares = of_chosen(beside, hero)
        if s.facts.is_on("party_choice", "best_for_party"):
            squares = beside_fewest_heroes(s, squares, entering)
        cell = any_square(s, squares, "BF-S15", actor, 1, entering)
        crowded = which(hero < 0)
        if len(crowded):
            cell[crowded] = near_somebody(s, entering[crowded])
        entered = create(s, kind, entering, cell, turn)
        target = np.full(s.size, -1, dtype=np.int8)
        target[entering] = hero
        put(s.target, last_slot(s, entered), entered, target[entered])
        if s.tell and len(entered):
            tell_entrance(s, "BF-S15", "springs_up", entered, int(target[entered[0]]))


def spread_evenly(s: State, kind: int, at: Lanes, number: Small | Whole) -> Mask:
    """(lanes,). BF-S15, BF-E3: whether ambushers go to the heroes with the fewest of their kind around them."""
    spread = s.facts.switches["ambush_spread"]
    if spread == "follow_targeting":
        spread = s.facts.switches["targeting_spread"]
        if spread == "seed":
            models = (cut(s.alive, at) & (cut(s.kind, at) == kind)).sum(axis=0) + number
            return np.asarray(cut(s.standing, at).sum(axis=0) > models)
    return np.full(len(at), spread in ("even", "always_even"))


def newcomer(s: State, at: Lanes) -> Whole:
    """(lanes,). The actor of the model that enters next."""
    return NEWCOMER + cut(s.created, at).astype(np.int64)


def near_somebody(s: State, at: Lanes) -> Whole:
    """(lanes,). BF-S16: one of the free squares with the smallest `steps` to the nearest standing hero, by lot."""
    free = s.ground.bits.every & ~occupied(s, at)
    squares = preferred(free, s.ground.board.reach(cut(s.hero_bits, at)).nearest(free)[0])
    return any_square(s, squares, "BF-S16", newcomer(s, at), 0, at)


def far_away(s: State, kind: int, at: Lanes, number: Small, entrance: Entrance) -> None:
    """BF-S17: the group chooses one hero; each model takes a square of that hero's tile farthest from any hero."""
    ground = s.ground
    index = 0 if entrance.event is None else 1 + entrance.event
    hero = pick(cut(s.standing, at), lot=draw_lot(s.luck, "BF-S17", s.round, GROUP + kind, index, at))
    tile = columns(ground.bits.rows(ground.same_tile), each(s.cell, hero, at))
    for place in range(int(number.max(initial=0))):
        some = which(number > place)
        entering = at[some]
        free = columns(tile, some) & ~occupied(s, entering)
        away = ground.board.reach(cut(s.hero_bits, entering))
        cut_off = free & ~away.all
        squares = np.where(ground.bits.any(cut_off), cut_off, away.farthest(free)[0])
        cell = any_square(s, squares, "BF-S17", newcomer(s, entering), 0, entering)
        tell_entrance(s, "BF-S17", "takes_position", create(s, kind, entering, cell, entrance.turn))
