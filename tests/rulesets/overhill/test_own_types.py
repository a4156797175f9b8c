"""Monsters and classes of one's own: what a scenario says of them is what is played."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sim.core.engine import play
from sim.core.outcomes import Outcome, Outcomes
from sim.errors import ScenarioError
from sim.rulesets.overhill import RULESET
from sim.scenario import Scenario, from_dict, load
from sim.studies.line_ups import with_enemies
from sim.studies.rosters import known_classes

FIGHT: dict[str, Any] = {
    "ruleset": "overhill",
    "title": "Strangers",
    "policy": "focus_expert",
    "heroes": [{"class": "warrior"}, {"class": "priest"}, {"class": "rogue"}, {"class": "magic_user"}],
    "enemies": [{"type": "gobbo_warchief", "count": 1}],
}
RUNS = np.arange(200)
SWITCHES = ({}, {"bestiary": "early", "gobbo_defense": 1, "monster_scaling": "all"})


def fight(**changes: Any) -> Scenario:
    return from_dict(FIGHT | changes)


def won(scenario: Scenario) -> Outcomes:
    return play(scenario.encounter(), 1, RUNS)


def assert_same(one: Outcomes, other: Outcomes) -> None:
    for part in ("outcome", "rounds", "hp", "kills", "damage_taken", "xp"):
        np.testing.assert_array_equal(getattr(one, part), getattr(other, part), part)


@pytest.mark.parametrize("switches", SWITCHES)
@pytest.mark.parametrize("name", RULESET.own_monsters())
def test_a_monster_of_the_game_written_out_plays_the_same_fight(name: str, switches: dict[str, Any]) -> None:
    companions = [
        {"type": "gobbo_warchief", "name": "chief", "count": 1},
        {"type": "gobbo_dog", "name": "dog", "count": 1},
    ]
    copied = {"stranger": RULESET.own_monsters()[name]}

    there = fight(enemies=[{"type": name, "count": "number"}, *companions], switches=switches, level=5)
    here = fight(
        enemies=[{"type": "stranger", "count": "number"}, *companions], monsters=copied, switches=switches, level=5
    )

    assert_same(won(here), won(there))


@pytest.mark.parametrize("switches", [{}, {"dice_progression": "none", "feat_start": "level1"}])
@pytest.mark.parametrize("name", RULESET.own_classes())
def test_a_class_of_the_game_written_out_plays_the_same_fight(name: str, switches: dict[str, Any]) -> None:
    enemies = [{"type": "skeleton", "count": 9}]
    copied = {"stranger": RULESET.own_classes()[name]}

    there = fight(heroes=[{"class": name}] * 2, enemies=enemies, switches=switches, level=7)
    here = fight(heroes=[{"class": "stranger"}] * 2, enemies=enemies, classes=copied, switches=switches, level=7)

    assert_same(won(here), won(there))


def test_a_monster_is_like_another_but_for_what_it_says() -> None:
    lord = {"like": "skeleton", "name": "bone lord", "defence": 5}

    own = fight(enemies=[{"type": "bone_lord", "count": 3}], monsters={"bone_lord": lord})
    changed = fight(enemies=[{"type": "skeleton", "count": 3, "defence": 5}])

    assert_same(won(own), won(changed))
    assert own.encounter().cast.units[-1].name == "bone lord"
    assert own.encounter().cast.units[-1].kind == "bone_lord"


def test_what_a_monster_says_counts_whatever_the_switches_say_of_its_model() -> None:
    lord = {"bone_lord": {"like": "skeleton", "defence": 5}, "runt": {"like": "gobbo"}}
    enemies = [{"type": "bone_lord", "count": 1}, {"type": "runt", "count": 1}]

    resolved = fight(enemies=enemies, monsters=lord, preset="may-draft").resolved()["enemies"]

    assert [group["defence"] for group in resolved] == [5, 1]
    assert resolved[0]["melee"] == 1  # as an early skeleton


def attacks(*traits: str, **changes: Any) -> Scenario:
    """A leader that cannot be hit, beside a monster that is under observation."""
    leader = {"melee": 0, "range": 0, "defence": 99, "family": "bones", "traits": ["leader"]}
    led = {"melee": 4, "range": 0, "defence": 99, "traits": list(traits), **changes}
    enemies = [{"type": "leader", "count": 1}, {"type": "led", "count": 2}]
    return fight(
        heroes=[{"class": "warrior", "max_health": 900, "vigor": 6, "feats": []}],
        policy="plain",
        enemies=enemies,
        monsters={"leader": leader, "led": led},
        switches={"round_cap": 20, "monster_damage": "one"},
    )


def losses(scenario: Scenario) -> float:
    return float(won(scenario).damage_taken[0].mean())


def test_leaders_raise_their_own_family_and_nobody_else() -> None:
    strangers, kin = attacks(family="wolves"), attacks(family="bones")
    fiercer = attacks(family="wolves", melee=5)
    nobodys, leaders = attacks(), attacks("leader", family="bones")

    assert losses(kin) == losses(fiercer) > losses(strangers) == losses(nobodys) == losses(leaders)


def test_touches_can_be_combined() -> None:
    none, paralysing, draining = attacks(), attacks("paralysing_touch"), attacks("life_drain")
    both = attacks("life_drain", "paralysing_touch")

    assert losses(none) < min(losses(paralysing), losses(draining))
    assert losses(both) > max(losses(paralysing), losses(draining))


def test_the_exact_solver_knows_families_and_both_touches() -> None:
    lord = {
        "melee": 3,
        "range": 0,
        "defence": 5,
        "family": "bones",
        "traits": ["leader", "paralysing_touch", "life_drain"],
    }
    bones = {"like": "skeleton", "family": "bones"}
    heroes = [{"class": "warrior", "max_health": 4, "vigor": 6}]
    enemies = [{"type": "bone_lord", "count": 1}, {"type": "bones", "count": 1}]

    scenario = fight(heroes=heroes, enemies=enemies, monsters={"bone_lord": lord, "bones": bones}, policy="plain")
    runs = 20_000
    rate = float((play(scenario.encounter(), 1, np.arange(runs)).outcome == Outcome.WIN).mean())

    exact = float(scenario.exact().win)
    assert 0.1 < exact < 0.9
    assert abs(rate - exact) < 4 * (exact * (1 - exact) / runs) ** 0.5


def test_policies_know_an_own_class_by_its_calling_and_tables_by_its_name() -> None:
    scenario = fight(heroes=[{"class": "witch"}], classes={"witch": {"like": "magic_user", "smart": 12}})

    unit = scenario.encounter().cast.units[0]

    assert (unit.name, unit.kind) == ("witch", "witch")
    assert "dart" in [ability.name for ability in scenario.encounter().cast.abilities]


def test_own_feats_are_learned_in_their_own_order() -> None:
    squire = {"like": "warrior", "feats": ["frenzy", "shield_bash"]}

    resolved = fight(heroes=[{"class": "squire"}], classes={"squire": squire}, level=3).resolved()

    assert resolved["heroes"][0]["feats"] == ["frenzy"]


def test_a_fight_with_strangers_written_out_is_the_same_fight() -> None:
    monsters = {"bone_lord": {"like": "skeleton", "family": "bones", "traits": ["leader"]}, "unused": {"like": "gobbo"}}
    scenario = fight(enemies=[{"type": "bone_lord", "count": "number"}], monsters=monsters)

    again = from_dict(scenario.resolved())

    assert again.digest == scenario.digest
    assert list(again.data["monsters"]) == ["bone_lord"]
    assert_same(won(again), won(scenario))


def test_the_digest_knows_the_traits_of_a_stranger() -> None:
    def digest(*traits: str) -> str:
        monsters = {"bone_lord": {"like": "skeleton", "traits": list(traits)}}
        return fight(enemies=[{"type": "bone_lord", "count": 1}], monsters=monsters).digest

    assert digest() != digest("life_drain")


def test_a_group_without_the_blunt_defence_of_its_type_stays_without_when_written_out() -> None:
    scenario = fight(enemies=[{"type": "skeleton", "count": 9, "blunt_defence": "none"}])

    assert_same(won(from_dict(scenario.resolved())), won(scenario))


@pytest.mark.parametrize(
    ("monster", "message"),
    [
        ({"like": "skelton"}, "monsters.bone_lord.like: unknown monster 'skelton'; did you mean 'skeleton'?"),
        ({"melee": 3, "range": 0}, "monsters.bone_lord: a monster needs defence; say it, or what it is `like`"),
        ({"defence": 3}, "monsters.bone_lord: a monster needs melee, range; say them, or what it is `like`"),
        (
            {"like": "bone_lord"},
            "monsters.bone_lord.like: bone_lord is like bone_lord: one of them must stand by itself",
        ),
        ({"like": "ghoul", "traits": ["leadr"]}, "unknown trait 'leadr'; did you mean 'leader'?"),
        ({"like": "ghoul", "defense": 3}, "monsters.bone_lord.defense: unknown key; did you mean 'defence'?"),
        ({"like": "ghoul", "number": "number"}, "expected a number, or dice such as '1d6', found 'number'"),
    ],
)
def test_a_monster_that_cannot_be_is_refused_in_words(monster: dict[str, Any], message: str) -> None:
    with pytest.raises(ScenarioError) as error:
        fight(enemies=[{"type": "bone_lord", "count": 1}], monsters={"bone_lord": monster})

    assert message in str(error.value)


def test_an_unknown_type_is_looked_for_among_the_games_and_the_designers() -> None:
    enemies = [{"type": "bone_lrd", "count": 1}, {"type": "skelton", "count": 1}]

    with pytest.raises(ScenarioError) as error:
        fight(
            enemies=enemies,
            heroes=[{"class": "squir"}],
            monsters={"bone_lord": {"like": "skeleton"}},
            classes={"squire": {"like": "warrior"}},
        )

    assert [str(problem) for problem in error.value.problems] == [
        "heroes[0].class: unknown class 'squir'; did you mean 'squire'?",
        "enemies[0].type: unknown monster 'bone_lrd'; did you mean 'bone_lord'?",
        "enemies[1].type: unknown monster 'skelton'; did you mean 'skeleton'?",
    ]


def test_the_example_of_the_documents_plays_as_it_is_told_there() -> None:
    docs = Path(__file__).parents[3] / "docs"
    text = (docs / "invent-a-monster.md").read_text(encoding="utf-8")
    told = re.findall(r"^The party wins ([\d.]+) %.*?`leader` it wins ([\d.]+) %", text, re.MULTILINE | re.DOTALL)[0]
    crypt = load(docs / "examples" / "bone-lord.toml")
    unled = crypt.changed(values={"monsters.bone_lord.traits": ["life_drain"]})

    outcomes = [play(one.encounter(), 1, np.arange(20_000)).outcome for one in (crypt, unled)]

    assert [f"{100 * float((outcome == Outcome.WIN).mean()):.1f}" for outcome in outcomes] == list(told)


def test_studies_turn_the_numbers_of_own_types() -> None:
    monsters = {"bone_lord": {"like": "skeleton"}, "rat": {"like": "gobbo_dog"}}
    classes = {"squire": {"like": "warrior"}}
    base = fight(enemies=[{"type": "bone_lord", "count": 4}], monsters=monsters, classes=classes)

    harder = base.changed(sets=["monsters.bone_lord.defence=9"])
    line_up = with_enemies(base, {"bone_lord": 2, "rat": 3})

    assert harder.resolved()["enemies"][0]["defence"] == 9
    assert [unit.name for unit in line_up.encounter().cast.units[4:]] == ["bone_lord", "rat"]
    assert known_classes(base) == [*RULESET.own_classes(), "squire"]
