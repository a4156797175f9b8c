"""The decision list of enemies: flee, recover, attack, advance, idle (P52-E1 to P52-E8b).

Each rule takes the lanes that have not decided yet and returns those that go on down the list.
"""

from __future__ import annotations

import numpy as np

from sim.core.lanes import Lanes, Mask, Whole, add, columns, cut, each, keep, lookup, which
from sim.core.luck import ENEMIES
from sim.rulesets.p52.bestiary import EnemyFacts
from sim.rulesets.p52.rules.bosses import BEAST_FROM, float_away, open_to_spread, rest, send_beast, spread
from sim.rulesets.p52.rules.counters import strike
from sim.rulesets.p52.rules.damage import heal_enemy
from sim.rulesets.p52.rules.distances import steps_to_heroes
from sim.rulesets.p52.rules.enemy_attacks import attack_row, choose_target, reachable_heroes
from sim.rulesets.p52.rules.enemy_moves import advance, flee_spot, hero_to_walk_to, move_enemy
from sim.rulesets.p52.state import NOWHERE, State


def is_weak(s: State, enemy: int, at: Lanes, max_hp: int | Whole) -> Mask:
    """P52-E1: (lanes,). Strictly less than a quarter of its hit points."""
    return cut(s.foe_hp[enemy], at) <= (max_hp - 1) // 4  # four times the small number might not fit


# P52-E2, E3, and what some enemies do instead.


def if_weak(s: State, enemy: int, facts: EnemyFacts, at: Lanes) -> Lanes:
    """P52-E1, P52-E14, P52-E16, P52-E19: what a weak enemy does first. Returns the lanes that go on down the list."""
    if facts.when_weak == "fights_on":
        return at
    weak = is_weak(s, enemy, at, s.own(facts.max_hp, at))
    if not weak.any():
        return at
    going_on, trying = keep(at, ~weak), keep(at, weak)
    if facts.when_weak == "flees":
        return together(going_on, flee_or_recover(s, enemy, facts, trying))
    {"flees_and_heals": float_away, "heals": rest}[facts.when_weak](s, enemy, facts, trying)
    return going_on


def flee_or_recover(s: State, enemy: int, facts: EnemyFacts, at: Lanes) -> Lanes:
    """P52-E2, P52-E3: weak enemies flee or heal. Returns the lanes that go on down the list."""
    tired = at[:0]
    if facts.rooted:
        recover(s, enemy, at)
        return tired
    limit = s.facts.switches["flee_limit"]
    if limit != "none":
        often = cut(s.fled[enemy], at) >= limit
        tired, at = keep(at, often), keep(at, ~often)
    if not len(at):
        return tired
    cornered = flee(s, enemy, facts, at)
    if s.facts.is_on("cornered_enemy", "heal"):
        recover(s, enemy, cornered)
        return tired
    return together(tired, cornered)


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
    """P52-E4, P52-E12c, P52-E19: attack if anybody can be attacked. Returns the lanes in which nobody can."""
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
    if s.facts.wades:
        s.foe_wade[enemy][attacking] = NOWHERE
    add(s.received, hero, attacking, 1)
    spreading = which(lookup(s.facts.spreads, row)) if s.facts.spreaders else row[:0]
    others = open_to_spread(s, enemy, hero[spreading], attacking[spreading]) if len(spreading) else None
    dealt = strike(s, np.full(len(attacking), enemy), row, hero, attacking)
    if others is not None:
        spread(s, enemy, row[spreading], others, attacking[spreading])
    if "attacks_again" in facts.traits:
        once_more(s, enemy, hero, dealt, attacking)
    return keep(at, ~able)


def once_more(s: State, enemy: int, hero: Whole, dealt: Whole, at: Lanes) -> None:
    """P52-E12c, P52-I33: after an attack without damage the same hero is attacked again, if still possible."""
    fit = cut(s.on, at) & s.here(enemy, at) & ~s.is_frozen(enemy, at)
    again = (dealt == 0) & fit & (each(s.hp, hero, at) >= 0)
    at, hero = keep(at, again), keep(hero, again)
    if len(at):
        row = attack_row(s, np.full(len(at), enemy), hero, at)
        can = which(row >= 0)
        strike(s, np.full(len(can), enemy), row[can], hero[can], at[can])


# P52-E8, E8b.


def advance_or_retreat(s: State, enemy: int, facts: EnemyFacts, kind: int, at: Lanes) -> Lanes:
    """P52-E8, P52-E12c, P52-E12d: walk towards a hero, or away. Returns the lanes in which it did neither."""
    if not len(at):
        return at
    shy = "keeps_away" in facts.traits or (facts.ranged_only and s.facts.is_on("ranged_only_close", "retreat_all"))
    if shy:
        close: Mask = np.any((steps_to_heroes(s, enemy, at) <= 1) & s.living(at), axis=0)
        if close.any():
            stuck = retreat(s, enemy, facts, keep(at, close))
            return together(stuck, come_nearer(s, enemy, facts, kind, keep(at, ~close)))
    return come_nearer(s, enemy, facts, kind, at)


def come_nearer(s: State, enemy: int, facts: EnemyFacts, kind: int, at: Lanes) -> Lanes:
    """P52-E8, P52-E15: walk towards a hero, after the beast if it is far. Returns the lanes in which it did not."""
    if facts.beast is None or not len(at):
        return advance(s, enemy, facts, kind, at)
    hero = hero_to_walk_to(s, enemy, at)
    steps = each(steps_to_heroes(s, enemy, at), hero, np.arange(len(at)))
    far = keep(at, steps >= BEAST_FROM)
    if len(far):
        send_beast(s, enemy, s.facts.attack_of[kind] + facts.beast, far)
    going = which(cut(s.on, at))
    at, hero = at[going], hero[going]
    dead = which(each(s.hp, hero, at) < 0)
    if len(dead):
        hero[dead] = hero_to_walk_to(s, enemy, at[dead], index=1)
    return advance(s, enemy, facts, kind, at, hero)


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
