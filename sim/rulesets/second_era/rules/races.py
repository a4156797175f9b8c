"""Racial abilities, once per battle and behind their switch. Those that prevent damage are among the reactions."""

from __future__ import annotations

import numpy as np

from sim.core.choose import first, narrow
from sim.core.lanes import Lanes, Mask, cut, each, lookup, which
from sim.rulesets.second_era import data
from sim.rulesets.second_era.data import FIRST_STATUS, OVER, STEALTH, TIRED
from sim.rulesets.second_era.rules.damage import Cure, heal, missing
from sim.rulesets.second_era.rules.faces import enemy_die
from sim.rulesets.second_era.rules.places import stand
from sim.rulesets.second_era.rules.roll import Roll
from sim.rulesets.second_era.rules.shown_dice import enemy_dice
from sim.rulesets.second_era.rules.statuses import gain, lose
from sim.rulesets.second_era.rules.track import SKILL_DICE, take_out, track_of, write_track
from sim.rulesets.second_era.state import State


def nord(s: State, roll: Roll) -> None:
    """Nord: adds an enemy Combat die to its first light, heavy or ranged engage with a target."""
    hero = roll.hero
    if not s.facts.has_racial_ability(hero, "Nord"):
        return
    some = which(roll.aimed & ~cut(s.spent[hero], roll.at))
    if not len(some):
        return
    face = enemy_die(s, "SE-11.6", hero, 0, roll.at[some])
    wide = roll.in_all_lanes(face, some)
    roll.combat += wide
    roll.misses[some] += face == 0
    roll.instances.append((True, wide))
    s.spent[hero][roll.at[some]] = True
    if s.tell:
        s.tell.event("SE-S7", "nord", roll.at[some], who=hero, rolls=[enemy_dice(s, [face])])


def racial_start(s: State, hero: int, at: Lanes) -> None:
    """Dark Elf, High Elf and Redguard at the start of their actions."""
    at = at[~cut(s.spent[hero], at)]
    for race, use in {"Dark Elf": dark_elf, "High Elf": high_elf, "Redguard": redguard}.items():
        if s.facts.has_racial_ability(hero, race) and len(at):
            use(s, hero, at)


def dark_elf(s: State, hero: int, at: Lanes) -> None:
    """Dark Elf: with 3 skill dice or more in the track the leftmost 4 come back, each replaced by `L`."""
    dice = track_of(s, hero, at)
    skill = (dice >= 0) & (dice < SKILL_DICE)
    some = which(skill.sum(axis=0) >= 3)
    if not len(some):
        return
    at, dice, skill = at[some], cut(dice, some), cut(skill, some)
    chosen = skill & (np.cumsum(skill, axis=0) <= 4)
    for code in range(SKILL_DICE):
        s.available[hero, code][at] += (chosen & (dice == code)).sum(axis=0, dtype=np.int8)
    s.light[hero][at] += chosen.sum(axis=0, dtype=np.int16)
    write_track(s, hero, at, np.where(chosen, np.int8(TIRED), dice))
    s.spent[hero][at] = True
    if s.tell:
        s.tell.event("SE-S7", "dark_elf", at, who=hero, dice=chosen.sum(axis=0))


def high_elf(s: State, hero: int, at: Lanes) -> None:
    """High Elf: the weakest adventurer that misses 3 HP is placed on the first free entrance hex and heals 3."""
    entrance = np.array(s.facts.ground.entrance, dtype=np.int64)
    if not len(entrance):
        return
    patient = first(narrow(missing(s, at) >= 3, cut(s.hp[: s.heroes], at)))
    taken = s.facts.ground.board.bits.has(cut(s.occupied, at), np.repeat(entrance[:, None], len(at), axis=1))
    place = first(~taken)
    some = which((patient >= 0) & (place >= 0))
    if not len(some):
        return
    patient, place, at = patient[some], place[some], at[some]
    s.spent[hero][at] = True
    if s.tell:
        s.tell.event("SE-S7", "high_elf", at, who=hero, whom=patient)
    stand(s, patient, lookup(entrance, place), at, "SE-S7")
    heal(s, hero, patient, 3, at, Cure("the call", "SE-S7"))


def redguard(s: State, hero: int, at: Lanes) -> None:
    """Redguard: with 2 fatigue or status dice or more the leftmost 3 leave, 1 HP each, surplus as bonus HP."""
    at = at[_burdens(s, hero, at).sum(axis=0) >= 2]
    if not len(at):
        return
    s.spent[hero][at] = True
    if s.tell:
        s.tell.event("SE-S7", "redguard", at, who=hero)
    removed = np.zeros(len(at), dtype=np.int16)
    for _ in range(3):
        place = first(_burdens(s, hero, at))
        some = which(place >= 0)
        code = each(s.track, (hero, place[some]), at[some])
        for status in range(len(data.STATUSES)):
            under = some[code == FIRST_STATUS + status]
            if len(under):
                lose(s, hero, status, at[under])
        tired = some[code < FIRST_STATUS]
        if len(tired):
            take_out(s, hero, place[tired], at[tired])
        removed[some] += 1
    healed = heal(s, hero, hero, removed, at, Cure("shaking it off", "SE-S7"))
    s.bonus[hero][at] += removed - healed


def _burdens(s: State, hero: int, at: Lanes) -> Mask:
    """(13, lanes). Which dice of a track are fatigue or statuses, Stealth excepted."""
    dice = track_of(s, hero, at)
    return (dice == TIRED) | (dice == OVER) | ((dice >= FIRST_STATUS) & (dice != FIRST_STATUS + STEALTH))


def wood_elf(s: State) -> None:
    """Wood Elf: before the first enemy turn of round 1 it hides the two weakest party members."""
    for hero in range(s.heroes):
        if not s.facts.has_racial_ability(hero, "Wood Elf"):
            continue
        at = which(s.live & (s.hp[hero] > 0) & ~s.spent[hero])
        at = at[s.enemies_left(at)]
        if not len(at):
            continue
        s.spent[hero][at] = True
        if s.tell:
            s.tell.event("SE-S7", "wood_elf", at, who=hero)
        seen = (cut(s.cell[: s.party], at) >= 0) & ((cut(s.status[: s.party], at) >> STEALTH & 1) == 0)
        hp = cut(s.hp[: s.party], at)
        for _ in range(2):
            chosen = first(narrow(seen, hp))
            some = which(chosen >= 0)
            seen[chosen[some], some] = False
            gain(s, chosen[some], STEALTH, at[some])
