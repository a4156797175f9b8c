"""The one way from a result up to its reports.

`result.print()` and `result.report(path)` are what people expect to find, but a report is made of a result and not the
other way round. So a result, the answer of a study and a difference know their reports by this module alone, and it
knows them by name: `sim.report` is loaded when somebody wants to see something for the first time.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, cast

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console


class Reports(Protocol):
    """What `sim.report` can do."""

    def print_result(self, result: Any, console: Console | None = None) -> None:
        """A `Result` on a terminal."""

    def write_result(self, result: Any, folder: Path) -> Path:
        """A `Result` as a folder; returns the path of its page."""

    def write_page(self, result: Any, file: Path) -> Path:
        """A `Result` as one HTML file."""

    def print_answer(self, answer: Any, console: Console | None = None) -> None:
        """The `Answer` of a study on a terminal."""

    def write_answer(self, answer: Any, folder: Path) -> Path:
        """The `Answer` of a study as a folder."""

    def print_difference(self, difference: Any, console: Console | None = None) -> None:
        """A `Difference` on a terminal."""


def reports() -> Reports:
    """The reports, loaded."""
    return cast("Reports", import_module("sim.report"))
