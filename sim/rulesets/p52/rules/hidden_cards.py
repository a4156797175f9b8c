"""The cards that nobody has seen, shuffled anew for a run that goes on with other luck (P52-R3, P52-U4, P52-S2)."""

from __future__ import annotations

import numpy as np

from sim.core.lanes import cut, put, which
from sim.core.luck import TABLE
from sim.rulesets.p52.state import PILE, State


def shuffle_hidden_cards(s: State) -> None:
    """P52-R3, P52-U4: the draw pile and the stamina cards together; every hero keeps as many, dealt from the top."""
    if s.deck is None:
        return  # P52-R8: a value is drawn when it is shown
    dealt = s.deck.shuffle_unseen(s.luck)  # (most, runs)
    given = np.zeros(s.size, dtype=np.int64)
    for hero in range(s.heroes):
        for number in range(PILE):
            at = which(s.cards[hero] > number)
            if not len(at):
                break
            place = (cut(s.pile_top[hero], at) + number) % PILE
            put(s.pile[hero], place, at, dealt[given[at], at])
            given[at] += 1


def shuffle_enemy_deck(s: State) -> None:
    """P52-S2: the enemies that the encounters to come will deal; those of this encounter and earlier ones stay."""
    cards = len(s.dealt)
    if not cards:
        return
    drawn = np.cumsum([len(space.types) - space.listed for space in s.facts.spaces])  # (stages,) up to and with each
    keys = np.stack([s.luck.bits("P52-S2", 0, TABLE, card) for card in range(cards)])
    keys[np.arange(cards)[:, None] < drawn[s.stage]] = 0  # in front of all others, in their order
    s.dealt = np.take_along_axis(s.dealt, np.argsort(keys, axis=0, kind="stable"), axis=0)
