"""Types of a scenario's own: enemies, companions and classes that play by the same rules as those of the game."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim.core.engine import play
from sim.errors import ScenarioError
from sim.rulesets.second_era import RULESET
from sim.rulesets.second_era.bestiary import own_classes, own_monsters
from sim.rulesets.second_era.schema import HeroClass, Monster
from sim.scenario import Scenario, from_dict

FEW = 40
FIGHT: dict[str, Any] = {
    "ruleset": "second_era",
    "title": "T",
    "policy": "focus_fire",
    "level": 8,
    "map": "clash",
    "switches": {"class_abilities": "on", "racial_abilities": "on"},
    "heroes": [{"class": "knight"}, {"class": "healer"}],
    "enemies": [{"type": "draugr", "count": 2}, {"type": "skeever"}],
}


def fight(**changes: Any) -> Scenario:
    return from_dict(FIGHT | changes)


def results(scenario: Scenario) -> dict[str, list[Any]]:
    """Everything that a run yields, but the names of the types."""
    outcomes = play(RULESET.compile(scenario.model), 5, np.arange(FEW))
    columns = {"outcome": outcomes.outcome, "rounds": outcomes.rounds, "hp": outcomes.hp, "xp": outcomes.xp}
    return {name: column.tolist() for name, column in (columns | outcomes.counts).items()}


def problems(**changes: Any) -> str:
    with pytest.raises(ScenarioError) as caught:
        fight(**changes)
    return str(caught.value)


@pytest.mark.parametrize("name", own_monsters())
def test_a_type_of_the_game_written_out_plays_as_under_its_own_name(name: str) -> None:
    needed = {} if "level" in own_monsters()[name] else {"level": 1, "priority": "weakest"}
    enemies = [{"type": name, "count": 2, **needed}]
    copied = [{"type": "copy", "count": 2, **needed}]

    theirs = results(fight(enemies=enemies))
    mine = results(fight(enemies=copied, monsters={"copy": own_monsters()[name]}))

    assert mine == theirs
    assert Monster.model_validate(own_monsters()[name])


@pytest.mark.parametrize("name", own_classes())
def test_a_class_of_the_game_written_out_plays_as_under_its_own_name(name: str) -> None:
    theirs = results(fight(heroes=[{"class": name}, {"class": "archer"}]))
    mine = results(fight(heroes=[{"class": "copy"}, {"class": "archer"}], classes={"copy": own_classes()[name]}))

    assert mine == theirs
    assert HeroClass.model_validate(own_classes()[name])


def test_a_type_that_is_like_another_differs_in_what_it_says() -> None:
    own = {"bone_lord": {"like": "draugr", "health": 9, "skills": ["Riposte 2"]}, "heir": {"like": "bone_lord"}}

    mine = fight(monsters=own, enemies=[{"type": "heir"}]).resolved()["enemies"][0]
    draugr = fight(enemies=[{"type": "draugr"}]).resolved()["enemies"][0]

    changed = {key for key in mine if mine[key] != draugr[key]}
    assert changed == {"type", "name", "health", "hp", "skills"}


def test_a_type_is_called_by_its_name_and_an_entry_by_its_own() -> None:
    own = {"bone_lord": {"like": "draugr", "name": "Bone lord"}}

    scenario = fight(monsters=own, enemies=[{"type": "bone_lord"}, {"type": "bone_lord", "name": "Karl"}])

    names = [unit.name for unit in RULESET.compile(scenario.model).cast.units]
    assert names[2:] == ["Bone lord", "Karl"]


def test_a_type_takes_the_place_of_one_of_the_game_in_the_bags_too() -> None:
    tough = {"skeever": {"like": "skeever", "health": 50}}
    scenario = fight(monsters=tough, enemies=[], pool={"points": 5, "chips": ["skeever", "mudcrab", "draugr"]})

    facts = RULESET.compile(scenario.model).facts  # type: ignore[attr-defined]

    assert [facts.creatures[kind - 2].type for kind in facts.bags[5]] == ["draugr"]
    pooled = RULESET.compile(fight(monsters=tough, enemies=[], pool={"points": 1}).model).facts  # type: ignore[attr-defined]
    assert {unit.type: unit.health for unit in pooled.creatures}["skeever"] == 50


def test_an_enemy_of_the_game_can_come_along_as_a_companion() -> None:
    scenario = fight(companions=[{"type": "draugr"}])

    cast = RULESET.compile(scenario.model).cast

    assert [(unit.name, unit.side) for unit in cast.units][2] == ("draugr 1", "party")


def test_the_resolved_scenario_holds_the_types_that_take_part_and_plays_the_same_fight() -> None:
    own = {"bone_lord": {"like": "draugr", "combat": 3}, "unused": {"like": "giant"}}
    squire = {"squire": {"like": "knight", "health": 7}, "page": {"like": "mage"}}
    scenario = fight(monsters=own, classes=squire, enemies=[{"type": "bone_lord"}], heroes=[{"class": "squire"}])

    again = from_dict(scenario.resolved())

    assert list(again.resolved()["monsters"]) == ["bone_lord"]
    assert list(again.resolved()["classes"]) == ["squire"]
    assert "like" not in again.resolved()["monsters"]["bone_lord"]
    assert results(again) == results(scenario)
    assert "monsters" not in fight().resolved()


def test_a_class_has_its_own_numbers_instead_of_those_of_its_race_and_buys_on_top_of_them() -> None:
    squire = {
        "race": "Orc", "form": "heavy", "health": 9, "combat": 3, "start": ["wrecking_blow"],
        "buys": ["health", "combat"],
    }  # fmt: skip
    hero = fight(classes={"squire": squire}, heroes=[{"class": "squire", "xp": 4}]).resolved()["heroes"][0]

    assert (hero["health"], hero["stamina"], hero["cooldown"]) == (10, 2, 3)
    assert hero["dice"] == {"combat": 4, "wrecking_blow": 1}


def test_a_class_that_plays_as_a_healer_prays() -> None:
    monk = {"like": "mage", "start": ["hasty_prayer"], "plays_as": "healer"}

    def abilities(**changes: Any) -> set[str]:
        scenario = fight(heroes=[{"class": "monk"}], classes={"monk": monk | changes})
        return {ability.name for ability in RULESET.compile(scenario.model).cast.abilities}

    assert "pray" in abilities()
    assert "pray" not in abilities(plays_as="none")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"enemies": [{"type": "bone_lrod"}], "monsters": {"bone_lord": {"like": "ogre"}}}, "did you mean 'bone_lord'"),
        ({"enemies": [{"type": "drauger"}]}, "did you mean 'draugr'"),
        ({"monsters": {"x": {"like": "drauger"}}}, "monsters.x.like: unknown type 'drauger'; did you mean 'draugr'"),
        ({"monsters": {"x": {"health": 3}}}, "monsters.x: a monster needs range, combat, defense, targets"),
        ({"monsters": {"x": {"like": "ogre", "skills": ["Ripost"]}}}, "unknown skill 'Ripost'; did you mean 'Riposte'"),
        ({"monsters": {"x": {"like": "ogre", "skills": ["Bane 2"]}}}, "only Enfeeble, Riposte, Ritual take a number"),
        ({"monsters": {"x": {"like": "ogre", "priority": "nearest"}}}, "monsters.x.priority: expected one of"),
        ({"enemies": [{"type": "hound"}]}, "enemies[0].level: missing; an enemy needs it, and hound has none"),
        (
            {"pool": {"points": 5, "chips": ["champion"]}},
            "pool.chips[0]: expected an enemy with a priority and a level",
        ),
        ({"pool": {"points": 5, "chips": ["ogre", "ogre"]}}, "pool.chips[1]: ogre is there already"),
        ({"pool": {"points": 5, "chips": ["ogre"]}}, "pool.chips: the pool draws an enemy of level 5; name one"),
        ({"classes": {"x": {"race": "Orc"}}}, "classes.x: a class needs form, start, buys"),
        ({"classes": {"x": {"like": "knight", "buys": ["armour"]}}}, "unknown purchase 'armour'"),
        ({"classes": {"x": {"like": "knight", "race": "Ork"}}}, "unknown race 'Ork'; did you mean 'Orc'"),
    ],
)
def test_what_cannot_be_is_refused_in_words(changes: dict[str, Any], message: str) -> None:
    assert message in problems(**changes)


def test_everything_that_enemies_are_made_of_is_listed_as_traits() -> None:
    traits = RULESET.things["traits"]

    assert set(RULESET.things["skills"]) < set(traits)
    assert {"strongest", "weakest", "all", "quest"} < set(traits)
    assert all(trait.about and trait.figures["written as"] for trait in traits.values())
