"""Losing and regaining hit points, stun and death, defeated enemies (P52-C7, P52-C20 to P52-C23)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sim.core.lanes import Lanes, Mask, Row, Whole, add, columns, cut, each, keep, lookup, per_lane, put, which
from sim.core.luck import ENEMIES
from sim.rulesets.p52 import faces
from sim.rulesets.p52.rules.boss_returns import comes_back
from sim.rulesets.p52.rules.cards import flip
from sim.rulesets.p52.state import DEFEATED, NOWHERE, ROUTED, State

FROM_JACK = 11


# Heroes.


def hurt_hero(
    s: State, hero: int, at: Lanes, amount: Whole, by: Whole | None = None, told: Callable[[], None] | None = None
) -> None:
    """P52-C20, P52-C21: hit points off; exactly 0 stuns, less kills.

    `by` are the enemies who did it; `told` tells what happened once the hit points are gone, before anybody falls.
    """
    hurt = which(amount > 0)
    if len(hurt) < len(at):
        at, amount = at[hurt], amount[hurt]
        by = None if by is None else by[hurt]
    if not len(at):
        if told is not None:
            told()
        return
    before = columns(s.hp[hero], at)
    after = before - amount
    s.hp[hero][at] = after
    add(s.ledger.damage_taken, hero, at, amount)
    if told is not None:
        told()
    down = after <= 0
    if not down.any():
        return
    fell = keep(at, down & (before > 0))
    if len(fell):
        s.ledger.fell(hero, fell, s.round)
        s.count("stuns", fell, cut(s.hp[hero], fell) == 0)
        if s.tell:
            s.tell.event("P52-C20", "is_stunned", keep(fell, cut(s.hp[hero], fell) == 0), who=hero)
    dead = which(after < 0)
    if len(dead):
        die(s, hero, at[dead])
        if by is not None:
            add(s.ledger.kills, s.units_of(by[dead], at[dead]), at[dead], 1)


def die(s: State, hero: int, at: Lanes) -> None:
    """P52-C21, P52-E5: no more actions and no target; enemies forget the hero as their last attacker."""
    s.count("deaths", at)
    s.alive[at] -= 1
    clear_hero(s, hero, at)
    last = cut(s.last, at)
    s.last[:, at] = np.where(last == hero, NOWHERE, last)
    if s.tell:
        s.tell.event("P52-C21", "dies", at, who=hero)


def clear_hero(s: State, hero: int, at: Lanes) -> None:
    """What death and a new encounter take away: aim, stance, frozen turns and wading."""
    for status in (s.aim, s.stance, s.lost):
        status[hero][at] = 0
    s.wade[hero][at] = NOWHERE


def return_to_life(s: State, hero: int, at: Lanes, hp: int | Whole) -> None:
    """P52-C22: a dead hero comes back on its spot."""
    before = columns(s.hp[hero], at)
    s.hp[hero][at] = np.minimum(hp, s.own(s.facts.kits[hero].facts.max_hp, at))
    s.alive[at] += 1
    if s.tell:
        after = cut(s.hp[hero], at)
        s.tell.event("P52-C22", "returns_to_life", at, who=hero, healed=after - before, left=after)


def heal_hero(s: State, hero: int, at: Lanes, amount: int | Whole, by: int) -> None:
    """P52-C23: up to the maximum, never the dead; ends the stun."""
    before = cut(s.hp[hero], at)
    room = s.own(s.facts.kits[hero].facts.max_hp, at) - before
    gain = np.maximum(0, np.minimum(amount, room)) * (before >= 0)
    s.hp[hero][at] = after = before + gain
    s.ledger.healing[by][at] += gain.astype(np.int32)
    if s.tell:
        s.tell.event("P52-C23", "is_healed", at, who=by, whom=hero, healed=gain, left=after)


# Enemies.


def hurt_enemy(s: State, enemy: Row, at: Lanes, amount: Whole, hero: int, row: int | None) -> None:
    """Hit points off an enemy (one for all lanes, or one per lane); `settle` decides whether that was the end."""
    amount = np.maximum(amount, 0).astype(np.int32)
    add(s.foe_hp, enemy, at, -amount.astype(np.int16))
    add(s.ledger.damage_taken, s.units_of(enemy, at), at, amount)
    add(s.ledger.damage_dealt, hero, at, amount)
    if row is not None:
        add(s.ledger.damage, row, at, amount)


def finished(s: State, enemy: Row, at: Lanes) -> Mask:
    """(lanes,). P52-C7: at its end by `enemy_death`."""
    return each(s.foe_hp, enemy, at) < (1 if s.facts.is_on("enemy_death", "at_zero") else 0)


def settle(s: State, enemy: Row, at: Lanes, hero: Row) -> None:
    """P52-C7, P52-X2: an enemy at its end is removed, or comes back; then the flip for a drop.

    `enemy` is who was hurt, `hero` who did the last damage: one for all lanes each, or one per lane.
    """
    over = which(finished(s, enemy, at))
    over = keep(over, s.here(of_lanes(enemy, over), at[over]))
    if any(s.space.returning):
        over = keep(over, stays_down(s, of_lanes(enemy, over), at[over]))
    if not len(over):
        return
    at, enemy, by = at[over], of_lanes(enemy, over), of_lanes(hero, over)
    kind = each(s.kind, enemy, at)
    add(s.ledger.kills, by, at, 1)
    add(s.earned, by, at, s.find(s.facts.type_xp, at, kind))
    remove(s, enemy, at, DEFEATED)
    drops = which(~lookup(s.facts.type_boss, kind))
    if len(drops):
        leaving = at[drops]
        value = flip(s, leaving, "P52-C7", ENEMIES + of_lanes(enemy, drops))
        s.count("drops", leaving, value >= FROM_JACK)
        if s.tell:
            roll = faces.flipped(s, faces.values >= FROM_JACK, "for a drop", "a jack, queen or king")
            who = s.units_of(enemy, at)
            s.tell.event("P52-C7", "drops", leaving, who=who, rolls=[roll], drops=value >= FROM_JACK)


def of_lanes(row: Row, some: Whole) -> Row:
    """One row for all lanes as it is; of one per lane those of some lanes."""
    return row if isinstance(row, int) else row[some]


def stays_down(s: State, enemy: Row, at: Lanes) -> Mask:
    """P52-E17, P52-E19: (lanes,). Whether an enemy at its end does not come back."""
    down = np.ones(len(at), dtype=bool)
    for slot in range(s.space.slots):
        if s.space.returning[slot]:
            fallen = which(per_lane(enemy, at) == slot)
            if len(fallen):
                down[fallen] = ~comes_back(s, slot, at[fallen])
    return down


def remove(s: State, enemy: Row, at: Lanes, how: int) -> None:
    """P52-C7: an enemy leaves the board; one for all lanes, or one per lane."""
    put(s.gone, enemy, at, how)
    s.standing[at] -= 1
    unit = s.units_of(enemy, at)
    s.ledger.fell(unit, at, s.round)
    if s.tell and len(at):
        s.tell.event("P52-C7", "is_routed" if how == ROUTED else "is_defeated", at, who=unit)


def heal_enemy(s: State, enemy: int, at: Lanes, amount: int | Whole, rule: str) -> None:
    """P52-E3, P52-E8b, P52-E12: never above the maximum."""
    before = cut(s.foe_hp[enemy], at)
    room = s.find(s.facts.type_max_hp, at, cut(s.kind[enemy], at)) - before
    gain = np.maximum(0, np.minimum(amount, room)).astype(np.int16)
    s.foe_hp[enemy][at] = after = before + gain
    add(s.ledger.healing, s.units_of(enemy, at), at, gain)
    if s.tell and len(at):
        s.tell.event(rule, "recovers", at, who=s.unit_of(enemy, at), healed=gain, left=after)
