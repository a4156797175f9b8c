"""How heroes defend themselves (section 7.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.choose import count, nth
from sim.core.lanes import Lanes, Mask, Whole, add, keep
from sim.rulesets.p52.attack_tables import AVOIDED, FAILED, HALVED, Defence
from sim.rulesets.p52.rules.cards import ACE, KING, card_and_flip, flip
from sim.rulesets.p52.state import IN_HAND, State


@dataclass(slots=True)
class Stand:
    """What a defence came to, (lanes,) each."""

    outcome: Whole  # reduction, FAILED, HALVED or AVOIDED
    counters: Mask  # the defence grants a counter attack
    harm: Whole  # hit points that the own shield costs (iron shield)

    @property
    def succeeded(self) -> Mask:
        """Whether the attempt succeeded."""
        return self.outcome != FAILED


def defend(s: State, hero: int, raw: Whole, magic: NDArray[Any], at: Lanes, beast: bool = False) -> Stand:
    """P52-C13, P52-C15, P52-C16, P52-C19: the hero is hit, and makes one defence attempt or none."""
    kit = s.facts.kits[hero]
    table = kit.against_beast if beast else kit.defence
    hit_number = s.struck[hero].take(at)
    s.struck[hero][at] = hit_number + 1
    choice = choose(s, hero, table, raw, magic, hit_number, at)
    outcome = np.full(len(at), FAILED, dtype=np.int64)
    counters = np.zeros(len(at), dtype=bool)
    harm = np.zeros(len(at), dtype=np.int64)
    trying = np.flatnonzero(choice >= 0)
    if len(trying):
        lanes, which = at[trying], choice[trying]
        cards = kit.plan.defence_card(s, hero, lanes, raw[trying], magic[trying], hit_number[trying])
        extra, value = card_and_flip(s, hero, lanes, cards)
        total = value + extra + s.stance[hero].take(lanes)
        result = table.outcome.reshape(-1).take(which * table.outcome.shape[1] + total).astype(np.int64)
        success = result != FAILED
        granted = (total >= table.counters_from.take(which)) | (table.king_counters.take(which) & (value == KING))
        if table.flips.any():
            iron_shield(s, hero, lanes, success & table.flips.take(which), result, granted, harm, trying)
        outcome[trying], counters[trying] = result, granted & success
        book(s, hero, lanes, which, success)
        if s.tell:
            words = f"defends with {table.names[int(which[0])].replace('_', ' ')}"
            s.tell("P52-C15", hero, words, lanes, flip=value, card=extra, total=total, success=success)
    lose_aim_and_stance(s, hero, at, choice >= 0, outcome != FAILED)
    return Stand(outcome, counters, harm)


def choose(
    s: State, hero: int, table: Defence, raw: Whole, magic: NDArray[Any], hit_number: NDArray[Any], at: Lanes
) -> Whole:
    """P52-Y3: (lanes,). The defence by the hero's policy, -1 for none."""
    kit = s.facts.kits[hero]
    knife = s.knife_at[hero].take(at) == IN_HAND if kit.has_knife else np.zeros(len(at), dtype=bool)
    if kit.plan.random:
        fits = np.where(magic, table.magic[:, None], table.plain[:, None]) & (~table.knife[:, None] | knife)
        index = 100 + 2 * hit_number.astype(np.int64)
        return nth(fits, s.luck.below(count(fits), "P52-Y10", s.when(at), hero, index, at))
    _, _, stances, raws = table.best.shape
    row = (magic.astype(np.int64) * 2 + knife) * stances + s.stance[hero].take(at)
    choice = table.best.reshape(-1).take(row * raws + np.minimum(raw, raws - 1)).astype(np.int64)
    if kit.plan.decline is not None:
        choice[kit.plan.declines(s, hero, at, raw, magic)] = -1
    return choice


def iron_shield(
    s: State,
    hero: int,
    lanes: Lanes,
    flipping: Mask,
    result: Whole,
    granted: Mask,
    harm: Whole,
    place: Whole,
) -> None:
    """P52-C18, 11.4: a flip more of reduction; an Ace costs 2 hit points, a King grants a counter attack."""
    there = np.flatnonzero(flipping)
    if len(there):
        value = flip(s, lanes[there])
        result[there] += value
        granted[there] |= value == KING
        harm[place[there]] = 2 * (value == ACE)
        if s.tell:
            s.tell("P52-C18", hero, "flips for the iron shield", lanes[there], flip=value, harm=2 * (value == ACE))


def book(s: State, hero: int, at: Lanes, which: Whole, success: Mask) -> None:
    """P52-X2, P52-X4, P52-X6: attempts and successes."""
    rows = s.facts.kits[hero].defence.rows.take(which)
    add(s.ledger.uses, rows, at, 1)
    add(s.ledger.hits, rows, at, success)
    add(s.saves, rows, at, success)
    s.earned[hero][at] += success


def lose_aim_and_stance(s: State, hero: int, at: Lanes, tried: Mask, success: Mask) -> None:
    """P52-H5, P52-H6, P52-C19: an attempt ends the aim, a hit costs aim; a failed defence may end the stance."""
    aim = s.aim[hero].take(at)
    if aim.any():
        left = np.maximum(aim - 1, 0) if s.facts.is_on("aim_loss_on_hit", "one") else np.zeros_like(aim)
        s.aim[hero][at] = left * ~tried
    if s.facts.is_on("stance_on_failed_defence", "reset"):
        s.stance[hero][keep(at, ~success)] = 0


def damage_after(stand: Stand, raw: Whole, armour: int | Whole) -> Whole:
    """P52-C13, P52-C14: what gets through reduction and armour."""
    reduction = np.maximum(stand.outcome, 0)
    left = raw - reduction - (stand.outcome == HALVED) * ((raw + 1) >> 1)  # half of it, rounded down, is left
    left *= stand.outcome != AVOIDED
    return np.maximum(left - armour, 0)
