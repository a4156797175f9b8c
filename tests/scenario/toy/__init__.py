"""A whole game in one small file: the example of a plug-in, and a ruleset to test the scenario files with.

Two sides with purses of coins flip against one another. In every round each fighter with a coin left flips one: heads
takes coins from a foe. A fighter without coins is down; a side without fighters has lost.

A distribution of its own would name this object in its pyproject.toml, and nothing else is needed:

    [project.entry-points."fairfight.rulesets"]
    coins = "coin_duel:RULESET"
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from sim.core.batch import Batch
from sim.core.engine import Encounter
from sim.core.lanes import Lanes, which
from sim.core.ledger import Ledger
from sim.core.luck import ENEMIES, Luck
from sim.core.outcomes import Ability, Cast, Ending, Outcome, Unit
from sim.core.ruleset import Coverage, ExactResult, Ruleset
from sim.core.schema import ScenarioModel, Strict, one_of
from sim.core.telling import Recorder
from sim.errors import NotSolvable, Problem

PURSES = {"pauper": 1, "burgher": 3, "banker": 5}
FOES = {"urchin": 1, "pickpocket": 2, "tax_collector": 4}

Level = Annotated[int, Field(ge=1, le=10)]


class Hero(Strict):
    """Somebody on our side."""

    hero_class: one_of(PURSES, "class") = Field(alias="class")  # type: ignore[valid-type]
    name: str | None = Field(None, min_length=1)
    level: Level | None = Field(None, description="One more coin for every level above the first.")
    coins: Annotated[int, Field(ge=1, le=99)] | None = None
    hat: Literal["none", "top", "bowler"] = "none"
    charms: dict[one_of(["penny", "horseshoe"], "charm"), Annotated[int, Field(ge=0)]] = Field(  # type: ignore[valid-type]
        default_factory=dict
    )


class Foe(Strict):
    """Some of a kind on the other side."""

    type: one_of(FOES, "foe")  # type: ignore[valid-type]
    count: Annotated[int, Field(ge=1, le=9)] | Literal["crowd"] = Field(description="How many, or 'crowd' for five.")
    coins: Annotated[int, Field(ge=1, le=99)] | None = None


class Options(Strict):
    """How the party plays beside its policy."""

    bluff: bool = False


class CoinScenario(ScenarioModel):
    """A duel with coins."""

    level: Level = 1
    heroes: list[Hero] = Field(min_length=1, max_length=4)
    enemies: list[Foe] = Field(default_factory=list)
    policy_options: Options = Field(default_factory=Options)
    prize: tuple[int, int] | None = Field(None, description="Coins for a win: the least and the most.")


@dataclass(slots=True)
class State(Batch):
    """The duel. Rows are the units of the cast."""

    coins: NDArray[np.int16]  # (units, runs)


class Duel(Encounter[State]):
    """A duel ready to be played."""

    def __init__(self, cast: Cast, taken: int, strongest: bool) -> None:
        self.cast, self.taken, self.strongest = cast, taken, strongest
        self.purse = np.array([[unit.max_hp] for unit in cast.units], dtype=np.int16)  # (units, 1)
        self.party = np.array([unit.side == "party" for unit in cast.units])  # (units,)

    def start(self, luck: Luck, tell: Recorder | None) -> State:
        runs = len(luck.keys)
        units = len(self.cast.units)
        return State(
            luck=luck,
            live=np.ones(runs, dtype=np.bool_),
            outcome=np.full(runs, Outcome.DRAW, dtype=np.int8),
            rounds=np.zeros(runs, dtype=np.int16),
            ledger=Ledger.blank(units, len(self.cast.abilities), runs),
            round=0,
            tell=tell,
            coins=np.repeat(self.purse, runs, axis=1),
        )

    def play_round(self, s: State) -> None:
        """CD-2: everybody flips; then a side without coins has lost."""
        for unit in range(len(self.cast.units)):
            self.flip(s, unit)
        s.decide(which(s.live & ~(s.coins[~self.party] > 0).any(axis=0)), Outcome.WIN)
        s.decide(which(s.live & ~(s.coins[self.party] > 0).any(axis=0)), Outcome.LOSS)
        if s.round >= 1000:
            s.decide(which(s.live), Outcome.DRAW)

    def flip(self, s: State, unit: int) -> None:
        """CD-1: heads takes coins from a foe who has some."""
        foes = which(self.party != self.party[unit])
        has_target = (s.coins[foes] > 0).any(axis=0)
        at = which(s.live & (s.coins[unit] > 0) & has_target)
        actor = unit if self.party[unit] else ENEMIES + unit
        heads = s.luck.below(2, "CD-1", s.round, actor, at=at) == 1
        if s.tell:
            s.tell("CD-1", unit, "flips a coin", at, heads=heads)
        purse = s.coins[foes][:, at]  # (foes, lanes)
        target = foes[purse.argmax(axis=0) if self.strongest and self.party[unit] else (purse > 0).argmax(axis=0)]
        hit, struck = at[heads], target[heads]
        loss = np.minimum(self.taken, s.coins[struck, hit])
        s.coins[struck, hit] -= loss
        book = s.ledger
        book.uses[unit, at] += 1
        book.hits[unit, hit] += 1
        book.damage[unit, hit] += loss
        book.damage_dealt[unit, hit] += loss
        book.damage_taken[struck, hit] += loss
        fallen = s.coins[struck, hit] == 0
        book.kills[unit, hit[fallen]] += 1
        book.fell(struck[fallen], hit[fallen], s.round)

    def ending(self, s: State, at: Lanes, book: Ledger) -> Ending:
        coins = s.coins[:, at].astype(np.int32)
        present, dead = np.ones(coins.shape, dtype=np.bool_), coins == 0
        nothing = np.zeros(len(at), dtype=np.int32)
        return Ending(xp=nothing, counts={}, hp=coins, present=present, dead=dead)


class Coins(Ruleset):
    """The game as one object."""

    name = "coins"
    title = "Coin Duel"
    about = "two purses, one coin at a time"
    version = 1
    folder = Path(__file__).parent
    scenario_model = CoinScenario
    coverage = Coverage(("everything",), (), ("cheating",), ())

    @property
    def policies(self) -> dict[str, str]:
        return {"first": "flip against the first foe with a coin", "strongest": "flip against the fullest purse"}

    def problems(self, scenario: ScenarioModel) -> list[Problem]:
        assert isinstance(scenario, CoinScenario)
        if not scenario.enemies:
            return [Problem("enemies", "a duel needs somebody to fight")]
        if not scenario.policy_options.bluff:
            return []
        bareheaded = [row for row, hero in enumerate(scenario.heroes) if hero.hat == "none"]
        return [Problem(f"heroes[{row}].hat", "nobody bluffs without a hat") for row in bareheaded]

    def resolve(self, scenario: ScenarioModel) -> dict[str, Any]:
        assert isinstance(scenario, CoinScenario)
        resolved = scenario.model_dump(by_alias=True, exclude_none=True, mode="json")
        for hero in resolved["heroes"]:
            level = hero.setdefault("level", scenario.level)
            hero.setdefault("name", hero["class"])
            hero.setdefault("coins", PURSES[hero["class"]] + level - 1)
        for foe in resolved["enemies"]:
            foe["count"] = 5 if foe["count"] == "crowd" else foe["count"]
            foe.setdefault("coins", FOES[foe["type"]])
        resolved["preset"] = scenario.preset or self.switchboard.default_preset
        resolved["switches"] = self.switchboard.settings(scenario.preset, scenario.switches)
        return resolved

    def compile(self, scenario: ScenarioModel) -> Duel:
        resolved = self.resolve(scenario)
        units = [Unit(hero["name"], "party", hero["class"], hero["coins"]) for hero in resolved["heroes"]]
        for foe in resolved["enemies"]:
            units += [Unit(f"{foe['type']} {n + 1}", "enemy", foe["type"], foe["coins"]) for n in range(foe["count"])]
        cast = Cast(tuple(units), tuple(Ability(row, "flip") for row in range(len(units))))
        return Duel(cast, resolved["switches"]["heads_takes"], scenario.policy == "strongest")

    def exact(self, scenario: ScenarioModel) -> ExactResult:
        duel = self.compile(scenario)
        if len(duel.cast.units) != 2:
            raise NotSolvable("The exact solver takes one hero against one foe; this fight has more.")
        ours, theirs = (int(coins) for coins in duel.purse[:, 0])
        win = _chance(-(-ours // duel.taken), -(-theirs // duel.taken))
        return ExactResult(win, 1 - win, Fraction(0), float("nan"), ours * theirs, ("no round cap",))


def _chance(ours: int, theirs: int) -> Fraction:
    """The chance that we, who flip first, take their coins before they take ours."""
    chance = {(a, 0): Fraction(1) for a in range(ours + 1)} | {(0, b): Fraction(0) for b in range(1, theirs + 1)}
    for a in range(1, ours + 1):
        for b in range(1, theirs + 1):
            # Both tails (1/4) changes nothing, so it is left out and the rest weighed by 4/3.
            we_hit = (chance[a, b - 1] + (chance[a - 1, b - 1] if b > 1 else Fraction(1))) / 4
            chance[a, b] = (we_hit + chance[a - 1, b] / 4) * Fraction(4, 3)
    return chance[ours, theirs]


RULESET = Coins()
