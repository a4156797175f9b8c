"""Where enemies flee, retreat and advance to, and going there (P52-E8 to P52-E11)."""

from __future__ import annotations

import numpy as np

from sim.core.board import Bits
from sim.core.board.sets import nearest, pick_cell
from sim.core.choose import draw_lot, pick
from sim.core.lanes import Lanes, Small, Whole, columns, cut, each, keep, lookup, which
from sim.core.luck import ENEMIES
from sim.rulesets.p52.bestiary import EnemyFacts
from sim.rulesets.p52.ground import set_of
from sim.rulesets.p52.rules.distances import steps_to_heroes
from sim.rulesets.p52.rules.reach import Walk, closest, reach_of
from sim.rulesets.p52.state import NOWHERE, State

COMES_NEARER = ("P52-E10", "moves")

# Away.


def nearest_hero(s: State, enemy: int, at: Lanes) -> Whole:
    """P52-E9: (lanes,). The nearest hero: fewest steps, lowest hp, lowest Lift, by lot."""
    lot = draw_lot(s.luck, "P52-E9", s.when(at), ENEMIES + enemy, 0, at)
    return pick(s.living(at), by=(steps_to_heroes(s, enemy, at), cut(s.hp, at), s.own(s.facts.lift, at)), lot=lot)


def flee_spot(s: State, enemy: int, facts: EnemyFacts, at: Lanes) -> Whole:
    """P52-E9: (lanes,). Where the enemy flees to, -1 if there is no such spot."""
    if facts.rooted:
        return np.full(len(at), -1, dtype=np.int64)
    ground = s.space.ground
    before = nearest_hero(s, enemy, at)
    open_to = flee_spots(s, enemy, facts, before, at)
    goal = each(s.spot, np.maximum(before, 0), at)
    rings = ground.float_costs.sets  # (words, spots, steps): to who floats a step is a point
    most = lookup(ground.steps, cut(s.foe_spot[enemy], at), goal).max(initial=0) + np.max(s.own(facts.movement, at))
    outermost = min(int(most), rings.shape[2] - 1)
    farthest = nearest(open_to, (columns(rings[:, :, steps], goal) for steps in range(outermost, -1, -1)))
    if s.facts.is_on("party_choice", "best_for_party"):
        return least_steps(s, farthest, at)
    return pick_cell(ground.board.bits, farthest, draw_lot(s.luck, "P52-E9", s.when(at), ENEMIES + enemy, 1, at))


def flee_spots(s: State, enemy: int, facts: EnemyFacts, before: Whole, at: Lanes) -> Bits:
    """P52-E9: (words, lanes). Spots in reach without heroes, farther from the nearest and no nearer to the others."""
    ground, living, heroes = s.space.ground, s.living(at), s.heroes_set(at)
    here = cut(s.foe_spot[enemy], at)
    walk = reach_of(s, here, s.own(facts.movement, at), heroes, cut(s.foe_wade[enemy], at), facts.floats)
    open_to = walk.entered & ~heroes
    for hero in range(s.heroes):
        spot = cut(s.spot[hero], at)
        steps = lookup(ground.steps, here, spot)
        is_nearest = before == hero
        allowed = set_of(ground.no_nearer, spot, steps + is_nearest)
        open_to = np.where(living[hero], open_to & allowed, open_to)
    return open_to


def least_steps(s: State, among: Bits, at: Lanes) -> Whole:
    """P52-E9 `best_for_party`: (lanes,). The smallest sum of steps to all heroes, then the lowest spot."""
    ground, living = s.space.ground, s.living(at)
    total = np.zeros((ground.size, len(at)), dtype=np.int16)
    for hero in range(s.heroes):
        total += columns(ground.steps, cut(s.spot[hero], at)) * living[hero]
    return pick(ground.board.bits.cells(among), by=(total,))


# Towards.


def hero_to_walk_to(s: State, enemy: int, at: Lanes, index: int = 0) -> Whole:
    """P52-E8: (lanes,). Towards whom, by `move_order`; -1 if nobody lives."""
    steps, hp = steps_to_heroes(s, enemy, at), cut(s.hp, at)
    lot = draw_lot(s.luck, "P52-E8", s.when(at), ENEMIES + enemy, index, at)
    if s.facts.is_on("move_order", "nearest_weakest"):
        return pick(s.living(at), by=(steps, hp), lot=lot)
    not_last = np.arange(s.heroes)[:, None] != cut(s.last[enemy], at)
    return pick(s.living(at), by=(not_last, steps, hp, s.own(s.facts.lift, at)), lot=lot)


def advance(s: State, enemy: int, facts: EnemyFacts, kind: int, at: Lanes, hero: Whole | None = None) -> Lanes:
    """P52-E8, P52-E10, P52-E12b: walk. Returns the lanes in which no spot is closer."""
    if facts.rooted or not len(at):
        return at
    ground = s.space.ground
    hero = hero_to_walk_to(s, enemy, at) if hero is None else hero
    goal = each(s.spot, hero, at)
    here = cut(s.foe_spot[enemy], at)
    movement = s.own(facts.movement, at)
    walk = reach_of(s, here, movement, s.heroes_set(at), cut(s.foe_wade[enemy], at), facts.floats)
    best = closest(s, ground.float_costs if facts.floats else ground.enemy_costs, walk, here, goal, movement)
    if s.facts.is_on("enemy_advance", "stop_in_range"):
        shooting = shooting_spots(s, kind, walk, here, goal, at)
        best = np.where(ground.board.bits.any(shooting), shooting, best)
    spot = pick_cell(ground.board.bits, best, draw_lot(s.luck, "P52-E10", s.when(at), ENEMIES + enemy, 0, at))
    going = which(spot >= 0)
    if len(going):
        move_enemy(s, enemy, spot[going], at[going], columns(walk.waded, going) if s.facts.wades else None)
    return keep(at, spot < 0)


def shooting_spots(s: State, kind: int, walk: Walk, here: Small, goal: Small, at: Lanes) -> Bits:
    """P52-E10 `stop_in_range`: (words, lanes). The cheapest spots from which the chosen hero is attackable, if any."""
    ground, facts = s.space.ground, s.facts.types[kind]
    bits = ground.board.bits
    from_there = columns(bits.rows((s.space.attack_at[kind, 1] >= 0).T), goal)
    plain = facts.floats or not ground.any_obstructed
    if facts.movement == 1 and not plain:  # a spot that was waded into before costs 1 only
        first = walk.entered & from_there
        return np.where(bits.any(first), first, walk.waded & from_there)
    stops, enter = s.heroes_set(at), None if plain else ground.enter
    fill = ground.board.reach(here, max(facts.movement, 2), stop=stops, enter=enter)
    return fill.nearest((walk.entered | walk.waded) & from_there)[0]


def move_enemy(
    s: State, enemy: int, goal: Whole, at: Lanes, waded: Bits | None = None, told: tuple[str, str] = COMES_NEARER
) -> None:
    """P52-E10, P52-E11, P52-E12g: the enemy moves or wades; either makes its bow ready. Traps do nothing to it.

    `told` is the rule and the kind of event for whoever listens.
    """
    names, bits = s.space.ground.board.names, s.space.ground.board.bits
    rule, kind = told
    if s.facts.loaders:
        s.loaded[enemy][at] = True
    if s.facts.wades:
        s.foe_wade[enemy][at] = NOWHERE
    if waded is None:
        s.foe_spot[enemy][at] = goal
    else:
        wading = bits.has(waded, goal)
        s.foe_wade[enemy][keep(at, wading)] = keep(goal, wading)
        s.foe_spot[enemy][keep(at, ~wading)] = keep(goal, ~wading)
        kind = "wades" if len(at) and wading[0] else kind
    if s.tell and len(at):
        s.tell.event(rule, kind, at, who=s.unit_of(enemy, at), place=names[int(goal[0])])
