"""What a scenario file of Second Era may say."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from sim.core.schema import OwnType, ScenarioModel, Strict, one_of
from sim.errors import did_you_mean
from sim.rulesets.second_era import data

Axis = Annotated[int, Field(ge=-99, le=99)]
Hex = Annotated[list[Axis], Field(min_length=2, max_length=2, description="A pair [q, r].")]
MOST_HEXES = 400  # of a map
MOST_RADIUS = 11  # of a disk: 397 hexes


def _disk(disk: list[int]) -> list[int]:
    if not 0 <= disk[2] <= MOST_RADIUS:
        wrong = "expected a radius from 0 to {most}, found {radius}"
        raise PydanticCustomError("disk", wrong, {"most": MOST_RADIUS, "radius": disk[2]})
    return disk


Disk = Annotated[list[Axis], Field(min_length=3, max_length=3, description="q, r and radius."), AfterValidator(_disk)]
MOST_STAT, MOST_HEALTH, MOST_DICE, MOST_XP = 6, 99, data.TRACK, 99
Stat = Annotated[int, Field(ge=1, le=MOST_STAT)]
Points = Annotated[int, Field(ge=0, le=MOST_XP)]
Health = Annotated[int, Field(ge=1, le=MOST_HEALTH)]
Copies = Annotated[int, Field(ge=1, le=20)]
Targets = Annotated[int, Field(ge=1, le=99)] | Literal["all"]
Status = one_of(data.STATUSES, "status")


def _skill(chip: str) -> str:
    name, number = data.parse_skill(chip)
    numbered = chip != name
    if name not in data.SKILLS:
        remedy = did_you_mean(name, data.SKILLS) or f" (known: {', '.join(data.SKILLS)})"
        raise PydanticCustomError("skill", "unknown skill '{chip}'{remedy}", {"chip": chip, "remedy": remedy})
    if numbered and name not in data.NUMBERED:
        raise PydanticCustomError(
            "skill",
            "'{chip}': only {numbered} take a number",
            {"chip": chip, "numbered": ", ".join(data.NUMBERED)},
        )
    if number > data.MOST_NUMBER:
        raise PydanticCustomError(
            "skill", "'{chip}': expected a number up to {most}", {"chip": chip, "most": data.MOST_NUMBER}
        )
    return chip


Skill = Annotated[str, AfterValidator(_skill)]
Range = Annotated[int, Field(ge=1, le=99)]
Combat = Annotated[int, Field(ge=0, le=20)]
Defense = Annotated[int, Field(ge=0, le=20)]
Level = Annotated[int, Field(ge=0, le=999)] | Literal["quest"]
Priority = Literal["strongest", "weakest"]
Form = Literal["light", "heavy", "ranged", "magic"]
Die = one_of(data.DICE, "die")
Dice = Annotated[int, Field(ge=0, le=MOST_DICE)]


class Monster(OwnType):
    """A type of enemy or companion of your own: its numbers, its skills, whom it goes for."""

    like: one_of((*data.units("enemies"), *data.units("companions")), "type", own="monsters") | None = Field(  # type: ignore[valid-type]
        None, description="A type, of the game or of your own, that it is like in all that is not said."
    )
    level: Level | None = Field(None, description="Its place in the order of turns; 'quest' goes first.")
    type: Literal["humanoid", "beast", "daedra"] | None = Field(None, description="For reading; no rule asks for it.")
    health: Health | None = None
    range: Range | None = None
    combat: Combat | None = Field(None, description="Enemy Combat dice that it rolls.")
    defense: Defense | None = None
    targets: Targets | None = Field(None, description="How many units one engage may target, or 'all'.")
    priority: Priority | None = Field(None, description="Whom it goes for.")
    skills: list[Skill] | None = Field(None, description="In chip order; `fairfight show second_era traits`.")


class HeroClass(OwnType):
    """A class of your own: a race or numbers instead of it, dice to start with, a purchase list, a way to play."""

    like: one_of(data.units("archetypes"), "class", own="classes") | None = Field(  # type: ignore[valid-type]
        None, description="A class, of the game or of your own, that it is like in all that is not said."
    )
    race: one_of(data.units("races"), "race") | None = None  # type: ignore[valid-type]
    form: Form | None = Field(None, description="The primary form.")
    health: Health | None = Field(None, description="Here and below: instead of the number of the race.")
    stamina: Stat | None = None
    magicka: Stat | None = None
    cooldown: Stat | None = None
    combat: Dice | None = Field(None, description="Combat dice to start with.")
    start: list[Die] | None = Field(None, description="Other dice to start with.", max_length=data.TRACK)  # type: ignore[valid-type]
    order: list[Die] | None = Field(None, description="How exhausted dice are sorted into the track.", max_length=11)  # type: ignore[valid-type]
    buys: list[one_of(data.WARES, "purchase")] | None = Field(  # type: ignore[valid-type]
        None, description="What experience is spent on, in this order.", max_length=60
    )
    abilities: Literal["Knight", "Archer", "Sorcerer", "Healer", "Nightblade", "none"] | None = Field(
        None, description="Whose abilities it has, with the switch class_abilities."
    )
    plays_as: one_of((*data.units("archetypes"), "none"), "class") | None = Field(  # type: ignore[valid-type]
        None, description="Whose lines of a policy it follows: a healer prays, a nightblade hides."
    )


class Hero(Strict):
    """An adventurer: an archetype, and whatever of it you want changed."""

    hero_class: one_of(data.units("archetypes"), "class", own="classes") = Field(alias="class")  # type: ignore[valid-type]
    name: str | None = Field(None, description="For tables and replays; the class if absent.", min_length=1)
    xp: Points | None = Field(None, description="What this adventurer may spend; the level if absent.")
    policy: str | None = Field(None, description="Instead of the scenario's policy.")
    race: one_of(data.units("races"), "race") | None = None  # type: ignore[valid-type]
    form: Form | None = Field(None, description="The primary form.")
    health: Health | None = None
    stamina: Stat | None = None
    magicka: Stat | None = None
    cooldown: Stat | None = None
    dice: dict[Die, Dice] | None = None  # type: ignore[valid-type]
    hp: Health | None = Field(None, description="At the start; never above health.")
    bonus_hp: Points = 0
    tenacity: Annotated[int, Field(ge=0, le=data.MOST_TENACITY)] = 0
    track: list[one_of(data.TRACK_WORDS, "die")] = Field(default_factory=list, max_length=data.TRACK)  # type: ignore[valid-type]
    hex: Hex | None = Field(None, description="Stands here instead of on the next entrance hex.")


class Creature(Strict):
    """What companions and enemies have in common."""

    count: Copies = 1
    name: str | None = Field(None, min_length=1)
    health: Health | None = None
    hp: Health | None = None
    range: Range | None = None
    combat: Combat | None = None
    defense: Defense | None = None
    targets: Targets | None = None
    skills: list[Skill] | None = Field(None, description="In chip order; replaces the list of the type.")
    statuses: list[Status] = Field(default_factory=list)  # type: ignore[valid-type]
    hex: Hex | None = None


class Companion(Creature):
    """A party unit that is no adventurer."""

    type: one_of(data.units("companions"), "companion", own="monsters")  # type: ignore[valid-type]


class Enemy(Creature):
    """An enemy: a type, and whatever of it you want changed."""

    type: one_of(data.units("enemies"), "enemy", own="monsters")  # type: ignore[valid-type]
    level: Level | None = None
    priority: Priority | None = None
    objective: bool = Field(False, description="For the objective 'eliminate'.")


class Pool(Strict):
    """Enemies drawn from the bags in every run."""

    points: Annotated[int, Field(ge=0, le=9999)] | None = Field(
        None, description="Level x number of adventurers if absent; ep_mult applies to both."
    )
    chips: list[one_of(data.units("enemies"), "enemy", own="monsters")] | None = Field(  # type: ignore[valid-type]
        None, description="What lies in the bags, each in that of its level; all enemies of the game if absent."
    )


class Tile(Strict):
    """A tile of a map."""

    name: str = Field(min_length=1)
    disks: list[Disk] = Field(default_factory=list, max_length=40)
    hexes: list[Hex] = Field(default_factory=list, max_length=MOST_HEXES)


class Map(Strict):
    """A map of one's own."""

    tiles: list[Tile] = Field(min_length=1, max_length=40)
    impassable: list[Hex] = Field(default_factory=list, max_length=MOST_HEXES)
    entrance: list[Hex] = Field(default_factory=list, max_length=MOST_HEXES, description="In order.")
    numbered: list[Hex] = Field(default_factory=list, max_length=MOST_HEXES, description="In order.")
    entrance_tile: str | None = Field(None, description="What the policy hold_entrance holds.")


class SecondEraScenario(ScenarioModel):
    """A battle of Second Era."""

    level: Points | Literal["part1", "part2", "part3"] = Field(
        data.START_XP, description="Party XP, or the goal of a part."
    )
    objective: Literal["conquer", "eliminate"] = "conquer"
    reward: Annotated[int, Field(ge=0, le=999)] = Field(2, description="XP for a win.")
    map: one_of(data.units("maps"), "map") | Map = "clash"  # type: ignore[valid-type]
    heroes: list[Hero] = Field(min_length=1, max_length=8)
    companions: list[Companion] = Field(default_factory=list, max_length=12)
    enemies: list[Enemy] = Field(default_factory=list, max_length=24)
    pool: Pool | None = None
    monsters: dict[str, Monster] = Field(
        default_factory=dict, description="Types of your own, for enemies and companions."
    )
    classes: dict[str, HeroClass] = Field(default_factory=dict, description="Classes of your own, for heroes.")
    policies: dict[str, Any] = Field(default_factory=dict, description="Policies of your own; see docs/policies.md.")
