"""Key paths, written and read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.scenario.values import key_path, spell, steps


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("level", ["level"]),
        ("heroes.0.level", ["heroes", "0", "level"]),
        ("heroes[0].level", ["heroes", "0", "level"]),
        ("heroes[ 0 ].level", ["heroes", "0", "level"]),
        ("heroes[*].level", ["heroes", "*", "level"]),
        ("heroes.*.level", ["heroes", "*", "level"]),
        ("heroes.Old Ada.level", ["heroes", "Old Ada", "level"]),
        ('heroes."St. Ada".level', ["heroes", "St. Ada", "level"]),
        ("encounter.rows[2].enemies.gobbo.count", ["encounter", "rows", "2", "enemies", "gobbo", "count"]),
    ],
)
def test_a_path_is_read_by_keys_and_indices(text: str, expected: list[str]) -> None:
    assert steps(text) == expected


NO_PATHS = ["", " ", ".", "a.", ".a", "a..b", "a.[0]", "a[", "a]", "a[x]", "a[-1]", 'a."b', "[0]b"]


@pytest.mark.parametrize("text", NO_PATHS)
def test_what_is_no_path_is_refused(text: str) -> None:
    assert steps(text) is None


@given(st.lists(st.text(min_size=1, max_size=5) | st.integers(0, 99), min_size=1, max_size=5))
def test_a_path_that_was_spelled_is_read_back(path: list[str | int]) -> None:
    path = ["top", *path]

    assert key_path(spell(tuple(path))) == tuple(path)
