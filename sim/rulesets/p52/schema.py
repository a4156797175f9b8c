"""What a scenario file of P52 may say."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from sim.core.schema import ScenarioModel, Strict, one_of
from sim.rulesets.p52 import data
from sim.rulesets.p52.classes import HeroClass
from sim.rulesets.p52.monsters import ORDERS, Attack, Monster, OfLevel

Level = Annotated[int, Field(ge=1, le=40)]
Core = Annotated[int, Field(ge=1, le=99)]
Points = Annotated[int, Field(ge=0, le=9999)]
Spot = Annotated[list[Annotated[int, Field(ge=0, le=99)]], Field(min_length=2, max_length=2)]


class Hero(Strict):
    """A hero: a class, and whatever of the standard hero you want changed."""

    hero_class: one_of((*data.ROLES, "thief"), "class", own="classes") = Field(alias="class")  # type: ignore[valid-type]
    name: str | None = Field(None, description="For tables and replays; the class if absent.", min_length=1)
    level: Level | None = Field(None, description="The scenario's level if absent.")
    race: one_of(data.names("races"), "race") | None = None  # type: ignore[valid-type]
    policy: str | None = Field(None, description="The scenario's policy if absent.")
    spot: Spot | None = Field(None, description="Where it starts; the entrance if absent.")
    lift: Core | None = None
    think: Core | None = None
    balance: Core | None = None
    move: Core | None = None
    lead: Core | None = None
    abilities: dict[one_of(data.names("abilities"), "ability"), Core] | None = None  # type: ignore[valid-type]
    gear: list[one_of(data.names("gear"), "item")] | None = Field(  # type: ignore[valid-type]
        None, description="Instead of the standard gear; what the hero's cores do not allow is left at home."
    )
    arrows: Points | None = None
    sharp_arrows: Points | None = None
    consumables: dict[one_of(data.names("consumables"), "item"), Annotated[int, Field(ge=0, le=99)]] | None = None  # type: ignore[valid-type]
    max_hp: Annotated[int, Field(ge=1, le=9999)] | None = None
    hp: Points | None = Field(None, description="At the start, not above max_hp; the maximum if absent.")
    movement: Annotated[int, Field(ge=0, le=20)] | None = None
    initiative: Annotated[int, Field(ge=-999, le=9999)] | None = None
    armour: Points | None = None
    magic_armour: Points | None = None


class Enemy(Strict):
    """An enemy: a card, a boss or one of your own, and whatever of it you want changed."""

    card: one_of(data.CARDS, "card", own="monsters")  # type: ignore[valid-type]
    spot: Spot = Field(description="Where it stands, as [x, y]: counted right and down from 0.")
    name: str | None = Field(None, min_length=1)
    max_hp: OfLevel | None = Field(None, description="At least 1; from the card if absent.")  # type: ignore[valid-type]
    hp: OfLevel | None = Field(  # type: ignore[valid-type]
        None, description="At the start, not above max_hp; the maximum if absent."
    )
    initiative: OfLevel | None = None  # type: ignore[valid-type]
    movement: OfLevel | None = None  # type: ignore[valid-type]
    melee_defence: Annotated[int, Field(ge=-99, le=99)] | None = None
    magic_defence: Annotated[int, Field(ge=-99, le=99)] | None = None
    ranged_defence: Annotated[int, Field(ge=-99, le=99)] | None = None
    target_order: one_of(ORDERS, "order") | None = None  # type: ignore[valid-type]
    melee: Attack | None = None
    ranged: Attack | None = None


class EnemyDeck(Strict):
    """Enemies drawn anew in every run."""

    spots: list[Spot] = Field(min_length=1, max_length=20)
    cards: list[one_of(data.FACE_CARDS, "card", own="monsters")] | None = None  # type: ignore[valid-type]


class EncounterPart(Strict):
    """One encounter of a gauntlet."""

    title: str = Field("", description="For reports and replays.")
    board: str | None = Field(None, description="The scenario's board if absent.", examples=list(data.boards()))
    entrance: Spot | None = None
    exit: Spot | None = None
    enemies: list[Enemy] = Field(default_factory=list, max_length=20)
    enemy_deck: EnemyDeck | None = None


class P52Scenario(ScenarioModel):
    """A fight of P52."""

    level: Level = Field(1, description="Level of every hero that has none of its own.")
    board: str = Field(
        description=f"A named board ({', '.join(data.boards())}) or a text map: . plain, # hole, O obstructed, "
        "H hidden, T trap, S entrance, X exit.",
        examples=list(data.boards()),
    )
    entrance: Spot | None = Field(None, description="Where heroes begin, as [x, y]; the board's S if absent.")
    exit: Spot | None = Field(None, description="As [x, y]; the board's X if absent.")
    heroes: list[Hero] = Field(min_length=1, max_length=8)
    enemies: list[Enemy] = Field(default_factory=list, max_length=20)
    enemy_deck: EnemyDeck | None = None
    encounters: list[EncounterPart] = Field(
        default_factory=list,
        max_length=12,
        description="Instead of enemies of its own: a gauntlet, fought room by room, with a rest after every room.",
    )
    policies: dict[str, Any] = Field(default_factory=dict, description="Policies of your own; see docs/policies.md.")
    monsters: dict[str, Monster] = Field(default_factory=dict, description="Enemies of your own, by name.")
    classes: dict[str, HeroClass] = Field(default_factory=dict, description="Hero classes of your own, by name.")


def encounters_of(scenario: P52Scenario) -> list[EncounterPart]:
    """The encounters of a gauntlet; a plain scenario is a gauntlet of one."""
    if scenario.encounters:
        return list(scenario.encounters)
    return [EncounterPart(enemies=scenario.enemies, enemy_deck=scenario.enemy_deck)]
