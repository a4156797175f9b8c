"""Whom enemies attack, and one such attack without the counter attacks that it may provoke (P52-E4, P52-C9)."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sim.core.choose import draw_lot, narrow, pick
from sim.core.lanes import Lanes, Mask, Small, Whole, add, cut, each, keep, lookup, put, spots, which
from sim.core.luck import ENEMIES
from sim.core.telling import Roll
from sim.core.varying import Varying
from sim.rulesets.p52 import faces
from sim.rulesets.p52.bestiary import MAGIC, MELEE, EnemyFacts
from sim.rulesets.p52.names import called
from sim.rulesets.p52.rules.cards import KING, flip
from sim.rulesets.p52.rules.damage import hurt_hero
from sim.rulesets.p52.rules.defence import Stand, damage_after, defend, how_it_ended
from sim.rulesets.p52.rules.distances import ranges_to_heroes
from sim.rulesets.p52.rules.ending import check_end
from sim.rulesets.p52.rules.pushes import push_hero
from sim.rulesets.p52.state import State

# Whom.


def reachable_heroes(s: State, enemy: int, kind: int, at: Lanes) -> Small:
    """P52-E4, P52-E12a: (heroes, lanes). The attack that each hero can be attacked with, -1 where none."""
    here, spots = cut(s.foe_spot[enemy], at), cut(s.spot, at)
    loads = any(attack.loads for attack in s.facts.types[kind].attacks)
    loaded = cut(s.loaded[enemy], at) if loads else 1
    if isinstance(s.space.attack_at, Varying):
        rows = s.find(s.space.attack_at, at, kind, loaded, here, spots)
    elif loads:
        rows = lookup(s.space.attack_at[kind], loaded, here, spots)
    else:
        rows = lookup(s.space.attack_at[kind, 1], here, spots)
    rows = (rows + np.int16(1)) * s.living(at) - np.int16(1)  # -1 for the dead
    if s.facts.is_on("attack_choice", "ranged_first"):
        ranged = (rows >= 0) & (lookup(s.facts.attack_kind, np.maximum(rows, 0)) != MELEE)
        rows = np.where(ranged.any(axis=0) & ~ranged, np.int16(-1), rows)
    return rows


def attack_row(s: State, enemy: Whole, hero: Whole, at: Lanes) -> Small:
    """P52-E4, P52-E12a: (lanes,). The attack that an enemy can make on a hero now, -1 for none."""
    kind, loaded = each(s.kind, enemy, at), each(s.loaded, enemy, at)
    return s.find(s.space.attack_at, at, kind, loaded, each(s.foe_spot, enemy, at), each(s.spot, hero, at))


def choose_target(s: State, enemy: int, facts: EnemyFacts, rows: Small, at: Lanes) -> Whole:
    """P52-E6, P52-E7: (lanes,). Whom of the attackable heroes the enemy attacks."""
    open_to = rows >= 0
    if facts.target_order is None and s.facts.is_on("distribute_attacks"):
        return spread(s, enemy, open_to, at)
    hp = cut(s.hp, at)
    lot = draw_lot(s.luck, "P52-E6", s.when(at), ENEMIES + enemy, 0, at)
    if (facts.target_order or s.facts.switches["target_order"]) == "weakest":
        return pick(open_to, by=(hp, -s.own(s.facts.max_hp, at)), lot=lot)
    not_last = np.arange(s.heroes)[:, None] != cut(s.last[enemy], at)
    return pick(open_to, by=(not_last, ranges_to_heroes(s, enemy, at), hp, s.own(s.facts.lift, at)), lot=lot)


def spread(s: State, enemy: int, open_to: Mask, at: Lanes) -> Whole:
    """P52-E7: the weakest, unless somebody else has been attacked less often in this round."""
    hp, k, most = cut(s.hp, at), cut(s.received, at), -s.own(s.facts.max_hp, at)
    when, actor = s.when(at), ENEMIES + enemy
    weakest = pick(open_to, by=(hp, most, k), lot=draw_lot(s.luck, "P52-E7", when, actor, 0, at))
    least = narrow(open_to, k)
    spared = each(least, weakest, np.arange(len(at)))
    lot = draw_lot(s.luck, "P52-E7", when, actor, 1, at)
    others = pick(least, by=(ranges_to_heroes(s, enemy, at), hp, most), lot=lot)
    return np.where(spared, weakest, others)


# How.


@dataclass(slots=True)
class Strike:
    """An attack of enemies on heroes, one per lane; (lanes,) each."""

    enemy: Whole
    row: NDArray[np.integer]  # which attack
    hero: Whole
    at: Lanes
    where: Small  # the enemy's spot
    distance: Small
    value: Whole  # the flip
    raw: Whole  # damage before defence and King; MISS where it misses
    manner: str = ""  # for whoever listens: "counter" or "passing"; empty for a plain attack
    rolls: list[Roll] = field(default_factory=list)  # the same: the cards that were turned

    def part(self, some: Whole) -> Strike:
        """The same in some of its lanes."""
        return Strike(
            enemy=cut(self.enemy, some),
            row=cut(self.row, some),
            hero=cut(self.hero, some),
            at=cut(self.at, some),
            where=cut(self.where, some),
            distance=cut(self.distance, some),
            value=cut(self.value, some),
            raw=cut(self.raw, some),
            manner=self.manner,
            rolls=self.rolls,
        )


def flip_strike(s: State, enemy: Whole, row: NDArray[np.integer], hero: Whole, at: Lanes, passing: int) -> Strike:
    """P52-C9, P52-C11: the flip of an attack, and what it would do."""
    where = each(s.foe_spot, enemy, at)
    distance = lookup(s.space.ground.range, where, each(s.spot, hero, at))
    value = flip(s, at, "P52-C9", ENEMIES + enemy)
    raw = s.find(s.facts.raw, at, row, passing, distance, value).astype(np.int64)
    if passing:
        s.passing_king[keep(at, value == KING)] = True
    if s.facts.loaders:
        loads = which(lookup(s.facts.loads, row))
        put(s.loaded, enemy[loads], at[loads], False)
    blow = Strike(enemy, row, hero, at, where, distance, value, raw)
    if s.tell:
        works = s.facts.raw[int(row[0]), passing, int(distance[0])] >= 0
        roll = faces.flipped(s, works, faces.TO_HIT, faces.least_of(lambda values: works[np.minimum(values, KING)]))
        blow.rolls.append(faces.to_hit(roll, raw >= 0))
    return blow


def land(s: State, blow: Strike, beast: bool) -> tuple[Whole, Mask]:
    """P52-C9, P52-C10: (lanes,) each. The damage that the attacks deal, and whether defences grant a counter attack."""
    at = blow.at
    hit = blow.raw >= 0
    ability = spots(s.ledger.uses, lookup(s.facts.ledger_row, blow.row), at)
    add(s.ledger.uses, ability, at, 1)
    add(s.ledger.hits, ability, at, hit)
    dealt = np.zeros(len(at), dtype=np.int64)
    granted = np.zeros(len(at), dtype=bool)
    for hero in range(s.heroes):
        mine = which(hit & (blow.hero == hero))
        if len(mine):
            dealt[mine], granted[mine] = land_on(s, hero, blow.part(mine), beast)
    add(s.ledger.damage_dealt, s.units_of(blow.enemy, at), at, dealt)
    add(s.ledger.damage, ability, at, dealt)
    check_end(s, keep(at, hit))
    return dealt, granted


def land_on(s: State, hero: int, blow: Strike, beast: bool) -> tuple[Whole, Mask]:
    """P52-C12, P52-C13, P52-C14: a hit on one hero: damage, and whether it may counter."""
    facts, at = s.facts, blow.at
    magic = lookup(facts.attack_kind, blow.row) == MAGIC
    king = blow.value == KING
    late = facts.is_on("king_stage", "after_defence")
    shown = blow.raw if late else of_kings(s, blow.raw, king, at)
    stand = defend(s, hero, shown, magic, at, beast)
    sheet = facts.kits[hero].facts
    plain, against_magic = s.own(sheet.armour, at), s.own(sheet.magic_armour, at)
    armour = plain + magic * np.int64(against_magic - plain)
    damage = damage_after(stand, shown, armour)
    if late:
        damage = of_kings(s, damage, king, at)
    told = (lambda: tell_strike(s, hero, blow, stand, damage)) if s.tell else None
    hurt_hero(s, hero, at, damage + stand.harm, by=blow.enemy, told=told)
    effects_on(s, hero, blow, ~stand.succeeded)
    return damage, stand.counters


def tell_miss(s: State, blow: Strike) -> None:
    """P52-C9: an attack that misses, for whoever listens."""
    assert s.tell is not None
    kinds = {"": "misses", "counter": "counter_misses", "passing": "passing_misses"}
    who, weapon = s.unit_of(int(blow.enemy[0]), blow.at), called(s.facts.attacks[int(blow.row[0])].name)
    s.tell.event("P52-C9", kinds[blow.manner], blow.at, who=who, whom=blow.hero, rolls=blow.rolls, weapon=weapon)


def tell_strike(s: State, hero: int, blow: Strike, stand: Stand, damage: Whole) -> None:
    """P52-C9, P52-C13: an attack that hits, with the defence against it and what came through, for whoever listens."""
    assert s.tell is not None
    kinds = {"": "strikes", "counter": "counter_strikes", "passing": "passing_strikes"}
    s.tell.event(
        "P52-C9",
        kinds[blow.manner],
        blow.at,
        who=s.unit_of(int(blow.enemy[0]), blow.at),
        whom=hero,
        rolls=[*blow.rolls, *stand.rolls],
        weapon=called(s.facts.attacks[int(blow.row[0])].name),
        defence=called(stand.name),
        defended=how_it_ended(stand, damage),
        damage=damage,
        harm=stand.harm,
        left=s.left(hero, blow.at),
    )


def effects_on(s: State, hero: int, blow: Strike, undefended: Mask) -> None:
    """P52-E12e, P52-E12f: ice costs who did not defend a turn, water pushes; the dead feel neither."""
    if not s.facts.side_effects:
        return
    at = blow.at
    lives = cut(s.hp[hero], at) >= 0
    ice = keep(at, lookup(s.facts.freezes, blow.row) & undefended & lives)
    if len(ice):
        s.lost[hero][ice] = np.maximum(cut(s.lost[hero], ice), 1)
        if s.tell:
            s.tell.event("P52-E12e", "freezes", ice, whom=hero, turns=cut(s.lost[hero], ice))
    water = which(lookup(s.facts.pushes, blow.row) & lives)
    if len(water):
        push_hero(s, hero, blow.where[water], blow.enemy[water] + ENEMIES, at[water])


def of_kings(s: State, damage: Whole, king: Mask, at: Lanes) -> Whole:
    """P52-C12: (lanes,). What a natural King makes of damage, and the rest as it was."""
    some = which(king)
    damage = damage.copy()
    damage[some] = s.find(s.facts.king, at[some], damage[some])
    return damage


def out_of_hiding(s: State, blow: Strike) -> Mask:
    """P52-U14: (lanes,). Whether the enemy attacks from a hidden spot at a distance, so that nobody can counter."""
    if not s.space.ground.any_hidden:
        return np.zeros(len(blow.at), dtype=bool)
    ranged = lookup(s.facts.attack_kind, blow.row) != MELEE
    return ranged & (blow.distance >= 1) & lookup(s.space.ground.hidden, blow.where)
