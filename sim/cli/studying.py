"""compare, sweep, scale: the first half of the designers' questions, and the options that all of them share."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from sim.cli import options

if TYPE_CHECKING:
    from sim.studies.answer import Answer

Command = TypeVar("Command", bound=Callable[..., Any])

MEASURES = ("win_rate", "rounds", "party_hp", "damage_dealt", "damage_taken", "heroes_down")
A_CLAIM_IS_BROKEN = 3  # exit status of a gate whose claims do not all hold

runs = click.option("--runs", type=options.HowMany(), metavar="N", help="Play exactly N encounters of each fight.")
precision = click.option(
    "--precision",
    type=click.FloatRange(0, min_open=True),
    metavar="POINTS",
    help="Play until the numbers are known to this many points either way.",
)
measure = click.option(
    "--measure", type=click.Choice(MEASURES), default="win_rate", show_default=True, help="What it is about."
)
confidence = click.option(
    "--confidence", type=click.FloatRange(0.5, 1, max_open=True), default=0.95, show_default=True, help="How sure."
)
max_runs = click.option(
    "--max-runs", type=options.HowMany(), default=1_000_000, show_default=True, help="Where it gives up if undecided."
)


def common(command: Command) -> Command:
    """What every question takes beside what it asks: --seed, and everything that `working` adds."""
    return options.seed(working(command, "Write tables and report to this folder."))


def working(command: Command, out: str) -> Command:
    """How a question is worked on: --jobs, --out, --resume, --fresh, --backend, --address, --json."""
    for add in reversed(
        [
            click.option(
                "--jobs",
                type=click.IntRange(min=-1),
                metavar="J",
                help="Processes to use; -1 for one per core. Never changes a result.",
            ),
            click.option(
                "--out",
                type=options.Folder(),
                metavar="DIR",
                help=f"{out} What is finished is safe there at once.",
            ),
            options.resuming,
            options.backend,
            options.as_json,
        ]
    ):
        command = add(command)
    return command


def typed() -> str:
    """What the user typed, for the report."""
    return shlex.join(["fairfight", *sys.argv[1:]])


def show_answer(answer: Answer, out: Path | None, as_json: bool) -> int:
    """Print an answer; the exit status."""
    if as_json:
        options.print_json(answer.to_dict())
    else:
        from sim.cli.screen import console

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
    from sim.scenario import load

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


@click.command()
@options.fight
@click.option(
    "--variant", "variants", multiple=True, required=True, metavar="'NAME: PATH=VALUE; ...'", help="A change to try."
)
@runs
@precision
@click.option(
    "--margin",
    type=click.FloatRange(0, min_open=True),
    default=0.5,
    show_default=True,
    help="What difference does not matter, in points.",
)
@measure
@click.option("--best", type=click.Choice(["highest", "lowest"]), help="Find the best of all, dropping losers early.")
@confidence
@max_runs
@common
def compare(
    scenario: str,
    sets: tuple[str, ...],
    preset: str | None,
    policy: str | None,
    variants: tuple[str, ...],
    runs: int | None,
    precision: float | None,
    margin: float,
    measure: str,
    best: Any,
    confidence: float,
    max_runs: int,
    as_json: bool,
    **work: Any,
) -> int:
    """Is B better than A? Variants against a fight, with the same luck.

    Stops as soon as it is known which is harder, or that the difference is smaller than the margin.

    \b
    Examples:
      fairfight compare overhill/playtest-1 --variant "one more: enemies.skeleton.count=4"
      fairfight compare my-fight.toml --variant policy=cautious --variant policy=plain --best highest
      fairfight compare my-fight.toml --variant "hard: enemies.zombie.melee=5; level=2" --precision 0.5
    """
    from sim.studies.compare import compare as ask

    fight = options.load_fight(scenario, sets, preset, policy)
    answer = ask(
        fight,
        read_variants(variants),
        runs=runs,
        precision=precision,
        margin=margin,
        measure=measure,
        best=best,
        confidence=confidence,
        max_runs=max_runs,
        command=typed(),
        **work,
    )
    return show_answer(answer, work["out"], as_json)


@click.command()
@options.fight
@click.option(
    "--knob",
    "knobs",
    multiple=True,
    required=True,
    metavar="PATH=VALUES",
    help="One or two: enemies.skeleton.count=2..9, level=1..9/2, policy=plain,cautious.",
)
@runs
@precision
@measure
@click.option("--iso", multiple=True, type=float, metavar="VALUE", help="Find where the measure has this value.")
@confidence
@max_runs
@common
def sweep(
    scenario: str,
    sets: tuple[str, ...],
    preset: str | None,
    policy: str | None,
    knobs: tuple[str, ...],
    runs: int | None,
    precision: float | None,
    measure: str,
    iso: tuple[float, ...],
    confidence: float,
    max_runs: int,
    as_json: bool,
    **work: Any,
) -> int:
    """How does a fight change with one or two knobs?

    \b
    Examples:
      fairfight sweep overhill/playtest-1 --knob enemies.skeleton.count=1..12
      fairfight sweep my-fight.toml --knob enemies.skeleton.count=2..8 --knob level=1..5 --runs 4k
    """
    from sim.studies.sweep import sweep as ask
    from sim.studies.variants import parse_knob

    fight = options.load_fight(scenario, sets, preset, policy)
    answer = ask(
        fight,
        [parse_knob(text) for text in knobs],
        runs=runs,
        precision=precision,
        measure=measure,
        iso=iso or None,
        confidence=confidence,
        max_runs=max_runs,
        command=typed(),
        **work,
    )
    return show_answer(answer, work["out"], as_json)


@click.command()
@options.fight
@click.option("--levels", required=True, metavar="A..B", help="Which levels: 1..10 or 1,3,5.")
@click.option("--level", metavar="PATH", help="Where the party's level stands; found by itself in most games.")
@click.option("--enemy-level", metavar="PATH", help="Where the enemies' level stands, if it is to go up as well.")
@click.option("--party", "parties", multiple=True, metavar="'NAME: PATH=VALUE; ...'", help="A line for this party.")
@click.option("--with-policy", "policies", multiple=True, metavar="NAME", help="A line for this policy.")
@runs
@precision
@confidence
@common
def scale(
    scenario: str,
    sets: tuple[str, ...],
    preset: str | None,
    policy: str | None,
    levels: str,
    level: str | None,
    enemy_level: str | None,
    parties: tuple[str, ...],
    policies: tuple[str, ...],
    runs: int | None,
    precision: float | None,
    confidence: float,
    as_json: bool,
    **work: Any,
) -> int:
    """How does a fight go from level to level, and at which level does it break?

    \b
    Examples:
      fairfight scale overhill/playtest-1-ladder --levels 1..10
      fairfight scale overhill/playtest-1 --levels 1..10 --with-policy plain --with-policy focus_expert
    """
    from sim.studies.scale import levels_from
    from sim.studies.scale import scale as ask

    fight = options.load_fight(scenario, sets, preset, policy)
    answer = ask(
        fight,
        levels_from(levels),
        level=level,
        enemy_level=enemy_level,
        parties=read_variants(parties),
        policies=policies,
        runs=runs,
        precision=precision,
        confidence=confidence,
        command=typed(),
        **work,
    )
    return show_answer(answer, work["out"], as_json)
