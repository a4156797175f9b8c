"""What a scenario file may say."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from sim.core.schema import ScenarioModel, Strict, one_of
from tests.games.coins.data import CHARMS, CLASSES, FOES

Level = Annotated[int, Field(ge=1, le=10)]
Coins = Annotated[int, Field(ge=0, le=999)]
Few = Annotated[int, Field(ge=0, le=9)]
Percent = Annotated[int, Field(ge=0, le=100)]


class Hero(Strict):
    """Somebody on our side."""

    hero_class: one_of(CLASSES, "class") = Field(alias="class")  # type: ignore[valid-type]
    name: str | None = Field(None, min_length=1)
    level: Level | None = Field(None, description="One more coin for every level above the first.")
    coins: Coins | None = None
    hat: Literal["none", "top", "bowler"] = "none"
    charms: dict[one_of(CHARMS, "charm"), Few] = Field(default_factory=dict)  # type: ignore[valid-type]


class Foe(Strict):
    """Some of a kind on the other side."""

    type: one_of(FOES, "foe")  # type: ignore[valid-type]
    count: Annotated[int, Field(ge=1, le=9)] | Literal["crowd"] = Field(description="How many, or 'crowd' for five.")
    name: str | None = Field(None, min_length=1)
    coins: Coins | None = None
    turns_up: Percent = Field(100, description="Chance in percent that it comes, each for itself.")


class Options(Strict):
    """How the party plays beside its policy."""

    bluff: bool = False


class CoinScenario(ScenarioModel):
    """A duel with coins."""

    level: Level = 1
    heroes: list[Hero] = Field(min_length=1, max_length=4)
    enemies: list[Foe] = Field(default_factory=list)
    policy_options: Options = Field(default_factory=Options)
    prize: tuple[Coins, Coins] | None = Field(None, description="Xp for a win: the least and the most.")
    round_cap: Annotated[int, Field(ge=1, le=1_000)] = Field(1_000, description="A draw after so many rounds.")
    avoid_percent: Percent = Field(0, description="Chance that both sides make peace before the first flip.")
    empty_percent: Percent = Field(0, description="Chance that nobody comes.")
