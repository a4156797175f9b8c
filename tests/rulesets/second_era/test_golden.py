"""The same seed gives the same results, release after release; a difference needs a new ruleset version."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

from sim.core.engine import play
from sim.rulesets.second_era import RULESET
from sim.scenario import load

GOLDEN = {
    "se_champion": "d81e9a2267919504",
    "se_clash_scaled": "bf5c605d9e392b9c",
    "se_clash_scaled_1": "58b7895a70491f36",
    "se_clash_scaled_2": "760a75bc9c4ec8f9",
    "se_clash_scaled_3": "bb04932abed4f4f6",
    "se_duel": "08c1a83afc8bf657",
    "se_dungeon": "13c10064cf4fdbb4",
    "se_hound": "e2571301881e121f",
    "se_hound_alone": "78ec2a98cdac98c7",
    "se_jailbreak": "c9619f29906846be",
    "se_patrol": "7dfc575f6218162c",
    "se_wolves": "0eeda1f653b0292c",
}


@pytest.mark.parametrize("name", GOLDEN)
def test_results_are_those_of_version_1(name: str) -> None:
    outcomes = play(load(f"second_era/{name}").encounter(), 1, np.arange(200))

    whole = np.concatenate([outcomes.outcome[None], outcomes.rounds[None], outcomes.hp]).astype("<i4")
    digest = hashlib.blake2b(np.ascontiguousarray(whole).tobytes(), digest_size=8).hexdigest()

    assert RULESET.version == 1
    assert digest == GOLDEN[name]
