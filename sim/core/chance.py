"""Where chance comes in, in plain words: who asks for luck, and which draws belong together.

Every game groups its draw points in `chance.toml`:

    [[groups]]
    name = "heroes' attacks"
    purposes = ["OU-A3", "OU-A5"]        # of the table of draw points; * stands for anything, as in "*/armor"
    by = "party"                         # only where this side asks, party or enemy; anybody if it is left out

A draw belongs to the first group that fits, so no draw belongs to two.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sim.core.mixed_luck import Addresses, Part, Span
from sim.errors import Problem, ScenarioError

CHANCE = "chance.toml"
SIDES = ("party", "enemy")
NOBODY = "table"  # what neither side asks for: the order of play, a deck
ALL_ENEMIES = "all enemies"  # who ask as one, where a game cannot tell them apart
ALL_OF_IT = "everything that is drawn"  # the one group of a game that makes none


@dataclass(frozen=True, slots=True)
class Actor:
    """Somebody who asks for luck, under one number or several."""

    name: str
    side: str  # "party" or "enemy"
    numbers: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class ChanceGroup:
    """Draws that belong together in the eyes of a player."""

    name: str
    purposes: tuple[str, ...]
    by: str | None = None  # one of SIDES; None for whoever asks


def actors_of_places(names: Mapping[int, Sequence[str]], where: str = "") -> list[Actor]:
    """Enemies whose number is their place, where different ones may stand: number -> the names it may have.

    >>> [actor.name for actor in actors_of_places({1000: ["wolf"], 1001: ["wolf"], 1002: ["crab", "eel"]})]
    ['wolf', 'third enemy']
    >>> [actor.name for actor in actors_of_places({1000: ["crab", "eel"]}, " of each scene")]
    ['first enemy of each scene']
    """
    found: dict[str, tuple[Span, ...]] = {}
    for place, (number, known) in enumerate(sorted(names.items()), start=1):
        name = known[0] if len(set(known)) == 1 else f"{_ordinal(place)} enemy{where}"
        found[name] = (*found.get(name, ()), (number, number))
    return [Actor(name, "enemy", numbers) for name, numbers in found.items()]


def _ordinal(place: int) -> str:
    words = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
    return words[place - 1] if place <= len(words) else f"{place}th"


def read_groups(folder: Path, table: Mapping[str, Any]) -> tuple[ChanceGroup, ...]:
    """The groups of a game's `chance.toml`; ScenarioError with all that is wrong in it."""
    file = str(folder / CHANCE)
    problems: list[Problem] = []
    found: dict[str, ChanceGroup] = {}
    for place, entry in enumerate(table.get("groups", [])):
        key, name, purposes = f"groups[{place}]", entry.get("name"), entry.get("purposes")
        strange = [part for part in entry if part not in ("name", "purposes", "by")]
        problems += [Problem(f"{key}.{part}", "unknown key; expected name, purposes or by", file) for part in strange]
        if not isinstance(name, str) or not isinstance(purposes, list) or not purposes:
            problems.append(Problem(key, "expected a name and a list of purposes", file))
            continue
        if name in found:
            problems.append(Problem(f"{key}.name", f"there are two groups '{name}'", file))
        if entry.get("by") not in (None, *SIDES):
            problems.append(Problem(f"{key}.by", f"expected {' or '.join(SIDES)}, found {entry['by']!r}", file))
        found[name] = ChanceGroup(name, tuple(purposes), entry.get("by"))
    if problems:
        raise ScenarioError(problems)
    return tuple(found.values()) or (ChanceGroup(ALL_OF_IT, ("*",)),)


def numbers_of(side: str, actors: Sequence[Actor]) -> tuple[Span, ...]:
    """The numbers under which a side asks."""
    return tuple(span for actor in actors if actor.side == side for span in actor.numbers)


def by_side(actors: Sequence[Actor]) -> dict[str, Addresses]:
    """Side -> everything that its actors ask for; what neither side asks for is the table's."""
    sides = {side: Part(actors=numbers_of(side, actors)) for side in SIDES}
    found = {side: Addresses((part,)) for side, part in sides.items()}
    return found | {NOBODY: Addresses((Part(),), without=tuple(sides.values()))}


def by_group(groups: Sequence[ChanceGroup], actors: Sequence[Actor]) -> dict[str, Addresses]:
    """Group -> its addresses: those that fit it and none of the groups before."""
    found: dict[str, Addresses] = {}
    earlier: tuple[Part, ...] = ()
    for group in groups:
        part = Part(group.purposes, None if group.by is None else numbers_of(group.by, actors))
        found[group.name] = Addresses((part,), without=earlier)
        earlier = (*earlier, part)
    return found


def by_actor(actors: Sequence[Actor]) -> dict[Actor, Addresses]:
    """Actor -> everything that it asks for."""
    return {actor: Addresses((Part(actors=actor.numbers),)) for actor in actors}
