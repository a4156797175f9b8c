"""The types that a scenario's units are built from: those of the game, and over them the scenario's own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sim.errors import Problem, did_you_mean
from sim.rulesets.second_era import data
from sim.rulesets.second_era.schema import Companion, Enemy, Hero, SecondEraScenario

Row = dict[str, Any]

OF_ALL = ("health", "range", "combat", "defense", "targets")  # what a companion needs too
OF_ENEMIES = ("level", "priority")
OF_CLASSES = ("race", "form", "start", "buys")
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

    enemies: Mapping[str, Row]
    companions: Mapping[str, Row]
    classes: Mapping[str, Row]

    def rows_for(self, entry: Hero | Companion | Enemy) -> Mapping[str, Row]:
        """Everything that an entry of this kind can be."""
        if isinstance(entry, Hero):
            return self.classes
        return self.companions if isinstance(entry, Companion) else self.enemies

    def knows(self, entry: Hero | Companion | Enemy) -> bool:
        """Whether there is such a type or class."""
        return (entry.hero_class if isinstance(entry, Hero) else entry.type) in self.rows_for(entry)

    def bag(self, level: int, chips: Sequence[str] | None = None) -> list[str]:
        """SE-S4: what lies in a level's bag: the enemies of the game in the order of their table, or the pool's own."""
        return [name for name in chips or data.units("enemies") if self.enemies[name]["level"] == level]


def bestiary_of(scenario: SecondEraScenario) -> Bestiary:
    """The types of the game, with those of the scenario over them; rows that lack something are left out."""
    monsters = in_full(scenario.monsters, own_monsters())
    classes = in_full(scenario.classes, own_classes())
    fit_for_the_party = {name: row for name, row in monsters.items() if not lacking(row, OF_ALL)}
    fit_for_enemies = {name: row for name, row in fit_for_the_party.items() if not lacking(row, OF_ENEMIES)}
    return Bestiary(
        enemies=data.units("enemies") | fit_for_enemies,
        companions=data.units("companions") | fit_for_the_party,
        classes=data.units("archetypes") | {n: row for n, row in classes.items() if not lacking(row, OF_CLASSES)},
    )


def in_full(own: Mapping[str, Any], known: Mapping[str, Row]) -> dict[str, Row]:
    """Every row of one's own with all that it takes from what it is like, but the name."""
    return {name: _filled(name, own, known) for name in own}


def _filled(name: str, own: Mapping[str, Any], known: Mapping[str, Row]) -> Row:
    """What is said goes before what the next one says that it is like."""
    row: Row = {}
    for place, step in enumerate(_lineage(name, own)):
        said = own[step].model_dump(exclude_none=True, exclude={"like"} if place == 0 else {"like", "name"})
        row = said | row
        last = own[step].like
    return known.get(last, {}) | row if last is not None else row


def _lineage(name: str, own: Mapping[str, Any]) -> Iterator[str]:
    """The rows of one's own that a row goes back to, itself first. Like its own name means the one of the game."""
    seen: list[str] = []
    step: str | None = name
    while step in own and step not in seen:
        yield step
        seen.append(step)
        step = own[step].like


def lacking(row: Row, needed: Sequence[str]) -> list[str]:
    """What is not said, and nowhere else either."""
    return [key for key in needed if key not in row]


def problems_with_own_types(scenario: SecondEraScenario) -> list[Problem]:
    """Everything that is wrong with a scenario's own types, used or not."""
    return [*_problems_with_monsters(scenario), *_problems_with_classes(scenario)]


def _problems_with_monsters(scenario: SecondEraScenario) -> list[Problem]:
    found = []
    for name, row in in_full(scenario.monsters, own_monsters()).items():
        needed = OF_ALL if _is_for_the_party(name, scenario) else (*OF_ALL, *OF_ENEMIES)
        wrong = _wrong_ancestor("type", name, scenario.monsters, own_monsters())
        found += [Problem(f"monsters.{name}.like", wrong)] if wrong else _incomplete(f"monsters.{name}", row, needed)
    return found


def _problems_with_classes(scenario: SecondEraScenario) -> list[Problem]:
    found = []
    for name, row in in_full(scenario.classes, own_classes()).items():
        wrong = _wrong_ancestor("class", name, scenario.classes, own_classes())
        found += [Problem(f"classes.{name}.like", wrong)] if wrong else _incomplete(f"classes.{name}", row, OF_CLASSES)
    return found


def _is_for_the_party(name: str, scenario: SecondEraScenario) -> bool:
    """Whether a type is met as a companion only, or is like one: it needs neither level nor priority (SE-U1)."""
    *_, last = _lineage(name, scenario.monsters)
    chips = scenario.pool.chips or [] if scenario.pool else []
    hostile = {entry.type for entry in scenario.enemies} | set(chips)
    tame = {entry.type for entry in scenario.companions}
    return name not in hostile and (name in tame or scenario.monsters[last].like in data.units("companions"))


def _wrong_ancestor(what: str, name: str, own: Mapping[str, Any], known: Mapping[str, Row]) -> str:
    """What is wrong with the type that a row is like; nothing if it is a type of the game in the end, or none."""
    *_, last = _lineage(name, own)
    like = own[last].like
    if like is None or like in known:
        return ""
    return "goes in a circle" if like in own else unknown(what, like, (*own, *known))


def _incomplete(place: str, row: Row, needed: Sequence[str]) -> list[Problem]:
    missing = lacking(row, needed)
    remedy = 'write them, or a type that it is like (like = "...")'
    return [Problem(place, f"says nothing of {', '.join(missing)}; {remedy}")] if missing else []


def unknown(what: str, name: str, known: Sequence[str]) -> str:
    """A name that does not exist, and the nearest one that does."""
    remedy = did_you_mean(name, known) or f" (known: {', '.join(known)})"
    return f"unknown {what} '{name}'{remedy}"
