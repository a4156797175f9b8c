"""P52 keeps the promises of every ruleset."""

from sim.rulesets.p52 import RULESET
from sim.testing import RulesetContract


class TestP52(RulesetContract):
    ruleset = RULESET
    runs = 12
