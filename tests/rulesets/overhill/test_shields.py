"""What shields and their bearers do in a monster phase: Accept the Blade and Shield Bash."""

import pytest

from sim.rulesets.overhill.rules.enemy_turns import monster_phase
from sim.rulesets.overhill.rules.hero_attacks import shield_bash
from sim.rulesets.overhill.rules.rounds import end_round
from tests.rulesets.overhill.fights import Stage, d, foe, lot, stage

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


# Shield Bash.

BASHER = {"class": "warrior", "feats": ["shield_bash"], "quick": 6}


@pytest.mark.rule("OU-F6", "OU-A1")
def test_a_bash_keeps_one_monster_from_attacking_or_brings_one_attack_at_once() -> None:
    fight = stage([BASHER], [("skeleton", 2)], {"OU-F6": d(6), "OU-D2": [1]})

    shield_bash(fight.s, 0, fight.group(0), fight.at)

    assert fight.s.bashed[0].tolist() == [0, 0, 0, 1, 1, 1]  # quick above 3, without modifiers
    assert fight.s.health[0].tolist() == [8, 8, 8, 11, 11, 11]


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
