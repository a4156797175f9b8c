"""Tables on a narrow terminal: fewer columns, texts broken between words, nothing cut."""

from io import StringIO

import pytest
from rich.console import Console

from sim.report.table import Cell, Column, Table, columns_with_room, no_room_for, print_table, words


@pytest.fixture
def table() -> Table:
    """A name, a text, a number for wide screens and two more."""
    columns = (
        Column("variant", number=False),
        Column("win rate", "share of fights in %"),
        Column("damage", "per use", where_wide=True),
        Column("rounds"),
        Column("hp left"),
    )
    made = Table("example", "An example", "", columns)
    number = Cell("12.3 (11.8–12.8)", 12.3)
    made.add(words("the same but with a longer name"), number, number, number, number)
    return made


def drawn(table: Table, width: int) -> tuple[str, int]:
    """What the terminal shows, and how many columns had no room."""
    page = StringIO()
    left_out = print_table(table, Console(file=page, width=width, force_terminal=True, color_system=None))
    return page.getvalue(), left_out


def test_a_wide_terminal_shows_every_column(table: Table) -> None:
    shown, left_out = drawn(table, 160)

    assert left_out == 0
    assert "the same but with a longer name" in shown


def test_columns_for_wide_screens_go_first_and_then_the_last_ones(table: Table) -> None:
    kept = {width: columns_with_room(table, width) for width in (160, 80, 60, 40, 10)}

    assert kept == {160: [0, 1, 2, 3, 4], 80: [0, 1, 3, 4], 60: [0, 1, 3], 40: [0, 1], 10: [0, 1]}


@pytest.mark.parametrize("width", [30, 40, 60, 80, 120])
def test_nothing_is_cut(table: Table, width: int) -> None:
    shown, _ = drawn(table, width)

    assert "…" not in shown
    assert max(map(len, shown.splitlines())) <= width
    for word in ["the", "same", "but", "with", "a", "longer", "name"]:
        assert word in shown
    if width >= 40:
        assert "12.3 (11.8–12.8)" in shown


def test_what_had_no_room_is_counted_in_words() -> None:
    assert no_room_for(1).startswith("1 more column with")
    assert no_room_for(5).startswith("5 more columns with")
