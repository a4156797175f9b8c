"""A scenario with every number written out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.games.coins.data import CLASSES, CROWD, FOES
from tests.games.coins.schema import CoinScenario


def resolved(scenario: CoinScenario, switches: Mapping[str, Any]) -> dict[str, Any]:
    """CD-S1: coins of heroes by class and level, of foes by their kind; a scenario file itself."""
    full = scenario.model_dump(by_alias=True, exclude_none=True, mode="json")
    for hero in full["heroes"]:
        level = hero.setdefault("level", scenario.level)
        hero.setdefault("name", hero["class"])
        hero.setdefault("coins", CLASSES[hero["class"]]["coins"] + level - 1)
    for foe in full["enemies"]:
        foe["count"] = CROWD if foe["count"] == "crowd" else foe["count"]
        foe.setdefault("coins", FOES[foe["type"]]["coins"])
    return full | {"switches": dict(switches)}
