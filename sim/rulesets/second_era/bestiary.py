"""The types that a scenario's units are built from: those of the game, and over them the scenario's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sim.core.own_types import in_full, said
from sim.errors import Problem
from sim.rulesets.second_era import data
from sim.rulesets.second_era.schema import Companion, Enemy, SecondEraScenario

Row = dict[str, Any]

MONSTER_NEEDS = ("health", "range", "combat", "defense", "targets")  # an enemy also needs what follows
ENEMY_NEEDS = ("level", "priority")
CLASS_NEEDS = ("race", "form", "start", "buys")
NUMBERS_OF_RACES = (*data.STATS, "combat")


def own_monsters() -> dict[str, Row]:
    """SE-U1, SE-U2: every enemy and companion of the game as a table of `[monsters]`."""
    return {**data.units("enemies"), **data.units("companions")}


def own_classes() -> dict[str, Row]:
    """Every class of the game as a table of `[classes]`."""
    return data.units("archetypes")


@dataclass(frozen=True, slots=True)
class Bestiary:
    """Rows with everything said, by name. A type of the scenario's own takes the place of one of the same name."""

    monsters: Mapping[str, Row]  # who may be met, and who may come along
    classes: Mapping[str, Row]

    def of(self, entry: Companion | Enemy, key: str) -> Any:
        """What an enemy or a companion has: its own, or what its type has; None where neither says it."""
        own = getattr(entry, key, None)
        return self.monsters[entry.type].get(key) if own is None else own

    def bag(self, level: int, chips: Sequence[str] | None) -> list[str]:
        """SE-S4: what lies in a level's bag: the enemies of the game in the order of their table, or the pool's own."""
        names = list(data.units("enemies")) if chips is None else chips
        return [name for name in names if self.monsters[name].get("level") == level]


def bestiary_of(scenario: SecondEraScenario) -> Bestiary:
    """The types of the game, with those of the scenario over them."""
    monsters, classes = said(scenario.monsters), said(scenario.classes)
    return Bestiary(
        monsters=own_monsters() | {name: in_full(name, monsters, own_monsters()) for name in monsters},
        classes=own_classes() | {name: in_full(name, classes, own_classes()) for name in classes},
    )


def used_types(scenario: SecondEraScenario) -> dict[str, dict[str, Row]]:
    """The scenario's own types that take part, with everything said, by the name of their table."""
    bestiary = bestiary_of(scenario)
    chips = scenario.pool.chips or [] if scenario.pool else []
    met = {*chips, *(entry.type for entry in scenario.companions), *(entry.type for entry in scenario.enemies)}
    if scenario.pool and scenario.pool.chips is None:
        met |= set(data.units("enemies"))  # a type that takes the place of one of the game's lies in its bag
    played = {hero.hero_class for hero in scenario.heroes}
    found = {
        "monsters": {name: bestiary.monsters[name] for name in scenario.monsters if name in met},
        "classes": {name: bestiary.classes[name] for name in scenario.classes if name in played},
    }
    return {table: rows for table, rows in found.items() if rows}


def problems_with_enemies(scenario: SecondEraScenario) -> list[Problem]:
    """SE-E1, SE-E8: an enemy has a level and a priority, which companions do not need; a chip is one enemy of a bag."""
    bestiary = bestiary_of(scenario)
    found = []
    for number, entry in enumerate(scenario.enemies):
        for key in ENEMY_NEEDS:
            if bestiary.of(entry, key) is None:
                message = f"missing; an enemy needs it, and {entry.type} has none: say it here or under [monsters]"
                found.append(Problem(f"enemies[{number}].{key}", message))
    chips = scenario.pool.chips or [] if scenario.pool else []
    for number, name in enumerate(chips):
        row = bestiary.monsters[name]
        if name in chips[:number]:
            found.append(Problem(f"pool.chips[{number}]", f"{name} is there already"))
        if row.get("level") not in data.POOL_LEVELS or "priority" not in row:
            levels = ", ".join(map(str, sorted(data.POOL_LEVELS)))
            message = f"expected an enemy with a priority and a level of {levels}, found {name}"
            found.append(Problem(f"pool.chips[{number}]", message))
    return found
