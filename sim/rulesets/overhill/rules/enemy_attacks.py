"""One attack of a monster: its value, the hero's defence, the damage, Accept the Blade, and touches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from sim.core.batch import only
from sim.core.dice import step
from sim.core.lanes import (
    Lanes,
    Mask,
    Small,
    Spots,
    Whole,
    add,
    anyone,
    columns,
    cut,
    each,
    either,
    is_still,
    lookup,
    put,
    spots,
    which,
    written,
)
from sim.core.luck import ENEMIES
from sim.core.telling import Fact, Roll, dice
from sim.rulesets.overhill.data import DRAIN, PARALYSIS, QUICK, VIGOR
from sim.rulesets.overhill.rolls import Throw, check, defence_roll
from sim.rulesets.overhill.rules.damage import see_who_falls, wound
from sim.rulesets.overhill.rules.dice import HeroDie, Numbers, die_of, passes, roll, vigor_die
from sim.rulesets.overhill.state import State

TOUCH_DIFFICULTY = 3
LENGTH = 2000  # where the length of a paralysis is drawn, counted from the attack


@dataclass(slots=True)
class Assault:
    """One attack by a monster of a group, on one hero per lane."""

    group: int
    m: int  # the how-many-th attack of the group in this phase: part of the address of its luck
    at: Lanes
    target: Whole  # (lanes,)
    value: Small  # (lanes,)
    rolls: tuple[Roll, ...] = ()  # the defence as it is told, if somebody listens


def attack_value(s: State, group: int, at: Lanes) -> Small:
    """(lanes,). OU-E9: melee in front, range in the rear, smoke, and +1 by a leader of its family; never below 0."""
    value = cut(s.attack[group], at)
    if s.facts.led and s.facts.is_on("leader_aura"):
        value = value + led_by_kin(s, group, at)
    return np.maximum(value + cut(s.attack_mod[group], at), 0) if s.facts.items else value


def led_by_kin(s: State, group: int, at: Lanes) -> Mask:
    """(lanes,). OU-E9: whether a leader of the group's family is there."""
    if is_still(s.kin) and is_still(s.leads) and len(at):  # the same groups in all runs: only their leaders are asked
        kin = s.kin[group, 0]
        leaders = [leader for leader in range(s.groups) if kin and s.leads[leader, 0] == kin]
        there = [cut(s.n[leader], at) > 0 for leader in leaders]
        return anyone(np.stack(there)) if there else np.zeros(len(at), dtype=bool)
    kin = cut(s.kin[group], at)
    return ((cut(s.leads, at) == kin) & (cut(s.n, at) > 0)).any(axis=0) & (kin > 0)


def monster_attack(s: State, assault: Assault) -> None:
    """OU-D2, OU-D10: the hero rolls to dodge, unless helpless; a hit costs health and may bring a touch."""
    at, value = assault.at, assault.value
    place = spots(s.health, assault.target, at)
    die = defence_die(s, assault, place)
    total, helpless = defence_total(s, assault, die, place)
    dodged = beats(total, value, s.facts.switches) & np.logical_not(helpless)
    add(s.ledger.uses, s.deed_of(assault.group, at), at, 1)
    if s.tell:
        assault.rolls = defence_rolls(s, assault, die.thrown, total, dodged)
        tell_attack(s, "OU-D2", "dodges", only(assault, which(dodged)), assault.target[dodged])
    hit = which(~dodged)
    if len(hit):
        damage = hit_damage(value, total, helpless, s.facts.switches)
        landed = only(assault, hit)
        take_hit(s, landed, columns(damage, hit), Spots(columns(place.places, hit), place.runs, landed.target))


# The defence.


def beats(total: Numbers, value: Numbers, switches: Mapping[str, Any]) -> Mask:
    """OU-D2: whether a defence total dodges an attack of this value."""
    return total > value if switches["dodge_threshold"] == "exceed" else total >= value


def defence_total(s: State, assault: Assault, die: HeroDie, place: Spots) -> tuple[Small, bool | Mask]:
    """(lanes,) each. OU-D2, OU-D10: the defence total, and where the hero is helpless and rolls nothing."""
    at = assault.at
    modifier = defence_modifier(s, assault.target, at, place)
    helpless: Mask = np.zeros(0, dtype=bool) if is_still(s.paralysed) else each(s.paralysed, place, at) > 0
    if s.facts.is_on("paralysed_defense", "roll") or not helpless.any():
        return roll(s, die, "OU-D2", at, assault.m, ENEMIES + assault.group) + modifier, False
    awake = which(~helpless)
    shown = np.zeros(len(at), dtype=np.int16)
    shown[awake] = roll(s, only(die, awake), "OU-D2", at[awake], assault.m, ENEMIES + assault.group)
    return shown + modifier, helpless


def defence_rolls(s: State, assault: Assault, thrown: Throw | None, total: Numbers, dodged: Mask) -> tuple[Roll, ...]:
    """The defence die as it is told, and the damage that was to be expected; nothing of who is helpless."""
    if thrown is None:
        return ()
    bonus, switches = int(total[0]) - thrown.counted, s.facts.switches
    worth = {}
    for face in thrown.chances:
        with_face, value = np.array([face + bonus]), assault.value[:1]
        hurts = 0 if beats(with_face, value, switches)[0] else int(hit_damage(value, with_face, False, switches)[0])
        worth[face] = float(min(hurts, int(each(s.health, assault.target, assault.at)[0])))
    return tuple(defence_roll(thrown, worth, int(not dodged[0]) * worth[thrown.counted]))


def defence_die(s: State, assault: Assault, place: Spots) -> HeroDie:
    """OU-D1: vigor against front monsters and quick against rear ones, always quick, or the larger (tie vigor)."""
    at, target = assault.at, assault.target
    rule = s.facts.switches["defense_die"]
    if rule == "matching" and not s.facts.archers:
        return HeroDie(target, VIGOR, each(s.vigor, place, at))
    quick = s.find(s.facts.dice, at, QUICK, target)
    if rule == "quick":
        return HeroDie(target, QUICK, quick)
    vigor = each(s.vigor, place, at)
    swift = cut(s.rear_group[assault.group], at) if rule == "matching" else quick > vigor
    return HeroDie(target, either(swift, QUICK, VIGOR), either(swift, quick, vigor))


def defence_modifier(s: State, hero: Whole, at: Lanes, place: Spots) -> Small:
    """(lanes,). OU-D2, OU-D5: stance in front, `rear_modifier` in the rear, oil, and by a switch the level."""
    facts = s.facts
    modifier = np.zeros(len(at), dtype=np.int16)
    if not is_still(s.stance):
        modifier -= each(s.stance, place, at) * each(s.front, place, at)
    if not is_still(s.oil):
        modifier += each(s.oil, place, at)
    if facts.is_on("rear_modifier", "defensive"):
        modifier += ~each(s.front, place, at)
    if facts.is_on("level_bonus", "all"):
        modifier += lookup(facts.level[:, 0], hero)
    return modifier


# The hit.


def hit_damage(value: Numbers, total: Numbers, helpless: bool | Mask, switches: Mapping[str, Any]) -> Numbers:
    """OU-D3, OU-D10: what a hit costs: the attack value, 1, or the margin; at least 1."""
    full = np.maximum(value, 1)
    if switches["monster_damage"] == "one":
        return np.ones_like(full)
    if switches["monster_damage"] == "attack":
        return full
    margin = value - total + (switches["dodge_threshold"] == "exceed")
    return np.where(helpless, full, np.maximum(margin, 1))


def take_hit(s: State, assault: Assault, damage: Numbers, place: Spots) -> None:
    """OU-D4, OU-D6, OU-F5: a warrior may take the blow; then the damage, then a touch if the hero still stands."""
    at, group = assault.at, assault.group
    taker = accept_the_blade(s, assault, damage)
    if taker is not assault.target:
        place = spots(s.health, taker, at)
    lost, left = wound(s, place, at, damage)
    if s.tell:
        health, helpless = each(s.health, taker, at), each(s.paralysed, taker, at) > 0
        tell_attack(s, "OU-D3", "hits", assault, taker, damage=lost, health=health, helpless=helpless)
    stands = left > 0
    deed = s.deed_of(group, at)
    add(s.ledger.hits, deed, at, 1)
    add(s.ledger.damage, deed, at, lost)
    if not stands.all():
        see_who_falls(s, taker, at, lost, left)
        add(s.ledger.kills, s.unit_of(group, at), at, ~stands)
    if s.facts.touches:
        touch(s, assault, taker, stands)


def accept_the_blade(s: State, assault: Assault, damage: Numbers) -> Whole:
    """(lanes,). OU-F5: who takes the damage: the target, or the first warrior able and willing who rolls above it."""
    knights = [h for h, hero in enumerate(s.facts.heroes) if hero.knows("accept_the_blade")]
    if not knights:
        return assault.target
    at, target = assault.at, assault.target
    would_fall = each(s.health, target, at) <= damage
    taker = target.copy()
    asked = np.zeros(len(at), dtype=bool)  # only the first such warrior tries
    for hero in knights:
        fit = (cut(s.health[hero], at) > damage) & (cut(s.paralysed[hero], at) == 0) & ~cut(s.accepted[hero], at)
        tries = which(would_fall & ~asked & fit & (target != hero))  # places in `at`
        if not len(tries):
            continue
        asked[tries] = True
        trying = at[tries]
        s.accepted = written(s.accepted)
        s.accepted[hero][trying] = True
        row = s.ability(hero, "accept_the_blade")
        s.ledger.uses[row][trying] += 1
        quick = die_of(s, hero, QUICK, trying)
        die = roll(s, quick, "OU-F5", trying, assault.m, ENEMIES + assault.group)
        takes = die > assault.value[tries]
        s.ledger.hits[row][trying] += takes
        taker[tries[takes]] = hero
        if s.tell:
            tell_attack(s, "OU-D2", "threatens", assault, target)
            assault.rolls = ()  # told
            rolls = check(quick.thrown, "to be there in time", int(assault.value[0]).__lt__, takes)
            s.tell.event("OU-F5", "accept_the_blade", trying, who=hero, whom=target, rolls=rolls, works=takes)
    return taker


def tell_attack(s: State, rule: str, kind: str, assault: Assault, target: Whole, **facts: Fact) -> None:
    """One monster of a group and whom it attacks; `many` if it is one of several."""
    assert s.tell is not None
    if len(assault.at):
        attacker, many = int(s.unit[assault.group, assault.at[0]]), s.started[assault.group, assault.at[0]] > 1
        s.tell.event(rule, kind, assault.at, who=attacker, whom=target, rolls=assault.rolls, many=many, **facts)


# Touches.


def touch(s: State, assault: Assault, hero: Whole, stands: Mask) -> None:
    """OU-D6: the touches of the monster that hit, on those who still stand."""
    touches = cut(s.touch[assault.group], assault.at)
    for code, work in ((PARALYSIS, paralyse), (DRAIN, drain)):
        touched = stands & ((touches & code) > 0)
        if touched.any():
            work(s, hero[touched], assault.at[touched], ENEMIES + assault.group, assault.m)


def paralyse(s: State, hero: Whole, at: Lanes, actor: int, m: int) -> None:
    """OU-D7: a vigor check, or paralysis for 1d4 hero phases; the stance becomes neutral at once."""
    failed, rolls = fails_check(s, hero, at, "OU-D7", actor, m)
    if s.tell:
        s.tell.event("OU-D7", "resists", at[~failed], who=hero, rolls=rolls, touch="paralysis")
    hero, at = hero[failed], at[failed]
    if not len(at):
        return
    length = s.luck.die(4, "OU-D7", s.round, actor, m + LENGTH, at)
    phases = np.maximum(each(s.paralysed, hero, at), length)
    s.paralysed = written(s.paralysed)
    put(s.paralysed, hero, at, phases)
    s.stay_neutral(hero, at)
    if s.tell:
        rolls = [*rolls, dice(length, 4, purpose="its length")]
        s.tell.event("OU-D7", "is_paralysed", at, who=hero, rolls=rolls, turns=phases)


def drain(s: State, hero: Whole, at: Lanes, actor: int, m: int) -> None:
    """OU-D8: a vigor check, or the vigor die goes one step down for the rest of the encounter."""
    failed, rolls = fails_check(s, hero, at, "OU-D8", actor, m)
    if s.tell:
        s.tell.event("OU-D8", "resists", at[~failed], who=hero, rolls=rolls, touch="drain")
    hero, at = hero[failed], at[failed]
    if not len(at):
        return
    smaller = step(each(s.vigor, hero, at), -1)
    s.vigor = written(s.vigor)
    put(s.vigor, hero, at, smaller)
    if s.tell:
        s.tell.event("OU-D8", "is_drained", at, who=hero, rolls=rolls, vigor=smaller)


def fails_check(s: State, hero: Whole, at: Lanes, rule: str, actor: int, m: int) -> tuple[Mask, list[Roll]]:
    """(lanes,). OU-D9: a vigor check against a touch, of difficulty 3; and the roll as it is told."""
    vigor, threshold = vigor_die(s, hero, at), s.facts.switches["difficulty_check"]
    die = roll(s, vigor, rule, at, m, actor)
    passed = passes(die, TOUCH_DIFFICULTY, threshold)
    if not s.tell:
        return ~passed, []
    return ~passed, check(
        vigor.thrown, "to resist", lambda face: bool(passes(np.array(face), TOUCH_DIFFICULTY, threshold)), passed
    )
