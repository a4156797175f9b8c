"""Overhill keeps the promises of every ruleset."""

from sim.rulesets.overhill import RULESET
from sim.testing import RulesetContract


class TestOverhill(RulesetContract):
    ruleset = RULESET
