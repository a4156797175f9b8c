"""When Purge dice are spent."""

from __future__ import annotations

import pytest

from sim.rulesets.second_era import data
from sim.rulesets.second_era.rules.purge import use_purges
from tests.rulesets.second_era.table import battle, begin, everybody, foe, hero


@pytest.mark.rule("SE-A18")
def test_purge_cures_a_status_first_and_then_heals_who_misses_two() -> None:
    healer = hero((0, 0), 5, "healer", dice={"purge": 2})
    s = begin(battle([healer, hero((0, 1), 5), hero((0, 2), 5, track=["Maim"])], [foe((2, 0))]), 1)
    s.slot_die[0, :2, 0], s.slot_x[0, :2, 0] = data.PURGE, 0
    s.hp[1] = 3

    use_purges(s, everybody(s))

    assert s.status[2, 0] == 0
    assert s.hp[:3, 0].tolist() == [5, 4, 5]
    assert (s.slot_die[0, :4] == -1).all()
