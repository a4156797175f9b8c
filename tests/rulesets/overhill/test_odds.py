"""Exact odds of single actions, as the policies weigh them."""

from fractions import Fraction

import numpy as np
import pytest

from sim.rulesets.overhill import RULESET, odds
from sim.rulesets.overhill.rules import hero_attacks
from tests.rulesets.overhill.fights import F, d, mean, stage

DEFAULTS = RULESET.switchboard.settings(None, {})
BOUNDS = odds.Bounds(most_modifier=12, most_defence=7, most_attack=8, most_monsters=9)


def as_fractions(chances: np.ndarray) -> list[Fraction]:
    return [Fraction(float(chance)).limit_denominator(100_000) for chance in chances]


def average(chances: np.ndarray) -> Fraction:
    return sum((k * chance for k, chance in enumerate(as_fractions(chances))), Fraction(0))


@pytest.mark.rule("OU-A1")
@pytest.mark.parametrize(
    ("threshold", "expected"),
    [("exceed", [F(1, 2), F(1, 3), F(1, 6)]), ("meet", [F(1, 3), F(1, 2), F(1, 6)])],
)
def test_odds_of_one_attack(threshold: str, expected: list[F]) -> None:
    assert as_fractions(odds.attack_chances(6, 0, 3, threshold)) == expected  # W03


@pytest.mark.rule("OU-F3", "OU-U8")
def test_odds_of_frenzy() -> None:
    assert average(odds.frenzy_chances(10, 5, 3, "exceed")) == F(293, 50)  # W13


@pytest.mark.rule("OU-C3")
def test_odds_of_a_sneak_attack() -> None:
    assert as_fractions(odds.opened_chances(8, 3, 4, 0, 3, "exceed")) == [F(99, 128), F(13, 64), F(3, 128)]  # W10
    assert average(odds.opened_chances(8, 3, 8, 0, 3, "exceed")) == 1  # W11


@pytest.mark.rule("OU-G1", "OU-G2", "OU-G5")
def test_odds_of_darts_ignore_what_mishaps_do() -> None:
    one = odds.dart_chances(8, 0, 0, 3, DEFAULTS)
    two = odds.dart_chances(8, 1, 0, 3, DEFAULTS)

    assert as_fractions(one) == [F(29, 64), F(7, 32), F(21, 64)]  # W15
    assert average(two) == F(7, 4)  # W17


@pytest.mark.rule("OU-G2")
@pytest.mark.parametrize(
    ("smart", "level", "ladder", "pushes"),
    [
        (8, 1, "same_first", 0),
        (8, 2, "same_first", 1),
        (8, 2, "step_first", 1),
        (12, 10, "same_first", 2),  # a third push would make it 0.338
        (2, 10, "same_first", 0),
    ],
)
def test_the_most_pushes_with_a_mishap_chance_of_a_third(smart: int, level: int, ladder: str, pushes: int) -> None:
    assert odds.safe_pushes(smart, level, ladder) == pushes


@pytest.mark.rule("OU-A1", "OU-C3")
def test_expected_kills_are_capped_at_the_number_of_monsters() -> None:
    def chances(key: int, modifier: int, opening: int, defence: int) -> np.ndarray:
        return odds.opened_chances(10, opening, 2 * key, modifier, defence, "exceed")

    table = odds.KillTable(chances, BOUNDS)
    d6, plus_2, dog, four = (np.array([value]) for value in (6 // 2, 2, 2, 4))

    expected = table.expected(d6, plus_2, dog, dog, four)

    assert Fraction(float(expected[0])).limit_denominator(10_000) == F(3257, 1080)  # W12


@pytest.mark.rule("OU-D2", "OU-D3")
@pytest.mark.parametrize(
    ("damage", "threshold", "expected"),
    [
        ("attack", "exceed", F(9, 8)),
        ("attack", "meet", F(6, 8)),
        ("one", "exceed", F(3, 8)),
        ("margin", "exceed", F(6, 8)),
    ],
)
def test_expected_loss_of_a_warrior_to_a_skeleton(damage: str, threshold: str, expected: F) -> None:
    switches = DEFAULTS | {"monster_damage": damage, "dodge_threshold": threshold}

    table = odds.loss_table(switches, BOUNDS)

    assert table[8 // 2, 0 - odds.LEAST_MODIFIER, 3] == pytest.approx(float(expected), abs=1e-15)


@pytest.mark.rule("OU-A3", "OU-A2")
@pytest.mark.parametrize("stance", [-1, 0, 1])
def test_what_the_expert_expects_is_what_an_attack_does(stance: int) -> None:
    fight = stage(["warrior"], [("skeleton", 3)], {"OU-A3": d(8)}, policy="focus_expert")
    fight.s.stance[0] = stance
    push = np.zeros(fight.s.size, dtype=np.int64)

    expected = fight.encounter.player.scales.expected_kills(fight.s, 0, "melee", fight.at, push)[0, 0]
    hero_attacks.melee(fight.s, 0, fight.group(0), fight.at)

    assert expected == pytest.approx(float(mean(3 - fight.s.n[0])), abs=1e-15)
