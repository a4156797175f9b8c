"""From entries to units: purchases, and what a pool buys."""

from __future__ import annotations

import pytest

from sim.rulesets.second_era import data
from sim.rulesets.second_era.build import buy, pool_levels, pool_points
from sim.rulesets.second_era.data import STATS

BUILDS = {  # health, stamina, magicka, cooldown by XP
    "knight": {2: "5/3/2/2", 4: "6/3/2/2", 8: "6/4/2/3", 16: "7/4/2/3", 24: "8/4/2/4"},
    "archer": {2: "5/3/1/2", 4: "5/3/1/2", 8: "5/4/1/3", 16: "7/4/1/4", 24: "8/5/1/4"},
    "mage": {2: "4/2/3/2", 4: "4/2/3/2", 8: "5/2/3/3", 16: "7/3/4/4", 24: "7/3/5/4"},
    "healer": {2: "4/2/4/2", 4: "4/2/4/2", 8: "5/2/4/2", 16: "6/3/4/3", 24: "7/3/4/4"},
    "nightblade": {2: "4/3/2/2", 4: "4/3/2/2", 8: "5/3/2/3", 16: "6/4/2/4", 24: "7/4/2/4"},
    "berserker": {2: "5/2/2/3", 4: "5/3/2/3", 8: "6/3/2/3", 16: "7/4/2/4", 24: "8/4/2/5"},
}
DICE = {
    ("knight", 24): {"shield_discipline": 5, "heroic_slash": 1, "combat": 2},
    ("archer", 16): {"snipe": 4, "combat": 3},
    ("mage", 8): {"force_shock": 4, "combat": 2},
    ("healer", 24): {"hasty_prayer": 1, "purge": 1, "breath_of_life": 2, "combat": 4},
    ("nightblade", 24): {"shadow_cloak": 2, "combat": 6},
    ("berserker", 16): {"wrecking_blow": 5, "onslaught": 1, "combat": 1},
}


@pytest.mark.rule("SE-L1", "SE-L2")
@pytest.mark.parametrize("name", BUILDS)
def test_purchases_give_the_builds_of_the_table(name: str) -> None:
    archetype = data.units("archetypes")[name]
    for xp, figures in BUILDS[name].items():
        bought = buy(archetype, archetype["race"], xp)
        stats, dice = bought.stats, bought.dice

        assert "/".join(str(stats[stat]) for stat in STATS) == figures
        assert dice == DICE.get((name, xp), dice)


@pytest.mark.rule("SE-S2", "SE-S3")
def test_w15_what_a_pool_buys() -> None:
    assert pool_levels(8, 8) == [5, 1, 1, 1]
    assert pool_levels(32, 8) == [20, 10, 1, 1]
    assert pool_levels(64, 8) == [20, 20, 20, 1, 1, 1, 1]
    assert pool_levels(128, 8) == [20] * 6 + [5, 1]
    assert pool_points(100, 0.29) == 29
