"""What a form is made of: fields under headings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sim.errors import Problem

_NO_SIGN_OF_A_NAME = re.compile(r"[\W_]")


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several values."""

    typed: str
    label: str
    about: str = ""


@dataclass(frozen=True, slots=True)
class Field:
    """One value that can be turned."""

    path: str
    label: str  # under its heading: 'Defence'
    name: str  # alone: 'defence of the skeleton'
    kind: str  # number, choice, switch, text, long, names, list
    typed: str = ""  # the value as it would be typed; empty where nothing is set
    choices: tuple[Choice, ...] = ()
    entries: tuple[str, ...] = ()  # of a list of names
    low: float | None = None  # of the slider; None for no slider
    high: float | None = None
    step: str = "1"
    about: str = ""
    expected: str = ""
    was: str | None = None  # the value in the file, where this one is another
    by_hand: bool = False  # whether it was set here, and not by another value that was
    problem: str = ""

    @property
    def id(self) -> str:
        """For the page."""
        return f"field-{_NO_SIGN_OF_A_NAME.sub('-', self.path)}"

    @property
    def turns(self) -> bool:
        """Whether it is a number that can be turned, so that there is a curve around it."""
        return self.low is not None


@dataclass(frozen=True, slots=True)
class Group:
    """Fields under one heading."""

    id: str
    title: str
    about: str = ""
    fields: tuple[Field, ...] = ()
    more: tuple[Field, ...] = ()  # what is not set, or seldom turned
    groups: tuple[Group, ...] = ()
    removable: str = ""  # the path of an entry that can be taken away
    adds: str = ""  # the key of a list that can have more entries
    names: tuple[Choice, ...] = ()  # what such an entry may be
    folded: bool = False
    problem: str = ""

    def all_fields(self) -> Iterator[Field]:
        """Every field, at any depth."""
        yield from (*self.fields, *self.more)
        for group in self.groups:
            yield from group.all_fields()

    @property
    def changed(self) -> int:
        """How many values differ from the file."""
        return sum(field.was is not None or field.by_hand for field in self.all_fields())


@dataclass(frozen=True, slots=True)
class Form:
    """All of a fight."""

    groups: tuple[Group, ...]
    elsewhere: tuple[Problem, ...]  # problems that no field shows

    def all_fields(self) -> Iterator[Field]:
        """Every field, at any depth."""
        for group in self.groups:
            yield from group.all_fields()
