"""Threat cards."""

from __future__ import annotations

import pytest

from tests.oracle import brimstone as bf
from tests.oracle.luck import PythonLuck


@pytest.mark.rule("BF-S2", "BF-S3")
def test_every_threat_card_can_be_dealt() -> None:
    for name, cards in bf.THREATS.items():
        for number in range(1, len(cards) + 1):
            scenario = {"board": "none", "heroes": bf.FOUR, "threat": [f"{name}:{number}"]}
            fight = bf.Fight(bf.prepare(scenario), PythonLuck(number))
            fight.set_up()
            assert fight.living
            assert fight.threat_cards >= 1
    assert [bf.threat_list(heroes, 0) for heroes in range(1, 7)] == ["low", "low", "med", "med", "high", "high"]
    assert bf.threat_list(2, 3) == "med"
