"""Engine and referee agree run by run: the rules that no worked example shows are shown here."""

import pytest

from sim.rulesets.brimstone import RULESET
from tests.oracle import brimstone as referee
from tests.oracle.random_brimstone import random_scenario
from tests.rulesets.brimstone.fights import differences

CHUNK = 5  # random scenarios per test


@pytest.mark.parametrize("policy", referee.POLICIES)
@pytest.mark.parametrize("name", referee.SCENARIOS)
def test_shipped_scenarios(name: str, policy: str) -> None:
    assert differences(referee.SCENARIOS[name] | {"policy": policy}, seed=7, runs=8) == []


@pytest.mark.parametrize("chunk", range(16))
@pytest.mark.rule("BF-U2", "BF-U3", "BF-S2", "BF-S3", "BF-S4", "BF-S5", "BF-S6", "BF-S7", "BF-S14", "BF-S16", "BF-S17")
@pytest.mark.rule("BF-T2", "BF-T3", "BF-T5", "BF-T6", "BF-T7", "BF-T8", "BF-T10", "BF-H1", "BF-H2", "BF-H3", "BF-H5")
@pytest.mark.rule("BF-H6", "BF-H7", "BF-H8", "BF-H10", "BF-H11", "BF-H18", "BF-H19", "BF-H20", "BF-H24", "BF-H25")
@pytest.mark.rule("BF-H26", "BF-H27", "BF-H28", "BF-E1", "BF-E2", "BF-E9", "BF-E10", "BF-E12", "BF-E13", "BF-E14")
@pytest.mark.rule("BF-E8.2", "BF-E8.4", "BF-E8.5", "BF-E7.2", "BF-E7.3", "BF-A2", "BF-A3", "BF-A4", "BF-A5", "BF-A6")
@pytest.mark.rule("BF-A7", "BF-A9", "BF-A10", "BF-A13", "BF-X1", "BF-X2", "BF-F2", "BF-F4", "BF-F6", "BF-F9")
@pytest.mark.rule("BF-F10", "BF-G8", "BF-G9", "BF-P1", "BF-P2", "BF-P5", "BF-P6", "BF-P7", "BF-P8", "BF-P9", "BF-P10")
@pytest.mark.rule("BF-P11", "BF-P12", "BF-P13", "BF-P14", "BF-H13")
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
