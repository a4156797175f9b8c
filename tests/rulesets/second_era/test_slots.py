"""The active slots."""

from __future__ import annotations

import numpy as np
import pytest

from sim.rulesets.second_era.data import COMBAT, SHIELD
from sim.rulesets.second_era.rules.slots import place_die
from tests.rulesets.second_era.table import duel, everybody


@pytest.mark.rule("SE-A15")
def test_the_lowest_x_leaves_when_all_slots_are_full() -> None:
    s = duel(runs=1)
    s.slot_die[0, :4, 0], s.slot_x[0, :4, 0] = COMBAT, (2, 1, 1, 2)

    gone, _ = place_die(s, 0, SHIELD, np.array([2], dtype=np.int16), everybody(s))

    assert s.slot_x[0, :4, 0].tolist() == [2, 1, 2, 2]
    assert s.slot_die[0, 3, 0] == SHIELD
    assert gone.tolist() == [COMBAT]
