"""Monsters and classes of one's own: from a table to the fight, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim.core.engine import play
from sim.core.outcomes import Outcomes
from sim.errors import ScenarioError
from sim.rulesets.p52 import RULESET, data
from sim.rulesets.p52.classes import HeroClass, class_of
from sim.rulesets.p52.monsters import Monster, cards_of, row_of
from sim.scenario import Scenario, from_dict
from tests.rulesets.p52.fights import begin as begin_fight
from tests.rulesets.p52.fights import flips, foe, hero, next_round, scenario_of, told, written

RUNS = 8
PARTY = [hero("fighter", 4), hero("wizard", 4), hero("captain", 4)]


def outcomes_of(scenario: Scenario) -> Outcomes:
    return play(scenario.encounter(), 7, np.arange(RUNS))


def assert_same_fights(one: Scenario, other: Scenario) -> None:
    mine, theirs = outcomes_of(one), outcomes_of(other)
    for column in ("outcome", "rounds", "hp", "xp", "damage_dealt", "damage_taken", "uses", "damage"):
        assert np.array_equal(getattr(mine, column), getattr(theirs, column)), column


def fight_against(card: str, data_set: str, **more: Any) -> Scenario:
    return from_dict(
        written(PARTY, [foe(card, 2, 0), foe("J clubs", 2, 1)], "hall", policy="focus_fire", data_set=data_set)
        | {"switches": {"data_set": data_set, "round_cap": 15}}
        | more
    )


def problems_of(**tables: Any) -> str:
    with pytest.raises(ScenarioError) as caught:
        from_dict(written([hero("fighter")], [foe("J clubs")]) | tables)
    return str(caught.value)


@pytest.mark.parametrize(
    ("data_set", "card"),
    [("calico", card) for card in (*data.FACE_CARDS, "apprentice", "calico")]
    + [("mountain", card) for card in data.CARDS],
)
def test_a_built_in_enemy_written_out_plays_the_very_fight_that_it_plays_under_its_own_name(
    data_set: str, card: str
) -> None:
    row = cards_of(data_set)[card]
    own = fight_against("written_out", data_set, monsters={"written_out": row})

    assert_same_fights(fight_against(card, data_set), own)


def test_every_built_in_type_is_a_table_of_the_model() -> None:
    for row in RULESET.own_monsters().values():
        Monster.model_validate(row)
    for row in RULESET.own_classes().values():
        HeroClass.model_validate(row)


@pytest.mark.parametrize("data_set", data.DATA_SETS)
@pytest.mark.parametrize("role", data.ROLES)
def test_a_built_in_class_written_out_plays_the_very_fight_that_it_plays_under_its_own_name(
    role: str, data_set: str
) -> None:
    def fight(name: str, **more: Any) -> Scenario:
        switches = {"data_set": data_set, "round_cap": 15}
        return from_dict(written([hero(name, 9)], [foe("K clubs", 2, 0)], "hall") | {"switches": switches} | more)

    row = data.of_set(data_set, "classes")[role]

    assert_same_fights(fight(role), fight("written_out", classes={"written_out": row}))


def test_a_type_is_as_the_one_that_it_is_like_but_for_what_it_says() -> None:
    own = {
        "lord": {"like": "K spades", "max_hp": 50, "melee": {"damage": "9*L"}},
        "squire": {"like": "lord", "name": "Squire", "without": ["ranged"]},
    }

    row = row_of("squire", own, "calico")

    assert row["max_hp"] == 50
    assert row["melee"] == cards_of("calico")["K spades"]["melee"] | {"damage": "9*L"}
    assert "ranged" not in row
    assert row["name"] == "Squire"


def test_a_class_is_as_the_one_that_it_is_like_but_for_what_it_says() -> None:
    row = class_of("duelist", {"duelist": {"like": "fighter", "gear": ["2 scimitar"]}}, "calico")

    assert row["gear"] == ["2 scimitar"]
    assert row["focus"] == data.of_set("calico", "classes")["fighter"]["focus"]


def test_traits_of_bosses_can_be_given_to_anybody() -> None:
    lord = {"like": "J clubs", "max_hp": 4, "traits": ["boss", "extra_turn"], "when_fallen": "rises"}
    encounter, s = begin_fight([hero("fighter")], [foe("lord")], monsters={"lord": lord})
    assert told(s, "extra_turn")

    while s.live.any() and s.round < 60:
        next_round(encounter, s)

    assert told(s, "comes_back", "stays_down")
    assert not told(s, "drops")


def test_an_attack_that_spreads_strikes_the_heroes_beside_the_chosen_one_too() -> None:
    blast = {"name": "blast", "kind": "magic", "reach": [0, 5], "target": -20, "damage": 1, "effects": ["spreads"]}
    lord = {"like": "J clubs", "max_hp": 300, "ranged": blast, "initiative": "top", "movement": 0}
    heroes = [hero("fighter", 4, (0, 0)), hero("fighter", 4, (1, 0)), hero("fighter", 4, (5, 0))]
    encounter, s = begin_fight(heroes, [foe("lord", 2, 0)], "lane", monsters={"lord": lord}, counter_depth=0)

    next_round(encounter, s)

    assert flips(s, "enemy_attacks") == 2


def test_the_resolved_scenario_writes_used_types_out_and_plays_the_same_fights() -> None:
    tables = {
        "monsters": {"lord": {"like": "K spades", "traits": ["floats"]}, "nobody": {"like": "Q clubs"}},
        "classes": {"duelist": {"like": "fighter", "gear": ["1 scimitar"]}},
    }
    scenario = from_dict(written([hero("duelist", 3)], [foe("lord", 2, 0)], "hall", round_cap=15) | tables)

    resolved = scenario.resolved()

    assert list(resolved["monsters"]) == ["lord"]
    assert "like" not in resolved["monsters"]["lord"]
    assert_same_fights(scenario, from_dict(resolved))


def test_a_scenario_without_own_types_is_resolved_as_before() -> None:
    resolved = scenario_of([hero("fighter")], [foe("J clubs")]).resolved()

    assert "monsters" not in resolved
    assert "classes" not in resolved


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"like": "K heart"}, "unknown enemy 'K heart'; did you mean 'K hearts'?"),
        ({"max_hp": 9}, "a monster needs initiative, movement"),
        ({"like": "K hearts", "without": ["melee"]}, "monsters.lord: nothing to attack with"),
        (
            {"like": "K hearts", "ranged": {"name": "bow"}},
            "monsters.lord.ranged: an attack needs reach, target, damage",
        ),
        ({"like": "K hearts", "melee": {"kind": "magic"}}, "other kinds belong to `ranged`"),
        ({"like": "Q spades", "ranged": {"kind": "melee"}}, "expected 'ranged' or 'magic', found 'melee'"),
        ({"like": "calico", "beast": {"reach": [0, 3]}}, "a beast comes from anywhere"),
        ({"like": "calico", "beast": {"effects": ["spreads"]}}, "a beast cannot have 'spreads'"),
        ({"like": "K hearts", "melee": {"damage": "2"}, "without": ["melee"]}, "'melee' is said and left out"),
        ({"like": "K hearts", "max_hp": "L - 1"}, "monsters.lord.max_hp: expected 1 to 9999 at level 1, found 0"),
        ({"like": "K hearts", "melee": {"damage": "9//(L - 1)"}}, "monsters.lord.melee.damage"),
        ({"like": "K hearts", "traits": ["flotas"]}, "unknown trait 'flotas'; did you mean 'floats'?"),
    ],
)
def test_a_monster_that_cannot_be_played_is_refused_in_words(said: dict[str, Any], message: str) -> None:
    assert message in problems_of(monsters={"lord": said})


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"like": "fighter", "focus": ["scholar"]}, "'scholar' has no price, so it cannot be raised"),
        ({"like": "fighter", "starts": ["hand_to_hand"]}, "'hand_to_hand' is not in the set 'calico'"),
        ({"like": "fighter", "cycle": "Lt Xy"}, "unknown core 'Xy'"),
        ({"like": "fighter", "gear": ["light_sword"]}, "expected a level and an item such as '5 leather_shield'"),
        ({"like": "fighter", "arrows": ["6 20"]}, "expected level, basic and sharp arrows"),
        ({"race": "urson"}, "a class needs cores, starts"),
    ],
)
def test_a_class_that_cannot_be_played_is_refused_in_words(said: dict[str, Any], message: str) -> None:
    assert message in problems_of(classes={"duelist": said})


def test_who_changes_the_start_of_an_encounter_cannot_be_drawn() -> None:
    deck = {"spots": [[0, 0]], "cards": ["lord", "J clubs"]}
    lord = {"like": "J clubs", "traits": ["extra_turn"]}

    assert "has the trait 'extra_turn', with which nobody can be drawn" in problems_of(
        enemies=[], enemy_deck=deck, monsters={"lord": lord}
    )
