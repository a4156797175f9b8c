"""A hero class as a designer writes it: the game's own in that very form (11.1, 11.3, P52-D1 to P52-D9).

[classes.duelist]
like = "fighter"
cores = [1, 1, 1, 0, 0]          # Lift, Think, Balance, Move, Lead
gear = ["1 light_sword", "6 stiletto_knife"]
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from sim.core.own_types import in_full
from sim.core.schema import OwnType, one_of, unknown_name
from sim.rulesets.p52 import data

NEEDS = ("cores", "race", "starts", "allocation", "cycle", "focus", "wishes")

Row = dict[str, Any]
Modifier = Annotated[int, Field(ge=-20, le=20)]
FiveModifiers = Annotated[list[Modifier], Field(min_length=5, max_length=5)]
FivePoints = Annotated[list[Annotated[int, Field(ge=0, le=40)]], Field(min_length=5, max_length=5)]


def _refuse(wrong: str) -> PydanticCustomError:
    return PydanticCustomError("class", "{wrong}", {"wrong": wrong})


def _cycle(value: str) -> str:
    strange = [core for core in value.split() if core not in data.CORES]
    if strange:
        raise _refuse(unknown_name(strange[0], data.CORES, "core"))
    if not value.split():
        raise _refuse("expected cores such as 'Lt Th Lt Mv'")
    return value


def _from_level(value: str) -> str:
    level, _, item = value.partition(" ")
    if not level.isdecimal() or not item:
        raise _refuse(f"expected a level and an item such as '5 leather_shield', found {value!r}")
    if item not in data.names("gear"):
        raise _refuse(unknown_name(item, data.names("gear"), "item"))
    return value


def _arrows(value: str) -> str:
    parts = value.split()
    if len(parts) != 3 or not all(part.isdecimal() and len(part) < 5 for part in parts):
        raise _refuse(f"expected level, basic and sharp arrows such as '6 0 20', found {value!r}")
    return value


class HeroClass(OwnType):
    """A class: what is left out is as in the class that it is like."""

    like: one_of(data.ROLES, "class", own="classes") | None = Field(  # type: ignore[valid-type]
        None, description="A class of the game, or another one of your own: everything not said is as there."
    )
    cores: FiveModifiers | None = Field(None, description="Added to Lift, Think, Balance, Move, Lead.")
    race: one_of(data.names("races"), "race") | None = Field(  # type: ignore[valid-type]
        None, description="Of a hero that names none."
    )
    starts: list[one_of(data.names("abilities"), "ability")] | None = Field(  # type: ignore[valid-type]
        None, description="Abilities of a beginner."
    )
    allocation: FivePoints | None = Field(None, description="Points placed at creation, 7 by the rules.")
    cycle: Annotated[str, AfterValidator(_cycle)] | None = Field(
        None, description="Where the points of new levels go, one after the other: 'Lt Th Bc'."
    )
    focus: list[one_of(data.names("abilities"), "ability")] | None = Field(  # type: ignore[valid-type]
        None, min_length=1, description="Abilities that are raised."
    )
    wishes: list[one_of(data.names("abilities"), "ability")] | None = Field(  # type: ignore[valid-type]
        None, description="Abilities that are learnt, in this order."
    )
    gear: list[Annotated[str, AfterValidator(_from_level)]] | None = Field(
        None, description="From which level which item: '5 leather_shield'; armour is everybody's."
    )
    arrows: list[Annotated[str, AfterValidator(_arrows)]] | None = Field(
        None, description="From which level how many basic and sharp arrows: '6 0 20'."
    )
    consumables: dict[one_of(data.names("consumables"), "item"), Annotated[int, Field(ge=0, le=99)]] | None = None  # type: ignore[valid-type]


def class_of(name: str, own: Mapping[str, Row], data_set: str) -> Row:
    """Everything that is said of a class, one's own or the game's."""
    if name == "thief" and name not in own:
        name = "rogue"
    built_in = data.of_set(data_set, "classes")
    return {"gear": [], "arrows": [], "consumables": {}} | in_full(name, own, built_in)


def gear_of(row: Row) -> list[tuple[int, str]]:
    """P52-D6: from which level which item."""
    return [(int(level), item) for level, _, item in (entry.partition(" ") for entry in row["gear"])]


def arrows_of(row: Row, level: int) -> tuple[int, int]:
    """P52-D6: basic and sharp arrows of a hero of this level."""
    stock = (0, 0)
    for entry in row["arrows"]:
        start, basic, sharp = map(int, entry.split())
        if level >= start:
            stock = (basic, sharp)
    return stock
