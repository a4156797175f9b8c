"""Standard heroes, enemies by level, and the check values of the specification (sections 2, 11.3 and 11.4)."""

from __future__ import annotations

from typing import Any

import pytest

from sim.errors import ScenarioError
from sim.rulesets.p52 import RULESET
from sim.rulesets.p52.bestiary import TOP, build_enemy
from sim.rulesets.p52.build import HeroFacts, build_heroes, level_cost, party_level
from sim.rulesets.p52.schema import P52Scenario
from sim.scenario import from_dict, load, scenarios_of
from tests.rulesets.p52.fights import begin, foe, hero, written

CHECKS = """
fighter 1 8 4 1 3 2 35 1 7 0 0 sword:1 body_block:1 parry:1
fighter 5 13 8 2 4 3 107 2 10 3 3 sword:4 body_block:3
fighter 10 19 13 4 6 5 250 2 16 8 8 sword:6 body_block:5 power_thrust:5
fighter 20 33 22 7 9 8 729 3 25 12 20 sword:10 body_block:10 power_thrust:10
rogue 1 4 4 5 5 1 19 2 7 0 0 bow:1 lock_picking:1 dodge:1 knife:1
rogue 5 7 6 9 7 2 45 2 11 4 4 bow:3 dodge:3 knife:3
rogue 10 10 10 14 11 3 103 3 17 8 8 bow:6 dodge:5 knife:5
rogue 20 16 16 24 17 7 259 5 31 12 20 bow:10 dodge:10 knife:10
wizard 1 4 8 2 1 1 35 1 3 0 0 fire_ball:1 scholar:1 counter_spell:1 ice_storm:1
wizard 5 8 13 3 2 2 107 1 6 4 4 fire_ball:3 counter_spell:3 ice_storm:2
wizard 10 13 19 5 4 4 250 2 12 8 8 fire_ball:5 counter_spell:5 ice_storm:5
wizard 20 22 33 8 7 7 729 2 21 12 20 fire_ball:10 counter_spell:9 ice_storm:9
cleric 1 3 6 1 3 3 21 1 9 0 0 heal:1 grapple:1 dodge:1 tidal_wave:1
cleric 5 7 10 2 5 4 73 2 13 3 3 heal:3 grapple:3 dodge:3
cleric 10 12 15 4 8 6 183 3 20 8 8 heal:5 grapple:6 dodge:5
cleric 20 21 25 7 15 9 528 4 33 12 20 heal:10 grapple:10 dodge:10
captain 1 4 3 2 2 5 15 1 12 0 0 knife:1 threaten:1 body_block:1 parry:1
captain 5 8 7 4 3 6 59 1 15 4 4 knife:3 body_block:3 sword:3
captain 10 13 11 8 5 8 146 2 21 8 8 knife:6 body_block:6 sword:5
captain 20 23 21 14 8 11 486 3 30 12 20 knife:11 body_block:11 sword:11
"""
MOUNTAIN = """
fighter 1 7 4 1 3 2 31
fighter 10 18 13 4 6 5 237 sword_play:5 block:5 power_thrust:5
thief 1 4 4 5 5 1 19
wizard 1 3 8 2 3 1 27
cleric 1 3 6 3 1 4 21
captain 1 4 3 1 3 6 15 hand_to_hand:1 threaten:1 block:1
"""


def built(role: str, level: int, **more: Any) -> HeroFacts:
    switches = RULESET.switchboard.settings(None, more)
    scenario = P52Scenario.model_validate(written([hero(role, level)], [foe("J clubs")]))
    return build_heroes(scenario, switches)[0]


@pytest.mark.rule("P52-D1", "P52-D2", "P52-D3", "P52-D4", "P52-D6", "P52-D7", "P52-U1", "P52-U2", "P52-U3")
@pytest.mark.parametrize("line", CHECKS.strip().splitlines())
def test_standard_heroes_have_the_check_values(line: str) -> None:
    role, level, *rest = line.split()
    figures = [int(text) for text in rest if ":" not in text]
    abilities = {text.split(":")[0]: int(text.split(":")[1]) for text in rest if ":" in text}

    facts = built(role, int(level))

    own = [*facts.cores.values(), facts.max_hp, facts.movement, facts.initiative, facts.armour, facts.magic_armour]
    assert own == figures
    raised = {name: rank for name, rank in facts.abilities.items() if rank > 1 or int(level) == 1}
    assert raised == abilities


@pytest.mark.rule("P52-D9")
@pytest.mark.parametrize("line", MOUNTAIN.strip().splitlines())
def test_heroes_of_the_mountain_have_the_check_values(line: str) -> None:
    role, level, *rest = line.split()
    abilities = {text.split(":")[0]: int(text.split(":")[1]) for text in rest if ":" in text}

    facts = built(role, int(level), data_set="mountain")

    assert [*facts.cores.values(), facts.max_hp] == [int(text) for text in rest if ":" not in text]
    assert abilities.items() <= facts.abilities.items()
    assert built("fighter", 10, data_set="mountain").gear == ("piercing_sword", "decent_armour", "decent_armour")


def test_w30_a_fighter_of_level_7() -> None:
    facts = built("fighter", 7)

    assert list(facts.cores.values()) == [15, 10, 3, 5, 4]
    assert (facts.max_hp, facts.movement, facts.initiative, facts.armour) == (153, 2, 13, 4)
    assert facts.abilities == {
        "sword": 4, "body_block": 4, "shield_block": 1, "parry": 1, "power_thrust": 3, "charge": 1,
    }  # fmt: skip


@pytest.mark.rule("P52-D5", "P52-D8")
def test_consumables_and_the_price_of_a_level() -> None:
    assert built("cleric", 3).consumables == {"healing_potion": 2}
    assert built("wizard", 3).consumables == {"healing_potion": 1, "fire_elixir": 1}
    assert level_cost(1) == 20


@pytest.mark.rule("P52-U5", "P52-S1", "P52-C9")
def test_w1_average_level_and_the_bonus_on_enemy_flips() -> None:
    _encounter, s = begin([hero("fighter", 3), hero("fighter", 5), hero("fighter", 6)], [foe("J clubs", max_hp="8*L")])

    assert s.facts.level == 4 == party_level([kit.facts for kit in s.facts.kits])
    assert int(s.foe_hp[0, 0]) == 8 * 4
    for level, bonus in ((4, 0), (5, 1), (7, 1), (14, 2), (15, 3), (19, 3), (20, 4)):
        _, other = begin([hero("fighter", level)], [foe("J clubs", melee={"target": "0", "damage": "O"})])
        assert int(other.facts.raw[0, 0, 0, 7]) == 7 + bonus


def test_suits_of_the_mountain() -> None:
    figures = {card: build_enemy(card, 2, "mountain") for card in ("J hearts", "Q hearts", "K clubs", "K minor")}

    assert [figures[card].max_hp for card in ("J hearts", "Q hearts", "K minor")] == [15, 40, 45]
    assert figures["K clubs"].movement == 2
    assert figures["K minor"].boss
    assert figures["K minor"].xp == 7


@pytest.mark.rule("P52-E13")
def test_the_apprentice_and_calico_have_the_highest_initiative() -> None:
    assert build_enemy("apprentice", 3, "calico").initiative == TOP == build_enemy("calico", 3, "calico").initiative
    assert build_enemy("warlock", 3, "mountain").initiative == 15


@pytest.mark.rule("P52-C14", "P52-I37")
def test_armour_and_parrying_weapons_come_from_the_gear() -> None:
    gear = ["light_sword", "stiletto_knife", "enchanted_helmet", "leather_jacket"]
    _, s = begin([hero("fighter", 12, gear=gear, abilities={"parry": 1})], [foe("J clubs")])
    facts = s.facts.kits[0].facts

    assert (facts.armour, facts.magic_armour) == (4, 6)
    parry = s.facts.kits[0].defence.names.index("parry")
    assert not s.facts.kits[0].defence.knife[parry]  # the sword parries, not the knife


def test_resolved_heroes_are_a_scenario_that_plays_the_same_fight() -> None:
    from sim.scenario import from_dict

    first = from_dict(written([hero("captain", 9), hero("wizard", 2)], [foe("K clubs")], policy="focus_fire"))

    again = from_dict(RULESET.resolve(first.model))

    assert RULESET.resolve(again.model) == RULESET.resolve(first.model)


def test_a_formula_that_cannot_be_worked_out_at_this_level_is_told_with_its_key() -> None:
    melee = {"target": "6", "damage": "12 // (L - 3)", "reach": [0, 0]}

    with pytest.raises(ScenarioError) as caught:
        from_dict(written([hero("fighter", 3)], [foe("J clubs", melee=melee)]))
    from_dict(written([hero("fighter", 4)], [foe("J clubs", melee=melee)]))

    assert [problem.key for problem in caught.value.problems] == ["enemies[0].melee.damage"]
    assert "divides by zero" in caught.value.problems[0].message


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"max_hp": "4000*L"}, "enemies[0].max_hp"),
        ({"melee": {"target": "1", "damage": "2000*O"}}, "enemies[0].melee.damage"),
        ({"melee": {"damage": 10_000}}, "enemies[0].melee.damage"),
        ({"hp": "2 - L"}, "enemies[0].hp"),
    ],
)
def test_figures_out_of_all_proportion_are_told_with_their_key(changes: dict[str, Any], key: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        from_dict(written([hero("fighter", 3)], [foe("J clubs", **changes)]))

    assert [problem.key for problem in caught.value.problems] == [key]
    assert "at level 3" in caught.value.problems[0].message


@pytest.mark.parametrize("extra", ["0 - L", "9999*L"])
def test_the_extra_damage_of_a_king_is_neither_negative_nor_boundless(extra: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        from_dict(written([hero("fighter", 3)], [foe("J clubs")], enemy_king="extra", enemy_king_extra=extra))

    assert [problem.key for problem in caught.value.problems] == ["switches.enemy_king_extra"]


def test_no_more_than_32_enemies_meet_the_party_at_once() -> None:
    deck = {"spots": [[0, 0]] * 13, "cards": ["J clubs"] * 13}

    with pytest.raises(ScenarioError) as caught:
        from_dict(written([hero("fighter")], [foe("J clubs")] * 20, enemy_deck=deck))
    from_dict(written([hero("fighter")], [foe("J clubs")] * 19, enemy_deck=deck))

    assert "20 listed and 13 drawn" in caught.value.problems[0].message


@pytest.mark.parametrize("level", [1, 6, 10])
def test_standard_gear_written_out_comes_with_the_standard_arrows(level: int) -> None:
    fight = load("p52/archer-lane", values={"level": level})
    rogue = fight.resolved()["heroes"][0]

    same = fight.changed(values={"heroes.0.gear": rogue["gear"][::-1]}).resolved()["heroes"][0]
    other = fight.changed(values={"heroes.0.gear": rogue["gear"][:1]}).resolved()["heroes"][0]

    assert [same[key] for key in ("arrows", "sharp_arrows")] == ([10, 0] if level < 6 else [0, 20])
    assert [other[key] for key in ("arrows", "sharp_arrows")] == [10, 0]


def test_what_a_hero_cannot_use_is_said() -> None:
    stock = {"dragons_blood": 1, "healing_potion": 1}
    fight = from_dict(
        written(
            [hero("fighter", gear=["light_sword", "iron_shield"], lead=1, consumables=stock), hero("rogue")],
            [foe("J clubs")],
            stamina_start=4,
            stamina_max=2,
        )
    )

    assert RULESET.remarks(fight.model) == [
        "Heroes begin with 2 stamina cards, not with 4: they hold no more (stamina_max).",
        "fighter leaves the iron shield at home: it needs balance 3 (has 1).",
        "fighter cannot use the dragons blood: it needs lead 3 (has 1).",
    ]


@pytest.mark.parametrize("name", scenarios_of(RULESET))
def test_every_shipped_fight_is_played_as_it_is_written(name: str) -> None:
    assert RULESET.remarks(load(name).model) == []
