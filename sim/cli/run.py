"""run: playing a fight many times."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import click

from sim.cli import options
from sim.cli.terminal import console
from sim.runs.runner import run as play


@click.command()
@options.fight
@options.runs("Play exactly N encounters: 20000, 20k, 1M.")
@click.option(
    "--precision",
    type=click.FloatRange(0, 50, min_open=True),
    metavar="POINTS",
    help="Play until the win rate is known to this many percentage points either way (95 % sure); 1 if --runs is "
    "not given.",
)
@options.seed
@options.jobs
@click.option(
    "--chunk", type=options.HowMany(), metavar="N", help="Encounters per piece of work. Never changes a result."
)
@options.out("Write the tables and a report, index.html, to this folder.")
@options.opening()
@options.resuming
@click.option(
    "--keep",
    type=click.Choice(["summary", "runs"]),
    help="With --out: 'runs' writes a table of the single runs too, 'summary' only the sums, in little space.  "
    "[default: runs]",
)
@click.option(
    "--why/--no-why",
    default=True,
    help="With --out: whether the report says what decides the fight, for less than the run itself costs.  "
    "[default: why]",
)
@click.option("--all", "everything", is_flag=True, help="Print every table: abilities, deaths, the game's counts ...")
@options.backend
@options.form
def run(
    fight: options.AskedFight,
    runs: int | None,
    precision: float | None,
    out: Path | None,
    keep: Literal["summary", "runs"] | None,
    everything: bool,
    form: options.Form,
    **how: Any,
) -> None:
    """Play a fight many times: who wins, by how much, and why.

    SCENARIO is a name from `fairfight list scenarios`, or a .toml file of your own.

    \b
    Examples:
      fairfight run overhill/playtest-1
      fairfight run overhill/playtest-1 --runs 20k --seed 7
      fairfight run my-fight.toml --policy cautious --precision 0.5
      fairfight run my-fight.toml --set enemies.skeleton.count=6 --set level=3
      fairfight run my-fight.toml --out reports/my-fight --open
      fairfight run my-fight.toml --out reports/my-fight --runs 10M --resume
    """
    if runs is not None and precision is not None:
        raise click.UsageError("--runs fixes the number of encounters and --precision finds it: give one of them")
    if keep == "runs" and out is None:
        raise click.UsageError("--keep runs writes a table of the single runs: say where with --out")
    result = play(
        fight.load(),
        runs=runs,
        precision=1.0 if precision is None else precision,
        keep=keep or ("summary" if out is None else "auto"),
        out=out,
        command=options.typed(),
        **how,
    )
    if form == "json":
        options.print_json(result.to_dict())
    elif form == "markdown":
        click.echo(result.to_markdown())
    elif out is not None:
        where = f"The report, with figures and every table, is in {out / 'index.html'}"
        result.print(console(), everything=everything, where=where)
    else:
        more = "" if everything else "More tables: --all. "
        where = f"{more}A report with figures and every table: --out FOLDER, and --open to look at it."
        result.print(console(), everything=everything, where=where)
    if out is not None:
        options.open_if_asked(out / "index.html")
