"""The same seed gives the same results until the ruleset's version says otherwise."""

from sim.rulesets.p52 import RULESET
from sim.testing import assert_results_of_version

SEED, RUNS = 1952, 60
FIGHTS = (
    ("duel", "brawler"),
    ("archer-lane", "sniper"),
    ("corridor-ambush", "guardian"),
    ("four-on-four", "focus_fire"),
    ("random-space", "medic"),
    ("calico-lair", "random_legal"),
)
DIGESTS = {1: "e60636171569c6372e1fc02ebaa8519a"}


def test_the_same_seed_gives_the_results_of_this_version() -> None:
    assert_results_of_version(RULESET, FIGHTS, SEED, RUNS, DIGESTS)
