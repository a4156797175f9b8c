"""The enemy lines of a scenario and the kinds they make."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import NamedTuple

from sim.rulesets.brimstone import data
from sim.rulesets.brimstone.bestiary import Kind, changed_kind, printed, with_spawn
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
    start: list[Line]
    late: list[list[Line]]  # of every event
    alone: set[str]  # types that come into the fight by a single line and in no other way


def read_lines(scenario: BrimstoneScenario) -> Lines:
    """The lines of the start and of every event, and the kinds they make."""
    kinds = [printed(name) for name in data.types()]
    number = {kind.name: index for index, kind in enumerate(kinds)}
    lines = 0

    def read(line: Enemies) -> Line:
        nonlocal lines
        place = number[line.type]
        if line.changes:
            kinds.append(changed_kind(kinds[place], line))
            place = len(kinds) - 1
            number.setdefault(kinds[place].name, place)
        lines += 1
        squares = tuple((x, y) for x, y in line.squares or ())
        return Line(place, line.count, lines - 1, squares)

    start = [read(line) for line in scenario.enemies]
    late = [[read(line) for line in event.enemies] for event in scenario.events]
    alone = met_by_one_line(scenario, kinds, [*start, *(line for more in late for line in more)])

    def takes_place(line: Line) -> Line:
        """A changed line is numbered as its type if the type is not met otherwise: then it has the same luck."""
        base = kinds[line.kind].base
        if line.kind < len(data.types()) or base not in alone:
            return line
        kinds[number[base]] = kinds[line.kind]
        return replace(line, kind=number[base])

    placed = [takes_place(line) for line in start]
    return Lines(kinds, placed, [[takes_place(line) for line in more] for more in late], alone)


def met_by_one_line(scenario: BrimstoneScenario, kinds: list[Kind], lines: list[Line]) -> set[str]:
    """The types that come into the fight by a single line, changed or not, and in no other way."""
    number: dict[str, int] = {}
    for place, kind in enumerate(kinds):
        number.setdefault(kind.name, place)
    by_card = {number[name] for name in card_types(scenario)}
    met = with_spawn(kinds, number, by_card | {line.kind for line in lines})
    spawned = {number[kinds[kind].abilities["spawn"][1]] for kind in met if "spawn" in kinds[kind].abilities}
    lines_of = Counter(kinds[line.kind].base for line in lines)
    return {base for base, count in lines_of.items() if count == 1 and number[base] not in by_card | spawned}
