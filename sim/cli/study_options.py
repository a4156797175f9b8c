"""Options that the designers' questions share, and how their answers are shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import Any

import click

from sim.cli import options
from sim.cli.terminal import console
from sim.scenario import Scenario, load
from sim.scenario.changes import asked_for_in_words, title_in_full
from sim.studies.answer import Answer
from sim.studies.measures import EVERY_MEASURE
from sim.studies.options import MOST_CONFIDENCE, MOST_POINTS
from sim.studies.work import StudyStopped

A_CLAIM_IS_BROKEN = 3  # exit status of a gate whose claims do not all hold

runs = options.runs("Play exactly N encounters of each fight.")
precision = click.option(
    "--precision",
    type=click.FloatRange(0, MOST_POINTS, min_open=True),
    metavar="POINTS",
    help="Play until the numbers are known to this many points either way.",
)
measure = click.option(
    "--measure",
    type=click.Choice(list(EVERY_MEASURE)),
    metavar="MEASURE",
    default="win_rate",
    show_default=True,
    help="What it is about; `fairfight show measures` lists them.",
)
confidence = click.option(
    "--confidence", type=click.FloatRange(0.5, MOST_CONFIDENCE), default=0.95, show_default=True, help="How sure."
)
full = click.option("--full", is_flag=True, help="Give everything all its runs, also where it is clear.")
max_runs = click.option(
    "--max-runs", type=options.HowMany(), default=1_000_000, show_default=True, help="Where it gives up if undecided."
)


def tells_what_is_known(command: Callable[..., int]) -> Callable[..., int]:
    """When somebody stops a question on the way, the answer so far is shown all the same."""

    @wraps(command)
    def with_answer_so_far(**how: Any) -> int:
        try:
            return command(**how)
        except StudyStopped as stopped:
            show_answer(stopped.answer, None, how["form"])
            raise

    return with_answer_so_far


def work_options(out: str, needs_out: bool = True) -> Callable[[options.Command], options.Command]:
    """How a question is worked on: processes, folder, browser, cluster, and the form of the answer.

    Args:
        needs_out: False for a command that finds a folder by itself.
    """
    where = (options.out(out), options.opening(needs_out))
    how = (options.jobs, *where, options.resuming, options.backend, options.form)
    return options.together(*how, tells_what_is_known)


# What every question takes beside what it asks.
common = options.together(options.seed, work_options("Write tables and report to this folder."))


def show_answer(answer: Answer, out: Path | None, form: options.Form) -> int:
    """Print an answer; the exit status."""
    if form == "json":
        options.print_json(answer.to_dict())
    elif form == "markdown":
        click.echo(answer.to_markdown())
    else:
        written = f"Everything is in {out}; the report is {out / 'index.html'}" if out is not None else ""
        answer.print(console(), where=written or "For a report with figures and every table: --out FOLDER")
    if out is not None:
        options.open_if_asked(out / "index.html")
    return 0 if answer.holds else A_CLAIM_IS_BROKEN


def read_variant(text: str, base: Scenario) -> tuple[str, Scenario | list[str]]:
    """`NAME: PATH=VALUE; PATH=VALUE`; without a name it is called by what it changes in `base`, in words.

    `scenario=`, `policy=` and `preset=` change those; everything else is a value.
    """
    name, colon, settings = text.partition(":")
    if not colon or "=" in name:
        name, settings = "", text
    parts = [part.strip() for part in settings.split(";") if part.strip()]
    if not parts:
        raise click.BadParameter(f"expected NAME: PATH=VALUE; PATH=VALUE, found '{text}'")
    scenario = [part.partition("=")[2].strip() for part in parts if part.startswith("scenario=")]
    if not scenario:
        return name.strip() or asked_for_in_words(parts, base), parts
    rest = [part for part in parts if not part.startswith("scenario=")]
    other = load(scenario[0], sets=rest)
    return name.strip() or title_in_full(other), other


def read_variants(texts: Sequence[str], base: Scenario) -> dict[str, Any]:
    """Several variants by name; two of one name are a mistake, because one of them would be lost."""
    found: dict[str, Any] = {}
    for text in texts:
        name, change = read_variant(text, base)
        if name in found:
            raise click.BadParameter(f"'{name}' is given twice; call one of them something else")
        found[name] = change
    return found
