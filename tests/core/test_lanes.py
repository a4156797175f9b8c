"""The words for lanes say what fancy indexing says."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from sim.core.batch import only
from sim.core.lanes import (
    add,
    anyone,
    anywhere,
    columns,
    cut,
    each,
    either,
    is_still,
    keep,
    lookup,
    nobody_where,
    pairs,
    per_lane,
    put,
    rows_of,
    spots,
    still,
    which,
    written,
)  # fmt: skip


def test_lanes_are_the_places_where_a_mask_holds():
    assert_array_equal(which(np.array([True, False, True])), [0, 2])


@pytest.mark.parametrize("but", [None, 0, 2_999])
def test_a_mask_that_holds_in_all_of_many_lanes_is_no_exception(but: int | None):
    mask, values = np.ones(3_000, dtype=bool), np.arange(3_000) * 2
    if but is not None:
        mask[but] = False

    kept = keep(values, mask)

    assert_array_equal(which(mask), np.flatnonzero(mask))
    assert_array_equal(kept, values[mask])
    assert not np.shares_memory(kept, values)  # whoever writes to it does not write to the values


def test_a_mask_of_several_rows_tells_where_anyone_is_meant_and_which_rows():
    mask = np.array([[False, False, False], [True, False, True], [False, False, True]])

    assert_array_equal(anyone(mask), [True, False, True])
    assert_array_equal(rows_of(mask), [1, 2])
    assert anyone(mask[:0]).tolist() == [False, False, False]
    assert rows_of(mask[:, :0]).tolist() == []


@given(st.integers(0, 4), st.integers(0, 20), st.integers(0, 2**32 - 1))
def test_pairs_are_the_rows_and_lanes_where_a_mask_holds(rows: int, runs: int, seed: int):
    mask = np.random.default_rng(seed).random((rows, runs)) < 0.4

    row, lane = pairs(mask)

    assert_array_equal((row, lane), np.nonzero(mask))
    assert_array_equal(each(mask, row, lane), np.ones(len(row), dtype=bool))


@given(st.integers(1, 4), st.integers(1, 20), st.data())
def test_looking_up_equals_fancy_indexing(rows: int, runs: int, data: st.DataObject):
    table = np.arange(rows * runs, dtype=np.int16).reshape(rows, runs)
    at = np.array(sorted(data.draw(st.sets(st.integers(0, runs - 1)))), dtype=np.int64)
    row = np.array([data.draw(st.integers(0, rows - 1)) for _ in at], dtype=np.int64)

    assert_array_equal(cut(table, at), table[:, at])
    assert_array_equal(each(table, row, at), table[row, at])
    mask = np.array([data.draw(st.booleans()) for _ in range(runs)])
    assert_array_equal(keep(table[0], mask), table[0][mask])


@given(st.integers(1, 4), st.integers(1, 20), st.data())
def test_spots_stand_for_the_rows_in_every_table_of_their_shape(rows: int, runs: int, data: st.DataObject):
    table, other = np.arange(rows * runs).reshape(rows, runs), np.ones((rows, runs), dtype=np.int8)
    at = np.array(sorted(data.draw(st.sets(st.integers(0, runs - 1)))), dtype=np.int64)
    row = np.array([data.draw(st.integers(0, rows - 1)) for _ in at], dtype=np.int64)
    some = np.arange(0, len(at), 2)

    place = spots(table, row, at)
    add(other, place, at, 1)
    put(table, only(place, some), at[some], -1)

    assert_array_equal(each(table, place, at), table[row, at])
    assert_array_equal(table[row, at][some], -1)
    assert_array_equal(other[row, at], 2)
    assert other.sum() == rows * runs + len(at)


def test_spots_of_another_batch_are_refused():
    place = spots(np.zeros((2, 5)), np.array([1]), np.array([4]))

    with pytest.raises(ValueError, match="5 runs"):
        each(np.zeros((2, 3)), place, np.array([2]))


@given(st.integers(1, 4), st.integers(1, 20), st.data())
def test_a_still_table_is_read_like_any_other(rows: int, runs: int, data: st.DataObject):
    quiet = still(np.arange(rows, dtype=np.int16), runs)
    plain = written(quiet)
    at = np.array(sorted(data.draw(st.sets(st.integers(0, runs - 1)))), dtype=np.int64)
    row = np.array([data.draw(st.integers(0, rows - 1)) for _ in at], dtype=np.int64)
    some = np.arange(0, len(at), 2)

    assert_array_equal(cut(quiet, at), plain[:, at])
    assert_array_equal(each(quiet, row, at), plain[row, at])
    assert_array_equal(each(quiet, rows - 1, at), plain[rows - 1, at])
    assert_array_equal(each(quiet, spots(plain, row, at), at), plain[row, at])
    assert_array_equal(each(quiet, only(spots(plain, row, at), some), at[some]), plain[row, at][some])
    assert_array_equal(each(quiet, np.arange(rows)[:, None], at), plain[:, at])
    assert is_still(quiet)
    assert not is_still(plain)


def test_nothing_is_lost_in_a_still_table():
    quiet = still(np.zeros(2, dtype=np.int16), 3)
    at, row = np.array([0, 2]), np.array([1, 0])

    with pytest.raises(ValueError, match="written"):
        put(quiet, row, at, 1)
    with pytest.raises(ValueError, match="written"):
        add(quiet, row, at, 1)
    with pytest.raises(ValueError, match="read-only"):
        quiet[0][at] = 1
    assert not quiet.any()


def test_a_table_that_was_written_to_has_room_of_its_own():
    quiet = still(np.zeros(2, dtype=np.int16), 3)

    loud = written(quiet)
    add(loud, np.array([1]), np.array([2]), 5)

    assert loud.tolist() == [[0, 0, 0], [0, 0, 5]]
    assert written(loud) is loud
    assert not quiet.any()


def test_all_lanes_are_written_to_as_a_slice():
    assert anywhere(np.arange(3), 3) == slice(None)
    assert_array_equal(anywhere(np.array([0, 2]), 3), [0, 2])


@given(st.integers(1, 4), st.integers(1, 20), st.data())
def test_writing_equals_fancy_indexing(rows: int, runs: int, data: st.DataObject):
    at = np.array(sorted(data.draw(st.sets(st.integers(0, runs - 1)))), dtype=np.int64)
    row = np.array([data.draw(st.integers(0, rows - 1)) for _ in at], dtype=np.int64)
    ours, plain = np.zeros((2, rows, runs), dtype=np.int16)

    put(ours, row, at, np.arange(len(at)))
    add(ours, row, at, 5)

    plain[row, at] = np.arange(len(at))
    plain[row, at] += 5
    assert_array_equal(ours, plain)


@given(st.lists(st.integers(1, 6), min_size=1, max_size=4), st.integers(0, 30), st.integers(0, 2**32 - 1))
def test_a_lookup_is_one_entry_per_lane_whatever_the_kind_of_its_numbers(shape: list[int], lanes: int, seed: int):
    rng = np.random.default_rng(seed)
    table = rng.integers(0, 100, shape).astype(np.int16)
    index = [rng.integers(0, size, lanes).astype(rng.choice(["int8", "int16", "int64"])) for size in shape]

    assert_array_equal(lookup(table, *index), table[tuple(index)])


def test_a_lookup_takes_plain_numbers_and_tables_of_units():
    table = np.arange(300 * 300).reshape(300, 300)
    units = np.array([[1, 2], [3, 299]], dtype=np.int16)

    assert_array_equal(lookup(table, units, np.array([5, 6], dtype=np.int16)), table[units, [5, 6]])
    assert_array_equal(lookup(table, 299, np.array([5, 6])), table[299, [5, 6]])
    assert lookup(table, 299, 6) == table[299, 6]


def test_small_numbers_do_not_wrap_around_in_a_lookup():
    table = np.arange(3 * 200 * 2).reshape(3, 200, 2)
    last = np.array([1, 0], dtype=np.int8)

    assert_array_equal(lookup(table, 2, 199, last), table[2, 199, last])
    assert_array_equal(
        lookup(table, last, np.array([100, 127], dtype=np.int8), last == 1), table[last, [100, 127], last]
    )


def test_columns_may_repeat_even_if_there_are_as_many_as_lanes():
    table = np.arange(6).reshape(2, 3)

    assert_array_equal(columns(table, np.array([2, 2, 0])), table[:, [2, 2, 0]])


def test_one_row_may_be_named_for_all_lanes():
    table = np.arange(6).reshape(2, 3)

    add(table, 1, np.array([0, 2]), 10)

    assert_array_equal(table, [[0, 1, 2], [13, 4, 15]])


@given(st.integers(1, 3), st.integers(1, 5), st.integers(1, 20), st.data())
def test_a_table_with_more_axes_takes_a_row_for_each(units: int, places: int, runs: int, data: st.DataObject):
    ours = np.arange(units * places * runs, dtype=np.int16).reshape(units, places, runs)
    plain = ours.copy()
    at = np.array(sorted(data.draw(st.sets(st.integers(0, runs - 1)))), dtype=np.int64)
    unit = np.array([data.draw(st.integers(0, units - 1)) for _ in at], dtype=np.int8)
    place = np.array([data.draw(st.integers(0, places - 1)) for _ in at], dtype=np.int64)
    every_place = np.arange(places)[:, None]

    assert_array_equal(each(ours, (unit, place), at), plain[unit, place, at])
    assert_array_equal(each(ours, (unit, every_place), at), plain[unit, every_place, at])
    assert_array_equal(each(ours, (units - 1, place), at), plain[units - 1, place, at])
    assert_array_equal(each(ours, (units - 1, every_place), at), plain[units - 1, every_place, at])
    put(ours, (unit, place), at, 7)
    add(ours, (unit, every_place), at, 1)
    plain[unit, place, at] = 7
    plain[unit, every_place, at] += 1
    assert_array_equal(ours, plain)


@given(st.integers(0, 30), st.integers(0, 2**32 - 1))
def test_columns_can_be_chosen_along_two_axes(lanes: int, seed: int):
    rng = np.random.default_rng(seed)
    table = rng.integers(0, 100, (2, 300, 5))
    kind, cell = rng.integers(0, 300, lanes).astype(np.int16), rng.integers(0, 5, lanes).astype(np.int8)

    assert_array_equal(columns(table, kind, cell), table[:, kind, cell])


@given(st.lists(st.tuples(st.booleans(), st.integers(-999, 999), st.integers(-999, 999)), min_size=1))
def test_either_says_what_where_says(lanes: list[tuple[bool, int, int]]):
    mask, yes, no = (np.array(column) for column in zip(*lanes, strict=True))

    assert_array_equal(either(mask, yes, no), np.where(mask, yes, no))
    assert_array_equal(either(mask, 7, no), np.where(mask, 7, no))
    assert_array_equal(either(mask, yes, -1), np.where(mask, yes, -1))
    assert either(mask, 7, -1).dtype == np.int16


@pytest.mark.parametrize("kind", [np.int8, np.int16, np.int32, np.int64])
@given(lanes=st.lists(st.tuples(st.booleans(), st.integers(-128, 127)), min_size=1))
def test_nobody_where_says_what_where_says(lanes: list[tuple[bool, int]], kind: type[np.signedinteger]):
    mask = np.array([lane[0] for lane in lanes])
    numbers = np.array([lane[1] for lane in lanes], dtype=kind)

    assert_array_equal(nobody_where(mask, numbers), np.where(mask, -1, numbers))
    assert nobody_where(mask, numbers).dtype == kind


def test_one_row_is_spread_over_the_lanes():
    at = np.array([4, 7])

    assert_array_equal(per_lane(3, at), [3, 3])
    assert_array_equal(per_lane(np.int16(3), at), [3, 3])
    assert_array_equal(per_lane(np.array([3, 5], dtype=np.int16), at), [3, 5])
    assert per_lane(np.array([3, 5], dtype=np.int16), at).dtype == np.int64
