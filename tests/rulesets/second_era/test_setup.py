"""Before round 1: who is drawn and who stands where."""

from __future__ import annotations

import numpy as np
import pytest

from sim.rulesets.second_era import data
from tests.rulesets.second_era.table import battle, begin, cell, fits, foe, hero


@pytest.mark.rule("SE-S1", "SE-S4", "SE-S5", "SE-S7")
def test_listed_enemies_take_the_first_hexes_and_the_bag_is_drawn_without_putting_back() -> None:
    encounter = battle([hero()], [foe(kind="champion")], "clash", pool={"points": 22})
    s = begin(encounter, 2_000)
    names = [unit.name for unit in encounter.facts.creatures]

    assert (s.cell[1] == cell(s, (2, -1))).all()
    assert (s.cell[2] == cell(s, (1, 1))).all()
    drawn = s.kind[2] - 1
    big = {names.index(kind): 1 / 3 for kind in ("daedroth", "lich", "giant")}
    assert fits(drawn, big)
    assert (s.kind[3] != s.kind[4]).all()  # two of level 1, never the same
    assert (s.form[0] == data.LIGHT).all()
    assert (s.length[0] == 0).all()


@pytest.mark.rule("SE-S4")
def test_an_empty_bag_is_refilled() -> None:
    s = begin(battle([hero()], [], "clash", pool={"points": 128}), 500)

    first, second = np.sort(s.kind[1:4], axis=0), np.sort(s.kind[4:7], axis=0)

    assert (first == second).all()  # two full bags of three
