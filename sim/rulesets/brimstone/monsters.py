"""One type of enemy as a file writes it: the game's own in `units.toml`, a designer's under `[monsters.NAME]`."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from sim.core.schema import OwnType, Strict, one_of
from sim.rulesets.brimstone import data
from sim.rulesets.brimstone.changes import read_change
from sim.rulesets.brimstone.dice_texts import Damage

SaveOrNone = Annotated[int, Field(ge=0, le=6)]
Initiative = Annotated[int, Field(ge=0, le=12)]


class Weapon(Strict):
    """A ranged attack of an enemy: all of it for a type without one, else whatever of the type's you want changed."""

    range: Annotated[int, Field(ge=1, le=40)] | None = Field(None, description="In squares.")
    shots: Annotated[int, Field(ge=0, le=20)] | None = Field(None, description="Dice.")
    damage: Damage | None = Field(None, description="Of a hit; 1 if absent and the type has no weapon.")


class EnemyFigures(Strict):
    """The figures of an enemy's normal side, each of them only if it is said."""

    init: Initiative | None = Field(None, description="Initiative: the highest acts first, 0 never.")
    move: Annotated[int, Field(ge=0, le=14)] | None = Field(None, description="Squares per activation.")
    escape: Annotated[int, Field(ge=1, le=6)] | None = Field(
        None, description="What a hero's die must show to get away from it."
    )
    th_melee: SaveOrNone | None = Field(None, description="What a die must show to hit in melee; 0 for no attack.")
    th_ranged: SaveOrNone | None = Field(None, description="What a die must show to hit at range; 0 for no attack.")
    combat: Annotated[int, Field(ge=0, le=20)] | None = Field(None, description="Dice in melee.")
    damage: Damage | None = Field(None, description="Of a hit in melee: 2, 'D6' or 'D6+1'.")
    defense: Annotated[int, Field(ge=0, le=8)] | None = Field(None, description="Taken off every hit of a hero.")
    health: Annotated[int, Field(ge=1, le=60)] | None = Field(None, description="Wounds that kill a model.")
    size: Literal["S", "M", "L"] | None = Field(None, description="Large ones push smaller ones aside.")
    behaviour: one_of(data.BEHAVIOURS, "behaviour") | None = Field(  # type: ignore[valid-type]
        None, description="How models choose a target and move."
    )
    weapon: Weapon | None = Field(
        None, description="Its ranged attack, such as { range = 6, shots = 3, damage = 2 }, or a part of it."
    )
    xp: Annotated[int, Field(ge=0, le=999)] | None = Field(None, description="For a kill, or the A of 'A + B each'.")
    xp_each: Annotated[int, Field(ge=0, le=99)] | None = Field(None, description="The B, per wound.")
    abilities: dict[str, Any] | None = Field(None, description="Replaces all abilities of the type.")


def _change(text: str) -> str:
    try:
        read_change(text)
    except ValueError as error:
        raise PydanticCustomError("change", "{message}", {"message": str(error)}) from None
    return text


ChangeText = Annotated[str, AfterValidator(_change)]
Chart = Annotated[list[ChangeText], Field(max_length=6)]


class _Likeness(OwnType):
    """What it is called and like; read before the figures."""

    like: one_of(data.types(), "monster", own="monsters") | None = Field(  # type: ignore[valid-type]
        None, description="The type that it is like in everything that is not said here."
    )


class Monster(EnemyFigures, _Likeness):
    """A type of enemy of your own: like another one, or with all its figures."""

    brutal_side: ChangeText | None = Field(
        None, description="What its Brutal side changes, such as 'health 8, combat +2'; the general rule if absent."
    )
    elite_chart: Chart | None = Field(
        None, description="Up to six Elite results, such as ['health +2', 'fear 2', 'none']; it has no others."
    )
    brutal_chart: Chart | None = Field(None, description="The same for its Brutal side; elite_chart if absent.")
    any_elite: ChangeText | None = Field(None, description="What any Elite result brings besides, on its normal side.")


NEEDS = ("init", "move", "escape", "combat", "defense", "health", "xp", "size", "behaviour")


def built_in() -> dict[str, dict[str, Any]]:
    """The game's own types as tables of the model. Each is like itself: that says whose luck a copy of it has."""
    return {name: {"like": name, **entry} for name, entry in data.types().items()}
