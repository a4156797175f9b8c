"""Rolling the heroes' dice: blessings, advantage, checks, hit counts."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.lanes import Lanes, Mask, Whole
from sim.rulesets.overhill.state import State

SECOND_DIE = 1000  # where the second die of advantage or disadvantage lies, counted from the first


def roll(
    s: State,
    hero: int | Whole,
    attribute: int | Whole,
    sides: int | NDArray[Any],
    purpose: str,
    at: Lanes,
    index: int | Whole = 0,
    actor: int | None = None,
    disadvantage: bool = False,
) -> Whole:
    """OU-U8, OU-Y5: one die of a hero. A blessing on the attribute gives advantage and is used up; both cancel.

    `actor` is who asks for the luck: the hero, unless a monster's attack makes the hero roll.
    """
    asks = actor if actor is not None else hero
    first = s.luck.die(sides, purpose, s.round, asks, index, at)
    if not s.bless_given:
        if disadvantage:
            return np.minimum(first, s.luck.die(sides, purpose, s.round, asks, index + SECOND_DIE, at))
        return first
    blessed = s.blessed[attribute, hero, at]
    s.blessed[attribute, hero, at] = False
    if not (disadvantage or blessed.any()):
        return first
    second = s.luck.die(sides, purpose, s.round, asks, index + SECOND_DIE, at)
    if disadvantage:
        return np.where(blessed, first, np.minimum(first, second))
    return np.where(blessed, np.maximum(first, second), first)


def hit_count(total: NDArray[Any], defence: NDArray[Any] | int, threshold: str) -> NDArray[Any]:
    """OU-A1: how many monsters a total removes. It must be above the defence (`exceed`) or reach it (`meet`)."""
    hits = np.maximum(total, 0) // defence
    return hits * (total > defence) if threshold == "exceed" else hits


def passes(die: NDArray[Any], difficulty: int, threshold: str) -> Mask:
    """OU-D9: a difficulty check, the die without modifiers."""
    return die > difficulty if threshold == "exceed" else die >= difficulty
