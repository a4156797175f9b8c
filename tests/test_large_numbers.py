"""No number is too large: every one of a fight is played within seconds, or refused. `make soak` tries all pairs."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from sim.core.registry import ruleset_names
from tests.large_numbers import become, every_pair, pairs, singles

SINGLES = 30  # of a game, in every test run; all of them in the soak
PAIRS = 15
SOAKED = 20_000  # pairs of a game


@pytest.mark.parametrize("game", ruleset_names())
def test_numbers_that_nobody_would_write_are_played_or_refused(game: str) -> None:
    chosen = random.Random(52).sample(singles(game), SINGLES)

    became = Counter(become(*case) for case in [*chosen, *pairs(game, PAIRS, seed=52)])

    assert set(became) == {"played", "refused"}  # neither all good nor all bad, and nothing else


@pytest.mark.soak
@pytest.mark.parametrize("game", ruleset_names())
def test_every_number_and_many_pairs_are_played_or_refused(game: str) -> None:
    both = list(every_pair(game))
    chosen = random.Random(1).sample(both, min(SOAKED, len(both)))

    became = Counter(become(*case) for case in [*singles(game), *chosen])

    assert set(became) == {"played", "refused"}
