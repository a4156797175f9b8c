"""Which key of a scenario file says on which hex somebody begins (SE-S5, SE-S6)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from sim.core.starts import Start
from sim.core.telling import Scene
from sim.rulesets.second_era.schema import SecondEraScenario

SEVERAL = Start(
    why_not="Several of a kind stand in one entry, and only one unit can stand on a hex: "
    "set the count to 1 and add the others as entries of their own."
)
DRAWN = Start(why_not="Enemies of the pool are drawn anew in every run and take the numbered hexes in order.")


def starts(scenario: SecondEraScenario, opening: Scene) -> list[Start]:
    """By token: adventurers, companions, listed enemies, then those of the pool."""
    listed = list(islice(_listed(scenario), len(opening.tokens)))
    return listed + [DRAWN] * (len(opening.tokens) - len(listed))


def _listed(scenario: SecondEraScenario) -> Iterator[Start]:
    for number in range(len(scenario.heroes)):
        yield Start(f"heroes[{number}].hex")
    for side, entries in (("companions", scenario.companions), ("enemies", scenario.enemies)):
        for number, entry in enumerate(entries):
            yield from [Start(f"{side}[{number}].hex") if entry.count == 1 else SEVERAL] * entry.count
