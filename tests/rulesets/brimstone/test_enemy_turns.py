"""A group's activation."""

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
    TOUGH,
    aims,
    ends,
    move_model,
    on_open_ground,
    tough_at,
)


@pytest.mark.rule("BF-E1", "BF-A2")
def test_all_of_a_group_aim_before_any_attacks_and_their_hits_are_one_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    fight = {"board": "none", "heroes": [TOUGH | {"health": 1}, TOUGH], "enemies": [{"type": "tentacles", "count": 3}]}
    _, s = ready(fight, 400)
    s.round = 1
    batches: list[tuple[int, int]] = []
    save = enemy_attacks.take_batch

    def listen(s: State, hero: int, hits: Hits, *rest: Any) -> None:
        assert (s.target[:3] >= 0).all() or hero == 1  # only a knock-out of hero 0 takes a target away
        batches.append((hero, int(np.bincount(hits.lane).max())))
        save(s, hero, hits, *rest)

    monkeypatch.setattr(enemy_attacks, "take_batch", listen)
    activate_group(s, int(s.kind[0, 0]), np.arange(400))

    assert [hero for hero, _ in batches] == [0, 1]
    assert max(most for _, most in batches) > 3  # hits of several models together


@pytest.mark.rule("BF-E2")
def test_the_nearest_model_goes_first() -> None:
    _, s = on_open_ground((9, 1), [tough_at(1, 1)], [{"type": "tentacles", "count": 2, "move": 7}], 50)
    move_model(s, 0, 8, 1)
    move_model(s, 1, 6, 1)

    aims(s)

    assert set(ends(s, 1)) == {(2, 1)}
    assert set(ends(s, 0)) == {(3, 1)}
