"""The Apprentice, Calico and the Warlock (section 6.4)."""

from __future__ import annotations

import numpy as np

from sim.core.choose import count, draw_lot, narrow, nth, pick
from sim.core.lanes import Lanes, Mask, Whole, add, cut
from sim.core.luck import ENEMIES
from sim.rulesets.p52.bestiary import EnemyFacts
from sim.rulesets.p52.rules.cards import ACE, flip
from sim.rulesets.p52.rules.damage import heal_enemy, steps_to_nearest
from sim.rulesets.p52.rules.enemy_attacks import strike
from sim.rulesets.p52.rules.enemy_turns import (
    advance,
    attack_someone,
    choose_target,
    flee_spot,
    hero_to_walk_to,
    idle,
    is_weak,
    reachable_heroes,
    steps_to_heroes,
)
from sim.rulesets.p52.rules.hero_moves import move_enemy
from sim.rulesets.p52.state import NOWHERE, State

BEAST_FROM = 6  # steps at which the cave beast comes


def boss_turn(s: State, enemy: int, facts: EnemyFacts, kind: int, at: Lanes) -> None:
    """P52-E14 to E19: the decision list of a boss."""
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
        lanes = at[weak]
        goal = flee_spot(s, enemy, facts, lanes)
        fleeing = goal >= 0
        if fleeing.any():
            if s.tell:
                s.tell("P52-E16", int(s.heroes + kind), "flees", lanes[fleeing])
            move_enemy(s, enemy, goal[fleeing], lanes[fleeing])
        heal_enemy(s, enemy, lanes, flip(s, lanes), "P52-E16")
        at = at[~weak]
    at = attack_someone(s, enemy, facts, kind, at)
    if not len(at):
        return
    hero = hero_to_walk_to(s, enemy, at)
    far = steps_to_heroes(s, enemy, at)[hero, np.arange(len(at))] >= BEAST_FROM
    if far.any():
        beast(s, enemy, kind, at[far])
    going = s.on.take(at)
    at, hero = at[going], hero[going]
    dead = s.hp[hero, at] < 0
    if dead.any():
        hero[dead] = hero_to_walk_to(s, enemy, at[dead], index=1)
    idle(s, enemy, advance(s, enemy, facts, kind, at, hero))


def beast(s: State, enemy: int, kind: int, at: Lanes) -> None:
    """P52-E15, P52-I40: the cave beast attacks the strongest hero and then every hero beside it."""
    ground = s.space.ground
    hp = cut(s.hp, at).copy()
    living = s.living(at)
    lot = draw_lot(s.luck, "P52-E15", s.when(at), ENEMIES + enemy, 0, at)
    victim = pick(living, by=(-hp,), lot=lot)
    add(s.received, victim, at, 1)
    lane = np.arange(len(at))
    there = s.spot[victim, at].astype(np.int64)
    steps = ground.steps.take(there * ground.size + cut(s.spot, at))
    waiting = living & (steps <= 1)
    row = first_attack(s, kind, "cave beast")
    for number in range(s.heroes):
        if number:
            victim = pick(waiting, by=(-hp,))
        else:
            waiting[victim, lane] = True
        chosen = victim >= 0
        if not chosen.any():
            break
        some = np.flatnonzero(chosen)
        waiting[victim[some], some] = False
        some = some[s.on.take(at[some]) & (s.hp[victim[some], at[some]] >= 0)]
        foes = np.full(len(some), enemy, dtype=np.int64)
        strike(s, foes, np.full(len(some), row), victim[some], at[some], beast=True)


def first_attack(s: State, kind: int, name: str) -> int:
    """The row of an attack by its name."""
    first = s.facts.attack_of[kind]
    names = [attack.name for attack in s.facts.types[kind].attacks]
    return first + names.index(name)


def comes_back(s: State, enemy: int, card: str, at: Lanes) -> Mask:
    """P52-E17, P52-E19: (lanes,). A flip decides whether a fallen boss returns."""
    value = flip(s, at)
    unit = int(s.heroes + s.space.types[enemy][0])
    if card == "warlock":
        back = value <= 6
        most = s.facts.type_max_hp[s.space.types[enemy][0]]
        s.foe_hp[enemy][at[back]] = np.minimum(value[back], most)
        if s.tell:
            s.tell("P52-E19", unit, "returns", at[back], flip=value[back])
        return back
    fall = s.falls[enemy].take(at).astype(np.int64)
    s.falls[enemy][at] += 1
    back = value <= 5
    some = np.flatnonzero(back)
    if len(some):
        lanes = at[some]
        ace = value[some] == ACE
        most = int(s.facts.type_max_hp[s.space.types[enemy][0]])
        s.foe_hp[enemy][lanes] = np.where(ace, max(1, most // 4), max(1, most // 8))
        for chosen, spot in ((ace, None), (~ace, 2)):
            if chosen.any():
                reappear(s, enemy, lanes[chosen], fall[some][chosen], spot)
        s.foe_wade[enemy][lanes] = NOWHERE
        if s.tell:
            s.tell("P52-E17", unit, "returns", lanes, flip=value[some], hp=s.foe_hp[enemy].take(lanes))
    return back


def reappear(s: State, enemy: int, at: Lanes, fall: Whole, within: int | None) -> None:
    """P52-E17: at the entrance or exit, or within two steps, farthest from the nearest hero."""
    ground = s.space.ground
    away = steps_to_nearest(s, at)  # (spots, lanes)
    if within is None:
        doors = [ground.entrance] if ground.exit < 0 else [ground.entrance, ground.exit]
        best = narrow(np.ones((len(doors), len(at)), dtype=bool), away[doors], largest=True)
        lot = s.luck.below(count(best), "P52-E17", s.when(at), ENEMIES + enemy, fall, at)
        s.foe_spot[enemy][at] = np.array(doors)[nth(best, lot)]
        return
    table = ground.steps.reshape(ground.size, ground.size)
    open_to = table.take(s.foe_spot[enemy].take(at), axis=1) <= within
    best = narrow(open_to, away, largest=True)
    lot = s.luck.below(count(best), "P52-E17", s.when(at), ENEMIES + enemy, fall, at)
    s.foe_spot[enemy][at] = nth(best, lot)


# The Warlock.


def warlock_turn(s: State, enemy: int, facts: EnemyFacts, kind: int, at: Lanes) -> None:
    """P52-E19: weak: heal one flip; else sword, fire magic or the creature."""
    weak = is_weak(s, enemy, at, facts.max_hp)
    if weak.any():
        lanes = at[weak]
        s.foe_wade[enemy][lanes] = NOWHERE
        heal_enemy(s, enemy, lanes, flip(s, lanes), "P52-E19")
        at = at[~weak]
    if not len(at):
        return
    rows = reachable_heroes(s, enemy, kind, at)
    able = (rows >= 0).any(axis=0)
    if able.any():
        lanes, rows = at[able], rows[:, able]
        hero = choose_target(s, enemy, facts, rows, lanes)
        row = rows[hero, np.arange(len(lanes))].astype(np.int64)
        s.foe_wade[enemy][lanes] = NOWHERE
        add(s.received, hero, lanes, 1)
        spreading = row == first_attack(s, kind, "creature")
        beside = heroes_beside(s, hero, lanes)
        strike(s, np.full(len(lanes), enemy, dtype=np.int64), row, hero, lanes)
        creature(s, enemy, row[spreading], hero[spreading], beside[:, spreading], lanes[spreading])
    at = at[~able]
    idle(s, enemy, advance(s, enemy, facts, kind, at))


def heroes_beside(s: State, hero: Whole, at: Lanes) -> Mask:
    """(heroes, lanes). Living heroes within one step of another."""
    ground = s.space.ground
    there = s.spot[hero, at].astype(np.int64)
    return s.living(at) & (ground.steps.take(there * ground.size + cut(s.spot, at)) <= 1)


def creature(s: State, enemy: int, row: Whole, hero: Whole, beside: Mask, at: Lanes) -> None:
    """P52-E19, P52-U14: then every hero within one step of the chosen one, in roster order, hidden ones spared."""
    for number in range(s.heroes):
        hidden = s.space.ground.hidden.take(s.spot[number].take(at))
        ready = s.on.take(at) & s.here(enemy, at) & ~s.is_frozen(enemy, at)
        hit = np.flatnonzero(beside[number] & (hero != number) & (s.hp[number].take(at) >= 0) & ~hidden & ready)
        if len(hit):
            foes = np.full(len(hit), enemy, dtype=np.int64)
            strike(s, foes, row[hit], np.full(len(hit), number, dtype=np.int64), at[hit])
