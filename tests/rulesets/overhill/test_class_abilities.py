"""Class abilities and feats: rogues, Frenzy, Dual Wield, Shield Bash (W44)."""

import numpy as np
import pytest

from sim.core.engine import play
from sim.core.outcomes import Outcome
from sim.rulesets.overhill.bestiary import class_table
from sim.rulesets.overhill.build import feats_known
from sim.rulesets.overhill.rules import hero_attacks
from sim.rulesets.overhill.rules.enemy_turns import monster_phase
from sim.rulesets.overhill.rules.hero_attacks import shield_bash
from sim.rulesets.overhill.rules.rounds import end_round
from tests.rulesets.overhill.fights import F, compiled, d, kills, mean, one_melee, stage, table

WARRIOR = class_table("warrior", {})

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


@pytest.mark.rule("OU-C3", "OU-F4")
@pytest.mark.parametrize(
    ("reading", "tag", "misses"), [("plain", "blunt", 4), ("weapon", "blunt", 2), ("weapon", "edged", 4)]
)
@pytest.mark.parametrize("ability", ["sneak_attack", "dual_wield"])
def test_the_opening_roll_meets_the_blunt_defence_only_by_a_switch(
    ability: str, reading: str, tag: str, misses: int
) -> None:
    job = {"class": "rogue"} if ability == "sneak_attack" else {"class": "warrior", "feats": ["dual_wield"]}
    hero = job | {"quick": 8, "vigor": 12, "melee_tag": tag}
    enemy = {"type": "zombie", "count": 20, "defence": 4, "blunt_defence": 2}
    dice = {"OU-C3": d(8), "OU-F4": d(8), **{("OU-A3", 0, j): [12] for j in range(4)}}
    party = stage([hero], [enemy], dice, switches={"opening_defence": reading})

    getattr(hero_attacks, ability)(party.s, 0, party.group(0), party.at)

    assert party.chances(kills(party))[0] == F(misses, 8)  # a blow of 12 never misses: only the opening can


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
    from_3 = [len(feats_known(WARRIOR, level, {"feat_start": "level3"})) for level in range(1, 11)]
    from_1 = [len(feats_known(WARRIOR, level, {"feat_start": "level1"})) for level in range(1, 11)]

    assert from_3 == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
    assert from_1 == [1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
    assert feats_known(WARRIOR, 9, {"feat_start": "level3"}) == (
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


# Shield Bash.

BASHER = {"class": "warrior", "feats": ["shield_bash"], "quick": 6}


@pytest.mark.rule("OU-F6", "OU-A1")
def test_a_bash_keeps_one_monster_from_attacking_or_brings_one_attack_at_once() -> None:
    fight = stage([BASHER], [("skeleton", 2)], {"OU-F6": d(6), "OU-D2": [1]})

    shield_bash(fight.s, 0, fight.group(0), fight.at)

    assert fight.s.bashed[0].tolist() == [0, 0, 0, 1, 1, 1]  # quick above 3, without modifiers
    assert fight.s.health[0].tolist() == [8, 8, 8, 11, 11, 11]


@pytest.mark.rule("OU-F6")
def test_a_bash_is_made_with_the_shield_whatever_the_weapon() -> None:
    fight = stage(
        [BASHER | {"melee_tag": "blunt"}],
        [("skeleton", 2)],
        {"OU-F6": d(6), "OU-D2": [1]},
        switches={"opening_defence": "weapon"},
    )

    shield_bash(fight.s, 0, fight.group(0), fight.at)

    assert fight.s.bashed[0].tolist() == [0, 0, 0, 1, 1, 1]  # defence 3, not the blunt 2


@pytest.mark.rule("OU-F6", "OU-R7")
def test_a_bash_is_for_this_round() -> None:
    fight = stage([BASHER], [("skeleton", 2)], {"OU-F6": [6], "OU-D2": [1]})
    shield_bash(fight.s, 0, fight.group(0), fight.at)

    monster_phase(fight.s)
    after_first = fight.s.health[0].tolist()
    end_round(fight.s)
    monster_phase(fight.s)

    assert after_first == [11 - 3]  # one of the two was kept from attacking
    assert fight.s.health[0].tolist() == [11 - 3 - 6]


@pytest.mark.rule("OU-F6")
def test_a_bash_needs_a_shield() -> None:
    without = stage([BASHER | {"shield": False}], [("skeleton", 2)])
    with_shield = stage([BASHER], [("skeleton", 2)])

    assert not without.encounter.player.reach(without.s, 0, "bash", without.at).any()
    assert with_shield.encounter.player.reach(with_shield.s, 0, "bash", with_shield.at).any()
