"""Which dice an adventurer can roll together."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from sim.core.lanes import Lanes, Mask, Small, Tiny, cut
from sim.rulesets.second_era import data
from sim.rulesets.second_era.data import CLOAKING, COMBAT, DEFENSIVE, FEAR, LIGHT, MAGIC, PRAY
from sim.rulesets.second_era.state import State

Dice: TypeAlias = dict[int, Tiny]  # by type: (lanes,) how many, in gather order


def gather(s: State, hero: int, codes: tuple[int, ...], form: int, at: Lanes) -> Dice:
    """SE-A5: every available die of the list that fits the form, while its stat allows.

    Under Fear only Combat dice are gathered (SE-F4). Types of which nobody has one are left out.
    """
    facts = s.facts.heroes[hero]
    room: dict[str, np.int8 | Tiny] = {"S": np.int8(facts.stamina), "M": np.int8(s.own(facts.magicka, at))}
    fear = s.under(FEAR, hero, at) if s.facts.possible[FEAR] else None
    found = {}
    for code in codes:
        die = data.skill_dice()[code]
        if form not in die.forms or not facts.has(data.DICE[code]):
            continue
        number: Tiny = np.minimum(cut(s.available[hero, code], at), room[die.stat])
        if fear is not None and code != COMBAT:
            number = number * ~fear
        room[die.stat] = room[die.stat] - number
        found[code] = number
    return found


def offense(s: State, hero: int, form: int, at: Lanes) -> Dice:
    """SE-A5: the offensive dice of a form that can be rolled."""
    return gather(s, hero, s.facts.gathers(form), form, at)


def prayers(s: State, hero: int, at: Lanes) -> Dice:
    """SE-A5: the prayers that can be said."""
    return gather(s, hero, s.facts.gathers(PRAY), MAGIC, at)


def healing(s: State, hero: int, at: Lanes) -> Dice:
    """SE-A5: those of the prayers that heal."""
    codes = tuple(code for code in s.facts.gathers(PRAY) if code in data.HEALING)
    return gather(s, hero, codes, MAGIC, at)


def cloaks(s: State, hero: int, at: Lanes) -> Dice:
    """SE-A5: the dice to hide with."""
    return gather(s, hero, s.facts.gathers(CLOAKING), LIGHT, at)


def bracing(s: State, hero: int, at: Lanes) -> Dice:
    """SE-A5: the dice to guard with."""
    return gather(s, hero, s.facts.gathers(DEFENSIVE), DEFENSIVE, at)


def some_dice(dice: Dice, at: Lanes) -> Mask:
    """(lanes,). Whether anything was gathered."""
    holds = np.zeros(len(at), dtype=bool)
    for number in dice.values():
        holds |= number > 0
    return holds


def mean6(dice: Dice, at: Lanes) -> Small:
    """(lanes,). Six times the sum of the die means."""
    total = np.zeros(len(at), dtype=np.int16)
    for code, number in dice.items():
        total += np.int16(data.skill_dice()[code].mean6) * number
    return total
