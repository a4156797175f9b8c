"""What a scenario may hold, and where: plain values, and key paths such as `heroes[1].level`."""

from __future__ import annotations

import datetime
import json
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

KeyPath: TypeAlias = tuple[str | int, ...]

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_STEP = re.compile(
    r"""
      (?P<dot>\.)?
      (?: \[ \s* (?P<index>\d+ | \*) \s* \]     # [0] or [*]
        | (?P<quoted>"(?:[^"\\]|\\.)*")         # "a name with spaces"
        | (?P<bare>[^.\[\]"]+)                  # level, skeleton, 0, *
      )
    """,
    re.VERBOSE,
)

LARGEST_NUMBER = 2**63 - 1  # as the TOML standard has it
DEEPEST = 40  # tables within tables; beyond that it is a mistake or mischief


# --------------------------------------------------------------------------------------------------------------- paths


def spell(path: KeyPath) -> str:
    """A key path as designers read it.

    >>> spell(("heroes", 1, "level"))
    'heroes[1].level'
    """
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        else:
            name = step if _BARE.fullmatch(step) else json.dumps(step, ensure_ascii=False)
            text += f".{name}" if text else name
    return text


def steps(text: str) -> list[str] | None:
    """The steps of a path as somebody wrote it, all as text; None where it is no path.

    An index may stand in brackets or between dots, and a name with spaces or dots in quotes.

    >>> steps("heroes[0].level"), steps('heroes.0.level'), steps('heroes."Old Ada".level')
    (['heroes', '0', 'level'], ['heroes', '0', 'level'], ['heroes', 'Old Ada', 'level'])
    """
    found: list[str] = []
    at = 0
    while at < len(text):
        match = _STEP.match(text, at)
        if match is None:
            return None
        bracketed = match["index"] is not None
        if bool(match["dot"]) == (not found or bracketed):
            return None  # a dot must stand before every key but the first, and before no bracket
        if bracketed:
            found.append(match["index"])
        elif match["quoted"]:
            try:
                found.append(json.loads(match["quoted"]))
            except ValueError:
                return None
        else:
            found.append(match["bare"].strip())
        at = match.end()
    return found if found and all(found) else None


def key_path(text: str) -> KeyPath:
    """The path that `spell` has written; anything else stays one key.

    >>> key_path("heroes[1].level")
    ('heroes', 1, 'level')
    """
    path: list[str | int] = []
    at = 0
    while at < len(text):
        match = _STEP.match(text, at)
        if match is None:
            return (text,)
        if match["index"] is not None and match["index"] != "*":
            path.append(int(match["index"]))
        elif match["quoted"]:
            path.append(json.loads(match["quoted"]))
        else:
            path.append(str(match["bare"] or match["index"]))
        at = match.end()
    return tuple(path)


# -------------------------------------------------------------------------------------------------------------- values


def python_values(value: Any) -> Any:
    """A copy with the tables and lists of plain Python: no tuples, no NumPy. What is neither stays as it is."""
    if hasattr(value, "tolist"):  # a number or an array of NumPy
        value = value.tolist()
    if isinstance(value, Mapping):
        return {key: python_values(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [python_values(part) for part in value]
    return value


def strange_values(table: Any) -> Iterator[tuple[KeyPath, str]]:
    """Values that have no place in any scenario: dates, infinities, endless numbers, tables without end."""
    waiting: list[tuple[KeyPath, Any]] = [((), table)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, (dict, list)) and len(path) >= DEEPEST:
            yield path[:1], f"tables and lists lie more than {DEEPEST} deep in one another"
            return
        if isinstance(value, dict):
            waiting.extend(((*path, str(key)), below) for key, below in reversed(value.items()))
        elif isinstance(value, list):
            waiting.extend(((*path, place), value[place]) for place in reversed(range(len(value))))
        elif reason := _strangeness(value):
            yield path, reason


def _strangeness(value: Any) -> str | None:
    if isinstance(value, (datetime.date, datetime.time)):
        return f"expected a number, a text, a list or a table, found the date or time {value}"
    if isinstance(value, float) and not math.isfinite(value):
        return f"expected a number, found {value}"
    if isinstance(value, int) and not -LARGEST_NUMBER <= value <= LARGEST_NUMBER:
        return f"expected a number of at most 63 bits, found one of {value.bit_length()}"
    if not isinstance(value, (str, int, float)):
        return f"expected a number, a text, a list or a table, found {value!r}"
    return None


def is_list_of_tables(value: Any) -> bool:
    """A list that stands in a file as [[key]] entries."""
    return isinstance(value, list) and bool(value) and all(isinstance(entry, Mapping) for entry in value)


def readable(value: Any, nothing: str = "-", between_tables: str = ", ") -> str:
    """A value as a designer reads it.

    >>> readable({"level": 3, "items": ["rope", "torch"], "alone": True, "feat": None})
    'level 3, items rope, torch, alone yes, feat -'
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        parts = (f"{key} {readable(part, nothing, between_tables)}" for key, part in value.items())
        return ", ".join(parts) or nothing
    if isinstance(value, (list, tuple)):
        between = between_tables if is_list_of_tables(value) else ", "
        return between.join(readable(part, nothing, between_tables) for part in value) or nothing
    return nothing if value is None or value == "" else str(value)
