"""Options that the designers' questions share, and how their answers are shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from sim.cli import options
from sim.cli.terminal import console
from sim.scenario import load
from sim.studies.answer import Answer
from sim.studies.measures import MEASURES

A_CLAIM_IS_BROKEN = 3  # exit status of a gate whose claims do not all hold

runs = options.runs("Play exactly N encounters of each fight.")
precision = click.option(
    "--precision",
    type=click.FloatRange(0, min_open=True),
    metavar="POINTS",
    help="Play until the numbers are known to this many points either way.",
)
measure = click.option(
    "--measure", type=click.Choice(list(MEASURES)), default="win_rate", show_default=True, help="What it is about."
)
confidence = click.option(
    "--confidence", type=click.FloatRange(0.5, 1, max_open=True), default=0.95, show_default=True, help="How sure."
)
max_runs = click.option(
    "--max-runs", type=options.HowMany(), default=1_000_000, show_default=True, help="Where it gives up if undecided."
)


def work_options(out: str) -> Callable[[options.Command], options.Command]:
    """How a question is worked on: --jobs, --out, --resume, --fresh, --backend, --address, --json, --markdown."""
    return options.together(options.jobs, options.out(out), options.resuming, options.backend, options.form)


# What every question takes beside what it asks.
common = options.together(options.seed, work_options("Write tables and report to this folder."))


def show_answer(answer: Answer, out: Path | None, form: options.Form) -> int:
    """Print an answer; the exit status."""
    if form == "json":
        options.print_json(answer.to_dict())
    elif form == "markdown":
        click.echo(answer.to_markdown())
    else:
        answer.print(console())
        if out is not None:
            click.echo(f"\nEverything is in {out}")
    return 0 if answer.holds else A_CLAIM_IS_BROKEN


def read_variant(text: str) -> tuple[str, dict[str, Any] | list[str]]:
    """`NAME: PATH=VALUE; PATH=VALUE`; the name may be left out.

    `scenario=`, `policy=` and `preset=` change those; everything else is a value.
    """
    name, colon, settings = text.partition(":")
    if not colon or "=" in name:
        name, settings = text, text
    parts = [part.strip() for part in settings.split(";") if part.strip()]
    if not parts:
        raise click.BadParameter(f"expected NAME: PATH=VALUE; PATH=VALUE, found '{text}'")
    scenario = [part.partition("=")[2].strip() for part in parts if part.startswith("scenario=")]
    if not scenario:
        return name.strip(), parts
    rest = [part for part in parts if not part.startswith("scenario=")]
    return name.strip(), load(scenario[0], sets=rest)  # type: ignore[return-value]


def read_variants(texts: Sequence[str]) -> dict[str, Any]:
    """Several variants by name; two of one name are a mistake, because one of them would be lost."""
    found: dict[str, Any] = {}
    for text in texts:
        name, change = read_variant(text)
        if name in found:
            raise click.BadParameter(f"'{name}' is given twice; call one of them something else")
        found[name] = change
    return found
