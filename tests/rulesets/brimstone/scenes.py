"""Scenes for the tests: a few units on their squares, in many runs at once, and how often things come out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from sim.rulesets.brimstone.build import Mode
from sim.rulesets.brimstone.data import POISON
from sim.rulesets.brimstone.encounter import BrimstoneEncounter
from sim.rulesets.brimstone.rules.damage import wound
from sim.rulesets.brimstone.rules.enemy_turns import activate_group
from sim.rulesets.brimstone.rules.hero_attacks import resolve_hit
from sim.rulesets.brimstone.rules.places import put_hero, put_model
from sim.rulesets.brimstone.rules.targets import Group
from sim.rulesets.brimstone.state import State
from tests.rulesets.brimstone.fights import ready

RUNS = 12_000
LANE = np.zeros(1, dtype=np.int64)
TENTACLE = {"type": "tentacles", "health": 60}
TOUGH = {"class": "lawman", "health": 40, "sanity": 40}
FOUR = [{"class": name} for name in ("gunslinger", "us_marshal", "bandido", "preacher")]


def near(share: float, chance: float, runs: int = RUNS) -> bool:
    """Within four standard errors."""
    return abs(share - chance) <= 4 * np.sqrt(chance * (1 - chance) / runs) + 1e-12


def squares(s: State, kind: str) -> list[tuple[int, int]]:
    """Where the models of a kind stand in run 0, in the order of creation."""
    names = [s.facts.plot.kinds[k].name for k in s.kind[:, 0]]
    cells = [int(s.spot[slot, 0]) for slot in range(s.slots) if s.alive[slot, 0] and names[slot] == kind]
    return [s.ground.board.coords[cell] for cell in cells]


def cell(s: State, x: int, y: int) -> int:
    return s.ground.board.find((x, y))


def move_model(s: State, slot: int, x: int, y: int) -> None:
    """Put a model somewhere, in all runs."""
    everyone = np.arange(s.size)
    put_model(s, np.full(s.size, slot), everyone, np.full(s.size, cell(s, x, y)))


def ends(s: State, slot: int = 0) -> dict[tuple[int, int], float]:
    """How often a model stands where."""
    cells, number = np.unique(s.spot[slot], return_counts=True)
    return {s.ground.board.coords[int(c)]: n / s.size for c, n in zip(cells, number, strict=True)}


def one_enemy(kind: str, hero: tuple[int, int], at: tuple[int, int], size: tuple[int, int], **changes: Any) -> State:
    line = {"type": kind, "count": 1} | changes
    fight = {"width": size[0], "height": size[1], "enemies": [line]}
    fight["heroes"] = [{"class": "lawman", "square": list(hero)}]
    _, s = ready(fight, RUNS)
    s.round = 1
    move_model(s, 0, *at)
    return s


def phase_a(s: State, behaviour: Any) -> Group:
    everyone = np.arange(s.size)
    group = Group(s, int(s.kind[0, 0]), everyone)
    behaviour(s, group, np.zeros(s.size, dtype=np.int64), everyone)
    return group


def move_hero(s: State, hero: int, x: int, y: int) -> None:
    """Put a hero somewhere, in all runs."""
    put_hero(s, hero, np.arange(s.size), np.full(s.size, cell(s, x, y)))


def on_open_ground(
    size: tuple[int, int], heroes: list[dict[str, Any]], enemies: list[dict[str, Any]], runs: int = RUNS, **more: Any
) -> tuple[BrimstoneEncounter, State]:
    """The first turn of a fight on an open board, before anybody has acted."""
    encounter, s = ready({"width": size[0], "height": size[1], "heroes": heroes, "enemies": enemies} | more, runs)
    s.round = 1
    return encounter, s


def face_to_face(
    hero: dict[str, Any], enemy: dict[str, Any], runs: int = RUNS, **switches: Any
) -> tuple[BrimstoneEncounter, State]:
    """The first turn of a fight without a board and without Grit and revive tokens."""
    rules = {"grit_use": "off", "revive_tokens": 0} | switches
    encounter, s = ready({"board": "none", "heroes": [hero], "enemies": [enemy], "switches": rules}, runs)
    s.round = 1
    return encounter, s


def kind_of(s: State, name: str) -> int:
    """The number of a kind by its name."""
    return [kind.name for kind in s.facts.plot.kinds].index(name)


def aims(s: State, slot: int = 0) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    """(runs,) each. Phase A of a model's group: whom the model will attack, and how; nobody attacks."""
    seen: dict[str, NDArray[np.int8]] = {}

    def listen(s: State, kind: int, at: Any, aim: NDArray[np.int8]) -> None:
        seen["target"], seen["aim"] = s.target[slot].copy(), aim[slot].copy()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sim.rulesets.brimstone.rules.enemy_turns.attack_phase", listen)
        activate_group(s, int(s.kind[slot, 0]), np.arange(s.size))
    return seen["target"], seen["aim"]


def tough_at(x: int, y: int) -> dict[str, Any]:
    """A hero who can take much, on a square."""
    return TOUGH | {"square": [x, y]}


def with_a_token(timing: str) -> State:
    """Two heroes share one revive token; the first is hurt, poisoned and takes more than it has left."""
    heroes = [{"class": "lawman", "health": 10}, {"class": "lawman"}]
    rules = {"revive_tokens": 1, "revive_timing": timing}
    _, s = on_open_ground((6, 6), heroes, [{"type": "tentacles"}], 1, switches=rules)
    s.wounds[0], s.sdmg[0], s.status[POISON, 0] = 8, 4, 1
    wound(s, 0, np.zeros(1, np.int64), np.array([5]), "test")
    return s


def mean_is(values: Any, expected: float) -> bool:
    """Within four standard errors."""
    return abs(values.mean() - expected) <= 4 * values.std() / np.sqrt(len(values))


def damage_rolls(s: State, index: int) -> Any:
    """(runs,). The damage die that a hit of hero 0 will show."""
    return s.luck.die(6, "BF-A11", s.round, 0, index, np.arange(s.size))


def land(s: State, mode: Mode, at: Any, natural: int, index: int = 0) -> None:
    """A hit of hero 0 on the first model."""
    n = len(at)
    resolve_hit(s, 0, mode, np.zeros(n, np.int64), at, np.full(n, natural), np.full(n, index))
