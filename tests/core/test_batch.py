"""Lanes, looking things up for some of them, and compaction."""

from dataclasses import dataclass

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from numpy.typing import NDArray

from sim.core.batch import Blank, joined, only
from sim.core.lanes import is_still, still, written
from sim.core.ledger import Ledger
from sim.core.luck import Luck


@dataclass(frozen=True)
class Facts:
    table: NDArray[np.int16]


@dataclass
class Inner:
    gold: NDArray[np.int32]


@dataclass
class State:
    facts: Facts
    inner: Inner
    luck: Luck
    hp: NDArray[np.int16]
    kills: NDArray[np.int16]
    counts: dict[str, NDArray[np.int32]]
    round: int


@pytest.fixture
def state() -> State:
    return State(
        facts=Facts(np.arange(6)),
        inner=Inner(np.arange(6)),
        luck=Luck.of(7, np.arange(6)),
        hp=np.arange(12, dtype=np.int16).reshape(2, 6),
        kills=np.arange(24, dtype=np.int16).reshape(2, 2, 6),
        counts={"dodged": np.arange(6)},
        round=3,
    )


def test_only_cuts_every_array_at_any_depth(state: State):
    some = only(state, np.array([1, 4]))

    assert_array_equal(some.hp, [[1, 4], [7, 10]])
    assert_array_equal(some.kills[1, 1], [19, 22])
    assert_array_equal(some.inner.gold, [1, 4])
    assert_array_equal(some.counts["dodged"], [1, 4])
    assert_array_equal(some.luck.bits("x", 1, 2), state.luck.bits("x", 1, 2)[[1, 4]])
    assert some.round == 3


def test_only_cuts_the_arrays_in_lists_and_tuples():
    rows = [np.arange(3), (np.arange(6).reshape(2, 3), "a word")]

    cut_rows = only(rows, np.array([2]))

    assert_array_equal(cut_rows[0], [2])
    assert_array_equal(cut_rows[1][0], [[2], [5]])
    assert cut_rows[1][1] == "a word"


def test_only_leaves_the_facts_alone(state: State):
    some = only(state, np.array([1, 4]))

    assert some.facts is state.facts


def test_only_gives_arrays_of_their_own(state: State):
    everyone = only(state, np.arange(6))

    everyone.hp[:] = 0

    assert state.hp.any()


def test_joined_is_the_opposite_of_only(state: State):
    whole = joined(only(state, np.array([0, 1, 2])), only(state, np.array([3, 4, 5])))

    assert_array_equal(whole.hp, state.hp)
    assert_array_equal(whole.kills, state.kills)
    assert_array_equal(whole.inner.gold, state.inner.gold)
    assert_array_equal(whole.counts["dodged"], state.counts["dodged"])
    assert_array_equal(whole.luck.bits("x", 1, 2), state.luck.bits("x", 1, 2))
    assert whole.facts is state.facts
    assert whole.round == 3


def test_joined_goes_through_lists_and_tuples_and_ors_what_concerns_the_whole_batch():
    one = [np.arange(2), (np.zeros((2, 1)), False, "a word")]
    other = [np.arange(3), (np.ones((2, 2)), True, "a word")]

    whole = joined(one, other)

    assert_array_equal(whole[0], [0, 1, 0, 1, 2])
    assert_array_equal(whole[1][0], [[0, 1, 1], [0, 1, 1]])
    assert whole[1][1:] == (True, "a word")


def test_what_is_still_stays_so_when_it_is_cut_and_joined():
    quiet = still(np.array([1, 2], dtype=np.int16), 4)
    same, other = still(np.array([1, 2], dtype=np.int16), 3), still(np.array([1, 3], dtype=np.int16), 3)

    fewer, more = only(quiet, np.array([1, 3])), only(quiet, np.array([0, 0, 1, 1, 2, 2]))
    alike, unlike, half = joined(quiet, same), joined(quiet, other), joined(quiet, written(same))

    assert [is_still(table) for table in (fewer, more, alike, unlike, half)] == [True, True, True, False, False]
    assert [table.shape[1] for table in (fewer, more, alike, unlike, half)] == [2, 6, 7, 7, 7]
    assert_array_equal(more, [[1] * 6, [2] * 6])
    assert_array_equal(unlike, [[1] * 7, [2] * 4 + [3] * 3])
    assert_array_equal(half, alike)


def test_still_tables_begin_like_others_and_vary_like_others():
    blank = Blank(3)
    varied = Blank(4, variants=2)

    for kind, value in (("tiny", -1), ("small", 7), ("wide", 9), ("mask", True)):
        quiet, loud = getattr(blank.still, kind)(2, 2, value=value), getattr(blank, kind)(2, 2, value=value)
        assert_array_equal(quiet, loud)
        assert (is_still(quiet), is_still(loud), quiet.dtype) == (True, False, loud.dtype)
    assert_array_equal(blank.still.alike([3, 4]), blank.alike([3, 4]))
    assert is_still(blank.still.alike([3, 4]))
    assert_array_equal(varied.still.alike([3, 4]), varied.alike([3, 4]))


def test_accounts_that_are_not_opened_yet_are_still_and_empty():
    book = Ledger.blank(2, 3, 4, unopened=("healing", "uses"))

    assert [is_still(table) for table in (book.healing, book.uses, book.kills, book.hits)] == [True, True, False, False]
    assert (book.healing.shape, book.uses.shape) == ((2, 4), (3, 4))
    assert not book.healing.any()
    assert not book.uses.any()


def test_batches_of_different_rounds_are_not_joined(state: State):
    later = only(state, np.array([1]))
    later.round = 4

    with pytest.raises(ValueError, match="3 and 4"):
        joined(state, later)
