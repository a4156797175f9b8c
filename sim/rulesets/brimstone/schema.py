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
    dmg_bonus: Few = Field(0, description="Added to the damage of every hit.")
    shot_bonus: Few = Field(0, description="Added to the dice of every gun.")
    move_bonus: Few = Field(0, description="Added to the movement points.")
    armor: SaveOrNone = Field(0, description="What a die must show to be spared a wound; 0 for none.")
    spirit_armor: SaveOrNone = Field(0, description="The same for points of sanity damage.")
    cover: SaveOrNone = Field(0, description="What a die must show to cancel a hit; 0 for none.")
    grit: Annotated[int, Field(ge=0, le=9)] | None = Field(None, description="At the start, instead of start_grit.")
    wounds: Points = Field(0, description="Wounds at the start.")
    sdmg: Points = Field(0, description="Sanity damage at the start.")
    status: dict[Marker, Few] = Field(  # type: ignore[valid-type]
        default_factory=dict, description="Markers at the start, such as { poison = 1 }."
    )
    guns: list[one_of(data.guns(), "gun")] | None = Field(  # type: ignore[valid-type]
        None, description="Instead of those of the class."
    )
    free_items: list[one_of(data.free_items(), "free item")] | None = Field(  # type: ignore[valid-type]
        None, description="Items that give a Free Attack, instead of those of the class."
    )
    melee_items: list[one_of(data.melee_items(), "melee item")] | None = Field(  # type: ignore[valid-type]
        None, description="Items that add Combat dice, instead of those of the class."
    )
    two_guns: bool = Field(False, description="The first two one-handed guns can be fired together.")
    bag: dict[one_of(data.TOKENS, "token"), Annotated[int, Field(ge=0, le=5)]] | None = Field(  # type: ignore[valid-type]
        None, description="The side bag, at most 5 tokens, instead of that of the class."
    )
    upgrade: one_of(data.upgrades(), "upgrade") | None = Field(  # type: ignore[valid-type]
        None, description="What a hero of the right class has learned."
    )
    ally: bool = Field(False, description="A helper: no Grit, no critical hits, no XP; gone for good when it falls.")
    move: Annotated[int, Field(ge=0, le=14)] | None = Field(None, description="The fixed Move of an ally.")


class Weapon(Strict):
    """A ranged attack of an enemy: all of it for a type without one, else whatever of the type's you want changed."""

    range: Annotated[int, Field(ge=1, le=40)] | None = Field(None, description="In squares.")
    shots: Annotated[int, Field(ge=0, le=20)] | None = Field(None, description="Dice.")
    damage: Damage | None = Field(None, description="Of a hit; 1 if absent and the type has no weapon.")


class Enemies(Strict):
    """A line of enemies: a type, a count, and whatever of the type you want changed."""

    type: str = Field(
        description=f"One of {', '.join(data.types())}, or the name of an earlier line.",
        examples=list(data.types()),
    )
    count: Count = Field(1, description="A number or dice: 6, 'P' (the Peril die: 3 to 6), '2P', 'D3', '2D6+1'.")
    name: str | None = Field(None, min_length=1, description="For tables and replays; the type if absent.")
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
    brutal: bool | None = Field(None, description="Its Brutal side, instead of what the posse level says.")
    elites: list[Annotated[int, Field(ge=1, le=6)]] | None = Field(
        None, description="Results of its Elite chart that are in force from the start, such as [1, 4]."
    )
    abilities: dict[str, Any] | None = Field(None, description="Replaces all abilities of the type.")
    squares: Annotated[list[Square], Field(min_length=1, max_length=40)] | None = Field(
        None, description="[x, y] of the first models of a line of the start; the others by the rules."
    )

    @property
    def changes(self) -> dict[str, Any]:
        """Everything besides type, count and squares: what makes another kind of the type."""
        return self.model_dump(exclude_none=True, exclude={"type", "count", "squares"})


class Event(Strict):
    """Enemies that come later."""

    turn: Annotated[int, Field(ge=1, le=100)] = Field(description="The turn in which they come.")
    moment: Literal["darkness"] | None = Field(None, description="At the start of the turn; the default.")
    after_activation: Annotated[int, Field(ge=1, le=60)] | None = Field(
        None, description="Or after so many activations of the turn."
    )
    ambush: bool = Field(False, description="They come by ambush, beside heroes; in mid-turn that ends the turn.")
    tile: Annotated[int, Field(ge=1, le=9)] | None = Field(None, description="Where they enter; enemy_tile if absent.")
    enemies: list[Enemies] = Field(min_length=1, max_length=20, description="Lines as under [[enemies]].")


class BrimstoneScenario(ScenarioModel):
    """A fight of Brimstone."""

    policy: str = Field("aggressive", description="How the heroes play; each may have a policy of its own.")
    level: Level = Field(1, description="Level of every hero that has none of its own.")
    ambush: bool = Field(False, description="The enemies of the start enter by ambush.")
    enemy_tile: Annotated[int, Field(ge=1, le=9)] = Field(1, description="The tile on which enemies are placed.")
    threat: str | Annotated[list[str], Field(max_length=20)] = Field(
        default_factory=list,
        description="Threat cards drawn in every run, besides [[enemies]]: 'auto', 'low', 'med', 'high', 'epic', or a "
        "certain card such as 'med:3'; several as a list.",
    )
    stage: Literal[7, 8, 9] = Field(7, description="What 2D6 must reach to Hold Back the Darkness (darkness_track).")
    darkness: Annotated[int, Field(ge=0, le=15)] = Field(0, description="Where the darkness marker starts.")
    flee_turn: Annotated[int, Field(ge=0, le=100)] = Field(0, description="When the posse runs away; 0 for never.")
    board: str | None = Field(
        None, description="A drawing ('.' floor, '#' wall, a digit: floor of that tile), or 'none'; else a width."
    )
    width: Annotated[int, Field(ge=1, le=24)] | None = Field(None, description="Of an open board, in squares.")
    height: Annotated[int, Field(ge=1, le=24)] | None = Field(None, description="Of an open board, in squares.")
    heroes: list[Hero] = Field(min_length=1, max_length=12, description="The posse, in its order.")
    enemies: list[Enemies] = Field(default_factory=list, max_length=20, description="The enemies of the start.")
    events: list[Event] = Field(default_factory=list, max_length=12, description="Arrivals during the fight.")
    policies: dict[str, Any] = Field(default_factory=dict, description="Policies of your own.")

    @property
    def threats(self) -> list[str]:
        """The threat cards to draw."""
        return [self.threat] if isinstance(self.threat, str) else self.threat
