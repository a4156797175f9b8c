"""The board."""

from __future__ import annotations

import pytest

from sim.rulesets.brimstone.ground import make_ground

PILLARS = ". . . . . . . . .\n" * 2 + ". . # . . . # . .\n. . . . . . . . .\n. . . . # . . . .\n. . . . . . . . .\n"
PILLARS += ". . # . . . # . .\n. . . . . . . . .\n"


@pytest.mark.rule("BF-G1", "BF-G2", "BF-G3", "BF-G6", "BF-G7")
def test_we14_sight_and_corners_among_pillars() -> None:
    strict, lax = make_ground(PILLARS, "any"), make_ground(PILLARS, "both")

    def at(x: int, y: int) -> int:
        return strict.board.find((x, y))

    assert strict.sight[at(1, 8), at(5, 1)]
    assert not strict.sight[at(1, 8), at(4, 1)]
    assert not strict.adjacent[at(3, 7), at(4, 6)]
    assert lax.adjacent[at(3, 7), at(4, 6)]
    assert (strict.tile == 1).all()
