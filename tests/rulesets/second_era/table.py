"""A small battle laid out by hand: scenarios, states and shares for the tests of Second Era."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np

from sim.core.lanes import per_lane
from sim.core.luck import Luck
from sim.rulesets.second_era import RULESET, data
from sim.rulesets.second_era.encounter import SecondEraEncounter
from sim.rulesets.second_era.rules.damage import Blow, amount_of, deal
from sim.rulesets.second_era.rules.enemy_moves import move
from sim.rulesets.second_era.rules.enemy_turns import enemy_turn
from sim.rulesets.second_era.rules.turns import begin_turn
from sim.rulesets.second_era.state import State

RUNS = 4_000
FEW = 64  # where chance plays no part
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
    harm = s.harm[s.party, : s.heroes]
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


def duel(enemy: dict[str, Any] | None = None, runs: int = RUNS, kind: str = "knight", **more: Any) -> State:
    """One adventurer at (0,0) beside one enemy at (1,0); archers stand two hexes away."""
    spot = (-1, 0) if kind == "archer" else (0, 0)
    s = begin(battle([hero(spot, kind=kind, **more)], [foe((1, 0), **{"health": 30} | (enemy or {}))]), runs)
    begin_turn(s, 0, everybody(s))
    return s


def lone(enemy: dict[str, Any], *heroes: Any, runs: int = FEW, **more: Any) -> State:
    """An enemy at (1,0), an adventurer with 9 HP at (0,0) unless others are given."""
    return begin(battle(list(heroes) or [hero((0, 0), 9)], [foe((1, 0), **enemy)], **more), runs)


def words(s: State, hero_row: int = 0, lane: int = 0) -> list[str]:
    """The track in words."""
    codes = s.track[hero_row, :, lane]
    return [data.TRACK_WORDS[code] for code in codes if code >= 0]


def status(s: State, row: int, code: int) -> Any:
    """(lanes,). Whether a unit is under a status."""
    return (s.status[row] & (1 << code)) != 0


def hit(s: State, source: int, target: int, amount: int, ability: int, true: bool = False) -> None:
    """One unit deals another an instance of damage, in every lane."""
    at = everybody(s)
    deal(s, Blow(per_lane(source, at), per_lane(target, at), amount_of(amount, at), at, ability, true=true))


def bag(level: int) -> list[str]:
    """The enemies of the game that have a level."""
    return [name for name, row in data.units("enemies").items() if row["level"] == level]
