"""The decision list of enemies: flee, recover, attack, advance, idle (P52-E1 to P52-E8b).

Each rule takes the lanes that have not decided yet and returns those that go on down the list.
"""

from __future__ import annotations

import numpy as np

from sim.core.lanes import Lanes, Mask, Whole, add, columns, cut, each, keep, lookup, which
from sim.core.luck import ENEMIES
from sim.rulesets.p52.bestiary import EnemyFacts
from sim.rulesets.p52.rules.counters import strike
from sim.rulesets.p52.rules.damage import heal_enemy
from sim.rulesets.p52.rules.distances import steps_to_heroes
from sim.rulesets.p52.rules.enemy_attacks import choose_target, reachable_heroes
from sim.rulesets.p52.rules.enemy_moves import advance, flee_spot, move_enemy
from sim.rulesets.p52.state import NOWHERE, State


def is_weak(s: State, enemy: int, at: Lanes, max_hp: int) -> Mask:
    """P52-E1: (lanes,). Strictly less than a quarter of its hit points."""
    return cut(s.foe_hp[enemy], at) <= (max_hp - 1) // 4  # four times the small number might not fit


# P52-E2, E3.


def flee_or_recover(s: State, enemy: int, facts: EnemyFacts, at: Lanes) -> Lanes:
    """P52-E2, P52-E3: weak enemies flee or heal. Returns the lanes that go on down the list."""
    weak = is_weak(s, enemy, at, facts.max_hp)
    if not weak.any():
        return at
    going_on, trying = keep(at, ~weak), keep(at, weak)
    if facts.movement == 0:
        recover(s, enemy, trying)
        return going_on
    limit = s.facts.switches["flee_limit"]
    if limit != "none":
        tired = cut(s.fled[enemy], trying) >= limit
        going_on, trying = together(going_on, keep(trying, tired)), keep(trying, ~tired)
    if not len(trying):
        return going_on
    cornered = flee(s, enemy, facts, trying)
    if s.facts.is_on("cornered_enemy", "heal"):
        recover(s, enemy, cornered)
        return going_on
    return together(going_on, cornered)


def flee(s: State, enemy: int, facts: EnemyFacts, at: Lanes) -> Lanes:
    """P52-E2, P52-E9: to a flee spot. Returns the lanes without one."""
    goal = flee_spot(s, enemy, facts, at)
    fleeing = keep(at, goal >= 0)
    if len(fleeing):
        s.fled[enemy][fleeing] += 1
        move_enemy(s, enemy, keep(goal, goal >= 0), fleeing, told=("P52-E2", "flees"))
    return keep(at, goal < 0)


def recover(s: State, enemy: int, at: Lanes) -> None:
    """P52-E3: one hit point."""
    if len(at):
        s.foe_wade[enemy][at] = NOWHERE
        heal_enemy(s, enemy, at, 1, "P52-E3")


def together(some: Lanes, others: Lanes) -> Lanes:
    """Lanes of both, in order."""
    return np.sort(np.concatenate([some, others])) if len(others) else some


# P52-E4.


def attack_someone(s: State, enemy: int, facts: EnemyFacts, kind: int, at: Lanes) -> Lanes:
    """P52-E4, P52-E12c: attack if anybody can be attacked. Returns the lanes in which nobody can."""
    if not len(at):
        return at
    rows = reachable_heroes(s, enemy, kind, at)
    able: Mask = np.any(rows >= 0, axis=0)
    some = which(able)
    if not len(some):
        return at
    attacking, rows = at[some], columns(rows, some)
    hero = choose_target(s, enemy, facts, rows, attacking)
    row = each(rows, hero, np.arange(len(attacking)))
    s.foe_wade[enemy][attacking] = NOWHERE
    add(s.received, hero, attacking, 1)
    dealt = strike(s, np.full(len(attacking), enemy), row, hero, attacking)
    if facts.again:
        once_more(s, enemy, kind, hero, dealt, attacking)
    return keep(at, ~able)


def once_more(s: State, enemy: int, kind: int, hero: Whole, dealt: Whole, at: Lanes) -> None:
    """P52-E12c, P52-I33: after an attack without damage the same hero is attacked again, if still possible."""
    fit = cut(s.on, at) & s.here(enemy, at) & ~s.is_frozen(enemy, at)
    again = (dealt == 0) & fit & (each(s.hp, hero, at) >= 0)
    at, hero = keep(at, again), keep(hero, again)
    if len(at):
        row = lookup(s.space.attack_at[kind, 1], cut(s.foe_spot[enemy], at), each(s.spot, hero, at))
        can = which(row >= 0)
        strike(s, np.full(len(can), enemy), row[can], hero[can], at[can])


# P52-E8, E8b.


def advance_or_retreat(s: State, enemy: int, facts: EnemyFacts, kind: int, at: Lanes) -> Lanes:
    """P52-E8, P52-E12c, P52-E12d: walk towards a hero, or away. Returns the lanes in which it did neither."""
    if not len(at):
        return at
    shy = facts.retreats or (facts.ranged_only and s.facts.is_on("ranged_only_close", "retreat_all"))
    if shy:
        close: Mask = np.any((steps_to_heroes(s, enemy, at) <= 1) & s.living(at), axis=0)
        if close.any():
            stuck = retreat(s, enemy, facts, keep(at, close))
            return together(stuck, advance(s, enemy, facts, kind, keep(at, ~close)))
    return advance(s, enemy, facts, kind, at)


def retreat(s: State, enemy: int, facts: EnemyFacts, at: Lanes) -> Lanes:
    """P52-E12c: to a flee spot. Returns the lanes without one."""
    goal = flee_spot(s, enemy, facts, at)
    going = keep(at, goal >= 0)
    if len(going):
        move_enemy(s, enemy, keep(goal, goal >= 0), going, told=("P52-E12c", "retreats"))
    return keep(at, goal < 0)


def idle(s: State, enemy: int, at: Lanes) -> None:
    """P52-E8b: nothing applied."""
    if not len(at):
        return
    s.foe_wade[enemy][at] = NOWHERE
    way = s.facts.switches["idle_enemy"]
    if way == "random":
        at = keep(at, s.luck.below(2, "P52-E8b", s.when(at), ENEMIES + enemy, 0, at) == 0)
    if way != "skip" and len(at):
        heal_enemy(s, enemy, at, 1, "P52-E8b")
