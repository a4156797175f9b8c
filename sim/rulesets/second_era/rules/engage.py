"""Engages of adventurers: gathering dice, rolling them together, what the faces do (sections 5.2, 5.4)."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from sim.core.batch import Lanes, Mask, add, cut, each
from sim.core.choose import first, narrow
from sim.rulesets.second_era import data
from sim.rulesets.second_era.data import (
    BANE, BREATH, CLOAK, COMBAT, DEFENSIVE, FEAR, MAIM, ONSLAUGHT, PRAYER, PURGE, SHIELD, SHOCK, SLASH, SLOTS, SNIPE,
    STEALTH, WRECK,
)  # fmt: skip
from sim.rulesets.second_era.rules import track
from sim.rulesets.second_era.rules.damage import deal, heal, missing
from sim.rulesets.second_era.state import EMPTY, PRAY, Small, State, Tiny, rows

KINDS = len(data.DICE)
HEALING = (PRAYER, BREATH)
PRAYERS = (PRAYER, BREATH, PURGE)


@cache
def die_facts() -> tuple[tuple[str, ...], tuple[frozenset[int], ...], tuple[int, ...], tuple[int, ...]]:
    """Section 11.3, by die: its stat, the forms it fits, how many T faces it has (they come first), 6 x its mean."""
    dice = [data.units("dice")[name] for name in data.DICE]
    return (
        tuple(die["stat"] for die in dice),
        tuple(frozenset(data.FORMS.index(form) for form in die["forms"]) for die in dice),
        tuple(die["faces"].count("T") for die in dice),
        tuple(die["mean6"] for die in dice),
    )


def gather(s: State, hero: int, codes: tuple[int, ...], form: int, at: Lanes) -> dict[int, Tiny]:
    """SE-A5, section 10: every available die of the list that fits the form, while its stat allows.

    Under Fear only Combat dice are gathered. By die type (lanes,); types of which nobody has one are left out.
    """
    stats, forms, _, _ = die_facts()
    facts = s.facts.heroes[hero]
    room: dict[str, Any] = {"S": np.int8(facts.stamina), "M": np.int8(facts.magicka)}
    fear = s.under(FEAR, hero, at) if s.facts.possible[FEAR] else None
    found = {}
    for code in codes:
        if form not in forms[code] or not facts.dice.get(data.DICE[code]):
            continue
        number = np.minimum(cut(s.available[hero * KINDS + code], at), room[stats[code]])
        if fear is not None and code != COMBAT:
            number = number * ~fear
        room[stats[code]] = room[stats[code]] - number
        found[code] = number
    return found


def some_dice(dice: dict[int, Tiny], at: Lanes) -> Mask:
    """(lanes,). Whether anything was gathered."""
    holds = np.zeros(len(at), dtype=bool)
    for number in dice.values():
        holds |= number > 0
    return holds


def mean6(dice: dict[int, Tiny], at: Lanes) -> Small:
    """(lanes,). Section 10: six times the sum of the die means."""
    means = die_facts()[3]
    total = np.zeros(len(at), dtype=np.int16)
    for code, number in dice.items():
        total += np.int16(means[code]) * number
    return total


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


def engage(
    s: State, hero: int, form: int, target: Any, dice: dict[int, Tiny], at: Lanes, ability: int | None = None
) -> None:
    """SE-A3 to SE-A9: one engage in a form with the gathered dice; `target` is (lanes,), -1 for none."""
    lanes = len(at)
    if not lanes:
        return
    begin(s, hero, form, dice, at, form if ability is None else ability)
    zeros = np.zeros(lanes, dtype=np.int16)
    roll = Roll(
        hero, form, target, target >= 0, cut(s.engages_round[hero], at).astype(np.int64),
        zeros, zeros.copy(), zeros.copy(), zeros.copy(), zeros.copy(),
        np.zeros(lanes, dtype=bool), np.zeros(lanes, dtype=bool), s.under(MAIM, hero, at),
        {code: np.zeros(lanes, dtype=np.int8) for code in dice},
    )  # fmt: skip
    s.engages_round[hero, at] += 1
    s.struck[at] = False
    if s.tell:
        whom = s.tell.names[int(target[0])] if target[0] >= 0 else "nobody"
        thrown = ", ".join(f"{int(n[0])} {data.DICE[code]}" for code, n in dice.items() if n[0])
        s.tell("SE-A4", hero, f"engages {whom} in {data.FORMS[form]} form with {thrown or 'no dice'}", at)
    spend_cloaks(s, roll, at)
    rolled = throw(s, roll, dice, at)
    for die in rolled:
        if die.code != SLASH:
            resolve(s, roll, die, at)
    if s.facts.racial and form in (data.LIGHT, data.HEAVY, data.RANGED):
        from sim.rulesets.second_era.rules.abilities import nord

        nord(s, roll, at)
    for die in rolled:
        if die.code == SLASH:
            resolve(s, roll, die, at)
    finish(s, roll, at)


def begin(s: State, hero: int, form: int, dice: dict[int, Tiny], at: Lanes, ability: int) -> None:
    """SE-A3, SE-A4: fatigue for every engage after the first, the form, the dice leave what is available."""
    again = at[cut(s.engaged, at) > 0]
    if len(again):
        track.tire(s, hero, 2 if s.facts.is_on("difficulty", "expert") else 1, again)
    s.form[hero, at] = form
    s.engaged[at] += 1
    s.rolled[at] = True
    s.engages[hero, at] += 1
    s.ledger.uses[s.facts.ability[ability, hero], at] += 1
    for code, number in dice.items():
        s.available[hero * KINDS + code, at] -= number


def spend_cloaks(s: State, roll: Roll, at: Lanes) -> None:
    """Section 10: active Shadow Cloak dice are spent against printed defense, earliest first, until it is covered."""
    if not s.facts.heroes[roll.hero].dice.get("shadow_cloak"):
        return
    lane = np.flatnonzero(roll.aimed)
    while len(lane):
        defense = s.stat(s.facts.defense, roll.target[lane], at[lane])
        dice, _ = track.slots(s, roll.hero, at[lane])
        place = first(dice == CLOAK)
        able = (place >= 0) & (defense > roll.ignore[lane])
        lane, place = lane[able], place[able]
        if len(lane):
            x = each(s.slot_x, roll.hero * SLOTS + place, at[lane])
            track.leave_slot(s, roll.hero, place, at[lane])
            roll.ignore[lane] += x
            roll.pile.setdefault(CLOAK, np.zeros(len(at), dtype=np.int8))[lane] += 1


def throw(s: State, roll: Roll, dice: dict[int, Tiny], at: Lanes) -> list[Die]:
    """SE-A6: all dice are rolled together.

    The d-th die of the gather order has the index 100 k + d, k being the engage's number in the round.
    """
    rolled: list[Die] = []
    place = np.zeros(len(at), dtype=np.int64)  # (lanes,) dice rolled so far
    everyone = np.arange(len(at))
    for code, number in dice.items():
        for copy in range(int(number.max(initial=0))):
            there = number > copy
            lane = everyone if there.all() else np.flatnonzero(there)
            spot = place[lane] + copy
            index = 100 * roll.number[lane] + spot
            same = int(index[0]) if (index == index[0]).all() else index
            lanes = at if lane is everyone else at[lane]
            face = s.luck.below(6, "SE-A6", s.round, roll.hero, same, lanes)
            rolled.append(Die(code, face, spot, lane))
            if s.tell:
                word = data.units("dice")[data.DICE[code]]["faces"][int(face[0])]
                s.tell("SE-A6", roll.hero, f"rolls {data.DICE[code]}: {word}", lanes)
        place = place + number
    return rolled


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
    some = np.flatnonzero(kept)
    if len(some):
        track.place_die(s, roll.hero, code, x[some], lanes[some], roll.pile, lane[some])


def slash(s: State, roll: Roll, face: Any, aimed: Mask, lane: Any, lanes: Lanes) -> Small:
    """Section 5.4: Heroic Slash: a: 2 damage per active Shield Discipline die; b: exhaust them all, 3 damage each."""
    dice, _ = track.slots(s, roll.hero, lanes)
    shields = (dice == SHIELD).sum(axis=0, dtype=np.int16) * aimed
    damage = np.where(face >= 4, 3, np.where(face >= 2, 2, 0)).astype(np.int16) * shields
    some = np.flatnonzero((face >= 4) & (shields > 0))
    while len(some):
        place = first(track.slots(s, roll.hero, lanes[some])[0] == SHIELD)
        some, place = some[place >= 0], place[place >= 0]
        if len(some):
            track.leave_slot(s, roll.hero, place, lanes[some])
            roll.pile.setdefault(SHIELD, np.zeros(len(roll.aimed), dtype=np.int8))[lane[some]] += 1
    return damage


def shock(s: State, hero: int, damage: Any, lanes: Lanes) -> Small:
    """Section 5.4: Force Shock 4x hurts the adventurer with the most HP; without one of 2 HP or more it does nothing."""
    some = np.flatnonzero(damage == 4)
    if not len(some):
        return damage  # type: ignore[no-any-return]
    hp = cut(s.hp[: s.heroes], lanes[some])
    victim = first(narrow(hp >= 2, hp, largest=True))
    damage = damage.copy()
    damage[some[victim < 0]] = 0
    some, victim = some[victim >= 0], victim[victim >= 0]
    if len(some):
        deal(s, hero, victim, 1, lanes[some], data.MAGIC, true=True, in_engage=True)
    return damage  # type: ignore[no-any-return]


def pray(s: State, hero: int, lanes: Lanes) -> None:
    """Section 5.4: Hasty Prayer: every undefeated adventurer heals 2."""
    for other in range(s.heroes):
        heal(s, hero, other, 2, lanes)


def breathe(s: State, roll: Roll, dice: Any, place: Any, lane: Any, lanes: Lanes) -> None:
    """Section 5.4: Breath of Life: the adventurer within magic reach missing most HP heals what the dice show."""
    some = np.flatnonzero(dice > 0)
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
        more = np.flatnonzero(dice[some] > number)
        if len(more):
            index = 1000 * roll.number[lane[some]][more] + 10 * place[some][more] + number
            total[more] += s.facts.faces.take(s.luck.below(6, "SE-5.4", s.round, hero, index, at[more]))
    heal(s, hero, patient, total, at)


def finish(s: State, roll: Roll, at: Lanes) -> None:
    """SE-A8, SE-A9: dice to the track, fatigue, Stealth gained, damage, Stealth lost, after-effects, reactions."""
    hero = roll.hero
    track.exhaust(s, hero, roll.pile, at)
    if roll.tired.any():
        some = np.flatnonzero(roll.tired)
        track.tire(s, hero, roll.tired[some], at[some])
    if roll.hides.any():
        track.gain(s, hero, STEALTH, at[roll.hides])
    aimed = np.flatnonzero(roll.aimed)
    before = s.ledger.kills[hero, at].copy() if s.facts.classes else None
    if len(aimed):
        strike(s, roll, aimed, at[aimed])
    if s.facts.possible[STEALTH]:
        shown = np.flatnonzero(s.struck[at] & (s.hp[hero, at] > 0))
        if len(shown):
            track.lose(s, hero, STEALTH, at[shown])
    if roll.bane.any():
        track.gain(s, hero, BANE, at[roll.bane])
    if before is not None:
        from sim.rulesets.second_era.rules.abilities import sworn_oath

        sworn_oath(s, hero, at[s.ledger.kills[hero, at] > before])


def strike(s: State, roll: Roll, lane: Any, at: Lanes) -> None:
    """SE-A8, SE-F5, I24: the damage of the engage as one instance, or with `per_die` one per die."""
    maim = roll.maim[lane]
    combat = roll.combat[lane]
    limit = np.where(maim, combat // 2, combat)
    target, ignore, misses = roll.target[lane], roll.ignore[lane], roll.misses[lane]
    if not s.facts.is_on("damage_pooling", "per_die"):
        deal(s, roll.hero, target, limit + roll.other[lane], at, roll.form, ignore=ignore, misses=misses,
             in_engage=True)  # fmt: skip
        return
    for is_combat, wide in roll.instances:
        amount = wide[lane]
        if is_combat:
            amount = np.minimum(amount, limit)
            limit = limit - amount
        some = np.flatnonzero((amount > 0) & (each(s.cell, target, at) >= 0) & (s.hp[roll.hero, at] > 0))
        if not len(some):
            continue
        lanes, who = at[some], target[some]
        defense = s.stat(s.facts.defense, who, lanes)
        if "Iron Bark" in s.facts.present:
            beside = s.between(s.facts.ground.adjacent, rows(roll.hero, lanes), who, lanes)
            defense = defense + (s.has("Iron Bark", who, lanes) & ~beside)
        left = np.maximum(amount[some] - np.maximum(defense - ignore[some], 0), 0)
        stock = misses[some]
        deal(s, roll.hero, who, amount[some], lanes, roll.form, ignore=ignore[some], misses=stock, in_engage=True)
        misses[some] = stock - np.minimum(stock, left)


def use_purges(s: State, at: Lanes) -> None:
    """SE-A18: at the end of every adventurer and enemy turn, active Purge dice are spent where they help."""
    for owner in range(s.heroes):
        if not s.facts.heroes[owner].dice.get("purge"):
            continue
        lane = at[(s.slot_die[owner * SLOTS][at] != EMPTY)]
        while len(lane):
            place = first(track.slots(s, owner, lane)[0] == PURGE)
            lane, place = lane[place >= 0], place[place >= 0]
            if not len(lane):
                break
            lane = _purge(s, owner, place, lane)


def _purge(s: State, owner: int, place: Any, at: Lanes) -> Lanes:
    """SE-A18: one Purge die; the lanes in which it was spent."""
    standing = s.adventurers(at)
    gone = missing(s, at)
    patient = np.full(len(at), -1, dtype=np.int64)
    status = np.full(len(at), -1, dtype=np.int64)
    for harm in data.HARMFUL:
        if not s.facts.possible[harm]:
            continue
        under = (cut(s.status[: s.heroes], at) & np.uint8(1 << harm)) != 0
        chosen = first(narrow(under & standing, gone, largest=True))
        new = (patient < 0) & (chosen >= 0)
        patient[new], status[new] = chosen[new], harm
    chosen = first(narrow(standing & (gone >= 2), gone, largest=True))
    patient = np.where(patient < 0, chosen, patient)
    some = np.flatnonzero(patient >= 0)
    if not len(some):
        return at[some]
    patient, status, at = patient[some], status[some], at[some]
    if s.tell:
        s.tell("SE-A18", owner, f"spends Purge for {s.tell.names[int(patient[0])]}", at)
    track.enter(s, owner, track.leave_slot(s, owner, place[some], at), at)
    for harm in data.HARMFUL:
        cured = np.flatnonzero(status == harm)
        if len(cured):
            track.lose(s, patient[cured], harm, at[cured])
    heal(s, owner, patient, 1, at)
    add(s.ledger.uses, s.facts.ability[PRAY, owner], at, 1)
    return at
