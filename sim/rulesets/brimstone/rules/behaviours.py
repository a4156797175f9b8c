"""How the models of a group choose a target and move, by behaviour (BF-E5 to BF-E8, BF-E12, BF-E13)."""

from __future__ import annotations

import numpy as np

from sim.core.board import Bits
from sim.core.board.sets import preferred
from sim.core.choose import draw_lot, narrow, pick
from sim.core.lanes import Lanes, Mask, Tiny, Whole, anyone, columns, cut, each, keep, lookup, nobody_where, put, which
from sim.rulesets.brimstone.rules.enemy_attacks import MELEE_AIM, RANGED_AIM
from sim.rulesets.brimstone.rules.enemy_moves import fewest_steps, go, nearest_to, range_of, toward_closest
from sim.rulesets.brimstone.rules.places import (
    adjacent_heroes,
    any_square,
    beside_each_hero,
    beside_fewest_heroes,
    cell_of_hero,
    next_to_heroes,
    of_chosen,
)
from sim.rulesets.brimstone.rules.targets import (
    Group,
    count_targets,
    in_weapon_range,
    pick_target,
    take_aim,
    weapon_range,
)
from sim.rulesets.brimstone.state import MODEL, State

# Melee.


def melee(s: State, group: Group, slot: Whole, at: Lanes) -> None:
    """BF-E5.1, BF-E5.2, BF-E5.3, BF-E5.4, BF-E13: keep the target, or choose one in reach and go round it."""
    held = each(s.target, slot, at) >= 0
    if held.any():
        put(group.aim, keep(slot, held), keep(at, held), MELEE_AIM)
        slot, at = keep(slot, ~held), keep(at, ~held)
        if not len(at):
            return
    if not s.has_board:
        take_aim(s, group, slot, at, pick_target(s, group, slot, at, cut(s.standing, at)), MELEE_AIM)
        return
    area = range_of(s, group.kind, slot, at)
    beside = [squares & area.landing for squares in beside_each_hero(s, at)]
    eligible = np.stack([s.ground.bits.any(squares) for squares in beside])
    within = anyone(eligible)
    target = pick_target(s, group, slot, at, eligible)
    squares = area.fill.farthest(of_chosen(beside, target))[0]
    if s.facts.is_on("party_choice", "best_for_party"):
        squares = beside_fewest_heroes(s, squares, at)
    cell = any_square(s, squares, "BF-E5.3", MODEL + slot, 0, at)
    moving = within
    if s.facts.is_on("reposition_when_adjacent", "off"):
        goal = each(s.cell, np.maximum(target, 0), at)
        moving = within & ~lookup(s.ground.adjacent, goal, area.spot)
    go(s, slot, at, cell, area, moving)
    take_aim(s, group, slot, at, nobody_where(~within, target), MELEE_AIM)
    toward_closest(s, slot, at, area, ~within)


# Ranged, melee or ranged, immobile.


def ranged(s: State, group: Group, slot: Whole, at: Lanes) -> None:
    """BF-E6.1 to BF-E6.3: stay with a hero in range, else move until there is one; shoot."""
    if s.has_board:
        blind = ~anyone(in_weapon_range(s, group.kind, slot, at))
        move_for_a_shot(s, group, keep(slot, blind), keep(at, blind), shy=False)
    sees = anyone(in_weapon_range(s, group.kind, slot, at))
    shoot_somebody(s, group, keep(slot, sees), keep(at, sees))


def melee_or_ranged(s: State, group: Group, slot: Whole, at: Lanes) -> None:
    """BF-E7.1, BF-E7.2, BF-E7.3, BF-E7.4: melee if somebody is adjacent, else a shot, keeping away where possible."""
    if s.has_board:
        pressed = anyone(adjacent_heroes(s, each(s.spot, slot, at), at))
        blind = ~pressed & ~anyone(in_weapon_range(s, group.kind, slot, at))
        move_for_a_shot(s, group, keep(slot, blind), keep(at, blind), shy=True)
    adjacent = adjacent_heroes(s, each(s.spot, slot, at), at)
    near = anyone(adjacent)
    held = each(s.target, slot, at) >= 0
    put(group.aim, keep(slot, near & held), keep(at, near & held), MELEE_AIM)
    some = which(near & ~held)
    if len(some):
        target = pick_target(s, group, slot[some], at[some], columns(adjacent, some))
        take_aim(s, group, slot[some], at[some], target, MELEE_AIM)
    some = which(~near)
    if len(some):
        seen = in_weapon_range(s, group.kind, slot[some], at[some])
        take_aim(s, group, slot[some], at[some], pick_target(s, group, slot[some], at[some], seen), RANGED_AIM)


def immobile(s: State, group: Group, slot: Whole, at: Lanes) -> None:
    """BF-E12: shoots without moving; with Combat and no weapon it strikes an adjacent hero."""
    if s.kind_may(group.kind, "range"):
        sees = anyone(in_weapon_range(s, group.kind, slot, at))
        shoot_somebody(s, group, keep(slot, sees), keep(at, sees))
    else:
        near = adjacent_heroes(s, each(s.spot, slot, at), at)
        take_aim(s, group, slot, at, pick_target(s, group, slot, at, near), MELEE_AIM)


def move_for_a_shot(s: State, group: Group, slot: Whole, at: Lanes, shy: bool) -> None:
    """BF-E6.2, BF-E7.2: the fewest steps to a square with a shot, nearest to a hero; else toward the closest hero.

    `shy` models use squares next to a hero only if no other gives a shot.
    """
    if not len(at):
        return
    area = range_of(s, group.kind, slot, at)
    shots = area.landing & np.bitwise_or.reduce(squares_seeing_each_hero(s, group.kind, at))
    if shy:
        shots = preferred(shots, ~next_to_heroes(s, at))
    found = s.ground.bits.any(shots)
    squares = area.fill.nearest(shots)[0]
    squares = preferred(squares, s.ground.board.reach(cut(s.hero_bits, at)).nearest(squares)[0])
    cell = any_square(s, squares, "BF-E6.2", MODEL + slot, 0, at)
    go(s, slot, at, cell, area, found)
    toward_closest(s, slot, at, area, ~found)


def squares_seeing_each_hero(s: State, kind: int, at: Lanes) -> list[Bits]:
    """(words, lanes) each. The squares from which every standing hero is in range of the kind's weapon."""
    reach = weapon_range(s, kind, at)
    if isinstance(reach, int):
        sees = s.ground.in_range(reach if reach else -1)
        return [columns(sees, cell_of_hero(s, hero, at)) for hero in range(s.heroes)]
    squares = [s.ground.bits.none(len(at)) for _ in range(s.heroes)]
    for value in np.unique(reach).tolist():
        some = which(reach == value)
        sees = s.ground.in_range(value)
        for hero, seeing in enumerate(squares):
            seeing[:, some] = columns(sees, cell_of_hero(s, hero, at[some]))
    return squares


def shoot_somebody(s: State, group: Group, slot: Whole, at: Lanes) -> None:
    """BF-E6.3: at random an adjacent hero, else one in range; always a ranged attack."""
    if not len(at):
        return
    near = adjacent_heroes(s, each(s.spot, slot, at), at)
    seen = in_weapon_range(s, group.kind, slot, at)
    eligible = np.where(anyone(near), near, seen)
    take_aim(s, group, slot, at, pick_target(s, group, slot, at, eligible), RANGED_AIM)


# Shootout.


def shootout(s: State, group: Group, slot: Whole, at: Lanes) -> None:
    """BF-E8.1, BF-E8.2: break away from adjacent heroes, then a shot at a hero with the fewest markers."""
    adjacent = adjacent_heroes(s, each(s.spot, slot, at), at)
    stuck = anyone(adjacent)
    if s.has_board:
        pressed = which(stuck)
        stuck[pressed] = ~break_away(s, group, slot[pressed], at[pressed])
    some = which(stuck)
    if len(some):
        lot = draw_lot(s.luck, "BF-E8.2", s.round, MODEL + slot[some], 0, at[some])
        take_aim(s, group, slot[some], at[some], pick(columns(adjacent, some), lot=lot), MELEE_AIM)
    some = which(~stuck)
    if len(some) and s.has_board:
        shoot_it_out(s, group, slot[some], at[some])


def break_away(s: State, group: Group, slot: Whole, at: Lanes) -> Mask:
    """(lanes,). BF-E8.1: on 4 or more to the nearest square next to no hero. Returns where it got away."""
    away = np.zeros(len(at), dtype=bool)
    if not len(at):
        return away
    some = which(s.luck.die(6, "BF-E8.1", s.round, MODEL + slot, 0, at) >= 4)
    if not len(some):
        return away
    slot, at = slot[some], at[some]
    area = range_of(s, group.kind, slot, at, own_group=True)
    squares = area.fill.nearest(area.landing & ~next_to_heroes(s, at))[0]
    away[some] = s.ground.bits.any(squares)
    go(s, slot, at, any_square(s, squares, "BF-E8.1", MODEL + slot, 1, at), area, away[some])
    return away


def shootout_markers(s: State, group: Group, at: Lanes) -> Tiny:
    """(heroes, lanes). BF-E8.3: models of the group that hold each hero as target of a ranged attack."""
    return count_targets(s, (cut(group.aim, at) == RANGED_AIM) & cut(s.alive, at), at)


def shoot_it_out(s: State, group: Group, slot: Whole, at: Lanes) -> None:
    """BF-E8.3, BF-E8.4, BF-E8.5: a hero with the fewest markers; the fewest steps to a shot, apart from heroes."""
    markers = shootout_markers(s, group, at)
    lot = draw_lot(s.luck, "BF-E8.3", s.round, MODEL + slot, 0, at)
    hero = pick(cut(s.standing, at), by=(markers,), lot=lot)
    area = range_of(s, group.kind, slot, at, own_group=True)
    apart = area.landing & ~next_to_heroes(s, at)
    shots = of_chosen(squares_seeing_each_hero(s, group.kind, at), hero)
    squares = area.fill.nearest(apart & shots)[0]
    found = s.ground.bits.any(squares)
    go(s, slot, at, any_square(s, squares, "BF-E8.4", MODEL + slot, 0, at), area, found)
    take_aim(s, group, keep(slot, found), keep(at, found), keep(hero, found), RANGED_AIM)
    some = which(~found)
    if not len(some):
        return
    moving, who = at[some], slot[some]
    closer = nearest_to(s, each(s.cell, hero[some], moving), columns(apart, some))
    cell = np.full(len(at), -1, dtype=np.int64)
    cell[some] = any_square(s, fewest_steps(area, closer, some), "BF-E8.5", MODEL + who, 0, moving)
    go(s, slot, at, cell, area, cell >= 0)
    seen = narrow(in_weapon_range(s, group.kind, who, moving), columns(markers, some))
    target = pick(seen, lot=draw_lot(s.luck, "BF-E8.5", s.round, MODEL + who, 1, moving))
    take_aim(s, group, who, moving, target, RANGED_AIM)
