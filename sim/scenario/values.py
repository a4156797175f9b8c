"""Plain values: what a scenario may hold at all, whether it comes from a file or from Python."""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterator, Mapping
from typing import Any

from sim.scenario.paths import KeyPath

LARGEST_NUMBER = 2**63 - 1  # as the TOML standard has it
DEEPEST = 40  # tables within tables; beyond that it is a mistake or mischief


def plain(value: Any) -> Any:
    """A copy with the tables and lists of plain Python: no tuples, no NumPy. What is neither stays as it is."""
    if hasattr(value, "tolist"):  # a number or an array of NumPy
        value = value.tolist()
    if isinstance(value, Mapping):
        return {key: plain(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in value]
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
