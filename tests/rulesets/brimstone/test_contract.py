"""Brimstone keeps the promises of every ruleset."""

from sim.rulesets.brimstone import RULESET
from sim.testing import RulesetContract


class TestBrimstone(RulesetContract):
    ruleset = RULESET
    runs = 12
    skip = frozenset({"goliath_gate"})  # long; the agreement tests play it
