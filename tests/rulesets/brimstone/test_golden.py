"""The same seed gives the same results until the ruleset's version says otherwise; see golden.json."""

from sim.rulesets.brimstone import RULESET
from tests.golden import assert_golden


def test_the_same_seed_gives_the_results_of_this_version() -> None:
    assert_golden(RULESET)
