"""Turns of companions."""

from __future__ import annotations

import pytest

from sim.rulesets.second_era import data
from sim.rulesets.second_era.rules.companions import companion_turn
from tests.rulesets.second_era.table import FEW, battle, begin, cell, everybody, foe, hero, hit


@pytest.mark.rule("SE-U1", "SE-R9", "SE-R4")
def test_a_companion_walks_to_the_closest_target_and_bites_the_weakest() -> None:
    companion = {"type": "hound", "combat": 9, "hex": [-2, 0]}
    enemies = [foe((1, 0), health=30), foe((1, -1), health=20)]
    s = begin(battle([hero((-2, 1))], enemies, companions=[companion]), FEW)

    companion_turn(s, 1, everybody(s))

    assert (s.cell[1] == cell(s, (0, -1))).all()  # two steps, the first in (q,r) order
    assert (s.hp[2] == 30).all()
    assert (s.hp[3] < 20).all()


@pytest.mark.rule("SE-S6")
def test_a_companion_without_a_hex_waits_and_then_enters() -> None:
    s = begin(battle([hero()], [foe()], "pair", companions=[{"type": "hound"}]), 1)
    assert s.cell[1, 0] == -1

    companion_turn(s, 1, everybody(s))
    assert s.cell[1, 0] == -1

    hit(s, 2, 0, 99, data.ENGAGE, true=True)
    companion_turn(s, 1, everybody(s))

    assert s.cell[1, 0] == cell(s, (0, 0))
