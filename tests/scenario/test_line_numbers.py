"""On which line each key of a TOML file stands."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.scenario.toml_reader import LineNumbers
from sim.scenario.toml_writer import to_toml
from sim.scenario.values import KeyPath

EVERYTHING = '''# a comment with [brackets] and = signs
title = "a # is no comment here" # but here it is
text = """
first "" line
[not.a.table]
last\\""""
raw = \'\'\'
it's = raw''\'\'\'
numbers = [
    1, # one
    [2, 3],

    { deep = "x", deeper.still = [4] },
]
when = 1979-05-27 07:32:00
a."b c".d = true
'single' = 'q"uote'

[table]
key = 1
[table.inner."spaced key"]
x = { y = { z = 1 } }

[[heroes]]
class = "warrior"
items = { potion = 1 }
[heroes.pack]
rope = 1
[[heroes.pets]]
name = "dog"
[[heroes.pets]]
name = "cat"
[[heroes]]
class = "rogue"
[[heroes.pets]]
name = "rat"
'''


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("title",), 2),
        (("text",), 3),
        (("raw",), 7),
        (("numbers",), 9),
        (("numbers", 0), 10),
        (("numbers", 1), 11),
        (("numbers", 1, 1), 11),
        (("numbers", 2, "deeper", "still", 0), 13),
        (("when",), 15),
        (("a", "b c", "d"), 16),
        (("single",), 17),
        (("table",), 19),
        (("table", "key"), 20),
        (("table", "inner", "spaced key", "x", "y", "z"), 22),
        (("heroes",), 24),
        (("heroes", 0), 24),
        (("heroes", 0, "items", "potion"), 26),
        (("heroes", 0, "pack", "rope"), 28),
        (("heroes", 0, "pets", 1, "name"), 32),
        (("heroes", 1, "class"), 34),
        (("heroes", 1, "pets", 0, "name"), 36),
    ],
)
def test_a_key_is_found_on_its_line(path: KeyPath, line: int) -> None:
    lines = LineNumbers(EVERYTHING)

    assert lines.found[path] == line


def test_every_key_that_the_reader_knows_has_a_line_and_no_other() -> None:
    lines = LineNumbers(EVERYTHING)

    assert set(lines.found) == set(paths_of(tomllib.loads(EVERYTHING)))


def test_a_key_that_is_not_there_has_the_line_of_what_is_around_it() -> None:
    lines = LineNumbers(EVERYTHING)

    assert lines.of(("heroes", 1, "level")) == 33
    assert lines.of(("heroes", 7)) == 24
    assert lines.of(("nowhere",)) is None


def test_lists_without_end_stop_the_walk_and_nothing_else() -> None:
    deep = "a = 1\nb = " + "[" * 5000 + "]" * 5000

    assert LineNumbers(deep).of(("a",)) == 1


NAMES = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=6)
VALUES = st.recursive(
    st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False, allow_infinity=False) | NAMES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=12,
)


@given(st.dictionaries(NAMES, VALUES, max_size=4))
def test_whatever_is_written_as_toml_is_read_back_and_every_key_has_a_line(table: dict[str, Any]) -> None:
    text = to_toml(table)

    assert tomllib.loads(text) == table
    assert set(LineNumbers(text).found) == set(paths_of(table))


def paths_of(value: Any, path: KeyPath = ()) -> list[KeyPath]:
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    here = [path] if path else []
    return here + [found for step, below in steps for found in paths_of(below, (*path, step))]
