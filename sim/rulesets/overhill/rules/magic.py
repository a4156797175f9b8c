"""Arcane magic: Magic Dart, pushing, mishaps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from sim.core.choose import first
from sim.core.dice import step
from sim.core.lanes import Lanes, Mask, Whole, cut, each, which
from sim.rulesets.overhill.data import SMART
from sim.rulesets.overhill.rules.damage import wound
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
    dice = casting_dice(facts.smart, int(push.max(initial=0)), switches["push_ladder"])
    shown = np.zeros((len(dice), len(at)), dtype=np.int64)  # (dice, lanes) 0 where the die is not rolled
    for i, sides in enumerate(dice):
        if i == 0:
            shown[i] = roll(s, die_of(s, hero, SMART), "OU-G1", at)  # OU-G8: only the base die uses a blessing
        else:
            shown[i] = s.luck.die(sides, "OU-G1", s.round, hero, i, at) * (push >= i)
    rolled = shown > 0
    success = rolled & casts(shown, switches["dart_level"], switches)
    if s.tell:
        numbers = " and ".join(str(number) for number in shown[:, 0] if number)
        s.tell("OU-G1", hero, f"casts Magic Dart and rolls {numbers}", at, darts=success.sum(axis=0))
    if switches["mishaps"] == "on":
        slipped = which((shown == 1).any(axis=0))
        if len(slipped):
            spoiled = mishap(s, hero, at[slipped])
            success[:, slipped[spoiled]] = False
    for i, sides in enumerate(dice):
        flies = which(success[i] & (cut(s.health[hero], at) > 0) & cut(s.live, at))
        if len(flies):
            number = shown[i][flies] if switches["dart_roll"] == "same_roll" else None
            dart(s, hero, group[flies], at[flies], i, sides, number)


def dart(s: State, hero: int, group: Whole, at: Lanes, i: int, sides: int, number: Whole | None) -> None:
    """OU-G5, OU-G6: an attack with a die of the same size (or the number just shown), on the next group if need be."""
    aimed = np.where(each(s.n, group, at) > 0, group, first(cut(s.n, at) > 0))
    alive = aimed >= 0
    aimed, at = aimed[alive], at[alive]
    if not len(at):
        return
    die = s.luck.die(sides, "OU-G5", s.round, hero, i, at) if number is None else number[alive]
    land(s, Blow(hero, aimed, at, "dart", "OU-G5"), die, attack_modifier(s, hero, at, 0), blunt=False)


def mishap(s: State, hero: int, at: Lanes) -> Mask:
    """OU-G4: one roll of d6 + spell level. Returns where all successes of this casting are lost."""
    total = s.luck.die(6, "OU-G4", s.round, hero, 0, at) + s.facts.switches["dart_level"]
    s.mishaps[at] += 1
    fizzle = total <= 3
    backlash = (total == 4) | (total == 5)
    strain = total == 6
    misfire = total >= 7
    burnout = total >= 8
    if s.tell:
        kind = ("fizzle", "backlash", "strain", "misfire", "burnout")
        place = int(backlash[0]) + 2 * int(strain[0]) + 3 * int(misfire[0]) + int(burnout[0])
        s.tell("OU-G4", hero, f"suffers a mishap: {kind[place]}", at, total=total)
    s.strained[hero][at[strain]] = True
    s.silenced[hero][at[burnout]] = True
    harm = np.where(misfire, s.luck.die(4, "OU-G4", s.round, hero, 1, at), backlash)
    hurt = harm > 0
    if hurt.any():
        wound(s, hero, at[hurt], harm[hurt], "OU-G4")
    return fizzle | misfire
