"""When heroes play a stamina card with an attempt, and when they do not defend: what their plans say (P52-Y4)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from sim.core.expr import Expression
from sim.core.lanes import Lanes, Mask, Small, Tiny, Whole, cut, each, lookup
from sim.rulesets.p52.attack_tables import HeroAttack
from sim.rulesets.p52.state import State

CardRule: TypeAlias = Callable[[HeroAttack, Whole, Lanes], Mask | None]  # whether a card goes with an attack
CARD_LOT, DEFENCE_LOT = 2, 101  # the numbers of the lots of P52-Y10; that of a defence goes up by 2 with every hit


@dataclass(slots=True)
class Hit:
    """A hit on a hero before it defends, (lanes,) each."""

    raw: Whole
    magic: Mask
    number: Small  # how many the hero has taken in this round before


def card_rule(s: State, hero: int) -> CardRule:
    """P52-Y4: whether a stamina card goes with an attack."""
    plan = s.facts.kits[hero].plan

    def rule(way: HeroAttack, enemy: Whole, at: Lanes) -> Mask | None:
        if plan.attack_card is None and not plan.random:
            return None
        return card_with(s, hero, at, hits_of(s, hero, way, enemy, at))

    return rule


def hits_of(s: State, hero: int, way: HeroAttack, enemy: Whole, at: Lanes) -> Tiny:
    """(lanes,). Flips of 2 to 13 that would hit without a card, the present aim included."""
    spot = each(s.foe_spot, enemy, at)
    if way.counts_enemies:
        param = (s.standing_foes(at) & (s.foe_spots(at) == spot)).sum(axis=0)
    else:
        param = lookup(s.space.ground.hero_range, cut(s.spot[hero], at), spot)
    return s.find(way.hits, at, s.aim_on(hero, enemy, at), param)


def card_with(s: State, hero: int, at: Lanes, hits: Tiny | Whole) -> Mask | None:
    """P52-Y4: (lanes,). Whether a card goes with an attempt that so many flips of 13 would win without it."""
    plan = s.facts.kits[hero].plan
    if plan.random:
        return card_by_lot(s, hero, at, CARD_LOT)
    if plan.attack_card is None:
        return None
    held = cut(s.cards[hero], at)
    wanted = plan.attack_card({"hits": np.asarray(hits), "cards": held})
    return by_lane(wanted, at) & (held > 0)


def defence_card(s: State, hero: int, hit: Hit, at: Lanes) -> Mask | None:
    """P52-Y4: (lanes,). Whether a card goes with a defence."""
    plan = s.facts.kits[hero].plan
    if plan.random:
        return card_by_lot(s, hero, at, DEFENCE_LOT + 2 * hit.number.astype(np.int64))
    if plan.defence_card is None:
        return None
    return holds(plan.defence_card, s, hero, hit, at) & (cut(s.cards[hero], at) > 0)


def declines(s: State, hero: int, hit: Hit, at: Lanes) -> Mask | None:
    """(lanes,). Where the hero does not defend by its plan; None for nowhere."""
    decline = s.facts.kits[hero].plan.decline
    return None if decline is None else holds(decline, s, hero, hit, at)


def holds(when: Expression, s: State, hero: int, hit: Hit, at: Lanes) -> Mask:
    """(lanes,). A condition about a hit."""
    facts = s.facts.kits[hero].facts
    answers: dict[str, Callable[[], Any]] = {
        "raw": lambda: hit.raw,
        "magic": lambda: hit.magic,
        "armour": lambda: np.where(hit.magic, s.own(facts.magic_armour, at), s.own(facts.armour, at)),
        "max_hp": lambda: s.own(facts.max_hp, at),
        "hp": lambda: cut(s.hp[hero], at),
        "aim": lambda: cut(s.aim[hero], at),
        "stance": lambda: cut(s.stance[hero], at),
        "cards": lambda: cut(s.cards[hero], at),
    }
    return by_lane(when(lambda name: answers[name]()), at)


def card_by_lot(s: State, hero: int, at: Lanes, index: int | Whole) -> Mask:
    """P52-Y10: one in four plays a card, if there is one."""
    plays = s.luck.below(4, "P52-Y10", s.when(at), hero, index, at) == 0
    return plays & (cut(s.cards[hero], at) > 0)


def by_lane(truth: Any, at: Lanes) -> Mask:
    """(lanes,). What a condition says of every lane."""
    if isinstance(truth, np.ndarray) and truth.dtype.kind == "b" and truth.shape == at.shape:
        return truth
    return np.broadcast_to(np.asarray(truth, dtype=bool), len(at))
