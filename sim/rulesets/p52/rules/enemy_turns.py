"""What enemies do on their turn: the first rule that applies decides (sections 6.1 to 6.3)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sim.core.board import Bits
from sim.core.choose import draw_lot, narrow, pick
from sim.core.lanes import Lanes, Mask, Whole, add, cut, each, keep, which
from sim.core.luck import ENEMIES
from sim.rulesets.p52.bestiary import MELEE, EnemyFacts
from sim.rulesets.p52.rules.damage import check_end, heal_enemy, hurt_enemy, settle
from sim.rulesets.p52.rules.enemy_attacks import strike
from sim.rulesets.p52.rules.hero_moves import closest, most_of, move_enemy, reach_of
from sim.rulesets.p52.state import State

SPECIAL = ("apprentice", "calico", "warlock")


def enemy_turn(s: State, enemy: int, at: Lanes) -> None:
    """P52-T3: burns, lost turns, then the decision list."""
    at = keep(at, s.here(enemy, at) & s.on.take(at))
    if s.facts.burns:
        at = burn(s, enemy, at)
    if not len(at):
        return
    held = s.frozen[enemy].take(at) > 0
    if s.facts.ices:
        held = held | s.iced[enemy].take(at)
    if held.any():
        thaw(s, enemy, keep(at, held))
        at = keep(at, ~held)
    kinds = s.space.types[enemy]
    for kind in kinds:
        mine = at if len(kinds) == 1 else keep(at, s.kind[enemy].take(at) == kind)
        if len(mine):
            decide(s, enemy, s.facts.types[kind], kind, mine)


def burn(s: State, enemy: int, at: Lanes) -> Lanes:
    """P52-C25: burn damage at the start of the turn, no defence. Returns the lanes in which the enemy still stands."""
    burning = at[s.burn[enemy].take(at) > 0]
    if not len(burning):
        return at
    damage = s.burn[enemy].take(burning).astype(np.int64)
    thrower = s.burner[enemy].take(burning).astype(np.int64)
    s.burn[enemy][burning] = 0
    for hero in np.unique(thrower).tolist():
        mine = thrower == hero
        hurt_enemy(s, enemy, burning[mine], damage[mine], hero, None)
    add(s.ledger.damage, s.burn_row[enemy].take(burning).astype(np.int64), burning, damage)
    if s.tell:
        s.tell("P52-C25", s.unit_of(enemy, burning), "burns", burning, damage=damage)
    settle(s, enemy, burning, thrower)
    check_end(s, burning)
    return at[s.here(enemy, at) & s.on.take(at)]


def thaw(s: State, enemy: int, at: Lanes) -> None:
    """P52-E12: a frozen enemy loses its turn; it may recover."""
    left = s.frozen[enemy].take(at)
    s.frozen[enemy][at] = np.maximum(left - 1, 0)
    s.foe_wade[enemy][at] = -1
    if s.tell:
        s.tell("P52-E12", s.unit_of(enemy, at), "is frozen", at)
    if s.facts.is_on("frozen_recovers"):
        heal_enemy(s, enemy, at, 1, "P52-E12")


def decide(s: State, enemy: int, facts: EnemyFacts, kind: int, at: Lanes) -> None:
    """P52-E2 to E8b: flee, recover, attack, advance, idle."""
    if facts.card in SPECIAL:
        from sim.rulesets.p52.rules.bosses import boss_turn

        boss_turn(s, enemy, facts, kind, at)
        return
    at = flee_or_recover(s, enemy, facts, at)
    at = attack_someone(s, enemy, facts, kind, at)
    at = advance_or_retreat(s, enemy, facts, kind, at)
    idle(s, enemy, at)


# P52-E1 to E3.


def is_weak(s: State, enemy: int, at: Lanes, max_hp: int) -> Mask:
    """P52-E1: (lanes,). Strictly less than a quarter of its hit points."""
    return 4 * s.foe_hp[enemy].take(at) < max_hp


def flee_or_recover(s: State, enemy: int, facts: EnemyFacts, at: Lanes) -> Lanes:
    """P52-E2, P52-E3: weak enemies flee or heal. Returns the lanes that go on down the list."""
    weak = is_weak(s, enemy, at, facts.max_hp)
    if not weak.any():
        return at
    going_on = keep(at, ~weak)
    trying = keep(at, weak)
    if facts.movement == 0:
        s.foe_wade[enemy][trying] = -1
        heal_enemy(s, enemy, trying, 1, "P52-E3")
        return going_on
    limit = s.facts.switches["flee_limit"]
    if limit != "none":
        tired = s.fled[enemy].take(trying) >= limit
        going_on = np.sort(np.concatenate([going_on, trying[tired]]))
        trying = trying[~tired]
    if not len(trying):
        return going_on
    goal = flee_spot(s, enemy, facts, trying)
    fleeing = which(goal >= 0)
    if len(fleeing):
        runs = trying[fleeing]
        s.fled[enemy][runs] += 1
        if s.tell:
            s.tell("P52-E2", s.unit_of(enemy, runs), "flees", runs)
        move_enemy(s, enemy, goal[fleeing], runs)
    cornered = keep(trying, goal < 0)
    if len(cornered):
        if s.facts.is_on("cornered_enemy", "heal"):
            s.foe_wade[enemy][cornered] = -1
            heal_enemy(s, enemy, cornered, 1, "P52-E3")
        else:
            going_on = np.sort(np.concatenate([going_on, cornered]))
    return going_on


def nearest_hero(s: State, enemy: int, at: Lanes) -> tuple[Whole, NDArray[np.int16]]:
    """P52-E9: (lanes,). The nearest hero: fewest steps, lowest hp, lowest Lift, by lot; and all steps."""
    steps = steps_to_heroes(s, enemy, at)
    lot = draw_lot(s.luck, "P52-E9", s.when(at), ENEMIES + enemy, 0, at)
    return pick(s.living(at), by=(steps, cut(s.hp, at), s.facts.lift), lot=lot), steps


def steps_to_heroes(s: State, enemy: int, at: Lanes) -> NDArray[np.int16]:
    """(heroes, lanes). Steps from an enemy to every hero."""
    ground = s.space.ground
    pair = s.foe_spot[enemy].take(at).astype(np.int64) * ground.size + cut(s.spot, at)
    return ground.steps.take(pair)


def flee_spot(s: State, enemy: int, facts: EnemyFacts, at: Lanes) -> Whole:
    """P52-E9: (lanes,). Where the enemy flees to, -1 if there is no such spot."""
    ground = s.space.ground
    bits = ground.board.bits
    if facts.movement == 0:
        return np.full(len(at), -1, dtype=np.int64)
    nearest, _ = nearest_hero(s, enemy, at)
    living = s.living(at)
    heroes = s.heroes_set(at)
    here = s.foe_spot[enemy].take(at).astype(np.int64)
    floats = facts.card == "calico"
    open_to, _ = reach_of(s, here, facts.movement, heroes, s.foe_wade[enemy].take(at), floats)
    open_to = open_to & ~heroes
    for hero in range(s.heroes):
        pair = here * ground.size + s.spot[hero].take(at)
        allowed = ground.not_nearer.take(pair, axis=1)
        is_nearest = nearest == hero
        if is_nearest.any():
            allowed = np.where(is_nearest, ground.farther.take(pair, axis=1), allowed)
        open_to = open_to & (allowed | np.where(living[hero], np.uint64(0), ~np.uint64(0)))
    goal = each(s.spot, np.maximum(nearest, 0), at).astype(np.int64)
    best = most_of(ground.step_sets, goal, open_to, bits)
    if s.facts.is_on("party_choice", "best_for_party"):
        return least_steps(s, best, at)
    lot = s.luck.below(bits.count(best), "P52-E9", s.when(at), ENEMIES + enemy, 1, at)
    return bits.nth(best, lot)


def least_steps(s: State, among: Bits, at: Lanes) -> Whole:
    """P52-E9 `best_for_party`: (lanes,). The smallest sum of steps to all heroes, then the lowest spot."""
    ground = s.space.ground
    table = ground.steps.reshape(ground.size, ground.size)
    living = s.living(at)
    total = np.zeros((ground.size, len(at)), dtype=np.int16)
    for hero in range(s.heroes):
        total += table.take(s.spot[hero].take(at), axis=1) * living[hero]
    return pick(ground.board.bits.cells(among), by=(total,))


# P52-E4 to E7.


def reachable_heroes(s: State, enemy: int, kind: int, at: Lanes) -> NDArray[np.int16]:
    """P52-E4, P52-E12a: (heroes, lanes). The attack that each hero can be attacked with, -1 where none."""
    ground = s.space.ground
    pair = s.foe_spot[enemy].take(at).astype(np.int64) * ground.size + cut(s.spot, at)  # (heroes, lanes)
    by_kind = s.space.attack_at[kind]  # (loaded, spots * spots)
    rows = by_kind[1].take(pair)
    if any(attack.loads for attack in s.facts.types[kind].attacks):
        rows = np.where(s.loaded[enemy].take(at), rows, by_kind[0].take(pair))
    rows = (rows + np.int16(1)) * s.living(at) - np.int16(1)  # -1 for the dead
    if s.facts.is_on("attack_choice", "ranged_first"):
        ranged = (rows >= 0) & (s.facts.attack_kind.take(np.maximum(rows, 0)) != MELEE)
        rows = np.where(ranged.any(axis=0) & ~ranged, -1, rows).astype(np.int16)
    return rows


def choose_target(s: State, enemy: int, facts: EnemyFacts, rows: NDArray[np.int16], at: Lanes) -> Whole:
    """P52-E6, P52-E7: (lanes,). Whom of the attackable heroes the enemy attacks."""
    open_to = rows >= 0
    hp = cut(s.hp, at)
    actor = ENEMIES + enemy
    if facts.target_order is None and s.facts.is_on("distribute_attacks"):
        return spread(s, enemy, open_to, at)
    order = facts.target_order or s.facts.switches["target_order"]
    lot = draw_lot(s.luck, "P52-E6", s.when(at), actor, 0, at)
    if order == "weakest":
        return pick(open_to, by=(hp, -s.facts.max_hp), lot=lot)
    not_last = np.arange(s.heroes)[:, None] != s.last[enemy].take(at)
    return pick(open_to, by=(not_last, ranges_to_heroes(s, enemy, at), hp, s.facts.lift), lot=lot)


def ranges_to_heroes(s: State, enemy: int, at: Lanes) -> NDArray[np.int16]:
    """(heroes, lanes). Range from an enemy to every hero."""
    ground = s.space.ground
    return ground.range.take(s.foe_spot[enemy].take(at).astype(np.int64) * ground.size + cut(s.spot, at))


def spread(s: State, enemy: int, open_to: Mask, at: Lanes) -> Whole:
    """P52-E7: the weakest, unless somebody else has been attacked less often in this round."""
    hp, k, most = cut(s.hp, at), cut(s.received, at), -s.facts.max_hp
    when, actor = s.when(at), ENEMIES + enemy
    weakest = pick(open_to, by=(hp, most, k), lot=draw_lot(s.luck, "P52-E7", when, actor, 0, at))
    least = narrow(open_to, k)
    spared = each(least, weakest, np.arange(len(at)))
    others = pick(
        least, by=(ranges_to_heroes(s, enemy, at), hp, most), lot=draw_lot(s.luck, "P52-E7", when, actor, 1, at)
    )
    return np.where(spared, weakest, others)


def attack_someone(s: State, enemy: int, facts: EnemyFacts, kind: int, at: Lanes) -> Lanes:
    """P52-E4, P52-E12c: attack if anybody can be attacked. Returns the lanes in which nobody can."""
    if not len(at):
        return at
    rows = reachable_heroes(s, enemy, kind, at)
    able: Mask = np.any(rows >= 0, axis=0)
    some = which(able)
    if not len(some):
        return at
    there = at[some]
    rows = rows.take(some, axis=1)
    hero = choose_target(s, enemy, facts, rows, there)
    row = each(rows, hero, np.arange(len(there))).astype(np.int64)
    s.foe_wade[enemy][there] = -1
    add(s.received, hero, there, 1)
    foes = np.full(len(there), enemy, dtype=np.int64)
    dealt = strike(s, foes, row, hero, there)
    if facts.again:
        once_more(s, enemy, kind, hero, dealt, there)
    return keep(at, ~able)


def once_more(s: State, enemy: int, kind: int, hero: Whole, dealt: Whole, at: Lanes) -> None:
    """P52-E12c, P52-I33: after an attack without damage the same hero is attacked again, if still possible."""
    again = (dealt == 0) & s.on.take(at) & s.here(enemy, at) & ~s.is_frozen(enemy, at) & (each(s.hp, hero, at) >= 0)
    at, hero = keep(at, again), keep(hero, again)
    if len(at):
        ground = s.space.ground
        pair = s.foe_spot[enemy].take(at).astype(np.int64) * ground.size + each(s.spot, hero, at)
        row = s.space.attack_at[kind, 1].take(pair).astype(np.int64)
        can = which(row >= 0)
        foes = np.full(len(can), enemy, dtype=np.int64)
        strike(s, foes, row[can], hero[can], at[can])


# P52-E8, E8b.


def advance_or_retreat(s: State, enemy: int, facts: EnemyFacts, kind: int, at: Lanes) -> Lanes:
    """P52-E8, P52-E12c, P52-E12d: walk towards a hero, or away. Returns the lanes in which it did neither."""
    if not len(at):
        return at
    shy = facts.retreats or (facts.ranged_only and s.facts.is_on("ranged_only_close", "retreat_all"))
    if shy:
        living = s.living(at)
        close: Mask = np.any((steps_to_heroes(s, enemy, at) <= 1) & living, axis=0)
        if close.any():
            idle_ones = retreat(s, enemy, facts, keep(at, close))
            rest = advance(s, enemy, facts, kind, keep(at, ~close))
            return np.sort(np.concatenate([idle_ones, rest]))
    return advance(s, enemy, facts, kind, at)


def retreat(s: State, enemy: int, facts: EnemyFacts, at: Lanes) -> Lanes:
    """P52-E12c: to a flee spot. Returns the lanes without one."""
    goal = flee_spot(s, enemy, facts, at)
    going = which(goal >= 0)
    if len(going):
        if s.tell:
            s.tell("P52-E12c", s.unit_of(enemy, at), "retreats", at[going])
        move_enemy(s, enemy, goal[going], at[going])
    return keep(at, goal < 0)


def hero_to_walk_to(s: State, enemy: int, at: Lanes, index: int = 0) -> Whole:
    """P52-E8: (lanes,). Towards whom, by `move_order`; -1 if nobody lives."""
    steps, hp = steps_to_heroes(s, enemy, at), cut(s.hp, at)
    lot = draw_lot(s.luck, "P52-E8", s.when(at), ENEMIES + enemy, index, at)
    if s.facts.is_on("move_order", "nearest_weakest"):
        return pick(s.living(at), by=(steps, hp), lot=lot)
    not_last = np.arange(s.heroes)[:, None] != s.last[enemy].take(at)
    return pick(s.living(at), by=(not_last, steps, hp, s.facts.lift), lot=lot)


def advance(s: State, enemy: int, facts: EnemyFacts, kind: int, at: Lanes, hero: Whole | None = None) -> Lanes:
    """P52-E8, P52-E10, P52-E12b: walk. Returns the lanes in which no spot is closer."""
    if facts.movement == 0 or not len(at):
        return at
    ground = s.space.ground
    bits = ground.board.bits
    hero = hero_to_walk_to(s, enemy, at) if hero is None else hero
    goal = each(s.spot, hero, at).astype(np.int64)
    here = s.foe_spot[enemy].take(at).astype(np.int64)
    floats = facts.card == "calico"
    entered, waded = reach_of(s, here, facts.movement, s.heroes_set(at), s.foe_wade[enemy].take(at), floats)
    sets = ground.float_sets if floats else ground.cost_sets
    table = ground.steps if floats else ground.cost
    best = closest(s, sets, table, here, goal, entered, waded, facts.movement)
    if s.facts.is_on("enemy_advance", "stop_in_range"):
        best = shooting_spots(s, kind, here, facts.movement, goal, entered, waded, best, at, floats)
    lot = s.luck.below(bits.count(best), "P52-E10", s.when(at), ENEMIES + enemy, 0, at)
    spot = bits.nth(best, lot)
    going = which(spot >= 0)
    if len(going):
        move_enemy(s, enemy, spot[going], at[going], waded.take(going, axis=1))
    return keep(at, spot < 0)


def shooting_spots(
    s: State,
    kind: int,
    here: Whole,
    movement: int,
    goal: Whole,
    entered: Bits,
    waded: Bits,
    otherwise: Bits,
    at: Lanes,
    floats: bool,
) -> Bits:
    """P52-E10 `stop_in_range`: the cheapest spots from which the chosen hero is attackable, if there are any."""
    ground = s.space.ground
    bits = ground.board.bits
    can = s.space.attack_at[kind, 1].reshape(ground.size, ground.size) >= 0  # [from, hero]
    from_there = bits.rows(can.T).take(goal, axis=1)
    plain = floats or not ground.any_obstructed
    fill = ground.board.reach(here, max(movement, 2), stop=s.heroes_set(at), enter=None if plain else ground.enter)
    best, _ = fill.nearest((entered | waded) & from_there)
    found = bits.any(best)
    if movement == 1 and not plain:  # a spot that was waded into before costs 1 only
        first = entered & from_there
        here_first = bits.any(first)
        best = np.where(here_first, first, waded & from_there)
        found = bits.any(best)
    return np.where(found, best, otherwise)


def idle(s: State, enemy: int, at: Lanes) -> None:
    """P52-E8b: nothing applied."""
    if not len(at):
        return
    s.foe_wade[enemy][at] = -1
    way = s.facts.switches["idle_enemy"]
    if way == "random":
        at = keep(at, s.luck.below(2, "P52-E8b", s.when(at), ENEMIES + enemy, 0, at) == 0)
    if way != "skip" and len(at):
        heal_enemy(s, enemy, at, 1, "P52-E8b")
