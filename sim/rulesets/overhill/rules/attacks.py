"""Attacks with weapons: melee, ranged, and the class abilities and feats built on them (sections 5 and 5.1)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.choose import first
from sim.core.lanes import Lanes, Mask, Small, Whole, cut, each
from sim.rulesets.overhill.rules.damage import remove_monsters
from sim.rulesets.overhill.rules.dice import hit_count, roll
from sim.rulesets.overhill.state import QUICK, VIGOR, State

# How an attack is told, by the ability it is made with.
BLOWS = {
    "melee": "strikes {}",
    "ranged": "shoots at {}",
    "sneak": "strikes {} in a Sneak Attack",
    "frenzy": "strikes {} in a frenzy",
    "dual": "strikes {} with two weapons",
    "dart": "sends a dart at {}",
}
OPENINGS = {"sneak": "prepares a Sneak Attack", "dual": "raises two weapons"}


# Who may be attacked.


def melee_reach(s: State, hero: int, at: Lanes) -> Mask:
    """(groups, lanes). OU-A3, OU-A4: whom a front hero may strike.

    Front groups; rear groups if no front monster lives, or with `outnumber` while the party's front outweighs theirs.
    """
    living = cut(s.n, at) > 0
    rear = cut(s.rear_group, at)
    past_screen = ~(living & ~rear).any(axis=0)
    if s.facts.is_on("melee_reach", "outnumber"):
        past_screen |= s.front_weight(at) > s.front_monsters(at)
    return living & (~rear | past_screen) & cut(s.front[hero], at)


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
    modifier = cut(s.stance[hero], at) * in_front + level_bonus
    if s.facts.items:
        modifier += cut(s.tonic[hero], at)
    if s.facts.is_on("rear_modifier", "defensive"):
        modifier -= ~in_front
    return modifier


def weapon_defence(s: State, group: Whole, at: Lanes, blunt: bool) -> Small:
    """(lanes,). OU-A3: the group's defence against this weapon, less acid, never below 1 (11.4)."""
    defence = each(s.blunt_defence if blunt else s.defence, group, at)
    return np.maximum(defence + each(s.defence_mod, group, at), 1) if s.facts.items else defence


def melee_die(s: State, hero: int, at: Lanes) -> tuple[int | Whole, NDArray[Any]]:
    """OU-A3, OU-C2: the attribute and the die of this hero's melee attacks in this action.

    Vigor; for a rogue who outnumbers (more standing heroes than living monsters) quick, if that is the larger die.
    """
    vigor = cut(s.vigor[hero], at)
    facts = s.facts.heroes[hero]
    if facts.hero_class != "rogue":
        return VIGOR, vigor
    swift = (s.standing_count(at) > s.monster_count(at)) & (facts.quick > vigor)
    return np.where(swift, QUICK, VIGOR), np.where(swift, facts.quick, vigor)


def melee_level(s: State, hero: int) -> int:
    """OU-C1: warriors add their level to every melee attack total."""
    facts = s.facts.heroes[hero]
    return facts.level if facts.hero_class == "warrior" else 0


# The actions.


def melee(s: State, hero: int, group: Whole, at: Lanes, ability: str = "melee") -> None:
    """OU-A3: one melee attack."""
    s.ledger.uses[s.ability(hero, ability)][at] += 1
    attribute, sides = melee_die(s, hero, at)
    strike(s, hero, group, at, ability, attribute, sides, attack_modifier(s, hero, at, melee_level(s, hero)))


def strike(
    s: State,
    hero: int,
    group: Whole,
    at: Lanes,
    ability: str,
    attribute: int | Whole,
    sides: NDArray[Any],
    modifier: Small,
    index: int = 0,
    disadvantage: bool = False,
) -> None:
    """OU-A1, OU-A3: roll, compare with the group's defence, remove what is hit."""
    die = roll(s, hero, attribute, sides, "OU-A3", at, index, disadvantage=disadvantage)
    defence = weapon_defence(s, group, at, s.facts.heroes[hero].melee_tag == "blunt")
    hits = hit_count(die + modifier, defence, s.facts.switches["melee_threshold"])
    removed = remove_monsters(s, hero, group, at, hits, ability)
    tell_attack(s, "OU-A3", hero, group, at, ability, die, die + modifier, defence, removed)


def ranged(s: State, hero: int, group: Whole, at: Lanes) -> None:
    """OU-A5: one ranged attack with the quick die."""
    s.ledger.uses[s.ability(hero, "ranged")][at] += 1
    facts = s.facts.heroes[hero]
    die = roll(s, hero, QUICK, facts.quick, "OU-A5", at)
    total = die + attack_modifier(s, hero, at, 0)
    defence = weapon_defence(s, group, at, facts.ranged_tag == "blunt")
    removed = remove_monsters(
        s, hero, group, at, hit_count(total, defence, s.facts.switches["melee_threshold"]), "ranged"
    )
    tell_attack(s, "OU-A5", hero, group, at, "ranged", die, total, defence, removed)


def sneak_attack(s: State, hero: int, group: Whole, at: Lanes) -> None:
    """OU-C3: the hits of a bare quick roll are the number of attacks; each adds half the level."""
    opened_attacks(s, hero, group, at, "sneak", "OU-C3")


def dual_wield(s: State, hero: int, group: Whole, at: Lanes) -> None:
    """OU-F4: as Sneak Attack, with half the level instead of the full level."""
    opened_attacks(s, hero, group, at, "dual", "OU-F4")


def opened_attacks(s: State, hero: int, group: Whole, at: Lanes, ability: str, rule: str) -> None:
    """OU-C3, OU-F4: a quick roll without modifiers decides how many melee attacks follow on the group."""
    s.ledger.uses[s.ability(hero, ability)][at] += 1
    attribute, attack_sides = melee_die(s, hero, at)  # before the opening roll: the start of the action
    modifier = attack_modifier(s, hero, at, s.facts.heroes[hero].level // 2)
    defence = weapon_defence(s, group, at, blunt=False)  # the opening roll is not a blow
    die = roll(s, hero, QUICK, s.facts.heroes[hero].quick, rule, at)
    attacks = hit_count(die, defence, s.facts.switches["melee_threshold"])
    if s.tell:
        s.tell(rule, hero, OPENINGS[ability], at, roll=die, attacks=attacks)
    for j in range(int(attacks.max(initial=0))):
        more = (attacks > j) & (each(s.n, group, at) > 0)  # attacks left when the group is empty are lost
        if not more.any():
            break
        strike(
            s,
            hero,
            group[more],
            at[more],
            ability,
            attribute[more] if isinstance(attribute, np.ndarray) else attribute,
            attack_sides[more],
            modifier[more],
            index=j,
        )


def frenzy(s: State, hero: int, group: Whole, at: Lanes) -> None:
    """OU-F3: two melee attacks with the full level, the second with disadvantage; on the next group if need be."""
    s.ledger.uses[s.ability(hero, "frenzy")][at] += 1
    modifier = attack_modifier(s, hero, at, melee_level(s, hero))
    strike(s, hero, group, at, "frenzy", VIGOR, cut(s.vigor[hero], at), modifier)
    emptied = each(s.n, group, at) == 0
    second = np.where(emptied, first(melee_reach(s, hero, at)), group)
    again = second >= 0
    if again.any():
        left = at[again]
        strike(
            s,
            hero,
            second[again],
            left,
            "frenzy",
            VIGOR,
            cut(s.vigor[hero], left),
            modifier[again],
            1,
            disadvantage=True,
        )


def tell_attack(
    s: State,
    rule: str,
    hero: int,
    group: Whole,
    at: Lanes,
    ability: str,
    die: Whole,
    total: Whole,
    defence: Small,
    removed: Whole,
) -> None:
    """Tell an attack to whoever listens."""
    if s.tell and len(at):
        name = s.facts.cast.units[int(s.unit[group[0], at[0]])].name
        s.tell(
            rule,
            hero,
            BLOWS[ability].format(name),
            at,
            roll=die,
            total=total,
            defence=defence,
            removed=removed,
            left=s.n[group, at],
        )
