"""What an attack is worth."""

from __future__ import annotations

import numpy as np
import pytest

from sim.rulesets.brimstone.rules.hero_moves import best_mode
from tests.rulesets.brimstone.fights import ready


@pytest.mark.rule("BF-P3", "BF-P4", "BF-H12", "BF-H13", "BF-H15", "BF-H16", "BF-H17", "BF-G10")
def test_we15_the_shotgun_is_worth_more_than_two_melee_dice() -> None:
    encounter, s = ready({"board": "none", "heroes": [{"class": "us_marshal"}], "enemies": [{"type": "tentacles"}]})
    lane, scales = np.zeros(1, dtype=np.int64), encounter.player.scales

    mode, value = best_mode(s, scales, 0, lane, s.cell[0])

    assert s.facts.plot.heroes[0].modes[int(mode[0])].name == "shotgun"
    assert value[0] / 576 == 75 / 32
    assert scales.worth(s, 0, 0, lane, s.cell[0])[0, 0] / 576 == pytest.approx(41 / 18)
