"""Dynamite."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim.rulesets.brimstone.ground import make_ground
from sim.rulesets.brimstone.rules.dynamite import blast, throw
from sim.rulesets.brimstone.state import State
from tests.rulesets.brimstone.scenes import (
    RUNS,
    cell,
    ends,
    mean_is,
    move_model,
    near,
    on_open_ground,
)


@pytest.mark.rule("BF-H21", "BF-H22", "BF-H23")
def test_we25_bounces_stay_on_the_board() -> None:
    ground = make_ground("\n".join([". . . . ."] * 5), "any")

    stays = {place: (ground.bounce[:, ground.board.find(place)] < 0).mean() for place in ((1, 1), (3, 1), (3, 3))}

    assert stays == {(1, 1): 5 / 8, (3, 1): 3 / 8, (3, 3): 0}


@pytest.mark.rule("BF-H20", "BF-H21", "BF-H22")
def test_we25_where_dynamite_lands(monkeypatch: pytest.MonkeyPatch) -> None:
    hero = {"class": "bandido", "square": [1, 1]}
    _, s = on_open_ground((5, 5), [hero], [{"type": "tentacles"}], 60_000, switches={"grit_use": "off"})
    everyone = np.arange(s.size)
    middle = cell(s, 3, 3)
    landed = {}

    def listen(s: State, hero: int, at: Any, where: Any) -> Any:
        landed["at"] = where.copy()
        return np.zeros(len(at), dtype=np.int64)

    monkeypatch.setattr("sim.rulesets.brimstone.rules.dynamite.blast", listen)
    throw(s, 0, everyone, np.full(s.size, middle))

    missed = s.luck.die(6, "BF-H16", 1, 0, 0, everyone) < 5
    assert near(float((~missed).mean()), 1 / 3, s.size)
    assert (landed["at"][~missed] == middle).all()
    assert near(float((landed["at"][missed] == middle).mean()), 11 / 192, int(missed.sum()))
    assert (s.bag[:, 0].sum(axis=0) == 0).all()


@pytest.mark.rule("BF-H23", "BF-A13")
def test_we25_a_blast_ignores_defense_and_reaches_the_next_squares() -> None:
    heroes = [{"class": "lawman", "square": [3, 4], "health": 40}, {"class": "lawman", "square": [5, 5]}]
    enemies = [{"type": "slashers", "health": 4}, {"type": "tentacles", "health": 60}]
    _, s = on_open_ground((7, 7), heroes, enemies)
    names = [s.facts.plot.kinds[int(kind)].name for kind in s.kind[:, 0]]
    slasher, tentacle = names.index("slashers"), names.index("tentacles")
    move_model(s, slasher, 3, 3)
    move_model(s, tentacle, 7, 1)

    blast(s, 0, np.arange(RUNS), np.full(RUNS, cell(s, 3, 3)))

    assert near(float((~s.alive[slasher]).mean()), 1 / 2)
    assert mean_is(s.wounds[0], 3.5)
    assert not s.wounds[1].any()
    assert not s.hurt[tentacle].any()
    assert set(ends(s, tentacle)) == {(7, 1)}
