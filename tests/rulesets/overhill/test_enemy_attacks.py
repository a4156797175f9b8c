"""Attacks of monsters: defence, damage, Accept the Blade, touches and leaders (W23 to W32)."""

import numpy as np
import pytest

from sim.rulesets.overhill.data import AGGRESSIVE, DEFENSIVE, NEUTRAL, VIGOR
from sim.rulesets.overhill.rules import prayers
from sim.rulesets.overhill.rules.ending import dodged
from sim.rulesets.overhill.rules.enemy_attacks import hit_damage
from sim.rulesets.overhill.rules.enemy_turns import monster_phase
from sim.rulesets.overhill.rules.hero_turns import hero_phase
from tests.rulesets.overhill.fights import F, Stage, attack, chances, d, foe, lot, mean, stage

# Dodging.


@pytest.mark.rule("OU-D1", "OU-D2")
@pytest.mark.parametrize(
    ("stance", "threshold", "expected"),
    [
        (NEUTRAL, "exceed", F(3, 8)),
        (AGGRESSIVE, "exceed", F(1, 2)),
        (DEFENSIVE, "exceed", F(1, 4)),
        (NEUTRAL, "meet", F(1, 4)),
    ],
)
def test_a_warrior_dodges_a_skeleton_with_vigor_and_stance(stance: int, threshold: str, expected: F) -> None:
    fight = stage(["warrior"], [("skeleton", 1)], {"OU-D2": d(8)}, switches={"dodge_threshold": threshold})
    fight.s.stance[0] = stance

    lost = attack(fight)

    assert mean(lost > 0) == expected  # W23
    assert int(dodged(fight.s.facts, fight.s.ledger).sum()) == 8 - 8 * expected


@pytest.mark.rule("OU-D2")
@pytest.mark.parametrize(("stance", "expected"), [(NEUTRAL, F(1)), (DEFENSIVE, F(3, 4))])
def test_a_rogue_hardly_dodges_a_zombie(stance: int, expected: F) -> None:
    fight = stage(["rogue"], [("zombie", 1)], {"OU-D2": d(4)})
    fight.s.stance[0] = stance

    assert mean(attack(fight) > 0) == expected  # W24


@pytest.mark.rule("OU-D1")
@pytest.mark.parametrize(
    ("rule", "against_front", "against_rear"), [("matching", 4, 8), ("quick", 8, 8), ("best", 8, 8)]
)
def test_which_die_defends(rule: str, against_front: int, against_rear: int) -> None:
    for kind, sides in (("gobbo", against_front), ("gobbo_archer", against_rear)):
        enemy = {"type": kind, "count": 1, ("melee" if kind == "gobbo" else "range"): 3}
        fight = stage(["rogue"], [enemy], {"OU-D2": d(sides)}, switches={"defense_die": rule})

        assert mean(attack(fight) > 0) == F(3, sides)


@pytest.mark.rule("OU-D1")
def test_the_best_die_is_the_current_one() -> None:
    fight = stage([{"class": "rogue", "vigor": 10}], [("gobbo", 1)], {"OU-D2": d(8)}, switches={"defense_die": "best"})
    fight.s.vigor[0] = 4

    assert mean(attack(fight) > 0) == F(1, 8)


@pytest.mark.rule("OU-D2", "OU-A2")
def test_level_bonus_all_helps_the_defence_too() -> None:
    fight = stage(["warrior"], [("skeleton", 1)], {"OU-D2": d(8)}, switches={"level_bonus": "all"})

    assert mean(attack(fight) > 0) == F(1, 4)


@pytest.mark.rule("OU-D5", "OU-D2")
@pytest.mark.parametrize(("modifier", "expected"), [("none", F(1, 2)), ("defensive", F(1, 4))])
def test_the_rear_may_defend_better_by_one(modifier: str, expected: F) -> None:
    dice = {"OU-D2": d(4), ("OU-E7", foe(0)): lot(2)}
    heroes = ["warrior", "warrior", "magic_user"]
    fight = stage(heroes, [("gobbo_archer", 1)], dice, switches={"rear_modifier": modifier})

    assert mean(attack(fight, hero=2) > 0) == expected


@pytest.mark.rule("OU-D2")
def test_stances_count_in_the_front_only() -> None:
    dice = {"OU-D2": d(4), ("OU-E7", foe(0)): lot(2)}
    fight = stage(["warrior", "warrior", "magic_user"], [("gobbo_archer", 1)], dice)
    fight.s.stance[2] = DEFENSIVE

    assert mean(attack(fight, hero=2) > 0) == F(1, 2)


@pytest.mark.rule("OU-Y5", "OU-U8", "OU-D2")
def test_a_blessing_on_vigor_helps_to_dodge() -> None:
    dice = {"OU-Y1": [8], ("OU-D2", foe(0), 0): d(4), ("OU-D2", foe(0), 1000): d(4), ("OU-E7", foe(0)): lot(0)}
    fight = stage(["rogue", "priest"], [("skeleton", 1)], dice)
    prayers.bless(fight.s, 1, fight.hero(0), fight.at, VIGOR)

    assert mean(attack(fight) == 0) == F(7, 16)  # W28
    assert not fight.s.blessed.any()


# Damage.


@pytest.mark.rule("OU-D3")
@pytest.mark.parametrize(("damage", "total_2", "total_4"), [("one", 1, 1), ("attack", 4, 4), ("margin", 3, 1)])
def test_what_a_hit_costs(damage: str, total_2: int, total_4: int) -> None:
    switches = {"monster_damage": damage, "dodge_threshold": "exceed"}

    costs = hit_damage(np.array([4, 4]), np.array([2, 4]), np.array([False, False]), switches)

    assert costs.tolist() == [total_2, total_4]  # W25


@pytest.mark.rule("OU-D3", "OU-D10")
def test_the_margin_under_meet_and_of_the_helpless() -> None:
    switches = {"monster_damage": "margin", "dodge_threshold": "meet"}

    costs = hit_damage(np.array([4, 4, 4]), np.array([2, 3, 0]), np.array([False, False, True]), switches)

    assert costs.tolist() == [2, 1, 4]


@pytest.mark.rule("OU-D3")
def test_a_hit_costs_at_least_one() -> None:
    harmless = {"type": "gobbo", "count": 1, "melee": 0}
    fight = stage([{"class": "rogue", "vigor": 2}], [harmless], {"OU-D2": [1]})
    fight.s.stance[0] = AGGRESSIVE

    assert attack(fight).tolist() == [1]


# Accept the Blade.

KNIGHT = {"class": "warrior", "feats": ["accept_the_blade"], "quick": 8}
FRAIL = {"class": "rogue", "health": 2}


def blow(quick: int | range, knight: dict = KNIGHT, **more: object) -> Stage:
    """A skeleton's hit that would bring a frail rogue down, with a knight beside him."""
    faces = [quick] if isinstance(quick, int) else quick
    dice = {("OU-D2", foe(0), 0): [1], ("OU-F5", foe(0), 0): faces, ("OU-E7", foe(0), 0): lot(0), "OU-D7": [8]}
    fight = stage([FRAIL, knight], [more.pop("enemy", ("skeleton", 1))], dice, **more)
    monster_phase(fight.s)
    return fight


@pytest.mark.rule("OU-F5")
def test_a_knight_takes_the_blow_if_his_quick_die_beats_the_attack() -> None:
    fight = blow(d(8))

    assert (fight.s.health[0] > 0).tolist() == [False] * 3 + [True] * 5  # above 3
    assert fight.s.health[1].tolist() == [11] * 3 + [8] * 5


@pytest.mark.rule("OU-F5")
def test_a_knight_answers_only_hits_that_would_bring_a_friend_down() -> None:
    dice = {"OU-D2": [1], "OU-F5": [8], ("OU-E7", foe(0), 0): lot(0)}
    fight = stage([{"class": "rogue", "health": 4}, KNIGHT], [("skeleton", 1)], dice)

    monster_phase(fight.s)

    assert fight.s.health[:, 0].tolist() == [1, 11]


@pytest.mark.rule("OU-F5")
@pytest.mark.parametrize("unable", [{"health": 3}, {"feats": []}])
def test_a_knight_must_have_more_health_than_the_damage_and_the_feat(unable: dict) -> None:
    assert blow(8, KNIGHT | unable).s.health[0].tolist() == [0]


@pytest.mark.rule("OU-F5")
def test_a_paralysed_knight_takes_no_blows_for_others() -> None:
    dice = {("OU-D2", foe(0), 0): [1], "OU-F5": [8], ("OU-E7", foe(0), 0): lot(0)}
    fight = stage([FRAIL, KNIGHT], [("skeleton", 1)], dice)
    fight.s.paralysed[1] = 1

    monster_phase(fight.s)

    assert fight.s.health[0].tolist() == [0]


@pytest.mark.rule("OU-F5")
def test_once_a_round_and_only_the_first_knight_tries() -> None:
    dice = {"OU-D2": [1], ("OU-F5", foe(0), 0): [1], ("OU-F5", foe(0), 1): [8], ("OU-E7", foe(0)): lot(0)}
    heroes = [FRAIL, {**FRAIL, "class": "priest"}, KNIGHT, KNIGHT]
    fight = stage(heroes, [("skeleton", 2)], dice, room="open")

    monster_phase(fight.s)

    # The first knight fails for the rogue; the second hit, on the priest, is the second knight's.
    assert fight.s.health[:, 0].tolist() == [0, 2, 11, 8]
    assert fight.s.accepted[:, 0].tolist() == [False, False, True, True]


@pytest.mark.rule("OU-F5", "OU-D7")
def test_who_takes_the_blow_takes_the_touch() -> None:
    fight = stage(
        [{"class": "rogue", "health": 1}, KNIGHT],
        [("ghoul", 1)],
        {"OU-D2": [1], "OU-F5": [8], ("OU-D7", foe(0), 0): [1], ("OU-D7", foe(0), 2000): [3], "OU-E7": lot(0)},
    )

    monster_phase(fight.s)

    assert fight.s.paralysed[:, 0].tolist() == [0, 3]


# Touches.


@pytest.mark.rule("OU-D7", "OU-D6", "OU-D9")
@pytest.mark.parametrize(("hero", "sides", "expected"), [("warrior", 8, F(1, 32)), ("rogue", 4, F(1, 8))])
def test_a_ghoul_paralyses_who_is_hit_and_fails_a_vigor_check(hero: str, sides: int, expected: F) -> None:
    fight = stage([hero], [("ghoul", 1)], {"OU-D2": d(sides), ("OU-D7", foe(0), 0): d(sides)})

    monster_phase(fight.s)

    assert mean(fight.s.paralysed[0] > 0) == expected  # W29


@pytest.mark.rule("OU-D7")
def test_paralysis_lasts_1d4_and_the_longer_one_counts() -> None:
    dice = {"OU-D2": [1], "OU-D7": [1], ("OU-D7", foe(0), 2000): d(4)}
    fight = stage(["warrior"], [("ghoul", 1)], dice)
    fight.s.paralysed[0] = 2
    fight.s.stance[0] = AGGRESSIVE

    monster_phase(fight.s)

    assert fight.s.paralysed[0].tolist() == [2, 2, 3, 4]
    assert not fight.s.stance.any()  # neutral at once


@pytest.mark.rule("OU-D8", "OU-D6", "OU-U1")
def test_a_wight_drains_a_step_of_vigor() -> None:
    fight = stage(["warrior"], [("wight", 1)], {"OU-D2": d(8), "OU-D8": d(8)})

    monster_phase(fight.s)

    assert chances(fight.s.vigor[0]) == {6: F(1, 16), 8: F(15, 16)}  # W30


@pytest.mark.rule("OU-D8", "OU-U1", "OU-D9")
def test_a_d2_stays_a_d2_and_always_fails() -> None:
    fight = stage([{"class": "warrior", "vigor": 2}], [("wight", 1)], {"OU-D2": [1], "OU-D8": d(2)})

    monster_phase(fight.s)

    assert fight.s.vigor[0].tolist() == [2, 2]  # W30


@pytest.mark.rule("OU-D9")
@pytest.mark.parametrize(("check", "expected"), [("meet", F(1, 4)), ("exceed", F(3, 8))])
def test_a_check_needs_the_difficulty_or_more(check: str, expected: F) -> None:
    dice = {"OU-D2": [1], ("OU-D7", foe(0), 0): d(8)}
    fight = stage(["warrior"], [("ghoul", 1)], dice, switches={"difficulty_check": check})

    monster_phase(fight.s)

    assert mean(fight.s.paralysed[0] > 0) == expected


@pytest.mark.rule("OU-D6", "OU-D4")
def test_who_goes_down_is_not_touched() -> None:
    hero = {"class": "warrior", "health": 1}
    fight = stage([hero, "warrior"], [("ghoul", 1)], {"OU-D2": [1], "OU-D7": [1], "OU-E7": lot(0)})

    monster_phase(fight.s)

    assert not fight.s.paralysed.any()


@pytest.mark.rule("OU-D10", "OU-R5", "OU-D7")
@pytest.mark.parametrize(("defence", "helpless_faces"), [("none", 8), ("roll", 1)])
def test_the_paralysed_are_helpless_unless_switched(defence: str, helpless_faces: int) -> None:
    fight = stage(["warrior"], [("gobbo", 1)], {"OU-D2": d(8)}, switches={"paralysed_defense": defence})
    fight.s.paralysed[0] = 2

    assert int((attack(fight) > 0).sum()) == helpless_faces


@pytest.mark.rule("OU-R5", "OU-D10", "OU-R4", "OU-R3")
def test_two_phases_of_paralysis_from_round_3_are_over_in_round_6() -> None:
    fight = stage(["warrior"], [("gobbo", 20)], {"OU-A3": [8], "OU-D2": [8]}, policy_options={"stance": "aggressive"})
    fight.s.round = 3
    fight.s.paralysed[0] = 2  # in the monster phase of round 3
    acted, helpless, stances = [], [], []

    for _ in range(3):
        fight.s.round += 1
        before = int(fight.s.n[0, 0])
        fight.round_start()
        hero_phase(fight.s, fight.encounter.player)
        acted.append(int(fight.s.n[0, 0]) < before)
        helpless.append(bool(fight.s.paralysed[0, 0] > 0))
        stances.append(int(fight.s.stance[0, 0]))

    assert acted == [False, False, True]  # W31
    assert helpless == [True, False, False]
    assert stances == [NEUTRAL, NEUTRAL, AGGRESSIVE]


# Attack values.


@pytest.mark.rule("OU-E9", "OU-D1")
@pytest.mark.parametrize(
    ("hero", "sides", "alone", "led"), [("magic_user", 4, F(1, 2), F(3, 4)), ("warrior", 6, F(1, 3), F(1, 2))]
)
def test_a_leader_makes_archers_more_dangerous(hero: str, sides: int, alone: F, led: F) -> None:
    dice = {("OU-D2", foe(0), 0): d(sides)}
    rates = []

    for groups in ([("gobbo_archer", 1)], [("gobbo_archer", 1), ("gobbo_warchief", 1)]):
        fight = stage([hero], groups, dice)
        monster_phase(fight.s)
        rates.append(mean(fight.s.ledger.hits[fight.s.facts.ability_row[1, "attack"]]))

    assert rates == [alone, led]  # W32


@pytest.mark.rule("OU-E9")
@pytest.mark.parametrize(("aura", "leader_alive", "expected"), [("on", True, 2), ("off", True, 1), ("on", False, 1)])
def test_the_aura_needs_a_living_leader_and_the_switch(aura: str, leader_alive: bool, expected: int) -> None:
    fight = stage(["warrior"], [("gobbo", 1), ("gobbo_warchief", 1)], {"OU-D2": [1]}, switches={"leader_aura": aura})
    fight.s.n[1] = 1 if leader_alive else 0
    row = fight.s.facts.ability_row[1, "attack"]

    monster_phase(fight.s)

    assert fight.s.ledger.damage[row].tolist() == [expected]


@pytest.mark.rule("OU-E9")
def test_leaders_and_other_families_gain_nothing() -> None:
    groups = [("gobbo_warchief", 1), ("gobbo_warmonger", 1), ("ghoul", 1)]
    fight = stage([{"class": "warrior", "max_health": 50}], groups, {"OU-D2": [1], "OU-D7": [8]})

    assert attack(fight).tolist() == [3 + 4 + 1]
