"""Everything that is the same in all runs of an encounter."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from sim.core.dice import Dice
from sim.core.facts import EncounterFacts
from sim.core.lanes import Small
from sim.core.outcomes import Ability, Cast, Unit
from sim.core.varying import Varies, may_vary
from sim.rulesets.overhill import data
from sim.rulesets.overhill.build import (
    Gathering,
    HeroFacts,
    RoomFacts,
    build_gatherings,
    build_heroes,
    build_mishaps,
    build_reactions,
    build_room,
    party_level,
)
from sim.rulesets.overhill.schema import OverhillScenario

NO_LIMIT = 10_000  # more heroes or monsters than any room holds
EVERYBODYS = ("melee", "ranged", "move")  # what no class, feat or item brings

COUNTS = {
    "standing": "heroes standing at the end",
    "dodged": "attacks dodged by heroes",
    "mishaps": "spell mishaps",
    "lapses": "priests who lapsed",
    "restored": "health restored to heroes",
    "friendly": "encounters with monsters that turned out friendly",
}


@dataclass(frozen=True, slots=True)
class Facts(EncounterFacts):
    """What is the same in all runs of an encounter."""

    heroes: tuple[HeroFacts, ...]
    roll: Dice | None  # decides which gathering is met; None if there is only one
    leads_to: dict[int, int]  # total of the roll -> gathering
    gatherings: tuple[Gathering, ...]
    party_level: int
    reactions: tuple[data.Reaction, ...]  # OU-S8
    mishaps: tuple[data.Mishap, ...]  # OU-G4
    room: RoomFacts
    front_max: int  # how many may stand in front; a large number if the room sets no limit
    weight: Small  # (heroes, 1) what a hero counts in the front guard (OU-F2)
    dice: Small  # (attributes, heroes) as the fight begins
    max_health: Small  # (heroes, 1)
    level: Small  # (heroes, 1)
    unit_row: dict[str, int]  # monster name -> row in the cast
    ability_row: dict[tuple[int, str], int]  # (row of the unit, ability) -> row in the cast's abilities
    items: bool  # whether anybody carries anything
    families: tuple[str, ...]  # of monsters with leaders; the first is nobody's
    led: bool  # whether a leader may be met
    archers: bool  # whether a rear group may be met
    always_the_same: bool  # whether the same groups are met in every run, whatever their numbers
    touches: bool  # whether a monster with a touch may be met

    VARIES: ClassVar[Varies] = may_vary("dice", "max_health")


def make_facts(scenario: OverhillScenario, switches: Mapping[str, Any]) -> Facts:
    """OU-S1, OU-S5: everything that is the same in all runs."""
    heroes = build_heroes(scenario, switches)
    roll, leads_to, gatherings = build_gatherings(scenario, heroes, switches)
    room = build_room(scenario)
    cast, unit_row, ability_row = make_cast(heroes, gatherings)
    groups = [group for gathering in gatherings for group in gathering.groups]
    return Facts(
        cast=cast,
        switches=switches,
        heroes=tuple(heroes),
        roll=roll,
        leads_to=leads_to,
        gatherings=tuple(gatherings),
        party_level=party_level(heroes),
        reactions=build_reactions(scenario),
        mishaps=build_mishaps(scenario),
        room=room,
        front_max=NO_LIMIT if room.front_max is None else room.front_max,
        weight=np.array([[hero.weight] for hero in heroes], dtype=np.int16),
        dice=np.array([[getattr(hero, name) for hero in heroes] for name in data.ATTRIBUTES], dtype=np.int16),
        max_health=np.array([[hero.max_health] for hero in heroes], dtype=np.int16),
        level=np.array([[hero.level] for hero in heroes], dtype=np.int16),
        unit_row=unit_row,
        ability_row=ability_row,
        items=any(any(hero.items) for hero in heroes),
        families=tuple(dict.fromkeys(["", *(name for group in groups for name in (group.kin, group.leads))])),
        led=any(group.leads for group in groups),
        archers=any(group.rear for group in groups),
        always_the_same=roll is None,
        touches=any(group.touch for group in groups),
    )


def make_cast(
    heroes: list[HeroFacts], gatherings: list[Gathering]
) -> tuple[Cast, dict[str, int], dict[tuple[int, str], int]]:
    """The rows of the tables: heroes, then every monster that may be met; and what each can do."""
    units = [Unit(hero.name, "party", hero.class_name, hero.max_health) for hero in heroes]
    abilities = [
        Ability(row, name, common=name in EVERYBODYS) for row, hero in enumerate(heroes) for name in abilities_of(hero)
    ]
    unit_row: dict[str, int] = {}
    for gathering in gatherings:
        for group in gathering.groups:
            if group.name not in unit_row:
                unit_row[group.name] = len(units)
                abilities.append(Ability(len(units), "attack"))
                units.append(Unit(group.name, "enemy", group.type))
    rows = {(ability.unit, ability.name): row for row, ability in enumerate(abilities)}
    return Cast(tuple(units), tuple(abilities), COUNTS), unit_row, rows


def abilities_of(hero: HeroFacts) -> list[str]:
    """What a hero can do in a fight: the rows of its abilities."""
    known = ["melee"]
    known += ["ranged"] if hero.ranged_tag != "none" else []
    known += {"rogue": ["sneak"], "magic_user": ["dart"], "priest": ["heal", "bless"], "warrior": []}[hero.hero_class]
    feats = {"frenzy": "frenzy", "dual_wield": "dual", "shield_bash": "bash", "accept_the_blade": "accept_the_blade"}
    known += [name for feat, name in feats.items() if hero.knows(feat)]
    known += [item for item, number in zip(data.ITEMS, hero.items, strict=True) if number]
    return [*known, "move"]
