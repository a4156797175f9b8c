"""Every number of a fight set to one that nobody would write: it is played, or refused with the bound."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from functools import cache
from itertools import combinations, product
from typing import Any

import numpy as np

from sim.core.engine import play
from sim.errors import ScenarioError
from sim.scenario import from_dict, load, scenario_names
from tests.fuzzing import limited

LARGE = (0, 1, -1, 2**15, 2**31, 2**63, 10**18)
RUNS = 4
SECONDS = 20.0  # of processor time for one fight: far more than any takes

Place = tuple[str | int, ...]
Change = tuple[tuple[Place, int], ...]


def numbers(value: Any, place: Place = ()) -> Iterator[Place]:
    """The place of every number in a table, policies left out: they are checked as formulas are."""
    if isinstance(value, dict):
        for key, below in value.items():
            if key != "policies":
                yield from numbers(below, (*place, key))
    elif isinstance(value, list):
        for number, below in enumerate(value):
            yield from numbers(below, (*place, number))
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield place


@cache
def fights(game: str) -> list[dict[str, Any]]:
    """Every shipped fight of a game with all its numbers and switches written out."""
    found = []
    for name in scenario_names():
        if name.startswith(f"{game}/"):
            scenario = load(name)
            found.append(copy.deepcopy(scenario.in_full()) | {"switches": dict(scenario.settings)})
    return found


@cache
def places_of(game: str) -> list[tuple[dict[str, Any], Place]]:
    """One fight for every different place of a number, whatever the position in a list."""
    known: dict[Place, tuple[dict[str, Any], Place]] = {}
    for fight in fights(game):
        for place in numbers(fight):
            kind = tuple("*" if isinstance(step, int) else step for step in place)
            known.setdefault(kind, (fight, place))
    return list(known.values())


def singles(game: str) -> list[tuple[dict[str, Any], Change]]:
    """Every number set to every large one."""
    return [(fight, ((place, number),)) for fight, place in places_of(game) for number in LARGE]


def pairs(game: str, amount: int, seed: int) -> list[tuple[dict[str, Any], Change]]:
    """So many pairs of numbers of one fight, each with a large one of its own."""
    rng = random.Random(seed)
    found = []
    for _ in range(amount):
        fight = rng.choice(fights(game))
        one, other = rng.sample(list(numbers(fight)), 2)
        found.append((fight, ((one, rng.choice(LARGE)), (other, rng.choice(LARGE)))))
    return found


def every_pair(game: str) -> Iterator[tuple[dict[str, Any], Change]]:
    """The full product: all pairs of different places, with all pairs of large numbers."""
    for (fight, one), (_, other) in combinations(places_of(game), 2):
        for first, second in product(LARGE, LARGE):
            yield fight, ((one, first), (other, second))


def changed(fight: dict[str, Any], change: Change) -> dict[str, Any]:
    """The fight with other numbers; a place that it does not have is left."""
    data = copy.deepcopy(fight)
    for place, number in change:
        table: Any = data
        try:
            for step in place[:-1]:
                table = table[step]
            table[place[-1]] = number
        except (KeyError, IndexError, TypeError):
            continue
    return data


def become(fight: dict[str, Any], change: Change) -> str:
    """'played' or 'refused': what becomes of the changed fight. Anything else is an error of the caller's test."""
    try:
        with limited(SECONDS):
            play(from_dict(changed(fight, change)).encounter(), 1, np.arange(RUNS))
    except ScenarioError as refused:
        said = [problem.message for problem in refused.problems]
    else:
        return "played"
    assert all(said), "refused without a word"
    return "refused"
