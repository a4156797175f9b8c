"""Second Era keeps the promises of every ruleset."""

from typing import ClassVar

from sim.rulesets.second_era import RULESET
from sim.testing import RulesetContract


class TestSecondEra(RulesetContract):
    ruleset = RULESET
    runs = 24
    without_max_hp: ClassVar = {"enemy": "which creature is drawn from the bag of a level differs from run to run"}
