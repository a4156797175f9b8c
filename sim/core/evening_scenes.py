"""The scenes of an evening, and what an evening asks of a game."""

from __future__ import annotations

import re
from collections.abc import Sequence
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

    def rest(self, scenario: Any, party: Carried, kind: str, luck: Luck) -> Carried:
        """The party after a rest."""

    def grown(self, before: Any, after: Any, party: Carried) -> Carried:
        """The party with what a new level adds."""

    def condition(self, scenario: Any, party: Carried) -> dict[str, NDArray[Any]]:
        """What can be asked of a party."""


@dataclass(frozen=True, slots=True)
class FightScene:
    """A fight. The party turns back before it where `unless` holds."""

    number: int  # its place in the file, from 0: whose luck it has
    name: str
    encounter: Encounter[Any]
    scenario: Any  # the fight with the evening's party, as the ruleset's model
    unless: Expression | None = None
    kind: str = "fight"


@dataclass(frozen=True, slots=True)
class RestScene:
    """A rest of one of the kinds that the game knows."""

    number: int
    name: str
    rest: str
    scenario: Any  # any fight with the party as it is then
    kind: str = "rest"


@dataclass(frozen=True, slots=True)
class LevelScene:
    """Everybody gains a level."""

    number: int
    name: str
    before: Any
    after: Any
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
