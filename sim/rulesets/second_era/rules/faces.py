"""What the faces of the skill dice do, a function per kind of die."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from sim.core.choose import first, narrow
from sim.core.lanes import Mask, Small, Whole, cut, lookup, per_lane, which
from sim.rulesets.second_era import data
from sim.rulesets.second_era.data import (
    BREATH,
    CLOAK,
    COMBAT,
    DEFENSIVE,
    MAGIC,
    ONSLAUGHT,
    PRAYER,
    PURGE,
    SHIELD,
    SHOCK,
    SLASH,
    SNIPE,
    WRECK,
)  # fmt: skip
from sim.rulesets.second_era.rules.damage import Blow, Cure, amount_of, deal, heal, missing
from sim.rulesets.second_era.rules.roll import Die, Roll
from sim.rulesets.second_era.rules.shown_dice import enemy_dice
from sim.rulesets.second_era.rules.slots import leave_slot, place_die, slots_of
from sim.rulesets.second_era.state import State

Effect: TypeAlias = Callable[[State, Roll, Die, Small], tuple[Small, Mask]]

TABLE = np.array([data.VALUES[code] for code in range(len(data.VALUES))], dtype=np.int16)  # (dice, faces)


def resolve(s: State, roll: Roll, die: Die) -> None:
    """SE-A6, SE-A7, SE-A16: what one die does in every lane that rolled it."""
    hero, lane = roll.hero, die.lane
    gain = tenacious(die) & (cut(s.tenacity[hero], die.at) < data.MOST_TENACITY)
    s.tenacity[hero][die.at] += gain
    s.tenacity_gained[hero][die.at] += gain
    damage, kept = EFFECTS[die.code](s, roll, die, lookup(TABLE[die.code], die.face))
    if die.code == COMBAT:
        roll.combat[lane] += damage
    else:
        roll.other[lane] += damage
    roll.misses[lane] += damage <= 0
    if s.facts.is_on("damage_pooling", "per_die"):
        roll.instances.append((die.code == COMBAT, roll.in_all_lanes(damage, lane)))
    roll.exhaust(die.code, lane, ~kept)


def tenacious(die: Die) -> Mask:
    """(lanes,). SE-A7: whether it shows a T."""
    return die.face < data.skill_dice()[die.code].tenacious


# What dice do with the value of a face: (lanes,) the damage to the target, and which dice do not go to the pile.


def combat(s: State, roll: Roll, die: Die, value: Small) -> tuple[Small, Mask]:
    """SE-A4: Combat: X damage; in defensive form it goes to an active slot instead."""
    if roll.form != DEFENSIVE:
        return strike(s, roll, die, value)
    activate(s, roll, die, value, value > 0)
    return np.zeros_like(value), value > 0


def strike(s: State, roll: Roll, die: Die, value: Small) -> tuple[Small, Mask]:
    """SE-A16: so much damage to the target, and nothing without one."""
    return value * roll.aimed[die.lane], np.zeros(len(value), dtype=bool)


def shield(s: State, roll: Roll, die: Die, value: Small) -> tuple[Small, Mask]:
    """SE-A16: Shield Discipline: goes to an active slot, target or not, and deals X damage."""
    activate(s, roll, die, value, value > 0)
    return value * roll.aimed[die.lane], value > 0


def slash(s: State, roll: Roll, die: Die, value: Small) -> tuple[Small, Mask]:
    """Heroic Slash: a: 2 damage per active Shield Discipline die; b: exhaust them all, 3 damage each."""
    dice, _ = slots_of(s, roll.hero, die.at)
    shields = (dice == SHIELD).sum(axis=0, dtype=np.int16) * roll.aimed[die.lane]
    some = which((value == 3) & (shields > 0))
    while len(some):
        place = first(slots_of(s, roll.hero, die.at[some])[0] == SHIELD)
        some, place = some[place >= 0], place[place >= 0]
        if len(some):
            leave_slot(s, roll.hero, place, die.at[some])
            roll.exhaust(SHIELD, die.lane[some])
    return value * shields, np.zeros(len(value), dtype=bool)


def snipe(s: State, roll: Roll, die: Die, value: Small) -> tuple[Small, Mask]:
    """Snipe: X damage, and 1 of the target's defense does not count in this engage."""
    damage, kept = strike(s, roll, die, value)
    roll.ignore[die.lane] += damage > 0
    return damage, kept


def wreck(s: State, roll: Roll, die: Die, value: Small) -> tuple[Small, Mask]:
    """Wrecking Blow: 2 damage, or 3 and 2 light fatigue."""
    damage, kept = strike(s, roll, die, value)
    roll.tired[die.lane] += np.int16(2) * (damage == 3)
    return damage, kept


def onslaught(s: State, roll: Roll, die: Die, value: Small) -> tuple[Small, Mask]:
    """Onslaught: 4 damage and Bane after the engage, or 5 and the die is drained."""
    damage, _ = strike(s, roll, die, value)
    roll.bane[die.lane] |= damage == 4
    s.drained[roll.hero][die.at] += damage == 5
    if s.tell:
        s.tell.event("SE-A14", "drained", die.at[damage == 5], who=roll.hero)
    return damage, damage == 5


def shock(s: State, roll: Roll, die: Die, value: Small) -> tuple[Small, Mask]:
    """Force Shock: 4x hurts the adventurer with the most HP; without one of 2 HP it does nothing."""
    damage, kept = strike(s, roll, die, value)
    some = which(damage == 4)
    if len(some):
        hp = cut(s.hp[: s.heroes], die.at[some])
        victim = first(narrow(hp >= 2, hp, largest=True))
        damage[some[victim < 0]] = 0
        some, victim = some[victim >= 0], victim[victim >= 0]
        at = die.at[some]
        hero = per_lane(roll.hero, at)
        if s.tell:
            s.tell.event("SE-A6", "backfires", at, who=hero, whom=victim)
        deal(s, Blow(hero, victim, amount_of(1, at), at, MAGIC, true=True, in_engage=True))
    return damage, kept


def pray(s: State, roll: Roll, die: Die, value: Small) -> tuple[Small, Mask]:
    """Hasty Prayer: every undefeated adventurer heals 2."""
    praying = die.at[~tenacious(die)]
    for other in range(s.heroes):
        heal(s, roll.hero, other, 2, praying, Cure("Hasty Prayer", "SE-A6"))
    return value, np.zeros(len(value), dtype=bool)


def purge(s: State, roll: Roll, die: Die, value: Small) -> tuple[Small, Mask]:
    """SE-A15: Purge: goes to an active slot, with X = 0."""
    activate(s, roll, die, value, ~tenacious(die))
    return value, ~tenacious(die)


def breathe(s: State, roll: Roll, die: Die, value: Small) -> tuple[Small, Mask]:
    """Breath of Life: the adventurer within magic reach missing most HP heals what so many enemy dice show."""
    some = which(value > 0)
    if len(some):
        at, hero = die.at[some], roll.hero
        distance = lookup(s.facts.ground.range, cut(s.cell[hero], at), cut(s.cell[: s.heroes], at))
        near = distance <= s.own(s.facts.heroes[hero].magicka, at)
        near[hero] = True
        patient = first(narrow(near & s.adventurers(at), missing(s, at), largest=True))
        address = 1000 * roll.number[die.lane[some]] + 10 * die.place[some]
        total = np.zeros(len(at), dtype=np.int16)
        shown = []
        for number in range(int(value.max())):
            more = which(value[some] > number)
            face = enemy_die(s, "SE-5.4", hero, address[more] + number, at[more])
            total[more] += face
            shown.append(face)
        rolls = (enemy_dice(s, shown, measure="healing"),) if s.tell else ()
        heal(s, hero, patient, total, at, Cure("Breath of Life", "SE-A6", rolls))
    return np.zeros_like(value), np.zeros(len(value), dtype=bool)


def cloak(s: State, roll: Roll, die: Die, value: Small) -> tuple[Small, Mask]:
    """Shadow Cloak: hides, and goes to an active slot with its X; without an X it costs light fatigue instead."""
    kept, hides = value > 0, ~tenacious(die)
    activate(s, roll, die, value, kept)
    roll.hides[die.lane] |= hides
    roll.tired[die.lane] += hides & ~kept
    return np.zeros_like(value), kept


EFFECTS: dict[int, Effect] = {
    COMBAT: combat,
    SHIELD: shield,
    SLASH: slash,
    SNIPE: snipe,
    WRECK: wreck,
    ONSLAUGHT: onslaught,
    SHOCK: shock,
    PRAYER: pray,
    PURGE: purge,
    BREATH: breathe,
    CLOAK: cloak,
}


def activate(s: State, roll: Roll, die: Die, x: Small, kept: Mask) -> None:
    """SE-A15: these dice go to active slots; what they push out goes to the pile."""
    some = which(kept)
    if not len(some):
        return
    gone, full = place_die(s, roll.hero, die.code, x[some], die.at[some])
    if s.tell:
        if len(gone):
            s.tell.event("SE-A15", "makes_room", die.at[some], who=roll.hero, die=data.CALLED[gone[0]])
        s.tell.event("SE-A15", "keeps", die.at[some], who=roll.hero, die=data.CALLED[die.code], x=x[some])
    for code in np.unique(gone):
        roll.exhaust(int(code), die.lane[some[full[gone == code]]])


def enemy_die(s: State, purpose: str, hero: int, index: int | Whole, at: Whole) -> Small:
    """(lanes,). The face of an enemy Combat die that an adventurer rolls."""
    return lookup(s.facts.faces, s.luck.below(6, purpose, s.round, hero, index, at)).astype(np.int16)
