"""Rosters: which parties of so many heroes there are, and a fight with another party in it."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from sim.errors import InputError, Problem, ScenarioError, did_you_mean
from sim.scenario import Scenario
from sim.scenario.own_types import choices_at
from sim.scenario.shape import Shape
from sim.scenario.wording import plural, readable

Party: TypeAlias = tuple[str, ...]  # classes, in the order of the rules

MOST_PARTIES = 240  # that are played, smaller ones included; beyond it a sample of the full ones
MOST_HEROES = 6  # of a party
PLACES = ("spot", "square", "hex")  # keys of a hero that belong to the place in the line, and not to the class


@dataclass(frozen=True, slots=True)
class Parties:
    """The parties of a study."""

    full: list[Party]  # those of the size that was asked for
    smaller: list[Party]  # what the full ones are made of; nobody at all is none of them
    of_how_many: int  # full parties there are, played or not

    @property
    def all(self) -> list[Party]:
        """Everyone who is played."""
        return [*self.full, *self.smaller]


def choose_parties(classes: Sequence[str], size: int, seed: int) -> Parties:
    """All parties of so many of these classes and all smaller ones; a balanced sample where there are too many."""
    every = list(itertools.combinations_with_replacement(classes, size))
    smaller = [
        party for few in range(1, size) for party in itertools.combinations_with_replacement(classes, few)
    ]
    if len(every) + len(smaller) <= MOST_PARTIES:
        return Parties(every, smaller, len(every))
    order = np.random.default_rng(seed)
    full: dict[Party, None] = {}
    parts: dict[Party, None] = {}
    while len(full) + len(parts) < MOST_PARTIES - 2 * size:  # a round of the table: every class in every place once
        for line in zip(*(order.permutation(classes).tolist() for _ in range(size)), strict=True):
            full[in_order(line, classes)] = None
            for few in range(1, size):
                parts[in_order(line[:few], classes)] = None
    return Parties(list(full), list(parts), len(every))


def in_order(line: Sequence[str], classes: Sequence[str]) -> Party:
    """The party with these classes, in the order of the rules."""
    return tuple(sorted(line, key=list(classes).index))


def classes_for(scenario: Scenario, of: Sequence[str] | None, size: int) -> list[str]:
    """The classes to choose from, in the order of the rules; everything that is wrong with the wish at once."""
    known = known_classes(scenario)
    listed = f" (known: {', '.join(known)})"
    problems = [
        Problem("of", f"unknown class '{name}'{did_you_mean(name, known) or listed}")
        for name in of or ()
        if name not in known
    ]
    if not 1 <= size <= MOST_HEROES:
        problems.append(Problem("size", f"expected a party of 1 to {MOST_HEROES} heroes, found {size}"))
    wanted = known if of is None else [name for name in known if name in of]
    if len(wanted) < 2 and not problems:
        problems.append(Problem("of", "expected two classes or more, or there is nothing to choose"))
    if problems:
        raise InputError(problems)
    return wanted


def known_classes(scenario: Scenario) -> list[str]:
    """The classes of the game in the order of its rules, then those of the fight's own."""
    return choices_at(Shape.of(scenario.ruleset).at(("heroes", 0, "class")), scenario.data)


def with_party(scenario: Scenario, party: Party, option: str = "of") -> Scenario:
    """The fight with these heroes instead; who stands first in the line stands where the first one stood.

    A party that cannot be is told under the option that asked for it.
    """
    old: list[dict[str, Any]] = scenario.data["heroes"]
    like = {entry["class"]: entry for entry in reversed(old)}
    heroes: list[dict[str, Any]] = []
    for number, name in enumerate(party):
        own = {key: value for key, value in like.get(name, {"class": name}).items() if key not in PLACES}
        if party.count(name) > 1:
            own.pop("name", None)  # two of a name would be one for whoever reads the tables
        place = {key: old[number][key] for key in PLACES if number < len(old) and key in old[number]}
        heroes.append(own | place)
    try:
        return scenario.changed(values={"heroes": heroes})
    except ScenarioError as error:
        said = "; ".join(problem.message for problem in error.problems)
        raise InputError(Problem(option, f"this fight cannot be played with {in_words(party)}: {said}")) from error


def in_words(party: Party) -> str:
    """A party as people say it: '2 warriors, priest'."""
    counts = {name: party.count(name) for name in party}
    return ", ".join(
        readable(name) if many == 1 else f"{many} {plural(readable(name))}" for name, many in counts.items()
    )
