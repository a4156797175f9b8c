"""Attacks: hit counts, melee, missiles, reach, blessings (W01 to W14)."""

import numpy as np
import pytest

from sim.rulesets.overhill.data import AGGRESSIVE, DEFENSIVE, VIGOR
from sim.rulesets.overhill.rules import hero_attacks, prayers
from sim.rulesets.overhill.rules.dice import hit_count
from tests.rulesets.overhill.fights import F, d, kills, mean, one_melee, stage

BLUNT_WARRIOR = {"class": "warrior", "melee_tag": "blunt"}


# Hit counts.


@pytest.mark.rule("OU-A1", "OU-U9")
@pytest.mark.parametrize(
    ("threshold", "hits"),
    [
        ("exceed", [0, 0, 0, 0, 1, 1, 2, 2, 2, 3, 3, 3, 4]),
        ("meet", [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4]),
    ],
)
def test_hits_are_whole_multiples_of_the_defence(threshold: str, hits: list[int]) -> None:
    totals = np.arange(13)

    assert hit_count(totals, 3, threshold).tolist() == hits  # W01, W02


@pytest.mark.rule("OU-A1")
@pytest.mark.parametrize(
    ("die", "defence", "threshold", "expected"),
    [
        (6, 3, "exceed", {0: F(1, 2), 1: F(1, 3), 2: F(1, 6)}),  # W03, W04
        (6, 3, "meet", {0: F(1, 3), 1: F(1, 2), 2: F(1, 6)}),
        (4, 1, "exceed", {0: F(1, 4), 2: F(1, 4), 3: F(1, 4), 4: F(1, 4)}),  # W05
        (4, 1, "meet", {1: F(1, 4), 2: F(1, 4), 3: F(1, 4), 4: F(1, 4)}),
    ],
)
def test_the_chances_of_hits_follow_from_the_faces(
    die: int, defence: int, threshold: str, expected: dict[int, F]
) -> None:
    hero = {"class": "rogue", "vigor": die}
    enemy = {"type": "gobbo", "count": 9, "defence": defence}
    party = stage([hero], [enemy], {"OU-A3": d(die)}, switches={"melee_threshold": threshold})

    assert party.chances(one_melee(party)) == expected


@pytest.mark.rule("OU-A1")
def test_no_hit_comes_from_a_total_below_one() -> None:
    assert hit_count(np.array([-3, -1, 0]), 1, "meet").tolist() == [0, 0, 0]


# Melee.


@pytest.mark.rule("OU-A2", "OU-A3", "OU-C1", "OU-U5")
def test_a_warrior_adds_his_level_in_melee() -> None:
    party = stage(["warrior"], [("skeleton", 9)], {"OU-A3": d(8)})

    removed = one_melee(party)

    assert party.chances(removed) == {0: F(1, 4), 1: F(1, 4), 2: F(3, 8), 3: F(1, 8)}  # W06
    assert mean(removed) == F(11, 8)


@pytest.mark.rule("OU-A1", "OU-U5", "OU-U7")
def test_surplus_hits_are_lost_and_not_remembered() -> None:
    party = stage(["warrior"], [("skeleton", 2)], {"OU-A3": d(8)})

    removed = one_melee(party)

    assert party.chances(removed) == {0: F(1, 4), 1: F(1, 4), 2: F(1, 2)}  # W06
    assert party.s.kills_now[0, 0].tolist() == removed.tolist()


@pytest.mark.rule("OU-A3")
def test_a_blunt_weapon_meets_the_blunt_defence() -> None:
    party = stage([BLUNT_WARRIOR], [("skeleton", 9)], {"OU-A3": d(8)})

    removed = one_melee(party)

    assert party.chances(removed) == {0: F(1, 8), 1: F(1, 8), 2: F(1, 4), 3: F(1, 4), 4: F(1, 4)}  # W07
    assert mean(removed) == F(19, 8)


@pytest.mark.rule("OU-A3")
def test_a_blunt_weapon_meets_the_plain_defence_of_others() -> None:
    party = stage([BLUNT_WARRIOR], [("zombie", 9)], {"OU-A3": d(8)})

    assert mean(one_melee(party)) == F(11, 8)


@pytest.mark.rule("OU-A1")
def test_with_meet_a_blunt_warrior_never_misses_a_skeleton() -> None:
    party = stage([BLUNT_WARRIOR], [("skeleton", 9)], {"OU-A3": d(8)}, switches={"melee_threshold": "meet"})

    removed = one_melee(party)

    assert removed.min() == 1  # W07
    assert mean(removed) == F(5, 2)


@pytest.mark.rule("OU-A2")
@pytest.mark.parametrize(
    ("stance", "expected_mean", "nothing"), [(AGGRESSIVE, F(7, 4), F(1, 8)), (DEFENSIVE, F(1), F(3, 8))]
)
def test_the_stance_counts_in_attack_totals(stance: int, expected_mean: F, nothing: F) -> None:
    party = stage(["warrior"], [("skeleton", 9)], {"OU-A3": d(8)})
    party.s.stance[0] = stance

    removed = one_melee(party)

    assert mean(removed) == expected_mean  # W08
    assert party.chances(removed)[0] == nothing


@pytest.mark.rule("OU-A2")
@pytest.mark.parametrize(("bonus", "hits"), [("class_only", [0, 0, 1, 2]), ("all", [3, 3, 4, 4])])
def test_level_bonus_all_adds_the_level_of_everybody_once(bonus: str, hits: list[int]) -> None:
    priest = {"class": "priest", "level": 5, "vigor": 4}
    party = stage([priest], [("gobbo_dog", 9)], {"OU-A3": d(4)}, switches={"level_bonus": bonus})

    assert one_melee(party).tolist() == hits


@pytest.mark.rule("OU-A2", "OU-D5")
@pytest.mark.parametrize(("modifier", "total_of_a_3"), [("none", 1), ("defensive", 0)])
def test_the_rear_may_attack_worse_by_one(modifier: str, total_of_a_3: int) -> None:
    heroes = ["warrior", "warrior", "rogue"]
    party = stage(heroes, [("gobbo_dog", 9)], {"OU-A5": [3]}, switches={"rear_modifier": modifier})

    hero_attacks.ranged(party.s, 2, party.group(0), party.at)

    assert kills(party).tolist() == [total_of_a_3]


# Reach.


@pytest.mark.rule("OU-A4", "OU-A3")
def test_blades_reach_the_front_only_while_there_is_one() -> None:
    party = stage(["warrior"], [("gobbo_archer", 2), ("gobbo", 1)])

    with_front = hero_attacks.melee_reach(party.s, 0, party.at)
    party.s.n[1] = 0
    without_front = hero_attacks.melee_reach(party.s, 0, party.at)

    assert with_front[:, 0].tolist() == [False, True]
    assert without_front[:, 0].tolist() == [True, False]  # W44


@pytest.mark.rule("OU-A4")
@pytest.mark.parametrize(("reach", "gobbos", "archers_legal"), [
    ("strict", 1, False),
    ("outnumber", 1, True),
    ("outnumber", 2, False),
])  # fmt: skip
def test_a_thin_screen_is_no_screen_with_outnumber(reach: str, gobbos: int, archers_legal: bool) -> None:
    party = stage(["warrior", "warrior"], [("gobbo_archer", 2), ("gobbo", gobbos)], switches={"melee_reach": reach})

    assert hero_attacks.melee_reach(party.s, 0, party.at)[0, 0] == archers_legal


@pytest.mark.rule("OU-A3", "OU-A5")
def test_the_rear_has_no_melee_and_the_front_no_missiles() -> None:
    party = stage(["warrior", "warrior", "rogue"], [("gobbo_archer", 2), ("gobbo", 1)])

    assert not hero_attacks.melee_reach(party.s, 2, party.at).any()
    assert hero_attacks.ranged_reach(party.s, 2, party.at).all()
    party.s.front[2] = True
    assert not hero_attacks.ranged_reach(party.s, 2, party.at).any()


@pytest.mark.rule("OU-A5")
def test_a_shot_uses_the_quick_die_and_no_level() -> None:
    rogue = {"class": "rogue", "level": 5, "quick": 6}
    party = stage(["warrior", "warrior", rogue], [("gobbo", 9)], {"OU-A5": d(6)})

    hero_attacks.ranged(party.s, 2, party.group(0), party.at)

    assert party.chances(kills(party)) == {0: F(1, 2), 1: F(1, 3), 2: F(1, 6)}


@pytest.mark.rule("OU-A5")
def test_blunt_missiles_meet_the_blunt_defence() -> None:
    party = stage(["warrior", "warrior", "priest"], [("skeleton", 9)], {"OU-A5": [3]})

    hero_attacks.ranged(party.s, 2, party.group(0), party.at)

    assert kills(party).tolist() == [1]


# Blessings on attacks.


@pytest.mark.rule("OU-U8", "OU-Y5")
def test_a_blessed_warrior_takes_the_higher_of_two_dice_once() -> None:
    dice = {"OU-Y1": [8], ("OU-A3", 0, 0): d(8), ("OU-A3", 0, 1000): d(8)}
    party = stage(["warrior", "priest"], [("skeleton", 9)], dice)
    prayers.bless(party.s, 1, party.hero(0), party.at, VIGOR)

    removed = one_melee(party)

    assert party.chances(removed) == {0: F(1, 16), 1: F(3, 16), 2: F(33, 64), 3: F(15, 64)}  # W14
    assert mean(removed) == F(123, 64)
    assert not party.s.blessed.any()


@pytest.mark.rule("OU-U8", "OU-Y5")
def test_a_blessing_and_a_disadvantage_cancel_and_the_blessing_is_gone() -> None:
    warrior = {"class": "warrior", "level": 5}
    dice = {"OU-Y1": [8], ("OU-A3", 0, 1): [8], ("OU-A3", 0, 1001): [1]}
    party = stage([warrior, "priest"], [("gobbo", 20)], dice)
    prayers.bless(party.s, 1, party.hero(0), party.at, VIGOR)
    blow = hero_attacks.Blow(0, party.group(0), party.at, "melee")

    hero_attacks.strike(party.s, blow, hero_attacks.swing_of(party.s, 0, party.at, 5), 1, disadvantage=True)

    assert kills(party).tolist() == [4]  # 8 + 5 against 3: the plain die, neither 1 nor better
    assert not party.s.blessed.any()
