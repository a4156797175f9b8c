"""Engine and referee agree run by run, in everything that is counted, on shipped and on random scenarios."""

import pytest

from sim.rulesets.brimstone import RULESET
from tests.oracle import brimstone as referee
from tests.oracle.random_brimstone import random_scenario
from tests.rulesets.brimstone.fights import differences

CHUNK = 10  # random scenarios per test


@pytest.mark.parametrize("policy", referee.POLICIES)
@pytest.mark.parametrize("name", referee.SCENARIOS)
def test_shipped_scenarios(name: str, policy: str) -> None:
    assert differences(referee.SCENARIOS[name] | {"policy": policy}, seed=7, runs=8) == []


@pytest.mark.parametrize("chunk", [*range(3), *(pytest.param(one, marks=pytest.mark.soak) for one in range(3, 30))])
def test_random_scenarios(chunk: int) -> None:
    for seed in range(CHUNK * chunk, CHUNK * (chunk + 1)):
        assert differences(random_scenario(seed), seed, runs=2) == [], f"random_scenario({seed})"


@pytest.mark.soak
@pytest.mark.parametrize("chunk", range(60))
def test_many_more_random_scenarios(chunk: int) -> None:
    for seed in range(1000 + 10 * chunk, 1000 + 10 * (chunk + 1)):
        assert differences(random_scenario(seed), seed, runs=3) == [], f"random_scenario({seed})"


def test_both_know_the_same_policies_and_switches() -> None:
    defaults = {name: switch.default for name, switch in RULESET.switchboard.switches.items()}

    assert tuple(RULESET.policies) == referee.POLICIES
    assert defaults == {name: default for name, (default, _) in referee.SWITCHES.items()}
    assert RULESET.switchboard.presets == referee.PRESETS
