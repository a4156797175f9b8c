"""Damage, prevention, defeat and healing (sections 7.1 to 7.3)."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.choose import first, narrow
from sim.core.lanes import Lanes, Small, add, cut, each, put, which
from sim.rulesets.second_era.data import BLIND, COMBAT, SHIELD, SLOTS, STEALTH
from sim.rulesets.second_era.rules import track
from sim.rulesets.second_era.state import EMPTY, RIPOSTE, State, Who, rows


def deal(
    s: State,
    source: Who,
    target: Who,
    amount: Any,
    at: Lanes,
    ability: int,
    *,
    true: Any = False,
    ignore: Any = 0,
    misses: Any = 0,
    in_engage: bool = False,
) -> Small:
    """SE-D1 to SE-D7: one instance of damage per lane; 0 or less is none. (lanes,) the hit points lost.

    Args:
        ability: what it comes from, a code of `ABILITIES`.
        true: skips defense, Guard and bonus HP (SE-D3, SE-D7).
        ignore: defense of the target that does not count.
        misses: dice of the engage that deal no damage: what Dodge prevents.
        in_engage: the instance belongs to an adventurer's engage, after which Stealth ends (SE-A9).
    """
    lost = np.zeros(len(at), dtype=np.int16)
    amount = _each_lane(amount, at)
    some = which(amount > 0)
    if not len(some):
        return lost
    every = len(some) == len(at)

    def part(value: Any) -> Any:
        return value if every or np.ndim(value) == 0 else value[some]

    source, target = part(rows(source, at)), part(rows(target, at))
    assert not isinstance(source, int)
    assert not isinstance(target, int)
    amount, true, ignore, misses = part(amount), part(true), part(ignore), part(misses)
    at = part(at)
    add(s.ledger.damage_dealt, source, at, amount)
    row = s.facts.ability[ability].take(source)
    add(s.ledger.damage, row, at, amount)
    add(s.ledger.hits, row, at, 1)
    _show_yourself(s, source, at, in_engage)
    loss = _after_prevention(s, source, target, amount, true, ignore, misses, at)
    lost_now = take(s, source, target, loss, at, amount)
    if not in_engage and s.facts.possible[STEALTH]:
        hidden = which(source < s.heroes)
        if len(hidden):
            track.lose(s, source[hidden], STEALTH, at[hidden])
    _answer(s, source, target, amount, lost_now, at)
    if every:
        return lost_now
    lost[some] = lost_now
    return lost


def _each_lane(number: Any, at: Lanes) -> Small:
    """(lanes,). A number, or one per lane."""
    return number.astype(np.int16, copy=False) if np.ndim(number) else np.full(len(at), number, dtype=np.int16)


def _show_yourself(s: State, source: Any, at: Lanes, in_engage: bool) -> None:
    """SE-F2, SE-F6: enemies and companions lose Stealth, and Blind by the errata, at the moment they deal damage."""
    if in_engage:
        s.struck[at] = True
    if not s.facts.possible[STEALTH] and not s.facts.possible[BLIND]:
        return
    creatures = which(source >= s.heroes)
    if len(creatures):
        track.lose(s, source[creatures], STEALTH, at[creatures])
        if s.facts.is_on("blind_rule", "errata"):
            track.lose(s, source[creatures], BLIND, at[creatures])


def _after_prevention(
    s: State, source: Any, target: Any, amount: Any, true: Any, ignore: Any, misses: Any, at: Lanes
) -> Small:
    """(lanes,). What is left of an instance, whoever the target is."""
    hero = target < s.heroes
    if hero.all():
        return prevent_hero(s, source, target, amount, true, at)
    if not hero.any():
        return prevent_creature(s, source, target, amount, true, ignore, misses, at)
    loss = np.empty(len(at), dtype=np.int16)

    def of(value: Any, part: Any) -> Any:
        return value if np.ndim(value) == 0 else value[part]

    one, other = which(hero), which(~hero)
    loss[one] = prevent_hero(s, source[one], target[one], amount[one], of(true, one), at[one])
    loss[other] = prevent_creature(
        s, source[other], target[other], amount[other], of(true, other), of(ignore, other), of(misses, other), at[other]
    )
    return loss


def prevent_creature(
    s: State, source: Any, target: Any, amount: Any, true: Any, ignore: Any, misses: Any, at: Lanes
) -> Small:
    """SE-D2 to SE-D4, SE-K8, SE-K10, SE-K11, SE-K13, SE-K14: defense, Dodge, Ethereal; then Elusive and Stalwart."""
    known = s.facts.present
    defense = s.stat(s.facts.defense, target, at)
    if "Iron Bark" in known:
        defense = defense + (s.has("Iron Bark", target, at) & ~s.between(s.facts.ground.adjacent, source, target, at))
    left = amount - np.maximum(defense - ignore, 0)
    if "Dodge" in known:
        left = left - misses * s.has("Dodge", target, at)
    if "Ethereal" in known:
        worldly = (source < s.heroes) & (each(s.form, np.minimum(source, s.heroes - 1), at) != 3)
        left = left - s.heroes * (worldly & s.has("Ethereal", target, at))
    left = np.maximum(left, 0)
    left = np.where(true, amount, left) if np.ndim(true) or true else left
    add(s.prevented_defense, target, at, (amount - left).astype(np.int16))
    if "Elusive" in known:
        own_turn = cut(s.acting, at) == source
        left = left * ~(own_turn & ~each(s.adj0, target, at) & s.has("Elusive", target, at))
    return left.astype(np.int16)


def prevent_hero(s: State, source: Any, target: Any, amount: Any, true: Any, at: Lanes) -> Small:
    """SE-D6, SE-D7: Guard against enemies, then bonus HP; true damage goes past both."""
    left = amount.astype(np.int16)
    by_enemy = s.is_enemy(source)
    plain = ~true if np.ndim(true) else np.full(len(at), not true)
    guarded = which(plain & by_enemy)
    if len(guarded) and s.facts.is_on("guard", "always"):
        left[guarded] = guard(s, target[guarded], left[guarded], at[guarded])
    if s.facts.racial and len(guarded):
        from sim.rulesets.second_era.rules.classes import imperial

        left[guarded] = imperial(s, target[guarded], left[guarded], at[guarded])
    bonus = np.minimum(each(s.bonus, target, at), left) * plain
    if bonus.any():
        add(s.bonus, target, at, -bonus)
        add(s.prevented_bonus, target, at, bonus)
        left = left - bonus
    if s.facts.racial and len(guarded):
        from sim.rulesets.second_era.rules.classes import argonian

        left[guarded] = argonian(s, target[guarded], left[guarded], at[guarded])
    return left


def guard(s: State, target: Any, amount: Any, at: Lanes) -> Small:
    """SE-A17: spend preventing dice: the largest X that is not too large, else the smallest; the earliest on a tie.

    (lanes,). What is left of the damage.
    """
    left = amount.copy()
    busy = which(each(s.slot_die, target * SLOTS, at) != EMPTY)
    while len(busy):
        who, lane = target[busy], at[busy]
        dice, x = track.slots(s, who, lane)
        able = (dice == SHIELD) | (dice == COMBAT)
        wanted = able & (left[busy] > 0)
        fits = wanted & (x <= left[busy])
        best = np.where(fits.any(axis=0), first(narrow(fits, x, largest=True)), first(narrow(wanted, x)))
        spends = best >= 0
        busy, who, lane, best = busy[spends], who[spends], lane[spends], best[spends]
        if not len(busy):
            break
        power = each(s.slot_x, who * SLOTS + best, lane).astype(np.int16)
        track.enter(s, who, track.leave_slot(s, who, best, lane), lane)
        before = left[busy]
        after = np.maximum(before - power, 0)
        add(s.prevented_guard, who, lane, before - after)
        left[busy] = after
        if s.tell:
            s.tell("SE-A17", int(who[0]), "spends an active die to guard", lane, x=power, left=after)
        busy = busy[after > 0]
    return left


def take(s: State, source: Who | None, target: Who, loss: Any, at: Lanes, dealt: Any = None) -> Small:
    """SE-D4, SE-D5, SE-D8, SE-K9, SE-K10: hit points are lost, after the caps; at 0 the unit is defeated.

    Without a source (SE-D11) nobody is credited. (lanes,) the hit points lost.
    """
    target = rows(target, at)
    hp = each(s.hp, target, at)
    loss = _each_lane(loss, at)
    if "Stalwart" in s.facts.present:
        room = np.maximum(1 - each(s.lost, target, at), 0)
        loss = np.where(s.has("Stalwart", target, at), np.minimum(loss, room), loss)
    loss = np.minimum(loss, hp)
    if "Divert" in s.facts.present:
        spared = (loss == hp) & (hp > 1) & s.has("Divert", target, at)
        loss = loss - spared
    if source is not None and s.facts.classes:
        from sim.rulesets.second_era.rules.classes import shade

        loss = shade(s, rows(source, at), target, loss, at)
    left = hp - loss
    put(s.hp, target, at, left)
    add(s.ledger.damage_taken, target, at, loss)
    if s.tell and len(at):
        name = s.tell.names[int(target[0])]
        if source is None:
            s.tell("SE-D11", name, "loses hit points", at, lost=loss, hp=left)
        else:
            by = int(rows(source, at)[0])
            s.tell("SE-D1", by, f"deals damage to {name}", at, dealt=dealt, lost=loss, hp=left)
    if "Stalwart" in s.facts.present:
        add(s.lost, target, at, loss)
    if "Retreat" in s.facts.present:
        s.hurt[at] |= loss > 0
    giver = np.full(len(at), s.units, dtype=np.int64) if source is None else rows(source, at)
    add(s.harm, giver * s.units + target, at, loss)
    fallen = which((left == 0) & (hp > 0))
    if len(fallen):
        if source is not None:
            add(s.ledger.kills, giver[fallen], at[fallen], 1)
        defeat(s, target[fallen], at[fallen])
    return loss


def defeat(s: State, who: Any, at: Lanes) -> None:
    """SE-D8, SE-D9: the unit leaves its hex; an adventurer's active dice leave their slots and its track stays."""
    s.occupied[:, at] &= ~s.facts.ground.board.bits.at(each(s.cell, who, at))
    put(s.cell, who, at, np.int16(-1))
    s.ledger.fell(who, at, s.round)
    heroes = which(who < s.heroes)
    for slot in range(SLOTS if len(heroes) else 0):
        put(s.slot_die, who[heroes] * SLOTS + slot, at[heroes], np.int8(EMPTY))
        put(s.slot_x, who[heroes] * SLOTS + slot, at[heroes], np.int8(EMPTY))
    if s.tell:
        s.tell("SE-D8", int(who[0]), "is defeated", at)


def _answer(s: State, source: Any, target: Any, amount: Any, loss: Any, at: Lanes) -> None:
    """SE-K12: the first time each turn that an adjacent opposing unit deals damage to it, Riposte deals damage back."""
    if "Riposte" not in s.facts.present:
        return
    felt = (loss > 0) if s.facts.is_on("riposte_trigger", "taken") else np.ones(len(at), dtype=bool)
    felt &= (each(s.hp, target, at) > 0) & (s.is_enemy(source) != s.is_enemy(target))
    felt &= ~each(s.riposted, target, at) & s.has("Riposte", target, at)
    felt &= s.between(s.facts.ground.adjacent, source, target, at)
    some = which(felt)
    if not len(some):
        return
    source, target, at = source[some], target[some], at[some]
    put(s.riposted, target, at, True)
    add(s.ledger.uses, s.facts.ability[RIPOSTE].take(target), at, 1)
    if s.tell:
        s.tell("SE-K12", int(target[0]), "answers with Riposte", at)
    deal(s, target, source, s.number("Riposte", target, at), at, RIPOSTE)


def unowned(s: State, target: Who, amount: Any, at: Lanes) -> None:
    """SE-D11, SE-D3: true damage from a status, from fatigue or from Decay: it comes from nobody."""
    take(s, None, target, amount, at)


def heal(s: State, healer: Who, target: Who, amount: Any, at: Lanes) -> Small:
    """SE-D10: heal up to the health; the defeated cannot be healed. (lanes,) the hit points regained."""
    target = rows(target, at)
    hp = each(s.hp, target, at)
    gain = np.minimum(np.asarray(amount, dtype=np.int16), s.stat(s.facts.health, target, at) - hp)
    gain = np.maximum(gain, 0) * (hp > 0)
    put(s.hp, target, at, hp + gain)
    add(s.regained, target, at, gain)
    add(s.ledger.healing, rows(healer, at), at, gain)
    if s.tell and len(at) and gain[0] > 0:
        s.tell("SE-D10", int(target[0]), "heals", at, healed=gain, hp=hp + gain)
    return gain


def missing(s: State, at: Lanes) -> Small:
    """(heroes, lanes). Hit points that undefeated adventurers miss; 0 for the defeated."""
    hp = cut(s.hp[: s.heroes], at)
    most = np.array([[hero.health] for hero in s.facts.heroes], dtype=np.int16)
    return (most - hp) * (hp > 0)
