"""Grit and status markers of heroes."""

from __future__ import annotations

import numpy as np
import pytest

from sim.rulesets.brimstone.data import BLEEDING, ENSNARED, STUNNED
from sim.rulesets.brimstone.rules.hero_turns import move_roll
from sim.rulesets.brimstone.rules.markers import mend
from sim.rulesets.brimstone.rules.saves import defense_needed
from tests.rulesets.brimstone.scenes import (
    LANE,
    TENTACLE,
    face_to_face,
    on_open_ground,
)


@pytest.mark.rule("BF-H7")
def test_grit_beyond_the_maximum_is_lost() -> None:
    _, s = on_open_ground((6, 6), [{"class": "lawman", "grit": 2}], [TENTACLE], 600)

    move_roll(s, 0, np.arange(600))

    assert (s.grit[0] == 2).all()
    assert not s.grit_gained.any()


@pytest.mark.rule("BF-H5", "BF-P11")
@pytest.mark.parametrize(
    ("policy", "grit", "left"), [("cautious", 2, (0, 1)), ("cautious", 1, (1, 1)), ("aggressive", 2, (1, 2))]
)
def test_the_cautious_mend_bleeding_with_spare_grit(policy: str, grit: int, left: tuple[int, int]) -> None:
    hero = {"class": "lawman", "policy": policy, "grit": grit, "status": {"bleeding": 1}}
    _, s = on_open_ground((6, 6), [hero], [TENTACLE], 1)

    mend(s, 0, LANE)

    assert (s.status[BLEEDING, 0, 0], s.grit[0, 0]) == left


@pytest.mark.rule("BF-A5", "BF-X1")
@pytest.mark.parametrize(
    ("defense", "ensnared", "stunned", "needed"), [(4, 0, 0, 4), (4, 0, 2, 5), (4, 1, 1, 6), (6, 1, 1, 6), (2, 0, 0, 2)]
)
def test_markers_raise_the_number_for_defense(defense: int, ensnared: int, stunned: int, needed: int) -> None:
    _, s = face_to_face({"class": "lawman", "defense": defense}, TENTACLE, 1)
    s.status[ENSNARED, 0], s.status[STUNNED, 0] = ensnared, stunned

    assert defense_needed(s, 0).tolist() == [needed]
