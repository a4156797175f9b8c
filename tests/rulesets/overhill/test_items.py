"""Items: what is carried, used up, and what it does."""

import pytest

from sim.rulesets.overhill.data import ACID, OIL, POTION, SMOKE, TONIC
from sim.rulesets.overhill.rules import hero_attacks, items
from sim.rulesets.overhill.rules.enemy_turns import monster_phase
from tests.rulesets.overhill.fights import STANDARD_PARTY, R, d, stage


@pytest.mark.rule("OU-A6", "OU-D11")
def test_a_potion_gives_back_1d6_and_is_used_up() -> None:
    hero = {"class": "warrior", "health": 7, "items": {"healing_potion": 1}}
    fight = stage([hero], [("gobbo", 1)], {"OU-A6": d(6)})

    items.use_item(fight.s, 0, POTION, fight.at, fight.group(0))

    assert fight.s.health[0].tolist() == [8, 9, 10, 11, 11, 11]
    assert not items.carries(fight.s, 0, POTION, fight.at).any()


@pytest.mark.rule("OU-A6", "OU-A2")
def test_tonics_add_up_in_attack_totals() -> None:
    hero = {"class": "rogue", "items": {"war_tonic": 2}}
    fight = stage([hero], [("gobbo", 9)], {"OU-A3": [2]})

    for _ in range(2):
        items.use_item(fight.s, 0, TONIC, fight.at, fight.group(0))
    hero_attacks.melee(fight.s, 0, fight.group(0), fight.at)

    assert fight.s.n[0].tolist() == [8]  # 2 + 2 against 3


@pytest.mark.rule("OU-A6", "OU-D2")
def test_oil_counts_in_defence_totals() -> None:
    hero = {"class": "warrior", "items": {"stone_oil": 1}}
    fight = stage([hero], [("skeleton", 1)], {"OU-D2": d(8)})

    items.use_item(fight.s, 0, OIL, fight.at, fight.group(0))
    monster_phase(fight.s)

    assert (fight.s.health[0] < 11).tolist() == [True] * 2 + [False] * 6


@pytest.mark.rule("OU-A6", "OU-E9")
def test_smoke_lowers_the_attack_value_but_not_below_0() -> None:
    hero = {"class": "warrior", "vigor": 2, "items": {"smoke_flask": 2}}
    fight = stage([hero], [("gobbo", 1)], {"OU-D2": d(2)})

    for _ in range(2):
        items.use_item(fight.s, 0, SMOKE, fight.at, fight.group(0))
    monster_phase(fight.s)

    assert (fight.s.health[0] == 11).all()  # even a 1 exceeds 0


@pytest.mark.rule("OU-A6", "OU-A3")
def test_acid_lowers_both_defences_but_not_below_1() -> None:
    hero = {"class": "rogue", "melee_tag": "blunt", "vigor": 8, "items": {"acid_flask": 3}}
    fight = stage([hero], [("skeleton", 30)], {"OU-A3": [6]})
    seen = []

    for _ in range(3):
        items.use_item(fight.s, 0, ACID, fight.at, fight.group(0))
        defences = [hero_attacks.weapon_defence(fight.s, fight.group(0), fight.at, blunt) for blunt in (False, True)]
        seen.append([int(defence[0]) for defence in defences])
    hero_attacks.melee(fight.s, 0, fight.group(0), fight.at)

    assert seen == [[2, 1], [1, 1], [1, 1]]
    assert fight.s.n[0].tolist() == [24]


@pytest.mark.rule("OU-A6")
def test_flasks_work_on_the_chosen_group_alone() -> None:
    hero = {"class": "rogue", "items": {"acid_flask": 1, "smoke_flask": 1}}
    fight = stage([hero], [("gobbo", 3), ("zombie", 3)])

    items.use_item(fight.s, 0, ACID, fight.at, fight.group(1))
    items.use_item(fight.s, 0, SMOKE, fight.at, fight.group(0))

    assert fight.s.defence_mod[:, 0].tolist() == [0, -1]
    assert fight.s.attack_mod[:, 0].tolist() == [-1, 0]


@pytest.mark.rule("OU-A6")
def test_nobody_carries_anything_unless_the_scenario_says_so() -> None:
    fight = stage(STANDARD_PARTY, [("gobbo", 3)])

    assert not any(items.carries(fight.s, R, item, fight.at).any() for item in range(5))
