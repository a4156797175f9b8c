"""Where units can go, and going there (P52-U12, P52-H2, P52-H3, P52-Y5, P52-E10)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.board import Bits
from sim.core.lanes import Lanes, Mask, Whole, cut, keep
from sim.rulesets.p52.ground import free_reach
from sim.rulesets.p52.rules.damage import find_knife, spring_traps
from sim.rulesets.p52.state import NOWHERE, State

FAR = 10**8
POINT, ENEMY = 10_000, 100  # weights of a path: movement points, then enemy spots left behind, then traps


# Sets of spots.


def reach_of(
    s: State, spot: NDArray[Any], movement: int, stops: Bits | None, wade: NDArray[Any], floats: bool = False
) -> tuple[Bits, Bits]:
    """P52-E10, P52-U12: the spots that can be entered this turn, and those that can only be waded towards.

    The present spot is in neither. With movement 1 an obstructed neighbour is entered if it was waded into before.
    """
    ground = s.space.ground
    bits = ground.board.bits
    if movement <= 0:
        return bits.none(len(spot)), bits.none(len(spot))
    plain = floats or not ground.any_obstructed
    if movement > 1 or plain:
        whole, inner = free_reach(ground, movement, plain)
        entered = whole.take(spot, axis=1)
        if stops is not None:
            stopped = np.flatnonzero(bits.any(inner.take(spot, axis=1) & stops))
            if len(stopped):
                some = spot[stopped]
                enter = None if plain else ground.enter
                fill = ground.board.reach(some, movement, stop=stops.take(stopped, axis=1), enter=enter)
                entered[:, stopped] = fill.all & ~bits.at(some)
        return entered, bits.none(len(spot))
    beside = bits.around(bits.at(spot))
    rough = bits.fixed(ground.obstructed)
    begun = bits.at(wade.astype(np.int64)) & beside
    return (beside & ~rough) | begun, beside & rough & ~begun


def most_of(sets: tuple[Bits, ...], goal: Whole, among: Bits, bits: Any) -> Bits:
    """The spots of a set with the largest value to a goal."""
    chosen = np.zeros_like(among)
    waiting = bits.any(among)
    for by_goal in reversed(sets):
        if not waiting.any():
            break
        here = by_goal.take(goal, axis=1) & among
        found = bits.any(here) & waiting
        chosen |= here * found
        waiting = waiting & ~found
    return chosen


def closest(
    s: State,
    sets: Bits,
    table: NDArray[np.int16],
    spot: Whole,
    goal: Whole,
    entered: Bits,
    waded: Bits,
    movement: int,
) -> Bits:
    """P52-E10, P52-Y5: the spots with the least cost to go, if that is less than from here; else none.

    A spot that is only waded towards counts 1 more. A move cannot save more than its points and the traps passed.
    """
    ground = s.space.ground
    bits = ground.board.bits
    values = sets.shape[1] // ground.size
    now = table.reshape(-1).take(spot * ground.size + goal).astype(np.int64)
    row = goal * values
    chosen = np.zeros_like(entered)
    waiting = bits.any(entered | waded)
    wading = bool(waded.any())
    most = (max(movement, 2) if ground.any_obstructed else movement) * (2 if ground.any_trap else 1)
    for saved in range(most, 0, -1):
        value = now - saved
        here = sets.take(row + np.maximum(value, 0), axis=1) & entered
        here *= value >= 0
        if wading:
            beyond = sets.take(row + np.maximum(value - 1, 0), axis=1) & waded
            here |= beyond * (value >= 1)
        here *= waiting
        chosen |= here
        waiting &= ~bits.any(here)
        if not waiting.any():
            break
    return chosen


# Player.


def approach_spot(s: State, hero: int, goal: Whole, at: Lanes, reach: tuple[Bits, Bits]) -> Whole:
    """P52-Y5: (lanes,). Where the hero goes to come nearer to a spot, -1 if it cannot; `reach` is from `reach_of`."""
    ground = s.space.ground
    spot = s.spot[hero].take(at).astype(np.int64)
    entered, waded = reach
    best = closest(
        s, ground.hero_cost_sets, ground.hero_cost, spot, goal, entered, waded, s.facts.kits[hero].facts.movement
    )
    return ground.board.bits.nth(best, 0)


def walk(s: State, hero: int, goal: Whole, at: Lanes, past_enemies: bool = False) -> None:
    """P52-H2, P52-U12: the hero moves to a spot, or wades towards it; stance and aim end."""
    s.stance[hero][at] = 0
    s.aim[hero][at] = 0
    ground = s.space.ground
    movement = s.facts.kits[hero].facts.movement
    if movement == 1 and ground.any_obstructed:
        wading = ground.obstructed.take(goal) & (s.wade[hero].take(at) != goal)
        s.wade[hero][at[~wading]] = NOWHERE
        s.wade[hero][at[wading]] = goal[wading]
        if s.tell:
            s.tell("P52-U12", hero, "wades", at[wading])
        at, goal = at[~wading], goal[~wading]
    else:
        s.wade[hero][at] = NOWHERE
    if not len(at):
        return
    if s.tell:
        s.tell("P52-H2", hero, f"moves to {ground.board.names[int(goal[0])]}", at)
    if past_enemies or ground.any_trap:
        step_by_step(s, hero, goal, at, past_enemies)
    else:
        s.spot[hero][at] = goal
        find_knife(s, hero, at)


def step_by_step(s: State, hero: int, goal: Whole, at: Lanes, past_enemies: bool) -> None:
    """P52-H3, P52-U13: along the one path; traps on entering, passing attacks before leaving an enemy's spot."""
    path = paths(s, hero, goal, at, past_enemies)  # (steps, lanes), -1 behind the end
    walking = np.ones(len(at), dtype=bool)
    for number, spots in enumerate(path):
        going = np.flatnonzero(walking & (spots >= 0))
        if not len(going):
            break
        if number > 0:
            passed_by(s, hero, at[going], walking, going)
            going = going[walking[going]]
            if not len(going):
                continue
        lanes = at[going]
        s.spot[hero][lanes] = spots[going]
        spring_traps(s, hero, lanes)
        walking[going] = (s.hp[hero].take(lanes) >= 0) & s.on.take(lanes)
    find_knife(s, hero, at)


def paths(s: State, hero: int, goal: Whole, at: Lanes, past_enemies: bool) -> list[Whole]:
    """The one path of every lane: least points, then fewest enemy spots, then fewest traps; see the README."""
    ground = s.space.ground
    start = s.spot[hero].take(at).astype(np.int64)
    lanes = np.arange(len(at))
    enemies = ground.board.bits.cells(s.foes_set(at))  # (spots, lanes)
    enter = (ground.enter * POINT + ground.trap)[:, None] + enemies * ENEMY  # leaving costs; at the end it is the same
    cost = np.full((ground.size, len(at)), FAR, dtype=np.int64)
    cost[start, lanes] = 0
    leave = np.zeros(enemies.shape, dtype=np.int64)  # who does not walk past enemies stops on their spots
    if not past_enemies:
        leave += FAR * enemies
        leave[start, lanes] = 0
    for _ in range(ground.size):
        before = cost.copy()
        for spot, others in enumerate(ground.beside):
            for other in others:
                np.minimum(cost[spot], cost[other] + leave[other] + enter[spot], out=cost[spot])
        if np.array_equal(before, cost):
            break
    back = [goal]
    here = goal
    for _ in range(ground.size):
        if (here == start).all():
            break
        before_it = here.copy()
        wanted = cost[here, lanes] - enter[here, lanes]
        for spot in range(ground.size - 1, -1, -1):  # the lowest number is written last
            came = ground.board.adjacent[spot].take(here) & (cost[spot] + leave[spot] == wanted) & (here != start)
            before_it[came] = spot
        back.append(before_it)
        here = before_it
    return forward(back, start)


def forward(back: list[Whole], start: Whole) -> list[Whole]:
    """The spots entered in order, from the spots found while walking back; -1 once a lane has arrived."""
    steps = np.stack(back[::-1])  # start ... goal, the start repeated where the path is shorter
    lanes = np.arange(len(start))
    moving = steps != start
    first = np.argmax(moving, axis=0)
    length = np.where(moving.any(axis=0), len(steps) - first, 0)
    path = []
    for number in range(int(length.max(initial=0))):
        row = np.minimum(first + number, len(steps) - 1)
        path.append(np.where(number < length, steps[row, lanes], NOWHERE))
    return path


def passed_by(s: State, hero: int, at: Lanes, walking: Mask, going: Whole) -> None:
    """P52-H3: enemies on the spot attack the hero who leaves it, in order of play, their targets 1 higher."""
    from sim.rulesets.p52.rules.enemy_attacks import attack_row, strike

    spot = s.spot[hero].take(at).copy()
    units = len(s.order)
    stopped = np.zeros(len(at), dtype=bool)
    for place in range(units):
        unit = s.order[place].take(at).astype(np.int64)
        enemy = unit - s.heroes
        foe = np.maximum(enemy, 0)
        there = (enemy >= 0) & (s.gone[foe, at] == 0) & (s.foe_spot[foe, at] == spot)
        there &= (s.frozen[foe, at] == 0) & ~s.iced[foe, at] & (s.hp[hero].take(at) >= 0) & s.on.take(at)
        there &= s.spot[hero].take(at) == spot
        some = np.flatnonzero(there)
        if not len(some):
            continue
        target = np.full(len(some), hero, dtype=np.int64)
        row = attack_row(s, foe[some], target, at[some])
        some = some[row >= 0]
        row = row[row >= 0]
        if not len(some):
            continue
        lanes = at[some]
        uses_before = hero_attacks(s, hero, lanes)
        s.passing_king[lanes] = False
        frozen_before = s.lost[hero].take(lanes)
        strike(s, foe[some], row, target[: len(some)], lanes, passing=1)
        countered = hero_attacks(s, hero, lanes) > uses_before
        stopped[some] |= s.passing_king[lanes] | countered | (s.lost[hero].take(lanes) > frozen_before)
    stopped |= (s.hp[hero].take(at) < 0) | ~s.on.take(at) | (s.spot[hero].take(at) != spot)
    walking[going[stopped]] = False


def hero_attacks(s: State, hero: int, at: Lanes) -> Whole:
    """(lanes,). Attack flips of a hero so far: whether it has made a counter attack in between."""
    rows = [way.row for way in s.facts.kits[hero].attacks]
    if not rows:
        return np.zeros(len(at), dtype=np.int64)
    return cut(s.ledger.uses[rows], at).sum(axis=0, dtype=np.int64)


# Enemies.


def move_enemy(s: State, enemy: int, goal: Whole, at: Lanes, waded: Bits | None = None) -> None:
    """P52-E10, P52-E11, P52-E12g: the enemy moves or wades; either makes its bow ready. Traps do nothing to it."""
    ground = s.space.ground
    wading = np.zeros(len(at), dtype=bool) if waded is None else ground.board.bits.has(waded, goal)
    s.foe_wade[enemy][at] = (goal + 1) * wading - 1
    s.foe_spot[enemy][keep(at, ~wading)] = keep(goal, ~wading)
    s.loaded[enemy][at] = True
    if s.tell and len(at):
        unit = s.unit_of(enemy, at)
        s.tell("P52-E10", unit, f"{'wades' if wading[0] else 'moves'} to {ground.board.names[int(goal[0])]}", at)
