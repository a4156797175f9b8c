"""Tables and texts for a terminal, and for a pipe. Everything that commands print goes through here and is cleaned."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import click

from sim.core.plain_text import clean_console, cleaned
from sim.scenario.values import is_list_of_tables, readable

if TYPE_CHECKING:
    from rich.console import Console

_WIDTH_OF_A_PIPE = 160  # nobody's window sets it, so long lines stay whole


def console() -> Console:
    """Standard output: as wide as the window, and without colours in a pipe."""
    from rich.console import Console

    width = None if sys.stdout.isatty() else _WIDTH_OF_A_PIPE
    return clean_console(Console(highlight=False, emoji=False, width=width))


def say(text: str = "", *, err: bool = False, nl: bool = True) -> None:
    """A text on standard output, or on standard error, without codes that a terminal would obey."""
    click.echo(cleaned(text), err=err, nl=nl)


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
    from rich.text import Text

    if not rows:
        return
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]) - 1)]
    indent = 2 + sum(width + 2 for width in widths)
    for *cells, last in rows:
        line = Text("  ")
        for place, cell in enumerate(cells):
            line.append(f"{cell:{widths[place]}}  ", style=styles[place] if place < len(styles) else "")
        wrapped = wrap(last, max(screen.width - indent, 20), break_on_hyphens=False) or [""]
        line.append(("\n" + " " * indent).join(wrapped))
        line.rstrip()
        screen.print(line, soft_wrap=True)


def entries(screen: Console, rows: Sequence[Mapping[str, Any]]) -> None:
    """A list of tables as one table: a column for every key, or a row for every key where that is too wide."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    lines = [line for row in rows for line in unfolded(row)]
    keys = list(dict.fromkeys(key for line in lines for key in line))
    across = [keys, *([line.get(key, "") for key in keys] for line in lines)]
    down = [list(column) for column in zip(*across, strict=True)]
    head, *body = across if _width(across) <= max(screen.width, _width(down)) else down
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for place, title in enumerate(head):
        numbers = all(row[place].lstrip("-").isdigit() for row in body if row[place])
        table.add_column(Text(title), justify="right" if numbers else "left", overflow="fold")
    for row in body:
        table.add_row(*(Text(cell) for cell in row))
    screen.print(table)


def _width(rows: Sequence[Sequence[str]]) -> int:
    """How wide a table becomes whose cells are not broken."""
    return sum(max(len(cell) for cell in column) + 3 for column in zip(*rows, strict=True))


def unfolded(row: Mapping[str, Any]) -> list[dict[str, str]]:
    """The cells of a table as lines: one, or one for every entry of a list of tables inside it.

    >>> unfolded({"on": "3", "enemies": [{"type": "gobbo"}, {"type": "dog"}]})
    [{'on': '3', 'type': 'gobbo'}, {'type': 'dog'}]
    """
    own = {key: readable(value) for key, value in row.items() if not is_list_of_tables(value)}
    inner = [line for value in row.values() if is_list_of_tables(value) for part in value for line in unfolded(part)]
    return [own | inner[0], *inner[1:]] if inner else [own]
