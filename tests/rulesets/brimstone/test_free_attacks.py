"""Free Attacks."""

from __future__ import annotations

import numpy as np
import pytest

from sim.rulesets.brimstone.data import HATCHET, SHIV
from sim.rulesets.brimstone.rules.free_attacks import use_free_items
from sim.rulesets.brimstone.rules.modes import dice_of
from tests.rulesets.brimstone.scenes import (
    LANE,
    TENTACLE,
    face_to_face,
)


@pytest.mark.rule("BF-H24", "BF-H25", "BF-P9")
@pytest.mark.parametrize(("limit", "left"), [(0, (1, 1, 1)), (1, (0, 1, 1)), (2, (0, 0, 1)), (3, (0, 0, 0))])
def test_free_items_are_used_in_order_up_to_the_limit(limit: int, left: tuple[int, int, int]) -> None:
    hero = {"class": "saloon_girl", "bag": {"hatchet": 1, "shiv": 1}, "level": 8}
    encounter, s = face_to_face(hero, TENTACLE, 5, free_attack_limit=limit)

    use_free_items(s, encounter.player.scales, 0, np.arange(5))

    assert (s.free_used == limit).all()
    assert (s.holdouts[0, 0], s.bag[HATCHET, 0, 0], s.bag[SHIV, 0, 0]) == left
    holdout = len(s.facts.plot.heroes[0].modes)
    assert dice_of(s, 0, holdout, LANE).tolist() == [1]  # no Shots of level 8
