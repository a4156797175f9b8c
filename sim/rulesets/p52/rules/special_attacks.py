"""Charge and Double Tap (P52-I35, P52-I36)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sim.core.lanes import Lanes, Whole, cut, each, lookup, which
from sim.rulesets.p52.attack_tables import HeroAttack
from sim.rulesets.p52.rules.counters import attack, carry_out
from sim.rulesets.p52.rules.hero_attacks import prepare
from sim.rulesets.p52.rules.stamina import CardRule
from sim.rulesets.p52.rules.traps import find_knife, spring_traps
from sim.rulesets.p52.state import NOWHERE, State


def charge(s: State, hero: int, way: HeroAttack, enemy: Whole, at: Lanes, card_rule: CardRule) -> Whole:
    """P52-I35: onto the enemy's spot, the trap there first, then the attack on all who stand there."""
    s.spot[hero][at] = each(s.foe_spot, enemy, at)
    s.stance[hero][at] = 0
    s.wade[hero][at] = NOWHERE
    if s.tell:
        s.tell.event("P52-I35", "charges", at, who=hero, whom=s.units_of(enemy, at))
    find_knife(s, hero, at)
    spring_traps(s, hero, at)
    lost = np.zeros(len(at), dtype=np.int64)
    fit = which((cut(s.hp[hero], at) > 0) & cut(s.on, at))
    if len(fit):
        charging, foes = at[fit], enemy[fit]
        lost[fit] = attack(s, hero, way, foes, charging, card_rule(way, foes, charging))
    return lost


def double_tap(
    s: State, hero: int, first: HeroAttack, enemy: Whole, lost: Whole, at: Lanes, card_rule: CardRule
) -> None:
    """P52-I36: a second attack on the same enemy, if the first dealt damage and left it weak."""
    tap = s.facts.kits[hero].tap
    assert tap is not None
    most = s.find(s.facts.type_max_hp, at, each(s.kind, enemy, at))
    weak = (np.multiply(4, each(s.foe_hp, enemy, at), dtype=np.int64) < most) & s.here(enemy, at)
    ready = (lost > 0) & weak & cut(s.on, at) & (cut(s.hp[hero], at) > 0) & (cut(s.lost[hero], at) == 0)
    distance = lookup(s.space.ground.hero_range, cut(s.spot[hero], at), each(s.foe_spot, enemy, at))
    if first.counts_enemies:
        in_range = distance == 0
    else:
        in_range = s.find(first.in_range, at, distance)
    again = which(ready & in_range)
    if len(again):
        tapping, foes = at[again], enemy[again]
        blow = replace(prepare(s, hero, tap, foes, tapping), first=first, distance=distance[again])
        carry_out(s, blow, card_rule(tap, foes, tapping))
