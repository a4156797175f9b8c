"""The fight as a file, and the command that does what the page shows."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass

from sim.scenario import Scenario
from sim.scenario.changes import changes_in_words
from sim.scenario.toml_writer import to_toml
from sim.scenario.wording import in_words
from sim.studio.address import Address, Variant, path_of

_NO_COLON = re.compile(r"[:=;]")
_TEXTS = ("title", "description")  # what a fight is called changes no fight


@dataclass(frozen=True, slots=True)
class Command:
    """What to type."""

    about: str
    text: str


def file_text(scenario: Scenario) -> str:
    """The fight as a scenario file: what the file says and what was changed, and nothing that the game takes anyway."""
    return to_toml(scenario.data)


def file_name(variant: Variant, scenario: Scenario) -> str:
    """What to call the file: as it is called, or after the shipped fight that it was made from."""
    return variant.fight if variant.fight.endswith(".toml") else f"{scenario.name.rpartition('/')[2]}-changed.toml"


def commands_of(address: Address, scenario: Scenario, runs: int | None) -> list[Command]:
    """The commands that do the same as the page; `runs` is how many were played when it rested."""
    fight, seed = words_of(address.variant), [f"--seed={address.seed}"]
    how = [f"--runs={runs}"] if runs else [f"--precision={address.precision:g}"]
    often = f"{runs:,} times" if runs else f"until the win rate is known to ±{address.precision:g} points"
    played = f"Play {_in_words(address.variant, scenario)} {often}, with luck no. {address.seed}:"
    found = [Command(played, shlex.join(["fairfight", "run", *fight, *how, *seed]))]
    if (baseline := address.baseline) is not None:
        other = variant_words("this fight", address.variant)
        words = ["fairfight", "compare", *words_of(baseline.variant), "--variant", other, *seed]
        found.append(Command(f"Compare it with {baseline.name}, with the same luck:", shlex.join(words)))
    return found


def _in_words(variant: Variant, scenario: Scenario) -> str:
    """A fight with what was changed in it, for people: the command below says the same in paths."""
    told = [change for change in changes_in_words(scenario) if not change.startswith(_TEXTS)]
    return f"{scenario.title} with {in_words(told)}" if told else f"{scenario.title} as it is in {variant.fight}"


def variant_words(name: str, variant: Variant) -> str:
    """A variant as `--variant` takes it: from its file, whatever the fight is that it is compared with."""
    return f"{_NO_COLON.sub(' ', name)}: " + "; ".join([f"scenario={variant.fight}", *_that_count(variant)])


def words_of(variant: Variant) -> list[str]:
    """A fight with its changes, as every command takes it."""
    return [variant.fight, *(word for setting in _that_count(variant) for word in ("--set", setting))]


def _that_count(variant: Variant) -> list[str]:
    return [setting for setting in variant.sets if path_of(setting)[0] not in _TEXTS]
