"""The same seed gives the same results until the ruleset's version says otherwise."""

from sim.rulesets.brimstone import RULESET
from sim.testing import assert_results_of_version

SEED, RUNS = 1952, 100
FIGHTS = (
    ("duel", "aggressive"),
    ("tentacle_hall", "focus_fire"),
    ("rat_ambush_mid", "cautious"),
    ("cult_rifles", "random_legal"),
    ("high_noon", "bomber"),
)
DIGESTS = {1: "e22c569e8e6a8964a6b82e4d59ac7a2a", 2: "305e15e50d62953e22597397b279b4cb"}


def test_the_same_seed_gives_the_results_of_this_version() -> None:
    assert_results_of_version(RULESET, FIGHTS, SEED, RUNS, DIGESTS)
