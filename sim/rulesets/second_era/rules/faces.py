"""What the faces of the dice do (section 5.4)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sim.core.choose import first, narrow
from sim.core.lanes import Lanes, Mask, Small, Tiny, cut, which
from sim.rulesets.second_era import data
from sim.rulesets.second_era.data import (
    BREATH,
    CLOAK,
    COMBAT,
    DEFENSIVE,
    ONSLAUGHT,
    PRAYER,
    PURGE,
    SHIELD,
    SHOCK,
    SLASH,
    SNIPE,
    WRECK,
)  # fmt: skip
from sim.rulesets.second_era.rules import track
from sim.rulesets.second_era.rules.damage import deal, heal, missing
from sim.rulesets.second_era.rules.dice import die_facts
from sim.rulesets.second_era.state import State


@dataclass(frozen=True, slots=True)
class Die:
    """One die of an engage, in all lanes that rolled it."""

    code: int
    face: Any  # (lanes that have it,) 0 to 5
    place: Any  # (lanes that have it,) its place in the gather order
    lane: Any  # which lanes of the engage have it


@dataclass(slots=True)
class Roll:
    """An engage in progress."""

    hero: int
    form: int
    target: Any  # (lanes,) rows, -1 without a target
    aimed: Mask  # (lanes,) has a target
    number: Any  # (lanes,) which engage of the round this is
    combat: Small  # (lanes,) sum of Combat dice, which Maim halves
    other: Small  # (lanes,) damage of other dice
    misses: Small  # (lanes,) dice that deal no damage
    ignore: Small  # (lanes,) defense that does not count
    tired: Small  # (lanes,) light fatigue from results
    hides: Mask  # (lanes,) gains Stealth
    bane: Mask  # (lanes,) gains Bane after the engage
    maim: Mask  # (lanes,) was under Maim when the dice were rolled
    pile: dict[int, Tiny] = field(default_factory=dict)  # exhausted dice by type
    instances: list[tuple[bool, Small]] = field(default_factory=list)  # per_die: whether a Combat die, and its damage


VALUES = {  # by die and face: damage, or X
    COMBAT: (0, 1, 1, 1, 1, 2),
    SHIELD: (0, 1, 1, 1, 1, 2),
    SNIPE: (0, 1, 1, 1, 1, 2),
    WRECK: (0, 2, 2, 3, 3, 3),
    ONSLAUGHT: (0, 0, 4, 4, 5, 5),
    SHOCK: (0, 2, 2, 2, 4, 0),
    BREATH: (0, 0, 2, 4, 4, 4),
    CLOAK: (0, 0, 1, 1, 2, 0),
}
TABLES = {code: np.array(values, dtype=np.int16) for code, values in VALUES.items()}


def resolve(s: State, roll: Roll, die: Die, at: Lanes) -> None:
    """SE-A6, SE-A7, SE-A16, section 5.4: what one die does in every lane that rolled it."""
    code, face, lane = die.code, die.face, die.lane
    lanes = at if len(lane) == len(at) else at[lane]
    hero = roll.hero
    tenacious = face < die_facts()[2][code]
    gain = tenacious & (cut(s.tenacity[hero], lanes) < data.MOST_TENACITY)
    s.tenacity[hero, lanes] += gain
    s.tenacity_gained[hero, lanes] += gain
    aimed = roll.aimed[lane]
    value = TABLES[code].take(face) if code in TABLES else np.zeros(len(lane), dtype=np.int16)
    kept = np.zeros(len(lane), dtype=bool)  # the die does not go to the pile
    damage = value * aimed
    if code == COMBAT and roll.form == DEFENSIVE:
        kept, damage = value > 0, value * 0
        _activate(s, roll, code, value, kept, lane, lanes)
    elif code == SHIELD:
        kept = value > 0
        _activate(s, roll, code, value, kept, lane, lanes)
    elif code == SLASH:
        damage = slash(s, roll, face, aimed, lane, lanes)
    elif code == SNIPE:
        roll.ignore[lane] += (damage > 0).astype(np.int16)
    elif code == WRECK:
        roll.tired[lane] += np.int16(2) * (damage == 3)
    elif code == ONSLAUGHT:
        roll.bane[lane] |= damage == 4
        kept = damage == 5
        s.drained[hero, lanes] += kept
    elif code == SHOCK:
        damage = shock(s, hero, damage, lanes)
    elif code == PRAYER:
        pray(s, hero, lanes[~tenacious])
    elif code == PURGE:
        kept = ~tenacious
        _activate(s, roll, code, value, kept, lane, lanes)
    elif code == BREATH:
        breathe(s, roll, value, die.place, lane, lanes)
        damage = value * 0
    elif code == CLOAK:
        kept, damage = value > 0, value * 0
        _activate(s, roll, code, value, kept, lane, lanes)
        roll.hides[lane] |= ~tenacious
        roll.tired[lane] += ~tenacious & ~kept
    if code == COMBAT:
        roll.combat[lane] += damage
    else:
        roll.other[lane] += damage
    roll.misses[lane] += damage <= 0
    if s.facts.is_on("damage_pooling", "per_die"):
        wide = np.zeros(len(at), dtype=np.int16)
        wide[lane] = damage
        roll.instances.append((code == COMBAT, wide))
    roll.pile[code][lane] += ~kept


def _activate(s: State, roll: Roll, code: int, x: Any, kept: Mask, lane: Any, lanes: Lanes) -> None:
    """SE-A15: these dice go to active slots."""
    some = which(kept)
    if len(some):
        track.place_die(s, roll.hero, code, x[some], lanes[some], roll.pile, lane[some])


def slash(s: State, roll: Roll, face: Any, aimed: Mask, lane: Any, lanes: Lanes) -> Small:
    """Section 5.4: Heroic Slash: a: 2 damage per active Shield Discipline die; b: exhaust them all, 3 damage each."""
    dice, _ = track.slots(s, roll.hero, lanes)
    shields = (dice == SHIELD).sum(axis=0, dtype=np.int16) * aimed
    damage = np.where(face >= 4, 3, np.where(face >= 2, 2, 0)).astype(np.int16) * shields
    some = which((face >= 4) & (shields > 0))
    while len(some):
        place = first(track.slots(s, roll.hero, lanes[some])[0] == SHIELD)
        some, place = some[place >= 0], place[place >= 0]
        if len(some):
            track.leave_slot(s, roll.hero, place, lanes[some])
            roll.pile.setdefault(SHIELD, np.zeros(len(roll.aimed), dtype=np.int8))[lane[some]] += 1
    return damage


def shock(s: State, hero: int, damage: Small, lanes: Lanes) -> Small:
    """Section 5.4: Force Shock 4x hurts the adventurer with the most HP; without one of 2 HP it does nothing."""
    some = which(damage == 4)
    if not len(some):
        return damage
    hp = cut(s.hp[: s.heroes], lanes[some])
    victim = first(narrow(hp >= 2, hp, largest=True))
    damage = damage.copy()
    damage[some[victim < 0]] = 0
    some, victim = some[victim >= 0], victim[victim >= 0]
    if len(some):
        deal(s, hero, victim, 1, lanes[some], data.MAGIC, true=True, in_engage=True)
    return damage


def pray(s: State, hero: int, lanes: Lanes) -> None:
    """Section 5.4: Hasty Prayer: every undefeated adventurer heals 2."""
    for other in range(s.heroes):
        heal(s, hero, other, 2, lanes)


def breathe(s: State, roll: Roll, dice: Any, place: Any, lane: Any, lanes: Lanes) -> None:
    """Section 5.4: Breath of Life: the adventurer within magic reach missing most HP heals what the dice show."""
    some = which(dice > 0)
    if not len(some):
        return
    at, hero = lanes[some], roll.hero
    ground = s.facts.ground
    start = cut(s.cell[hero], at).astype(np.int32) * ground.width
    near = ground.range.take(start + cut(s.cell[: s.heroes], at)) <= s.facts.heroes[hero].magicka
    near[hero] = True
    near &= s.adventurers(at)
    patient = first(narrow(near, missing(s, at), largest=True))
    total = np.zeros(len(at), dtype=np.int16)
    for number in range(4):
        more = which(dice[some] > number)
        if len(more):
            index = 1000 * roll.number[lane[some]][more] + 10 * place[some][more] + number
            total[more] += s.facts.faces.take(s.luck.below(6, "SE-5.4", s.round, hero, index, at[more]))
    heal(s, hero, patient, total, at)
