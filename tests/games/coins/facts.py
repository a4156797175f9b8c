"""Everything that is the same in all runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from sim.core.facts import EncounterFacts
from sim.core.lanes import Small
from sim.core.luck import ENEMIES
from sim.core.outcomes import Ability, Cast, Unit
from tests.games.coins.data import CLASSES
from tests.games.coins.resolve import resolved
from tests.games.coins.schema import CoinScenario

COUNTS = {"coins": "coins taken from a purse"}


@dataclass(frozen=True, slots=True)
class Facts(EncounterFacts):
    """What is the same in all runs. Units are the heroes, then the foes, one row each."""

    purse: Small  # (units,) coins at the start
    level: Small  # (heroes, 1)
    alms: tuple[int, ...]  # of every hero; 0 where it gives none
    hat: tuple[bool, ...]  # of every hero
    horseshoe: tuple[bool, ...]  # of every hero
    turns_up: tuple[int, ...]  # of every foe, in percent
    ability_row: Mapping[tuple[int, str], int]  # (unit, ability) -> row in the tables
    heads_takes: int
    round_cap: int
    prize: tuple[int, int]  # the least and the most
    avoid_percent: int
    empty_percent: int

    @property
    def heroes(self) -> int:
        """How many heroes there are: the first rows of every table."""
        return len(self.alms)

    def actor(self, unit: int) -> int:
        """The number under which a unit asks for luck: one more hero leaves that of the foes alone."""
        return unit if unit < self.heroes else ENEMIES + unit - self.heroes


def make_facts(scenario: CoinScenario, switches: Mapping[str, Any]) -> Facts:
    """CD-S1, CD-S2: who is there, with what."""
    full = resolved(scenario, switches)
    heroes, foes = full["heroes"], [foe | {"number": n} for foe in full["enemies"] for n in range(foe["count"])]
    purses = [hero["coins"] + hero["charms"].get("penny", 0) for hero in heroes] + [foe["coins"] for foe in foes]
    cast = make_cast(heroes, foes, purses)
    return Facts(
        cast=cast,
        switches=switches,
        purse=np.array(purses, dtype=np.int16),
        level=np.array([[hero["level"]] for hero in heroes], dtype=np.int16),
        alms=tuple(CLASSES[hero["class"]].get("alms", 0) for hero in heroes),
        hat=tuple(hero["hat"] != "none" for hero in heroes),
        horseshoe=tuple(hero["charms"].get("horseshoe", 0) > 0 for hero in heroes),
        turns_up=tuple(foe["turns_up"] for foe in foes),
        ability_row={(ability.unit, ability.name): row for row, ability in enumerate(cast.abilities)},
        heads_takes=switches["heads_takes"],
        round_cap=scenario.round_cap,
        prize=scenario.prize or (0, 0),
        avoid_percent=scenario.avoid_percent,
        empty_percent=scenario.empty_percent,
    )


def make_cast(heroes: list[dict[str, Any]], foes: list[dict[str, Any]], purses: list[int]) -> Cast:
    """The rows of the tables: heroes, then foes; and what each can do."""
    units = [Unit(hero["name"], "party", hero["class"], coins) for hero, coins in zip(heroes, purses, strict=False)]
    abilities = []
    for row, hero in enumerate(heroes):
        abilities.append(Ability(row, "flip"))
        abilities += [Ability(row, "give")] if CLASSES[hero["class"]].get("alms") else []
        abilities += [Ability(row, "bluff")] if hero["hat"] != "none" else []
    for foe in foes:
        name = foe.get("name", foe["type"])
        numbered = name if "name" in foe and foe["count"] == 1 else f"{name} {foe['number'] + 1}"
        abilities.append(Ability(len(units), "flip"))
        units.append(Unit(numbered, "enemy", foe["type"], foe["coins"]))
    return Cast(tuple(units), tuple(abilities), COUNTS)
