"""compare, sweep, scale, tune, sensitivity, ladder, improve, parties, price, why: questions about one fight."""

from __future__ import annotations

from typing import Any

import click

from sim.cli import options
from sim.cli.study_options import (
    common,
    confidence,
    full,
    max_runs,
    measure,
    precision,
    read_variants,
    runs,
    show_answer,
)
from sim.core.branch import AGAIN
from sim.core.luck import MOST_CONTINUATIONS
from sim.studies.compare import compare as ask_compare
from sim.studies.improve import BUDGET, SIDES
from sim.studies.improve import RUNS as RUNS_ON_FRESH_LUCK
from sim.studies.improve import improve as ask_improve
from sim.studies.ladder import ladder as ask_ladder
from sim.studies.options import MOST_GENERATIONS, MOST_POINTS, MOST_SECONDS, MOST_TRIALS
from sim.studies.parties import parties as ask_parties
from sim.studies.price import PRECISION
from sim.studies.price import RUNS as RUNS_OF_A_LINE_UP
from sim.studies.price import price as ask_price
from sim.studies.rosters import MOST_HEROES
from sim.studies.scale import levels_from
from sim.studies.scale import scale as ask_scale
from sim.studies.sensitivity import sensitivity as ask_sensitivity
from sim.studies.sweep import sweep as ask_sweep
from sim.studies.tune import tune as ask_tune
from sim.studies.variants import parse_knob
from sim.studies.why import CURVES, RUNS
from sim.studies.why import why as ask_why

MOST_CURVES = 1_000_000

# What a command does not read itself (`how`) goes to its question as it is: the options are called alike in both.


@click.command()
@options.fight
@click.option(
    "--variant", "variants", multiple=True, required=True, metavar="'NAME: PATH=VALUE; ...'", help="A change to try."
)
@runs
@precision
@click.option(
    "--margin",
    type=click.FloatRange(0, MOST_POINTS, min_open=True),
    default=0.5,
    show_default=True,
    help="What difference does not matter, in points.",
)
@measure
@click.option("--best", type=click.Choice(["highest", "lowest"]), help="Find the best of all, dropping losers early.")
@confidence
@max_runs
@common
def compare(fight: options.AskedFight, variants: tuple[str, ...], form: options.Form, **how: Any) -> int:
    """Is B better than A? Variants against a fight, with the same luck.

    Stops as soon as it is known which is harder, or that the difference is smaller than the margin.

    \b
    Examples:
      fairfight compare overhill/playtest-1 --variant "one more: enemies.skeleton.count=4"
      fairfight compare my-fight.toml --variant policy=cautious --variant policy=plain --best highest
      fairfight compare my-fight.toml --variant "hard: enemies.zombie.melee=5; level=2" --precision 0.5
    """
    scenario = fight.load()
    answer = ask_compare(scenario, read_variants(variants, scenario), command=options.typed(), **how)
    return show_answer(answer, how["out"], form)


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
@options.runs("Of every point, at most; without it each is played to the precision.")
@full
@precision
@measure
@click.option(
    "--iso",
    multiple=True,
    type=click.FloatRange(-MOST_POINTS, MOST_POINTS),
    metavar="VALUE",
    help="Find where the measure has this value.",
)
@confidence
@max_runs
@common
def sweep(
    fight: options.AskedFight, knobs: tuple[str, ...], iso: tuple[float, ...], form: options.Form, **how: Any
) -> int:
    """How does a fight change with one or two knobs?

    \b
    Examples:
      fairfight sweep overhill/playtest-1 --knob enemies.skeleton.count=1..12
      fairfight sweep my-fight.toml --knob enemies.skeleton.count=2..8 --knob level=1..5 --runs 4k
    """
    scenario = fight.load()
    read = [parse_knob(text) for text in knobs]
    answer = ask_sweep(scenario, read, iso=iso or None, command=options.typed(), **how)
    return show_answer(answer, how["out"], form)


@click.command()
@options.fight
@click.option("--levels", required=True, metavar="A..B", help="Which levels: 1..10 or 1,3,5.")
@click.option("--level", metavar="PATH", help="Where the party's level stands; found by itself in most games.")
@click.option("--enemy-level", metavar="PATH", help="Where the enemies' level stands, if it is to go up as well.")
@click.option("--party", "parties", multiple=True, metavar="'NAME: PATH=VALUE; ...'", help="A line for another party.")
@click.option("--with-policy", "policies", multiple=True, metavar="NAME", help="A line for this policy.")
@runs
@precision
@measure
@confidence
@common
def scale(fight: options.AskedFight, levels: str, parties: tuple[str, ...], form: options.Form, **how: Any) -> int:
    """How does a fight go from level to level, and at which level does it break?

    \b
    Examples:
      fairfight scale overhill/playtest-1-ladder --levels 1..10
      fairfight scale overhill/playtest-1 --levels 1..10 --with-policy plain --with-policy focus_expert
    """
    scenario = fight.load()
    read = levels_from(levels)
    answer = ask_scale(scenario, read, parties=read_variants(parties, scenario), command=options.typed(), **how)
    return show_answer(answer, how["out"], form)


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
@click.option(
    "--trials",
    type=click.IntRange(1, MOST_TRIALS),
    default=200,
    show_default=True,
    help="Combinations for optuna.",
)
@confidence
@max_runs
@common
def tune(fight: options.AskedFight, knobs: tuple[str, ...], target: str, form: options.Form, **how: Any) -> int:
    """Which value of a knob gives the target? Confirmed on fresh luck.

    \b
    Examples:
      fairfight tune overhill/playtest-1 --knob enemies.skeleton.count --target win_rate=0.65
      fairfight tune my-fight.toml --knob enemies.skeleton.count=1..8 --knob enemies.zombie.melee=3..6 --target rounds=4
    """
    scenario = fight.load()
    spans = dict(_span(text) for text in knobs)
    if len(spans) == 1:
        knob, (low, high) = next((path, span or (None, None)) for path, span in spans.items())
        answer = ask_tune(scenario, knob, target, low=low, high=high, command=options.typed(), **how)
    else:
        answer = ask_tune(scenario, spans, target, command=options.typed(), **how)
    return show_answer(answer, how["out"], form)


def _span(text: str) -> tuple[str, tuple[Any, Any] | None]:
    """`PATH`, or `PATH=LOW..HIGH`."""
    if "=" not in text:
        return text.strip(), None
    knob = parse_knob(text)
    return knob.path, (knob.values[0], knob.values[-1])


@click.command()
@options.fight
@options.runs("Of every fight, at most; of leaders whose order is open up to three times as many.", default=10_000)
@full
@measure
@click.option("--only", metavar="TEXT", help="Only numbers whose path contains this: enemies, skeleton, max_health.")
@click.option("--switches", is_flag=True, help="Which rule matters? Move the switches of the game instead of numbers.")
@confidence
@common
def sensitivity(fight: options.AskedFight, form: options.Form, **how: Any) -> int:
    """Which number matters most, and which not at all?

    Every number of every unit is moved by one step up and down, with the same luck; with --switches every house rule is
    set to each of its other values. What is clearly small, does nothing or is decided is played no further, and the
    table says so; where the first places are open, the leaders get further runs, and what these cannot tell apart is
    said too. Ctrl-C leaves the ranking so far.

    \b
    Examples:
      fairfight sensitivity overhill/playtest-1
      fairfight sensitivity overhill/playtest-1 --switches
      fairfight sensitivity my-fight.toml --only enemies --measure rounds
    """
    answer = ask_sensitivity(fight.load(), command=options.typed(), **how)
    return show_answer(answer, how["out"], form)


@click.command()
@options.fight
@click.option("--rung", "policies", multiple=True, metavar="POLICY", help="Only these policies, the weakest first.")
@click.option("--without", "abilities", multiple=True, metavar="ABILITY", help="Only these abilities are forbidden.")
@options.runs("Of every rung, at most.", default=20_000)
@full
@confidence
@common
def ladder(
    fight: options.AskedFight, policies: tuple[str, ...], abilities: tuple[str, ...], form: options.Form, **how: Any
) -> int:
    """What is skill worth, and what is each ability worth?

    \b
    Examples:
      fairfight ladder overhill/crypt-swarm
      fairfight ladder my-fight.toml --policy focus_expert --without dart --without heal
      fairfight ladder my-fight.toml --rung plain@0.5 --rung plain@0.2 --rung plain
    """
    scenario = fight.load()
    answer = ask_ladder(
        scenario, policies=policies or None, abilities=abilities or None, command=options.typed(), **how
    )
    return show_answer(answer, how["out"], form)


@click.command()
@options.fight
@click.option(
    "--side",
    type=click.Choice(SIDES),
    default="party",
    show_default=True,
    help="Whose play is searched: the party's, or the enemies' where the rules leave them a choice.",
)
@click.option("--budget", metavar="TIME", help=f"Seconds, or as in 90s, 5m, 1h; {BUDGET:g}s if nothing is said.")
@click.option(
    "--generations",
    type=click.IntRange(0, MOST_GENERATIONS),
    metavar="N",
    help="End the search after N generations: the same policy on every machine.",
)
@options.runs("Of every change, on fresh luck.", default=RUNS_ON_FRESH_LUCK)
@confidence
@common
def improve(fight: options.AskedFight, budget: str | None, form: options.Form, **how: Any) -> int:
    """Can the party win more by playing otherwise, or the enemies be harder, and how?

    Looks for a stronger policy in the game's own policy language: other lines, another order, other numbers, other
    targets. With --side enemies it looks among what the rules leave open to the enemies: whom they go for, where they
    go, who stands where. What it finds is put to the test on luck that the search has never seen, and given as lines
    for the file.

    \b
    Examples:
      fairfight improve overhill/crypt-swarm
      fairfight improve my-fight.toml --policy plain --budget 5m --out reports/better-play
      fairfight improve my-fight.toml --side enemies --generations 20 --runs 20k
    """
    how["budget"] = None if budget is None else _seconds(budget)
    answer = ask_improve(fight.load(), command=options.typed(), **how)
    return show_answer(answer, how["out"], form)


@click.command()
@options.fight
@click.option("--size", type=click.IntRange(1, MOST_HEROES), help="Heroes of a party; as many as the fight has.")
@click.option("--of", metavar="CLASS,CLASS", help="Only these classes, with commas between them.")
@click.option(
    "--against",
    multiple=True,
    metavar="SCENARIO",
    help="A further fight that the parties meet: who counters whom. Can be given several times.",
)
@options.runs("Of every party, at most.", default=4_000)
@full
@confidence
@common
def parties(fight: options.AskedFight, of: str | None, against: tuple[str, ...], form: options.Form, **how: Any) -> int:
    """Which party is best, what does each class add, and who fits whom?

    Every party of so many heroes is played against the enemies of the fight, with the same luck, and every smaller one
    that it is made of. A class that stands in the file is taken as it stands there, any other as the rules build it.

    \b
    Examples:
      fairfight parties overhill/crypt-swarm --size 3
      fairfight parties my-fight.toml --size 2 --of warrior,priest,rogue --out reports/parties
      fairfight parties overhill/crypt-swarm --size 3 --against overhill/warband --against overhill/wight-court
    """
    classes = None if of is None else _listed(of)
    answer = ask_parties(fight.load(), of=classes, against=against, command=options.typed(), **how)
    return show_answer(answer, how["out"], form)


@click.command()
@options.fight
@options.runs(f"Of the fight and of every set of draws; {RUNS:,} if not given.")
@precision
@click.option(
    "--curves",
    type=click.IntRange(0, MOST_CURVES),
    default=CURVES,
    show_default=True,
    metavar="N",
    help="Runs along which the chance of winning is followed, for how it feels.",
)
@click.option(
    "--again",
    type=click.IntRange(2, MOST_CONTINUATIONS),
    default=AGAIN,
    show_default=True,
    metavar="N",
    help="Continuations from the start of every round of these runs.",
)
@click.option("--choices", is_flag=True, help="Do choices matter? Play it under every policy of the game as well.")
@click.option("--switches", is_flag=True, help="Which rules matter? Set every house rule otherwise as well.")
@confidence
@max_runs
@common
def why(fight: options.AskedFight, form: options.Form, **how: Any) -> int:
    """What decides a fight: which rounds, which dice, whose luck? And how does it feel?

    Every run is played again with its own luck at some draws only: how far both end alike is what these draws decide.

    \b
    Examples:
      fairfight why overhill/warband
      fairfight why my-fight.toml --runs 20k --curves 200 --out reports/why
    """
    answer = ask_why(fight.load(), command=options.typed(), **how)
    return show_answer(answer, how["out"], form)


@click.command()
@options.fight
@click.option("--units", required=True, metavar="ENEMY,ENEMY", help="Which enemies, with commas between them.")
@click.option("--party", metavar="CLASS,CLASS", help="For these heroes instead of those of the fight.")
@click.option("--scale", metavar="ENEMY=POINTS", help="What one of them costs; the first one 10 if not given.")
@click.option("--levels", metavar="A..B", help="Prices and budgets at these levels of the party, too.")
@click.option(
    "--precision",
    type=click.FloatRange(0, MOST_POINTS, min_open=True),
    default=PRECISION,
    show_default=True,
    metavar="PERCENT",
    help="How well every price is to be known, in percent of it.",
)
@options.runs("Of every line-up.", default=RUNS_OF_A_LINE_UP)
@confidence
@common
def price(fight: options.AskedFight, units: str, form: options.Form, **how: Any) -> int:
    """What is each enemy worth, and what does a fair fight cost?

    Line-ups of these enemies are played against the party of the fight, a price list is fitted to them, and it is held
    against line-ups that it has never seen.

    \b
    Examples:
      fairfight price overhill/playtest-1 --units skeleton,zombie,gobbo --scale skeleton=10
      fairfight price overhill/playtest-1 --units skeleton,zombie --party warrior,warrior,priest
      fairfight price my-fight.toml --units draugr,scamp --levels 1..5 --out reports/prices
    """
    for option, read in {"party": _listed, "scale": _read_scale, "levels": levels_from}.items():
        how[option] = None if how[option] is None else read(how[option])
    answer = ask_price(fight.load(), _listed(units), command=options.typed(), **how)
    return show_answer(answer, how["out"], form)


def _listed(text: str) -> list[str]:
    """Names with commas between them."""
    return [name.strip() for name in text.split(",") if name.strip()]


def _seconds(text: str) -> float:
    """'90', '90s', '5m', '1h'."""
    units = {"s": 1, "m": 60, "h": 3_600}
    typed = text.strip().lower()
    times = units.get(typed[-1:])
    try:
        seconds = float(typed if times is None else typed[:-1]) * (times or 1)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= MOST_SECONDS:
        raise click.BadParameter(f"expected a time such as 60s, 5m or 1h, found '{text}'", param_hint="'--budget'")
    return seconds


def _read_scale(text: str) -> dict[str, float]:
    """'skeleton=10'."""
    name, _, points = text.partition("=")
    try:
        return {name.strip(): float(points)}
    except ValueError:
        raise click.BadParameter(f"expected ENEMY=POINTS, found '{text}'") from None
