"""P52 keeps the promises of every ruleset."""

from collections.abc import Iterator
from typing import ClassVar

import numpy as np

from sim.core.engine import play
from sim.rulesets.p52 import RULESET
from sim.scenario import Scenario, load
from sim.testing import RulesetContract

SHORT = {"duel", "duel-exact", "archer-lane"}  # a few rounds; the others have a hundred at times
ROUNDS = 5  # of an encounter of the others: what is not decided then is a draw


class TestP52(RulesetContract):
    ruleset = RULESET
    runs = 6
    untold_healing: ClassVar = {"calico-lair": "Calico comes back with hit points of her own (P52-E17)"}
    rests = True  # between the encounters of a gauntlet

    def scenarios(self) -> Iterator[Scenario]:
        """All of them, the long ones with an early end."""
        for scenario in super().scenarios():
            values: dict[str, object] = {} if self.rests else {"switches.space_recovery": "none"}
            if scenario.name.rpartition("/")[2] not in SHORT:
                values["switches.round_cap"] = ROUNDS
            yield scenario.changed(values=values) if values else scenario

    def test_hit_points_never_rise_without_a_heal(self) -> None:
        self.rests = False  # a rest is no heal of anybody's, and is not booked as one

        super().test_hit_points_never_rise_without_a_heal()

    def test_all_eleven_scenarios_are_played(self) -> None:
        assert len(list(self.scenarios())) == 11


def test_a_run_is_the_same_in_a_batch_larger_than_small_numbers_can_count() -> None:
    encounter = load("p52/four-on-four", values={"switches.round_cap": 4}).encounter()
    many, few = np.arange(33_000), np.arange(32_900, 33_000)

    together = play(encounter, 7, many)
    alone = play(encounter, 7, few)

    for name in ("outcome", "rounds", "xp", "run"):
        assert np.array_equal(getattr(together, name)[-100:], getattr(alone, name)), name
    for name in ("hp", "kills", "downs", "damage_dealt", "damage_taken", "healing", "uses", "hits", "damage"):
        assert np.array_equal(getattr(together, name)[:, -100:], getattr(alone, name)), name
