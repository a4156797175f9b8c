"""Dice: reading, rolling at an address, exact chances, the ladder and pools."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import icepool
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.core.dice import LADDER, Dice, keep_highest, pool, step, successes
from sim.core.luck import Luck
from sim.errors import FormulaError
from tests.oracle.luck import AddressedLuck

DICE = st.builds(Dice, st.integers(1, 100), st.integers(1, 1000), st.integers(-50, 50))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2d6+1", Dice(2, 6, 1)),
        ("2d6-1", Dice(2, 6, -1)),
        (" 2 D6 + 1 ", Dice(2, 6, 1)),
        ("d8", Dice(1, 8, 0)),
        ("3", Dice(0, 1, 3)),
        ("-3", Dice(0, 1, -3)),
        (3, Dice(0, 1, 3)),
    ],
)
def test_dice_are_read_as_players_write_them(text: str | int, expected: Dice) -> None:
    assert Dice.parse(text) == expected


@given(DICE)
def test_what_is_written_is_read_back(dice: Dice) -> None:
    assert Dice.parse(str(dice)) == dice


@pytest.mark.parametrize(
    "text", ["", "d", "2d", "2x6", "d6+", "d6+1+1", "2d6+d4", "1.5", True, "1d6\x00", "٣d6", "9" * 41]
)
def test_nonsense_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(FormulaError, match="expected dice such as '2d6") as error:
        Dice.parse(text, place="enemies[0].count")

    assert error.value.problems[0].key == "enemies[0].count"
    assert repr(text) in str(error.value)


@pytest.mark.parametrize(
    ("text", "what"), [("101d6", "number of dice"), ("d1001", "sides"), ("d0", "sides"), ("d6+1000001", "added")]
)
def test_dice_out_of_range_are_refused_with_the_range(text: str, what: str) -> None:
    with pytest.raises(FormulaError, match=f"here: the .*{what} must lie between .* found"):
        Dice.parse(text, place="here")


@given(st.builds(Dice, st.integers(0, 4), st.integers(1, 6), st.integers(-3, 3)))
def test_chances_least_most_and_mean_are_those_of_all_throws(dice: Dice) -> None:
    totals = [sum(throw) + dice.bonus for throw in product(range(1, dice.sides + 1), repeat=dice.count)]

    chances = dice.chances()

    assert chances == {total: Fraction(totals.count(total), len(totals)) for total in set(totals)}
    assert list(chances) == sorted(chances)
    assert (dice.least, dice.most) == (min(totals), max(totals))
    assert dice.mean == Fraction(sum(totals), len(totals))


@pytest.mark.parametrize("text", ["10d6", "3d20+2", "8d12-4"])
def test_chances_of_many_dice_agree_with_icepool(text: str) -> None:
    dice = Dice.parse(text)

    theirs = dice.count @ icepool.d(dice.sides) + dice.bonus

    assert dice.chances() == {int(total): theirs.probability(total) for total in theirs.outcomes()}


def test_the_ith_die_of_a_roll_lies_at_its_index() -> None:
    luck = Luck.of(7, np.arange(50))

    rolled = Dice.parse("3d6+2").roll(luck, "OU-S2", 4, 1003, first_index=10)

    for run in range(50):
        alone = AddressedLuck(7, run)
        assert rolled[run] == 2 + sum(alone.die(6, "OU-S2", 4, 1003, index) for index in (10, 11, 12))


def test_some_lanes_roll_what_they_roll_in_the_whole_batch() -> None:
    luck = Luck.of(7, np.arange(50))
    at = np.array([1, 20, 49])
    first = np.arange(50) * 3

    together = Dice.parse("2d8").roll(luck, "x", 1, 0, first)
    some = Dice.parse("2d8").roll(luck, "x", 1, 0, first[at], at)

    assert some.tolist() == together[at].tolist()


def test_a_plain_number_needs_no_luck() -> None:
    assert Dice.parse(4).roll(Luck.of(7, np.arange(3)), "x", 1, 0).tolist() == [4, 4, 4]
    assert Dice.parse(4).roll(Luck.of(7, np.arange(3)), "x", 1, 0, at=np.array([2])).tolist() == [4]


def test_rolled_totals_follow_their_chances() -> None:
    runs = 100_000
    dice = Dice.parse("2d6-1")

    totals = dice.roll(Luck.of(3, np.arange(runs)), "x", 1, 0)

    shares = np.bincount(totals, minlength=dice.most + 1) / runs
    for total, chance in dice.chances().items():
        assert abs(shares[total] - chance) < 4 * np.sqrt(float(chance * (1 - chance)) / runs)


@given(st.sampled_from(LADDER), st.integers(-8, 8))
def test_stepping_moves_along_the_ladder_and_stays_on_it(die: int, steps: int) -> None:
    rung = min(max(LADDER.index(die) + steps, 0), len(LADDER) - 1)

    assert step(die, steps) == LADDER[rung]
    assert step(np.array([die], dtype=np.int8), steps).tolist() == [LADDER[rung]]
    assert step(die, np.array([steps])).tolist() == [LADDER[rung]]


def test_dice_and_steps_may_differ_from_lane_to_lane() -> None:
    assert step(np.array([2, 8, 12]), np.array([-1, 1, 1])).tolist() == [2, 10, 12]


def test_a_pool_shows_each_die_at_its_index() -> None:
    luck = Luck.of(9, np.arange(20))
    sides = np.array([4, 12] * 10)

    dice = pool(luck, 3, sides, "x", 2, 1, first_index=5)

    assert dice.shape == (3, 20)
    for run in range(20):
        alone = AddressedLuck(9, run)
        assert dice[:, run].tolist() == [alone.die(int(sides[run]), "x", 2, 1, 5 + i) for i in range(3)]


def test_a_pool_for_some_lanes_is_theirs_in_the_whole_batch() -> None:
    luck = Luck.of(9, np.arange(20))
    at = np.array([4, 5, 19])

    assert np.array_equal(pool(luck, 3, 6, "x", 2, 1, at=at), pool(luck, 3, 6, "x", 2, 1)[:, at])


def test_an_empty_pool_has_no_dice_and_no_successes() -> None:
    dice = pool(Luck.of(9, np.arange(4)), 0, 6, "x", 2, 1)

    assert dice.shape == (0, 4)
    assert keep_highest(dice).tolist() == [0, 0, 0, 0]
    assert successes(dice, 3).tolist() == [0, 0, 0, 0]


@given(st.lists(st.lists(st.integers(1, 10), min_size=3, max_size=3), min_size=1, max_size=6), st.integers(0, 7))
def test_keeping_the_highest_sums_them(rows: list[list[int]], keep: int) -> None:
    dice = np.array(rows)  # (count, lanes)

    expected = [sum(sorted(column, reverse=True)[:keep]) for column in zip(*rows, strict=True)]
    assert keep_highest(dice, keep).tolist() == expected


@given(st.lists(st.lists(st.integers(1, 10), min_size=3, max_size=3), min_size=1, max_size=6), st.integers(0, 11))
def test_successes_are_dice_at_or_above_a_number(rows: list[list[int]], number: int) -> None:
    dice = np.array(rows)

    expected = [sum(die >= number for die in column) for column in zip(*rows, strict=True)]
    assert successes(dice, number).tolist() == expected
    assert successes(dice, np.full(3, number)).tolist() == expected
