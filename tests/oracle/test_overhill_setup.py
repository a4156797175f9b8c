"""The referee's engagement, scaling and growth against the worked examples W45 to W52."""

from __future__ import annotations

import pytest

from tests.oracle.overhill import enemy_attacks, prepare, scenarios, setup
from tests.oracle.overhill_courses import F, M, P, R, Scripted, W, chances_of, every_course, fight_of

ROWS = ("enraged", "hostile", "indifferent", "friendly")


@pytest.mark.rule("OU-S8")
@pytest.mark.parametrize(
    ("kinds", "expected"),
    [
        pytest.param(["gobbo"], [10, 16, 9, 1], id="w45"),
        pytest.param(["wight"], [6, 15, 12, 3], id="w46"),
        pytest.param(["gobbo", "gobbo_dog"], [15, 15, 6, 0], id="w47"),
        pytest.param(["gobbo", "skeleton"], [0, 36, 0, 0], id="w48"),
    ],
)
def test_w45_to_w48_talk(kinds: list[str], expected: list[int]) -> None:
    chances = chances_of(setup.talk, [W], [(kind, 1) for kind in kinds])

    assert [36 * chances.get(row, F(0)) for row in ROWS] == expected


def test_w48_is_settled_without_a_roll() -> None:
    luck = Scripted()

    assert setup.talk(fight_of([W], [("skeleton", 1), ("gobbo", 1)], luck)) == "hostile"
    assert luck.log == []


def sneak_chance(alert: int, check: str) -> F:
    scenario = {
        "heroes": [{"class": name} for name in scenarios.STANDARD_PARTY],
        "enemies": [{"type": "gobbo", "count": 1, "alert": alert}],
        "switches": {"stealth_check": check},
    }
    prepared = prepare(scenario)
    return every_course(lambda luck: setup.sneak_past(setup.set_up(prepared, luck)))[True]


@pytest.mark.rule("OU-S9")
def test_w49_who_must_pass_the_stealth_check() -> None:
    checks = ("majority", "all", "leader", "weakest")

    assert [sneak_chance(2, check) for check in checks] == [F(5, 6), F(1, 8), F(3, 4), F(1, 2)]


@pytest.mark.rule("OU-S9")
def test_w50_alertness() -> None:
    assert [sneak_chance(alert, "majority") for alert in (1, 3, 4)] == [F(749, 768), F(139, 256), F(1, 6)]


@pytest.mark.rule("OU-S3")
def test_w51_scaling_by_number() -> None:
    fights = [
        fight_of([W], [("skeleton", 3)], level=level, switches={"monster_scaling": "number"})
        for level in (1, 3, 5, 7, 9)
    ]

    assert [fight.groups[0].n for fight in fights] == [3, 4, 6, 7, 9]


@pytest.mark.rule("OU-S3")
def test_w52_scaling_by_all_at_level_10() -> None:
    fight = fight_of([W], [("skeleton", 3)], level=10, switches={"monster_scaling": "all"})
    group = fight.groups[0]

    assert (group.n, enemy_attacks.attack_value(fight, group)) == (9, 7)
    assert (group.defence_against("edged"), group.defence_against("blunt")) == (7, 6)


def test_dice_and_feats_by_level() -> None:
    def dice(name: str, level: int) -> tuple[int, ...]:
        hero = fight_of([name], [("gobbo", 1)], level=level).heroes[0]
        return hero.vigor, hero.wise, hero.quick, hero.smart

    def feats(level: int, **switches: str) -> int:
        return len(fight_of([W], [("gobbo", 1)], level=level, switches=switches).heroes[0].feats)

    assert [dice(W, level) for level in (1, 3, 5, 7, 9, 10)] == [
        (8, 4, 6, 4), (8, 4, 8, 4), (10, 4, 8, 4), (10, 4, 10, 4), (12, 4, 10, 4), (12, 6, 10, 4),
    ]  # fmt: skip
    assert [dice(name, 10) for name in (R, M, P)] == [(8, 4, 12, 8), (8, 8, 4, 12), (8, 12, 6, 6)]
    assert [feats(level) for level in range(1, 11)] == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
    assert [feats(level, feat_start="level1") for level in range(1, 11)] == [1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
