"""Whom models attack."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim.rulesets.brimstone.rules.enemy_turns import activate_group
from sim.rulesets.brimstone.rules.targets import Group, pick_target
from sim.rulesets.brimstone.state import State
from tests.rulesets.brimstone.fights import ready
from tests.rulesets.brimstone.scenes import (
    FOUR,
    RUNS,
    move_model,
    near,
)


@pytest.mark.rule("BF-E3")
@pytest.mark.parametrize(
    ("heroes", "models", "spread", "alone"),
    [(3, 2, "seed", 1 / 3), (3, 3, "seed", (2 / 3) ** 3), (4, 3, "always_random", 27 / 64), (4, 3, "seed", 1 / 4)],
)
def test_we5_targets_are_spread_evenly_with_more_heroes_than_models(
    heroes: int, models: int, spread: str, alone: float
) -> None:
    fight = {"board": "none", "heroes": FOUR[:heroes], "enemies": [{"type": "tentacles", "count": models}]}
    _, s = ready(fight | {"switches": {"targeting_spread": spread}}, RUNS)
    s.round = 1
    everyone = np.arange(RUNS)
    group = Group(s, 4, everyone)

    for slot in range(models):
        target = pick_target(s, group, np.full(RUNS, slot), everyone, s.standing)
        s.target[slot] = target

    assert near(float((s.target[:models] != 0).all(axis=0).mean()), alone)


@pytest.mark.rule("BF-E4", "BF-E5.1")
def test_we6_an_adjacent_target_is_kept() -> None:
    heroes = [{"class": "lawman", "square": [x, 2]} for x in (2, 4, 6)]
    _, s = ready({"width": 7, "height": 7, "heroes": heroes, "enemies": [{"type": "slashers", "count": 2}]}, RUNS)
    s.round = 2
    move_model(s, 0, 4, 5)  # its target has gone
    move_model(s, 1, 6, 3)
    s.target[0], s.target[1] = 1, 2
    chosen = {}

    def listen(s: State, kind: int, at: Any, aim: Any) -> None:
        chosen["targets"] = s.target.copy()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sim.rulesets.brimstone.rules.enemy_turns.attack_phase", listen)
        activate_group(s, int(s.kind[0, 0]), np.arange(RUNS))

    assert (chosen["targets"][1] == 2).all()
    assert near(float((chosen["targets"][0] == 0).mean()), 1 / 2)
    assert near(float((chosen["targets"][0] == 1).mean()), 1 / 2)
