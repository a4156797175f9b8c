"""Overhill keeps the promises of every ruleset."""

from typing import ClassVar

from sim.rulesets.overhill import RULESET
from sim.testing import RulesetContract


class TestOverhill(RulesetContract):
    ruleset = RULESET
    without_max_hp: ClassVar = {"enemy": "a row is a kind of enemy, and counts how many of it are left"}
