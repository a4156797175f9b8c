"""Tables for a terminal, and for a pipe."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

_WIDTH_OF_A_PIPE = 160  # nobody's window sets it, so long lines stay whole


def console() -> Console:
    """Standard output: as wide as the window, and without colours in a pipe."""
    from rich.console import Console

    return Console(highlight=False, emoji=False, width=None if sys.stdout.isatty() else _WIDTH_OF_A_PIPE)


def heading(screen: Console, text: str) -> None:
    """A heading with an empty line before it."""
    from rich.text import Text

    screen.print()
    screen.print(Text(text, style="bold"))


def names(screen: Console, rows: Sequence[tuple[str, str]]) -> None:
    """Names on the left, a line about each on the right."""
    columns(screen, rows, styles=("cyan", ""))


def columns(screen: Console, rows: Sequence[Sequence[str]], styles: Sequence[str] = ()) -> None:
    """Text in columns, without a frame; only the last column is broken into lines."""
    from rich.table import Table
    from rich.text import Text

    if not rows:
        return
    table = Table.grid(padding=(0, 2))
    for place in range(len(rows[0])):
        last = place == len(rows[0]) - 1
        table.add_column(no_wrap=not last, overflow="fold", style=styles[place] if place < len(styles) else "")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    from rich.padding import Padding

    screen.print(Padding(table, (0, 0, 0, 2)))


def entries(screen: Console, rows: Sequence[Mapping[str, Any]]) -> None:
    """A list of tables as one table: a column for every key that any of them has."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    keys = list(dict.fromkeys(key for row in rows for key in row))
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for key in keys:
        numbers = all(isinstance(row.get(key, 0), (int, float)) and not isinstance(row.get(key), bool) for row in rows)
        table.add_column(Text(key), justify="right" if numbers else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(plain(row[key])) if key in row else Text("") for key in keys))
    screen.print(table)


def plain(value: Any) -> str:
    """A value as a designer reads it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {plain(part)}" for key, part in value.items()) or "-"
    if isinstance(value, (list, tuple)):
        return ", ".join(plain(part) for part in value) or "-"
    return "-" if value is None or value == "" else str(value)
