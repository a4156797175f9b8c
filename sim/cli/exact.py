"""exact: the exact chances of a small fight."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import click

from sim.cli import options
from sim.cli.terminal import say
from sim.core.ruleset import ExactResult
from sim.scenario.changes import title_in_full
from sim.scenario.wording import readable

LONGEST_FRACTION = 200  # bits; longer ones are for machines


@click.command()
@options.fight
@options.as_json
def exact(fight: options.AskedFight, as_json: bool) -> None:
    """Compute the exact chances of a small fight, without dice.

    A fight with too many different situations is refused, with the reason.

    \b
    Examples:
      fairfight exact overhill/duel-skeleton
      fairfight exact overhill/solo-four-skeletons --set heroes.warrior.max_health=15
    """
    scenario = fight.load()
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
        say(f"  {name}: {value:.8f}")
    say(f"\n{found.states:,} states" + "".join(f"; {note}" for note in found.notes))


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
