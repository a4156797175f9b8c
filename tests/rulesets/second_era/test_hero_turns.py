"""Turns of adventurers."""

from __future__ import annotations

import pytest

from sim.core.batch import joined
from sim.rulesets.second_era.rules.hero_turns import adventurer_turn
from tests.rulesets.second_era.table import battle, begin, foe, hero, words


def test_batches_join_whether_or_not_an_orc_took_its_second_turn() -> None:
    fight = battle([hero(kind="berserker")], [foe(kind="troll")], board="pair", switches={"racial_abilities": "on"})
    orcs = [begin(fight, runs=3, round=2) for _ in range(2)]
    orcs[1].hp[0] = 0  # nobody is left for a second turn in this batch

    for s in orcs:
        fight.play_round(s)

    assert joined(*orcs).size == 6


@pytest.mark.rule("SE-F1", "SE-R8", "SE-R3")
def test_w12_bane_hurts_and_then_leaves() -> None:
    encounter = battle([hero((0, 0), track=["Bane", "combat"], cooldown=1)], [foe((2, 0))])
    s = begin(encounter, 1)

    adventurer_turn(s, encounter.player, 0, 0)

    assert s.ledger.damage_taken[0, 0] == 1
    assert "Bane" not in words(s)
