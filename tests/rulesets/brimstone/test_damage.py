"""What heroes lose and get back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim.rulesets.brimstone.data import BLEEDING
from sim.rulesets.brimstone.rules.damage import check_ko, knock_out, wound
from tests.rulesets.brimstone.fights import ready
from tests.rulesets.brimstone.scenes import (
    TOUGH,
    cell,
    move_hero,
    move_model,
    on_open_ground,
    with_a_token,
)


@pytest.mark.rule("BF-U1", "BF-A8")
def test_we20_a_bleeding_marker_can_knock_out() -> None:
    heroes = [{"class": "lawman", "health": 10, "wounds": 8}, {"class": "lawman", "health": 12, "wounds": 8}]
    _, s = on_open_ground((6, 6), heroes, [{"type": "tentacles"}], 1, switches={"revive_tokens": 0})
    s.status[BLEEDING] = 1

    for hero in (0, 1):
        check_ko(s, hero, np.zeros(1, np.int64))

    assert s.standing[:, 0].tolist() == [False, True]
    assert s.status[BLEEDING, :, 0].tolist() == [0, 1]  # a knock-out takes the marker away
    assert int(s.health_left(0, np.zeros(1, np.int64))[0]) == 0


@pytest.mark.rule("BF-A9", "BF-A8")
def test_we20_a_revive_token_undoes_a_knock_out_at_once() -> None:
    s = with_a_token("immediate")

    assert s.standing[0].all()
    assert (s.wounds[0, 0], s.sdmg[0, 0], s.grit[0, 0], s.tokens[0], s.ko_count[0, 0]) == (0, 0, 2, 0, 0)
    assert not s.status.any()


@pytest.mark.rule("BF-U2", "BF-G7", "BF-A8")
def test_a_hero_who_is_down_neither_blocks_nor_is_a_target() -> None:
    _, s = on_open_ground((6, 6), [TOUGH, TOUGH], [{"type": "tentacles", "count": 2}], 2)
    move_hero(s, 1, 3, 3)
    s.target[:, :] = [[1], [0]]

    knock_out(s, 1, np.arange(2))

    assert not s.ground.bits.has(s.hero_bits, np.full(2, cell(s, 3, 3))).any()
    assert (s.cell[1] == cell(s, 3, 3)).all()  # the marker stays
    assert s.target[:, 0].tolist() == [-1, 0]


@pytest.mark.rule("BF-U3")
def test_an_ally_has_no_grit_and_is_removed_for_good() -> None:
    heroes: list[dict[str, Any]] = [TOUGH, {"class": "lawman", "ally": True, "move": 3, "combat": 6}]
    encounter, s = on_open_ground((6, 6), heroes, [{"type": "hellbats", "count": 4}], 200)
    move_model(s, 0, 3, 3)

    while s.live.any():
        s.round += 1
        encounter.play_round(s)

    assert not s.grit[1].any()
    assert not s.xp[1].any()
    assert not s.loot[1].any()
    assert s.kills[1].any()
    assert (s.removed[1] == (s.ko_count[1] > 0)).all()


@pytest.mark.rule("BF-A8", "BF-U1")
def test_we20_ko_at_exactly_zero() -> None:
    heroes = [{"class": "lawman", "health": 10}, {"class": "lawman"}]
    fight = {"board": "none", "heroes": heroes, "enemies": [{"type": "tentacles"}], "switches": {"revive_tokens": 0}}
    _, s = ready(fight, 3)
    everyone = np.arange(3)
    s.wounds[0] = [6, 7, 9]

    placed, _ = wound(s, 0, everyone, np.array([3, 3, 6]), "test")

    assert list(placed) == [3, 3, 1]
    assert list(s.standing[0]) == [True, False, False]

    s.status[BLEEDING, 1] = 1
    assert (s.health_left(1, everyone) == 12 - 3).all()
