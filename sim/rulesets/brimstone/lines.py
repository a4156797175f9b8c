"""The enemy lines of a scenario, the kinds they make, and what threat cards may bring besides."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import NamedTuple

from sim.rulesets.brimstone import data
from sim.rulesets.brimstone.profiles import Kind, changed_kind, printed, with_spawn
from sim.rulesets.brimstone.schema import BrimstoneScenario, Enemies


@dataclass(frozen=True, slots=True)
class Line:
    """A line of enemies: which kind, how many."""

    kind: int
    count: int | str
    number: int  # among all lines


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
        return Line(place, line.count, lines - 1)

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


def posse_list(heroes: int, allies: int) -> str:
    """BF-S2: the threat list for a posse of this size; 3 allies count as one hero."""
    number = heroes + allies // 3
    return "low" if number <= 2 else "med" if number <= 4 else "high"


def card_list(name: str, from_posse: str, small: bool) -> str:
    """BF-S2: the list that a name stands for; Epic is High for one or two heroes."""
    name = from_posse if name in ("auto", "posse") else name
    return "high" if name == "epic" and small else name


def most_cards(name: str, from_posse: str, small: bool) -> int:
    """The most cards that one entry of `threat` can mean: itself and all that it may call for."""
    name, _, place = name.partition(":")
    cards = data.threats()[name if place else card_list(name, from_posse, small)]
    drawn = [cards[int(place) - 1]] if place else cards
    return 1 + max(sum(most_cards(more, from_posse, small) for more in card.get("cards", ())) for card in drawn)


def card_types(scenario: BrimstoneScenario) -> set[str]:
    """The types that the cards may bring."""
    allies = sum(hero.ally for hero in scenario.heroes)
    heroes = len(scenario.heroes) - allies
    from_posse, small = posse_list(heroes, allies), heroes + allies // 3 <= 2
    found: set[str] = set()
    seen: set[str] = set()
    queue = list(scenario.threats)
    for name in queue:
        name, _, place = name.partition(":")
        name = name if place else card_list(name, from_posse, small)
        if (name + place) in seen:
            continue
        seen.add(name + place)
        cards = data.threats()[name]
        for card in [cards[int(place) - 1]] if place else cards:
            found |= {kind for kind, _ in card.get("enemies", [])}
            queue += card.get("cards", [])
    return found
