"""The enemy lines of a scenario and the kinds they make."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import NamedTuple

from sim.rulesets.brimstone import data
from sim.rulesets.brimstone.bestiary import Kind, changed_kind, kind_of_type
from sim.rulesets.brimstone.schema import BrimstoneScenario, Enemies
from sim.rulesets.brimstone.threats import card_types


@dataclass(frozen=True, slots=True)
class Line:
    """A line of enemies: which kind, how many."""

    kind: int
    count: int | str
    number: int  # among all lines
    squares: tuple[tuple[int, int], ...] = ()  # of its first models


class Lines(NamedTuple):
    """All enemy lines of a scenario."""

    kinds: list[Kind]
    number: dict[str, int]  # of the kinds that types, and names of lines, stand for
    start: list[Line]
    late: list[list[Line]]  # of every event
    alone: set[str]  # types that come into the fight by a single line and in no other way
    own: list[str]  # the designer's own types that may come into the fight, in the order of their numbers


class Kinds:
    """The kinds of a scenario as they are met: the types of the game, then those that its lines and Spawns bring."""

    def __init__(self, scenario: BrimstoneScenario) -> None:
        self.scenario = scenario
        self.list = [kind_of_type(name, scenario.monsters) for name in data.types()]
        self.number = {name: place for place, name in enumerate(data.types())}
        self.own = [name for name in data.types() if name in scenario.monsters]
        self.of_lines: list[tuple[int, bool]] = []  # the kind of every line, and whether it is an own type as it is

    def named(self, name: str) -> int:
        """The number of a type, or of a kind that an earlier line has made."""
        if name not in self.number:
            self.own.append(name)
            self.add(kind_of_type(name, self.scenario.monsters), name)
        return self.number[name]

    def add(self, kind: Kind, name: str) -> int:
        """A kind more, under its name unless that stands for another one already."""
        self.list.append(kind)
        self.number.setdefault(name, len(self.list) - 1)
        return len(self.list) - 1

    def read(self, line: Enemies) -> Line:
        """A line; one that changes something makes a kind of its own."""
        place = self.named(line.type)
        own = line.type in self.own
        if line.changes:
            kind = changed_kind(self.list[place], line)
            name = line.name if line.name and line.name not in self.scenario.monsters else line.type
            place, own = self.add(kind, name), False
        self.of_lines.append((place, own))
        squares = tuple((x, y) for x, y in line.squares or ())
        return Line(place, line.count, len(self.of_lines) - 1, squares)

    def bring_spawned(self, by_card: set[int]) -> set[int]:
        """The kinds that are spawned by something that may be met; own types among them are numbered now."""
        queue = sorted(by_card | {place for place, _ in self.of_lines})
        spawned: set[int] = set()
        for place in queue:
            spawn = self.list[place].abilities.get("spawn")
            if spawn:
                spawned.add(self.named(spawn[1]))
                queue += {self.named(spawn[1])} - set(queue)
        return spawned


def read_lines(scenario: BrimstoneScenario) -> Lines:
    """The lines of the start and of every event, and the kinds they make."""
    kinds = Kinds(scenario)
    start = [kinds.read(line) for line in scenario.enemies]
    late = [[kinds.read(line) for line in event.enemies] for event in scenario.events]
    by_card = {kinds.number[name] for name in card_types(scenario)}
    spawned = kinds.bring_spawned(by_card)
    alone, takes = places_taken(kinds, by_card | spawned)
    for place, taken in takes.items():
        kinds.list[taken] = kinds.list[place]
    number = {name: takes.get(place, place) for name, place in kinds.number.items()}

    def placed(lines: list[Line]) -> list[Line]:
        return [replace(line, kind=takes.get(line.kind, line.kind)) for line in lines]

    return Lines(kinds.list, number, placed(start), [placed(lines) for lines in late], alone, kinds.own)


def places_taken(kinds: Kinds, otherwise: set[int]) -> tuple[set[str], dict[int, int]]:
    """The types that come by a single line and in no other way, and which kinds take the number of their type.

    A kind takes it if nobody else of the type can be met: then a fight with one number changed has the same luck. Lines
    that name an own type as it is count as one, and so do the Spawns that bring it.
    """
    own_types = [place for place, own in kinds.of_lines if own]
    own_types += [place for place in sorted(otherwise) if place >= len(data.types())]
    met = [place for place, own in kinds.of_lines if not own] + list(dict.fromkeys(own_types))
    base = {place: kinds.list[place].base for place in met}
    met_of, lines_of = Counter(base[place] for place in met), Counter(base[place] for place, _ in kinds.of_lines)
    theirs = {place: kinds.number.get(base[place], place) for place in met}
    single = [place for place in met if met_of[base[place]] == 1 and theirs[place] not in otherwise - {place}]
    alone = {base[place] for place in single if lines_of[base[place]] == 1 and place not in otherwise}
    return alone, {place: theirs[place] for place in single if place != theirs[place]}
