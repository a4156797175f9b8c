"""Line-ups: a fight with other enemies, so many of each kind."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from functools import cache
from typing import Any

from sim.core.ruleset import Ruleset
from sim.errors import InputError, Problem, ScenarioError
from sim.scenario import Scenario, from_dict
from sim.scenario.wording import number_in_words, plural, readable

PLACES = ("spot", "spots", "square", "squares", "hex")  # keys that say where somebody stands


def with_enemies(scenario: Scenario, counts: Mapping[str, int]) -> Scenario:
    """The fight against so many of each kind instead, and against nobody whom a pool, a deck or a table would deal.

    A kind that stands in the file is taken as it stands there. An evening has no enemies of its own: its fights have.
    """
    if scenario.is_adventure:
        said = f"a price list is made for one fight, and {scenario.name} is an evening of several"
        raise InputError(Problem("units", f"{said}: ask about one of them, with --party for other heroes than its own"))
    kind, shape = _enemy_shape(scenario.ruleset)
    old: list[dict[str, Any]] = scenario.data.get("enemies", [])
    like = {str(name): entry for entry in reversed(old) for name in (entry.get(kind), entry.get("name")) if name}
    enemies: list[dict[str, Any]] = []
    dealt = [key for key in scenario.ruleset.enemies_by_lot if key in scenario.data]
    places = [entry[key] for entry in old for key in PLACES if key in entry]
    for key in dealt:
        places += scenario.data[key].get("spots", []) if isinstance(scenario.data[key], dict) else []
    if "count" not in shape and not places:
        raise InputError(Problem("units", f"{scenario.name} says of no enemy where it stands, so others cannot either"))
    spots = itertools.cycle(places)
    for name, count in counts.items():
        if count < 1:
            continue
        entry = {key: value for key, value in like.get(name, {kind: name}).items() if key not in PLACES}
        if "count" in shape:
            enemies.append(entry | {"count": count})
        else:  # one entry for each, all of them on the places of the file in turn
            enemies += [entry | {"spot": next(spots)} for _ in range(count)]
    try:
        if not dealt:
            return scenario.changed(values={"enemies": enemies})
        data = {key: value for key, value in scenario.data.items() if key not in dealt} | {"enemies": enemies}
        return from_dict(data, name=scenario.name, source=scenario.source)
    except ScenarioError as error:
        said = "; ".join(problem.message for problem in error.problems)
        raise InputError(Problem("units", f"{in_words(counts)} cannot be played: {said}")) from error


def in_words(counts: Mapping[str, int]) -> str:
    """A line-up as people say it.

    >>> in_words({"skeleton": 2, "bone_lord": 1, "rat": 0})
    'two skeletons and one bone lord'
    """
    parts = [
        f"{number_in_words(count)} {readable(name) if count == 1 else plural(readable(name))}"
        for name, count in counts.items()
        if count
    ]
    return " and ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]])) or "nobody"


@cache  # a schema takes as long as playing a line-up
def _enemy_shape(game: Ruleset[Any]) -> tuple[str, dict[str, Any]]:
    """The key under which an enemy's kind stands, and the schema of its entry."""
    schema = game.scenario_model.model_json_schema()
    name = schema["properties"]["enemies"]["items"]["$ref"].rpartition("/")[2]
    shape = schema["$defs"][name]["properties"]
    return ("card" if "card" in shape else "type"), shape
