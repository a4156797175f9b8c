"""The commented file that a designer begins with.

It is one of the ruleset's own fights, with every other key that the schema knows as a line to be switched on: what the
game would take anyway, behind a `#`. So it is valid as it stands, and stays so when a line is switched on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from textwrap import wrap
from typing import Any

from sim.core.ruleset import Ruleset
from sim.errors import InputError, Problem
from sim.scenario.catalogue import scenarios_of
from sim.scenario.scenario import Scenario, load
from sim.scenario.shape import Shape
from sim.scenario.toml_writer import key_text, to_toml, value_text
from sim.scenario.values import is_list_of_tables

_WIDTH = 100
_EXAMPLE = 24  # lines of an example, at most
DEEPEST = 3  # tables within tables whose keys are told


def base_scenario(ruleset: Ruleset[Any]) -> Scenario:
    """The fight that a starter file is made from."""
    names = list(scenarios_of(ruleset))
    if not names:
        raise InputError(Problem("", f"{ruleset.title} has no scenario to start from"))
    wanted = f"{ruleset.name}/{ruleset.starter}"
    return load(wanted if wanted in names else names[0])


def starter_text(base: Scenario, file: str = "FILE.toml", schema_file: str | None = None) -> str:
    """The text of a starter file made from a scenario. `schema_file` is named on the first line, for editors."""
    lines = [f"#:schema {schema_file}"] if schema_file else []
    lines += _head(base.ruleset, file)
    lines += _Table(base).scenario()
    return "\n".join(lines) + "\n"


def _head(ruleset: Ruleset[Any], file: str) -> Iterator[str]:
    yield from _prose(f"A fight of {ruleset.title}: {ruleset.about}.")
    yield "#"
    yield f"#     fairfight check {file}      is everything in order?"
    yield f"#     fairfight show {file}       the fight with all its numbers"
    yield f"#     fairfight run {file}        who wins, by how much, and why"
    yield "#"
    yield from _prose("Lines such as '#level = 1' show what the game takes anyway: remove the # and change the value.")


def _prose(text: str, depth: int = 0) -> list[str]:
    """A comment, set in by so many steps."""
    margin = "    " * depth
    return [f"# {margin}{line}" for line in wrap(text, _WIDTH - 2 - len(margin))]


class _Table:
    """Writes the keys of a scenario, table by table."""

    def __init__(self, base: Scenario) -> None:
        self.ruleset = base.ruleset
        self.shape = Shape.of(base.ruleset)
        self.data = base.data | {"title": "My own fight"}
        self.data.pop("description", None)
        self.resolved = base.resolved() | {"preset": base.preset, "switches": base.settings}

    def scenario(self) -> Iterator[str]:
        """The whole file: single values, then lists of tables, then tables, each in the order of the schema."""
        tables = [key for key in self.shape.keys if self.is_table(key)]
        lists = [key for key in self.shape.keys if self.is_list(key)]
        for key in self.shape.keys:
            if key not in tables and key not in lists and key != "description":
                yield ""
                yield from self.key(key, self.shape.at((key,)), self.data, self.resolved)
        for key in lists:
            yield from self.entries(key)
        for key in tables:
            yield from self.own_types(key) if key in self.ruleset.own_types() else self.table(key)

    def is_table(self, key: str) -> bool:
        """Is this a table? Some keys take a name as well: then the fight decides."""
        return self.shape.at((key,)).takes("object") and isinstance(self.data.get(key, {}), Mapping)

    def is_list(self, key: str) -> bool:
        """Is this a list whose entries are tables?"""
        return self.shape.at((key, 0)).takes("object") or is_list_of_tables(self.data.get(key))

    def table(self, key: str) -> Iterator[str]:
        """A [table] with all its keys, or a word about it where the fight has no such table."""
        shape = self.shape.at((key,))
        yield ""
        yield from _prose(_sentence(f"[{key}]", shape.note("description") or "a table", ""))
        needs_more = any(shape.at((name,)).required for name in shape.keys)
        if key not in self.data and (needs_more or not shape.keys or self.resolved.get(key) is None):
            yield from self.explained(shape)  # written out, it would change the fight
            yield from self.example(key)
            return
        said = self.data.get(key, {})
        yield f"[{key}]"
        for name in dict.fromkeys([*shape.keys, *said]):
            yield from self.key(name, shape.at((name,)), said, self.resolved.get(key) or {})

    def own_types(self, key: str) -> Iterator[str]:
        """Monsters or classes of one's own: what can be said of one, and the beginning of one."""
        kind, shape = self.ruleset.own_types()[key], self.shape.at((key,))
        yield ""
        yield from _prose(_sentence(f"[{key}.NAME]", shape.note("description") or "", ""))
        yield from self.explained(self.shape.at((key, "NAME")))
        if self.data.get(key):
            yield from to_toml({key: self.data[key]}).strip().splitlines()
            return
        base = next(iter(kind.built_in))
        yield from _prose(f"To begin with, a {kind.what} that is like one of the game's:")
        lines = to_toml({key: {f"my_{_word(base)}": {"like": base}}}).strip().splitlines()
        yield from ("#     " + line for line in lines)

    def entries(self, key: str) -> Iterator[str]:
        """A list of [[tables]]: the first entry with everything it may have, the others as they are."""
        shape = self.shape.at((key,))
        entry_shape = self.shape.at((key, 0))
        about = " ".join(note for note in (shape.note("description"), entry_shape.note("description")) if note)
        yield ""
        yield from _prose(_sentence(f"[[{key}]]", about, shape.expected))
        if not self.data.get(key):
            yield from self.explained(entry_shape, key)
            yield from self.example(key)
        for place, entry in enumerate(self.data.get(key, [])):
            if place:
                yield ""
            yield f"[[{key}]]"
            resolved = self.resolved.get(key, [{}] * (place + 1))[place]
            for name in entry_shape.keys:
                if place == 0:
                    yield from self.key(name, entry_shape.at((name,)), entry, resolved)
                elif name in entry:
                    yield f"{key_text(name)} = {value_text(entry[name])}"

    def example(self, key: str) -> Iterator[str]:
        """How another fight of the game writes a table or list that this one has not; nothing where none has it."""
        for name in scenarios_of(self.ruleset):
            part = load(name).data.get(key)
            if part:
                lines = to_toml({key: part}).strip().splitlines()
                shown = _beginning(lines)
                yield from _prose(f"As in {name}:")
                yield from ("#     " + line if line else "#" for line in shown)
                if len(shown) < len(lines):
                    yield "#     ..."
                return

    def key(self, key: str, shape: Shape, said: Mapping[str, Any], resolved: Mapping[str, Any]) -> Iterator[str]:
        """One key with a comment: as the fight has it, or switched off with what the game takes anyway."""
        yield from self.comment(key, shape)
        value = said.get(key, resolved.get(key, shape.note("default")))
        if value is not None:
            mark = "" if key in said else "#"
            for line in f"{key_text(key)} = {value_text(value)}".splitlines():
                yield mark + line

    def comment(self, key: str, shape: Shape) -> Iterator[str]:
        """What a key is for and what may be written; names of the ruleset with a word about each."""
        names = {"policy": self.ruleset.policies, "preset": self.ruleset.switchboard.about}.get(key)
        about = shape.note("description") or ""
        if names is None:
            yield from _prose(_sentence(key, about, "" if key == "ruleset" else shape.expected))
            yield from self.explained(_inside(shape))
            return
        yield from _prose(_sentence(key, about, ""))
        width = max(len(name) for name in names)
        for name, line in names.items():
            yield f"#     {name:{width}}  {line}"


    def explained(self, shape: Shape, within: str = "", depth: int = 1) -> Iterator[str]:
        """The keys of a table that is not written out, each with a word about it; `within` says whose table it is."""
        alike = [key for key in self.shape.keys if self.is_list(key) and self.data.get(key)]
        for key in alike:
            if shape.keys and key != within and set(shape.keys) == set(self.shape.at((key, 0)).keys):
                yield from _prose(f"the same keys as in [[{key}]]", depth)
                return
        for name in shape.keys:
            below = shape.at((name,))
            yield from _prose(_sentence(name, below.note("description") or "", below.expected), depth)
            if depth < DEEPEST:
                yield from self.explained(_inside(below), within, depth + 1)


def _word(name: str) -> str:
    """A name as a key that needs no quotes."""
    return re.sub(r"[^A-Za-z0-9_-]+", "_", name)


def _inside(shape: Shape) -> Shape:
    """The table that stands here, or the entries of the list; nothing where its keys are told with what is expected."""
    for found in (shape, shape.at((0,))):
        options = [option for option in found.options if option.get("properties")]
        if options:
            return Shape(found.root, options)
    return Shape(shape.root, [])


def _beginning(lines: list[str]) -> list[str]:
    """As much of an example as fits, up to the end of a table."""
    if len(lines) <= _EXAMPLE:
        return lines
    ends = [place for place, line in enumerate(lines[:_EXAMPLE]) if not line]
    return lines[: ends[-1]] if ends else lines[:_EXAMPLE]


def _sentence(key: str, about: str, expected: str) -> str:
    about = about.rstrip(".")
    if about and expected:
        return f"{key}: {about} ({expected})"
    return f"{key}: {about or expected}"
