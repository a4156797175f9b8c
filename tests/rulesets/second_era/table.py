"""A small battle laid out by hand: scenarios, states and shares for the tests of Second Era."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np

from sim.core.luck import Luck
from sim.rulesets.second_era import RULESET
from sim.rulesets.second_era.encounter import SecondEraEncounter
from sim.rulesets.second_era.rules.enemy_moves import move
from sim.rulesets.second_era.rules.enemy_turns import enemy_turn
from sim.rulesets.second_era.rules.places import begin_turn
from sim.rulesets.second_era.state import State

RUNS = 4_000
TILE = {"tiles": [{"name": "A", "disks": [[0, 0, 2]]}]}


def hero(spot: tuple[int, int] | None = None, hp: int = 5, kind: str = "knight", **more: Any) -> dict[str, Any]:
    """An adventurer at full health of `hp`."""
    entry: dict[str, Any] = {"class": kind, "health": hp, **more}
    return entry | ({"hex": list(spot)} if spot else {})


def foe(spot: tuple[int, int] | None = None, kind: str = "mudcrab", **more: Any) -> dict[str, Any]:
    """An enemy; without skills and defense unless they are given."""
    entry: dict[str, Any] = {"type": kind, "skills": [], "defense": 0, **more}
    return entry | ({"hex": list(spot)} if spot else {})


def battle(heroes: list[Any], enemies: list[Any], board: Any = None, **more: Any) -> SecondEraEncounter:
    """A compiled battle; on one tile of 19 hexes unless a map is given."""
    scenario = {
        "ruleset": "second_era",
        "title": "Test",
        "policy": "focus_fire",
        "map": board or TILE,
        "heroes": heroes,
        "enemies": enemies,
        **more,
    }
    model = RULESET.scenario_model.model_validate(scenario)
    problems = RULESET.problems(model)
    assert not problems, problems
    encounter = RULESET.compile(model)
    assert isinstance(encounter, SecondEraEncounter)
    return encounter


def begin(encounter: SecondEraEncounter, runs: int = RUNS, round: int = 1, seed: int = 7) -> State:
    """The state as a round begins."""
    s = encounter.start(Luck.of(seed, np.arange(runs)), None)
    s.round = round
    return s


def everybody(s: State) -> Any:
    """All lanes."""
    return np.arange(s.size)


def first_enemy(s: State) -> Any:
    """The first enemy in every lane."""
    return np.full(s.size, s.party, dtype=np.int64)


def moved(s: State, steps: int = 0) -> dict[tuple[int, int], float]:
    """Where the first enemy stands after its Move step, with shares."""
    e, at = first_enemy(s), everybody(s)
    begin_turn(s, e, at)
    move(s, e, at, steps)
    return places(s, s.party)


def places(s: State, row: int) -> dict[tuple[int, int], float]:
    """Where a unit stands, with shares."""
    cells, number = np.unique(s.cell[row], return_counts=True)
    coords = s.facts.ground.board.coords
    return {coords[cell]: n / s.size for cell, n in zip(cells, number, strict=True) if cell >= 0}


def turn(s: State) -> None:
    """The first enemy takes its turn."""
    enemy_turn(s, first_enemy(s), everybody(s))


def victims(s: State) -> list[bool]:
    """By adventurer: whether the first enemy hurt it in every lane."""
    harm = s.harm[s.party * s.units : s.party * s.units + s.heroes]
    assert ((harm > 0).all(axis=1) | (harm == 0).all(axis=1)).all()
    return [bool(row[0] > 0) for row in harm]


def cell(s: State, spot: tuple[int, int]) -> int:
    """The number of a hex."""
    return int(s.facts.ground.board.find(spot))


def near(share: float, p: float, runs: int = RUNS) -> bool:
    """Whether a share fits a chance within four standard errors."""
    return abs(share - p) <= 4 * sqrt(p * (1 - p) / runs) + 1e-12


def fits(values: Any, chances: dict[int, float]) -> bool:
    """Whether values (lanes,) fall as often as the chances say, and nothing else falls."""
    values = np.asarray(values)
    known = set(chances) >= set(np.unique(values).tolist())
    return known and all(near(float((values == v).mean()), p, len(values)) for v, p in chances.items())
