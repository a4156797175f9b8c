"""Heroes before the first turn."""

from __future__ import annotations

import pytest

from tests.rulesets.brimstone.fights import ready


@pytest.mark.rule("BF-S6", "BF-S7")
@pytest.mark.parametrize(("heroes", "tokens"), [(1, 2), (2, 1), (3, 1), (4, 0), (5, 1), (6, 0)])
def test_revive_tokens_and_grit_of_the_start(heroes: int, tokens: int) -> None:
    posse = [{"class": "lawman"}] * heroes + [{"class": "lawman", "ally": True, "move": 3}]

    _, s = ready({"board": "none", "heroes": posse, "enemies": [{"type": "tentacles"}]})

    assert list(s.tokens) == [tokens]
    assert s.grit[:, 0].tolist() == [1] * heroes + [0]
    assert not s.wounds.any()
