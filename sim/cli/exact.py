"""exact: the exact chances of a small fight."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import click

from sim.cli import options
from sim.cli.terminal import say
from sim.core.registry import ruleset, ruleset_names
from sim.core.ruleset import ExactResult, Ruleset
from sim.errors import NotSolvable
from sim.scenario.changes import title_in_full
from sim.scenario.wording import readable

LONGEST_FRACTION = 200  # bits; longer ones are for machines


@click.command()
@options.fight
@options.as_json
def exact(fight: options.AskedFight, as_json: bool) -> None:
    """Compute the exact chances of a small fight, without dice.

    Overhill & Underdale has it for fights under the policy plain, up to 100,000 situations, without encounter
    tables, talk or sneak: about as large as playtest-1. P52, Brimstone and Second Era have no exact solver; play
    their fights with 'fairfight run'. What cannot be solved is refused, with the reason.

    \b
    Examples:
      fairfight exact overhill/duel-skeleton
      fairfight exact overhill/solo-four-skeletons --set heroes.warrior.max_health=15
    """
    scenario = fight.load()
    if type(scenario.ruleset).exact is Ruleset.exact:
        raise NotSolvable(f"{scenario.ruleset.title} has no exact solver. {_who_has_one()}")
    found = scenario.exact()
    if as_json:
        about = {
            "schema": 1,
            "scenario": scenario.name,
            "ruleset": scenario.ruleset_name,
            "preset": scenario.preset,
            "policy": scenario.policy,
            "switches": scenario.settings,
            "digest": scenario.digest,
        }
        options.print_json(about | _exact_numbers(found))
        return
    say(f"{title_in_full(scenario)} ({scenario.name}), policy {readable(scenario.policy)}, solved exactly\n")
    for name, chance in (("win", found.win), ("loss", found.loss), ("draw", found.draw)):
        fraction = _short_fraction(chance)
        say(f"  {name:6}{100 * float(chance):>14.8f} %" + (f"   {fraction}" if fraction else ""))
    say(f"  rounds{found.rounds:>14.8f}")
    for name, value in (found.others or {}).items():
        say(f"  {readable(name)}: {value:.8f}")
    say(f"\n{found.states:,} states" + "".join(f"; {readable(note)}" for note in found.notes))


def _who_has_one() -> str:
    """The games that have exact odds, for which fights, and what to do with the others."""
    solvers = [game for game in map(ruleset, ruleset_names()) if game.solves]
    said = [f"{game.title} has exact odds for {game.solves}." for game in solvers]
    return " ".join([*said, "Play this fight with `fairfight run`."])


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
