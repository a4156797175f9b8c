"""Enemy types and hero classes of a scenario's own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim.core.engine import play
from sim.errors import ScenarioError
from sim.rulesets.brimstone import RULESET, data
from sim.rulesets.brimstone.abilities import Abilities
from sim.rulesets.brimstone.changes import read_change
from sim.rulesets.brimstone.elite_words import elite_words
from sim.scenario import from_dict
from tests.oracle.random_brimstone_types import random_scenario_of_own_types
from tests.rulesets.brimstone.fights import differences, encounter_of

POSSE = [{"class": "us_marshal"}, {"class": "gambler"}, {"class": "bandido"}]
FIGHT: dict[str, Any] = {"ruleset": "brimstone", "title": "T", "width": 7, "height": 7, "heroes": POSSE}
LORD: dict[str, Any] = {
    "init": 3,
    "move": 5,
    "escape": 4,
    "th_melee": 4,
    "combat": 3,
    "damage": "D6",
    "defense": 3,
    "health": 9,
    "xp": 40,
    "size": "M",
    "behaviour": "melee",
    "abilities": {"fear": 1, "tough": True},
}


def tables(fight: dict[str, Any], runs: int = 12) -> dict[str, Any]:
    """Everything that a few runs yield."""
    outcomes = play(encounter_of(fight), seed=5, runs=np.arange(runs))
    found: dict[str, Any] = {
        name: getattr(outcomes, name) for name in ("outcome", "rounds", "xp", "hp", "damage_dealt")
    }
    return found | {"standing": outcomes.counts["standing"], "kos": outcomes.counts["kos"]}


def assert_same(first: dict[str, Any], second: dict[str, Any]) -> None:
    for name, values in first.items():
        assert np.array_equal(values, second[name]), name


@pytest.mark.parametrize("name", data.types())
def test_a_type_of_the_game_written_out_plays_bit_for_bit_as_it_does(name: str) -> None:
    for level in (1, 4, 8):  # normal, with Elite abilities, Brutal with Elite abilities
        fight = FIGHT | {"level": level}
        lines = [{"count": 2}, {"count": 1}]

        printed = tables(fight | {"enemies": [{"type": name} | line for line in lines]})
        written = fight | {"monsters": {"copy": RULESET.own_monsters()[name]}}
        copied = tables(written | {"enemies": [{"type": "copy"} | line for line in lines]})

        assert_same(printed, copied)


@pytest.mark.parametrize("name", data.classes())
def test_a_class_of_the_game_written_out_plays_bit_for_bit_as_it_does(name: str) -> None:
    for level in (1, 7):
        fight = FIGHT | {"level": level, "enemies": [{"type": "stranglers", "count": 4}]}
        upgrade = {"upgrade": learned[0]} if (learned := data.classes()[name].get("upgrades")) else {}
        bag = {"bag": {"shiv": 2}}

        printed = tables(fight | {"heroes": [{"class": name, **upgrade, **bag}]})
        written = fight | {"classes": {"copy": RULESET.own_classes()[name]}}
        copied = tables(written | {"heroes": [{"class": "copy", **upgrade, **bag}]})

        assert_same(printed, copied)


@pytest.mark.parametrize("chunk", range(3))
def test_engine_and_referee_agree_on_made_up_types_and_classes(chunk: int) -> None:
    for seed in range(10 * chunk, 10 * (chunk + 1)):
        assert differences(random_scenario_of_own_types(seed), seed, runs=2) == [], f"seed {seed}"


@pytest.mark.soak
@pytest.mark.parametrize("chunk", range(25))
def test_engine_and_referee_agree_on_many_more_of_them(chunk: int) -> None:
    for seed in range(1000 + 10 * chunk, 1000 + 10 * (chunk + 1)):
        assert differences(random_scenario_of_own_types(seed), seed, runs=3) == [], f"seed {seed}"


def test_a_type_says_only_what_differs_from_the_one_that_it_is_like() -> None:
    fight = FIGHT | {"monsters": {"lord": {"like": "hungry_dead", "health": 9, "name": "Bone lord"}}}
    scenario = from_dict(fight | {"enemies": [{"type": "lord", "count": 2}]})

    plot = scenario.encounter().facts.plot  # type: ignore[attr-defined]

    lord = plot.kinds[plot.lines[0].kind]
    assert (lord.name, lord.figures["health"], lord.figures["defense"]) == ("Bone lord", 9, 4)
    assert lord.abilities == {"fear": 1}


def test_a_type_like_nobody_has_no_elite_abilities_unless_it_names_them() -> None:
    charts: list[list[str]] = [[], ["health +2", "none", "fear 2"]]
    drawn = []
    for chart in charts:
        fight = FIGHT | {"level": 4, "monsters": {"lord": LORD | {"elite_chart": chart}}}
        bestiary = encounter_of(fight | {"enemies": [{"type": "lord"}]}).facts.plot.bestiary
        drawn.append(bestiary.draws(bestiary.number["lord"]))

    assert drawn == [0, 2]  # two are owed at level 4, and of three results one is not modelled


def test_a_type_of_the_name_of_one_of_the_game_takes_its_place_on_threat_cards_too() -> None:
    fight = FIGHT | {"threat": ["med:5"], "monsters": {"tentacles": {"like": "tentacles", "health": 11}}}

    facts = encounter_of(fight).facts

    assert facts.figure["health"].tolist() == [11]


def test_a_spawn_may_bring_a_type_of_ones_own() -> None:
    pile = {"like": "corpse_pile", "abilities": {"spawn": [1, "lord"]}}
    fight = FIGHT | {
        "monsters": {"pile": pile, "lord": LORD},
        "enemies": [{"type": "pile"}],
        "switches": {"round_cap": 5},
    }

    cast = encounter_of(fight).cast

    assert [unit.name for unit in cast.units if unit.side == "enemy"] == ["pile", "lord"]


def test_a_figure_that_a_type_says_stays_on_the_brutal_side_unless_the_type_has_one_of_its_own() -> None:
    own = {"drowned": {"like": "drowned_dead", "health": 7}}
    sides: list[dict[str, Any]] = [{}, {"brutal_side": "health +4"}, {"brutal_side": ""}]

    found = []
    for side in sides:
        fight = FIGHT | {"level": 5, "monsters": {"drowned": own["drowned"] | side}, "enemies": [{"type": "drowned"}]}
        figure = encounter_of(fight).facts.figure
        found.append((int(figure["health"][0]), int(figure["move"][0])))

    assert found == [(7, 3), (11, 2), (7, 2)]


@pytest.mark.parametrize(
    ("wrong", "key", "message"),
    [
        (
            {"lord": {"health": 3}},
            "monsters.lord",
            "a monster needs init, move, escape, combat, defense, xp, size, beh",
        ),
        ({"lord": {"like": "hungry_ded"}}, "monsters.lord.like", "did you mean 'hungry_dead'?"),
        ({"lord": LORD | {"behaviour": "ranged"}}, "monsters.lord.behaviour", "'ranged' needs a weapon"),
        ({"lord": LORD | {"th_melee": 0}}, "monsters.lord", "it needs a number to hit with them: th_melee"),
        ({"lord": LORD | {"abilities": {"feer": 1}}}, "monsters.lord.abilities.feer", "did you mean 'fear'?"),
        ({"lord": LORD | {"abilities": {"fear": -1}}}, "monsters.lord.abilities.fear", "from 0 to 40, found -1"),
        (
            {"lord": LORD | {"abilities": {"spawn": [4, "lrod"]}}},
            "monsters.lord.abilities.spawn",
            "did you mean 'lord'?",
        ),
        ({"lord": LORD | {"elite_chart": ["helth +2"]}}, "monsters.lord.elite_chart[0]", "did you mean 'health'?"),
        ({"lord": LORD | {"elite_chart": ["health two"]}}, "monsters.lord.elite_chart[0]", "such as 'health 2'"),
        (
            {"lord": LORD | {"elite_chart": ["six +1"]}},
            "monsters.lord.elite_chart[0]",
            "say what it is, such as 'six 3'",
        ),
        ({"lord": LORD | {"weapon": {"shots": 2}}}, "monsters.lord.weapon.shots", "a weapon needs range too"),
        ({"lord": LORD | {"brutal_chart": ["fear 2"]}}, "monsters.lord.brutal_chart", "needs an elite_chart"),
    ],
)
def test_what_is_wrong_with_a_type_is_said_in_words(wrong: dict[str, Any], key: str, message: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        from_dict(FIGHT | {"monsters": wrong, "enemies": [{"type": "lord"}]})

    assert caught.value.problems[0].key == key
    assert message in caught.value.problems[0].message


@pytest.mark.parametrize(
    ("changes", "key", "message"),
    [
        ({"heroes": [{"class": "sqire"}]}, "heroes[0].class", "did you mean 'squire'?"),
        ({"enemies": [{"type": "lrod"}]}, "enemies[0].type", "did you mean 'lord'?"),
        ({"enemies": [{"type": "lord", "elites": [2]}]}, "enemies[0].elites", "'lord' has no Elite chart"),
        ({"heroes": [{"class": "squire", "upgrade": "swindler"}]}, "heroes[0].upgrade", "is for the class 'bandido'"),
        ({"heroes": [{"class": "squire", "ally": True, "max_grit": 2}]}, "heroes[0].max_grit", "an ally has no Grit"),
    ],
)
def test_what_is_wrong_with_those_who_are_of_it_is_said_too(changes: dict[str, Any], key: str, message: str) -> None:
    own = {"monsters": {"lord": LORD}, "classes": {"squire": {"like": "lawman", "health": 14}}}
    fight = FIGHT | own | {"heroes": [{"class": "squire"}, {"class": "lawman"}], "enemies": [{"type": "lord"}]}
    from_dict(fight)

    with pytest.raises(ScenarioError) as caught:
        from_dict(fight | changes)

    assert [problem.key for problem in caught.value.problems] == [key]
    assert message in caught.value.problems[0].message


@pytest.mark.parametrize("seed", range(8))
def test_every_number_written_out_plays_the_same_fight(seed: int) -> None:
    scenario = from_dict(random_scenario_of_own_types(seed))

    again = from_dict(scenario.resolved())

    first, second = (play(one.encounter(), seed=seed, runs=np.arange(4)) for one in (scenario, again))
    assert np.array_equal(first.hp, second.hp)
    assert np.array_equal(first.rounds, second.rounds)
    assert again.digest == scenario.digest


def test_a_number_of_a_type_can_be_set() -> None:
    scenario = from_dict(FIGHT | {"monsters": {"lord": LORD}, "enemies": [{"type": "lord"}]})

    harder = scenario.changed(values={"monsters.lord.health": 20, "monsters.lord.abilities.fear": 3})

    facts = harder.encounter().facts  # type: ignore[attr-defined]
    assert [int(facts.figure[name][0]) for name in ("health", "fear", "tough")] == [20, 3, 1]


def test_traits_tell_what_can_be_combined() -> None:
    traits = RULESET.things["traits"]

    assert set(traits) == set(Abilities.model_fields)
    assert set(data.NUMBER_ABILITIES) | set(data.PLAIN_ABILITIES) <= set(traits)
    assert all(thing.about for kind in RULESET.things.values() for thing in kind.values())


@pytest.mark.parametrize(
    "text", ["health +2, fear 0, terror 2", "damage D6+1, flail +1", "on_wound venom poison", "none", ""]
)
def test_a_change_is_written_as_it_is_read(text: str) -> None:
    change = read_change(text)

    assert read_change(str(change)) == change
    assert elite_words(change)
