"""Arcane magic: Magic Dart, pushing, mishaps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from sim.core.choose import first
from sim.core.dice import step
from sim.core.lanes import Lanes, Mask, Small, Whole, columns, cut, each, keep, which, written
from sim.core.telling import dice
from sim.rulesets.overhill import data
from sim.rulesets.overhill.data import SMART
from sim.rulesets.overhill.rolls import Throw, check, throw
from sim.rulesets.overhill.rules.damage import see_who_falls, wound
from sim.rulesets.overhill.rules.dice import Numbers, die_of, roll
from sim.rulesets.overhill.rules.hero_attacks import Blow, attack_modifier, land
from sim.rulesets.overhill.state import State


def casting_dice(smart: int, push: int, ladder: str) -> list[int]:
    """OU-G2: the base die, then the pushed dice; the first extra die is the smart die itself or one step smaller."""
    extra = [int(step(smart, -i)) for i in range(push + 1)]
    return [smart, *(extra[:push] if ladder == "same_first" else extra[1:])]


def most_pushes(level: int) -> int:
    """OU-G2: up to half the level."""
    return level // 2


def casts(shown: Numbers, spell_level: int, switches: Mapping[str, Any]) -> Mask:
    """OU-G1, OU-G3: whether a casting die that shows this number is a success."""
    success = shown > spell_level if switches["cast_threshold"] == "exceed" else shown >= spell_level
    return success & (shown != 1) if switches["one_is"] == "failure" else success


def dart_reach(s: State, hero: int, at: Lanes) -> Mask:
    """(groups, lanes). OU-A7, OU-G7: magic users who may cast, from the rear guard or from both; any living group."""
    if s.facts.heroes[hero].hero_class != "magic_user":
        return np.zeros((s.groups, len(at)), dtype=bool)
    able = ~cut(s.silenced[hero], at) & ~cut(s.cast_blocked[hero], at)
    if s.facts.is_on("dart_position", "rear_only"):
        able &= ~cut(s.front[hero], at)
    return (cut(s.n, at) > 0) & able


def magic_dart(s: State, hero: int, group: Whole, at: Lanes, push: Whole) -> None:
    """OU-G1, OU-G2, OU-G4, OU-G5, OU-G6, OU-G8: cast, perhaps a mishap, then one dart for every success."""
    facts = s.facts.heroes[hero]
    switches = s.facts.switches
    s.ledger.uses[s.ability(hero, "dart")][at] += 1
    sizes = casting_dice(facts.smart, int(push.max(initial=0)), switches["push_ladder"])
    shown = np.zeros((len(sizes), len(at)), dtype=np.int16)  # (dice, lanes) 0 where the die is not rolled
    base = die_of(s, hero, SMART, at)  # OU-G8: only the base die uses a blessing
    for i, sides in enumerate(sizes):
        if i == 0:
            shown[i] = roll(s, base, "OU-G1", at)
        else:
            shown[i] = s.luck.die(sides, "OU-G1", s.round, hero, i, at) * (push >= i)
    rolled = shown > 0
    success = rolled & casts(shown, switches["dart_level"], switches)
    if s.tell:
        thrown = [base.thrown, *(throw(sides, shown[i]) for i, sides in enumerate(sizes) if i and shown[i, 0])]
        tell_casting(s, hero, group, at, success, thrown)
    if switches["mishaps"] == "on":
        slipped = which((shown == 1).any(axis=0))
        if len(slipped):
            spoiled = mishap(s, hero, columns(at, slipped))
            down = each(s.health, hero, columns(at, slipped)) == 0
            success[:, keep(slipped, spoiled | down)] = False
    for i, sides in enumerate(sizes):
        flies = which(success[i])
        if len(flies):
            number = shown[i][flies] if switches["dart_roll"] == "same_roll" else None
            dart(s, hero, columns(group, flies), columns(at, flies), i, sides, number)


def dart(s: State, hero: int, group: Whole, at: Lanes, i: int, sides: int, number: Small | None) -> None:
    """OU-G5, OU-G6: an attack with a die of the same size (or the number just shown), on the next group if need be."""
    aimed = group
    if i:  # the first dart flies before anybody could have fallen
        aimed = np.where(each(s.n, group, at) > 0, group, first(cut(s.n, at) > 0))
        alive = aimed >= 0
        aimed, at = aimed[alive], at[alive]
        number = None if number is None else number[alive]
    if not len(at):
        return
    die = s.luck.die(sides, "OU-G5", s.round, hero, i, at).astype(np.int16) if number is None else number
    thrown = throw(sides, die) if s.tell and number is None else None
    land(s, Blow(hero, aimed, at, "dart", "OU-G5", thrown), die, attack_modifier(s, hero, at, 0), blunt=False)


def tell_casting(s: State, hero: int, group: Whole, at: Lanes, success: Mask, thrown: list[Throw | None]) -> None:
    """The casting dice as they are told: each that succeeds is a dart."""
    assert s.tell is not None
    switches = s.facts.switches

    def flies(face: int) -> bool:
        return bool(casts(np.array(face), switches["dart_level"], switches))

    rolls = [told for die, works in zip(thrown, success, strict=False) for told in check(die, "to cast", flies, works)]
    whom = int(s.unit[group[0], at[0]])
    s.tell.event("OU-G1", "casts", at, who=hero, whom=whom, rolls=rolls, darts=success.sum(axis=0))


def mishap(s: State, hero: int, at: Lanes) -> Mask:
    """OU-G4: one roll of d6 + spell level on the mishap table. Returns where all successes of this casting are lost."""
    table = s.facts.mishaps
    die = s.luck.die(6, "OU-G4", s.round, hero, 0, at)
    row = data.places_of(table, die + s.facts.switches["dart_level"])
    s.mishaps = written(s.mishaps)
    s.mishaps[at] += 1
    lost = np.zeros(len(at), dtype=bool)
    for number, what in enumerate(table):
        met = which(row == number)
        if len(met):
            suffer(s, hero, at[met], what, die[met])
            lost[met] = what.darts_lost
    return lost


def suffer(s: State, hero: int, at: Lanes, what: data.Mishap, die: Whole) -> None:
    """OU-G4: what a row of the mishap table does to the caster."""
    if what.blocks:
        s.strained = written(s.strained)
        s.strained[hero][at] = True
    if what.silences:
        s.silenced = written(s.silenced)
        s.silenced[hero][at] = True
    harm = what.damage.roll(s.luck, "OU-G4", s.round, hero, 1, at)
    lost, left = wound(s, hero, at, np.maximum(harm, 0))
    if s.tell:
        rolls = [dice(die, 6, purpose="the mishap")]
        rolls += [dice(harm - what.damage.bonus, what.damage.sides, purpose="its damage")] if what.damage.count else []
        s.tell.event("OU-G4", "mishap", at, who=hero, rolls=rolls, mishap=what.name, damage=lost, health=left)
    see_who_falls(s, hero, at, lost, left)
