"""What a scenario file of Overhill & Underdale may say."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from sim.core.dice import Dice
from sim.core.schema import OwnType, ScenarioModel, Strict, one_of
from sim.errors import FormulaError
from sim.rulesets.overhill import data

Die = Literal[2, 4, 6, 8, 10, 12]
Tag = Literal["edged", "blunt", "none"]
Guard = Literal["front", "rear", "policy"]
Level = Annotated[int, Field(ge=1, le=10)]
Points = Annotated[int, Field(ge=0, le=99)]
Defence = Annotated[int, Field(ge=1, le=99)]
GrowthLevel = one_of((str(level) for level in range(2, 11)), "level")

FORBIDDEN = tuple(kind for kind in data.ACTIONS if kind != "item")  # what is not carried cannot be used
REACTIONS = tuple(row.name for row in data.reactions())
MISHAPS = tuple(row.name for row in data.mishaps())
MOST_MONSTERS = 200  # in one group
MOST_TOTAL = 9_999  # that a row of an encounter table may name
MOST_ABREAST = 99  # heroes or monsters that a room may count


def _counts(value: int | str) -> int | str:
    """A number, dice, or the word `number` for the monster's own number appearing."""
    if value == "number":
        return value
    try:
        dice = Dice.parse(value)
    except FormulaError as error:
        raise PydanticCustomError(
            "count", "expected a number, dice such as '1d6', or 'number', found {found}", {"found": repr(value)}
        ) from error
    if not 0 <= dice.least <= dice.most <= MOST_MONSTERS:
        raise PydanticCustomError(
            "count",
            "expected between 0 and {most} monsters, found {found}",
            {"most": MOST_MONSTERS, "found": repr(value)},
        )
    return value


def _appears(value: int | str) -> int | str:
    """A number or dice."""
    if value == "number":
        raise PydanticCustomError("count", "expected a number, or dice such as '1d6', found 'number'", {})
    return _counts(value)


def _rolls(value: str) -> str:
    """Dice, or a plain number."""
    try:
        Dice.parse(value)
    except FormulaError as error:
        raise PydanticCustomError("roll", "{problem}", {"problem": str(error)}) from error
    return value


def _totals(value: int | str) -> int | str:
    """A total, or a span of totals from the lower to the higher."""
    first, _, last = str(value).partition("-")
    if not 0 <= int(first) <= int(last or first) <= MOST_TOTAL:
        raise PydanticCustomError(
            "on",
            "expected a total, or a span such as '3-5' from the lower to the higher, up to {most}; found {found}",
            {"most": MOST_TOTAL, "found": repr(value)},
        )
    return value


def _ratios(value: int | str) -> int | str:
    """How many in the rear for how many in front: a whole number, or two of them."""
    rear, _, per_front = str(value).partition("/")
    if not (0 <= int(rear) <= MOST_ABREAST and 1 <= int(per_front or 1) <= MOST_ABREAST):
        raise PydanticCustomError(
            "rear_ratio",
            "expected a whole number or a share such as '1/2', of numbers up to {most}; found {found}",
            {"most": MOST_ABREAST, "found": repr(value)},
        )
    return value


def _harms(value: int | str) -> int | str:
    """A number of health points, or dice for it."""
    try:
        dice = Dice.parse(value)
    except FormulaError as error:
        raise PydanticCustomError("harm", "{problem}", {"problem": str(error)}) from error
    if not 0 <= dice.least <= dice.most <= MOST_ABREAST:
        raise PydanticCustomError(
            "harm", "expected 0 to {most} health, found {found}", {"most": MOST_ABREAST, "found": repr(value)}
        )
    return value


Count = Annotated[int | str, AfterValidator(_counts)]
Appearing = Annotated[int | str, AfterValidator(_appears)]
Harm = Annotated[int | str, AfterValidator(_harms)]
Span = Annotated[str, Field(pattern=r"^\d+(-\d+)?$", examples=["7", "3-5"])]
Share = Annotated[str, Field(pattern=r"^\d+/\d+$", examples=["1/2", "1/3"])]
Ratio = Annotated[Share | Annotated[int, Field(ge=0, le=MOST_ABREAST)], AfterValidator(_ratios)]
FrontMax = Annotated[int, Field(ge=1, le=MOST_ABREAST)] | Literal["none"]
Totals = Annotated[Span | Annotated[int, Field(ge=0)], AfterValidator(_totals)]


class Hero(Strict):
    """A hero: a class, and whatever of the class you want changed."""

    hero_class: one_of(data.classes(), "class", own="classes") = Field(alias="class")  # type: ignore[valid-type]
    name: str | None = Field(None, description="For tables and replays; the class if absent.", min_length=1)
    level: Level | None = Field(None, description="The party's level if absent.")
    vigor: Die | None = Field(None, description="Die size; from class and level if absent.")
    wise: Die | None = None
    quick: Die | None = None
    smart: Die | None = None
    max_health: Annotated[int, Field(ge=1, le=999)] | None = None
    health: Annotated[int, Field(ge=1, le=999)] | None = Field(None, description="At the start; the maximum if absent.")
    melee_tag: Tag | None = Field(None, description="What the weapon counts as; 'none' for bare hands.")
    ranged_tag: Tag | None = Field(None, description="'none' for a hero without a ranged weapon.")
    shield: bool | None = None
    feats: list[one_of(data.feats(), "feat")] | None = None  # type: ignore[valid-type]
    guard: Guard = Field(
        "policy", description="Where the hero stands as the fight begins; 'policy': where the policy's formation says."
    )
    items: dict[one_of(data.ITEMS, "item"), Points] = Field(  # type: ignore[valid-type]
        default_factory=dict, description="How many of each; `fairfight show overhill` says what they do."
    )


class Group(Strict):
    """A group of identical monsters: a type, a count, and whatever of the monster you want changed."""

    type: one_of(data.monsters(), "monster", own="monsters")  # type: ignore[valid-type]
    count: Count = Field(description="A number, dice such as '1d6', or 'number' for the number appearing.")
    name: str | None = Field(None, min_length=1)
    melee: Points | None = None
    range: Points | None = None
    defence: Defence | None = None
    blunt_defence: Defence | Literal["none"] | None = None
    talk: Annotated[int, Field(ge=-9, le=9)] | Literal["none"] | None = None
    alert: Points | None = None
    xp: Annotated[int, Field(ge=0, le=9999)] | None = None


class Figures(Strict):
    """The numbers of a monster."""

    melee: Points | None = Field(None, description="Attack value in the front guard.")
    range: Points | None = Field(None, description="Attack value in the rear guard, where it stands if this is higher.")
    defence: Defence | Literal["gobbo_defense"] | None = Field(
        None, description="What a hero's attack total must beat; 'gobbo_defense' leaves it to the switch."
    )
    blunt_defence: Defence | Literal["none"] | None = Field(
        None, description="The same for blunt weapons; 'none' for the plain one."
    )
    talk: Annotated[int, Field(ge=-9, le=9)] | Literal["none"] | None = Field(
        None, description="Added to 2d6 on the reaction table; 'none' if nobody can talk to it."
    )
    alert: Points | None = Field(None, description="What a sneaking hero's quick die must beat.")
    xp: Annotated[int, Field(ge=0, le=9999)] | None = None


class Monster(Figures, OwnType):
    """A monster of your own: numbers, a family, traits."""

    like: one_of(data.monsters(), "monster", own="monsters") | None = Field(  # type: ignore[valid-type]
        None, description="What is not said here is as in this one; without it melee, range and defence must be said."
    )
    number: Appearing | None = Field(None, description="The number appearing: for groups whose count is 'number'.")
    family: Annotated[str, Field(min_length=1, max_length=60)] | None = Field(
        None, description="Leaders raise their own family; gobbos are of the family 'gobbo', 'none' is nobody's."
    )
    traits: list[one_of(data.traits(), "trait")] | None = Field(  # type: ignore[valid-type]
        None, description="See `fairfight show overhill traits`."
    )
    early: Figures | None = Field(None, description="Numbers that count instead under the switch bestiary = 'early'.")


class HeroClass(OwnType):
    """A class of your own: dice, health, weapons, and whose abilities it has."""

    like: one_of(data.classes(), "class", own="classes") | None = Field(  # type: ignore[valid-type]
        None, description="What is not said here is as in this one; without it calling, dice and health must be said."
    )
    calling: Literal["warrior", "rogue", "magic_user", "priest"] | None = Field(
        None, description="Whose abilities it has, and as whom policies know it."
    )
    vigor: Die | None = Field(None, description="Die size at level 1.")
    wise: Die | None = None
    quick: Die | None = None
    smart: Die | None = None
    health: Annotated[int, Field(ge=0, le=99)] | None = Field(
        None, description="Maximum health is this plus the level."
    )
    melee_tag: Tag | None = Field(None, description="'edged' if absent.")
    ranged_tag: Tag | None = Field(None, description="'none' if absent: no ranged weapon.")
    shield: bool | None = None
    growth: dict[GrowthLevel, one_of(data.ATTRIBUTES, "attribute")] | None = Field(  # type: ignore[valid-type]
        None, description='Which die grows one step at a level: { 2 = "quick", 4 = "vigor" }.'
    )
    feats: list[one_of(data.feats(), "feat")] | None = Field(  # type: ignore[valid-type]
        None, description="The order in which they are learned, by warriors alone; that of the rules if absent."
    )


class Row(Strict):
    """A row of an encounter table."""

    on: Totals = Field(description="A total such as '7', or a span '3-5'.")
    enemies: list[Group] = Field(default_factory=list)
    trap: bool = False
    surprise: bool = False


class EncounterTable(Strict):
    """Who is there, rolled anew in every run."""

    roll: Annotated[str, AfterValidator(_rolls)] = Field(description="Dice such as '2d6'.")
    rows: list[Row] = Field(min_length=1)


class ReactionRow(Strict):
    """A row of the reaction table: whatever of it you want changed."""

    up_to: Annotated[int, Field(ge=-MOST_ABREAST, le=MOST_ABREAST)] | None = Field(
        None, description="The highest total of the row."
    )
    avoided: bool | None = Field(None, description="They let the party go.")
    friendly: bool | None = None
    surprise: bool | None = Field(None, description="They attack before the first round, if talk_fail says so.")


class MishapRow(Strict):
    """A row of the mishap table: whatever of it you want changed."""

    up_to: Annotated[int, Field(ge=0, le=MOST_ABREAST)] | None = Field(
        None, description="The highest total of the row."
    )
    damage: Harm | None = Field(None, description="Health that the caster loses: a number, or dice such as '1d4'.")
    darts_lost: bool | None = Field(None, description="All successes of the casting are lost.")
    blocks: bool | None = Field(None, description="No spells in the next round.")
    silences: bool | None = Field(None, description="No more spells in this fight.")


class PolicyOptions(Strict):
    """Settings of the policies that have them."""

    engage: Literal["attack", "talk", "sneak"] | None = None
    stance: Literal["neutral", "aggressive", "defensive"] = "neutral"
    rogue_sneak: bool = False
    warrior_frenzy: bool = False


class OverhillScenario(ScenarioModel):
    """A fight of Overhill & Underdale."""

    level: Level = Field(1, description="Level of every hero that has none of its own.")
    room: one_of(data.rooms(), "room") = Field(  # type: ignore[valid-type]
        "standard", description="Gives rear_ratio and front_max where the file does not."
    )
    rear_ratio: Ratio | None = Field(
        None, description="A room of your own: heroes in the rear for those in front, '1/2' is one for two."
    )
    front_max: FrontMax | None = Field(
        None, description="A room of your own: how many heroes may stand in front, and how many front monsters attack."
    )
    trap: bool = Field(False, description="A gobbo trap waits for the party.")
    surprise: bool = Field(False, description="The monsters attack once before the first round.")
    heroes: list[Hero] = Field(min_length=1, max_length=12)
    enemies: list[Group] = Field(default_factory=list, max_length=12)
    encounter: EncounterTable | None = None
    reaction_table: dict[one_of(REACTIONS, "reaction"), ReactionRow] = Field(  # type: ignore[valid-type]
        default_factory=dict, description=f"Changes of the reaction table ({', '.join(REACTIONS)}), by 2d6 + talk."
    )
    mishap_table: dict[one_of(MISHAPS, "mishap"), MishapRow] = Field(  # type: ignore[valid-type]
        default_factory=dict, description=f"Changes of the mishap table ({', '.join(MISHAPS)}), by d6 + spell level."
    )
    policy_options: PolicyOptions = Field(default_factory=PolicyOptions)
    monsters: dict[str, Monster] = Field(
        default_factory=dict, description="Monsters of your own, to be fought as `type` like the game's."
    )
    classes: dict[str, HeroClass] = Field(
        default_factory=dict, description="Classes of your own, to be played as `class` like the game's."
    )
    forbid: list[one_of(FORBIDDEN, "ability")] = Field(  # type: ignore[valid-type]
        default_factory=list, description="What the heroes must do without, whatever their policy says."
    )
    policies: dict[str, Any] = Field(default_factory=dict, description="Policies of your own; see docs/policies.md.")
