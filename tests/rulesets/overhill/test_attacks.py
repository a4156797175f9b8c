"""Attacks: hit counts, melee, missiles, class abilities and feats (W01 to W14, W44)."""

import numpy as np
import pytest

from sim.core.engine import play
from sim.core.outcomes import Outcome
from sim.rulesets.overhill.build import feats_known
from sim.rulesets.overhill.data import AGGRESSIVE, DEFENSIVE, VIGOR
from sim.rulesets.overhill.rules import hero_attacks, prayers
from sim.rulesets.overhill.rules.dice import hit_count
from tests.rulesets.overhill.fights import F, Stage, compiled, d, mean, stage, table

BLUNT_WARRIOR = {"class": "warrior", "melee_tag": "blunt"}


def kills(party: Stage, group: int = 0) -> np.ndarray:
    """(runs,). How many monsters of a group have been removed."""
    return party.s.started[group] - party.s.n[group]


def one_melee(party: Stage, hero: int = 0, group: int = 0) -> np.ndarray:
    """The kills of one melee attack."""
    hero_attacks.melee(party.s, hero, party.group(group), party.at)
    return kills(party, group)


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


# Rogues.


@pytest.mark.rule("OU-C2", "OU-U6")
@pytest.mark.parametrize(("gobbos", "die", "expected"), [(3, 4, F(1, 4)), (2, 4, F(1, 4)), (1, 8, F(5, 8))])
def test_a_rogue_who_outnumbers_fights_with_the_quick_die(gobbos: int, die: int, expected: F) -> None:
    party = stage(["warrior", "rogue"], [("gobbo", gobbos)], {"OU-A3": d(die)})

    assert mean(one_melee(party, hero=1)) == expected  # W09


@pytest.mark.rule("OU-C2")
def test_a_rogue_keeps_a_larger_vigor_die() -> None:
    strong = {"class": "rogue", "vigor": 12}
    party = stage(["warrior", strong], [("gobbo", 1)])

    sides = hero_attacks.melee_die(party.s, 1, party.at).sides

    assert sides.tolist() == [12]


@pytest.mark.rule("OU-C3")
def test_sneak_attack_makes_as_many_attacks_as_the_opening_has_hits() -> None:
    dice = {"OU-C3": d(8), ("OU-A3", 0, 0): d(4), ("OU-A3", 0, 1): d(4)}
    party = stage(["rogue"], [("gobbo", 20)], dice)

    hero_attacks.sneak_attack(party.s, 0, party.group(0), party.at)

    assert party.chances(kills(party)) == {0: F(99, 128), 1: F(13, 64), 2: F(3, 128)}  # W10


@pytest.mark.rule("OU-C3", "OU-C2")
def test_sneak_attack_of_a_rogue_who_outnumbers_uses_quick_throughout() -> None:
    dice = {"OU-C3": d(8), ("OU-A3", 0, 0): d(8), ("OU-A3", 0, 1): d(8)}
    companions = ["warrior"] * 9
    party = stage(["rogue", *companions], [("gobbo", 9)], dice)

    hero_attacks.sneak_attack(party.s, 0, party.group(0), party.at)

    expected = {0: F(267, 512), 1: F(17, 128), 2: F(57, 256), 3: F(9, 128), 4: F(27, 512)}
    assert party.chances(kills(party)) == expected  # W11


@pytest.mark.rule("OU-C3")
def test_sneak_attack_adds_half_the_level_and_ends_with_the_group() -> None:
    dice = {"OU-C3": d(10), **{("OU-A3", 0, j): d(6) for j in range(4)}}
    party = stage([{"class": "rogue", "level": 4}], [("gobbo_dog", 4)], dice)

    hero_attacks.sneak_attack(party.s, 0, party.group(0), party.at)

    expected = {0: F(1, 5), 1: F(1, 60), 2: F(7, 180), 3: F(61, 1080), 4: F(743, 1080)}
    assert party.chances(kills(party)) == expected  # W12: a fifth attack would find nobody
    assert mean(kills(party)) == F(3257, 1080)


@pytest.mark.rule("OU-C4")
@pytest.mark.parametrize(("use", "round_2"), [("any_round", True), ("first_round", False)])
def test_sneak_attack_may_be_for_the_first_round_only(use: str, round_2: bool) -> None:
    party = stage(["rogue"], [("gobbo", 3)], switches={"sneak_attack_use": use})
    player = party.encounter.player

    assert player.reach(party.s, 0, "sneak", party.at).any()
    party.s.round = 2
    assert player.reach(party.s, 0, "sneak", party.at).any() == round_2


# Feats.


@pytest.mark.rule("OU-F1")
def test_warriors_learn_feats_at_odd_levels() -> None:
    from_3 = [len(feats_known("warrior", level, {"feat_start": "level3"})) for level in range(1, 11)]
    from_1 = [len(feats_known("warrior", level, {"feat_start": "level1"})) for level in range(1, 11)]

    assert from_3 == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
    assert from_1 == [1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
    assert feats_known("warrior", 9, {"feat_start": "level3"}) == (
        "shield_wall",
        "frenzy",
        "accept_the_blade",
        "dual_wield",
    )


@pytest.mark.rule("OU-F1")
def test_nobody_else_has_feats_even_if_they_are_written_down() -> None:
    party = stage([{"class": "rogue", "level": 9, "feats": ["frenzy"]}], [("gobbo", 3)])

    assert not party.encounter.player.reach(party.s, 0, "frenzy", party.at).any()


@pytest.mark.rule("OU-F3", "OU-U8")
def test_frenzy_is_two_attacks_the_second_with_disadvantage() -> None:
    warrior = {"class": "warrior", "level": 5}  # vigor d10 + 5
    dice = {("OU-A3", 0, 0): d(10), ("OU-A3", 0, 1): d(10), ("OU-A3", 0, 1001): d(10)}
    party = stage([warrior], [("gobbo", 20)], dice)

    hero_attacks.frenzy(party.s, 0, party.group(0), party.at)

    assert mean(kills(party)) == F(293, 50)  # W13: 16/5 + 133/50


@pytest.mark.rule("OU-F3")
def test_frenzy_goes_on_to_the_next_group_when_the_first_is_empty() -> None:
    warrior = {"class": "warrior", "level": 5}
    dice = {("OU-A3", 0, 0): [10], ("OU-A3", 0, 1): [7], ("OU-A3", 0, 1001): [9]}
    party = stage([warrior], [("gobbo", 1), ("zombie", 9)], dice)

    hero_attacks.frenzy(party.s, 0, party.group(0), party.at)

    assert party.s.n[:, 0].tolist() == [0, 5]  # 7 + 5 against 3


@pytest.mark.rule("OU-F4")
def test_dual_wield_is_opened_by_quick_and_adds_half_the_level() -> None:
    warrior = {"class": "warrior", "level": 5, "feats": ["dual_wield"], "vigor": 8}
    dice = {"OU-F4": [6], ("OU-A3", 0, 0): [1], ("OU-A3", 0, 1): [4]}
    party = stage([warrior], [("gobbo", 9)], dice)

    hero_attacks.dual_wield(party.s, 0, party.group(0), party.at)

    assert kills(party).tolist() == [2]  # two attacks: 1 + 2 misses, 4 + 2 hits twice


@pytest.mark.rule("OU-F4")
def test_the_opening_die_of_dual_wield_has_the_sides_of_quick() -> None:
    warrior = {"class": "warrior", "level": 5, "feats": ["dual_wield"], "vigor": 12, "quick": 4}
    party = stage([warrior], [{"type": "gobbo", "count": 9, "defence": 5}], runs=500)

    hero_attacks.dual_wield(party.s, 0, party.group(0), party.at)

    assert (kills(party) == 0).all()  # a d4 never hits a defence of 5, a d12 would


@pytest.mark.rule("OU-F4")
def test_dual_wield_in_every_round_wins_as_often_as_an_independent_referee_says() -> None:
    zombies = {"type": "zombie", "count": 6, "melee": 6, "defence": 5}
    always = {"two_weapons": {"like": "plain", "action": [{"do": "dual"}]}}
    fight = compiled(table(["warrior"], [zombies], level=9, policy="two_weapons", policies=always))
    runs = 20_000

    won = (play(fight, 1, np.arange(runs)).outcome == Outcome.WIN).mean()

    assert won == pytest.approx(0.153, abs=4 * (0.153 * 0.847 / runs) ** 0.5)  # vigor would open to 0.29


@pytest.mark.rule("OU-F3", "OU-F4", "OU-A8")
def test_feats_are_actions_of_those_who_know_them() -> None:
    knows_both = {"class": "warrior", "feats": ["frenzy", "dual_wield"]}
    party = stage([knows_both, "warrior"], [("gobbo", 3)])
    player = party.encounter.player

    for kind in ("frenzy", "dual"):
        assert player.reach(party.s, 0, kind, party.at).any()
        assert not player.reach(party.s, 1, kind, party.at).any()


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
