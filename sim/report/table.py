"""The tables of every report, for the terminal and for the page alike: their cells, columns and rows."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sim.results.statistics import Estimate
from sim.results.verdict import percent, places

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
    where_wide: bool = False  # a terminal leaves it out


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
    """An entry that is no number."""
    return Cell(text, text.casefold(), hint, note)


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
    value = f"{estimate.value:,.{shown}f}"
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


def print_table(table: Table, console: Console) -> None:
    """One table, with the groups of its columns in the headings."""
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
    shown = [at for at, column in enumerate(table.columns) if not column.where_wide]
    grouped = any(column.group for column in table.columns)
    group = ""
    for column in (table.columns[at] for at in shown):
        above = f"{column.group if column.group != group else ''}\n" if grouped else ""
        group = column.group
        side: JustifyMethod = "right" if column.number else "left"
        drawn.add_column(Text(above + column.title), justify=side, no_wrap=column.number)
    for at, row in enumerate(table.rows):
        last = at + 1 < len(table.rows) and table.sections[at] != table.sections[at + 1]
        cells = [Text(row[place].text, style="dim" if row[place].note else "") for place in shown]
        drawn.add_row(*cells, end_section=last)
    console.print()
    console.print(Text.assemble((table.title, "bold"), "  ", (table.about, "dim")))
    console.print(drawn)
