"""Brimstone keeps the promises of every ruleset."""

from typing import ClassVar

from sim.rulesets.brimstone import RULESET
from sim.testing import RulesetContract


class TestBrimstone(RulesetContract):
    ruleset = RULESET
    runs = 12
    skip = frozenset({"goliath_gate"})  # long; the agreement tests play it
    without_max_hp: ClassVar = {"enemy": "a row is a kind of enemy, and counts how many of it are left"}
