"""Attacks of enemies on heroes, and their counter attacks (section 7.2)."""

from __future__ import annotations

import numpy as np

from sim.core.lanes import Lanes, Mask, Whole, add, each, keep, put, which
from sim.rulesets.p52.bestiary import MAGIC, MELEE
from sim.rulesets.p52.rules.cards import ACE, KING, flip
from sim.rulesets.p52.rules.damage import actor_of, check_end, hurt_hero, push_hero
from sim.rulesets.p52.rules.defence import damage_after, defend
from sim.rulesets.p52.rules.hero_attacks import counter_by_heroes
from sim.rulesets.p52.state import STANDING, State


def attack_row(s: State, enemy: Whole, hero: Whole, at: Lanes) -> Whole:
    """P52-E4, P52-E12a: (lanes,). The attack that an enemy can make on a hero now, -1 for none."""
    ground = s.space.ground
    pair = each(s.foe_spot, enemy, at).astype(np.int64) * ground.size + each(s.spot, hero, at)
    kind = each(s.kind, enemy, at).astype(np.int64)
    table = s.space.attack_at
    row = (kind * 2 + each(s.loaded, enemy, at)) * table.shape[2] + pair
    return table.reshape(-1).take(row).astype(np.int64)


def strike(
    s: State, enemy: Whole, row: Whole, hero: Whole, at: Lanes, passing: int = 0, depth: int = 0, beast: bool = False
) -> Whole:
    """P52-C9, P52-C10, P52-C11, 7.5: one attack per lane; returns the damage that it dealt."""
    if not len(at):
        return np.zeros(0, dtype=np.int64)
    facts, ground = s.facts, s.space.ground
    where = each(s.foe_spot, enemy, at).astype(np.int64)
    distance = ground.range.take(where * ground.size + each(s.spot, hero, at)).astype(np.int64)
    value = flip(s, at)
    raw = facts.raw.take(((row * 2 + passing) * facts.ranges + distance) * 14 + value).astype(np.int64)
    ace = value == ACE
    hit = raw >= 0
    unit = s.heroes + each(s.kind, enemy, at).astype(np.int64)
    ledger = facts.ledger_row.take(row)
    add(s.ledger.uses, ledger, at, 1)
    add(s.ledger.hits, ledger, at, hit)
    if passing:
        s.passing_king[keep(at, value == KING)] = True
    loads = which(facts.loads.take(row))
    if len(loads):
        put(s.loaded, enemy[loads], at[loads], False)
    if s.tell:
        name = facts.kits[int(hero[0])].facts.name
        words = f"{'counters' if depth else 'attacks'} {name} with {facts.attacks[int(row[0])].name}"
        s.tell("P52-C9", int(unit[0]), words, at, flip=value, hit=hit)
    unseen = (facts.attack_kind.take(row) != MELEE) & (distance >= 1) & ground.hidden.take(where)
    dealt = np.zeros(len(at), dtype=np.int64)
    answers = ace.copy()
    for number in range(s.heroes):
        mine = which(hit & (hero == number))
        if len(mine):
            dealt[mine], answers[mine] = land(
                s, number, enemy[mine], row[mine], raw[mine], value[mine], where[mine], at[mine], beast
            )
    add(s.ledger.damage_dealt, unit, at, dealt)
    add(s.ledger.damage, ledger, at, dealt)
    check_end(s, keep(at, hit))
    if not beast:
        answering = which(answers & ~unseen)
        counter_by_heroes(s, hero[answering], enemy[answering], at[answering], depth + 1)
    return dealt


def land(
    s: State, hero: int, enemy: Whole, row: Whole, raw: Whole, value: Whole, where: Whole, at: Lanes, beast: bool
) -> tuple[Whole, Mask]:
    """P52-C12 to C14, P52-C18, P52-E12e, P52-E12f: a hit on one hero: damage, and whether it may counter."""
    facts = s.facts
    magic = facts.attack_kind.take(row) == MAGIC
    king = value == KING
    late = facts.is_on("king_stage", "after_defence")
    shown = raw if late else of_kings(s, raw, king)
    stand = defend(s, hero, shown, magic, at, beast)
    sheet = facts.kits[hero].facts
    armour = sheet.armour + magic * np.int64(sheet.magic_armour - sheet.armour)
    damage = damage_after(stand, shown, armour)
    if late:
        damage = of_kings(s, damage, king)
    hurt_hero(s, hero, at, damage + stand.harm, by=enemy)
    if s.tell:
        words = "is hit" if damage[0] else "takes no damage"
        s.tell("P52-C13", hero, words, at, damage=damage, hp=s.hp[hero].take(at))
    lives = s.hp[hero].take(at) >= 0
    ice = keep(at, facts.freezes.take(row) & ~stand.succeeded & lives)
    if len(ice):
        s.lost[hero][ice] = np.maximum(s.lost[hero].take(ice), 1)
    water = which(facts.pushes.take(row) & lives)
    if len(water):
        push_hero(s, hero, where[water], actor_of(enemy[water]), at[water])
    return damage, stand.counters


def of_kings(s: State, damage: Whole, king: Mask) -> Whole:
    """P52-C12: (lanes,). What a natural King makes of damage, and the rest as it was."""
    some = which(king)
    damage = damage.copy()
    damage[some] = s.facts.king.take(damage[some])
    return damage


def counter_by_enemy(s: State, enemy: Whole, hero: int, at: Lanes, depth: int) -> None:
    """P52-C8: enemies who may counter do so with the attack legal at this range."""
    if depth > s.facts.switches["counter_depth"] or not len(at):
        return
    target = np.full(len(at), hero, dtype=np.int64)
    row = attack_row(s, enemy, target, at)
    able = (row >= 0) & ~s.is_frozen(enemy, at) & (each(s.gone, enemy, at) == STANDING)
    able &= s.on.take(at) & (s.hp[hero].take(at) >= 0)
    some = which(able)
    if len(some):
        strike(s, enemy[some], row[some], target[some], at[some], depth=depth)
