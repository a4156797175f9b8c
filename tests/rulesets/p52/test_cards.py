"""The deck, flips and stamina piles (section 1)."""

from __future__ import annotations

import numpy as np
import pytest

from sim.core.engine import play
from sim.rulesets.p52.rules.cards import VALUE, flip, give_card, play_card
from sim.rulesets.p52.rules.counters import attack
from sim.rulesets.p52.rules.enemy_moves import hero_to_walk_to
from sim.rulesets.p52.rules.hero_turns import pass_turn
from sim.rulesets.p52.state import State
from tests.rulesets.p52.fights import ONE, begin, compiled, flips, foe, hero, hold, next_round, stack

JACK = [foe("J clubs")]


def in_place(s: State) -> np.ndarray:
    """(52, runs). How often each card is found: draw pile, discard pile and stamina piles together."""
    deck = s.deck
    assert deck is not None
    found = np.zeros((52, s.size), dtype=int)
    for run in range(s.size):
        drawn = deck.piles[run, : deck.left[run]]
        found[drawn, run] += 1
        held = [
            s.pile[h, (s.pile_top[h, run] + place) % 10, run]
            for h in range(s.heroes)
            for place in range(s.cards[h, run])
        ]
        for card in held:
            found[card, run] += 1
        assert deck.left[run] + deck.discards()[run] + len(held) == 52
    return found


@pytest.mark.rule("P52-R1", "P52-R2")
def test_cards_are_worth_1_to_13_four_times_each_and_a_flip_discards() -> None:
    assert sorted(VALUE[:52].tolist()) == sorted(list(range(1, 14)) * 4)

    _, s = begin([hero("fighter")], JACK, stamina_start=0)
    assert s.deck is not None
    stack(s, 13, 1)

    assert [int(flip(s, ONE, "P52-R2")[0]), int(flip(s, ONE, "P52-R2")[0])] == [13, 1]
    assert int(s.deck.discards()[0]) == 2


@pytest.mark.rule("P52-R3", "P52-S3", "P52-S4", "P52-U4")
@pytest.mark.parametrize(("party", "flips"), [(1, 34), (4, 19)])
def test_w21_the_deck_is_reshuffled_when_13_cards_are_left(party: int, flips: int) -> None:
    _, s = begin([hero("fighter")] * party, JACK)
    assert s.deck is not None
    assert s.cards[:, 0].tolist() == [5] * party
    for _ in range(flips):
        flip(s, ONE, "P52-R2")
    assert int(s.deck.shuffles[0]) == 0

    flip(s, ONE, "P52-R2")

    assert int(s.deck.shuffles[0]) == 1


@pytest.mark.rule("P52-R4")
def test_no_card_is_ever_lost_or_in_two_places() -> None:
    encounter, s = begin(
        [hero("fighter", 3), hero("rogue", 3), hero("wizard", 3)],
        [foe("K hearts", 0, 0), foe("Q clubs", 3, 0)],
        board="great_room", policy="random_legal", runs=20,
    )  # fmt: skip
    for _ in range(12):
        found = in_place(s)
        assert found.max() == 1  # what is in no pile lies on the discard pile
        if not s.live.any():
            break
        next_round(encounter, s)


@pytest.mark.rule("P52-R5")
def test_a_stamina_draw_is_refused_when_fewer_than_ten_cards_are_left() -> None:
    _, s = begin([hero("fighter")], JACK, stamina_start=0)
    assert s.deck is not None
    s.deck.left[:] = 9
    held = set(range(52)) - set(s.deck.piles[0, :9].tolist())
    s.deck.out[:] = sum(1 << card for card in held)

    give_card(s, 0, ONE)
    assert int(s.cards[0, 0]) == 0

    s.deck.discard(np.array([min(held)]), ONE)
    give_card(s, 0, ONE)
    assert int(s.cards[0, 0]) == 1


@pytest.mark.rule("P52-R6", "P52-C2")
def test_w11_a_flipped_ace_fails_although_a_king_of_stamina_makes_14() -> None:
    _, s = begin([hero("fighter", abilities={"sword": 2})], JACK)
    hold(s, 0, 13)
    stack(s, 1, 5)
    way = next(way for way in s.facts.kits[0].attacks if way.name == "sword")
    before = int(s.foe_hp[0, 0])

    lost = attack(s, 0, way, np.array([0]), ONE, np.array([True]))

    assert int(lost[0]) == 0
    assert int(s.foe_hp[0, 0]) == before
    assert flips(s, "enemy_attacks") == 1  # the counter attack


@pytest.mark.rule("P52-R7")
def test_damage_below_0_counts_as_0() -> None:
    _, s = begin([hero("rogue", 1, at=(0, 0))], [foe("J spades", 6, 0)], board="lane", data_set="mountain")
    bow = next(way for way in s.facts.kits[0].attacks if way.name == "bow_skills")

    assert bow.base[0, 10].max() == 3 + (29 + 2 - 14) - 10
    assert bow.base[bow.base != -1].min() == 0


@pytest.mark.rule("P52-R8")
def test_independent_values_are_uniform() -> None:
    _, s = begin([hero("fighter")], JACK, deck_mode="iid", runs=13_000)
    at = np.arange(s.size)

    values = np.bincount(flip(s, at, "P52-R2"), minlength=14)[1:]

    assert abs(values - 1000).max() < 4 * np.sqrt(1000)


@pytest.mark.rule("P52-R9")
def test_lots_take_no_card() -> None:
    _, s = begin([hero("fighter", at=(0, 0)), hero("fighter", at=(6, 0))], [foe("K clubs", 3, 0)], board="lane")
    assert s.deck is not None
    before = int(s.deck.left[0])
    hero_to_walk_to(s, 0, ONE)

    assert int(s.deck.left[0]) == before


@pytest.mark.rule("P52-H9")
def test_passing_draws_a_card_below_the_maximum() -> None:
    _, s = begin([hero("fighter")], JACK, stamina_start=4)
    s.aim[0], s.stance[0] = 2, 2

    pass_turn(s, 0, ONE)
    pass_turn(s, 0, ONE)

    assert int(s.cards[0, 0]) == 5
    assert int(s.aim[0, 0]) == 0
    assert int(s.stance[0, 0]) == 0


def test_a_played_card_goes_to_the_discard_pile() -> None:
    _, s = begin([hero("fighter")], JACK)
    assert s.deck is not None

    play_card(s, 0, ONE)

    assert int(s.deck.discards()[0]) == 1
    assert int(s.cards[0, 0]) == 4


def test_a_fight_of_independent_values_is_a_fight() -> None:
    outcomes = play(compiled([hero("fighter")], JACK, deck_mode="iid"), 3, np.arange(10))

    assert outcomes.size == 10
