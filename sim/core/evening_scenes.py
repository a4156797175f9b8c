"""The scenes of an evening, and what an evening asks of a game."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from sim.core.batch import Carried
from sim.core.engine import Encounter
from sim.core.expr import Expression, parse
from sim.core.luck import Luck


class Game(Protocol):
    """What an evening asks of a ruleset; see `sim.core.ruleset`."""

    last_counts: tuple[str, ...]

    def rest(self, scenario: Any, party: Carried, kind: str, luck: Luck, changed: Mapping[str, int]) -> Carried:
        """The party after a rest."""

    def xp_of_heroes(self, scenario: Any, party: Carried, xp: NDArray[Any]) -> NDArray[Any]:
        """(heroes, runs). The XP towards a level that each hero has earned."""

    def level_costs(self, scenario: Any, changed: Mapping[str, int]) -> list[int | None] | None:
        """The XP that the next level costs each hero."""

    def grown(self, before: Any, after: Any, party: Carried) -> Carried:
        """The party with what a new level adds."""

    def condition(self, scenario: Any, party: Carried) -> dict[str, NDArray[Any]]:
        """What can be asked of a party."""


Gained = tuple[int, ...]  # how many levels each hero has gained by XP; empty where nobody can
ByLevel = Callable[[Gained], Any]  # the party as the ruleset's model, with so many levels gained


@dataclass(frozen=True, slots=True)
class FightScene:
    """A fight. The party turns back before it where `unless` holds."""

    number: int  # its place in the file, from 0: whose luck it has
    name: str
    encounter: Encounter[Any]
    scenario: Any  # the fight with the evening's party, as the ruleset's model
    unless: Expression | None = None
    kind: str = "fight"
    raised: Callable[[Gained], FightScene] | None = None  # the fight of heroes who have gained levels by XP

    def of(self, gained: Gained) -> FightScene:
        """The fight of heroes who have gained so many levels by XP."""
        return self if self.raised is None or not any(gained) else self.raised(gained)

    def party(self, gained: Gained) -> Any:
        """The party as it is then."""
        return self.of(gained).scenario


@dataclass(frozen=True, slots=True)
class RestScene:
    """A rest of one of the kinds that the game knows."""

    number: int
    name: str
    rest: str
    party: ByLevel  # any fight with the party as it is then
    kind: str = "rest"


@dataclass(frozen=True, slots=True)
class LevelScene:
    """Everybody gains a level; or, by XP, who has earned it."""

    number: int
    name: str
    before: ByLevel
    party: ByLevel  # as it is after the scene; by XP it is `before`, of heroes who have gained more
    by_xp: bool = False
    kind: str = "level_up"


AnyScene = FightScene | RestScene | LevelScene


def read_unless(text: str, names: Sequence[str], place: str = "") -> Expression:
    """A condition on the party as it comes to a scene; shares may be written with a point, as in `party_hp < 0.3`."""
    as_ratio = re.sub(r"(\d+)\.(\d+)", lambda found: f"ratio({int(found[1] + found[2])}, {10 ** len(found[2])})", text)
    return parse(as_ratio, names, place=place)


def askable(game: Game, fight: FightScene) -> dict[str, NDArray[Any]]:
    """What can be asked of a party that leaves a fight, for one run of it that has not begun."""
    state = fight.encounter.start(Luck.of(0, np.arange(1)), None)
    return game.condition(fight.scenario, fight.encounter.leaving(state, state.everyone))


def percent_of(full: NDArray[np.integer], percent: int) -> NDArray[np.int64]:
    """So many percent of figures, rounded down, in a type that holds a hundred times as much.

    >>> percent_of(np.array([554, 5], dtype=np.int16), 80)
    array([443,   4])
    """
    return full.astype(np.int64) * percent // 100
