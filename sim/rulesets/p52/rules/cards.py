"""Flips and stamina cards (P52-R1 to P52-R8)."""

from __future__ import annotations

import numpy as np

from sim.core.lanes import Lanes, Mask, Row, Whole, columns, cut, each, keep, lookup, put, which
from sim.core.luck import TABLE
from sim.rulesets.p52.state import CARDS, PILE, State

VALUE = np.array([card % 13 + 1 for card in range(256)], dtype=np.int64)  # P52-R1: by card; Ace 1 to King 13
SPARE = 10  # P52-R5: so many cards must not lie in stamina piles
ACE, KING = 1, 13


def flip(s: State, at: Lanes, use: str, actor: Row = TABLE) -> Whole:
    """P52-R1, P52-R2, P52-R8: (lanes,). The value of the next card, which goes to the discard pile.

    Args:
        use: what it is flipped for: the rule's id.
        actor: for whom, by the numbers that ask for luck.
    """
    if s.deck is None:
        return next_value(s, at)
    keep_stocked(s, at)
    card = s.deck.flip(at)
    s.luck.turned(s.deck, card, use, s.round, actor, at)
    return lookup(VALUE, card)


def next_value(s: State, at: Lanes) -> Whole:
    """P52-R8: an independent value from 1 to 13."""
    number = columns(s.flips, at)
    s.flips[at] = number + 1
    return s.luck.die(13, "P52-R8", 0, TABLE, number, at)


def keep_stocked(s: State, at: Lanes) -> None:
    """P52-R3: a low draw pile is reshuffled with the discard pile, unless that is empty."""
    assert s.deck is not None
    shuffled = s.deck.reshuffle_when_low(s.luck, s.facts.switches["reshuffle_at"], at)
    if s.tell and len(shuffled):
        s.tell.event("P52-R3", "shuffles", shuffled)


def give_card(s: State, hero: int, at: Lanes) -> None:
    """P52-R4, P52-R5, P52-U4: a stamina card from the deck to the bottom of the pile, unless too few are left."""
    if s.deck is None:
        s.cards[hero][at] += 1
        return
    deck = s.deck
    enough = CARDS - deck.in_hands(at) >= SPARE
    at = at if enough.all() else keep(at, enough)
    if not len(at):
        return
    keep_stocked(s, at)
    bottom = (cut(s.pile_top[hero], at) + cut(s.cards[hero], at)) % PILE
    card = deck.draw(at)
    s.luck.turned(deck, card, "P52-R4", s.round, hero, at)
    put(s.pile[hero], bottom, at, card)
    s.cards[hero][at] += 1


def play_card(s: State, hero: int, at: Lanes) -> Whole:
    """P52-R4, P52-U4: (lanes,). The value of the top stamina card, which goes to the discard pile."""
    s.cards[hero][at] -= 1
    s.count("stamina_used", at)
    if s.deck is None:
        return next_value(s, at)
    top = cut(s.pile_top[hero], at)
    card = each(s.pile[hero], top, at).astype(np.int64)
    s.pile_top[hero][at] = (top + 1) % PILE
    s.deck.discard(card, at)
    return lookup(VALUE, card)


def card_and_flip(s: State, hero: int, at: Lanes, with_card: Mask | None, use: str) -> tuple[Whole, Whole]:
    """P52-C1, P52-C15: (lanes,) each. The stamina value (0 without a card), then the flip."""
    extra = np.zeros(len(at), dtype=np.int64)
    if with_card is not None and with_card.any():
        playing = which(with_card)
        extra[playing] = play_card(s, hero, at[playing])
    return extra, flip(s, at, use, hero)
