"""What a scenario file of Brimstone may say."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from sim.core.schema import ScenarioModel, Strict, one_of
from sim.rulesets.brimstone import data

Level = Annotated[int, Field(ge=1, le=8)]
Save = Annotated[int, Field(ge=2, le=6)]
SaveOrNone = Annotated[int, Field(ge=0, le=6)]
Points = Annotated[int, Field(ge=0, le=40)]
Skill = Annotated[int, Field(ge=1, le=6)]
Few = Annotated[int, Field(ge=0, le=9)]
Initiative = Annotated[int, Field(ge=0, le=12)]

_COUNT = re.compile(r"(?P<dice>\d*)(?P<die>P|D\d+)(?:\+(?P<plus>\d+))?|(?P<number>\d+)", re.ASCII | re.IGNORECASE)
_DAMAGE = re.compile(r"D6(?:\+(?P<plus>\d+))?|(?P<number>\d+)", re.ASCII | re.IGNORECASE)


def read_count(text: int | str) -> tuple[int, str, int]:
    """(dice, die, added) of a count such as 6, "P", "2P+1" or "2D6"; die is "" for a plain number."""
    found = _COUNT.fullmatch(str(text).replace(" ", ""))
    if found is None or isinstance(text, bool):
        raise ValueError(text)
    if found["number"]:
        return 0, "", int(found["number"])
    return int(found["dice"] or 1), found["die"].upper(), int(found["plus"] or 0)


def most(text: int | str) -> int:
    """The largest number that a count can give."""
    dice, die, plus = read_count(text)
    return plus + dice * (0 if not die else max(data.PERIL) if die == "P" else int(die[1:]))


def _count(value: int | str) -> int | str:
    try:
        dice, die, _ = read_count(value)
        good = dice <= 20 and (die in ("", "P") or 1 <= int(die[1:]) <= 100) and most(value) <= 1000
    except ValueError:
        good = False
    if not good:
        raise PydanticCustomError(
            "count",
            "expected a number or dice such as 'P', '2P', 'D3' or '2D6+1', found {found}",
            {"found": repr(value)},
        )
    return value


def read_damage(text: int | str) -> tuple[int, int]:
    """(D6, added) of a damage such as 2, "D6" or "D6+1"."""
    found = _DAMAGE.fullmatch(str(text).replace(" ", ""))
    if found is None or isinstance(text, bool):
        raise ValueError(text)
    return (0, int(found["number"])) if found["number"] else (1, int(found["plus"] or 0))


def _damage(value: int | str) -> int | str:
    try:
        good = read_damage(value)[1] <= 40
    except ValueError:
        good = False
    if not good:
        raise PydanticCustomError(
            "damage", "expected a number, 'D6' or 'D6+1', found {found}", {"found": repr(value)}
        )
    return value


Count = Annotated[int | str, AfterValidator(_count)]
Damage = Annotated[int | str, AfterValidator(_damage)]
Marker = one_of(data.MARKERS, "marker")
Square = Annotated[list[int], Field(min_length=2, max_length=2)]


class Hero(Strict):
    """A hero: a class, and whatever of the class you want changed."""

    hero_class: one_of(data.classes(), "class") = Field(alias="class")  # type: ignore[valid-type]
    name: str | None = Field(None, min_length=1, description="For tables and replays; the class if absent.")
    level: Level | None = Field(None, description="The scenario's level if absent.")
    policy: str | None = Field(None, description="The scenario's policy if absent.")
    square: Square | None = Field(None, description="[x, y]; the middle of row 1 if absent.")
    init: Annotated[int, Field(ge=1, le=12)] | None = None
    th_ranged: Save | None = None
    th_melee: Save | None = None
    combat: Annotated[int, Field(ge=0, le=8)] | None = None
    health: Annotated[int, Field(ge=1, le=40)] | None = None
    sanity: Annotated[int, Field(ge=1, le=40)] | None = None
    defense: Save | None = None
    willpower: Save | None = None
    agility: Skill | None = None
    cunning: Skill | None = None
    spirit: Skill | None = None
    strength: Skill | None = None
    lore: Skill | None = None
    luck: Skill | None = None
    max_grit: Annotated[int, Field(ge=0, le=6)] | None = None
    dmg_bonus: Few = 0
    shot_bonus: Few = 0
    move_bonus: Few = 0
    armor: SaveOrNone = 0
    spirit_armor: SaveOrNone = 0
    cover: SaveOrNone = 0
    grit: Annotated[int, Field(ge=0, le=9)] | None = Field(None, description="At the start, instead of start_grit.")
    wounds: Points = 0
    sdmg: Points = 0
    status: dict[Marker, Few] = Field(default_factory=dict)  # type: ignore[valid-type]
    guns: list[one_of(data.guns(), "gun")] | None = None  # type: ignore[valid-type]
    free_items: list[one_of(data.free_items(), "free item")] | None = None  # type: ignore[valid-type]
    melee_items: list[one_of(data.melee_items(), "melee item")] | None = None  # type: ignore[valid-type]
    two_guns: bool = False
    bag: dict[one_of(data.TOKENS, "token"), Annotated[int, Field(ge=0, le=5)]] | None = None  # type: ignore[valid-type]
    upgrade: one_of(data.upgrades(), "upgrade") | None = None  # type: ignore[valid-type]
    ally: bool = False
    move: Annotated[int, Field(ge=0, le=14)] | None = Field(None, description="The fixed Move of an ally.")


class Weapon(Strict):
    """A ranged attack of an enemy: all of it for a type without one, else whatever of the type's you want changed."""

    range: Annotated[int, Field(ge=1, le=40)] | None = None
    shots: Annotated[int, Field(ge=0, le=20)] | None = None
    damage: Damage | None = Field(None, description="1 if absent and the type has no weapon.")


class Enemies(Strict):
    """A line of enemies: a type, a count, and whatever of the type you want changed."""

    type: str
    count: Count = 1
    name: str | None = Field(None, min_length=1)
    init: Initiative | None = None
    move: Annotated[int, Field(ge=0, le=14)] | None = None
    escape: Annotated[int, Field(ge=1, le=6)] | None = None
    th_melee: SaveOrNone | None = None
    th_ranged: SaveOrNone | None = None
    combat: Annotated[int, Field(ge=0, le=20)] | None = None
    damage: Damage | None = None
    defense: Annotated[int, Field(ge=0, le=8)] | None = None
    health: Annotated[int, Field(ge=1, le=60)] | None = None
    size: Literal["S", "M", "L"] | None = None
    behaviour: one_of(data.BEHAVIOURS, "behaviour") | None = None  # type: ignore[valid-type]
    weapon: Weapon | None = None
    xp: Annotated[int, Field(ge=0, le=999)] | None = None
    xp_each: Annotated[int, Field(ge=0, le=99)] | None = None
    brutal: bool | None = None
    elites: list[Annotated[int, Field(ge=1, le=6)]] | None = None
    abilities: dict[str, Any] | None = Field(None, description="Replaces all abilities of the type.")

    @property
    def changes(self) -> dict[str, Any]:
        """Everything besides type and count."""
        return self.model_dump(exclude_none=True, exclude={"type", "count"})


class Event(Strict):
    """Enemies that come later."""

    turn: Annotated[int, Field(ge=1, le=100)]
    moment: Literal["darkness"] | None = Field(None, description="At the start of the turn; the default.")
    after_activation: Annotated[int, Field(ge=1, le=60)] | None = None
    ambush: bool = False
    tile: Annotated[int, Field(ge=1, le=9)] | None = None
    enemies: list[Enemies] = Field(min_length=1, max_length=20)


class BrimstoneScenario(ScenarioModel):
    """A fight of Brimstone."""

    policy: str = Field("aggressive", description="How the heroes play; each may have a policy of its own.")
    level: Level = Field(1, description="Level of every hero that has none of its own.")
    ambush: bool = Field(False, description="The enemies of the start enter by ambush.")
    enemy_tile: Annotated[int, Field(ge=1, le=9)] = 1
    threat: str | Annotated[list[str], Field(max_length=20)] = Field(
        default_factory=list, description="Threat cards drawn in every run."
    )
    stage: Literal[7, 8, 9] = Field(7, description="Hold Back the Darkness.")
    darkness: Annotated[int, Field(ge=0, le=15)] = 0
    flee_turn: Annotated[int, Field(ge=0, le=100)] = 0
    board: str | None = Field(None, description="A drawing, or 'none'; else width and height.")
    width: Annotated[int, Field(ge=1, le=24)] | None = None
    height: Annotated[int, Field(ge=1, le=24)] | None = None
    heroes: list[Hero] = Field(min_length=1, max_length=12)
    enemies: list[Enemies] = Field(default_factory=list, max_length=20)
    events: list[Event] = Field(default_factory=list, max_length=12)
    policies: dict[str, Any] = Field(default_factory=dict, description="Policies of your own.")

    @property
    def threats(self) -> list[str]:
        """The threat cards to draw."""
        return [self.threat] if isinstance(self.threat, str) else self.threat
