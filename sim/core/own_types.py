"""Types that a designer adds to a game: `[monsters.bone_lord]` and `[classes.squire]` of a scenario or bestiary file.

An entry says what is its own; with `like = "skeleton"` everything else is as there. The type that it is like may be one
of the game's or another one of the designer's. A type of the designer's that bears the name of one of the game's takes
its place, and may still be `like` it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

LIKE = "like"
NOT_INHERITED = (LIKE, "name")

Table = Mapping[str, Any]


class GoesInACircle(ValueError):  # noqa: N818 (reads as what it says)
    """A type that is like itself by way of others."""


def said(own: Mapping[str, BaseModel]) -> dict[str, dict[str, Any]]:
    """What the designer has written of each type, and nothing else, under the keys of the file."""
    return {name: entry.model_dump(by_alias=True, exclude_unset=True) for name, entry in own.items()}


def line_of(name: str, own: Mapping[str, Table], built_in: Mapping[str, Table]) -> list[Table]:
    """The tables that make up a type: its own first, then that of the type that it is like, and so on.

    Raises KeyError where a name is unknown, and GoesInACircle.
    """
    line: list[Table] = []
    met: list[str] = []
    while name in own and name not in met:
        line.append(own[name])
        met.append(name)
        base = own[name].get(LIKE)
        if base is None:
            return line
        if base in met[:-1] or (base == name and name not in built_in):
            raise GoesInACircle(f"{' is like '.join([*met, base])}: one of them must stand by itself")
        name = base
    return [*line, built_in[name]]


def in_full(name: str, own: Mapping[str, Table], built_in: Mapping[str, Table]) -> dict[str, Any]:
    """Everything there is to say of a type: what it says itself over what stands in the type that it is like.

    A list or table that is said takes the place of the other as a whole; `name` is nobody else's.

    >>> skeleton = {"melee": 3, "defence": 3}
    >>> in_full("bone_lord", {"bone_lord": {"like": "skeleton", "defence": 5}}, {"skeleton": skeleton})
    {'melee': 3, 'defence': 5}
    """
    line = line_of(name, own, built_in)
    found: dict[str, Any] = {}
    for table in reversed(line):
        found |= {key: value for key, value in table.items() if key not in NOT_INHERITED}
    return found | ({"name": line[0]["name"]} if "name" in line[0] else {})
