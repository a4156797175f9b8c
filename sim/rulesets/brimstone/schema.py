"""What a scenario file of Brimstone may say."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from sim.core.schema import ScenarioModel, Strict, one_of
from sim.rulesets.brimstone import data
from sim.rulesets.brimstone.dice_texts import Count
from sim.rulesets.brimstone.hero_classes import HeroClass, HeroFigures
from sim.rulesets.brimstone.monsters import EnemyFigures, Monster, SaveOrNone

Level = Annotated[int, Field(ge=1, le=8)]
Points = Annotated[int, Field(ge=0, le=40)]
Few = Annotated[int, Field(ge=0, le=9)]

Marker = one_of(data.MARKERS, "marker")
Square = Annotated[list[int], Field(min_length=2, max_length=2)]


class _HeroPlace(Strict):
    """Who a hero is, and where it stands; read before the figures."""

    hero_class: one_of(data.classes(), "class", own="classes") = Field(alias="class")  # type: ignore[valid-type]
    name: str | None = Field(None, min_length=1, description="For tables and replays; the class if absent.")
    level: Level | None = Field(None, description="The scenario's level if absent.")
    policy: str | None = Field(None, description="The scenario's policy if absent.")
    square: Square | None = Field(None, description="[x, y]; the middle of row 1 if absent.")


class Hero(HeroFigures, _HeroPlace):
    """A hero: a class, and whatever of the class you want changed."""

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
    two_guns: bool = Field(False, description="The first two one-handed guns can be fired together.")
    upgrade: one_of(data.upgrades(), "upgrade") | None = Field(  # type: ignore[valid-type]
        None, description="What a hero of the right class has learned."
    )
    ally: bool = Field(False, description="A helper: no Grit, no critical hits, no XP; gone for good when it falls.")
    move: Annotated[int, Field(ge=0, le=14)] | None = Field(None, description="The fixed Move of an ally.")


class _EnemyLine(Strict):
    """Who comes, and how many; read before the figures."""

    type: str = Field(
        description=f"One of {', '.join(data.types())}, a monster of your own, or the name of an earlier line.",
        examples=list(data.types()),
    )
    count: Count = Field(1, description="A number or dice: 6, 'P' (the Peril die: 3 to 6), '2P', 'D3', '2D6+1'.")
    name: str | None = Field(None, min_length=1, description="For tables and replays; the type if absent.")


class Enemies(EnemyFigures, _EnemyLine):
    """A line of enemies: a type, a count, and whatever of the type you want changed."""

    brutal: bool | None = Field(None, description="Its Brutal side, instead of what the posse level says.")
    elites: list[Annotated[int, Field(ge=1, le=6)]] | None = Field(
        None, description="Results of its Elite chart that are in force from the start, such as [1, 4]."
    )
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
    monsters: dict[str, Monster] = Field(default_factory=dict, description="Types of enemies of your own.")
    classes: dict[str, HeroClass] = Field(default_factory=dict, description="Hero classes of your own.")
    policies: dict[str, Any] = Field(default_factory=dict, description="Policies of your own.")

    @property
    def threats(self) -> list[str]:
        """The threat cards to draw."""
        return [self.threat] if isinstance(self.threat, str) else self.threat
