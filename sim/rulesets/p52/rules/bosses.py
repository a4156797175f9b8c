"""What only some enemies do: fleeing with a heal, resting, beasts and attacks that spread (P52-E15, E16, E19)."""

from __future__ import annotations

import numpy as np

from sim.core.choose import draw_lot, pick
from sim.core.lanes import Lanes, Mask, Small, Whole, add, columns, cut, each, keep, lookup, put, which
from sim.core.luck import ENEMIES
from sim.rulesets.p52.bestiary import EnemyFacts
from sim.rulesets.p52.rules.cards import flip
from sim.rulesets.p52.rules.counters import strike
from sim.rulesets.p52.rules.damage import heal_enemy
from sim.rulesets.p52.rules.enemy_moves import flee_spot, move_enemy
from sim.rulesets.p52.state import NOWHERE, State

BEAST_FROM = 6  # steps at which the beast comes


def float_away(s: State, enemy: int, facts: EnemyFacts, at: Lanes) -> None:
    """P52-E16: flees, and heals one flip in any case."""
    goal = flee_spot(s, enemy, facts, at)
    fleeing = keep(at, goal >= 0)
    s.foe_wade[enemy][keep(at, goal < 0)] = NOWHERE
    if len(fleeing):
        move_enemy(s, enemy, keep(goal, goal >= 0), fleeing, told=("P52-E16", "flees"))
    heal_enemy(s, enemy, at, flip(s, at, "P52-E16", ENEMIES + enemy), "P52-E16")


def rest(s: State, enemy: int, facts: EnemyFacts, at: Lanes) -> None:
    """P52-E19: heals one flip."""
    s.foe_wade[enemy][at] = NOWHERE
    heal_enemy(s, enemy, at, flip(s, at, "P52-E19", ENEMIES + enemy), "P52-E19")


def send_beast(s: State, enemy: int, row: int, at: Lanes) -> None:
    """P52-E15, P52-I40: the beast attacks the strongest hero and then every hero beside it."""
    hp = columns(s.hp, at)  # as it was before the beast came
    lot = draw_lot(s.luck, "P52-E15", s.when(at), ENEMIES + enemy, 0, at)
    victim = pick(s.living(at), by=(-hp,), lot=lot)
    add(s.received, victim, at, 1)
    waiting = heroes_beside(s, victim, at)
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


def open_to_spread(s: State, enemy: int, hero: Whole, at: Lanes) -> Mask:
    """P52-E19, P52-U14: (heroes, lanes). Who else is struck by an attack that spreads: the hidden ones are spared."""
    spots = cut(s.spot, at)
    open_to = ~lookup(s.space.ground.hidden, spots) | (spots == cut(s.foe_spot[enemy], at))
    others = np.arange(s.heroes)[:, None] != hero
    return heroes_beside(s, hero, at) & open_to & others


def spread(s: State, enemy: int, row: Small, others: Mask, at: Lanes) -> None:
    """P52-E19: then every hero within one step of the chosen one, in roster order."""
    for hero in range(s.heroes):
        ready = cut(s.on, at) & s.here(enemy, at) & ~s.is_frozen(enemy, at)
        hit = which(others[hero] & ready & (cut(s.hp[hero], at) >= 0))
        if len(hit):
            strike(s, np.full(len(hit), enemy), row[hit], np.full(len(hit), hero), at[hit])
