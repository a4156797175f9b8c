"""Duels come out as computed by hand."""

from __future__ import annotations

import math
from typing import Any

import pytest

from tests.oracle.luck import AddressedLuck
from tests.oracle.p52 import play, prepare
from tests.oracle.p52.scenarios import exact_duel

DUELS = [
    ("fighter", 1, "J clubs", {}, "p52-1.4", 0.993633, 4.54711),
    ("fighter", 1, "J clubs", {}, "p52-draft", 0.999317, 4.55455),
    ("fighter", 1, "K hearts", {}, "p52-1.4", 0.973118, 5.74430),
    ("fighter", 1, "K hearts", {}, "p52-draft", 0.994903, 5.80161),
    ("fighter", 4, "K hearts", {}, "p52-1.4", 0.833399, 8.84677),
    ("fighter", 4, "K hearts", {}, "p52-draft", 0.908007, 9.23908),
    ("captain", 1, "K hearts", {}, "p52-1.4", 0.673535, 5.96002),
    ("captain", 1, "K hearts", {}, "p52-draft", 0.771131, 6.53418),
    ("fighter", 4, "K hearts", {"cornered_enemy": "fight"}, "p52-1.4", 0.766496, None),
    ("fighter", 4, "K hearts", {"enemy_hit": "meet"}, "p52-1.4", 0.817019, None),
    ("fighter", 4, "K hearts", {"counter_depth": 0}, "p52-1.4", 0.847631, None),
    ("fighter", 4, "K hearts", {"counter_depth": 1}, "p52-1.4", 0.833151, None),
]


@pytest.mark.rule("P52-W36")
@pytest.mark.parametrize(("role", "level", "card", "switches", "preset", "win", "rounds"), DUELS)
def test_duels_come_out_as_computed(
    role: str, level: int, card: str, switches: dict[str, Any], preset: str, win: float, rounds: float | None
) -> None:
    prepared = prepare(exact_duel(role, level, card, preset=preset, switches=switches))
    runs = 2_000
    results = [play(prepared, AddressedLuck(52, run)) for run in range(runs)]

    wins = sum(result.outcome == "win" for result in results) / runs
    assert abs(wins - win) < 4 * math.sqrt(win * (1 - win) / runs)
    if rounds is not None:
        mean = sum(result.rounds for result in results) / runs
        spread = sum((result.rounds - mean) ** 2 for result in results) / runs
        assert abs(mean - rounds) < 4 * math.sqrt(spread / runs)
