"""replay: one run of a fight, told move by move."""

from __future__ import annotations

from pathlib import Path

import click
from click.core import ParameterSource

from sim.cli import options
from sim.cli.terminal import say
from sim.core.branch import Fork
from sim.core.luck import MOST_CONTINUATIONS
from sim.replays.chances import AGAIN
from sim.replays.of_result import read_result
from sim.replays.page_file import check_place
from sim.replays.replay import PICKS
from sim.replays.replay import pick as pick_run
from sim.replays.replay import replay as tell
from sim.replays.what_if import what_if
from sim.scenario import Scenario
from sim.scenario.changes import title_in_full


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
@options.runs("Runs to pick from.", default=2_000)
@options.seed
@click.option(
    "--of",
    type=options.Folder(),
    metavar="DIR",
    help="A run of the result in this folder: with its seed and its picks; refused if the fight has changed since.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write a page to watch the fight in a browser, such as fight.html: one file that needs nothing else.",
)
@options.opening(what="page")
@click.option(
    "--again",
    type=options.HowMany(),
    metavar="N",
    help="Play the fight on with fresh luck, N times from every round, and say how often the party still wins. "
    f"A page has {AGAIN} if nothing is asked for.",
)
@click.option(
    "--from-round",
    type=click.IntRange(1),
    metavar="R",
    help="What if from the start of round R: with --again N how often the party still wins, and nothing else; with "
    "--continuation C one of those, told.",
)
@click.option(
    "--from-scene",
    type=click.IntRange(1),
    metavar="S",
    help="The same of an adventure: from the start of scene S.",
)
@click.option(
    "--continuation",
    type=click.IntRange(0, MOST_CONTINUATIONS - 1),
    metavar="C",
    help="With --from-round: tell the run up to there and its continuation number C with other luck.",
)
@click.option(
    "--then-policy",
    metavar="NAME",
    default="",
    help="With --from-round: from there on the party plays by this policy; with --again both are played, with the same "
    "luck.",
)
@click.option("--rules", is_flag=True, help="Show the id of the rule before every line.")
@options.as_json
def replay(
    fight: options.AskedFight,
    run_number: int | None,
    pick: str | None,
    runs: int,
    seed: int,
    of: Path | None,
    out: Path | None,
    again: int | None,
    from_round: int | None,
    from_scene: int | None,
    continuation: int | None,
    then_policy: str,
    rules: bool,
    as_json: bool,
) -> None:
    """Tell one run of a fight move by move, or write a page to watch it.

    Run K is the same fight that `fairfight run` played as its run K with the same seed and the same changes.

    \b
    Examples:
      fairfight replay overhill/playtest-1 --run 17
      fairfight replay overhill/playtest-1 --pick loss --out fight.html
      fairfight replay overhill/playtest-1 --run 17 --rules
      fairfight replay overhill/playtest-1 --run 17 --from-round 2 --again 2000
      fairfight replay overhill/playtest-1 --run 17 --from-round 2 --again 2000 --then-policy cautious
      fairfight replay overhill/playtest-1 --run 17 --from-round 2 --continuation 5 --out what-if.html
      fairfight replay overhill/crypt-swarm --pick loss --of reports/crypt
      fairfight replay my-fight.toml --pick worst --seed 7 --json
    """
    if run_number is not None and pick is not None:
        raise click.UsageError("give --run or --pick, not both")
    if from_round is not None and from_scene is not None:
        raise click.UsageError("give --from-round or --from-scene, not both")
    _check_what_if(from_round or from_scene, again, continuation, then_policy, out)
    if out is not None:
        check_place(out)
    scenario = fight.load()
    from_round = _first_part(scenario, from_round, from_scene)
    if of is not None:
        run_number, seed = _of_result(of, scenario, run_number, pick or "median", seed)
    elif run_number is None:
        run_number = pick_run(scenario, pick or "median", seed, runs)
    if from_round is not None and again is not None and continuation is None:
        found = what_if(scenario, run_number, seed, from_round, again, then_policy)
        about = {"schema": 1, "scenario": scenario.name, "run": run_number, "seed": seed}
        if as_json:
            options.print_json({**about, **found.to_json()})
        else:
            say("\n".join([f"{title_in_full(scenario)}, run {run_number} of seed {seed}", *found.sentences()]))
        return
    fork = Fork(from_round, continuation) if from_round is not None and continuation is not None else None
    telling = tell(scenario, run_number, seed, fork, then_policy)
    if again is not None:
        telling = telling.with_chances(again)
    if out is not None:
        page = telling.save(out)
        say(f"wrote {page}", err=as_json)
        options.open_if_asked(page)
    if as_json:
        options.print_json(telling.to_json())
    elif out is None:
        for line in telling.lines(rules=rules):
            say(line)


def _of_result(folder: Path, scenario: Scenario, run: int | None, pick: str, seed: int) -> tuple[int, int]:
    """The run and the seed of a result in a folder, if the fight is still the same."""
    result = read_result(folder)
    asked = click.get_current_context().get_parameter_source("seed") is ParameterSource.COMMANDLINE
    result.check(scenario, run, seed if asked else None)
    return result.picked(pick) if run is None else run, result.seed


def _first_part(scenario: Scenario, from_round: int | None, from_scene: int | None) -> int | None:
    """From which round, or which scene of an evening, a run is played on; an evening begins anew at its scenes only."""
    if scenario.is_adventure and from_round is not None:
        raise click.UsageError(f"{scenario.name} is an evening and played on from a scene: --from-scene {from_round}")
    if not scenario.is_adventure and from_scene is not None:
        raise click.UsageError(f"{scenario.name} has no scenes: --from-round {from_scene}")
    return from_scene if scenario.is_adventure else from_round


def _check_what_if(
    from_round: int | None, again: int | None, continuation: int | None, then_policy: str, out: Path | None
) -> None:
    """Refuse options about playing on from a round that make no sense together."""
    if from_round is None:
        for option, given in (("--continuation", continuation is not None), ("--then-policy", bool(then_policy))):
            if given:
                raise click.UsageError(f"{option} needs --from-round: from which round on?")
        return
    if again is None and continuation is None:
        raise click.UsageError(
            "--from-round needs --again or --continuation: how often is the fight to be played on from there, or which "
            "continuation is to be told?"
        )
    if out is not None and continuation is None:
        raise click.UsageError(
            "--from-round answers one question; the page of --out has every round: give one of them, or name a "
            "--continuation"
        )
