"""The same seed gives the same results until the ruleset's version says otherwise."""

from sim.rulesets.second_era import RULESET
from sim.testing import assert_results_of_version

SEED, RUNS = 1952, 100
FIGHTS = (
    ("se_champion", "focus_fire"),
    ("se_clash_scaled", "aggressive"),
    ("se_dungeon", "focus_fire"),
    ("se_hound", "aggressive"),
    ("se_jailbreak", "random"),
    ("se_patrol", "focus_fire"),
    ("se_wolves", "aggressive"),
)
DIGESTS = {1: "446c63fb139e1635c3bf43e6136f2091"}


def test_the_same_seed_gives_the_results_of_this_version() -> None:
    assert_results_of_version(RULESET, FIGHTS, SEED, RUNS, DIGESTS)
