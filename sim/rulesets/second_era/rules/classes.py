"""Racial and class abilities (sections 11.6 and 11.7), behind their switches."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.choose import first, narrow, nth
from sim.core.lanes import Lanes, Mask, Small, add, cut, each, put, which
from sim.rulesets.second_era import data
from sim.rulesets.second_era.data import DAZE, FIRST_STATUS, MAGIC, OVER, RANGED, STEALTH, TIRED, TRACK
from sim.rulesets.second_era.rules import hero_moves as moves
from sim.rulesets.second_era.rules import track
from sim.rulesets.second_era.rules.damage import deal, heal, missing
from sim.rulesets.second_era.rules.dice import KINDS
from sim.rulesets.second_era.rules.faces import Roll
from sim.rulesets.second_era.rules.places import stand
from sim.rulesets.second_era.state import SPECIAL, State, rows

SHADE, OATH = 1, 2  # bits of `used`
HIDING_STEPS = 4


def _of_race(s: State, race: str, who: Any) -> Mask:
    """(lanes,). Whether an adventurer is of a race."""
    return np.array([hero.race == race for hero in s.facts.heroes]).take(who)


def _say(s: State, who: int, what: str, at: Lanes, section: str = "SE-11.6") -> None:
    if s.tell:
        s.tell(section, who, what, at)


def _special(s: State, hero: int, what: str, at: Lanes) -> None:
    """An ability that deals damage is used."""
    s.ledger.uses[s.facts.ability[SPECIAL, hero], at] += 1
    _say(s, hero, what, at, "SE-11.7")


def strengthen(s: State, hero: Any, number: Any, at: Lanes) -> None:
    """Section 2.3: gain tenacity, up to 10."""
    who = rows(hero, at)
    gain = np.minimum(number, data.MOST_TENACITY - each(s.tenacity, who, at)).astype(np.int8)
    add(s.tenacity, who, at, gain)
    add(s.tenacity_gained, who, at, gain)


# Races.


def imperial(s: State, target: Any, left: Small, at: Lanes) -> Small:
    """Section 11.6: an Imperial prevents the first enemy instance of 1 to 3 after Guard, and gains as much tenacity."""
    able = (left >= 1) & (left <= 3) & ~each(s.spent, target, at) & _of_race(s, "Imperial", target)
    some = which(able)
    if not len(some):
        return left
    put(s.spent, target[some], at[some], True)
    strengthen(s, target[some], left[some], at[some])
    _say(s, int(target[some][0]), "prevents the damage and gains tenacity", at[some])
    return left * ~able


def argonian(s: State, target: Any, left: Small, at: Lanes) -> Small:
    """Section 11.6: an Argonian prevents an enemy instance that would cost 3 HP or more, or defeat it."""
    grave = (left >= 3) | (left >= each(s.hp, target, at))
    able = (left > 0) & grave & ~each(s.spent, target, at) & _of_race(s, "Argonian", target)
    some = which(able)
    if not len(some):
        return left
    put(s.spent, target[some], at[some], True)
    _say(s, int(target[some][0]), "prevents all damage of the instance", at[some])
    return left * ~able


def nord(s: State, roll: Roll, at: Lanes) -> None:
    """Section 11.6: a Nord adds an enemy Combat die to its first light, heavy or ranged engage with a target."""
    hero = roll.hero
    if s.facts.heroes[hero].race != "Nord":
        return
    some = which(roll.aimed & ~cut(s.spent[hero], at))
    if not len(some):
        return
    s.spent[hero, at[some]] = True
    face = s.facts.faces.take(s.luck.below(6, "SE-11.6", s.round, hero, 0, at[some]))
    wide = np.zeros(len(at), dtype=np.int16)
    wide[some] = face
    roll.combat += wide
    roll.misses[some] += face == 0
    roll.instances.append((True, wide))
    _say(s, hero, "adds an enemy Combat die", at[some])


def racial_start(s: State, hero: int, at: Lanes) -> None:
    """Section 11.6: Dark Elf, High Elf and Redguard at the start of their actions."""
    use = {"Dark Elf": dark_elf, "High Elf": high_elf, "Redguard": redguard}.get(s.facts.heroes[hero].race)
    at = at[~cut(s.spent[hero], at)]
    if use is not None and len(at):
        use(s, hero, at)


def dark_elf(s: State, hero: int, at: Lanes) -> None:
    """Section 11.6: with 3 skill dice or more in the track the leftmost 4 come back, each replaced by `L`."""
    block = track.track_rows(s, hero, at)
    skill = (block >= 0) & (block < KINDS)
    some = which(skill.sum(axis=0) >= 3)
    if not len(some):
        return
    lanes, block, skill = at[some], block[:, some], skill[:, some]
    chosen = skill & (np.cumsum(skill, axis=0) <= 4)
    for code in range(KINDS):
        s.available[hero * KINDS + code, lanes] += (chosen & (block == code)).sum(axis=0, dtype=np.int8)
    s.light[hero, lanes] += chosen.sum(axis=0, dtype=np.int16)
    s.track[hero * TRACK : (hero + 1) * TRACK, lanes] = np.where(chosen, np.int8(TIRED), block)
    s.spent[hero, lanes] = True
    _say(s, hero, "recovers up to four dice, replaced by light fatigue", lanes)


def high_elf(s: State, hero: int, at: Lanes) -> None:
    """Section 11.6: the weakest adventurer that misses 3 HP is placed on the first free entrance hex and heals 3."""
    bits = s.facts.ground.board.bits
    hp = cut(s.hp[: s.heroes], at)
    patient = first(narrow(missing(s, at) >= 3, hp))
    free = np.stack([~bits.has(cut(s.occupied, at), np.full(len(at), cell)) for cell in s.facts.ground.entrance] or
                    [np.zeros(len(at), dtype=bool)])  # fmt: skip
    place = first(free)
    some = which((patient >= 0) & (place >= 0))
    if not len(some):
        return
    lanes = at[some]
    _say(s, hero, "calls an adventurer back to the entrance", lanes)
    stand(s, patient[some], np.array(s.facts.ground.entrance, dtype=np.int64).take(place[some]), lanes)
    heal(s, hero, patient[some], 3, lanes)
    s.spent[hero, lanes] = True


def redguard(s: State, hero: int, at: Lanes) -> None:
    """Section 11.6: with 2 fatigue or status dice or more the leftmost 3 leave, 1 HP each, surplus as bonus HP."""

    def burdens(lanes: Lanes) -> Mask:
        block = track.track_rows(s, hero, lanes)
        return (block == TIRED) | (block == OVER) | ((block >= FIRST_STATUS) & (block != FIRST_STATUS + STEALTH))

    at = at[burdens(at).sum(axis=0) >= 2]
    if not len(at):
        return
    s.spent[hero, at] = True
    _say(s, hero, "shakes off fatigue and statuses", at)
    removed = np.zeros(len(at), dtype=np.int16)
    for _ in range(3):
        place = nth(burdens(at), 0)
        some = which(place >= 0)
        code = each(s.track, hero * TRACK + place[some], at[some])
        for status in range(len(data.STATUSES)):
            under = some[code == FIRST_STATUS + status]
            if len(under):
                track.lose(s, hero, status, at[under])
        tired = some[code < FIRST_STATUS]
        if len(tired):
            track.take_out(s, hero, place[tired], at[tired])
        removed[some] += 1
    healed = heal(s, hero, hero, removed, at)
    s.bonus[hero, at] += removed - healed


def wood_elf(s: State) -> None:
    """Section 11.6: before the first enemy turn of round 1 a Wood Elf hides the two weakest party members."""
    for hero in range(s.heroes):
        if s.facts.heroes[hero].race != "Wood Elf":
            continue
        at = which(s.live & (s.hp[hero] > 0) & ~s.spent[hero])
        at = at[s.enemies_left(at)]
        if not len(at):
            continue
        s.spent[hero, at] = True
        _say(s, hero, "hides up to two party members", at)
        open_to = (cut(s.cell[: s.party], at) >= 0) & ((cut(s.status[: s.party], at) >> STEALTH & 1) == 0)
        hp = cut(s.hp[: s.party], at)
        for _ in range(2):
            chosen = first(narrow(open_to, hp))
            some = which(chosen >= 0)
            open_to[chosen[some], some] = False
            track.gain(s, chosen[some], STEALTH, at[some])


# Classes.


def innate(s: State, hero: int, at: Lanes) -> None:
    """Section 11.7: what Archer, Sorcerer and Healer do at the start of their turn."""
    kind = s.facts.heroes[hero].abilities
    if kind == "Archer":
        at = at[cut(s.form[hero], at) == RANGED]
        target = weakest(s, hero, at)
        some = which(target >= 0)
        if len(some):
            _special(s, hero, "shoots before anything else", at[some])
            deal(s, hero, target[some], 2, at[some], SPECIAL)
    elif kind == "Sorcerer":
        strengthen(s, hero, 1, at[cut(s.form[hero], at) == MAGIC])
    elif kind == "Healer":
        mend(s, hero, at)


def weakest(s: State, hero: int, at: Lanes) -> Any:
    """(lanes,). The weakest enemy that is targetable in ranged form from here; -1 for none."""
    if not len(at):
        return np.zeros(0, dtype=np.int64)
    own = s.facts.ground.board.bits.at(cut(s.cell[hero], at))
    open_to = np.stack([(part & own).any(axis=0) for part in moves.engage_sets(s, hero, RANGED, at)])
    chosen = first(narrow(open_to, cut(s.hp[s.party :], at)))
    return np.where(chosen >= 0, chosen + s.party, -1)


def mend(s: State, hero: int, at: Lanes) -> None:
    """Section 11.7, Healer: gain an `L` to heal itself or an adjacent party member that misses 2 HP or more by 1."""
    cells = cut(s.cell[: s.party], at)
    start = cut(s.cell[hero], at).astype(np.int32) * s.facts.ground.width
    near = s.facts.ground.adjacent.take(start + cells)
    near[hero] = True
    lacking = (s.facts.health.take(cut(s.kind[: s.party], at)) - cut(s.hp[: s.party], at)) * (cells >= 0)
    patient = first(narrow(near & (lacking >= 2), lacking, largest=True))
    some = which(patient >= 0)
    if len(some):
        track.tire(s, hero, 1, at[some])
        heal(s, hero, patient[some], 1, at[some])


def class_start(s: State, hero: int, at: Lanes) -> None:
    """Section 11.7: Power Surge and Hope Infusion at the start of the actions."""
    kind = s.facts.heroes[hero].abilities
    if kind == "Sorcerer":
        able = (cut(s.available[hero * KINDS + data.SHOCK], at) == 0) & (cut(s.tenacity[hero], at) >= 2)
        at = at[able & (cut(s.length[hero], at) > 0)]
        if len(at):
            number = np.minimum(cut(s.tenacity[hero], at) - 1, cut(s.length[hero], at))
            s.tenacity[hero, at] -= 1 + number
            _say(s, hero, "uses Power Surge", at, "SE-11.7")
            track.recover(s, hero, number, at)
    elif kind == "Healer":
        at = at[cut(s.tenacity[hero], at) >= 3]
        if len(at):
            s.tenacity[hero, at] -= 3
            patient = first(narrow(s.adventurers(at), cut(s.hp[: s.heroes], at)))
            add(s.bonus, patient, at, np.int16(3))
            _say(s, int(patient[0]), "gains 3 bonus HP by Hope Infusion", at, "SE-11.7")


def class_end(s: State, hero: int, at: Lanes) -> None:
    """Section 11.7: Honor Duel and Lethal Arrow at the end of the actions."""
    kind = s.facts.heroes[hero].abilities
    if kind == "Knight":
        honor_duel(s, hero, at[cut(s.tenacity[hero], at) >= 1])
    elif kind == "Archer":
        at = at[(cut(s.tenacity[hero], at) >= 3) & (cut(s.form[hero], at) == RANGED) & moves.may_roll(s, hero, at)]
        target = weakest(s, hero, at)
        at, target = at[target >= 0], target[target >= 0]
        if len(at):
            s.tenacity[hero, at] -= 3
            total = np.zeros(len(at), dtype=np.int16)
            for die in range(2):
                total += s.facts.faces.take(s.luck.below(6, "SE-11.7", s.round, hero, 10 * s.turn + die, at))
            _special(s, hero, "looses a Lethal Arrow", at)
            deal(s, hero, target, total, at, SPECIAL, true=True)


def honor_duel(s: State, hero: int, at: Lanes) -> None:
    """Section 11.7, Knight: if exactly one enemy is within 3 hexes, deal it 3 damage."""
    if not len(at):
        return
    cells = cut(s.cell[s.party :], at)
    start = cut(s.cell[hero], at).astype(np.int32) * s.facts.ground.width
    near = (s.facts.ground.range.take(start + cells) <= 3) & (cells >= 0)
    some = which(near.sum(axis=0) == 1)
    if not len(some):
        return
    lanes = at[some]
    s.tenacity[hero, lanes] -= 1
    before = s.ledger.kills[hero, lanes].copy()
    _special(s, hero, "calls for an Honor Duel", lanes)
    deal(s, hero, first(near[:, some]) + s.party, 3, lanes, SPECIAL)
    sworn_oath(s, hero, lanes[s.ledger.kills[hero, lanes] > before])


def sworn_oath(s: State, hero: int, at: Lanes) -> None:
    """Section 11.7, Knight: after defeating an enemy heal 4, if it misses 2 or more; once per turn."""
    if s.facts.heroes[hero].abilities != "Knight" or not len(at):
        return
    able = (cut(s.tenacity[hero], at) >= 3) & (missing(s, at)[hero] >= 2) & ((cut(s.used[hero], at) & OATH) == 0)
    at = at[able]
    if len(at):
        s.tenacity[hero, at] -= 3
        s.used[hero, at] |= OATH
        _say(s, hero, "fulfils a Sworn Oath", at, "SE-11.7")
        heal(s, hero, hero, 4, at)


def out_of_hiding(s: State, who: Any, at: Lanes) -> None:
    """Section 11.7, Nightblade: when its Stealth die leaves the track it may move up to 4 hexes, to the safest."""
    for hero in range(s.heroes):
        if s.facts.heroes[hero].abilities != "Nightblade":
            continue
        lanes = at[(who == hero) & (each(s.hp, np.int64(hero), at) > 0) & ~s.under(DAZE, hero, at)]  # type: ignore[arg-type]
        if len(lanes):
            fill = moves.reach(s, hero, lanes, HIDING_STEPS)
            moves.walk_to(s, hero, moves.safest(s, hero, lanes, fill), lanes, fill, action=False)


def shade(s: State, source: Any, target: Any, loss: Small, at: Lanes) -> Small:
    """Section 11.7, Nightblade: Summon Shade prevents damage by an enemy that would defeat a party member."""
    fatal = (loss > 0) & (loss >= each(s.hp, target, at)) & (target < s.party) & s.is_enemy(source)
    for hero in range(s.heroes):
        if s.facts.heroes[hero].abilities != "Nightblade" or not fatal.any():
            continue
        able = fatal & (cut(s.hp[hero], at) > 0) & s.under(STEALTH, hero, at) & (cut(s.tenacity[hero], at) >= 1)
        able &= (cut(s.used[hero], at) & SHADE) == 0
        some = which(able)
        if len(some):
            lanes = at[some]
            s.tenacity[hero, lanes] -= 1
            s.used[hero, lanes] |= SHADE
            loss = loss * ~able
            fatal &= ~able
            _say(s, hero, "summons a shade", lanes, "SE-11.7")
            track.lose(s, hero, STEALTH, lanes)
    return loss
