"""P52 keeps the promises of every ruleset."""

import numpy as np

from sim.core.engine import play
from sim.rulesets.p52 import RULESET
from sim.scenario import load
from sim.testing import RulesetContract


class TestP52(RulesetContract):
    ruleset = RULESET
    runs = 6
    skip = frozenset({"mountain-pass", "calico-lair", "great-room", "corridor-ambush"})  # a hundred rounds at times


def test_a_run_is_the_same_in_a_batch_larger_than_small_numbers_can_count() -> None:
    encounter = load("p52/four-on-four", values={"switches.round_cap": 4}).encounter()
    many, few = np.arange(33_000), np.arange(32_900, 33_000)

    together = play(encounter, 7, many)
    alone = play(encounter, 7, few)

    for name in ("outcome", "rounds", "xp", "run"):
        assert np.array_equal(getattr(together, name)[-100:], getattr(alone, name)), name
    for name in ("hp", "kills", "downs", "damage_dealt", "damage_taken", "healing", "uses", "hits", "damage"):
        assert np.array_equal(getattr(together, name)[:, -100:], getattr(alone, name)), name
