"""gate, study, diff: questions that stand in files, and answers that were kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from sim.cli import options
from sim.cli.study_options import common, max_runs, runs, show_answer, work_options
from sim.cli.terminal import console
from sim.studies.diff import diff as ask_diff
from sim.studies.gate import gate as ask_gate
from sim.studies.study import study as ask_study


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@max_runs
@common
def gate(file: Path, form: options.Form, **how: Any) -> int:
    """Check a file of claims about fights: balance as a test.

    The exit status is 0 if all claims hold and 3 if not. A file holds any number of claims:

    \b
      [[claims]]
      scenario = "overhill/crypt-swarm"
      policy = "cautious"
      win_rate = [0.65, 0.80]
      confidence = 0.99

    \b
    Examples:
      fairfight gate balance.toml
      fairfight gate experiments/overhill-gate.toml --seed 7
    """
    return show_answer(ask_gate(file, command=options.typed(), **how), how["out"], form)


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@runs
@click.option("--seed", type=click.IntRange(0, options.LARGEST_SEED), metavar="S", help="Another luck than the file's.")
@work_options("Where to write it; reports/NAME if not given.", needs_out=False)
def study(file: Path, form: options.Form, **how: Any) -> int:
    """Run a study file: a question about a fight, written down.

    Tables, figures and a report are written to reports/NAME.

    \b
    Examples:
      fairfight study experiments/how-many-skeletons.toml
      fairfight study my-study.toml --runs 2k --out reports/quick
      fairfight study my-study.toml --resume
    """
    if how["out"] is None:
        if file.stem in (".", ".."):  # of "..toml" and "...toml"
            raise click.UsageError(f"'{file.name}' gives the folder of its answer no name: say where with --out")
        how["out"] = Path("reports") / file.stem
    return show_answer(ask_study(file, command=options.typed(), **how), how["out"], form)


@click.command()
@click.argument("first")
@click.argument("second")
@options.as_json
def diff(first: str, second: str, as_json: bool) -> None:
    """What changed between two results: the fight, the house rules, and the numbers beyond noise.

    FIRST and SECOND are folders written with --out, or JSON files written with --json.

    \b
    Examples:
      fairfight diff reports/monday reports/tuesday
    """
    found = ask_diff(first, second)
    if as_json:
        options.print_json(found.to_dict())
    else:
        found.print(console())
