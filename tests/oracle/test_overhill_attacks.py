"""The referee's attacks against the worked examples W01 to W14."""

from __future__ import annotations

from typing import Any

import pytest

from tests.oracle.overhill import dice, hero_attacks, odds, state, worth
from tests.oracle.overhill_courses import MANY, F, M, R, W, chances_of, fight_of, in_order, kills_of, mean, pushed_dart


@pytest.mark.rule("OU-A1")
def test_w01_w02_hit_counts_for_defence_3() -> None:
    assert [dice.hit_count(total, 3, False) for total in range(13)] == [0, 0, 0, 0, 1, 1, 2, 2, 2, 3, 3, 3, 4]
    assert [dice.hit_count(total, 3, True) for total in range(13)] == [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4]


@pytest.mark.rule("OU-A1")
def test_w03_a_d6_against_defence_3() -> None:
    assert odds.attack_chances(6, 0, 3, False) == (F(1, 2), F(1, 3), F(1, 6))
    assert odds.attack_chances(6, 0, 3, True) == (F(1, 3), F(1, 2), F(1, 6))
    assert odds.mean_hits(odds.attack_chances(6, 0, 3, False)) == F(2, 3)
    assert odds.mean_hits(odds.attack_chances(6, 0, 3, True)) == F(5, 6)


@pytest.mark.rule("OU-A1")
def test_w04_the_example_by_face() -> None:
    assert [dice.hit_count(face, 3, meet) for meet in (False, True) for face in (2, 4, 6)] == [0, 1, 2, 0, 1, 2]
    assert [dice.hit_count(3, 3, meet) for meet in (False, True)] == [0, 1]


@pytest.mark.rule("OU-A1")
def test_w05_a_d4_against_ghouls() -> None:
    exceed = chances_of(kills_of(hero_attacks.melee), [R], [("ghoul", MANY)])
    meet = chances_of(kills_of(hero_attacks.melee), [R], [("ghoul", MANY)], switches={"melee_threshold": "meet"})

    assert exceed == {0: F(1, 4), 2: F(1, 4), 3: F(1, 4), 4: F(1, 4)}
    assert mean(exceed) == F(9, 4)
    assert mean(meet) == F(5, 2)


@pytest.mark.rule("OU-A2", "OU-A3", "OU-C1")
def test_w06_a_warrior_against_skeletons() -> None:
    many = chances_of(kills_of(hero_attacks.melee), [W], [("skeleton", MANY)])
    two = chances_of(kills_of(hero_attacks.melee), [W], [("skeleton", 2)])

    assert in_order(many) == [F(1, 4), F(1, 4), F(3, 8), F(1, 8)]
    assert mean(many) == F(11, 8)
    assert in_order(two) == [F(1, 4), F(1, 4), F(1, 2)]
    assert mean(two) == F(5, 4)


@pytest.mark.rule("OU-A3")
def test_w07_a_blunt_weapon_against_skeletons() -> None:
    warrior = {"class": W, "melee_tag": "blunt"}

    exceed = chances_of(kills_of(hero_attacks.melee), [warrior], [("skeleton", MANY)])
    meet = chances_of(
        kills_of(hero_attacks.melee), [warrior], [("skeleton", MANY)], switches={"melee_threshold": "meet"}
    )

    assert in_order(exceed) == [F(1, 8), F(1, 8), F(1, 4), F(1, 4), F(1, 4)]
    assert mean(exceed) == F(19, 8)
    assert 0 not in meet
    assert mean(meet) == F(5, 2)


@pytest.mark.rule("OU-A2")
def test_w08_stances_of_a_warrior() -> None:
    aggressive = chances_of(kills_of(hero_attacks.melee, stance="aggressive"), [W], [("skeleton", MANY)])
    defensive = chances_of(kills_of(hero_attacks.melee, stance="defensive"), [W], [("skeleton", MANY)])

    assert (mean(aggressive), aggressive[0]) == (F(7, 4), F(1, 8))
    assert (mean(defensive), defensive[0]) == (F(1), F(3, 8))


@pytest.mark.rule("OU-C2")
def test_w09_a_rogue_outnumbering_or_not() -> None:
    three = chances_of(kills_of(hero_attacks.melee), [R, W], [("gobbo", 3)])
    one = chances_of(kills_of(hero_attacks.melee), [R, W], [("gobbo", 1)])

    assert mean(three) == F(1, 4)
    assert one[1] == F(5, 8)


@pytest.mark.rule("OU-C3")
def test_w10_sneak_attack() -> None:
    opening = chances_of(
        lambda fight: hero_attacks.opening_hits(fight, fight.heroes[0], fight.groups[0], "quick", "OU-C3"),
        [R],
        [("gobbo", MANY)],
    )
    kills = chances_of(kills_of(hero_attacks.sneak_attack), [R], [("gobbo", MANY)])

    assert in_order(opening) == [F(3, 8), F(1, 4), F(3, 8)]
    assert in_order(kills) == [F(99, 128), F(13, 64), F(3, 128)]
    assert mean(kills) == F(1, 4)


@pytest.mark.rule("OU-C2", "OU-C3")
def test_w11_sneak_attack_while_outnumbering() -> None:
    kills = chances_of(kills_of(hero_attacks.sneak_attack), [R, *[W] * 5], [("gobbo", 5)])

    assert in_order(kills) == [F(267, 512), F(17, 128), F(57, 256), F(9, 128), F(27, 512)]
    assert mean(kills) == 1


@pytest.mark.rule("OU-C3")
def test_w12_sneak_attack_at_level_4_on_four_dogs() -> None:
    kills = chances_of(kills_of(hero_attacks.sneak_attack), [R], [("gobbo_dog", 4)], level=4)

    assert in_order(kills) == [F(1, 5), F(1, 60), F(7, 180), F(61, 1080), F(743, 1080)]
    assert mean(kills) == F(3257, 1080)


@pytest.mark.rule("OU-F3")
def test_w13_frenzy() -> None:
    first = chances_of(kills_of(hero_attacks.melee), [W], [("skeleton", MANY)], level=5)
    together = chances_of(kills_of(hero_attacks.frenzy), [W], [("skeleton", MANY)], level=5)

    assert mean(first) == F(16, 5)
    assert mean(together) - mean(first) == F(133, 50)
    assert mean(together) == F(293, 50)


@pytest.mark.rule("OU-U8", "OU-Y5")
def test_w14_a_blessed_warrior() -> None:
    def do(fight: state.Fight) -> int:
        fight.heroes[0].blessed.add("vigor")
        return kills_of(hero_attacks.melee)(fight)

    kills = chances_of(do, [W], [("skeleton", MANY)])

    assert in_order(kills) == [F(1, 16), F(3, 16), F(33, 64), F(15, 64)]
    assert mean(kills) == F(123, 64)


@pytest.mark.parametrize(
    ("kind", "action", "heroes", "enemies", "more"),
    [
        ("melee", hero_attacks.melee, [W], [("skeleton", 2)], {}),
        ("melee", hero_attacks.melee, [R, W, W], [("gobbo", 2)], {"switches": {"melee_threshold": "meet"}}),
        ("sneak", hero_attacks.sneak_attack, [R], [("gobbo_dog", 4)], {"level": 4}),
        ("sneak", hero_attacks.sneak_attack, [R, W, W], [("gobbo", 2)], {"switches": {"level_bonus": "all"}}),
        ("frenzy", hero_attacks.frenzy, [W], [("skeleton", 4)], {"level": 5}),
        ("dual", hero_attacks.dual_wield, [W], [("zombie", 3)], {"level": 2}),
        ("dart", pushed_dart, [M], [("zombie", 2)], {"level": 2, "switches": {"mishaps": "off"}}),
        ("dart", pushed_dart, [M], [("wight", 2)], {"level": 3, "preset": "may-draft", "switches": {"mishaps": "off"}}),
        ("dart", pushed_dart, [M], [("gobbo", 3)], {"switches": {"mishaps": "off", "dart_roll": "same_roll"}}),
    ],
)
def test_expected_kills_of_the_policies_are_the_mean_of_the_game(
    kind: str, action: Any, heroes: Any, enemies: Any, more: Any
) -> None:
    fight = fight_of(heroes, enemies, **more)

    expected = worth.expected_kills(fight, fight.heroes[0], kind, fight.groups[0], "neutral", 1)

    assert expected == pytest.approx(float(mean(chances_of(kills_of(action), heroes, enemies, **more))), abs=1e-12)
