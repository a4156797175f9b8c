"""The same seed gives the same results until the ruleset's version says otherwise."""

from sim.rulesets.overhill import RULESET
from sim.testing import assert_results_of_version

SEED, RUNS = 1952, 300
FIGHTS = (
    ("playtest-1", "plain"),
    ("crypt-swarm", "aggressive"),
    ("ghoul-pack", "cautious"),
    ("warband", "focus_expert"),
    ("gobbo-dungeon", "random_legal"),
    ("wandering-undead", "prudent"),
)
DIGESTS = {
    1: "56ace3fb637c7780d73b20968a1021c6",
    2: "56ace3fb637c7780d73b20968a1021c6",  # Dual Wield opens with quick: nobody in these fights knows it
}


def test_the_same_seed_gives_the_results_of_this_version() -> None:
    assert_results_of_version(RULESET, FIGHTS, SEED, RUNS, DIGESTS)
