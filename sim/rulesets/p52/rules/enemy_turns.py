"""What enemies do on their turn: burns, lost turns, then the first rule of the list that applies (P52-T3)."""

from __future__ import annotations

import numpy as np

from sim.core.lanes import Lanes, add, columns, cut, keep
from sim.rulesets.p52.bestiary import EnemyFacts
from sim.rulesets.p52.rules.damage import heal_enemy, hurt_enemy, settle
from sim.rulesets.p52.rules.decisions import advance_or_retreat, attack_someone, idle, if_weak
from sim.rulesets.p52.rules.ending import check_end
from sim.rulesets.p52.state import NOWHERE, State


def enemy_turn(s: State, enemy: int, at: Lanes) -> None:
    """P52-T3: burns, lost turns, then the decision list."""
    at = still_there(s, enemy, at)
    if s.facts.burns:
        at = burn(s, enemy, at)
    if not len(at):
        return
    held = s.is_frozen(enemy, at)
    if held.any():
        thaw(s, enemy, keep(at, held))
        at = keep(at, ~held)
    kinds = s.space.types[enemy]
    for kind in kinds:
        mine = at if len(kinds) == 1 else keep(at, cut(s.kind[enemy], at) == kind)
        if len(mine):
            decide(s, enemy, s.facts.types[kind], kind, mine)


def still_there(s: State, enemy: int, at: Lanes) -> Lanes:
    """The lanes in which the encounter goes on and the enemy stands."""
    return keep(at, s.here(enemy, at) & cut(s.on, at))


def burn(s: State, enemy: int, at: Lanes) -> Lanes:
    """P52-C25: burn damage at the start of the turn, no defence. Returns the lanes in which the enemy still stands."""
    burning = keep(at, cut(s.burn[enemy], at) > 0)
    if not len(burning):
        return at
    damage, thrower = columns(s.burn[enemy], burning), cut(s.burner[enemy], burning)
    s.burn[enemy][burning] = 0
    for hero in np.unique(thrower).tolist():
        hurt_enemy(s, enemy, keep(burning, thrower == hero), keep(damage, thrower == hero), hero, None)
    add(s.ledger.damage, cut(s.burn_row[enemy], burning), burning, damage)
    if s.tell:
        left = s.foe_left(enemy, burning)
        s.tell.event("P52-C25", "burns", burning, who=s.unit_of(enemy, burning), damage=damage, left=left)
    settle(s, enemy, burning, thrower)
    check_end(s, burning)
    return still_there(s, enemy, at)


def thaw(s: State, enemy: int, at: Lanes) -> None:
    """P52-E12: a frozen enemy loses its turn; it may recover."""
    s.frozen[enemy][at] = np.maximum(cut(s.frozen[enemy], at) - 1, 0)
    s.foe_wade[enemy][at] = NOWHERE
    if s.tell:
        s.tell.event("P52-E12", "loses_turn", at, who=s.unit_of(enemy, at))
    if s.facts.is_on("frozen_recovers"):
        heal_enemy(s, enemy, at, 1, "P52-E12")


def decide(s: State, enemy: int, facts: EnemyFacts, kind: int, at: Lanes) -> None:
    """P52-E2 to E8b, P52-E14 to E19: flee, recover, attack, advance, idle."""
    at = if_weak(s, enemy, facts, at)
    at = attack_someone(s, enemy, facts, kind, at)
    at = advance_or_retreat(s, enemy, facts, kind, at)
    idle(s, enemy, at)
