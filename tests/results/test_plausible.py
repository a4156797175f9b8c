"""Rows that were kept in a folder are held against the runs that they are said to be of."""

from __future__ import annotations

import numpy as np
import pytest

import sim
from sim.core.engine import play
from sim.core.outcomes import Cast
from sim.results.plausible import Likeness
from sim.results.tables import RUNS_FILE, SIZES, TABLES, packed

RUNS = range(40)


@pytest.fixture(scope="module")
def likeness() -> Likeness:
    return Likeness.of(sim.load("overhill/playtest-1").encounter(), 1)


def rows_of_runs(runs: range, name: str = RUNS_FILE) -> bytes:
    encounter = sim.load("overhill/playtest-1").encounter()
    return packed(TABLES[name](play(encounter, 1, np.arange(runs.start, runs.stop)), encounter.cast))


@pytest.mark.parametrize("name", TABLES)
def test_the_rows_of_the_runs_are_counted(likeness: Likeness, name: str) -> None:
    halves = rows_of_runs(range(15), name) + rows_of_runs(range(15, 40), name)

    assert likeness.check_rows(name, halves, RUNS) == likeness.check_rows(name, rows_of_runs(RUNS, name), RUNS) >= 40


def test_a_few_bytes_are_not_unpacked_to_millions_of_rows(likeness: Likeness) -> None:
    columns, words = TABLES[RUNS_FILE](play(sim.load("overhill/playtest-1").encounter(), 1, np.arange(1)), _cast())
    many = packed(({name: np.repeat(values, 3_000_000) for name, values in columns.items()}, words))

    assert len(many) < 200_000
    with pytest.raises(ValueError, match=r"its rows unpack to [\d,]{10,} bytes, more than"):
        likeness.check_rows(RUNS_FILE, many, RUNS)


@pytest.mark.parametrize("bytes_left", [3, SIZES.size, 100])
def test_rows_that_are_cut_short_are_refused(likeness: Likeness, bytes_left: int) -> None:
    with pytest.raises(ValueError, match=r"cut short|cannot be read"):
        likeness.check_rows(RUNS_FILE, rows_of_runs(RUNS)[:bytes_left], RUNS)


def test_a_size_that_lies_is_refused(likeness: Likeness) -> None:
    rows = rows_of_runs(RUNS)
    size, length = SIZES.unpack_from(rows)

    with pytest.raises(ValueError, match="cannot be read"):
        likeness.check_rows(RUNS_FILE, SIZES.pack(size - 8, length) + rows[SIZES.size :], RUNS)


def _cast() -> Cast:
    return sim.load("overhill/playtest-1").encounter().cast
