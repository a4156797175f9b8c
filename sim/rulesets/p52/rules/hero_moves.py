"""Heroes on the move: along the one path, past traps and enemies (P52-H2, P52-H3, P52-U12, P52-Y5)."""

from __future__ import annotations

import numpy as np

from sim.core.lanes import Lanes, Mask, Small, Whole, columns, cut, each, keep, lookup, which
from sim.rulesets.p52.rules.counters import strike
from sim.rulesets.p52.rules.enemy_attacks import attack_row
from sim.rulesets.p52.rules.reach import Walk, closest
from sim.rulesets.p52.rules.traps import find_knife, spring_traps
from sim.rulesets.p52.state import NOWHERE, State

FAR = 10**8
POINT, ENEMY = 10_000, 100  # weights of a path: movement points, then enemy spots left behind, then traps


def approach_spot(s: State, hero: int, goal: Small, at: Lanes, walk: Walk) -> Whole:
    """P52-Y5: (lanes,). Where the hero goes to come nearer to a spot, -1 if it cannot; `walk` is from `reach_of`."""
    ground, movement = s.space.ground, s.own(s.facts.kits[hero].facts.movement, at)
    best = closest(s, ground.hero_costs, walk, cut(s.spot[hero], at), goal, movement)
    return ground.board.bits.nth(best, 0)


def walk(s: State, hero: int, goal: Whole, at: Lanes, past_enemies: bool = False) -> None:
    """P52-H2, P52-U12: the hero moves to a spot, or wades towards it; stance and aim end."""
    s.stance[hero][at] = 0
    s.aim[hero][at] = 0
    ground = s.space.ground
    if s.facts.wades:
        wading = begins_to_wade(s, hero, goal, at)
        s.wade[hero][at] = NOWHERE
        s.wade[hero][keep(at, wading)] = keep(goal, wading)
        if s.tell:
            s.tell.event("P52-U12", "wades", keep(at, wading), who=hero, place=ground.board.names[int(goal[0])])
        at, goal = keep(at, ~wading), keep(goal, ~wading)
    if not len(at):
        return
    if past_enemies or ground.any_trap:
        step_by_step(s, hero, goal, at, past_enemies)
    else:
        s.spot[hero][at] = goal
        tell_move(s, hero, at)
        find_knife(s, hero, at)


def tell_move(s: State, hero: int, at: Lanes) -> None:
    """P52-H2: where the hero has come to, for whoever listens."""
    if s.tell:
        place = s.space.ground.board.names[int(s.spot[hero, 0])]
        s.tell.event("P52-H2", "moves", at, who=hero, place=place)


def begins_to_wade(s: State, hero: int, goal: Whole, at: Lanes) -> Mask:
    """P52-U12: (lanes,). With movement 1 an obstructed spot takes two turns."""
    ground = s.space.ground
    slow = s.own(s.facts.kits[hero].facts.movement, at) == 1
    if slow is False or not ground.any_obstructed:
        return np.zeros(len(at), dtype=bool)
    return lookup(ground.obstructed, goal) & (cut(s.wade[hero], at) != goal) & slow


def step_by_step(s: State, hero: int, goal: Whole, at: Lanes, past_enemies: bool) -> None:
    """P52-H3, P52-U13: along the one path; traps on entering, passing attacks before leaving an enemy's spot."""
    path = paths(s, hero, goal, at, past_enemies)  # (steps, lanes), -1 behind the end
    walking = np.ones(len(at), dtype=bool)
    for number, spots in enumerate(path):
        going = which(walking & (spots >= 0))
        if not len(going):
            break
        if number > 0:
            walking[keep(going, passed_by(s, hero, at[going]))] = False
            going = keep(going, walking[going])
            if not len(going):
                continue
        moving = at[going]
        s.spot[hero][moving] = spots[going]
        if s.tell and something_happens(s, hero, path[number + 1 :]):
            tell_move(s, hero, moving)
        spring_traps(s, hero, moving)
        walking[going] = (cut(s.hp[hero], moving) >= 0) & cut(s.on, moving)
    find_knife(s, hero, at)


def something_happens(s: State, hero: int, ahead: list[Whole]) -> bool:
    """For whoever listens: whether the hero has arrived, or meets a trap or an enemy where it is now."""
    spot = int(s.spot[hero, 0])
    arrived = not any(spots[0] >= 0 for spots in ahead)
    enemies = (s.foe_spots(s.everyone) == spot) & s.standing_foes(s.everyone)
    return arrived or bool(s.space.ground.trap[spot]) or bool(enemies[:, 0].any())


# The path.


def paths(s: State, hero: int, goal: Whole, at: Lanes, past_enemies: bool) -> list[Whole]:
    """The one path of every lane: least points, then fewest enemy spots, then fewest traps; see the README."""
    ground = s.space.ground
    start = columns(s.spot[hero], at)
    lane = np.arange(len(at))
    enemies = ground.board.bits.cells(s.foes_set(at))  # (spots, lanes)
    enter = (ground.enter * POINT + ground.trap)[:, None] + enemies * ENEMY  # leaving costs; at the end it is the same
    leave = np.zeros(enemies.shape, dtype=np.int64)  # who does not walk past enemies stops on their spots
    if not past_enemies:
        leave += FAR * enemies
        leave[start, lane] = 0
    cost = costs_from(s, start, enter, leave)
    back = [goal]
    here = goal
    for _ in range(ground.size):
        if (here == start).all():
            break
        before_it = here.copy()
        wanted = each(cost, here, lane) - each(enter, here, lane)
        for spot in range(ground.size - 1, -1, -1):  # the lowest number is written last
            beside = lookup(ground.board.adjacent, spot, here)
            before_it[beside & (cost[spot] + leave[spot] == wanted) & (here != start)] = spot
        back.append(before_it)
        here = before_it
    return forward(back, start)


def costs_from(s: State, start: Small, enter: Whole, leave: Whole) -> Whole:
    """(spots, lanes). The weight of the lightest path from the start to every spot."""
    ground = s.space.ground
    cost = np.full(enter.shape, FAR, dtype=np.int64)
    cost[start, np.arange(len(start))] = 0
    for _ in range(ground.size):
        before = cost.copy()
        for spot, others in enumerate(ground.beside):
            for other in others:
                np.minimum(cost[spot], cost[other] + leave[other] + enter[spot], out=cost[spot])
        if np.array_equal(before, cost):
            break
    return cost


def forward(back: list[Whole], start: Small) -> list[Whole]:
    """The spots entered in order, from the spots found while walking back; -1 once a lane has arrived."""
    steps = np.stack(back[::-1])  # start ... goal, the start repeated where the path is shorter
    lane = np.arange(len(start))
    moving = steps != start
    first = np.argmax(moving, axis=0)
    length = np.where(moving.any(axis=0), len(steps) - first, 0)
    path = []
    for number in range(int(length.max(initial=0))):
        row = np.minimum(first + number, len(steps) - 1)
        path.append(np.where(number < length, each(steps, row, lane), NOWHERE))
    return path


# Enemies on the way.


def passed_by(s: State, hero: int, at: Lanes) -> Mask:
    """P52-H3: (lanes,). Enemies on the spot attack the hero who leaves it; says whether it must stop there."""
    spot = columns(s.spot[hero], at)
    stopped = np.zeros(len(at), dtype=bool)
    for unit in cut(s.order, at).astype(np.int64):  # (lanes,) one place in the order of play after the other
        foe = np.maximum(unit - s.heroes, 0)
        some = which((unit >= s.heroes) & waits_for(s, hero, foe, spot, at))
        row = attack_row(s, foe[some], np.full(len(some), hero), at[some])
        some, row = keep(some, row >= 0), keep(row, row >= 0)
        if len(some):
            stopped[some] |= struck_in_passing(s, hero, foe[some], row, at[some])
    return stopped | (cut(s.hp[hero], at) < 0) | ~cut(s.on, at) | (cut(s.spot[hero], at) != spot)


def waits_for(s: State, hero: int, foe: Whole, spot: Small, at: Lanes) -> Mask:
    """(lanes,). Whether an enemy on the spot can attack the hero, who lives and is still there."""
    ready = s.here(foe, at) & (each(s.foe_spot, foe, at) == spot) & ~s.is_frozen(foe, at)
    return ready & (cut(s.hp[hero], at) >= 0) & cut(s.on, at) & (cut(s.spot[hero], at) == spot)


def struck_in_passing(s: State, hero: int, foe: Whole, row: Small, at: Lanes) -> Mask:
    """P52-H3: (lanes,). The target is 1 higher; a King, a counter attack or ice stop the hero."""
    flips_before, lost_before = attack_flips(s, hero, at), columns(s.lost[hero], at)
    s.passing_king[at] = False
    strike(s, foe, row, np.full(len(at), hero), at, passing=1)
    countered = attack_flips(s, hero, at) > flips_before
    return cut(s.passing_king, at) | countered | (cut(s.lost[hero], at) > lost_before)


def attack_flips(s: State, hero: int, at: Lanes) -> Whole:
    """(lanes,). Attack flips of a hero so far: whether it has made a counter attack in between."""
    rows = [way.row for way in s.facts.kits[hero].attacks]
    return cut(s.ledger.uses[rows], at).sum(axis=0, dtype=np.int64)
