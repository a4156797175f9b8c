"""What is wrong with a scenario beyond its schema: contradictions, missing partners."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from sim.core.own_types import Table, said
from sim.errors import Problem
from sim.rulesets.overhill.bestiary import name_of
from sim.rulesets.overhill.build import (
    HeroFacts,
    RoomFacts,
    build_heroes,
    build_mishaps,
    build_reactions,
    build_room,
    totals_of,
)
from sim.rulesets.overhill.data import TableRow
from sim.rulesets.overhill.schema import Group, OverhillScenario, Row


def problems(scenario: OverhillScenario, switches: Mapping[str, Any]) -> list[Problem]:
    """Contradictions that the schema cannot see."""
    found = []
    if scenario.enemies and scenario.encounter:
        found.append(Problem("encounter", "a scenario either lists enemies or rolls them; leave one out"))
    if not scenario.enemies and not scenario.encounter:
        found.append(Problem("enemies", "nobody to fight: add [[enemies]] or an [encounter] table"))
    monsters = said(scenario.monsters)
    found += _twice(scenario.enemies, "enemies", monsters)
    if scenario.encounter:
        for number, row in enumerate(scenario.encounter.rows):
            found += _twice(row.enemies, f"encounter.rows[{number}].enemies", monsters)
        found += _said_twice(scenario.encounter.rows)
    found += _out_of_order("reaction_table", build_reactions(scenario))
    found += _out_of_order("mishap_table", build_mishaps(scenario))
    heroes = build_heroes(scenario, switches)
    return found + _too_healthy(scenario, heroes) + _misplaced(heroes, build_room(scenario))


def _out_of_order(place: str, rows: Sequence[TableRow]) -> list[Problem]:
    """OU-S8, OU-G4: totals rise from row to row, and the last row takes all that are left."""
    found = []
    if rows[-1].up_to is not None:
        message = f"the last row of the table takes all totals above {rows[-2].up_to}; change `up_to` of the one before"
        found.append(Problem(f"{place}.{rows[-1].name}.up_to", message))
    for before, row in pairwise(rows[:-1]):
        if before.up_to is not None and row.up_to is not None and row.up_to < before.up_to:
            message = f"expected {before.up_to} or more, where '{before.name}' ends; found {row.up_to}"
            found.append(Problem(f"{place}.{row.name}.up_to", message))
    return found


def _misplaced(heroes: list[HeroFacts], room: RoomFacts) -> list[Problem]:
    """OU-S6, OU-P2, OU-P3: the guards that the scenario gives keep within the limits of the room.

    With more heroes than fit in front some stand in the rear anyway, covered or not.
    """
    found = []
    in_front = [hero.name for hero in heroes if hero.guard == "front"]
    in_rear = [hero.name for hero in heroes if hero.guard == "rear"]
    most = len(heroes) if room.front_max is None else room.front_max
    if len(in_front) > most:
        message = f"at most {most} may stand in front (front_max), and {', '.join(in_front)} are placed there"
        found.append(Problem("heroes", message))
    covered = room.capacity(sum(hero.weight for hero in heroes if hero.guard != "rear"))
    if len(in_rear) > covered and len(heroes) - len(in_rear) <= most:
        message = (
            f"the front covers {covered} in the rear, and {', '.join(in_rear)} are placed there (guard); "
            f"put one of them in front, or raise rear_ratio (now {room.rear_ratio})"
        )
        found.append(Problem("heroes", message))
    return found


def _too_healthy(scenario: OverhillScenario, heroes: list[HeroFacts]) -> list[Problem]:
    """OU-U3, OU-U4: nobody begins with more than full health."""
    found = []
    for number, (entry, hero) in enumerate(zip(scenario.heroes, heroes, strict=True)):
        if entry.health is not None and entry.health > hero.max_health:
            message = f"expected at most the maximum health of {hero.max_health}, found {entry.health}"
            found.append(Problem(f"heroes[{number}].health", message))
    return found


def _twice(groups: list[Group], place: str, own: Mapping[str, Table]) -> list[Problem]:
    """OU-S2: one type listed once forms one group."""
    names = [group.name or name_of(group.type, own) for group in groups]
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
