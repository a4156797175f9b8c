"""What models lose, and the XP for it."""

from __future__ import annotations

import numpy as np
import pytest

from sim.rulesets.brimstone.rules.models import hurt_model
from tests.rulesets.brimstone.scenes import (
    damage_rolls,
    face_to_face,
    land,
    mean_is,
    near,
)


@pytest.mark.rule("BF-A11", "BF-A12", "BF-F9")
@pytest.mark.parametrize("health", [2, 20])
def test_we18_armor_is_rolled_for_every_wound(health: int) -> None:
    encounter, s = face_to_face({"class": "lawman"}, {"type": "drowned_dead", "health": health}, 36 * 4000)
    at = np.flatnonzero((damage_rolls(s, 0) == 5) & (damage_rolls(s, 1) == 6))
    mode = encounter.player.scales.modes[0][0]

    land(s, mode, at, 5, index=0)
    land(s, mode, at, 4, index=1)

    placed = s.hurt[0, at]
    assert near(float((placed == 0).mean()), 1 / 27, len(at))
    if health == 2:
        assert near(float((~s.alive[0, at]).mean()), 20 / 27, len(at))
        assert (s.dealt[0, at] <= 2).all()
    else:
        assert mean_is(placed, 2)


@pytest.mark.rule("BF-F8", "BF-F9")
@pytest.mark.parametrize(
    ("base", "elites", "xp"), [("per_attack", [], 40), ("per_hit", [], 50), ("per_attack", [3], 45)]
)
def test_we26_xp_of_two_wounding_hits(base: str, elites: list[int], xp: int) -> None:
    _, s = face_to_face({"class": "lawman"}, {"type": "night_terrors", "elites": elites}, 1, xp_base=base)
    lane, slot = np.zeros(1, np.int64), np.zeros(1, np.int64)

    for wounds in (2, 4):
        hurt_model(s, slot, lane, np.array([wounds]), 0, "test")

    assert list(s.xp[0]) == [xp]


@pytest.mark.rule("BF-F8", "BF-F9")
def test_we26_xp_of_a_kill() -> None:
    _, s = face_to_face({"class": "lawman"}, {"type": "tentacles", "elites": [3, 4]}, 1)
    lane, slot = np.zeros(1, np.int64), np.zeros(1, np.int64)

    hurt_model(s, slot, lane, np.array([3]), 0, "test")
    before = int(s.xp[0, 0])
    hurt_model(s, slot, lane, np.array([5]), 0, "test")

    assert (before, int(s.xp[0, 0]), int(s.dealt[0, 0])) == (0, 40, 4)
