"""Decks of cards for a whole batch of runs: shuffled at an address, then dealt from the top as a real deck is.

    deck = Deck.shuffled(luck, 52, "P52-R3", TABLE)
    deck.reshuffle_when_low(luck, 13, at)
    card = deck.flip(at)                  # top card, straight onto the discard pile
    held = deck.draw(at)                  # top card, into somebody's hand
    deck.discard(held, at)                # played from the hand
    hands = deck.shuffle_unseen(luck)     # the same fight with other luck from here on

A card is a number from 0 to cards - 1; what it is worth is a table of the game. Every card is in one of three places:
in the draw pile, on the discard pile, or out (in a hand, which the game keeps in arrays of its own). A run with several
decks has several `Deck`s, each with an actor number of its own.

The order of the draw pile is a pure function of an address. Shuffles are numbered from 0 in every run; after shuffle
number s the cards that are not out lie in the order of

    luck.bits(purpose, round=s, actor, index=card)

smallest on top. Only the highest 56 of the 64 bits count, and the lower card lies above where these are equal: a chance
of one in 5 * 10**13 for a shuffle of 52 cards.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from sim.core.lanes import Lanes, Whole, columns, keep
from sim.core.luck import Luck, Words, mix_words, word

Some: TypeAlias = "Lanes | slice"  # lanes by their numbers, or a stretch of them

MOST_CARDS = 255

_CARD = np.uint64(0xFF)  # the bits of a sorting key that hold the card; the others are luck
_BLOCK = 256  # decks that are shuffled at a time, so that they stay in the cache
_ALL = slice(None)


@dataclass(frozen=True, slots=True)
class Kinds:
    """Which cards are alike, such as those of one value: for whoever keeps account of what was turned."""

    of: Whole  # (cards,)

    count: int = field(init=False)
    members: NDArray[np.float32] = field(init=False)  # (cards, kinds) 1 where a card is of a kind
    whole: NDArray[np.float32] = field(init=False)  # (kinds,) how many cards of each belong to the deck

    def __post_init__(self) -> None:
        object.__setattr__(self, "count", int(self.of.max()) + 1)
        object.__setattr__(self, "members", (self.of[:, None] == np.arange(self.count)).astype(np.float32))
        object.__setattr__(self, "whole", np.bincount(self.of).astype(np.float32))

    def in_pile_without(self, out: NDArray[np.uint8] | None) -> NDArray[np.float32]:
        """(lanes, kinds), or (kinds,) without `out`. How many of each are left; `out` (lanes, cards) is 1 where not."""
        return self.whole if out is None else self.whole - out.astype(np.float32) @ self.members


@dataclass(slots=True)
class Deck:
    """One deck in every run of a batch. The last axis is the run; `at` are distinct lanes, None means all of them."""

    purpose: str
    actor: int
    order: NDArray[np.void]  # (runs,) the draw pile, a byte per card: see `piles`
    left: NDArray[np.int16]  # (runs,) cards in the draw pile
    out: NDArray[np.uint64]  # (cards / 64, runs) one bit per card: set while the card is in neither pile
    shuffles: NDArray[np.int32]  # (runs,) the number of the last shuffle
    kinds: Kinds | None = None  # which cards are alike, where account is kept of them
    in_pile: NDArray[np.void] | None = None  # (runs,) a byte per kind: see `kinds_in_pile`

    @classmethod
    def shuffled(cls, luck: Luck, cards: int, purpose: str, actor: int, kinds: Kinds | None = None) -> Deck:
        """A whole deck of so many cards for every run, shuffled for the first time (shuffle number 0).

        Args:
            kinds: which cards are alike, if the luck wants to hear of cards.
        """
        if not 1 <= cards <= MOST_CARDS:
            raise ValueError(f"a deck has 1 to {MOST_CARDS} cards, not {cards}")
        runs = len(luck.keys)
        deck = cls(
            purpose,
            actor,
            order=np.zeros(runs, dtype=f"V{cards}"),
            left=np.zeros(runs, dtype=np.int16),
            out=np.zeros(((cards + 63) // 64, runs), dtype=np.uint64),
            shuffles=np.full(runs, -1, dtype=np.int32),
        )
        if kinds is not None and luck.watches_cards:
            deck.kinds, deck.in_pile = kinds, np.zeros(runs, dtype=f"V{kinds.count}")
        deck.reshuffle(luck)
        return deck

    @property
    def cards(self) -> int:
        """How many cards belong to the deck, wherever they are."""
        return self.order.dtype.itemsize

    @property
    def piles(self) -> NDArray[np.uint8]:
        """(runs, cards). The draw piles from the bottom up: the top card lies at place `left - 1`, void from there on.

        The one table whose last axis is not the run: a shuffle writes a whole pile, which is quick side by side.
        """
        return self.order.view(np.uint8).reshape(-1, self.cards)

    def in_hands(self, at: Lanes | None = None) -> NDArray[np.int16]:
        """(lanes,). Cards that are in neither pile."""
        words = np.bitwise_count(self.out if at is None else columns(self.out, at))
        return words[0].astype(np.int16) if len(words) == 1 else words.sum(axis=0, dtype=np.int16)

    def discards(self, at: Lanes | None = None) -> NDArray[np.int16]:
        """(lanes,). Cards on the discard pile: all that are nowhere else."""
        left = self.left if at is None else columns(self.left, at)
        return np.int16(self.cards) - left - self.in_hands(at)

    def draw(self, at: Lanes | None = None) -> Whole:
        """(lanes,). Take the top card of the draw pile; it is out until it is discarded."""
        card = self._deal(at)
        self.out.reshape(-1)[self._bit_of(card, at)] |= _bit(card)
        return card

    def flip(self, at: Lanes | None = None) -> Whole:
        """(lanes,). Turn the top card of the draw pile and put it on the discard pile."""
        return self._deal(at)

    def discard(self, card: Whole, at: Lanes | None = None) -> None:
        """Put cards that are out on the discard pile, one in each lane."""
        where, bit = self._bit_of(card, at), _bit(card)
        out = self.out.reshape(-1).take(where)
        not_out = (out & bit) == 0
        if not_out.any():
            lane = where[not_out][0] % len(self.left)
            raise ValueError(
                f"deck {self.purpose!r}: card {card[not_out][0]} is not out in lane {lane}; "
                "only a card that was drawn and not yet discarded can be discarded"
            )
        self.out.reshape(-1)[where] = out ^ bit

    def reshuffle_when_low(self, luck: Luck, threshold: int, at: Lanes | None = None) -> Whole:
        """Reshuffle where the draw pile holds `threshold` cards or fewer and something was discarded; tells where."""
        asked = self._lanes(at)
        low = keep(asked, columns(self.left, asked) <= threshold)
        if len(low):
            hands = self.in_hands(low)
            discarded = columns(self.left, low) + hands < self.cards
            if not discarded.all():
                low, hands = keep(low, discarded), keep(hands, discarded)
            self._shuffle(luck, low, hands)
        return low

    def reshuffle(self, luck: Luck, at: Lanes | None = None) -> None:
        """Shuffle the draw pile and the discard pile together; cards that are out stay out."""
        self._shuffle(luck, at, self.in_hands(at))

    def _shuffle(self, luck: Luck, at: Lanes | None, hands: NDArray[np.int16]) -> None:
        """The same, where it is known how many cards are in neither pile: (lanes,)."""
        dealt_anew = _ALL if at is None else at
        self.shuffles[dealt_anew] += 1
        self.left[dealt_anew] = self.cards - hands
        for begin in range(0, len(hands), _BLOCK):
            block = slice(begin, begin + _BLOCK)
            self._lay_out(luck, block if at is None else at[block])

    @property
    def kinds_in_pile(self) -> NDArray[np.uint8]:
        """(runs, kinds). How many cards of each kind are in the draw pile, where account is kept of them."""
        assert self.in_pile is not None
        return self.in_pile.view(np.uint8).reshape(len(self.left), -1)

    def surprise(self, card: Whole, at: Lanes) -> NDArray[np.float64]:
        """(kinds, lanes). 1 for the kind of the card just turned, less the share of each kind in the pile before."""
        assert self.kinds is not None
        own = self.kinds.of.take(card), np.arange(len(at))
        before = self.kinds_in_pile[at].T.astype(np.float64)
        before[own] += 1
        seen = before / -(columns(self.left, at) + 1.0)
        seen[own] += 1
        return seen

    def shuffle_unseen(self, luck: Luck) -> NDArray[np.uint8]:
        """(most in hands, runs). Shuffle what nobody has seen, the draw pile and the hidden hands, with fresh luck.

        Both keep their sizes, and the discard pile stays as it is. The cards lie in the order that the latest shuffle
        has under this luck, those of the discard pile left out. Returned are the cards for the hands, from the top
        down: as many in every run as were out, anything beyond. The next card after them is the top of the draw pile.
        """
        hands = self.in_hands()
        unseen = _flags(self.out, self.cards)  # (runs, cards)
        runs, place = np.nonzero(np.arange(self.cards) < self.left[:, None])
        unseen[runs, self.piles[runs, place]] = 1
        self._lay_out(luck, _ALL, without=unseen ^ np.uint8(1))
        most = int(hands.max(initial=0))
        places = self.left + hands - 1 - np.arange(most)[:, None]  # (most, runs)
        dealt = self.piles[np.arange(len(hands)), np.maximum(places, 0)]
        self.out[:] = 0
        for turn, cards in enumerate(dealt):
            at = np.flatnonzero(hands > turn)
            card = cards[at].astype(np.int64)
            self.out.reshape(-1)[self._bit_of(card, at)] |= _bit(card)
        return dealt

    def _lay_out(self, luck: Luck, at: Some, without: NDArray[np.uint8] | None = None) -> None:
        """The order of the draw pile after the latest shuffle of these lanes, without the cards that are out.

        Args:
            without: (lanes, cards) 1 for other cards to leave out instead.
        """
        shuffle = self.shuffles[at]
        keys = luck.keys_for(self.purpose, shuffle, self.actor, at)
        keys = mix_words(self._words(shuffle) ^ keys[:, None])  # (lanes, cards)
        keys |= _CARD
        keys ^= _turned_round(self.cards)  # the smallest comes last, so on top
        if without is None:
            out = self._out(at)
            without = _flags(out, self.cards) if out.any() else None
        if self.kinds is not None:
            self.kinds_in_pile[at] = self.kinds.in_pile_without(without)
        if without is not None:
            keys |= np.negative(without.view(np.int8)).astype(np.int64).view(np.uint64)  # all ones: behind all others
        keys.sort(axis=1)
        self.piles[at] = ~keys.astype(np.uint8)  # the lowest 8 bits: the card, turned round

    def _out(self, at: Some) -> Words:
        """(cards / 64, lanes). The cards in neither pile."""
        return self.out[:, at] if isinstance(at, slice) else columns(self.out, at)

    def _words(self, shuffle: NDArray[np.int32]) -> Words:
        """(lanes or 1, cards). The part of the addresses that is no run's own: see `sim.core.luck.word`."""
        first, last = int(shuffle.min()), int(shuffle.max())
        if first == last:
            return _shuffle_words(self.purpose, first, last, self.actor, self.cards)
        begin, end = first & ~15, last | 15  # few different tables, so that they are found again
        return _shuffle_words(self.purpose, begin, end, self.actor, self.cards).take(shuffle - begin, axis=0)

    def _deal(self, at: Lanes | None) -> Whole:
        """(lanes,). The top card of the draw pile, which is then one card shorter."""
        asked = self._lanes(at)
        left = columns(self.left, asked)
        left -= np.int16(1)
        empty = left < 0
        if np.count_nonzero(empty):
            raise ValueError(
                f"deck {self.purpose!r}: the draw pile is empty in {np.count_nonzero(empty)} of {len(asked)} lanes; "
                "reshuffle first, or draw only where `left` is above 0"
            )
        self.left[asked] = left
        place = asked * self.cards
        place += left
        card = self.order.view(np.uint8).take(place).astype(np.int64)
        if self.kinds is not None:
            place = asked * self.kinds.count
            place += self.kinds.of.take(card)
            np.subtract.at(self.kinds_in_pile.reshape(-1), place, np.uint8(1))
        return card

    def _bit_of(self, card: Whole, at: Lanes | None) -> Whole:
        """(lanes,). Where in the flat table `out` the bits of these cards are."""
        asked = self._lanes(at)
        return asked if len(self.out) == 1 else (card >> 6) * len(self.left) + asked

    def _lanes(self, at: Lanes | None) -> Lanes:
        """The lanes meant: all of them for None."""
        return np.arange(len(self.left)) if at is None else at


@lru_cache(maxsize=1 << 10)
def _shuffle_words(purpose: str, first: int, last: int, actor: int, cards: int) -> Words:
    """(shuffles, cards). The words of shuffle numbers `first` to `last`, which many runs come to."""
    rows = [[word(purpose, shuffle, actor, card) for card in range(cards)] for shuffle in range(first, last + 1)]
    return np.array(rows, dtype=np.uint64)


@cache
def _turned_round(cards: int) -> Words:
    """(cards,). What turns a key round: its luck, and the card in its lowest bits, which are all ones before."""
    return np.arange(cards, dtype=np.uint64) | ~_CARD


def _flags(out: Words, cards: int) -> NDArray[np.uint8]:
    """(lanes, cards). 1 for every card of these sets: (cards / 64, lanes)."""
    flags = np.ascontiguousarray(out.T.astype("<u8", copy=False)).view(np.uint8)  # (lanes, bytes)
    return np.unpackbits(flags, axis=1, count=cards, bitorder="little")


def _bit(card: Whole) -> Words:
    return np.uint64(1) << (card & 63).astype(np.uint64)
