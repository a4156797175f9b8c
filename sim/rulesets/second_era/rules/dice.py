"""Which dice an adventurer can roll (SE-A5, section 11.3)."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from sim.core.lanes import Lanes, Mask, Small, Tiny, cut
from sim.rulesets.second_era import data
from sim.rulesets.second_era.data import BREATH, COMBAT, FEAR, PRAYER, PURGE
from sim.rulesets.second_era.state import State

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
