"""Known luck: an account of what the luck was worth, with mean zero, which changes no run."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from sim.core.deck import Deck, Kinds
from sim.core.engine import play
from sim.core.known_luck import NO_WORTHS, SCALE, STAGES, Faces, KnownLuck, Worths
from sim.core.luck import ENEMIES, TABLE, Luck
from sim.core.pilot import Key, Notes, PilotLuck, fit, learned
from sim.scenario import load
from sim.testing import assert_same

SEED = 3
# Fights that go either way, one of every game.
EVEN = {
    "overhill/playtest-1": {"enemies.skeleton.count": 7},
    "p52/hall-scaling": {"heroes[0].hp": 18, "heroes[0].max_hp": 18},
    "brimstone/high_noon": {"enemies[0].count": 7},
    "second_era/se_clash_scaled_1": {},
}
DRAWS = 10_000_000


def faces(sides: int, worth: list[float], times: int = 1) -> Faces:
    """The same worths for everybody at every stage, for dice of one size."""
    table = np.zeros((sides + 2, STAGES, 1, sides))
    table[sides] = np.array(worth) * times
    return Faces(table, np.zeros(TABLE + 1, dtype=np.int64))


def known(purpose: str, worth: list[float], runs: int = 6) -> KnownLuck:
    return KnownLuck.for_runs(SEED, np.arange(runs), Worths(dice={purpose: faces(len(worth), worth)}))


def test_every_die_adds_what_its_face_is_worth() -> None:
    worth = [-2.5, -1.5, -0.5, 0.5, 1.5, 2.5]
    luck = known("hit", worth)

    first = luck.die(6, "hit", 1, 0)
    again = luck.die(6, "hit", 2, ENEMIES, 0, np.array([4, 1]))
    luck.die(6, "other purpose", 1, 0)
    luck.die(8, "hit", 1, 0)  # a larger die than any it knows

    expected = np.array(worth)[first - 1]
    expected[[4, 1]] += np.array(worth)[again - 1]
    assert_allclose(luck.known, expected)


def test_a_lot_is_counted_once_however_few_have_one_to_draw() -> None:
    luck, sizes = known("lot", [-0.5, 0.5], runs=40), np.ones(40, dtype=np.int64)
    sizes[[3, 17]] = 2

    drawn = luck.below(sizes, "lot", 1, 0)

    expected = np.zeros(40)
    expected[[3, 17]] = np.array([-0.5, 0.5])[drawn[[3, 17]]]
    assert_allclose(luck.known, expected)


def test_a_lane_may_ask_for_several_dice_at_once_and_sizes_may_differ() -> None:
    worth = [-1.0, 0.0, 1.0]
    luck, at = known("hit", worth), np.array([2, 2, 5, 2])

    shown = luck.die(np.array([3, 3, 3, 4]), "hit", 1, np.array([0, 1, ENEMIES, 3]), 0, at)

    gained = [np.array(worth)[face - 1] if size == 3 else 0.0 for face, size in zip(shown, [3, 3, 3, 4], strict=True)]
    expected = np.zeros(6)
    np.add.at(expected, at, gained)
    assert_allclose(luck.known, expected)


def test_the_account_follows_runs_through_compaction_and_joining() -> None:
    luck = known("hit", [-1.0, 1.0])
    luck.die(2, "hit", 1, 0)
    before = luck.known.copy()

    some, others = luck.only(np.array([4, 0])), luck.only(np.array([2]))
    both = some.and_of(others)

    assert_array_equal(both.known, before[[4, 0, 2]])
    assert_array_equal(both.keys, luck.keys[[4, 0, 2]])


def test_a_card_counts_for_its_worth_less_the_mean_worth_of_the_pile_it_lay_on() -> None:
    value = np.arange(8) % 4
    worth = [1.0, 2.0, 4.0, 8.0]
    luck = KnownLuck.for_runs(SEED, np.arange(5), Worths(cards={"attack": faces(4, worth, SCALE)}))
    deck = Deck.shuffled(luck, 8, "shuffle", TABLE, Kinds(value))
    at = np.arange(5)
    expected = np.zeros(5)

    for _ in range(2):
        held = deck.draw(at)  # what is drawn into a hand is not in the pile any more
        pile = [list(deck.piles[run, : deck.left[run]]) for run in at]
        card = deck.flip(at)
        luck.turned(deck, card, "attack", 1, 0, at)
        means = [np.mean([worth[value[one]] for one in cards]) for cards in pile]
        expected += np.array(worth)[value[card]] - means
        deck.discard(held, at)
        deck.reshuffle(luck, at)

    assert_allclose(luck.known, expected)


def test_a_pilot_writes_down_what_was_seen_less_what_was_to_be_expected() -> None:
    notes, plain = Notes(4), Luck.of(SEED, np.arange(4))
    luck = PilotLuck(plain.keys, np.arange(4), notes)

    shown = luck.die(3, "hit", 2, 1)

    seen = notes.tables()
    table = seen[Key("dice", "hit", 3, 1, -2)]
    assert_array_equal(shown, plain.die(3, "hit", 2, 1))
    assert_allclose(table.sum(axis=0), 0, atol=1e-12)
    assert_array_equal(table.argmax(axis=0) + 1, shown)
    assert {key.stage for key in seen} == {-2, -1, 2}


def test_a_coin_that_decides_everything_is_found_out() -> None:
    rng = np.random.default_rng(1)
    heads = rng.integers(0, 2, 1000)
    seen = {Key("dice", "coin", 2, 0, -1): np.stack([heads == 0, heads == 1]) - 0.5}
    seen[Key("dice", "idle", 2, 0, -1)] = rng.integers(0, 2, (1, 1000)) * np.array([[1.0], [-1.0]]) - 0.5

    worths = fit(seen, heads - heads.mean())

    assert worths.gain > 20
    assert list(worths.dice) == ["coin"]
    assert_allclose(worths.dice["coin"].table[2, 0, 0], [-0.5, 0.5], atol=0.1)


def test_where_luck_explains_nothing_none_is_known() -> None:
    rng = np.random.default_rng(2)
    seen = {Key("dice", "idle", 2, 0, -1): rng.integers(0, 2, (2, 1000)) - 0.5}

    assert fit(seen, rng.integers(0, 2, 1000) - 0.5) is NO_WORTHS
    assert learned(load("overhill/ghoul-pack").encounter(), SEED) is NO_WORTHS  # never lost


@pytest.mark.parametrize("name", EVEN)
def test_keeping_account_changes_no_run_and_has_mean_zero(name: str) -> None:
    encounter = load(name, values=EVEN[name]).encounter()
    runs = np.arange(1_500)
    worths = learned(encounter, SEED)

    plain, accounted = play(encounter, SEED, runs), play(encounter, SEED, runs, worths=worths)

    luck = accounted.known_luck
    assert luck is not None
    accounted.known_luck = None
    assert_same(plain, accounted, "the same runs with account kept")
    assert abs(luck.mean()) < 4 * luck.std() / np.sqrt(len(runs))
    won = (plain.outcome == 0).astype(float)
    assert won.var() > 1.1 * (won - luck).var()  # far above noise, in every game


@pytest.mark.parametrize("name", EVEN)
def test_the_known_luck_of_a_run_is_its_own_whatever_it_is_played_with(name: str) -> None:
    encounter = load(name, values=EVEN[name]).encounter()
    worths = learned(encounter, SEED, runs=256)

    together = play(encounter, SEED, np.arange(40), worths=worths).known_luck
    alone = play(encounter, SEED, np.array([31, 7]), worths=worths).known_luck

    assert together is not None
    assert_array_equal(alone, together[[31, 7]])


def test_what_is_learned_is_the_same_each_time() -> None:
    encounter = load("second_era/se_hound").encounter()

    one, other = (play(encounter, SEED, np.arange(9), worths=learned(encounter, SEED, 256)) for _ in range(2))

    assert_array_equal(one.known_luck, other.known_luck)


def mean_zero(name: str, draws: int, monkeypatch: pytest.MonkeyPatch) -> tuple[int, int, float]:
    """Runs, the dice and cards that account was kept of, and how many standard errors the mean luck is from zero."""
    seen = [0]
    dice, cards = Faces.of, KnownLuck.turned

    def thrown(self: Faces, *asked: Any) -> Any:
        found = dice(self, *asked)
        seen[0] += len(found)
        return found

    def turned(self: KnownLuck, deck: Deck, card: Any, purpose: str, round: Any, actor: Any, at: Any) -> None:
        seen[0] += len(at) if purpose in self.worths.cards else 0
        cards(self, deck, card, purpose, round, actor, at)

    monkeypatch.setattr(Faces, "of", thrown)
    monkeypatch.setattr(KnownLuck, "turned", turned)
    encounter = load(name, values=EVEN[name]).encounter()
    worths, runs, total, squares = learned(encounter, SEED), 0, 0.0, 0.0
    while seen[0] < draws:
        luck = play(encounter, SEED, np.arange(runs, runs + 16_384), worths=worths).known_luck
        assert luck is not None
        runs, total, squares = runs + len(luck), total + luck.sum(), squares + (luck**2).sum()
    return runs, seen[0], total / np.sqrt(squares)


@pytest.mark.soak
@pytest.mark.parametrize("name", EVEN)
def test_the_known_luck_of_ten_million_dice_or_cards_has_mean_zero(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _, _, errors = mean_zero(name, DRAWS, monkeypatch)

    assert abs(errors) < 4
