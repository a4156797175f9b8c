"""The progress bar: how far, how fast, how long still, and the win rate so far. Quiet unless somebody watches."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

from sim.core.plain_text import cleaned
from sim.results.statistics import Estimate

Report: TypeAlias = Callable[[int, int, Estimate], None]  # runs done, runs expected, the win rate so far


class _Listening:
    """Who is told instead of a bar; nobody most of the time."""

    told: Report | None = None
    said: Callable[[str], None] | None = None


@contextmanager
def listening(told: Report, said: Callable[[str], None] | None = None) -> Iterator[None]:
    """While this lasts, progress is told to a function and lines about what is known to another; no bar is shown."""
    _Listening.told, _Listening.said = told, said
    try:
        yield
    finally:
        _Listening.told = _Listening.said = None


def _nobody_watches(wanted: bool | None) -> bool:
    """Whether no bar is to be shown. None means: one if standard error is a terminal."""
    return wanted is False or (wanted is None and not sys.stderr.isatty())


def say(line: str, wanted: bool | None) -> None:
    """A line on standard error where a progress bar would be shown, or to who listens: what is known so far."""
    if _Listening.said is not None:
        _Listening.said(cleaned(line))
    elif _Listening.told is None and not _nobody_watches(wanted):
        print(cleaned(line), file=sys.stderr, flush=True)


@contextmanager
def progress_bar(title: str, wanted: bool | None) -> Iterator[Report]:
    """A function to call after every chunk. None means: show a bar if standard error is a terminal."""
    if _Listening.told is not None:
        yield _Listening.told
        return
    if _nobody_watches(wanted):
        yield lambda done, expected, win_rate: None
        return

    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    bar = Progress(
        TextColumn(escape(cleaned(title))),
        BarColumn(bar_width=24),
        TextColumn("{task.fields[runs]}"),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[win]}"),
        console=Console(stderr=True),
        transient=True,
    )
    with bar:
        task = bar.add_task(title, total=None, runs="", rate="", win="")

        def report(done: int, expected: int, win_rate: Estimate) -> None:
            speed = bar.tasks[task].speed
            bar.update(
                task,
                completed=done,
                total=expected,
                runs=f"{done:,} of {expected:,} runs",
                rate=f"{speed:,.0f}/s" if speed else "",
                win=f"win {100 * win_rate.value:.1f} % ± {100 * win_rate.margin:.1f}" if win_rate.known else "",
            )

        yield report
