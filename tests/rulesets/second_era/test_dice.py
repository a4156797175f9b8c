"""Which dice an adventurer can roll together."""

from __future__ import annotations

import pytest

from sim.rulesets.second_era import data
from sim.rulesets.second_era.data import COMBAT, SHIELD
from sim.rulesets.second_era.rules.dice import gather
from tests.rulesets.second_era.table import duel, everybody


@pytest.mark.rule("SE-A5", "SE-F4")
def test_dice_are_gathered_up_to_the_stat_and_under_fear_only_combat_dice() -> None:
    calm = duel(runs=1, dice={"shield_discipline": 5, "combat": 2}, stamina=4)
    afraid = duel(runs=1, dice={"shield_discipline": 5, "combat": 2}, stamina=4, track=["Fear"])

    one = gather(calm, 0, data.GATHERED[data.LIGHT], data.LIGHT, everybody(calm))
    other = gather(afraid, 0, data.GATHERED[data.LIGHT], data.LIGHT, everybody(afraid))

    assert {code: int(n[0]) for code, n in one.items()} == {SHIELD: 4, COMBAT: 0}
    assert {code: int(n[0]) for code, n in other.items()} == {SHIELD: 0, COMBAT: 2}
