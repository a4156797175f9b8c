"""The turns of the Apprentice, Calico and the Warlock (P52-E14 to P52-E19)."""

from __future__ import annotations

import numpy as np

from sim.core.choose import draw_lot, pick
from sim.core.lanes import Lanes, Mask, Whole, add, columns, cut, each, keep, lookup, put, which
from sim.core.luck import ENEMIES
from sim.rulesets.p52.bestiary import EnemyFacts
from sim.rulesets.p52.rules.cards import flip
from sim.rulesets.p52.rules.counters import strike
from sim.rulesets.p52.rules.damage import heal_enemy
from sim.rulesets.p52.rules.decisions import attack_someone, idle, is_weak
from sim.rulesets.p52.rules.distances import steps_to_heroes
from sim.rulesets.p52.rules.enemy_attacks import choose_target, reachable_heroes
from sim.rulesets.p52.rules.enemy_moves import advance, flee_spot, hero_to_walk_to, move_enemy
from sim.rulesets.p52.state import NOWHERE, State

BEAST_FROM = 6  # steps at which the cave beast comes


def boss_turn(s: State, enemy: int, facts: EnemyFacts, kind: int, at: Lanes) -> None:
    """P52-E14: the decision list of a boss."""
    if facts.card == "apprentice":
        at = attack_someone(s, enemy, facts, kind, at)
        idle(s, enemy, advance(s, enemy, facts, kind, at))
    elif facts.card == "calico":
        calico_turn(s, enemy, facts, kind, at)
    else:
        warlock_turn(s, enemy, facts, kind, at)


# Calico.


def calico_turn(s: State, enemy: int, facts: EnemyFacts, kind: int, at: Lanes) -> None:
    """P52-E15, P52-E16: weak: flee and heal; else attack, or send the beast and come nearer."""
    weak = is_weak(s, enemy, at, facts.max_hp)
    if weak.any():
        float_away(s, enemy, facts, keep(at, weak))
        at = keep(at, ~weak)
    at = attack_someone(s, enemy, facts, kind, at)
    if not len(at):
        return
    hero = hero_to_walk_to(s, enemy, at)
    steps = each(steps_to_heroes(s, enemy, at), hero, np.arange(len(at)))
    far = keep(at, steps >= BEAST_FROM)
    if len(far):
        beast(s, enemy, kind, far)
    going = which(cut(s.on, at))
    at, hero = at[going], hero[going]
    dead = which(each(s.hp, hero, at) < 0)
    if len(dead):
        hero[dead] = hero_to_walk_to(s, enemy, at[dead], index=1)
    idle(s, enemy, advance(s, enemy, facts, kind, at, hero))


def float_away(s: State, enemy: int, facts: EnemyFacts, at: Lanes) -> None:
    """P52-E16: flees, and heals one flip in any case."""
    goal = flee_spot(s, enemy, facts, at)
    fleeing = keep(at, goal >= 0)
    if len(fleeing):
        move_enemy(s, enemy, keep(goal, goal >= 0), fleeing, told=("P52-E16", "flees"))
    heal_enemy(s, enemy, at, flip(s, at, "P52-E16", ENEMIES + enemy), "P52-E16")


def beast(s: State, enemy: int, kind: int, at: Lanes) -> None:
    """P52-E15, P52-I40: the cave beast attacks the strongest hero and then every hero beside it."""
    hp = columns(s.hp, at)  # as it was before the beast came
    lot = draw_lot(s.luck, "P52-E15", s.when(at), ENEMIES + enemy, 0, at)
    victim = pick(s.living(at), by=(-hp,), lot=lot)
    add(s.received, victim, at, 1)
    waiting = heroes_beside(s, victim, at)
    row = first_attack(s, kind, "cave beast")
    for number in range(s.heroes):
        if number:
            victim = pick(waiting, by=(-hp,))
        some = which(victim >= 0)
        if not len(some):
            break
        put(waiting, victim[some], some, False)
        fit = cut(s.on, at[some]) & (each(s.hp, victim[some], at[some]) >= 0)
        some = keep(some, fit)
        strike(s, np.full(len(some), enemy), np.full(len(some), row), victim[some], at[some])


def heroes_beside(s: State, hero: Whole, at: Lanes) -> Mask:
    """(heroes, lanes). Living heroes within one step of another."""
    return s.living(at) & (lookup(s.space.ground.steps, each(s.spot, hero, at), cut(s.spot, at)) <= 1)


def first_attack(s: State, kind: int, name: str) -> int:
    """The row of an attack by its name."""
    names = [attack.name for attack in s.facts.types[kind].attacks]
    return s.facts.attack_of[kind] + names.index(name)


# The Warlock.


def warlock_turn(s: State, enemy: int, facts: EnemyFacts, kind: int, at: Lanes) -> None:
    """P52-E19: weak: heal one flip; else sword, fire magic or the creature."""
    weak = is_weak(s, enemy, at, facts.max_hp)
    if weak.any():
        resting = keep(at, weak)
        s.foe_wade[enemy][resting] = NOWHERE
        heal_enemy(s, enemy, resting, flip(s, resting, "P52-E19", ENEMIES + enemy), "P52-E19")
        at = keep(at, ~weak)
    if not len(at):
        return
    rows = reachable_heroes(s, enemy, kind, at)
    able: Mask = np.any(rows >= 0, axis=0)
    some = which(able)
    if len(some):
        attacking, rows = at[some], columns(rows, some)
        hero = choose_target(s, enemy, facts, rows, attacking)
        row = each(rows, hero, np.arange(len(attacking)))
        s.foe_wade[enemy][attacking] = NOWHERE
        add(s.received, hero, attacking, 1)
        beside = heroes_beside(s, hero, attacking)
        strike(s, np.full(len(attacking), enemy), row, hero, attacking)
        spreading = which(row == first_attack(s, kind, "creature"))
        creature(s, enemy, kind, hero[spreading], columns(beside, spreading), attacking[spreading])
    idle(s, enemy, advance(s, enemy, facts, kind, keep(at, ~able)))


def creature(s: State, enemy: int, kind: int, hero: Whole, beside: Mask, at: Lanes) -> None:
    """P52-E19, P52-U14: then every hero within one step of the chosen one, in roster order, hidden ones spared."""
    row = first_attack(s, kind, "creature")
    for number in range(s.heroes):
        seen = ~lookup(s.space.ground.hidden, cut(s.spot[number], at)) & (cut(s.hp[number], at) >= 0)
        ready = cut(s.on, at) & s.here(enemy, at) & ~s.is_frozen(enemy, at)
        hit = which(beside[number] & (hero != number) & seen & ready)
        if len(hit):
            foes, rows, heroes = (np.full(len(hit), value) for value in (enemy, row, number))
            strike(s, foes, rows, heroes, at[hit])
