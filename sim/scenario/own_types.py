"""Monsters and classes of the designer's own: which names are right where, and whether each says enough to be played.

Asked of the scenario as written, whatever else is wrong with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache
from typing import Any

from sim.core.own_types import LIKE, GoesInACircle, line_of
from sim.core.ruleset import OwnTypes, Ruleset
from sim.core.schema import OWN, unknown_name
from sim.scenario.shape import Shape
from sim.scenario.values import KeyPath

TABLES = ("monsters", "classes")
ANY = "*"  # any key of a table, any place in a list
DEEPEST = 8  # tables and lists within one another in which names are looked for
LONGEST_NAME = 60
_NAME = re.compile(r"[A-Za-z0-9_-]+")

Found = Iterator[tuple[KeyPath, str]]  # (where, what is wrong)


def known_names(data: Mapping[str, Any], ruleset: Ruleset[Any], table: str) -> list[str]:
    """The names of a kind: those of the game, then those of the scenario."""
    kind = ruleset.own_types().get(table)
    own = data.get(table)
    return list(dict.fromkeys([*(kind.built_in if kind else ()), *(own if isinstance(own, Mapping) else ())]))


def choices_at(shape: Shape, data: Mapping[str, Any]) -> list[Any]:
    """The values that are listed for a place, and the names of the scenario's own types where these may stand."""
    own = [data.get(option[OWN]) for option in shape.options if OWN in option]
    names = [name for table in own if isinstance(table, Mapping) for name in table]
    return list(dict.fromkeys([*shape.choices, *names]))


def problems_of_own_types(data: Mapping[str, Any], ruleset: Ruleset[Any]) -> Found:
    """Unknown names, names that cannot be, circles of `like`, and types that say too little."""
    kinds = ruleset.own_types()
    if not kinds:
        return
    for pattern, table, what in _places_of_names(ruleset):
        known: list[str] | None = None
        for path, value in _values_at(data, pattern):
            if isinstance(value, str):
                known = known_names(data, ruleset, table) if known is None else known
                if value not in known:
                    yield path, unknown_name(value, known, what)
    for table, kind in kinds.items():
        own = data.get(table)
        if isinstance(own, Mapping):
            yield from _entries(table, {key: one for key, one in own.items() if isinstance(one, Mapping)}, kind)


def gone_with(data: Mapping[str, Any], ruleset: Ruleset[Any], wrong: Sequence[KeyPath]) -> list[KeyPath]:
    """What cannot be looked at where some values are wrong: own types with a mistake, and all who name them."""
    lost = {(str(path[0]), str(path[1])) for path in wrong if len(path) > 1 and path[0] in ruleset.own_types()}
    found: list[KeyPath] = []
    while lost:
        found += lost
        named = [
            path
            for pattern, table, _ in _places_of_names(ruleset)
            for path, value in _values_at(data, pattern)
            if isinstance(value, str) and (table, value) in lost and path not in found
        ]
        found += named
        types = {(str(path[0]), str(path[1])) for path in named if path[0] in ruleset.own_types()}
        lost = types - set(found)
    return found


def _entries(table: str, own: Mapping[str, Mapping[str, Any]], kind: OwnTypes) -> Found:
    for name in own:
        if not _NAME.fullmatch(name) or len(name) > LONGEST_NAME:
            expected = f"expected a {kind.what} called by letters, digits, - and _, up to {LONGEST_NAME} of them"
            yield (table, name), f"{expected}; how people read it is said by `name`"
            continue
        try:
            line = line_of(name, own, kind.built_in)
        except GoesInACircle as error:
            yield (table, name, LIKE), str(error)
        except (KeyError, TypeError):
            continue  # like somebody whom nobody knows: told by the name
        else:
            said = {key for part in line for key in part}
            misspelled = said - set(kind.model.model_fields)  # told as such, and meant for what seems to be missing
            absent = [key for key in kind.needs if key not in said]
            missing = [key for key in absent if not get_close_matches(key, misspelled, n=1, cutoff=0.7)]
            if missing:
                likened = f"say {'it' if len(missing) == 1 else 'them'}, or what it is `like`"
                yield (table, name), f"a {kind.what} needs {', '.join(missing)}; {likened}"


# ------------------------------------------------------------------------------------------------------ where names are


@lru_cache(maxsize=32)
def _places_of_names(ruleset: Ruleset[Any]) -> tuple[tuple[tuple[str, ...], str, str], ...]:
    """Where in a scenario names of own types may stand: (path, the table that they come from, what they name)."""
    found: dict[tuple[str, ...], tuple[str, str]] = {}
    waiting: list[tuple[tuple[str, ...], Shape]] = [((), Shape.of(ruleset))]
    while waiting:
        path, shape = waiting.pop()
        parts = [part for option in shape.options for part in _inside(option)] if len(path) < DEEPEST else []
        waiting += [((*path, key), Shape(shape.root, [part])) for key, part in reversed(parts)]  # in reading order
        for option in shape.options:
            if OWN in option:
                found[path] = option[OWN], option["what"]
    return tuple((path, *names) for path, names in found.items())


def _inside(option: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    yield from option.get("properties", {}).items()
    for key in ("items", "additionalProperties"):
        if isinstance(option.get(key), dict):
            yield ANY, option[key]


def _values_at(data: Any, pattern: tuple[str, ...]) -> Iterator[tuple[KeyPath, Any]]:
    """The values of a scenario at the places that a pattern means."""
    here: list[tuple[KeyPath, Any]] = [((), data)]
    for step in pattern:
        below: list[tuple[KeyPath, Any]] = []
        for path, value in here:
            if isinstance(value, Mapping):
                keys = list(value) if step == ANY else [step] if step in value else []
                below += [((*path, key), value[key]) for key in keys]
            elif isinstance(value, list) and step == ANY:
                below += [((*path, place), member) for place, member in enumerate(value)]
        here = below
    yield from here
