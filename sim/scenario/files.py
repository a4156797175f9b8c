"""Reading a TOML file that a person wrote: every way in which it can fail to be one, in words."""

from __future__ import annotations

import os
import re
import string
import tomllib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from sim.errors import Problem, ScenarioError, did_you_mean
from sim.scenario.line_numbers import Lines
from sim.scenario.paths import spell
from sim.scenario.values import strange_values

LARGEST_FILE = 20_000_000  # bytes
MOST_DOTS = 500  # in a key; far more than a scenario's depth, far less than what takes long to read
_IN_A_KEY = " \t.\"'_-" + string.ascii_letters + string.digits

# What tomllib says, and what a designer should look for.
_HINTS = {
    "Invalid value": 'a text stands in "quotes", true and false are lower case',
    "Invalid statement": "a line is a key = value, a [table], a [[list entry]] or a # comment",
    "Expected '='": 'a line is a key = value; a key with spaces stands in "quotes"',
    "Cannot overwrite a value": "the key stands there twice",
    "twice": "the table stands there twice; an entry of a list has two brackets: [[heroes]]",
    "Cannot mutate immutable namespace": "the key stands there twice",
    "Illegal character '\\n'": "a text ends on the line on which it begins, unless it has three quotes",
    "Unterminated string": "a closing quote is missing",
    "Unclosed array": "a closing bracket ] is missing",
    "Unclosed inline table": "a closing brace } is missing; a table in braces stands on one line",
    "Unescaped '\\'": "write \\\\ for a backslash, or put the text in 'single quotes'",
    "Expected newline": "one key = value per line",
    "Illegal character '\\r'": "save the file with the line ends of Unix or Windows, not of an old Mac",
}


@dataclass(frozen=True)
class TomlFile:
    """A file as it was read: its name as the user knows it, its text and its tables."""

    name: str
    text: str
    table: dict[str, Any]

    @cached_property
    def lines(self) -> Lines:
        """Where each key stands; walked through only when somebody asks."""
        return Lines(self.text)


def read_toml(path: Path, name: str | None = None) -> TomlFile:
    """The file, or a ScenarioError that says why it cannot be read."""
    shown = name or str(path)
    text = _text(_bytes(path, shown), shown)
    table = _parsed(text, shown)
    file = TomlFile(shown, text, table)
    if misfits := list(strange_values(table)):
        raise ScenarioError([Problem(spell(path), what, shown, file.lines.of(path)) for path, what in misfits])
    return file


def _bytes(path: Path, shown: str) -> bytes:
    try:
        if path.is_dir():
            inside = sorted(entry.name for entry in path.glob("*.toml"))[:5]
            which = f"; it holds {', '.join(inside)}" if inside else ""
            raise ScenarioError(Problem("", f"is a folder, expected a .toml file{which}", shown))
        with path.open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
    except FileNotFoundError:
        raise ScenarioError(Problem("", _missing(path), shown)) from None
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL in it
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise ScenarioError(Problem("", f"cannot be read: {reason}", shown)) from None
    if len(content) > LARGEST_FILE:
        raise ScenarioError(Problem("", f"is larger than {LARGEST_FILE // 1_000_000} MB: not a scenario file", shown))
    return content


def _missing(path: Path) -> str:
    if os.path.lexists(path):
        return "is a link to a file that is not there"
    try:
        beside = [entry.name for entry in path.parent.glob("*.toml")]
    except OSError:
        beside = []
    return f"no such file{did_you_mean(path.name, beside)}"


def _text(content: bytes, shown: str) -> str:
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise ScenarioError(Problem("", "is UTF-16 text; save it as UTF-8", shown))
    if b"\0" in content:
        line = content.count(b"\n", 0, content.index(b"\0")) + 1
        raise ScenarioError(Problem("", "contains a NUL byte: not a text file, or not saved as UTF-8", shown, line))
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n")  # some editors begin a file with a byte order mark
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        what = f"byte 0x{content[error.start]:02x} is not UTF-8; save the file as UTF-8"
        raise ScenarioError(Problem("", what, shown, line)) from None


def _endless_key(text: str) -> int | None:
    """The line of a key with so many dots that Python's reader would sit over it for minutes."""
    for number, line in enumerate(text.split("\n"), 1):
        if line.count(".") > MOST_DOTS:
            parts = line.split("]" if line.lstrip().startswith("[") else "=")
            if any(part[len(part.rstrip(_IN_A_KEY)) :].count(".") > MOST_DOTS for part in parts[:-1]):
                return number
    return None


def _parsed(text: str, shown: str) -> dict[str, Any]:
    if line := _endless_key(text):
        raise ScenarioError(Problem("", f"a key with more than {MOST_DOTS} dots", shown, line))
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ScenarioError(_syntax_problem(str(error), text, shown)) from None
    except RecursionError:
        raise ScenarioError(Problem("", "lists or tables lie too deep in one another", shown)) from None
    except ValueError as error:  # a whole number with thousands of digits
        raise ScenarioError(Problem("", f"a value cannot be read: {error}", shown)) from None


def _syntax_problem(said: str, text: str, shown: str) -> Problem:
    """tomllib's message with its place taken apart and a hint for the usual mistakes."""
    what, _, place = said.rpartition(" (at ")
    hint = next((hint for sign, hint in _HINTS.items() if sign in what), "")
    message = f"not valid TOML: {what[:1].lower()}{what[1:]}" + (f" ({hint})" if hint else "")
    if found := re.fullmatch(r"line (\d+), column (\d+)\)", place):
        return Problem(f"column {found[2]}", message, shown, int(found[1]))
    return Problem("", f"{message}, at the end of the file", shown, text.count("\n") + 1)
