"""Text from files, made safe for where it is shown.

A title may hold codes that move the cursor, colour the screen or rename the window of a terminal, and codes that turn
the direction of writing round. Whoever prints says what it prints: such codes are replaced by a sign that can be seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions

# Control codes but line feed and tab; DEL and C1; marks that change the direction of writing.
CODES = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
INSTEAD = "\N{REPLACEMENT CHARACTER}"


def cleaned(text: str) -> str:
    """The text without codes that a terminal would obey.

    >>> print(cleaned("a \\x1b[31mred\\x1b[0m skeleton"))
    a �[31mred�[0m skeleton
    """
    return CODES.sub(INSTEAD, text)


def clean_console(console: Console) -> Console:
    """The same console; whatever is printed there is cleaned, and its own codes for colours are not."""
    console.push_render_hook(_Hook())  # type: ignore[arg-type]  # rich's own class is loaded with rich only
    return console


class _Hook:
    def process_renderables(self, renderables: Iterable[Any]) -> list[Any]:
        return [_Cleaned(one) for one in renderables]


class _Cleaned:
    """Something to print, with clean text."""

    def __init__(self, printed: Any) -> None:
        self.printed = printed

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Any]:
        from rich.segment import Segment

        for segment in console.render(self.printed, options):
            yield segment if segment.control else Segment(cleaned(segment.text), segment.style)
