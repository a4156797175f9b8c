"""What is wrong with a scenario beyond its schema: contradictions, missing partners."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sim.errors import Problem
from sim.rulesets.overhill.build import build_heroes, totals_of
from sim.rulesets.overhill.schema import Group, OverhillScenario, Row


def problems(scenario: OverhillScenario, switches: Mapping[str, Any]) -> list[Problem]:
    """Contradictions that the schema cannot see."""
    found = []
    if scenario.enemies and scenario.encounter:
        found.append(Problem("encounter", "a scenario either lists enemies or rolls them; leave one out"))
    if not scenario.enemies and not scenario.encounter:
        found.append(Problem("enemies", "nobody to fight: add [[enemies]] or an [encounter] table"))
    found += _twice(scenario.enemies, "enemies")
    if scenario.encounter:
        for number, row in enumerate(scenario.encounter.rows):
            found += _twice(row.enemies, f"encounter.rows[{number}].enemies")
        found += _said_twice(scenario.encounter.rows)
    return found + _too_healthy(scenario, switches)


def _too_healthy(scenario: OverhillScenario, switches: Mapping[str, Any]) -> list[Problem]:
    """OU-U3, OU-U4: nobody begins with more than full health."""
    found = []
    for number, (entry, hero) in enumerate(zip(scenario.heroes, build_heroes(scenario, switches), strict=True)):
        if entry.health is not None and entry.health > hero.max_health:
            message = f"expected at most the maximum health of {hero.max_health}, found {entry.health}"
            found.append(Problem(f"heroes[{number}].health", message))
    return found


def _twice(groups: list[Group], place: str) -> list[Problem]:
    """OU-S2: one type listed once forms one group."""
    names = [group.name or group.type for group in groups]
    return [
        Problem(f"{place}[{number}].type", f"'{name}' is listed twice; add the counts, or name one of them")
        for number, name in enumerate(names)
        if name in names[:number]
    ]


def _said_twice(rows: list[Row]) -> list[Problem]:
    """OU-S2: a total of the encounter table leads to one row."""
    seen: dict[int, int] = {}
    found = []
    for number, row in enumerate(rows):
        if doubled := [total for total in totals_of(row) if seen.setdefault(total, number) != number]:
            message = f"the total {doubled[0]} stands in rows[{seen[doubled[0]]}] already"
            found.append(Problem(f"encounter.rows[{number}].on", message))
    return found
