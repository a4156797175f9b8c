"""Fights of an evening, compiled once in each process: where one of them is changed, the others are there already."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from sim.core.engine import Encounter
from sim.core.ruleset import Ruleset
from sim.core.schema import ScenarioModel


@dataclass(frozen=True, slots=True)
class _Fight:
    """A fight by what it says."""

    game: Ruleset[Any]
    content: str
    model: ScenarioModel = field(compare=False)


def compiled(game: Ruleset[Any], model: ScenarioModel) -> Encounter[Any]:
    """A fight ready to be played."""
    return _compiled(_Fight(game, model.model_dump_json(), model))


@lru_cache(maxsize=64)
def _compiled(fight: _Fight) -> Encounter[Any]:
    return fight.game.compile(fight.model)
