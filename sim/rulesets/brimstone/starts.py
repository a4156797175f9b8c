"""Which key of a scenario file says on which square somebody begins (BF-S8, BF-S12)."""

from __future__ import annotations

from collections.abc import Iterator

from sim.core.starts import Start
from sim.core.telling import Scene, Token
from sim.rulesets.brimstone.facts import Facts
from sim.rulesets.brimstone.schema import BrimstoneScenario

AMBUSH = Start(why_not="Enemies that come by ambush are put beside the heroes by the rules.")
BY_A_CARD = Start(why_not="No line of the file has it: it came with a threat card, and takes a square by the rules.")
ROLLED = Start(why_not="How many of them come is rolled; set a plain number as their count to give them squares.")


def starts(scenario: BrimstoneScenario, facts: Facts, opening: Scene) -> list[Start]:
    """By token: heroes by their square, models by the squares of the line that they come with."""
    heroes = sum(token.side == "party" for token in opening.tokens)
    placed = [Start(f"heroes[{hero}].square") for hero in range(heroes)]
    return placed + [_of_model(scenario, facts, opening, token) for token in opening.tokens[heroes:]]


def _of_model(scenario: BrimstoneScenario, facts: Facts, opening: Scene, token: Token) -> Start:
    """Models of a line stay where they are if one of them is moved: all their squares are written down.

    Where several lines have the same kind, whoever has no square yet gets the next one that a line has room for.
    """
    name, _, number = token.key.rpartition(" ")
    kinds = [kind for kind, row in facts.unit_row.items() if facts.cast.units[row].name == name]
    lines = [line for line in facts.plot.lines if line.kind in kinds]
    if not lines:
        return BY_A_CARD
    if scenario.ambush or any("always_ambush" in facts.kind_has[kind] for kind in kinds):
        return AMBUSH
    if not all(isinstance(line.count, int) for line in lines):
        return ROLLED
    if len(lines) == 1:
        line = tuple(_squares(opening, name))
        return Start(f"enemies[{lines[0].number}].squares[{int(number) - 1}]", line)
    given = [f"enemies[{line.number}].squares[{place}]" for line in lines for place in range(len(line.squares))]
    if int(number) <= len(given):
        return Start(given[int(number) - 1])
    free = [line for line in lines if int(line.count) > len(line.squares)]
    return Start(f"enemies[{free[0].number}].squares[{len(free[0].squares)}]") if free else BY_A_CARD


def _squares(opening: Scene, name: str) -> Iterator[tuple[int, int]]:
    """Where the models of a kind stand, in the order of their numbers."""
    for token in opening.tokens:
        if token.key.rpartition(" ")[0] == name and token.place is not None and opening.board is not None:
            x, y = opening.board.coords[token.place]
            yield x, y
