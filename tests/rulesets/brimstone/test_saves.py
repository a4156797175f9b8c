"""What heroes save against, and how."""

from __future__ import annotations

import numpy as np
import pytest

from sim.rulesets.brimstone.data import BANDAGES
from sim.rulesets.brimstone.rules.saves import Source, corrupt, plain_hits, take_batch
from tests.rulesets.brimstone.fights import ready
from tests.rulesets.brimstone.scenes import (
    RUNS,
    TENTACLE,
    face_to_face,
    near,
)


@pytest.mark.rule("BF-P8", "BF-A3")
@pytest.mark.parametrize(("policy", "damage", "used"), [("cautious", 2, 1), ("cautious", 1, 0), ("aggressive", 2, 0)])
def test_bandages_at_the_last_moment(policy: str, damage: int, used: int) -> None:
    hero = {"class": "lawman", "policy": policy, "wounds": 10}  # two left
    _, s = face_to_face(hero, TENTACLE, 300)

    take_batch(s, 0, plain_hits(np.arange(300), damage), Source("test", 0))

    failed = s.luck.die(6, "test/defense", 1, 0, 0, np.arange(300)) < 4
    assert (s.tokens_used[0] == failed * used).all()
    assert (s.bag[BANDAGES, 0] == 1 - failed * used).all()


@pytest.mark.rule("BF-P6", "BF-H4")
@pytest.mark.parametrize(("damage", "pays"), [(3, True), (2, False)])
def test_grit_goes_into_saves_that_would_mean_a_knock_out(damage: int, pays: bool) -> None:
    hero = {"class": "lawman", "wounds": 9, "bag": {}}  # three left
    fight = {"board": "none", "heroes": [hero], "enemies": [TENTACLE], "switches": {"revive_tokens": 0}}
    _, s = ready(fight, RUNS)
    s.round = 1

    take_batch(s, 0, plain_hits(np.arange(RUNS), damage), Source("test", 0))

    failed = s.luck.die(6, "test/defense", 1, 0, 0, np.arange(RUNS)) < 4
    assert (s.grit_spent[0] == failed * pays).all()
    assert near(float((s.taken[0] > 0).mean()), 1 / 4 if pays else 1 / 2)


@pytest.mark.rule("BF-A7")
@pytest.mark.parametrize(("willpower", "chance"), [(4, 1 / 2), (3, 1 / 3)])
def test_corruption_is_saved_by_willpower_and_only_counted(willpower: int, chance: float) -> None:
    _, s = face_to_face({"class": "lawman", "willpower": willpower}, TENTACLE)

    corrupt(s, 0, np.arange(RUNS), Source("test", 0))

    assert near(float(s.corruption[0].mean()), chance)
    assert not s.sdmg.any()
