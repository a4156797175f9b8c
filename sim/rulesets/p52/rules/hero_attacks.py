"""One attack of a hero on enemies, without the counter attacks that it may provoke (P52-C1 to P52-C6)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from sim.core.lanes import Lanes, Mask, Row, Small, Tiny, Whole, add, columns, cut, each, keep, lookup, put, which
from sim.core.luck import ENEMIES
from sim.core.telling import Roll
from sim.rulesets.p52 import faces
from sim.rulesets.p52.attack_tables import HeroAttack
from sim.rulesets.p52.bestiary import MELEE
from sim.rulesets.p52.ground import HERO_MOST
from sim.rulesets.p52.names import called
from sim.rulesets.p52.rules.cards import ACE, KING, card_and_flip, flip
from sim.rulesets.p52.rules.damage import finished, hurt_enemy, hurt_hero, of_lanes, settle
from sim.rulesets.p52.rules.defence import damage_after, defend, how_it_ended
from sim.rulesets.p52.rules.ending import check_end
from sim.rulesets.p52.rules.pushes import push_enemy
from sim.rulesets.p52.state import State
from sim.rulesets.p52.sums import MISS

NONE, HALF, FULL = 0, 1, 2  # how an enemy's defence ends (P52-C4)
DEFENDED = {NONE: "whole", HALF: "half", FULL: "none"}  # the same, for whoever listens


def unknown() -> Whole:
    """What a flip will tell."""
    return np.zeros(0, dtype=np.int64)


@dataclass(slots=True)
class Blow:
    """An attack of a hero in the lanes in which it is made, with one primary target per lane; (lanes,) each."""

    hero: int
    way: HeroAttack
    first: HeroAttack  # the attack that a Double Tap follows, else the attack itself: how enemies defend against it
    at: Lanes
    enemy: Whole  # the primary target
    here: Small  # the hero's spot
    centre: Small  # the target's spot
    distance: NDArray[np.integer]
    caught: Mask | None = None  # (slots, lanes) who is affected, unless it is the target alone
    share: Tiny | None = None  # (slots, lanes) what the damage of each is divided by; 0: no damage
    shared: Tiny | None = None  # (lanes,) the same of the one enemy that an area attack strikes now: see `on`
    value: Whole = field(default_factory=unknown)  # the flip
    total: Whole = field(default_factory=unknown)
    base: Whole = field(default_factory=unknown)  # damage before doubling and defence
    counter: bool = False  # whether it answers an attack
    rolls: list[Roll] = field(default_factory=list)  # for whoever listens: the cards that were turned

    def part(self, some: Whole) -> Blow:
        """The same in some of its lanes."""
        return Blow(
            self.hero,
            self.way,
            self.first,
            at=cut(self.at, some),
            enemy=cut(self.enemy, some),
            here=cut(self.here, some),
            centre=cut(self.centre, some),
            distance=cut(self.distance, some),
            caught=None if self.caught is None else cut(self.caught, some),
            share=None if self.share is None else cut(self.share, some),
            shared=None if self.shared is None else cut(self.shared, some),
            value=cut(self.value, some),
            total=cut(self.total, some),
            base=cut(self.base, some),
            counter=self.counter,
            rolls=self.rolls,
        )

    def on(self, slot: int, some: Whole) -> Blow:
        """The same in some of its lanes as it strikes one of several enemies: what concerns the others is left out."""
        assert self.share is not None
        alone = replace(self, caught=None, share=None, shared=self.share[slot])
        return alone.part(some)


def prepare(s: State, hero: int, way: HeroAttack, enemy: Whole, at: Lanes) -> Blow:
    """P52-C2: from where to where an attack goes, and whom it affects."""
    here, centre = columns(s.spot[hero], at), each(s.foe_spot, enemy, at)
    blow = Blow(hero, way, way, at, enemy, here, centre, lookup(s.space.ground.range, here, centre))
    if not way.alone:
        blow.caught, blow.share = area_of(s, way, enemy, centre, at)
    return blow


def area_of(s: State, way: HeroAttack, enemy: Whole, centre: Small, at: Lanes) -> tuple[Mask, Tiny]:
    """P52-C2: (slots, lanes) each. Who is affected, and what the damage of each is divided by (0: no damage)."""
    apart = lookup(s.space.ground.steps, centre, s.foe_spots(at))
    primary = np.arange(s.space.slots)[:, None] == enemy
    most = 1 if way.shape in ("splash", "storm", "meteor", "frost") else 0
    caught = s.standing_foes(at) & (apart <= most)
    share = np.ones(caught.shape, dtype=np.int8)
    if way.shape == "splash":
        share = np.where(primary, np.int8(1), np.where(apart > 0, np.int8(4), np.int8(2)))
    elif way.shape in ("storm", "wave"):
        share = primary.astype(np.int8)
    elif way.shape == "frost":
        share = np.zeros_like(share)
    return caught, share


def swing(s: State, blow: Blow, with_card: Mask | None, counter: bool) -> tuple[Whole, Mask]:
    """P52-C1, P52-C3, P52-R6: the flip and what it does; the hit points that the targets lost, and natural Aces.

    P52-H4: the stance is the caller's business.
    """
    hero, way, at = blow.hero, blow.way, blow.at
    mark(s, blow)
    variant = s.find(way.variant, at, s.stock_of(hero, at))
    spend(s, blow)
    extra, value = card_and_flip(s, hero, at, with_card, "P52-C1")
    total = value + extra + s.aim_on(hero, blow.enemy, at)
    blow.counter = counter
    s.aim[hero][at] = 0
    param = count_of(blow) if way.counts_enemies else np.minimum(blow.distance, HERO_MOST)
    base = s.find(way.base, at, variant, param, total).astype(np.int64)
    ace = value == ACE
    hit = (base != MISS) & ~ace
    blow.value, blow.total, blow.base = value, total, base + s.own(way.stiletto, at) if counter else base
    add(s.ledger.uses, way.row, at, 1)
    add(s.ledger.hits, way.row, at, hit)
    if s.tell:
        enough = way.base[int(variant[0]), int(param[0])] != MISS
        roll = faces.attempt(s, hero, extra, total - value - extra, lambda totals: enough[totals], faces.TO_HIT)
        blow.rolls.append(faces.to_hit(roll, hit))
        tell_swing(s, blow, hit)
    lost = np.zeros(len(at), dtype=np.int64)
    struck = which(hit)
    if len(struck):
        landed = blow.part(struck)
        lost[struck] = strike_one(s, landed, landed.enemy) if way.alone else strike_all(s, landed)
        check_end(s, landed.at)
    return lost, ace


def tell_swing(s: State, blow: Blow, hit: Mask) -> None:
    """P52-C1: an attack that misses, or that begins on several enemies, for whoever listens."""
    assert s.tell is not None
    if hit[0] and blow.way.alone:
        return  # told with the enemy's defence
    kind = "area" if hit[0] else "counter_misses" if blow.counter else "misses"
    slots = [int(blow.enemy[0])] if blow.caught is None else which(blow.caught[:, 0]).tolist()
    whom, weapon = faces.units(s, slots), called(blow.way.name)
    s.tell.event("P52-C1", kind, blow.at, who=blow.hero, whom=whom, rolls=blow.rolls, weapon=weapon)


def count_of(blow: Blow) -> Whole:
    """(lanes,). How many enemies the attack affects."""
    assert blow.caught is not None
    return blow.caught.sum(axis=0)


def mark(s: State, blow: Blow) -> None:
    """P52-E5, P52-X2, P52-X4: enemies remember who attacked them, hit or miss, and the hero's record is kept."""
    if blow.caught is None:
        put(s.last, blow.enemy, blow.at, blow.hero)
        remember(s, blow, np.left_shift(np.uint32(1), blow.enemy.astype(np.uint32)), blow.at)
        return
    for slot in range(s.space.slots):
        affected = keep(blow.at, blow.caught[slot])
        if len(affected):
            s.last[slot][affected] = blow.hero
            remember(s, blow, np.uint32(1 << slot), affected)


def remember(s: State, blow: Blow, bit: np.uint32 | NDArray[np.uint32], at: Lanes) -> None:
    """P52-X2, P52-X4: whom the hero has attacked, and with what: a bit for each enemy."""
    s.foes_met[blow.hero][at] |= bit
    s.foes_by[blow.way.row][at] |= bit


def spend(s: State, blow: Blow) -> None:
    """P52-I38: an arrow, sharp ones first; a thrown knife lies on the target spot."""
    hero, way, at = blow.hero, blow.way, blow.at
    if way.shape != "single":
        return
    if way.weapon == "bow" and s.facts.is_on("arrows", "tracked"):
        sharp = cut(s.sharp[hero], at) > 0
        s.sharp[hero][keep(at, sharp)] -= 1
        s.arrows[hero][keep(at, ~sharp)] -= 1
    if way.name == "knife_throw" and way.weapon == "knife":
        s.knife_at[hero][at] = blow.centre


# Enemies who are hit.


def strike_all(s: State, blow: Blow) -> Whole:
    """P52-C4, P52-C5, P52-C6: every affected enemy in order defends and suffers, then the heroes in the area."""
    assert blow.caught is not None
    lost = np.zeros(len(blow.at), dtype=np.int64)
    for slot in range(s.space.slots):
        hit = which(blow.caught[slot])
        if len(hit):
            damage = strike_one(s, blow.on(slot, hit), np.full(len(hit), slot), slot)
            of_primary = which(blow.enemy[hit] == slot)
            lost[hit[of_primary]] = damage[of_primary]
    if blow.way.shape in ("splash", "storm", "meteor"):
        strike_friends(s, blow)
    return lost


def strike_one(s: State, blow: Blow, victim: Whole, slot: int | None = None) -> Whole:
    """P52-C4, P52-C5, P52-C24: one victim per lane; returns the hit points it lost.

    `slot` is the victim of all lanes, for area attacks, which strike one enemy after the other.
    """
    hero, way, at = blow.hero, blow.way, blow.at
    base, modifier = against(s, blow, victim)
    grade = defence_of(s, victim, blow.total + modifier, at)
    answer = answer_of(s, victim, blow.total + modifier, at) if s.tell else []
    doubled = (blow.value == KING) & (grade >= (HALF if s.facts.is_on("king_on_tie", "doubled") else FULL))
    damage = base << doubled
    if blow.shared is not None:
        damage = damage // np.maximum(blow.shared, 1) * (blow.shared > 0)
    damage = (damage >> (grade == HALF)) * (grade != NONE)
    hurt_enemy(s, victim, at, damage, hero, way.row)
    if s.tell:
        rolls = [*(blow.rolls if way.alone else ()), *answer]
        kind = "area_hurts" if not way.alone else "counter_hits" if blow.counter else "hits"
        s.tell.event(
            "P52-C4",
            kind,
            at,
            who=hero,
            whom=s.units_of(victim, at),
            rolls=rolls,
            weapon=called(way.name),
            defended=DEFENDED[int(grade[0])],
            doubled=doubled,
            damage=damage,
            left=s.foe_left(victim, at),
        )
    if slot is not None and way.shape in ("storm", "frost", "wave"):
        upright = which((grade != NONE) & ~finished(s, slot, at))
        if len(upright):
            damage[upright] += side_effect(s, blow.part(upright), slot)
    settle(s, victim, at, hero)
    return damage


def against(s: State, blow: Blow, victim: Whole) -> tuple[Whole, Tiny]:
    """P52-C4, P52-E18: (lanes,) each. The damage and what is added to the total against these enemies."""
    kind = each(s.kind, victim, blow.at)
    base, modifier = blow.base, s.find(s.facts.type_defence, blow.at, kind, blow.first.kind)
    if blow.first.cold and s.facts.watery:
        weak = lookup(s.facts.type_fears_water, kind)
        modifier = np.where(weak, np.int8(-1), modifier)
        if blow.way.shape != "tap":
            base = np.where(weak, base * 3 // 2, base)
    return base, modifier


def defence_of(s: State, victim: Row, total: Whole, at: Lanes) -> Tiny:
    """P52-C4: (lanes,). FULL damage, HALF on a tie, NONE; the frozen do not defend (P52-E12)."""
    if not s.facts.freezers:
        return awake_defence(s, victim, total, at)
    grade = np.full(len(at), FULL, dtype=np.int8)
    awake = which(~s.is_frozen(victim, at))
    if len(awake):
        grade[awake] = awake_defence(s, of_lanes(victim, awake), cut(total, awake), cut(at, awake))
    return grade


def awake_defence(s: State, victim: Row, total: Whole, at: Lanes) -> Tiny:
    """P52-C4: (lanes,). The same of enemies who are not frozen."""
    answer = flip(s, at, "P52-C4", ENEMIES + victim)
    won = answer > total
    s.count("enemy_defences", at)
    s.count("enemy_defended", at, won)
    return FULL - (answer >= total).view(np.int8) - won


def answer_of(s: State, victim: Row, total: Whole, at: Lanes) -> list[Roll]:
    """P52-C4: the card of the enemy's defence that was just flipped, for whoever listens; the frozen flip none."""
    if s.is_frozen(victim, at)[0]:
        return []
    beaten = int(total[0])
    return [faces.flipped(s, faces.values > beaten, "defence", f"more than {beaten}")]


def side_effect(s: State, blow: Blow, slot: int) -> Whole | int:
    """P52-C24, P52-C26: ice freezes, water pushes; the hit points that this costs besides."""
    if blow.way.shape == "wave":
        return sweep(s, blow, slot)
    s.frozen[slot][blow.at] = np.maximum(cut(s.frozen[slot], blow.at), blow.way.freeze)
    if s.tell:
        s.tell.event("P52-E12", "freezes", blow.at, whom=s.unit_of(slot, blow.at), turns=cut(s.frozen[slot], blow.at))
    return 0


def sweep(s: State, blow: Blow, slot: int) -> Whole:
    """P52-C26, P52-I39: Tidal Wave pushes; where there is no spot to go to it costs 2*L more."""
    hero, at = blow.hero, blow.at
    moved = push_enemy(s, slot, blow.here, hero, at, players_choose=True)
    extra = ~moved * (2 * np.int64(s.own(s.facts.level, at)))
    stuck = which(~moved)
    if len(stuck):
        held = at[stuck]
        hurt_enemy(s, slot, held, extra[stuck], hero, blow.way.row)
        if s.tell:
            whom, left = s.unit_of(slot, held), s.foe_left(slot, held)
            s.tell.event("P52-C26", "is_crushed", held, who=hero, whom=whom, damage=extra[stuck], left=left)
    return extra


def break_ice(s: State, blow: Blow) -> None:
    """P52-E12: who was frozen until attacked is free again."""
    if not s.facts.ices:
        return
    if blow.caught is None:
        put(s.iced, blow.enemy, blow.at, False)
        return
    for slot in range(s.space.slots):
        s.iced[slot][keep(blow.at, blow.caught[slot])] = False


# Heroes who are hit.


def strike_friends(s: State, blow: Blow) -> None:
    """P52-C6: living heroes in the area are hit too and defend as against magic."""
    shape = blow.way.shape
    whole = blow.base << (blow.value == KING)
    raw = whole // 2 if shape == "splash" else whole * (shape == "meteor")
    most = 1 if shape == "meteor" else 0
    for friend in range(s.heroes):
        apart = lookup(s.space.ground.steps, blow.centre, cut(s.spot[friend], blow.at))
        inside = which((apart <= most) & (cut(s.hp[friend], blow.at) >= 0))
        if len(inside):
            strike_friend(s, blow, friend, raw[inside], blow.at[inside])


def strike_friend(s: State, blow: Blow, friend: int, raw: Whole, at: Lanes) -> None:
    """P52-C6: one hero in the area; hurting another costs 3 XP, and an Ice Storm freezes who does not defend."""
    stand = defend(s, friend, raw, np.ones(len(at), dtype=bool), at)
    damage = damage_after(stand, raw, s.own(s.facts.kits[friend].facts.magic_armour, at))
    if friend != blow.hero:
        s.count("friendly_damage", at, damage)
        s.earned[blow.hero][at] -= 3 * (damage > 0)

    def told() -> None:
        assert s.tell is not None
        ended, left = how_it_ended(stand, damage), s.left(friend, at)
        s.tell.event(
            "P52-C6", "friend_caught", at, who=blow.hero, whom=friend, rolls=stand.rolls, weapon=called(blow.way.name),
            defence=called(stand.name), defended=ended, damage=damage, harm=stand.harm, left=left,
        )  # fmt: skip

    hurt_hero(s, friend, at, damage + stand.harm, told=told if s.tell else None)
    if blow.way.shape == "storm":
        iced = keep(at, ~stand.succeeded & (cut(s.hp[friend], at) >= 0))
        s.lost[friend][iced] = np.maximum(cut(s.lost[friend], iced), blow.way.freeze)
        if s.tell:
            s.tell.event("P52-C24", "freezes", iced, whom=friend, turns=cut(s.lost[friend], iced))


def stumble(s: State, hero: int, at: Lanes) -> None:
    """P52-I35: a charge with a natural Ace costs a flip of hit points, armour or not."""
    if len(at):
        value = flip(s, at, "P52-I35", hero)
        rolls = [faces.flipped(s, purpose="for the fall")] if s.tell else []

        def told() -> None:
            assert s.tell is not None
            s.tell.event("P52-I35", "stumbles", at, who=hero, rolls=rolls, damage=value, left=s.left(hero, at))

        hurt_hero(s, hero, at, value, told=told if s.tell else None)
        check_end(s, at)


def from_hiding(s: State, blow: Blow) -> Mask:
    """P52-U14: (lanes,). Whether the hero attacks from a hidden spot at a distance, so that nobody can counter."""
    if blow.first.kind == MELEE or not s.space.ground.any_hidden:
        return np.zeros(len(blow.at), dtype=bool)
    return (blow.distance >= 1) & lookup(s.space.ground.hidden, blow.here)
