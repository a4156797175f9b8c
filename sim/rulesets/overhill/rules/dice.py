"""Rolling the heroes' dice: blessings, advantage, checks, hit counts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sim.core.lanes import Lanes, Mask, Small, Whole, cut, each, is_still, lookup
from sim.rulesets.overhill.data import ATTRIBUTES, VIGOR
from sim.rulesets.overhill.rolls import Throw, throw
from sim.rulesets.overhill.state import State

SECOND_DIE = 1000  # where the second die of advantage or disadvantage lies, counted from the first

Numbers = NDArray[np.integer]  # whole numbers of any width


@dataclass(slots=True)
class HeroDie:
    """A die of a hero, or of one hero per lane: the attribute matters to blessings."""

    hero: int | Whole
    attribute: int | Numbers
    sides: int | Numbers
    thrown: Throw | None = None  # how it fell the last time, if somebody listens


def die_of(s: State, hero: int, attribute: int, at: Lanes) -> HeroDie:
    """OU-U2: one of the dice that no monster can drain: all but vigor."""
    return HeroDie(hero, attribute, s.own(getattr(s.facts.heroes[hero], ATTRIBUTES[attribute]), at))


def vigor_die(s: State, hero: int | Whole, at: Lanes) -> HeroDie:
    """OU-U2, OU-D8: the vigor die as it is now."""
    if not isinstance(hero, int):
        return HeroDie(hero, VIGOR, each(s.vigor, hero, at))
    vigor = cut(s.vigor[hero], at)
    return HeroDie(hero, VIGOR, int(vigor[0]) if len(at) and is_still(vigor) else vigor)


def roll(
    s: State,
    die: HeroDie,
    purpose: str,
    at: Lanes,
    index: int = 0,
    actor: int | None = None,
    disadvantage: bool = False,
) -> Small:
    """OU-U8, OU-Y5: one die of a hero. A blessing on the attribute gives advantage and is used up; both cancel.

    `actor` is who asks for the luck: the hero, unless a monster's attack makes the hero roll.
    """
    asks = die.hero if actor is None else actor
    lanes = None if len(at) == s.size else at
    first = s.luck.die(die.sides, purpose, s.round, asks, index, lanes).astype(np.int16)
    blessed = use_blessing(s, die, at)
    if s.tell and len(at):
        die.thrown = throw(die.sides, first)
    if not disadvantage and (isinstance(blessed, bool) or not blessed.any()):
        return first
    second = s.luck.die(die.sides, purpose, s.round, asks, index + SECOND_DIE, lanes).astype(np.int16)
    if s.tell and len(at) and np.asarray(blessed).flat[0] != disadvantage:
        die.thrown = throw(die.sides, first, second, higher=not disadvantage)
    if disadvantage:
        return np.where(blessed, first, np.minimum(first, second))
    return np.where(blessed, np.maximum(first, second), first)


def use_blessing(s: State, die: HeroDie, at: Lanes) -> Mask | bool:
    """(lanes,). OU-Y5: where the hero was blessed on this attribute, which is used up; no if nobody ever was."""
    if not s.bless_given:
        return False
    blessed = lookup(s.blessed, die.attribute, die.hero, at)
    s.blessed[die.attribute, die.hero, at] = False
    return blessed


def hit_count(total: Numbers, defence: int | Numbers, threshold: str) -> Numbers:
    """OU-A1: how many monsters a total removes. It must be above the defence (`exceed`) or reach it (`meet`).

    Divided as fractions, which is exact for numbers of this size and takes a tenth of the time.
    """
    hits: Numbers = np.true_divide(total, defence).astype(total.dtype)
    return hits * (total > defence) if threshold == "exceed" else np.maximum(hits, 0)


def passes(die: Numbers, difficulty: int, threshold: str) -> Mask:
    """OU-D9: a difficulty check, the die without modifiers."""
    return die > difficulty if threshold == "exceed" else die >= difficulty
