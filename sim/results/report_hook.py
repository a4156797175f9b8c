"""The one way from a result up to its reports.

`result.print()` and `result.report(path)` are what people expect to find, but a report is made of a result and not the
other way round. So a result, the answer of a study and a difference know their reports by this module alone, and it
knows them by name: each part of `sim.report` is loaded when somebody first wants to see something of that kind.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.axes import Axes
    from rich.console import Console


def _report(part: str) -> Any:
    """A module of `sim.report`."""
    return import_module(f"sim.report.{part}")


def print_result(result: Any, console: Console | None, everything: bool, where: str) -> None:
    """A `Result` on a terminal."""
    _report("result_terminal").print_result(result, console, everything, where)


def result_markdown(result: Any) -> str:
    """A `Result` as Markdown."""
    text: str = _report("markdown").result_markdown(result)
    return text


def answer_markdown(answer: Any) -> str:
    """The `Answer` of a study as Markdown."""
    text: str = _report("markdown").answer_markdown(answer)
    return text


def plot_result(result: Any, what: str | None) -> Axes | list[Axes]:
    """A figure of a `Result`."""
    axes: Axes | list[Axes] = _report("plots").plot_result(result, what)
    return axes


def plot_answer(answer: Any, what: str | None) -> Axes | list[Axes]:
    """A figure of the `Answer` of a study."""
    axes: Axes | list[Axes] = _report("plots").plot_answer(answer, what)
    return axes


def write_result(result: Any, folder: Path) -> Path:
    """A `Result` as a folder; returns the path of its page."""
    return _report("result_folder").write_result(result, folder)


def write_page(result: Any, file: Path) -> Path:
    """A `Result` as one HTML file; returns its path."""
    return _report("result_folder").write_page(result, file)


def print_answer(answer: Any, console: Console | None, where: str) -> None:
    """The `Answer` of a study on a terminal."""
    _report("study_terminal").print_answer(answer, console, where)


def write_answer(answer: Any, folder: Path) -> Path:
    """The `Answer` of a study as a folder; returns the folder."""
    return _report("study_folder").write_answer(answer, folder)


def print_difference(difference: Any, console: Console | None) -> None:
    """A `Difference` on a terminal."""
    _report("study_terminal").print_difference(difference, console)
