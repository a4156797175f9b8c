"""Free Attacks."""

from __future__ import annotations

import numpy as np
import pytest

from sim.rulesets.brimstone.data import HATCHET, SHIV
from sim.rulesets.brimstone.rules.free_attacks import use_free_items
from sim.rulesets.brimstone.rules.hero_turns import activate_hero
from sim.rulesets.brimstone.rules.modes import dice_of
from tests.rulesets.brimstone.fights import ready
from tests.rulesets.brimstone.scenes import (
    LANE,
    TENTACLE,
    face_to_face,
)


@pytest.mark.rule("BF-H24", "BF-H25", "BF-P9")
@pytest.mark.parametrize(("limit", "left"), [(0, (1, 1, 1)), (1, (0, 1, 1)), (2, (0, 0, 1)), (3, (0, 0, 0))])
def test_free_items_are_used_in_order_up_to_the_limit(limit: int, left: tuple[int, int, int]) -> None:
    hero = {"class": "saloon_girl", "bag": {"hatchet": 1, "shiv": 1}, "level": 8}
    encounter, s = face_to_face(hero, TENTACLE, 5, free_attack_limit=limit)

    use_free_items(s, encounter.player.scales, 0, np.arange(5))

    assert (s.free_used == limit).all()
    assert (s.holdouts[0, 0], s.bag[HATCHET, 0, 0], s.bag[SHIV, 0, 0]) == left
    holdout = len(s.facts.plot.heroes[0].modes)
    assert dice_of(s, 0, holdout, LANE).tolist() == [1]  # no Shots of level 8


@pytest.mark.rule("BF-H24", "BF-P9")
@pytest.mark.parametrize(("when", "left"), [("before_action", 1), ("any_time", 0)])
def test_at_any_time_a_free_attack_comes_before_the_hero_moves_away(when: str, left: int) -> None:
    """A hero who steps back from an enemy 3 squares away has it in range of the hold-out pistol before moving alone."""
    hero = {"class": "saloon_girl", "square": [1, 4], "guns": ["hunting_rifle"], "bag": {}, "policy": "away"}
    keep_away = {"order": ["least their_range"], "items": True, "move": [{"do": "keep_away"}], "action": []}
    switches = {"free_attack_time": when, "hero_move": "fixed4"}
    fight = {"width": 1, "height": 12, "heroes": [hero], "policies": {"away": keep_away}, "switches": switches}
    line = {"type": "tentacles", "health": 60, "init": 0, "squares": [[1, 7]]}
    encounter, s = ready(fight | {"enemies": [line]}, 3)
    s.round = 1

    activate_hero(s, encounter.player, 0, np.arange(3))

    assert (s.ground.square[s.cell[0]] == 0).all()  # (1, 1), as far as the hall goes
    assert (s.holdouts[0] == left).all()


@pytest.mark.rule("BF-H24")
def test_what_is_left_of_the_limit_can_be_used_after_the_move() -> None:
    bag = {"hatchet": 1, "shiv": 1}
    hero = {"class": "saloon_girl", "bag": bag, "health": 40, "sanity": 40}
    encounter, s = face_to_face(hero, TENTACLE, 5, free_attack_limit=2, free_attack_time="any_time")

    activate_hero(s, encounter.player, 0, np.arange(5))

    assert (s.free_used == 2).all()
