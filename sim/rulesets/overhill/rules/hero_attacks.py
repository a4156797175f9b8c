"""Attacks with weapons: melee, ranged, and the class abilities and feats built on them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sim.core.batch import only
from sim.core.choose import first
from sim.core.lanes import (
    Lanes,
    Mask,
    Rows,
    Small,
    Whole,
    add,
    anywhere,
    cut,
    each,
    either,
    is_still,
    spots,
    which,
    written,
)
from sim.core.telling import Roll
from sim.rulesets.overhill.data import QUICK, VIGOR
from sim.rulesets.overhill.facts import Facts
from sim.rulesets.overhill.rolls import Throw, roll_for
from sim.rulesets.overhill.rules.damage import remove_monsters
from sim.rulesets.overhill.rules.dice import HeroDie, Numbers, die_of, hit_count, roll, vigor_die
from sim.rulesets.overhill.rules.enemy_attacks import Assault, attack_value, monster_attack
from sim.rulesets.overhill.state import State

BASHED_BACK = 5000  # the m of the extra attack after a failed Shield Bash, plus the hero


@dataclass(slots=True)
class Blow:
    """One attack of a hero, on one group per lane."""

    hero: int
    group: Whole  # (lanes,)
    at: Lanes
    ability: str
    rule: str = "OU-A3"
    thrown: Throw | None = None  # the die as it fell, if somebody listens


@dataclass(slots=True)
class Swing:
    """What a hero strikes with: settled at the start of the action, for all its blows."""

    die: HeroDie
    modifier: Small  # (lanes,)


# Who may be attacked.


def melee_reach(s: State, hero: int, at: Lanes) -> Mask:
    """(groups, lanes). OU-A3, OU-A4: whom a front hero may strike.

    Front groups; rear groups if no front monster lives, or with `outnumber` while the party's front outweighs theirs.
    """
    living = cut(s.n, at) > 0
    if not s.facts.archers:
        return living & cut(s.front[hero], at)
    rear = cut(s.rear_group, at)
    no_screen = ~(living & ~rear).any(axis=0)
    outweighed = s.facts.is_on("melee_reach", "outnumber") and s.front_weight(at) > s.front_monsters(at)
    return living & (~rear | no_screen | outweighed) & cut(s.front[hero], at)


def ranged_reach(s: State, hero: int, at: Lanes) -> Mask:
    """(groups, lanes). OU-A5: from the rear guard, with a ranged weapon, any living group."""
    if s.facts.heroes[hero].ranged_tag == "none":
        return np.zeros((s.groups, len(at)), dtype=bool)
    return (cut(s.n, at) > 0) & ~cut(s.front[hero], at)


# What is added to a total.


def attack_modifier(s: State, hero: int, at: Lanes, level_bonus: int) -> Small:
    """(lanes,). OU-A2, OU-C1, OU-D5: stance in front, `rear_modifier` in the rear, tonics, and the level bonus.

    `level_bonus` is what the ability adds; with the switch `level_bonus` = all it is the full level for every attack.
    """
    if s.facts.is_on("level_bonus", "all"):
        level_bonus = s.facts.heroes[hero].level
    in_front = cut(s.front[hero], at)
    modifier = np.full(len(at), level_bonus, dtype=np.int16)
    if not is_still(s.stance):
        modifier += cut(s.stance[hero], at) * in_front
    if s.facts.items:
        modifier += cut(s.tonic[hero], at)
    if s.facts.is_on("rear_modifier", "defensive"):
        modifier -= ~in_front
    return modifier


def weapon_defence(s: State, group: Rows, at: Lanes, blunt: bool) -> Small:
    """(lanes,). OU-A3: the group's defence against this weapon, less acid (OU-A6), never below 1."""
    defence = each(s.blunt_defence if blunt else s.defence, group, at)
    return np.maximum(defence + each(s.defence_mod, group, at), 1) if s.facts.items else defence


def melee_die(s: State, hero: int, at: Lanes) -> HeroDie:
    """OU-A3, OU-C2: the die of this hero's melee attacks in this action.

    Vigor; for a rogue who outnumbers (more standing heroes than living monsters) quick, if that is the larger die.
    """
    vigor = vigor_die(s, hero, at)
    facts = s.facts.heroes[hero]
    if facts.hero_class != "rogue":
        return vigor
    swift = (s.standing_count(at) > s.monster_count(at)) & (facts.quick > vigor.sides)
    return HeroDie(hero, either(swift, QUICK, VIGOR), either(swift, facts.quick, vigor.sides))


def melee_level(s: State, hero: int) -> int:
    """OU-C1: warriors add their level to every melee attack total."""
    facts = s.facts.heroes[hero]
    return facts.level if facts.hero_class == "warrior" else 0


def swing_of(s: State, hero: int, at: Lanes, level_bonus: int) -> Swing:
    """OU-A2, OU-A3, OU-C2: die and modifier of a melee attack, as things stand."""
    return Swing(melee_die(s, hero, at), attack_modifier(s, hero, at, level_bonus))


# One blow.


def strike(s: State, blow: Blow, swing: Swing, index: int = 0, disadvantage: bool = False) -> None:
    """OU-A3: roll for a melee attack and let it land."""
    die = roll(s, swing.die, "OU-A3", blow.at, index, disadvantage=disadvantage)
    blow.thrown = swing.die.thrown
    land(s, blow, die, swing.modifier, blunt=s.facts.heroes[blow.hero].melee_tag == "blunt")


def land(s: State, blow: Blow, die: Numbers, modifier: Small, blunt: bool) -> None:
    """OU-A1, OU-A3: compare the total with the group's defence, remove what is hit."""
    total = die + modifier
    place = spots(s.n, blow.group, blow.at)
    defence = weapon_defence(s, place, blow.at, blunt)
    hits = hit_count(total, defence, s.facts.switches["melee_threshold"])
    removed = remove_monsters(s, blow.hero, place, blow.at, hits, blow.ability)
    if s.tell and len(blow.at):
        tell_blow(s, blow, total, defence, removed)


def tell_blow(s: State, blow: Blow, total: Numbers, defence: Small, removed: Numbers) -> None:
    """The blow as it is told: what was rolled, how many fell, how many are left."""
    assert s.tell is not None
    left = each(s.n, blow.group, blow.at)
    rolls: list[Roll] = []
    if blow.thrown is not None:
        bonus = int(total[0]) - blow.thrown.counted
        there, hard = int(removed[0] + left[0]), int(defence[0])

        def falls(face: int) -> float:
            hits = hit_count(np.array([face + bonus]), hard, s.facts.switches["melee_threshold"])
            return float(min(int(hits[0]), there))

        rolls = roll_for(blow.thrown, "to hit", falls, float(removed[0]), "monsters")
    whom = int(s.unit[blow.group[0], blow.at[0]])
    alone = s.started[blow.group[0], blow.at[0]] == 1
    facts = {"total": total, "defence": defence, "damage": removed, "left": left, "alone": alone}
    s.tell.event(blow.rule, blow.ability, blow.at, who=blow.hero, whom=whom, rolls=rolls, **facts)


# The actions.


def melee(s: State, hero: int, group: Whole, at: Lanes) -> None:
    """OU-A3: one melee attack."""
    s.ledger.uses[s.ability(hero, "melee")][anywhere(at, s.size)] += 1
    strike(s, Blow(hero, group, at, "melee"), swing_of(s, hero, at, melee_level(s, hero)))


def ranged(s: State, hero: int, group: Whole, at: Lanes) -> None:
    """OU-A5: one ranged attack with the quick die."""
    s.ledger.uses[s.ability(hero, "ranged")][at] += 1
    quick = die_of(s, hero, QUICK, at)
    die = roll(s, quick, "OU-A5", at)
    blunt = s.facts.heroes[hero].ranged_tag == "blunt"
    land(s, Blow(hero, group, at, "ranged", "OU-A5", quick.thrown), die, attack_modifier(s, hero, at, 0), blunt)


def sneak_attack(s: State, hero: int, group: Whole, at: Lanes) -> None:
    """OU-C3: the hits of a bare quick roll are the number of attacks; each adds half the level."""
    opened_attacks(s, hero, group, at, "sneak", "OU-C3")


def dual_wield(s: State, hero: int, group: Whole, at: Lanes) -> None:
    """OU-F4: as Sneak Attack, with half the level instead of the full level."""
    opened_attacks(s, hero, group, at, "dual", "OU-F4")


def opened_attacks(s: State, hero: int, group: Whole, at: Lanes, ability: str, rule: str) -> None:
    """OU-C3, OU-F4: a quick roll without modifiers decides how many melee attacks follow on the group."""
    s.ledger.uses[s.ability(hero, ability)][at] += 1
    swing = swing_of(s, hero, at, s.facts.heroes[hero].level // 2)  # before the opening roll: the start of the action
    attacks, rolls = opening_roll(s, hero, group, at, rule, opens_blunt(s.facts, hero))
    if s.tell:
        whom, kind = int(s.unit[group[0], at[0]]), {"sneak": "opens_sneak", "dual": "opens_dual"}[ability]
        s.tell.event(rule, kind, at, who=hero, whom=whom, rolls=rolls, attacks=attacks)
    blow = Blow(hero, group, at, ability)
    for j in range(int(attacks.max(initial=0))):
        more = which((attacks > j) & (each(s.n, group, at) > 0))  # attacks left when the group is empty are lost
        if not len(more):
            break
        strike(s, only(blow, more), only(swing, more), index=j)


def opens_blunt(facts: Facts, hero: int) -> bool:
    """OU-C3, OU-F4: an opening roll is no blow and meets the plain defence, unless `opening_defence` says otherwise."""
    return facts.is_on("opening_defence", "weapon") and facts.heroes[hero].melee_tag == "blunt"


def opening_roll(
    s: State, hero: int, group: Whole, at: Lanes, rule: str, blunt: bool = False
) -> tuple[Numbers, list[Roll]]:
    """(lanes,). OU-C3, OU-F4, OU-F6: the hits of a quick die without modifiers; and the roll as it is told."""
    quick, threshold = die_of(s, hero, QUICK, at), s.facts.switches["melee_threshold"]
    die = roll(s, quick, rule, at)
    defence = weapon_defence(s, group, at, blunt)
    hits = hit_count(die, defence, threshold)
    if not s.tell:
        return hits, []

    def opens(face: int) -> float:
        return float(hit_count(np.array([face]), int(defence[0]), threshold)[0])

    return hits, roll_for(quick.thrown, "for an opening", opens, float(hits[0]), "openings")


def frenzy(s: State, hero: int, group: Whole, at: Lanes) -> None:
    """OU-F3: two melee attacks with the full level, the second with disadvantage; on the next group if need be."""
    s.ledger.uses[s.ability(hero, "frenzy")][at] += 1
    swing = swing_of(s, hero, at, melee_level(s, hero))
    strike(s, Blow(hero, group, at, "frenzy"), swing)
    emptied = each(s.n, group, at) == 0
    second = np.where(emptied, first(melee_reach(s, hero, at)), group)
    again = which(second >= 0)
    if len(again):
        strike(s, Blow(hero, second[again], at[again], "frenzy"), only(swing, again), index=1, disadvantage=True)


def shield_bash(s: State, hero: int, group: Whole, at: Lanes) -> None:
    """OU-F6: a bare quick roll; a hit keeps one monster from attacking, no hit brings an attack at once."""
    row = s.ability(hero, "bash")
    s.ledger.uses[row][at] += 1
    hits, rolls = opening_roll(s, hero, group, at, "OU-F6")
    works = hits > 0
    s.bashed = written(s.bashed)
    add(s.bashed, group[works], at[works], 1)
    s.ledger.hits[row][at] += works
    if s.tell:
        s.tell.event("OU-F6", "bash", at, who=hero, whom=int(s.unit[group[0], at[0]]), rolls=rolls, works=works)
    for enraged in range(s.groups):
        open_to = at[~works & (group == enraged)]
        if len(open_to):
            target = np.full(len(open_to), hero)
            value = attack_value(s, enraged, open_to)
            monster_attack(s, Assault(enraged, BASHED_BACK + hero, open_to, target, value))
