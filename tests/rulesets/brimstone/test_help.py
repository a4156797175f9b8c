"""Help for a KO'd hero."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim.rulesets.brimstone.rules.damage import knock_out
from sim.rulesets.brimstone.rules.help import help_hero, whom_to_help
from tests.rulesets.brimstone.fights import ready
from tests.rulesets.brimstone.scenes import (
    TENTACLE,
)


def beside_a_marker(enemy_tile: int) -> Any:
    """A hero next to the marker of another one; the enemy is on this tile."""
    heroes = [{"class": "lawman", "square": [1, 1]}, {"class": "lawman", "square": [2, 1]}]
    fight = {"board": "1 1 1 2 2 2", "heroes": heroes, "enemies": [TENTACLE], "enemy_tile": enemy_tile}
    _, s = ready(fight | {"switches": {"revive_tokens": 0}}, 100)
    s.round = 1
    knock_out(s, 1, np.arange(100))
    return s


@pytest.mark.rule("BF-H27", "BF-P14")
def test_help_brings_a_hero_back_if_no_enemy_is_on_its_tile() -> None:
    s = beside_a_marker(2)
    everyone = np.arange(100)
    s.wounds[1] = 12
    whom = whom_to_help(s, 0, everyone)

    help_hero(s, 0, everyone, whom)

    assert (whom == 1).all()
    assert s.standing[1].all()
    assert (s.xp[0] == 25).all()
    dice = s.luck.die(6, "BF-H27", 1, 0, 0, everyone) + s.luck.die(6, "BF-H27", 1, 0, 1, everyone)
    assert (s.health_left(1, everyone) == np.minimum(dice, 12)).all()
    assert s.barred[1].all()  # it does not act this turn
    knock_out(s, 1, everyone)
    help_hero(s, 0, everyone, whom)
    assert (s.xp[0] == 25).all()  # once per fight
    assert (whom_to_help(beside_a_marker(1), 0, everyone) == -1).all()
