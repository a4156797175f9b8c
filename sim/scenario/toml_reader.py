"""Reading a TOML file that a person wrote: every way in which it can fail to be one, in words, and on which line.

Python's own reader gives the values and not their places, so the text is walked a second time by `LineNumbers`. The
walk trusts that the reader has accepted the text: it need not find mistakes, only places.
"""

from __future__ import annotations

import os
import re
import string
import tomllib
from bisect import bisect_right
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from sim.errors import Problem, ScenarioError, did_you_mean
from sim.scenario.values import KeyPath, spell, strange_values

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
    def lines(self) -> LineNumbers:
        """Where each key stands; walked through only when somebody asks."""
        return LineNumbers(self.text)


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


# --------------------------------------------------------------------------------------------------- the lines of keys

# Possessive quantifiers (`++`): what they have taken is never given back, so no text is slow to read.
_BLANK = re.compile(r"(?:[ \t\r\n]++|#[^\n]*+)*+")
_MULTILINE = re.compile(r'"""(?:[^"\\]++|\\.|"{1,2}+(?!"))*+"{3,5}', re.DOTALL)
_MULTILINE_LITERAL = re.compile(r"'''(?:[^']++|'{1,2}+(?!'))*+'{3,5}", re.DOTALL)
_BASIC = re.compile(r'"(?:[^"\\\n]++|\\.)*+"')
_LITERAL = re.compile(r"'[^'\n]*+'")
_TEXTS = (_MULTILINE, _MULTILINE_LITERAL, _BASIC, _LITERAL)
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_UNQUOTED = re.compile(r"[^,\]}#\n]++")  # a number, true, a date: whatever ends at the next sign

_DEEPEST_PLACE = 60  # beyond any depth that a file may have; keys deeper down stand where the key around them does


class LineNumbers:
    """The line of every key of a TOML text, counted from 1."""

    def __init__(self, text: str) -> None:
        self.found: dict[KeyPath, int] = _Walk(text).document()

    def of(self, path: KeyPath) -> int | None:
        """The line of a key, or of the nearest key around it; None where the text says nothing of either."""
        for length in range(len(path), 0, -1):
            if path[:length] in self.found:
                return self.found[path[:length]]
        return None


class _Walk:
    """One walk through a TOML text. Offsets count characters; a path is noted where its key first stands."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.found: dict[KeyPath, int] = {}
        self.entries: dict[KeyPath, int] = {}  # how many [[tables]] each array has so far
        self.line_ends = [match.start() for match in re.finditer("\n", text)]

    def document(self) -> dict[KeyPath, int]:
        """Every key of the text with its line."""
        with suppress(RecursionError):  # lists within lists without end; the places so far will do
            self.tables()
        return self.found

    def tables(self) -> None:
        here: KeyPath = ()
        while self.blank() < len(self.text):
            if self.text.startswith("[[", self.at):
                here = self.header(2)
            elif self.text[self.at] == "[":
                here = self.header(1)
            else:
                self.pair(here)

    def header(self, brackets: int) -> KeyPath:
        """`[table]` or `[[table]]`: the path of what follows, in the latest entry of any array around it."""
        line = self.line()
        self.at += brackets
        keys = self.key()
        self.at += brackets
        path: KeyPath = ()
        for place, key in enumerate(keys):
            path = (*path, key)
            self.note(path, line)
            opens_entry = brackets == 2 and place == len(keys) - 1
            if opens_entry:
                self.entries[path] = self.entries.get(path, 0) + 1
            if path in self.entries:
                path = (*path, self.entries[path] - 1)
                self.note(path, line)
        return path

    def pair(self, table: KeyPath) -> None:
        """`key = value`, with a key that may have dots."""
        line = self.line()
        path = table
        for key in self.key():
            path = (*path, key)
            self.note(path, line)
        self.blank()
        self.at += 1  # the equals sign
        self.value(path)

    def value(self, path: KeyPath) -> None:
        self.blank()
        sign = self.text[self.at]
        if sign == "[":
            self.array(path)
        elif sign == "{":
            self.inline_table(path)
        else:
            self.skip(*_TEXTS, _UNQUOTED)

    def array(self, path: KeyPath) -> None:
        self.at += 1
        entry = 0
        while self.text[self.blank()] != "]":
            self.note((*path, entry), self.line())
            self.value((*path, entry))
            entry += 1
            if self.text[self.blank()] == ",":
                self.at += 1
        self.at += 1

    def inline_table(self, path: KeyPath) -> None:
        self.at += 1
        while self.text[self.blank()] != "}":
            self.pair(path)
            if self.text[self.blank()] == ",":
                self.at += 1
        self.at += 1

    def key(self) -> list[str]:
        """The parts of a key: `a`, `"a b"`, `a.b`."""
        parts = []
        while True:
            self.blank()
            part = self.skip(_BARE_KEY, _BASIC, _LITERAL)
            quoted = part[0] in "\"'"
            parts.append(tomllib.loads(f"key = {part}")["key"] if quoted else part)
            self.blank()
            if self.text[self.at] != ".":
                return parts[:_DEEPEST_PLACE]
            self.at += 1

    def blank(self) -> int:
        """Past spaces, line ends and comments."""
        match = _BLANK.match(self.text, self.at)
        assert match is not None  # it may be empty
        self.at = match.end()
        return self.at

    def skip(self, *patterns: re.Pattern[str]) -> str:
        """Past the first pattern that fits here; what it took."""
        for pattern in patterns:
            if match := pattern.match(self.text, self.at):
                self.at = match.end()
                return match.group()
        raise ValueError(f"line {self.line()} is not TOML as the reader took it")

    def line(self) -> int:
        return bisect_right(self.line_ends, self.at - 1) + 1

    def note(self, path: KeyPath, line: int) -> None:
        self.found.setdefault(path, line)
