"""Attacks of models."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim.rulesets.brimstone.rules import enemy_attacks
from sim.rulesets.brimstone.rules.enemy_turns import activate_group
from sim.rulesets.brimstone.rules.saves import Hits
from sim.rulesets.brimstone.state import State
from tests.rulesets.brimstone.fights import ready
from tests.rulesets.brimstone.scenes import (
    RUNS,
    TOUGH,
    face_to_face,
    mean_is,
    near,
)


@pytest.mark.rule("BF-A4")
def test_a_hit_whose_damage_is_not_stated_does_1() -> None:
    enemy = {"type": "tentacles", "damage": 0, "th_melee": 2, "abilities": {"smash": True}}
    fight = {"board": "none", "heroes": [TOUGH | {"defense": 6}], "enemies": [enemy]}
    _, s = ready(fight, 500)
    s.round = 1

    activate_group(s, int(s.kind[0, 0]), np.arange(500))

    assert set(s.wounds[0].tolist()) == {0, 1, 2, 3}


@pytest.mark.rule("BF-A1", "BF-A2", "BF-A3", "BF-A4")
def test_we19_one_tentacle_attacks() -> None:
    _, s = face_to_face(TOUGH | {"defense": 4}, {"type": "tentacles"})

    activate_group(s, int(s.kind[0, 0]), np.arange(RUNS))

    share = {wounds: float((s.wounds[0] == wounds).mean()) for wounds in (0, 3, 6, 9)}
    chance = {0: 8 / 27, 3: 4 / 9, 6: 2 / 9, 9: 1 / 27}
    assert all(near(share[wounds], chance[wounds]) for wounds in chance)
    assert sum(share.values()) == pytest.approx(1)


@pytest.mark.rule("BF-A1", "BF-A3")
def test_we19_a_strangler_counts_its_sixes_three_times(monkeypatch: pytest.MonkeyPatch) -> None:

    _, s = face_to_face(TOUGH | {"defense": 3}, {"type": "stranglers"})
    hits = np.zeros(RUNS)
    save = enemy_attacks.take_batch

    def count_and_save(s: State, hero: int, batch: Hits, *rest: Any) -> None:
        hits[:] += np.bincount(batch.lane, minlength=RUNS)
        save(s, hero, batch, *rest)

    monkeypatch.setattr(enemy_attacks, "take_batch", count_and_save)
    activate_group(s, int(s.kind[0, 0]), np.arange(RUNS))

    assert mean_is(hits, 4)
    assert mean_is(s.wounds[0], 4 / 3)
