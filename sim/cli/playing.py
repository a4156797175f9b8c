"""run, replay, exact: playing a fight."""

from __future__ import annotations

import shlex
import sys
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from sim.cli import options

if TYPE_CHECKING:
    from sim.core.ruleset import ExactResult

PICKS = ("median", "best", "worst", "closest", "loss", "draw")
LONGEST_FRACTION = 200  # bits; longer ones are for machines


@click.command()
@options.fight
@click.option("--runs", type=options.HowMany(), metavar="N", help="Play exactly N encounters: 20000, 20k, 1M.")
@click.option(
    "--precision",
    type=click.FloatRange(0, 50, min_open=True),
    metavar="POINTS",
    help="Play until the win rate is known to this many percentage points either way (95 % sure); 1 if --runs is "
    "not given.",
)
@options.seed
@click.option(
    "--jobs",
    type=click.IntRange(min=-1),
    metavar="J",
    help="Processes to use; -1 for one per core. Chosen by itself if not given. Never changes a result.",
)
@click.option(
    "--chunk", type=options.HowMany(), metavar="N", help="Encounters per piece of work. Never changes a result."
)
@click.option(
    "--out",
    type=options.Folder(),
    metavar="DIR",
    help="Write the tables and a report, index.html, to this folder. What is finished is safe there at once.",
)
@options.resuming
@click.option(
    "--keep",
    type=click.Choice(["summary", "runs"]),
    help="With --out: 'runs' writes a table of the single runs too, 'summary' only the sums, in little space.  "
    "[default: runs]",
)
@options.backend
@options.as_json
def run(
    scenario: str,
    sets: tuple[str, ...],
    preset: str | None,
    policy: str | None,
    runs: int | None,
    precision: float | None,
    seed: int,
    jobs: int | None,
    chunk: int | None,
    out: Path | None,
    resume: bool,
    fresh: bool,
    keep: Literal["summary", "runs"] | None,
    backend: Literal["local", "dask"],
    address: str | None,
    as_json: bool,
) -> None:
    """Play a fight many times: who wins, by how much, and why.

    SCENARIO is a name from `fairfight list scenarios`, or a .toml file of your own.

    \b
    Examples:
      fairfight run overhill/playtest-1
      fairfight run overhill/playtest-1 --runs 20k --seed 7
      fairfight run my-fight.toml --policy cautious --precision 0.5
      fairfight run my-fight.toml --set enemies.skeleton.count=6 --set level=3
      fairfight run my-fight.toml --out reports/my-fight
      fairfight run my-fight.toml --out reports/my-fight --runs 10M --resume
    """
    if runs is not None and precision is not None:
        raise click.UsageError("--runs fixes the number of encounters and --precision finds it: give one of them")
    if keep == "runs" and out is None:
        raise click.UsageError("--keep runs writes a table of the single runs: say where with --out")
    from sim.runs.runner import run as play

    fight = options.load_fight(scenario, sets, preset, policy)
    result = play(
        fight,
        runs=runs,
        precision=1.0 if precision is None else precision,
        seed=seed,
        jobs=jobs,
        chunk=chunk,
        keep=keep or ("summary" if out is None else "auto"),
        out=out,
        resume=resume,
        fresh=fresh,
        backend=backend,
        address=address,
        command=shlex.join(["fairfight", *sys.argv[1:]]),
    )
    if as_json:
        options.print_json(result.to_dict())
        return
    from sim.cli.screen import console

    result.print(console())
    if out is not None:
        click.echo(f"\nThe report is in {out / 'index.html'}")


@click.command()
@options.fight
@click.option(
    "--run", "run_number", type=click.IntRange(0, options.LARGEST_COUNT), metavar="K", help="Tell run number K."
)
@click.option(
    "--pick",
    type=click.Choice(PICKS),
    help="Tell a run of this kind, the first among the runs looked at; 'median' if nothing is asked for.",
)
@click.option(
    "--runs", type=options.HowMany(), default=2_000, show_default=True, metavar="N", help="Runs to pick from."
)
@options.seed
@options.as_json
def replay(
    scenario: str,
    sets: tuple[str, ...],
    preset: str | None,
    policy: str | None,
    run_number: int | None,
    pick: str | None,
    runs: int,
    seed: int,
    as_json: bool,
) -> None:
    """Tell one run of a fight move by move.

    Run K is the same fight that `fairfight run` played as its run K with the same seed and the same changes.

    \b
    Examples:
      fairfight replay overhill/playtest-1 --run 17
      fairfight replay overhill/playtest-1 --pick loss
      fairfight replay my-fight.toml --pick worst --seed 7 --json
    """
    if run_number is not None and pick is not None:
        raise click.UsageError("give --run or --pick, not both")
    from sim import replay as tell

    fight = options.load_fight(scenario, sets, preset, policy)
    telling = tell(fight, run=run_number, pick=pick or "median", runs=runs, seed=seed)
    if as_json:
        options.print_json(telling.to_json())
        return
    for line in telling.lines():
        click.echo(line)


@click.command()
@options.fight
@options.as_json
def exact(scenario: str, sets: tuple[str, ...], preset: str | None, policy: str | None, as_json: bool) -> None:
    """Compute the exact chances of a small fight, without dice.

    A fight with too many different situations is refused, with the reason.

    \b
    Examples:
      fairfight exact overhill/duel-skeleton
      fairfight exact overhill/solo-four-skeletons --set heroes.warrior.max_health=15
    """
    fight = options.load_fight(scenario, sets, preset, policy)
    found = fight.exact()
    if as_json:
        about = {
            "schema": 1,
            "scenario": fight.name,
            "ruleset": fight.ruleset_name,
            "preset": fight.preset,
            "policy": fight.policy,
            "switches": fight.settings,
            "digest": fight.digest,
        }
        options.print_json(about | _exact_numbers(found))
        return
    click.echo(f"{fight.title} ({fight.name}), policy {fight.policy}, solved exactly\n")
    for name, chance in (("win", found.win), ("loss", found.loss), ("draw", found.draw)):
        fraction = _short_fraction(chance)
        click.echo(f"  {name:6}{100 * float(chance):>14.8f} %" + (f"   {fraction}" if fraction else ""))
    click.echo(f"  rounds{found.rounds:>14.8f}")
    for name, value in (found.others or {}).items():
        click.echo(f"  {name}: {value:.8f}")
    click.echo(f"\n{found.states:,} states" + "".join(f"; {note}" for note in found.notes))


def _exact_numbers(found: ExactResult) -> dict[str, Any]:
    chances = {"win": found.win, "loss": found.loss, "draw": found.draw}
    numbers: dict[str, Any] = {name: float(chance) for name, chance in chances.items()}
    numbers |= {f"{name}_fraction": _short_fraction(chance) or None for name, chance in chances.items()}
    return numbers | {
        "rounds": found.rounds,
        "states": found.states,
        "others": found.others or {},
        "notes": list(found.notes),
    }


def _short_fraction(chance: Fraction | float) -> str:
    """The chance as a fraction, where it is one that people can read."""
    if isinstance(chance, Fraction) and chance.denominator.bit_length() <= LONGEST_FRACTION:
        return str(chance)
    return ""
