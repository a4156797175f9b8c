"""Second Era keeps the promises of every ruleset."""

from sim.rulesets.second_era import RULESET
from sim.testing import RulesetContract


class TestSecondEra(RulesetContract):
    ruleset = RULESET
    runs = 24
