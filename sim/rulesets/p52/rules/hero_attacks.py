"""Attacks of heroes on enemies, and their counter attacks (sections 5 and 7.1)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.lanes import Lanes, Mask, Whole, each, keep, put, which
from sim.rulesets.p52.attack_tables import MISS, HeroAttack, place_in
from sim.rulesets.p52.bestiary import MELEE
from sim.rulesets.p52.ground import HERO_MOST
from sim.rulesets.p52.rules.cards import ACE, KING, card_and_flip, flip
from sim.rulesets.p52.rules.damage import (
    check_end,
    find_knife,
    finished,
    hurt_enemy,
    hurt_hero,
    push_enemy,
    settle_each,
    spring_traps,
)
from sim.rulesets.p52.rules.defence import damage_after, defend
from sim.rulesets.p52.state import NOWHERE, STANDING, State
from sim.rulesets.p52.worth import Scene

NONE, HALF, FULL = 0, 1, 2  # how an enemy's defence ends (P52-C4)


def attack(
    s: State,
    hero: int,
    way: HeroAttack,
    enemy: Whole,
    at: Lanes,
    with_card: Mask | None,
    depth: int = 0,
    first: HeroAttack | None = None,
    distance: Whole | None = None,
) -> Whole:
    """P52-C1, P52-C2, P52-C3, P52-R6, 7.5: one attack on a primary target per lane; returns the hit points it lost.

    `first` is the attack that a Double Tap follows; `distance` its range. P52-H4: the stance is the caller's business.
    """
    if not len(at):
        return np.zeros(0, dtype=np.int64)
    ground = s.space.ground
    here = s.spot[hero].take(at).astype(np.int64)
    centre = each(s.foe_spot, enemy, at).astype(np.int64)
    reach = ground.range.take(here * ground.size + centre) if distance is None else distance
    alone = way.shape in ("single", "tap")
    if alone:
        mark_one(s, hero, way, enemy, at)
    else:
        caught, share = area_of(s, way, enemy, centre, at)  # (slots, lanes) each
        mark(s, hero, way, caught, at)
    variant = way.variant.take(s.stock_of(hero, at)).astype(np.int64)
    spend(s, hero, way, centre, at)
    extra, value = card_and_flip(s, hero, at, with_card)
    bonus = s.aim[hero].take(at) * (s.aim_at[hero].take(at) == enemy)
    s.aim[hero][at] = 0
    total = value + extra + bonus
    param = caught.sum(axis=0) if way.shape in ("thrust", "charge") else np.minimum(reach, HERO_MOST)
    _, params, totals = way.base.shape
    base = way.base.reshape(-1).take((variant * params + param) * totals + total).astype(np.int64)
    ace = value == ACE
    hit = (base != MISS) & ~ace
    if depth and way.stiletto:
        base = base + way.stiletto
    s.ledger.uses[way.row][at] += 1
    s.ledger.hits[way.row][at] += hit
    if s.tell:
        name = s.facts.cast.units[int(s.heroes + s.kind[enemy[0], at[0]])].name
        words = f"{'counters' if depth else 'attacks'} {name} with {way.name.replace('_', ' ')}"
        s.tell("P52-C1", hero, words, at, flip=value, card=extra, total=total, hit=hit)
    lost = np.zeros(len(at), dtype=np.int64)
    struck = which(hit)
    if len(struck):
        if alone:
            lost[struck] = strike_one(
                s, hero, way, enemy[struck], base[struck], total[struck], value[struck],
                1, here[struck], at[struck], first or way,
            )  # fmt: skip
        else:
            lost[struck] = strike_all(
                s, hero, way, enemy[struck], caught[:, struck], share[:, struck], base[struck], total[struck],
                value[struck], centre[struck], here[struck], at[struck], first or way,
            )  # fmt: skip
        check_end(s, at[struck])
    if way.shape == "charge":
        stumble(s, hero, keep(at, ace))
    elif ace.any():
        kind = (first or way).kind
        unseen = (reach >= 1) & ground.hidden.take(here) if kind != MELEE else np.zeros(len(at), dtype=bool)
        answering = which(ace & ~unseen)
        from sim.rulesets.p52.rules.enemy_attacks import counter_by_enemy

        counter_by_enemy(s, enemy[answering], hero, at[answering], depth + 1)
    if s.facts.ices:
        if alone:
            put(s.iced, enemy, at, False)
        else:
            for slot in range(s.space.slots):
                s.iced[slot][keep(at, caught[slot])] = False
    return lost


def area_of(s: State, way: HeroAttack, enemy: Whole, centre: Whole, at: Lanes) -> tuple[Mask, NDArray[np.int8]]:
    """11.2: (slots, lanes) each. Who is affected, and what the damage of each is divided by (0: no damage)."""
    slots = s.space.slots
    primary = np.arange(slots)[:, None] == enemy
    ground = s.space.ground
    caught = np.zeros((slots, len(at)), dtype=bool)
    share = np.ones((slots, len(at)), dtype=np.int8)
    for slot in range(slots):
        apart = ground.steps.take(centre * ground.size + s.foe_spot[slot].take(at))
        there = s.here(slot, at)
        most = 1 if way.shape in ("splash", "storm", "meteor", "frost") else 0
        caught[slot] = there & (apart <= most)
        if way.shape == "splash":
            share[slot] = (2 + 2 * (apart > 0)) * ~primary[slot] + primary[slot]
        elif way.shape in ("storm", "wave"):
            share[slot] = primary[slot]
        elif way.shape == "frost":
            share[slot] = 0
    return caught, share


def mark_one(s: State, hero: int, way: HeroAttack, enemy: Whole, at: Lanes) -> None:
    """P52-E5, P52-X2, P52-X4: the same for attacks on one enemy alone."""
    put(s.last, enemy, at, hero)
    bit = np.left_shift(np.uint32(1), enemy.astype(np.uint32))
    s.foes_met[hero][at] |= bit
    s.foes_by[way.row][at] |= bit


def mark(s: State, hero: int, way: HeroAttack, caught: Mask, at: Lanes) -> None:
    """P52-E5, P52-X2, P52-X4: enemies remember who attacked them, hit or miss, and the hero's record is kept."""
    for slot in range(s.space.slots):
        there = keep(at, caught[slot])
        if len(there):
            bit = np.uint32(1 << slot)
            s.last[slot][there] = hero
            s.foes_met[hero][there] |= bit
            s.foes_by[way.row][there] |= bit


def spend(s: State, hero: int, way: HeroAttack, centre: Whole, at: Lanes) -> None:
    """11.2, P52-I38: an arrow, sharp ones first; a thrown knife lies on the target spot."""
    if way.shape != "single":
        return
    if way.weapon == "bow" and s.facts.is_on("arrows", "tracked"):
        sharp = s.sharp[hero].take(at) > 0
        s.sharp[hero][keep(at, sharp)] -= 1
        s.arrows[hero][keep(at, ~sharp)] -= 1
    if way.name == "knife_throw" and way.weapon == "knife":
        s.knife_at[hero][at] = centre


def strike_all(
    s: State,
    hero: int,
    way: HeroAttack,
    enemy: Whole,
    caught: Mask,
    share: NDArray[np.int8],
    base: Whole,
    total: Whole,
    value: Whole,
    centre: Whole,
    here: Whole,
    at: Lanes,
    kind_of: HeroAttack,
) -> Whole:
    """P52-C4 to C6: every affected enemy in order defends and suffers, then the heroes in the area."""
    lost = np.zeros(len(at), dtype=np.int64)
    for slot in range(s.space.slots):
        hit = which(caught[slot])
        if len(hit):
            damage = strike_one(
                s,
                hero,
                way,
                np.full(len(hit), slot),
                base[hit],
                total[hit],
                value[hit],
                share[slot, hit],
                here[hit],
                at[hit],
                kind_of,
            )
            of_primary = which(enemy[hit] == slot)
            lost[hit[of_primary]] = damage[of_primary]
    if way.shape in ("splash", "storm", "meteor"):
        strike_friends(s, hero, way, base, value, centre, at)
    return lost


def strike_one(
    s: State,
    hero: int,
    way: HeroAttack,
    slot: Whole,
    base: Whole,
    total: Whole,
    value: Whole,
    share: Any,
    here: Whole,
    at: Lanes,
    kind_of: HeroAttack,
) -> Whole:
    """P52-C4, P52-C5, P52-C24, P52-E18: one victim per lane; returns the hit points it lost."""
    kind = each(s.kind, slot, at).astype(np.int64)
    modifier = s.facts.type_defence[:, kind_of.kind].take(kind).astype(np.int64)
    if kind_of.cold and s.facts.calicos:
        weak = s.facts.type_calico.take(kind)
        modifier = np.where(weak, -1, modifier)
        base = np.where(weak, base * 3 // 2, base) if way.shape != "tap" else base
    grade = np.full(len(at), FULL, dtype=np.int8)
    awake = which(~s.is_frozen(slot, at))
    if len(awake):
        defending, against = (at, total + modifier) if len(awake) == len(at) else (at[awake], (total + modifier)[awake])
        answer = flip(s, defending)
        won = answer > against
        grade[awake] = FULL - (answer >= against).view(np.int8) - won  # FULL, HALF on a tie, NONE
        s.count("enemy_defences", defending)
        s.count("enemy_defended", defending, won)
    doubled = (value == KING) & (grade >= (HALF if s.facts.is_on("king_on_tie", "doubled") else FULL))
    damage = base << doubled
    if way.shape not in ("single", "tap"):
        damage = damage // np.maximum(share, 1) * (share > 0)
    damage = (damage >> (grade == HALF)) * (grade != NONE)
    hurt_enemy(s, slot, at, damage, hero, way.row)
    if s.tell and len(at):
        unit = int(s.heroes + kind[0])
        words = {NONE: "defends fully", HALF: "defends by half", FULL: "is hit"}[int(grade[0])]
        s.tell("P52-C4", unit, words, at, damage=damage, hp=each(s.foe_hp, slot, at))
    if way.shape in ("storm", "frost", "wave"):
        upright = which((grade != NONE) & ~finished(s, slot, at))
        if len(upright):
            one = int(slot[0])  # area attacks strike one enemy after the other
            if way.shape == "wave":
                damage[upright] += sweep(s, hero, way, one, here[upright], at[upright])
            else:
                s.frozen[one][at[upright]] = np.maximum(s.frozen[one].take(at[upright]), way.freeze)
                if s.tell:
                    s.tell("P52-E12", s.unit_of(one, at), "freezes", at[upright])
    settle_each(s, slot, at, hero)
    return damage


def sweep(s: State, hero: int, way: HeroAttack, slot: int, here: Whole, at: Lanes) -> Whole:
    """P52-C26, P52-I39: Tidal Wave pushes; where there is no spot to go to it costs 2*L more."""
    moved = push_enemy(s, slot, here, hero, at, players_choose=True)
    extra = ~moved * np.int64(2 * s.facts.level)
    stuck = which(~moved)
    if len(stuck):
        there = at[stuck]
        hurt_enemy(s, slot, there, extra[stuck], hero, way.row)
        if s.tell:
            hp = s.foe_hp[slot].take(there)
            s.tell("P52-C26", s.unit_of(slot, there), "has nowhere to go", there, damage=extra[stuck], hp=hp)
    return extra


def strike_friends(s: State, hero: int, way: HeroAttack, base: Whole, value: Whole, centre: Whole, at: Lanes) -> None:
    """P52-C6: living heroes in the area are hit too and defend as against magic."""
    ground = s.space.ground
    raw = base << (value == KING)
    raw = raw // 2 if way.shape == "splash" else raw * (way.shape == "meteor")
    for friend in range(s.heroes):
        apart = ground.steps.take(centre * ground.size + s.spot[friend].take(at))
        inside = (apart <= (1 if way.shape == "meteor" else 0)) & (s.hp[friend].take(at) >= 0)
        hit = which(inside)
        if not len(hit):
            continue
        there = at[hit]
        stand = defend(s, friend, raw[hit], np.ones(len(hit), dtype=bool), there)
        damage = damage_after(stand, raw[hit], s.facts.kits[friend].facts.magic_armour)
        if s.tell:
            s.tell("P52-C6", friend, "is caught in it", there, damage=damage)
        if friend != hero:
            s.count("friendly_damage", there, damage)
            s.earned[hero][there] -= 3 * (damage > 0)
        hurt_hero(s, friend, there, damage + stand.harm)
        if way.shape == "storm":
            iced = keep(there, ~stand.succeeded & (s.hp[friend].take(there) >= 0))
            s.lost[friend][iced] = np.maximum(s.lost[friend].take(iced), way.freeze)


# Charge and Double Tap.


def charge(s: State, hero: int, way: HeroAttack, enemy: Whole, at: Lanes, card_rule: Any) -> Whole:
    """P52-I35, 11.2: onto the enemy's spot, the trap there first, then the attack on all who stand there."""
    s.spot[hero][at] = each(s.foe_spot, enemy, at)
    s.stance[hero][at] = 0
    s.wade[hero][at] = NOWHERE
    if s.tell:
        s.tell("P52-I35", hero, "charges", at)
    find_knife(s, hero, at)
    spring_traps(s, hero, at)
    fit = which((s.hp[hero].take(at) > 0) & s.on.take(at))
    lost = np.zeros(len(at), dtype=np.int64)
    if len(fit):
        there = at[fit]
        lost[fit] = attack(s, hero, way, enemy[fit], there, card_rule(way, enemy[fit], there))
    return lost


def stumble(s: State, hero: int, at: Lanes) -> None:
    """11.2: a charge with a natural Ace costs a flip of hit points, armour or not."""
    if len(at):
        value = flip(s, at)
        if s.tell:
            s.tell("P52-I35", hero, "stumbles", at, damage=value)
        hurt_hero(s, hero, at, value)
        check_end(s, at)


def double_tap(s: State, hero: int, first: HeroAttack, enemy: Whole, lost: Whole, at: Lanes, card_rule: Any) -> None:
    """11.2, P52-I36: a second attack on the same enemy, if the first dealt damage and left it weak."""
    tap = s.facts.kits[hero].tap
    assert tap is not None
    hp = each(s.foe_hp, enemy, at).astype(np.int64)
    weak = (4 * hp < s.facts.type_max_hp.take(each(s.kind, enemy, at))) & (each(s.gone, enemy, at) == STANDING)
    ready = (lost > 0) & weak & s.on.take(at) & (s.hp[hero].take(at) > 0) & (s.lost[hero].take(at) == 0)
    ground = s.space.ground
    seen = ground.hero_range.take(ground.near(s.spot[hero].take(at), each(s.foe_spot, enemy, at)))
    if first.shape in ("thrust", "charge"):
        in_range = seen == 0
    else:
        in_range = (first.base[0] != MISS).any(axis=1).take(seen)
    again = which(ready & in_range)
    if len(again):
        there, foes = at[again], enemy[again]
        reach = seen[again].astype(np.int64)
        attack(s, hero, tap, foes, there, card_rule(tap, foes, there), first=first, distance=reach)


# Counter attacks of heroes.


def counter_by_heroes(s: State, hero: Whole, enemy: Whole, at: Lanes, depth: int) -> None:
    """P52-C8, P52-Y2: heroes who may counter do so with their best attack, without a stamina card."""
    if depth > s.facts.switches["counter_depth"] or not len(at):
        return
    for number in range(s.heroes):
        mine = which(hero == number)
        there, foes = at[mine], enemy[mine]
        able = (s.hp[number].take(there) > 0) & (s.lost[number].take(there) == 0) & s.on.take(there)
        some = which(able & (each(s.gone, foes, there) == STANDING))
        there, foes = there[some], foes[some]
        if not len(there):
            continue
        chosen = place_in(Scene(s, number, there).best_on(foes, counter=True))
        for way in s.facts.kits[number].attacks:
            using = which(chosen == way.place)
            if len(using):
                attack(s, number, way, foes[using], there[using], None, depth)
