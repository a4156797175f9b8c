"""Writing a scenario as TOML, as a designer would lay it out: values, then tables, then lists of tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from sim.scenario.values import is_list_of_tables

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_CODES = (*range(32), *range(127, 160), *range(0x202A, 0x202F), *range(0x2066, 0x206A))  # a terminal would obey them
_ESCAPES = {chr(code): f"\\u{code:04x}" for code in _CODES}
_ESCAPES |= {"\t": "\\t", "\n": "\\n", "\r": "\\r", '"': '\\"', "\\": "\\\\"}
_WIDEST = 100  # an inline list or table longer than this gets lines of its own
_LINES_OF_THEIR_OWN = ("monsters", "classes")  # whose entries a designer goes on turning


def to_toml(table: Mapping[str, Any]) -> str:
    """The table as the text of a TOML file. Keys without a value (None) are left out.

    >>> print(to_toml({"title": "Gate", "heroes": [{"class": "rogue", "items": {"rope": 1}}]}), end="")
    title = "Gate"
    <BLANKLINE>
    [[heroes]]
    class = "rogue"
    items = { rope = 1 }
    """
    return "\n".join(_table((), table)).strip("\n") + "\n"


def _table(path: tuple[str, ...], table: Mapping[str, Any]) -> Iterator[str]:
    """The lines of a table: first what fits on a line, then the tables inside, then the lists of tables."""
    there = {key: value for key, value in table.items() if value is not None}
    tables = {key: value for key, value in there.items() if isinstance(value, Mapping) and not _small(path, value)}
    lists = {key: value for key, value in there.items() if is_list_of_tables(value) and not _small(path, value)}
    for key, value in there.items():
        if key not in tables and key not in lists:
            yield f"{key_text(key)} = {value_text(value)}"
    for key, value in tables.items():
        inside = list(_table((*path, key), value))
        if not inside or inside[0]:  # what holds nothing but tables needs no line of its own
            yield from ("", f"[{_dotted(*path, key)}]")
        yield from inside
    for key, value in lists.items():
        for entry in value:
            yield from ("", f"[[{_dotted(*path, key)}]]")
            yield from _table((*path, key), entry)


def _small(path: tuple[str, ...], value: Any) -> bool:
    """Below the top of the file, what holds no further tables and fits on a line stays on it; not so own types."""
    if len(path) == 1 and path[0] in _LINES_OF_THEIR_OWN:
        return False
    entries = [value] if isinstance(value, Mapping) else value
    inside = [part for entry in entries for part in entry.values()]
    flat = not any(isinstance(part, Mapping) or is_list_of_tables(part) for part in inside)
    return bool(path) and flat and len(_on_one_line(value)) <= _WIDEST


def _dotted(*keys: str) -> str:
    return ".".join(key_text(key) for key in keys)


def key_text(key: str) -> str:
    """A key, in quotes where it needs them."""
    return key if _BARE.fullmatch(key) else _on_one_line(key)


def value_text(value: Any) -> str:
    """A value on the right of an equals sign."""
    if isinstance(value, str) and "\n" in value and value.strip("\n"):
        lines = [_escaped(line) for line in value.split("\n")]
        return '"""\n' + "\n".join(lines) + '"""'
    text = _on_one_line(value)
    if isinstance(value, list) and len(text) > _WIDEST:
        return "[\n" + "".join(f"    {_on_one_line(entry)},\n" for entry in value) + "]"
    return text


def _on_one_line(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, Mapping):
        pairs = ", ".join(f"{key_text(key)} = {_on_one_line(part)}" for key, part in value.items() if part is not None)
        return f"{{ {pairs} }}" if pairs else "{}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_on_one_line(entry) for entry in value) + "]"
    if isinstance(value, str):
        return f'"{_escaped(value)}"'
    raise TypeError(f"TOML has no place for {value!r}")


def _escaped(text: str) -> str:
    """The text with everything escaped that may not stand in quotes.

    A quote is always escaped, so the result may stand in one quote or three.
    """
    return "".join(_ESCAPES.get(sign, sign) for sign in text)
