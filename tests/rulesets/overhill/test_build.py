"""Building heroes and groups: dice, health, figures, scaling (W33 to W35)."""

import pytest

from sim.errors import ScenarioError
from sim.rulesets.overhill.build import HeroFacts, build_group, build_heroes, scaled_number
from sim.rulesets.overhill.schema import Group, OverhillScenario
from sim.scenario import from_dict
from tests.rulesets.overhill.fights import STANDARD_PARTY, d, foe, stage, table

DEFAULTS = {"monster_scaling": "none", "bestiary": "revised", "gobbo_defense": 3}


def heroes_at(level: int, *classes: str, **switches: str) -> list[HeroFacts]:
    """The heroes of these classes as they are built."""
    scenario = from_dict(table(classes, [("gobbo", 1)], level=level, switches=switches))
    assert isinstance(scenario.model, OverhillScenario)
    return build_heroes(scenario.model, scenario.settings)


def dice_of(hero: HeroFacts) -> str:
    return f"{hero.vigor}/{hero.wise}/{hero.quick}/{hero.smart}"


# Heroes.


@pytest.mark.rule("OU-S1", "OU-U1", "OU-U2")
@pytest.mark.parametrize(
    ("level", "expected"),
    [
        (1, ["8/4/6/4", "4/4/8/6", "4/8/4/6", "4/6/4/8"]),
        (3, ["8/4/8/4", "6/4/8/6", "6/8/4/6", "6/6/4/8"]),
        (4, ["10/4/8/4", "6/4/10/6", "6/10/4/6", "6/6/4/10"]),
        (7, ["10/4/10/4", "8/4/10/6", "8/10/4/6", "6/8/4/10"]),
        (9, ["12/4/10/4", "8/4/12/6", "8/12/4/6", "6/8/4/12"]),
        (10, ["12/6/10/4", "8/4/12/8", "8/12/6/6", "8/8/4/12"]),
    ],
)
def test_dice_grow_at_even_levels(level: int, expected: list[str]) -> None:
    assert [dice_of(hero) for hero in heroes_at(level, *STANDARD_PARTY)] == expected


@pytest.mark.rule("OU-U2")
def test_without_progression_dice_stay_as_they_are() -> None:
    warrior, *_ = heroes_at(10, *STANDARD_PARTY, dice_progression="none")

    assert dice_of(warrior) == "8/4/6/4"


@pytest.mark.rule("OU-U3")
def test_health_is_level_plus_class_figure() -> None:
    assert [hero.max_health for hero in heroes_at(1, *STANDARD_PARTY)] == [11, 7, 8, 7]
    assert [hero.health for hero in heroes_at(5, *STANDARD_PARTY)] == [15, 11, 12, 11]


@pytest.mark.rule("OU-S1")
def test_what_the_scenario_says_of_a_hero_is_final() -> None:
    hero = {"class": "rogue", "level": 6, "vigor": 10, "max_health": 20, "health": 3, "name": "Mirren"}
    scenario = from_dict(table([hero], [("gobbo", 1)]))
    assert isinstance(scenario.model, OverhillScenario)

    (built,) = build_heroes(scenario.model, scenario.settings)

    assert (built.name, built.vigor, built.max_health, built.health) == ("Mirren", 10, 20, 3)
    assert built.quick == 10  # grown to level 6


# Groups.


@pytest.mark.rule("OU-S2")
def test_groups_stand_in_the_order_of_the_scenario_and_counts_may_be_dice() -> None:
    party = stage(["warrior"], [("zombie", 2), ("skeleton", "1d6")], {("OU-S2", foe(1), 0): d(6)})

    assert party.s.n[0].tolist() == [2] * 6
    assert party.s.n[1].tolist() == [1, 2, 3, 4, 5, 6]


@pytest.mark.rule("OU-S2")
def test_a_type_listed_twice_is_refused_unless_named() -> None:
    with pytest.raises(ScenarioError, match="listed twice"):
        from_dict(table(["warrior"], [("gobbo", 2), ("gobbo", 3)]))

    named = {"type": "gobbo", "count": 3, "name": "other gobbos"}
    assert stage(["warrior"], [("gobbo", 2), named]).s.n[:, 0].tolist() == [2, 3]


@pytest.mark.rule("OU-S2")
def test_the_number_appearing_is_the_monsters_own() -> None:
    group = build_group(Group(type="wight", count="number"), 1, DEFAULTS)

    assert str(group.count) == "1d3"


@pytest.mark.rule("OU-S4", "OU-P1", "OU-P4")
def test_monsters_better_at_range_stand_in_the_rear() -> None:
    even = {"type": "gobbo", "count": 50, "melee": 2, "range": 2}

    party = stage(["warrior"], [("gobbo_archer", 90), even, ("zombie", 1)])

    assert party.s.rear_group[:, 0].tolist() == [True, False, False]
    assert party.s.n[:, 0].tolist() == [90, 50, 1]  # without any limit


@pytest.mark.rule("OU-S2")
def test_switches_choose_the_figures_of_skeletons_zombies_and_gobbos() -> None:
    early = {"monster_scaling": "none", "bestiary": "early", "gobbo_defense": 1}

    groups = [Group(type=name, count=1) for name in ("skeleton", "zombie", "gobbo")]
    skeleton, zombie, gobbo = (build_group(group, 1, early) for group in groups)

    assert (skeleton.melee, skeleton.defence, skeleton.blunt_defence) == (1, 2, 1)
    assert (zombie.melee, zombie.defence) == (1, 2)
    assert gobbo.defence == 1


@pytest.mark.rule("OU-S3")
def test_scaling_goes_by_the_mean_level_rounded_down() -> None:
    heroes = [{"class": "warrior", "level": level} for level in (1, 3, 4, 4)]
    by_number = {"monster_scaling": "number"}

    unchanged = stage(heroes[:3], [("skeleton", 3)], switches=by_number)  # mean 2.67: no step yet
    higher = stage(heroes, [("skeleton", 3)], switches=by_number)

    assert unchanged.s.n[0, 0] == 3
    assert higher.s.n[0, 0] == 4


@pytest.mark.rule("OU-S3", "OU-U9")
def test_scaling_by_number_rounds_down() -> None:
    switches = {"monster_scaling": "number"}

    assert [scaled_number(3, level, switches) for level in (1, 3, 5, 7, 9)] == [3, 4, 6, 7, 9]  # W51


@pytest.mark.rule("OU-S3")
def test_scaling_of_everything_at_level_10() -> None:
    switches = DEFAULTS | {"monster_scaling": "all"}

    skeleton = build_group(Group(type="skeleton", count=3), 10, switches)

    assert (skeleton.attack, skeleton.defence, skeleton.blunt_defence) == (7, 7, 6)  # W52
    assert scaled_number(3, 10, switches) == 9


@pytest.mark.rule("OU-S3")
def test_scaling_by_attack_raises_the_value_that_decides_the_guard() -> None:
    switches = DEFAULTS | {"monster_scaling": "attack"}

    archer = build_group(Group(type="gobbo_archer", count=1), 5, switches)

    assert (archer.melee, archer.range, archer.defence) == (1, 4, 2)
