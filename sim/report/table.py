"""The tables of every report, for the terminal and for the page alike: their cells, columns and rows."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from textwrap import wrap
from typing import TYPE_CHECKING

from sim.results.statistics import Estimate
from sim.results.verdict import percent, places
from sim.scenario.wording import readable

if TYPE_CHECKING:
    from rich.console import Console, JustifyMethod


@dataclass(frozen=True, slots=True)
class Cell:
    """One entry: what it reads, what it sorts by, and what it says when asked."""

    text: str
    key: float | str
    hint: str = ""
    note: bool = False  # an aside rather than a value


@dataclass(frozen=True, slots=True)
class Column:
    """One column; columns of the same group stand under a common heading."""

    title: str
    group: str = ""
    number: bool = True
    where_wide: bool = False  # the first that a narrow terminal leaves out


@dataclass(frozen=True, slots=True)
class Table:
    """A table with a title; a row starts a new section where its section differs from the one above."""

    name: str
    title: str
    about: str
    columns: tuple[Column, ...]
    rows: list[list[Cell]] = field(default_factory=list)
    sections: list[str] = field(default_factory=list)  # one per row; all empty if there are none

    def add(self, *cells: Cell, section: str = "") -> None:
        """One more row."""
        assert len(cells) == len(self.columns), f"{self.name}: {len(cells)} cells for {len(self.columns)} columns"
        self.rows.append(list(cells))
        self.sections.append(section)


# ------------------------------------------------------------------------------------------------------------- cells


def words(text: str, hint: str = "", note: bool = False) -> Cell:
    """An entry that is no number, as people write it: names without underscores."""
    said = readable(text)
    return Cell(said, said.casefold(), hint, note)


def as_typed(text: str) -> Cell:
    """An entry that somebody may want to type: a command or a path, letter by letter."""
    return Cell(text, text.casefold())


def whole(number: int) -> Cell:
    """A count, exact and so without an interval."""
    return Cell(f"{number:,}", float(number))


def rate_cell(estimate: Estimate) -> Cell:
    """A share in percent with both ends of its interval: '12.3 (11.8–12.8)'."""
    if not estimate.known:
        return _unknown(estimate)
    margin = estimate.margin
    low, high = percent(estimate.low, margin), percent(estimate.high, margin)
    return Cell(f"{percent(estimate.value, margin)} ({low}–{high})", estimate.value, _hint(estimate, 100, " %"))


def mean_cell(estimate: Estimate) -> Cell:
    """A mean with its margin: '5.23 ±0.04'; 'always 3' where every run agrees."""
    if not estimate.known:
        return _unknown(estimate)
    shown = places(estimate)
    value = f"{round(estimate.value, shown) + 0.0:,.{shown}f}"  # never "-0"
    if estimate.why == "the same in every run":
        return Cell(f"always {value}", estimate.value, f"the same in all {estimate.n:,} fights")
    if estimate.why:
        return Cell(f"{value} (n=1)", estimate.value, f"no interval: {estimate.why}")
    margin = math.ceil(estimate.margin * 10**shown - 0.5) / 10**shown or 10.0**-shown  # never "±0.000"
    return Cell(f"{value} ±{margin:,.{shown}f}", estimate.value, _hint(estimate, 1, ""))


def _unknown(estimate: Estimate) -> Cell:
    return Cell("–", float("-inf"), estimate.why, note=True)


def _hint(estimate: Estimate, scale: int, unit: str) -> str:
    low, high = f"{scale * estimate.low:.4g}{unit}", f"{scale * estimate.high:.4g}{unit}"
    return f"95 % interval {low} to {high}, from {estimate.n:,} fights"


# -------------------------------------------------------------------------------------------------------- on a terminal


COMFORTABLE = 18  # characters to which a text is broken before a column is left out for it


def print_table(table: Table, console: Console) -> int:
    """One table, with the groups of its columns in the headings; how many columns had no room.

    Nothing is cut: texts are broken into lines, and columns are left out where even that is too wide.
    """
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    drawn = RichTable(
        box=box.SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
        pad_edge=False,
        show_edge=False,
        header_style="",
    )
    shown = columns_with_room(table, console.width)
    for at, heading in zip(shown, _headings(table, shown), strict=True):
        number = table.columns[at].number
        side: JustifyMethod = "right" if number else "left"
        least = _least_width(table, at) if len(shown) > 2 else None  # on the narrowest screens everything is broken
        drawn.add_column(Text(heading), justify=side, overflow="fold", min_width=least)
    for at, row in enumerate(table.rows):
        last = at + 1 < len(table.rows) and table.sections[at] != table.sections[at + 1]
        cells = [Text(row[place].text, style="dim" if row[place].note else "") for place in shown]
        drawn.add_row(*cells, end_section=last)
    console.print()
    console.print(Text.assemble((table.title, "bold"), "  ", (table.about, "dim")))
    console.print(drawn)
    return len(table.columns) - len(shown)


def columns_with_room(table: Table, width: int) -> list[int]:
    """The columns that fit side by side: those for wide screens go first, then the last ones; two always stay."""
    shown = list(range(len(table.columns)))
    while len(shown) > 2 and sum(_least_width(table, at) + 2 for at in shown) - 2 > width:
        for_wide = [at for at in shown[2:] if table.columns[at].where_wide]
        shown.remove(for_wide[-1] if for_wide else shown[-1])
    return shown


def no_room_for(columns: int) -> str:
    """What to do about columns that had no room."""
    more = "1 more column" if columns == 1 else f"{columns} more columns"
    return f"{more} with a wider terminal or in a report (--out FOLDER)."


def _least_width(table: Table, at: int) -> int:
    """How narrow a column may become: numbers stay on one line, texts are broken between words."""
    column = table.columns[at]
    texts = [row[at].text for row in table.rows]
    widest = max(map(len, [column.title, *texts]))
    if column.number:
        return widest
    longest_word = max((len(word) for text in [column.title, *texts] for word in text.split()), default=1)
    return min(widest, max(COMFORTABLE, longest_word))


def _headings(table: Table, shown: list[int]) -> list[str]:
    """The titles, with the group above the first column of each group, broken to the width of that column."""
    above: list[list[str]] = []
    group = ""
    for at in shown:
        column = table.columns[at]
        above.append(wrap(column.group, _least_width(table, at)) if column.group != group else [])
        group = column.group
    height = max(map(len, above), default=0)
    return [
        "\n".join([*[""] * (height - len(lines)), *lines, table.columns[at].title])
        for at, lines in zip(shown, above, strict=True)
    ]
