"""tune, sensitivity, ladder, gate, study, diff: the other half of the designers' questions."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import click

from sim.cli import options
from sim.cli.studying import common, confidence, max_runs, measure, precision, runs, show_answer, typed, working


@click.command()
@options.fight
@click.option(
    "--knob",
    "knobs",
    multiple=True,
    required=True,
    metavar="PATH[=LOW..HIGH]",
    help="What to turn; several times for several knobs, of which as few as possible are turned.",
)
@click.option("--target", required=True, metavar="MEASURE=VALUE", help="What it should give: win_rate=0.65, rounds=4.")
@precision
@click.option(
    "--search",
    type=click.Choice(["fewest", "optuna"]),
    default="fewest",
    show_default=True,
    help="How several knobs are searched.",
)
@click.option("--trials", type=click.IntRange(1), default=200, show_default=True, help="Combinations for optuna.")
@confidence
@max_runs
@common
def tune(
    scenario: str,
    sets: tuple[str, ...],
    preset: str | None,
    policy: str | None,
    knobs: tuple[str, ...],
    target: str,
    precision: float | None,
    search: str,
    trials: int,
    confidence: float,
    max_runs: int,
    as_json: bool,
    **work: Any,
) -> int:
    """Which value of a knob gives the target? Confirmed on fresh luck.

    \b
    Examples:
      fairfight tune overhill/playtest-1 --knob enemies.skeleton.count --target win_rate=0.65
      fairfight tune my-fight.toml --knob enemies.skeleton.count=1..8 --knob enemies.zombie.melee=3..6 --target rounds=4
    """
    from sim.studies.tune import tune as ask

    fight = options.load_fight(scenario, sets, preset, policy)
    spans = dict(_span(text) for text in knobs)
    low, high = next(iter(spans.values())) or (None, None) if len(spans) == 1 else (None, None)
    answer = ask(
        fight,
        next(iter(spans)) if len(spans) == 1 else spans,
        target,
        low=low,
        high=high,
        precision=precision,
        search=search,
        trials=trials,
        confidence=confidence,
        max_runs=max_runs,
        command=typed(),
        **work,
    )
    return show_answer(answer, work["out"], as_json)


def _span(text: str) -> tuple[str, tuple[Any, Any] | None]:
    """`PATH`, or `PATH=LOW..HIGH`."""
    if "=" not in text:
        return text.strip(), None
    from sim.studies.variants import parse_knob

    knob = parse_knob(text)
    return knob.path, (knob.values[0], knob.values[-1])


@click.command()
@options.fight
@click.option("--runs", type=options.HowMany(), default=10_000, show_default=True, metavar="N", help="Of every fight.")
@measure
@click.option("--only", metavar="TEXT", help="Only numbers whose path contains this: enemies, skeleton, max_health.")
@confidence
@common
def sensitivity(
    scenario: str,
    sets: tuple[str, ...],
    preset: str | None,
    policy: str | None,
    runs: int,
    measure: str,
    only: str | None,
    confidence: float,
    as_json: bool,
    **work: Any,
) -> int:
    """Which number matters most, and which not at all?

    Every number of every unit is moved by one step up and down, with the same luck.

    \b
    Examples:
      fairfight sensitivity overhill/playtest-1
      fairfight sensitivity my-fight.toml --only enemies --measure rounds
    """
    from sim.studies.sensitivity import sensitivity as ask

    fight = options.load_fight(scenario, sets, preset, policy)
    answer = ask(fight, runs=runs, measure=measure, only=only, confidence=confidence, command=typed(), **work)
    return show_answer(answer, work["out"], as_json)


@click.command()
@options.fight
@click.option("--rung", "policies", multiple=True, metavar="POLICY", help="Only these policies, the weakest first.")
@click.option("--without", "abilities", multiple=True, metavar="ABILITY", help="Only these abilities are forbidden.")
@click.option("--runs", type=options.HowMany(), default=20_000, show_default=True, metavar="N", help="Of every rung.")
@confidence
@common
def ladder(
    scenario: str,
    sets: tuple[str, ...],
    preset: str | None,
    policy: str | None,
    policies: tuple[str, ...],
    abilities: tuple[str, ...],
    runs: int,
    confidence: float,
    as_json: bool,
    **work: Any,
) -> int:
    """What is skill worth, and what is each ability worth?

    \b
    Examples:
      fairfight ladder overhill/crypt-swarm
      fairfight ladder my-fight.toml --policy focus_expert --without dart --without heal
    """
    from sim.studies.ladder import ladder as ask

    fight = options.load_fight(scenario, sets, preset, policy)
    answer = ask(
        fight,
        policies=policies or None,
        abilities=abilities or None,
        runs=runs,
        confidence=confidence,
        command=typed(),
        **work,
    )
    return show_answer(answer, work["out"], as_json)


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@max_runs
@common
def gate(file: Path, max_runs: int, as_json: bool, **work: Any) -> int:
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
    from sim.studies.gate import gate as ask

    return show_answer(ask(file, max_runs=max_runs, command=typed(), **work), work["out"], as_json)


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@runs
@click.option("--seed", type=click.IntRange(0, options.LARGEST_SEED), metavar="S", help="Another luck than the file's.")
@partial(working, out="Where to write it; reports/NAME if not given.")
def study(file: Path, runs: int | None, seed: int | None, as_json: bool, **work: Any) -> int:
    """Run a study file: a question about a fight, written down.

    Tables, figures and a report are written to reports/NAME.

    \b
    Examples:
      fairfight study experiments/how-many-skeletons.toml
      fairfight study my-study.toml --runs 2k --out reports/quick
      fairfight study my-study.toml --resume
    """
    from sim.studies.study import study as ask

    if work["out"] is None:
        if file.stem in (".", ".."):  # of "..toml" and "...toml"
            raise click.UsageError(f"'{file.name}' gives the folder of its answer no name: say where with --out")
        work["out"] = Path("reports") / file.stem
    answer = ask(file, seed=seed, runs=runs, command=typed(), **work)
    return show_answer(answer, work["out"], as_json)


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
    from sim.studies.diff import diff as ask

    found = ask(first, second)
    if as_json:
        options.print_json(found.to_dict())
        return
    from sim.cli.screen import console

    found.print(console())
