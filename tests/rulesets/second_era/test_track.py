"""The cooldown track."""

from __future__ import annotations

import pytest

from sim.rulesets.second_era.data import COMBAT, SNIPE
from sim.rulesets.second_era.rules.track import enter, recover
from tests.rulesets.second_era.table import duel, everybody, words


@pytest.mark.rule("SE-A10", "SE-A11", "SE-F1")
@pytest.mark.parametrize(
    ("before", "after", "back"),
    [(["combat", "O", "L", "shield_discipline"], ["L", "shield_discipline", "O"], 1), (["O"], ["O"], 0)],
)
def test_w12_recovery(before: list[str], after: list[str], back: int) -> None:
    s = duel(runs=1, track=before, dice={"combat": 1, "shield_discipline": 1}, cooldown=2)
    had = s.available[0, COMBAT, 0]

    recover(s, 0, 2, everybody(s))

    assert words(s) == after
    assert s.available[0, COMBAT, 0] - had == back


@pytest.mark.rule("SE-A13", "SE-A14")
def test_w13_a_full_track() -> None:
    line = ["L"] * 10 + ["combat", "O", "O"]
    s = duel(runs=1, track=line, dice={"combat": 1, "snipe": 1})

    room = enter(s, 0, SNIPE, everybody(s))

    assert not room[0]
    assert words(s) == ["L"] * 10 + ["O", "O", "O"]
    assert s.drained[0, 0] == 2
