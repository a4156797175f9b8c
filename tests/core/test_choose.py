"""The words of choice, each against a plain loop over lanes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray

from sim.core.choose import BLOCK, WIDE_BLOCK, count, draw_lot, first, lots, narrow, nth, order_by, pick
from sim.core.luck import TABLE, Luck
from tests.oracle.luck import AddressedLuck

SHAPES = st.tuples(st.integers(0, 7), st.integers(0, 5))  # (n, lanes)
KINDS = [np.int8, np.uint8, np.int16, np.int64, np.uint64, np.float32, np.float64, np.bool_]


@st.composite
def masks(draw: st.DrawFn) -> NDArray[np.bool_]:
    return draw(hnp.arrays(np.bool_, draw(SHAPES)))


def key_for(draw: st.DrawFn, shape: tuple[int, int]) -> NDArray[Any]:
    """Keys of every kind: few values, so that ties happen, and the ends of the kind's range."""
    kind = np.dtype(draw(st.sampled_from(KINDS)))
    if kind == np.bool_:
        values: st.SearchStrategy[Any] = st.booleans()
    elif kind.kind == "f":
        values = st.sampled_from([-np.inf, -1.5, 0.0, 0.25, 3.0, np.inf])
    else:
        limits = np.iinfo(kind)
        values = st.sampled_from([int(limits.min), 0, 1, 2, 3, int(limits.max)])
    wide = draw(st.booleans())
    return draw(hnp.arrays(kind, shape if wide else (shape[0], 1), elements=values))


@st.composite
def choices(draw: st.DrawFn) -> tuple[NDArray[np.bool_], list[NDArray[Any]]]:
    shape = draw(st.tuples(st.integers(1, 7), st.integers(1, 5)))
    keys = [key_for(draw, shape) for _ in range(draw(st.integers(1, 3)))]
    return draw(hnp.arrays(np.bool_, shape)), keys


def rows_of(candidates: NDArray[np.bool_], lane: int) -> list[int]:
    return [row for row in range(len(candidates)) if candidates[row, lane]]


def value(key: NDArray[Any], row: int, lane: int) -> Any:
    return key[row, lane if key.shape[1] > 1 else 0].item()


@given(masks())
def test_count_tells_how_many_candidates_each_lane_has(candidates: NDArray[np.bool_]) -> None:
    lanes = candidates.shape[1]

    assert count(candidates).tolist() == [len(rows_of(candidates, lane)) for lane in range(lanes)]
    assert count(candidates).dtype == np.int64


@given(masks(), st.data())
def test_nth_is_the_kth_candidate_or_minus_one(candidates: NDArray[np.bool_], data: st.DataObject) -> None:
    lanes = candidates.shape[1]
    k = data.draw(hnp.arrays(np.int64, lanes, elements=st.sampled_from([-(2**40), -1, 0, 1, 2, 3, 6, 7, 256, 2**40])))

    chosen = nth(candidates, k)

    expected = []
    for lane in range(lanes):
        rows = rows_of(candidates, lane)
        expected.append(rows[k[lane]] if 0 <= k[lane] < len(rows) else -1)
    assert chosen.tolist() == expected
    assert chosen.dtype == np.int64


@given(masks())
def test_first_is_the_first_candidate_or_minus_one(candidates: NDArray[np.bool_]) -> None:
    lanes = candidates.shape[1]

    assert first(candidates).tolist() == [next(iter(rows_of(candidates, lane)), -1) for lane in range(lanes)]


@pytest.mark.parametrize("n", [126, 127, 128, 255, 300])
def test_nth_counts_beyond_the_smallest_kind_of_number(n: int) -> None:
    everyone = np.ones((n, 3), dtype=np.bool_)

    chosen = nth(everyone, np.array([0, n - 1, n]))

    assert chosen.tolist() == [0, n - 1, -1]
    assert count(everyone).tolist() == [n] * 3


@given(choices(), st.booleans())
def test_narrow_keeps_the_best_of_each_lane(
    choice: tuple[NDArray[np.bool_], list[NDArray[Any]]], largest: bool
) -> None:
    candidates, (key, *_) = choice
    before = candidates.copy(), key.copy()

    kept = narrow(candidates, key, largest)

    for lane in range(candidates.shape[1]):
        values = {row: value(key, row, lane) for row in rows_of(candidates, lane)}
        best = (max if largest else min)(values.values(), default=None)
        assert rows_of(kept, lane) == [row for row, found in values.items() if found == best]
    assert np.array_equal(before[0], candidates)
    assert np.array_equal(before[1], key)


@given(choices())
def test_pick_goes_through_the_keys_in_turn(choice: tuple[NDArray[np.bool_], list[NDArray[Any]]]) -> None:
    candidates, keys = choice

    chosen = pick(candidates, by=keys)

    for lane in range(candidates.shape[1]):
        rows = rows_of(candidates, lane)
        ranked = sorted(rows, key=lambda row: (*(value(key, row, lane) for key in keys), row))
        assert chosen[lane] == (ranked[0] if ranked else -1)


@given(choices(), st.integers(0, 2**32))
def test_pick_draws_lots_among_those_that_are_tied(
    choice: tuple[NDArray[np.bool_], list[NDArray[Any]]], seed: int
) -> None:
    candidates, keys = choice
    lanes = candidates.shape[1]
    luck = Luck.of(seed, np.arange(lanes))

    chosen = pick(candidates, by=keys, lot=draw_lot(luck, "target", 3, 1, 2))

    for lane in range(lanes):
        tied = rows_of(candidates, lane)
        for key in keys:
            best = min((value(key, row, lane) for row in tied), default=None)
            tied = [row for row in tied if value(key, row, lane) == best]
        k = AddressedLuck(seed, lane).below(len(tied), "target", 3, 1, 2)
        assert chosen[lane] == (tied[k] if tied else -1)


def test_pick_without_keys_draws_lots_among_all() -> None:
    candidates = np.array([[1, 0, 0], [0, 0, 0], [1, 1, 0]], dtype=np.bool_)

    last = pick(candidates, lot=lambda left: left - 1)

    assert last.tolist() == [2, 2, -1]


def test_a_lot_can_be_drawn_for_some_lanes_of_a_batch() -> None:
    luck = Luck.of(5, np.arange(40))
    at = np.array([3, 17, 30])
    everyone = np.ones((9, 40), dtype=np.bool_)

    some = pick(everyone[:, at], lot=draw_lot(luck, "target", 1, 0, at=at))

    assert some.tolist() == pick(everyone, lot=draw_lot(luck, "target", 1, 0))[at].tolist()


def test_a_lot_is_fair() -> None:
    runs = 60_000
    candidates = np.zeros((5, runs), dtype=np.bool_)
    candidates[[0, 2, 4]] = True

    chosen = pick(candidates, lot=draw_lot(Luck.of(11, np.arange(runs)), "target", 1, 0))

    shares = np.bincount(chosen, minlength=5) / runs
    assert shares[[1, 3]].tolist() == [0, 0]
    assert np.abs(shares[[0, 2, 4]] - 1 / 3).max() < 4 * np.sqrt(1 / 3 * 2 / 3 / runs)


@pytest.mark.parametrize("actor", [TABLE, 2003])
def test_lots_are_drawn_for_each_thing_by_the_actor_who_orders_them(actor: int) -> None:
    at = np.array([0, 2])
    drawn = lots(Luck.of(5, np.arange(3)), "order", 4, [7, 1], at, actor)

    assert drawn.tolist() == [[AddressedLuck(5, k).bits("order", 4, actor, thing) for k in (0, 2)] for thing in (7, 1)]


@given(choices())
def test_order_by_sorts_every_lane_by_the_keys_in_turn(
    choice: tuple[NDArray[np.bool_], list[NDArray[Any]]],
) -> None:
    candidates, keys = choice
    n, lanes = candidates.shape
    keys = [np.broadcast_to(key, (n, lanes)) for key in keys]

    order = order_by(keys)

    assert order.dtype == np.int64
    for lane in range(lanes):
        expected = sorted(range(n), key=lambda row: (*(value(key, row, lane) for key in keys), row))
        assert order[:, lane].tolist() == expected


@pytest.mark.parametrize("make", [lambda key: key, lambda key: key.astype(np.float64), lambda key: key * 2**40])
def test_order_by_gives_the_same_however_the_keys_are_stored(make: Callable[[NDArray[Any]], NDArray[Any]]) -> None:
    rng = np.random.default_rng(1)
    for n, lanes in ((9, 2 * BLOCK + 7), (8, 2 * BLOCK + 7), (2, WIDE_BLOCK + 7)):  # the last block is short
        speed, tie = rng.integers(-3, 3, (n, lanes)), rng.integers(0, 3, (n, lanes))

        order = order_by([make(speed), make(tie)])

        assert np.array_equal(order, np.lexsort((tie, speed), axis=0))


def test_order_by_sorts_a_few_rows_by_keys_below_zero_and_keys_that_are_all_alike() -> None:
    speed = np.random.default_rng(1).integers(-128, 128, (5, BLOCK)).astype(np.int8)  # all that fits beside a row

    assert np.array_equal(order_by([speed, np.full_like(speed, -7)]), np.argsort(speed, axis=0, kind="stable"))


@pytest.mark.parametrize("n", [255, 256, 300])
def test_order_by_takes_many_rows(n: int) -> None:
    key = np.random.default_rng(1).integers(0, 9, (n, 4))

    assert np.array_equal(order_by([key]), np.argsort(key, axis=0, kind="stable"))


@pytest.mark.parametrize("shape", [(0, 4), (4, 0)])
def test_nothing_to_choose_from_is_no_error(shape: tuple[int, int]) -> None:
    key = np.zeros(shape, dtype=np.int64)

    assert order_by([key]).shape == shape
    assert narrow(key == 0, key).shape == shape
    assert pick(key > 0, by=(key, key), lot=lambda left: left).tolist() == [-1] * shape[1]
    assert count(key > 0).tolist() == [0] * shape[1]
    assert nth(key > 0, 0).tolist() == [-1] * shape[1]
