"""The chance from any moment on against the exact value of the state in which a run stands."""

from __future__ import annotations

import numpy as np
import pytest

from sim.core.branch import at_start_of, branch
from sim.core.engine import play
from sim.core.outcomes import Outcome
from sim.scenario import from_dict
from tests.rulesets.overhill.exact_chain import solved
from tests.rulesets.overhill.exact_fights import KNOWN

SEED, AGAIN = 11, 400
FIGHTS = ["X03", "X04", "X05a", "X07", "X07b", "X07c", "X08a", "X09", "X10"]


@pytest.mark.parametrize("name", FIGHTS)
def test_the_chance_from_a_state_is_the_exact_one(name: str) -> None:
    table = KNOWN[name].scenario
    exact = solved(table)
    encounter = from_dict(table).encounter()
    rounds = play(encounter, SEED, np.arange(400)).rounds

    squares, states = 0.0, 0
    for round in (1, 2, 3):
        runs = np.flatnonzero(rounds >= round)[:30]
        trunk = at_start_of(encounter, SEED, runs, round)
        wins = (
            (branch(encounter, SEED, runs, round, AGAIN).outcome == Outcome.WIN).reshape(len(runs), AGAIN).sum(axis=1)
        )
        for lane in range(len(runs)):
            chance = exact.value(trunk.state, lane)
            if 5 < chance * AGAIN < AGAIN - 5:  # where a count is close to normal
                squares += (wins[lane] - chance * AGAIN) ** 2 / (chance * (1 - chance) * AGAIN)
                states += 1
                assert abs(wins[lane] - chance * AGAIN) < 5 * (chance * (1 - chance) * AGAIN) ** 0.5

    assert states >= 15
    assert abs(squares - states) < 4 * (2 * states) ** 0.5 + 4  # chi-square: neither worse nor better than chance
