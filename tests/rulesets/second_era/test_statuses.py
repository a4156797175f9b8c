"""Gaining and losing statuses."""

from __future__ import annotations

import pytest

from sim.rulesets.second_era import data
from sim.rulesets.second_era.rules.statuses import gain
from tests.rulesets.second_era.table import battle, begin, duel, everybody, foe, hero, status, words


@pytest.mark.rule("SE-A12")
def test_a_second_status_die_moves_to_the_right_end() -> None:
    s = duel(runs=1, track=["Bane", "L"])

    gain(s, 0, data.BANE, everybody(s))

    assert words(s) == ["L", "Bane"]
    assert s.statuses[0, 0] == 0


@pytest.mark.rule("SE-E14", "SE-F1")
def test_quest_units_gain_no_status_from_the_party() -> None:
    enemies = [foe((1, 0), "champion"), foe((2, 0))]
    s = begin(battle([hero((0, 0))], enemies), 1)

    for row in (1, 2):
        gain(s, row, data.BANE, everybody(s), by_party=True)

    assert not status(s, 1, data.BANE).any()
    assert status(s, 2, data.BANE).all()
