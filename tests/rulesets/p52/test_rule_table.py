"""Every rule of the table is named by the engine and shown by a test."""

from pathlib import Path

from sim.rulesets.p52 import RULESET
from sim.testing import assert_rules_covered


def test_every_rule_is_in_the_engine_and_in_a_test() -> None:
    assert_rules_covered(RULESET, Path(__file__).parent)
