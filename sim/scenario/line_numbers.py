"""On which line of a TOML file each key stands.

Python's own reader gives the values and not their places, so the text is walked a second time. The walk trusts that
the reader has accepted the text: it need not find mistakes, only places.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from contextlib import suppress

from sim.scenario.paths import KeyPath

# Possessive quantifiers (`++`): what they have taken is never given back, so no text is slow to read.
_BLANK = re.compile(r"(?:[ \t\r\n]++|#[^\n]*+)*+")
_MULTILINE = re.compile(r'"""(?:[^"\\]++|\\.|"{1,2}+(?!"))*+"{3,5}', re.DOTALL)
_MULTILINE_LITERAL = re.compile(r"'''(?:[^']++|'{1,2}+(?!'))*+'{3,5}", re.DOTALL)
_BASIC = re.compile(r'"(?:[^"\\\n]++|\\.)*+"')
_LITERAL = re.compile(r"'[^'\n]*+'")
_TEXTS = (_MULTILINE, _MULTILINE_LITERAL, _BASIC, _LITERAL)
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_PLAIN = re.compile(r"[^,\]}#\n]++")  # a number, true, a date: whatever ends at the next sign

_DEEPEST = 60  # beyond any depth that a file may have; the places of keys deeper down are those of the key around them


class Lines:
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
            self.skip(*_TEXTS, _PLAIN)

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
                return parts[:_DEEPEST]
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
