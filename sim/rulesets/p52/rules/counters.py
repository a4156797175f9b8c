"""Attacks of either side with the counter attacks that they provoke, up to three in a chain (P52-C8)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sim.core.lanes import Lanes, Mask, Whole, cut, each, keep, spots, which
from sim.rulesets.p52.attack_tables import HeroAttack, place_in
from sim.rulesets.p52.rules.cards import ACE
from sim.rulesets.p52.rules.enemy_attacks import attack_row, flip_strike, land, out_of_hiding, tell_miss
from sim.rulesets.p52.rules.hero_attacks import Blow, break_ice, from_hiding, prepare, stumble, swing
from sim.rulesets.p52.state import State
from sim.rulesets.p52.worth import Scene

# Heroes attack.


def attack(
    s: State, hero: int, way: HeroAttack, enemy: Whole, at: Lanes, with_card: Mask | None, depth: int = 0
) -> Whole:
    """P52-C1: (lanes,). One attack on a primary target per lane; returns the hit points it lost."""
    return carry_out(s, prepare(s, hero, way, enemy, at), with_card, depth)


def carry_out(s: State, blow: Blow, with_card: Mask | None, depth: int = 0) -> Whole:
    """P52-C1, P52-C8: (lanes,). An attack and, after a natural Ace, the enemy's answer; the hit points lost."""
    if not len(blow.at):
        return np.zeros(0, dtype=np.int64)
    lost, ace = swing(s, blow, with_card, counter=depth > 0)
    if blow.way.shape == "charge":
        stumble(s, blow.hero, keep(blow.at, ace))
    elif np.count_nonzero(ace):
        answering = which(ace & ~from_hiding(s, blow))
        counter_by_enemy(s, blow.enemy[answering], blow.hero, blow.at[answering], depth + 1)
    break_ice(s, blow)
    return lost


def counter_by_enemy(s: State, enemy: Whole, hero: int, at: Lanes, depth: int) -> None:
    """P52-C8: enemies who may counter do so with the attack legal at this range."""
    if depth > s.facts.switches["counter_depth"] or not len(at):
        return
    target = np.full(len(at), hero, dtype=np.int64)
    row = attack_row(s, enemy, target, at)
    able = (row >= 0) & ~s.is_frozen(enemy, at) & s.here(enemy, at) & cut(s.on, at) & (cut(s.hp[hero], at) >= 0)
    some = which(able)
    if len(some):
        strike(s, enemy[some], row[some], target[some], at[some], depth=depth)


# Enemies attack.


def strike(
    s: State, enemy: Whole, row: NDArray[np.integer], hero: Whole, at: Lanes, passing: int = 0, depth: int = 0
) -> Whole:
    """P52-C9, P52-C10, P52-C8: (lanes,). One attack per lane, and the heroes' answers; returns the damage it dealt."""
    if not len(at):
        return np.zeros(0, dtype=np.int64)
    blow = flip_strike(s, enemy, row, hero, at, passing)
    if s.tell:
        blow.manner = "counter" if depth else "passing" if passing else ""
        if blow.raw[0] < 0:
            tell_miss(s, blow)
    unseen = out_of_hiding(s, blow)
    beast = s.facts.attacks[int(row[0])].beast  # it attacks in all lanes or in none, and nobody can counter it
    dealt, granted = land(s, blow, beast)
    if not beast:
        answering = which(((blow.value == ACE) | granted) & ~unseen)
        counter_by_heroes(s, hero[answering], enemy[answering], at[answering], depth + 1)
    return dealt


def counter_by_heroes(s: State, hero: Whole, enemy: Whole, at: Lanes, depth: int) -> None:
    """P52-C8, P52-Y2: heroes who may counter do so with their best attack, without a stamina card."""
    if depth > s.facts.switches["counter_depth"] or not len(at):
        return
    place = spots(s.hp, hero, at)
    able = which((each(s.hp, place, at) > 0) & (each(s.lost, place, at) == 0) & cut(s.on, at) & s.here(enemy, at))
    at, hero, enemy = at[able], hero[able], enemy[able]
    for number in range(s.heroes):
        mine = which(hero == number)
        if not len(mine):
            continue
        asked, foes = at[mine], enemy[mine]
        chosen = place_in(Scene(s, number, asked).best_on(foes, counter=True))
        for way in s.facts.kits[number].attacks:
            using = which(chosen == way.place)
            if len(using):
                attack(s, number, way, foes[using], asked[using], None, depth)
