"""Where heroes go."""

from __future__ import annotations

import numpy as np
import pytest

from sim.rulesets.brimstone.rules.hero_moves import hero_reach, ranked, shooting_squares, square_toward_enemies, weighed
from tests.rulesets.brimstone.fights import ready
from tests.rulesets.brimstone.scenes import (
    LANE,
    TENTACLE,
    cell,
    move_model,
    on_open_ground,
)


@pytest.mark.rule("BF-P13")
def test_with_nothing_to_attack_a_hero_approaches() -> None:
    _, s = on_open_ground((12, 1), [{"class": "preacher", "square": [1, 1]}], [TENTACLE], 1)
    move_model(s, 0, 12, 1)
    s.moves[0] = 3

    assert square_toward_enemies(s, 0, LANE).tolist() == [cell(s, 4, 1)]


@pytest.mark.rule("BF-P3", "BF-P4")
def test_the_quick_way_to_the_best_squares_finds_what_weighing_every_square_finds() -> None:
    heroes = [{"class": name, "policy": "focus_fire"} for name in ("lawman", "us_marshal", "indian_scout")]
    kinds = [{"type": name, "count": "D6"} for name in ("tentacles", "hungry_dead", "bandits")]
    board = "\n".join([". . . . . . . .", ". # . . . # . .", ". . . . . . . .", ". . . # . . . .", ". . . . . . . ."])
    encounter, s = ready({"board": board, "heroes": heroes, "enemies": kinds}, 300)
    s.round = 1
    everyone = np.arange(300)
    s.hurt[:] = everyone % 2
    for hero in range(3):
        s.moves[hero] = 4
        allowed = hero_reach(s, hero, everyone).all
        modes = range(len(s.facts.plot.heroes[hero].modes))
        open_to = [shooting_squares(s, hero, mode, everyone) & allowed for mode in modes]

        quick, settled = ranked(s, encounter.player.scales, hero, everyone, open_to)

        slow = weighed(s, encounter.player.scales, hero, everyone, np.bitwise_or.reduce(open_to))
        assert settled.mean() > 1 / 2
        assert (quick[:, settled] == slow[:, settled]).all()
