"""From a scenario to its units: purchases, the pool, skills, presets."""

from __future__ import annotations

import pytest

from tests.oracle.luck import AddressedLuck
from tests.oracle.second_era import SCENARIOS, clash_scaled, prepare
from tests.oracle.second_era import data as tables
from tests.oracle.second_era.build import buy, pool_levels, pool_points, read_skills
from tests.oracle.second_era.state import Battle

BUILDS = {
    "knight": ("5322 2S1C", "6322 3S1C", "6423 3S1C", "7423 4S1H2C", "8424 5S1H2C"),
    "archer": ("5312 2N2C", "5312 3N2C", "5413 4N2C", "7414 4N3C", "8514 4N4C"),
    "mage": ("4232 2F2C", "4232 3F2C", "5233 4F2C", "7344 4F2C", "7354 4F2C"),
    "healer": ("4242 1P1U1C", "4242 1P1U1B2C", "5242 1P1U1B3C", "6343 1P1U2B4C", "7344 1P1U2B4C"),
    "nightblade": ("4322 2K2C", "4322 2K3C", "5323 2K4C", "6424 2K5C", "7424 2K6C"),
    "berserker": ("5223 2W1C", "5323 3W1C", "6323 3W1C", "7424 5W1O1C", "8425 5W1O1C"),
}
LETTERS = {
    "S": "shield_discipline", "H": "heroic_slash", "C": "combat", "N": "snipe", "F": "force_shock", "P": "hasty_prayer",
    "U": "purge", "B": "breath_of_life", "K": "shadow_cloak", "W": "wrecking_blow", "O": "onslaught",
}  # fmt: skip


@pytest.mark.rule("SE-S2", "SE-S3")
def test_w15_the_pool_buys_the_highest_levels_first() -> None:
    assert pool_levels(8, 8) == [5, 1, 1, 1]
    assert pool_levels(32, 8) == [20, 10, 1, 1]
    assert pool_levels(64, 8) == [20, 20, 20, 1, 1, 1, 1]
    assert pool_levels(128, 8) == [20] * 6 + [5, 1]
    assert pool_points(100, 0.29) == 29


@pytest.mark.rule("SE-U2", "SE-E14")
def test_a_second_copy_of_a_skill_counts_only_if_higher() -> None:
    assert read_skills(["Riposte 1", "Dodge", "Riposte 3"]) == {"Riposte": 3, "Dodge": 1}
    assert set(tables.SKILLS) == {name for name in tables.SKILLS if read_skills([name])}
    assert len(tables.SKILLS) == 27


def test_presets_set_several_switches_and_the_scenario_wins() -> None:
    cruel = prepare({**SCENARIOS["se_duel"], "preset": "cruel", "switches": {"fatigue_from": 8}})

    chosen = {name: cruel.switches[name] for name in ("difficulty", "enemy_die", "fatigue_from")}
    assert chosen == {"difficulty": "expert", "enemy_die": "swingy", "fatigue_from": 8}
    with pytest.raises(ValueError, match="enemy_move"):
        prepare({**SCENARIOS["se_duel"], "switches": {"enemy_move": 9}})


@pytest.mark.rule("SE-S4", "SE-S5")
def test_the_pool_draws_without_return_until_a_bag_is_empty() -> None:
    ready = prepare({**clash_scaled(4, 2), "pool": {"points": 160}, "enemies": [{"type": "champion"}]})
    for run in range(20):
        battle = Battle(ready, AddressedLuck(3, run))
        names = [foe.name for foe in battle.enemies]
        assert names[0] == "champion"
        assert sorted(names[1:4]) == sorted(names[4:7]) == ["daedroth", "giant", "lich"]
        assert len(names) == 8


@pytest.mark.rule("SE-L1", "SE-L2")
@pytest.mark.parametrize("name", list(BUILDS))
def test_purchases_give_the_builds_of_the_table(name: str) -> None:
    archetype = tables.ARCHETYPES[name]
    for xp, build in zip((2, 4, 8, 16, 24), BUILDS[name], strict=True):
        numbers, dice = build.split()
        stats, bought = buy(archetype, tables.RACES[archetype.race], xp)
        assert "".join(str(stats[stat]) for stat in ("H", "S", "M", "CD")) == numbers
        assert bought == {LETTERS[dice[i + 1]]: int(dice[i]) for i in range(0, len(dice), 2)}
