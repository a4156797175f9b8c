"""Decks: no card lost, none in two places, every order equally likely, run k is run k."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from sim.core.batch import only
from sim.core.deck import MOST_CARDS, Deck
from sim.core.luck import TABLE, Luck
from tests.oracle.luck import AddressedLuck

PURPOSE = "P52-R3"


def luck_of(runs: int, seed: int = 1) -> Luck:
    return Luck.of(seed, np.arange(runs))


def fresh(runs: int, cards: int = 52, seed: int = 1) -> tuple[Deck, Luck]:
    luck = luck_of(runs, seed)
    return Deck.shuffled(luck, cards, PURPOSE, TABLE), luck


def out_of(deck: Deck, run: int) -> set[int]:
    return {card for card in range(deck.cards) if int(deck.out[card // 64, run]) >> card % 64 & 1}


def pile_of(deck: Deck, run: int) -> list[int]:
    """The draw pile, top first."""
    return [int(card) for card in deck.piles[run, : deck.left[run]][::-1]]


# ---------------------------------------------------------------------------------------------------------------------
# The scalar twin: one deck with lists, as a designer would have written it
# ---------------------------------------------------------------------------------------------------------------------


class PlainDeck:
    def __init__(self, luck: AddressedLuck, cards: int) -> None:
        self.luck = luck
        self.draw_pile: list[int] = []
        self.discard_pile = list(range(cards))
        self.out: set[int] = set()
        self.shuffles = -1
        self.reshuffle()

    def reshuffle(self) -> None:
        self.shuffles += 1
        self.draw_pile = self.luck.order(sorted(self.draw_pile + self.discard_pile), PURPOSE, self.shuffles, TABLE)
        self.discard_pile = []

    def draw(self) -> int:
        card = self.draw_pile.pop(0)
        self.out.add(card)
        return card

    def flip(self) -> int:
        card = self.draw_pile.pop(0)
        self.discard_pile.append(card)
        return card

    def discard(self, card: int) -> None:
        self.out.remove(card)
        self.discard_pile.append(card)


def assert_alike(deck: Deck, plain: list[PlainDeck]) -> None:
    for run, twin in enumerate(plain):
        assert pile_of(deck, run) == twin.draw_pile
        assert out_of(deck, run) == twin.out
        assert deck.left[run] == len(twin.draw_pile)
        assert deck.discards()[run] == len(twin.discard_pile)
        assert deck.shuffles[run] == twin.shuffles


def test_a_shuffled_deck_of_52_has_the_order_of_the_scalar_luck() -> None:
    deck, _ = fresh(200, seed=77)

    for run in range(200):
        assert pile_of(deck, run) == AddressedLuck(77, run).order(range(52), PURPOSE, 0, TABLE)


STEPS = st.lists(
    st.tuples(st.sampled_from(["draw", "flip", "discard", "reshuffle", "low", "compact"]), st.integers(0, 2**20)),
    max_size=40,
)


@settings(max_examples=60)
@given(st.integers(1, 80), st.integers(1, 6), STEPS)
def test_decks_do_what_one_deck_with_lists_does(cards: int, runs: int, steps: list[tuple[str, int]]) -> None:
    deck, luck = fresh(runs, cards)
    plain = [PlainDeck(AddressedLuck(1, run), cards) for run in range(runs)]

    for what, number in steps:
        chosen = np.flatnonzero([number >> run & 1 for run in range(len(plain))])
        if what in ("draw", "flip"):
            at = chosen[deck.left[chosen] > 0]
            expected = [getattr(plain[run], what)() for run in at]
            assert getattr(deck, what)(at).tolist() == expected
        elif what == "discard":
            at = np.array([run for run in chosen if plain[run].out], dtype=np.int64)
            held = [sorted(plain[run].out)[number % len(plain[run].out)] for run in at]
            deck.discard(np.array(held, dtype=np.int64), at)
            for run, card in zip(at, held, strict=True):
                plain[run].discard(card)
        elif what == "reshuffle":
            deck.reshuffle(luck, chosen)
            for run in chosen:
                plain[run].reshuffle()
        elif what == "low":
            deck.reshuffle_when_low(luck, cards // 3, chosen)
            for run in chosen:
                if len(plain[run].draw_pile) <= cards // 3 and plain[run].discard_pile:
                    plain[run].reshuffle()
        elif len(chosen):
            deck, luck = only(deck, chosen), only(luck, chosen)
            plain = [plain[run] for run in chosen]
        assert_alike(deck, plain)


@pytest.mark.parametrize("cards", [1, 2, 40, 52, 63, 64, 65, 128, MOST_CARDS])
def test_no_card_is_lost_and_none_is_in_two_places(cards: int) -> None:
    runs = 12
    rng = np.random.default_rng(cards)
    deck, luck = fresh(runs, cards)
    hands: list[list[int]] = [[] for _ in range(runs)]

    for _ in range(120):
        at = np.flatnonzero(rng.random(runs) < 0.7)
        deck.reshuffle_when_low(luck, cards // 4, at)
        at = at[deck.left[at] > 0]
        match rng.integers(3):
            case 0:
                at = at[[len(hands[run]) < cards // 2 for run in at]]
                for run, card in zip(at, deck.draw(at), strict=True):
                    hands[run].append(int(card))
            case 1:
                deck.flip(at)
            case _:
                at = at[[len(hands[run]) > 0 for run in at]]
                deck.discard(np.array([hands[run].pop(0) for run in at], dtype=np.int64), at)

        for run in range(runs):
            pile = pile_of(deck, run)
            assert len(set(pile) | set(hands[run])) == len(pile) + len(hands[run]) == cards - deck.discards()[run]
            assert out_of(deck, run) == set(hands[run])


def test_the_whole_batch_may_be_meant_without_naming_lanes() -> None:
    deck, luck = fresh(30)
    same, _ = fresh(30)
    everyone = np.arange(30)

    assert deck.draw().tolist() == same.draw(everyone).tolist()
    assert deck.flip().tolist() == same.flip(everyone).tolist()
    held = deck.draw()
    same.draw(everyone)
    deck.discard(held)
    same.discard(held, everyone)
    deck.reshuffle_when_low(luck, 50)
    same.reshuffle_when_low(luck, 50, everyone)
    assert deck.shuffles.tolist() == [1] * 30
    assert np.array_equal(deck.piles, same.piles)


def test_cards_in_a_hand_stay_out_of_a_reshuffle() -> None:
    deck, luck = fresh(500)
    hand = np.stack([deck.draw() for _ in range(5)])  # (5, runs)
    for _ in range(34):
        deck.reshuffle_when_low(luck, 13)
        deck.flip()

    assert deck.left.tolist() == [13] * 500
    assert deck.shuffles.tolist() == [0] * 500
    deck.reshuffle_when_low(luck, 13)

    assert deck.left.tolist() == [47] * 500
    assert deck.discards().tolist() == [0] * 500
    assert deck.shuffles.tolist() == [1] * 500
    for run in range(500):
        others = sorted(set(range(52)) - set(hand[:, run].tolist()))
        assert pile_of(deck, run) == AddressedLuck(1, run).order(others, PURPOSE, 1, TABLE)


def test_only_the_lanes_that_run_low_are_shuffled() -> None:
    deck, luck = fresh(10)
    busy = np.array([2, 5])
    before = deck.piles.copy()
    for _ in range(40):
        deck.flip(busy)

    deck.reshuffle_when_low(luck, 13)

    idle = np.setdiff1d(np.arange(10), busy)
    assert deck.shuffles.tolist() == [0, 0, 1, 0, 0, 1, 0, 0, 0, 0]
    assert np.array_equal(deck.piles[idle], before[idle])
    assert not np.array_equal(deck.piles[busy], before[busy])


def test_a_run_alone_is_dealt_the_same_cards_as_in_a_batch() -> None:
    def cards_of(runs: NDArray[np.int64]) -> NDArray[np.int64]:
        luck = Luck.of(9, runs)
        deck = Deck.shuffled(luck, 52, PURPOSE, TABLE)
        hand = deck.draw()
        dealt = []
        for _ in range(100):
            deck.reshuffle_when_low(luck, 13)
            dealt.append(deck.flip())
        deck.discard(hand)
        deck.reshuffle(luck)
        return np.stack([*dealt, deck.draw()])

    together = cards_of(np.arange(1_500))  # more than two blocks of the shuffle

    for run in (0, 511, 512, 1_499):
        assert np.array_equal(cards_of(np.array([run]))[:, 0], together[:, run])


def test_several_decks_of_a_run_are_shuffled_apart() -> None:
    luck = luck_of(100)
    one, other = (Deck.shuffled(luck, 52, PURPOSE, actor) for actor in (0, 1))

    assert np.mean(one.piles == other.piles) < 0.05


def test_an_empty_draw_pile_is_refused_and_nothing_is_dealt() -> None:
    deck, _ = fresh(3, cards=2)
    deck.draw(np.array([1]))
    deck.draw(np.array([1]))

    with pytest.raises(ValueError, match="'P52-R3': the draw pile is empty in 1 of 3 lanes; reshuffle first"):
        deck.draw()
    with pytest.raises(ValueError, match="empty in 1 of 1 lanes"):
        deck.flip(np.array([1]))

    assert deck.left.tolist() == [2, 0, 2]


def test_a_card_that_is_not_out_cannot_be_discarded() -> None:
    deck, _ = fresh(3)
    held = deck.draw()
    deck.discard(held[1:], np.array([1, 2]))

    with pytest.raises(ValueError, match=f"card {held[1]} is not out in lane 1"):
        deck.discard(held)

    assert deck.discards().tolist() == [0, 1, 1]
    assert out_of(deck, 0) == {held[0]}


@pytest.mark.parametrize("cards", [0, 256])
def test_a_deck_has_at_least_one_card_and_at_most_255(cards: int) -> None:
    with pytest.raises(ValueError, match=f"1 to 255 cards, not {cards}"):
        fresh(1, cards)


# ---------------------------------------------------------------------------------------------------------------------
# Fairness
# ---------------------------------------------------------------------------------------------------------------------


def assert_evenly_spread(counts: NDArray[np.int64]) -> None:
    """Chi-square of counts that ought to be equal, along the last axis; 4 sigma, widened for the number of axes."""
    expected = counts.sum(axis=-1, keepdims=True) / counts.shape[-1]
    chi_square = ((counts - expected) ** 2 / expected).sum(axis=-1)
    freedom = counts.shape[-1] - 1
    sigmas = 4 + np.sqrt(2 * np.log(chi_square.size))  # the largest of k normal numbers lies near sqrt(2 ln k)
    assert np.all(np.abs(chi_square - freedom) < sigmas * np.sqrt(2 * freedom))


@pytest.mark.parametrize("shuffles", [1, 2])
def test_every_card_is_equally_likely_in_every_position(shuffles: int) -> None:
    deck, luck = fresh(52_000)
    for _ in range(shuffles - 1):
        deck.reshuffle(luck)

    counts = np.stack([np.bincount(row, minlength=52) for row in deck.piles.T])  # (positions, cards)

    assert_evenly_spread(counts)
    assert_evenly_spread(counts.T)


def test_all_orders_of_a_small_deck_are_equally_likely() -> None:
    deck, _ = fresh(60_000, cards=4)

    code = (deck.piles.astype(np.int64) * np.array([64, 16, 4, 1])).sum(axis=1)
    _, counts = np.unique(code, return_counts=True)

    assert len(counts) == 24
    assert_evenly_spread(counts)


def test_the_next_shuffle_does_not_remember_the_last() -> None:
    deck, luck = fresh(52_000, cards=8)
    first = deck.piles[:, 0].astype(np.int64)
    deck.reshuffle(luck)

    pairs = np.bincount(first * 8 + deck.piles[:, 0], minlength=64)

    assert_evenly_spread(pairs)


# ---------------------------------------------------------------------------------------------------------------------
# What nobody has seen, shuffled anew
# ---------------------------------------------------------------------------------------------------------------------


def test_shuffling_the_unseen_leaves_the_discard_pile_alone_and_loses_no_card() -> None:
    deck, luck = fresh(30, cards=70)
    for _ in range(9):
        deck.draw()
    some = np.arange(0, 30, 3)
    deck.draw(some)
    for _ in range(20):
        deck.flip()
    seen = [set(range(70)) - out_of(deck, run) - set(pile_of(deck, run)) for run in range(30)]
    before = [pile_of(deck, run) for run in range(30)]

    hands = deck.shuffle_unseen(luck.branched(2, np.arange(30)))

    assert deck.in_hands().tolist() == [10 if run % 3 == 0 else 9 for run in range(30)]
    for run in range(30):
        hand = {int(card) for card in hands[: deck.in_hands()[run], run]}
        assert hand == out_of(deck, run)
        assert len(pile_of(deck, run)) == len(before[run])
        assert hand | set(pile_of(deck, run)) == set(range(70)) - seen[run]
    assert sum(pile_of(deck, run) != before[run] for run in range(30)) == 30


def test_the_unseen_lie_in_the_order_of_the_latest_shuffle_under_the_fresh_luck() -> None:
    deck, luck = fresh(3, cards=12)
    held = [deck.draw() for _ in range(2)]
    deck.reshuffle(luck)
    for card in held:
        deck.discard(card)
    deck.draw()
    unseen = [sorted(out_of(deck, run) | set(pile_of(deck, run))) for run in range(3)]
    other = luck.branched(4, np.arange(3))

    hands = deck.shuffle_unseen(other)

    for run in range(3):
        key = {card: int(other.bits(PURPOSE, 1, TABLE, card)[run]) >> 8 for card in unseen[run]}
        order = sorted(unseen[run], key=key.__getitem__)
        assert [int(hands[0, run]), *pile_of(deck, run)] == order


def test_every_unseen_card_is_as_likely_in_every_place() -> None:
    runs = 6_000
    deck, _ = fresh(1, cards=6)
    deck.draw()
    deck.flip()
    deck = only(deck, np.zeros(runs, dtype=np.int64))
    unseen = sorted(out_of(deck, 0) | set(pile_of(deck, 0)))

    hands = deck.shuffle_unseen(luck_of(1).only(np.zeros(runs, dtype=np.int64)).branched(1, np.arange(runs)))

    for cards in (hands[0], deck.piles[:, 3], deck.piles[:, 0]):
        counts = np.bincount(cards, minlength=6)[unseen]
        assert (abs(counts - runs / 5) < 4 * (runs * 0.2 * 0.8) ** 0.5).all()
