"""The round: fatigue, and the order of enemies."""

from __future__ import annotations

import numpy as np
import pytest

from sim.rulesets.second_era.rules.rounds import enemy_order, fatigue
from tests.rulesets.second_era.table import battle, begin, foe, hero, near


@pytest.mark.rule("SE-R2", "SE-R1", "SE-D11")
@pytest.mark.parametrize(("carried", "falls_in"), [([], 8), (["O"], 7)])
def test_w14_fatigue(carried: list[str], falls_in: int) -> None:
    s = begin(battle([hero((0, 0), 5, track=carried)], [foe((2, 0))]), 1)

    for number in range(1, falls_in + 1):
        assert s.hp[0, 0] > 0
        s.round = number
        fatigue(s)

    assert s.hp[0, 0] == 0
    assert s.ledger.kills.sum() == 0


@pytest.mark.rule("SE-E1", "SE-E2", "SE-R5")
def test_w16_levels_from_the_top_and_a_new_order_within_a_level_each_round() -> None:
    kinds = ("draugr", "skeever", "champion", "draugr", "giant")
    s = begin(battle([hero((-2, 0))], [foe(kind=kind) for kind in kinds], "clash"))
    order = enemy_order(s)

    assert (order[[0, 1, 4]] == np.array([[2], [4], [1]])).all()
    assert near(float((order[2] == 0).mean()), 0.5)
    s.round = 2
    assert (enemy_order(s) != order).any()
