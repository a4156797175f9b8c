"""One hero class as a file writes it: the game's own in `units.toml`, a designer's under `[classes.NAME]`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from sim.core.own_types import in_full, said
from sim.core.schema import OwnType, Strict, one_of
from sim.rulesets.brimstone import data

Save = Annotated[int, Field(ge=2, le=6)]
Skill = Annotated[int, Field(ge=1, le=6)]
Tokens = Annotated[int, Field(ge=0, le=5)]


class HeroFigures(Strict):
    """The figures of a hero at level 1 and what it carries, each only if it is said."""

    init: Annotated[int, Field(ge=1, le=12)] | None = Field(None, description="Initiative: the highest acts first.")
    th_ranged: Save | None = Field(None, description="What a die must show to hit with a gun.")
    th_melee: Save | None = Field(None, description="What a die must show to hit in melee.")
    combat: Annotated[int, Field(ge=0, le=8)] | None = Field(None, description="Dice in melee.")
    health: Annotated[int, Field(ge=1, le=40)] | None = Field(None, description="Wounds that knock the hero out.")
    sanity: Annotated[int, Field(ge=1, le=40)] | None = Field(None, description="Sanity damage that does.")
    defense: Save | None = Field(None, description="What a die must show to save a hit.")
    willpower: Save | None = Field(None, description="What a die must show against horror and corruption.")
    agility: Skill | None = Field(None, description="Dice of a test: tails and stranglers.")
    cunning: Skill | None = Field(None, description="Dice of a test; no rule of the fight asks for it.")
    spirit: Skill | None = Field(None, description="Dice of a test; no rule of the fight asks for it.")
    strength: Skill | None = Field(None, description="Dice of a test: webs and snares; Dynamite flies 3 farther.")
    lore: Skill | None = Field(None, description="Dice of a test; no rule of the fight asks for it.")
    luck: Skill | None = Field(None, description="Dice of a test; no rule of the fight asks for it.")
    max_grit: Annotated[int, Field(ge=0, le=6)] | None = Field(None, description="The most Grit the hero can hold.")
    guns: list[one_of(data.guns(), "gun")] | None = Field(  # type: ignore[valid-type]
        None, description="Instead of those of the class."
    )
    free_items: list[one_of(data.free_items(), "free item")] | None = Field(  # type: ignore[valid-type]
        None, description="Items that give a Free Attack, instead of those of the class."
    )
    melee_items: list[one_of(data.melee_items(), "melee item")] | None = Field(  # type: ignore[valid-type]
        None, description="Items that add Combat dice, instead of those of the class."
    )
    bag: dict[one_of(data.TOKENS, "token"), Tokens] | None = Field(  # type: ignore[valid-type]
        None, description="The side bag, at most 5 tokens, instead of that of the class."
    )


class _Likeness(OwnType):
    """What it is called and like; read before the figures."""

    like: one_of(data.classes(), "class", own="classes") | None = Field(  # type: ignore[valid-type]
        None, description="The class that it is like in everything that is not said here."
    )


class HeroClass(HeroFigures, _Likeness):
    """A hero class of your own: like another one, or with all its figures."""

    talents: list[one_of(data.talents(), "talent")] | None = Field(  # type: ignore[valid-type]
        None, description="What its heroes can do besides."
    )
    upgrades: list[one_of(data.upgrades(), "upgrade")] | None = Field(  # type: ignore[valid-type]
        None, description="What one of its heroes may have learned."
    )


NEEDS = tuple(figure for figure in data.FIGURES if figure != "max_grit")


def built_in() -> dict[str, dict[str, Any]]:
    """The game's own classes as tables of the model."""
    return data.classes()


def class_in_full(name: str, own: Mapping[str, HeroClass]) -> dict[str, Any]:
    """Everything about a class: its figures, kit, bag, talents and upgrades."""
    blank: dict[str, Any] = {"max_grit": 2, "guns": [], "free_items": [], "melee_items": [], "bag": {}}
    return blank | {"talents": [], "upgrades": []} | in_full(name, said(own), data.classes())
