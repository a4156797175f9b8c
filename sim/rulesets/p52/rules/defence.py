"""How heroes defend themselves (P52-C13 to P52-C19)."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from sim.core.choose import draw_lot, pick
from sim.core.lanes import Lanes, Mask, Whole, add, columns, cut, keep, lookup, spots, which
from sim.core.telling import Roll
from sim.rulesets.p52 import faces
from sim.rulesets.p52.defence_tables import AVOIDED, FAILED, HALVED, Defence
from sim.rulesets.p52.names import called
from sim.rulesets.p52.rules.cards import ACE, KING, card_and_flip, flip
from sim.rulesets.p52.rules.stamina import Hit, declines, defence_card
from sim.rulesets.p52.state import IN_HAND, State

CHOICE_LOT = 100  # the number of the lot of P52-Y10 for the first hit of a round; it goes up by 2 with every hit


@dataclass(slots=True)
class Stand:
    """What a defence came to, (lanes,) each."""

    outcome: Whole  # reduction, FAILED, HALVED or AVOIDED
    counters: Mask  # the defence grants a counter attack
    harm: Whole  # hit points that the own shield costs (iron shield)
    name: str = ""  # of the defence, for whoever listens; empty without one
    rolls: list[Roll] = field(default_factory=list)  # the same: the cards that were turned

    @property
    def succeeded(self) -> Mask:
        """Whether the attempt succeeded."""
        return self.outcome != FAILED


def defend(s: State, hero: int, raw: Whole, magic: Mask, at: Lanes, beast: bool = False) -> Stand:
    """P52-C13, P52-C19: the hero is hit, and makes one defence attempt or none."""
    kit = s.facts.kits[hero]
    table = kit.against_beast if beast else kit.defence
    hit = Hit(raw, magic, columns(s.struck[hero], at))
    s.struck[hero][at] = hit.number + 1
    choice = choose(s, hero, table, hit, at)
    stand = Stand(
        outcome=np.full(len(at), FAILED, dtype=np.int64),
        counters=np.zeros(len(at), dtype=bool),
        harm=np.zeros(len(at), dtype=np.int64),
    )
    trying = which(choice >= 0)
    if len(trying):
        some = Hit(raw[trying], magic[trying], hit.number[trying])
        tried = attempt(s, hero, table, choice[trying], some, at[trying])
        stand.outcome[trying], stand.counters[trying], stand.harm[trying] = tried.outcome, tried.counters, tried.harm
        stand.name, stand.rolls = tried.name, tried.rolls
    lose_aim_and_stance(s, hero, at, choice >= 0, stand.succeeded)
    return stand


def choose(s: State, hero: int, table: Defence, hit: Hit, at: Lanes) -> Whole:
    """P52-Y3: (lanes,). The defence by the hero's policy, -1 for none."""
    kit = s.facts.kits[hero]
    knife = cut(s.knife_at[hero], at) == IN_HAND if kit.has_knife else np.zeros(len(at), dtype=bool)
    if kit.plan.random:
        fits = np.where(hit.magic, table.magic[:, None], table.plain[:, None]) & (~table.knife[:, None] | knife)
        index = CHOICE_LOT + 2 * hit.number.astype(np.int64)
        return pick(fits, lot=draw_lot(s.luck, "P52-Y10", s.when(at), hero, index, at))
    most = table.best.shape[3] - 1
    chosen = s.find(table.best, at, hit.magic, knife, cut(s.stance[hero], at), np.minimum(hit.raw, most))
    choice = chosen.astype(np.int64)
    declined = declines(s, hero, hit, at)
    if declined is not None:
        choice[declined] = -1
    return choice


def attempt(s: State, hero: int, table: Defence, choice: Whole, hit: Hit, at: Lanes) -> Stand:
    """P52-C15, P52-C16: a flip, perhaps with a card, and the stance; what it comes to."""
    extra, value = card_and_flip(s, hero, at, defence_card(s, hero, hit, at), "P52-C15")
    total = value + extra + cut(s.stance[hero], at)
    outcome = s.find(table.outcome, at, choice, total).astype(np.int64)
    by_king = lookup(table.king_counters, choice) & (value == KING)
    granted = (total >= s.find(table.counters_from, at, choice)) | by_king
    stand = Stand(outcome, granted, np.zeros(len(at), dtype=np.int64))
    if s.tell:
        stand.name = table.names[int(choice[0])]
        enough = table.outcome[int(choice[0])] != FAILED
        stance = cut(s.stance[hero], at)
        stand.rolls.append(faces.attempt(s, hero, extra, stance, lambda totals: enough[totals], called(stand.name)))
    success = stand.succeeded
    if table.flips.any():
        iron_shield(s, hero, stand, which(success & lookup(table.flips, choice)), at)
    stand.counters &= success
    book(s, hero, at, choice, success)
    return stand


def iron_shield(s: State, hero: int, stand: Stand, flipping: Whole, at: Lanes) -> None:
    """P52-C18: a flip more of reduction; an Ace costs 2 hit points, a King grants a counter attack."""
    if len(flipping):
        value = flip(s, at[flipping], "P52-C18", hero)
        stand.outcome[flipping] += value
        stand.counters[flipping] |= value == KING
        stand.harm[flipping] = 2 * (value == ACE)
        if s.tell:
            stand.rolls.append(faces.flipped(s, purpose="for the iron shield"))


def book(s: State, hero: int, at: Lanes, choice: Whole, success: Mask) -> None:
    """P52-X2, P52-X4, P52-X6: attempts and successes."""
    ability = spots(s.ledger.uses, lookup(s.facts.kits[hero].defence.rows, choice), at)
    add(s.ledger.uses, ability, at, 1)
    add(s.ledger.hits, ability, at, success)
    add(s.saves, ability, at, success)
    add(s.earned, hero, at, success)


def lose_aim_and_stance(s: State, hero: int, at: Lanes, tried: Mask, success: Mask) -> None:
    """P52-H5, P52-H6, P52-C19: an attempt ends the aim, a hit costs aim; a failed defence may end the stance."""
    aim = cut(s.aim[hero], at)
    if aim.any():
        left = np.maximum(aim - 1, 0) if s.facts.is_on("aim_loss_on_hit", "one") else np.zeros_like(aim)
        s.aim[hero][at] = left * ~tried
    if s.facts.is_on("stance_on_failed_defence", "reset"):
        s.stance[hero][keep(at, ~success)] = 0


def how_it_ended(stand: Stand, damage: Whole) -> str:
    """For whoever listens: whether the defence stopped all of the damage, some of it or none, or armour did."""
    if stand.succeeded[0]:
        return "whole" if damage[0] == 0 else "part"
    if damage[0] == 0:
        return "armour"
    return "failed" if stand.name else "none"


def damage_after(stand: Stand, raw: Whole, armour: int | Whole) -> Whole:
    """P52-C13, P52-C14: what gets through reduction and armour."""
    reduction = np.maximum(stand.outcome, 0)
    left = raw - reduction - (stand.outcome == HALVED) * ((raw + 1) >> 1)  # half of it, rounded down, is left
    left *= stand.outcome != AVOIDED
    return np.maximum(left - armour, 0)
