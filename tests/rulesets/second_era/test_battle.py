"""Whole battles: building, setup, the end, counts, extended abilities (sections 3, 4, 8, 11); W32 among them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim.core.batch import joined
from sim.core.engine import play
from sim.core.outcomes import Outcome
from sim.core.telling import Recorder
from sim.errors import ScenarioError
from sim.rulesets.second_era import RULESET, data
from sim.rulesets.second_era.build import STATS, buy
from sim.rulesets.second_era.rules.rounds import end_round, look_for_the_end
from sim.scenario import from_dict, load
from tests.rulesets.second_era.table import battle, begin, cell, everybody, fits, foe, hero

BUILDS = {  # section 11.4: health, stamina, magicka, cooldown by XP
    "knight": {2: "5/3/2/2", 4: "6/3/2/2", 8: "6/4/2/3", 16: "7/4/2/3", 24: "8/4/2/4"},
    "archer": {2: "5/3/1/2", 4: "5/3/1/2", 8: "5/4/1/3", 16: "7/4/1/4", 24: "8/5/1/4"},
    "mage": {2: "4/2/3/2", 4: "4/2/3/2", 8: "5/2/3/3", 16: "7/3/4/4", 24: "7/3/5/4"},
    "healer": {2: "4/2/4/2", 4: "4/2/4/2", 8: "5/2/4/2", 16: "6/3/4/3", 24: "7/3/4/4"},
    "nightblade": {2: "4/3/2/2", 4: "4/3/2/2", 8: "5/3/2/3", 16: "6/4/2/4", 24: "7/4/2/4"},
    "berserker": {2: "5/2/2/3", 4: "5/3/2/3", 8: "6/3/2/3", 16: "7/4/2/4", 24: "8/4/2/5"},
}
DICE = {
    ("knight", 24): {"shield_discipline": 5, "heroic_slash": 1, "combat": 2},
    ("archer", 16): {"snipe": 4, "combat": 3},
    ("mage", 8): {"force_shock": 4, "combat": 2},
    ("healer", 24): {"hasty_prayer": 1, "purge": 1, "breath_of_life": 2, "combat": 4},
    ("nightblade", 24): {"shadow_cloak": 2, "combat": 6},
    ("berserker", 16): {"wrecking_blow": 5, "onslaught": 1, "combat": 1},
}


@pytest.mark.rule("SE-L1", "SE-L2")
@pytest.mark.parametrize("name", BUILDS)
def test_purchases_give_the_builds_of_the_table(name: str) -> None:
    race = data.units("archetypes")[name]["race"]
    for xp, figures in BUILDS[name].items():
        stats, dice = buy(name, race, xp)

        assert "/".join(str(stats[stat]) for stat in STATS) == figures
        assert dice == DICE.get((name, xp), dice)


@pytest.mark.rule("SE-S1", "SE-S4", "SE-S5", "SE-S7")
def test_listed_enemies_take_the_first_hexes_and_the_bag_is_drawn_without_putting_back() -> None:
    encounter = battle([hero()], [foe(kind="champion")], "clash", pool={"points": 22})
    s = begin(encounter, 2_000)
    names = [unit.name for unit in encounter.facts.creatures]

    assert (s.cell[1] == cell(s, (2, -1))).all()
    assert (s.cell[2] == cell(s, (1, 1))).all()
    drawn = s.kind[2] - 1
    big = {names.index(kind): 1 / 3 for kind in ("daedroth", "lich", "giant")}
    assert fits(drawn, big)
    assert (s.kind[3] != s.kind[4]).all()  # two of level 1, never the same
    assert (s.form[0] == data.LIGHT).all()
    assert (s.length[0] == 0).all()


@pytest.mark.rule("SE-S4")
def test_an_empty_bag_is_refilled() -> None:
    s = begin(battle([hero()], [], "clash", pool={"points": 128}), 500)

    first, second = np.sort(s.kind[1:4], axis=0), np.sort(s.kind[4:7], axis=0)

    assert (first == second).all()  # two full bags of three


@pytest.mark.rule("SE-X1", "SE-X2", "SE-X3", "SE-R6", "SE-R7")
def test_w32_the_round_is_played_to_its_end_and_still_won() -> None:
    archer = hero((-1, 0), 5, "archer", dice={"snipe": 4, "combat": 4}, stamina=6)
    healer = hero((0, -2), 1, "healer", track=["Bane"])
    encounter = battle([archer, healer], [foe((1, 0), health=1)])

    outcomes = play(encounter, 5, np.arange(64))

    won = (outcomes.outcome == Outcome.WIN) & (outcomes.rounds == 1)
    assert won.mean() > 0.9
    assert (outcomes.hp[0, won] > 0).all()
    assert (outcomes.hp[1, won] == 0).all()


@pytest.mark.rule("SE-X4")
def test_w32_without_an_adventurer_the_battle_is_lost_whoever_else_lives() -> None:
    s = begin(battle([hero((0, 0))], [foe((1, 0))], companions=[{"type": "hound", "hex": [2, 0]}]), 2)
    s.hp[[0, 2]] = 0
    s.cell[[0, 2]] = -1

    look_for_the_end(s, everybody(s))

    assert (s.outcome == Outcome.LOSS).all()
    assert not s.live.any()


@pytest.mark.rule("SE-X5", "SE-X6")
def test_retreat_goes_before_the_cap() -> None:
    limits = {"retreat": "hp<4", "round_cap": 1}
    s = begin(battle([hero((0, 0), 5)], [foe((1, 0))], switches=limits), 2)
    s.hp[0, 1] = 3

    end_round(s)

    assert s.outcome.tolist() == [Outcome.DRAW, Outcome.LOSS]
    assert s.retreated.tolist() == [False, True]


@pytest.mark.rule("SE-X1")
def test_eliminate_needs_only_the_objective() -> None:
    enemies = [foe((1, 0)), foe((2, 0), objective=True)]
    s = begin(battle([hero((0, 0))], enemies, objective="eliminate"), 2)
    s.cell[1, 0] = -1
    s.cell[2, 1] = -1

    end_round(s)

    assert s.outcome.tolist() == [Outcome.DRAW, Outcome.WIN]
    assert s.live.tolist() == [True, False]


@pytest.mark.rule("SE-X7", "SE-X8", "SE-D1")
def test_what_is_counted_adds_up() -> None:
    encounter = load("second_era/se_dungeon").encounter()

    outcomes = play(encounter, 3, np.arange(200))

    won = outcomes.outcome == Outcome.WIN
    heroes = [unit.max_hp or 0 for unit in encounter.cast.units]
    assert (outcomes.xp == 2 * won).all()
    left = np.array(heroes)[:, None] - outcomes.damage_taken
    assert (outcomes.hp.sum(axis=0) == left.sum(axis=0) + outcomes.counts["healed"]).all()
    assert (outcomes.counts["standing"] + outcomes.counts["adventurers_defeated"] == 4).all()
    levels = sum(outcomes.counts[f"defeated_level_{level}"] for level in (5, 10))
    assert (levels == (outcomes.hp[4:] == 0).sum(axis=0)).all()


@pytest.mark.rule("SE-R8", "SE-R9", "SE-E3")
def test_a_run_can_be_told() -> None:
    told = Recorder()

    play(load("second_era/se_hound").encounter(), 3, np.array([0]), told)

    rules = {event.rule for event in told.events}
    assert rules >= {"SE-R8", "SE-R9", "SE-E3", "SE-A4", "SE-A6", "SE-D1"}
    assert any("r=+0" in event.picture for event in told.events)


def test_every_ability_of_races_and_classes_is_used_somewhere() -> None:
    used: set[str] = set()
    classes = ("knight", "archer", "mage", "healer", "nightblade")
    parties = (
        ("Argonian", "Dark Elf", "High Elf", "Imperial", "Nord"),
        ("Orc", "Redguard", "Wood Elf", "Nord", "Orc"),
    )
    for races in parties:
        heroes: list[dict[str, Any]] = [
            {"class": name, "race": race, "tenacity": 4} for name, race in zip(classes, races, strict=True)
        ]
        heroes[1]["track"] = ["L"] * 6
        heroes[2] |= {"dice": {"force_shock": 1}, "cooldown": 1, "track": ["L", "force_shock"]}
        enemies: list[Any] = [foe(kind=kind) for kind in ("giant", "ogre", "draugr", "spider", "skeever", "scamp")]
        switches = {"racial_abilities": "on", "class_abilities": "on"}
        encounter = battle(heroes, enemies, "clash", switches=switches, level=8)
        for run in range(30):
            told = Recorder()
            play(encounter, 1, np.array([run]), told)
            used |= {event.what for event in told.events if event.rule in ("SE-11.6", "SE-11.7")}

    expected = (
        "prevents all damage", "recovers up to four", "calls an adventurer", "prevents the damage and gains", "adds an",
        "shakes off", "hides up to two", "calls for an Honor Duel", "fulfils", "shoots", "looses", "uses Power Surge",
        "Hope Infusion", "summons",
    )  # fmt: skip
    missing = [words for words in expected if not any(words in what for what in used)]
    assert not missing


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"enemies": []}, "nobody to fight"),
        ({"objective": "eliminate"}, "needs an enemy marked"),
        ({"switches": {"retreat": "soon"}}, "hp<k"),
        ({"policy": "focus"}, "did you mean 'focus_fire'"),
        ({"heroes": [{"class": "knight", "track": ["snipe"]}]}, "more snipe dice"),
        ({"enemies": [{"type": "mudcrab", "hex": [99, 0]}]}, "not on the map"),
        ({"map": "pair", "enemies": [{"type": "mudcrab", "count": 2}]}, "too few numbered"),
    ],
)
def test_mistakes_are_found_and_explained(changes: dict[str, Any], message: str) -> None:
    scenario = {
        "ruleset": "second_era",
        "title": "T",
        "policy": "focus_fire",
        "heroes": [{"class": "knight"}],
        "enemies": [{"type": "mudcrab"}],
        **changes,
    }

    problems = RULESET.problems(RULESET.scenario_model.model_validate(scenario))

    assert any(message in problem.message for problem in problems)


def test_the_number_of_a_skill_ends_at_99() -> None:
    scenario = {"ruleset": "second_era", "title": "T", "policy": "random", "heroes": [{"class": "knight"}]}

    with pytest.raises(ScenarioError, match="'Riposte 200': expected a number up to 99"):
        from_dict(scenario | {"enemies": [{"type": "mudcrab", "skills": ["Riposte 200"]}]})
    from_dict(scenario | {"enemies": [{"type": "mudcrab", "skills": ["Riposte 99"]}]})


def test_batches_join_whether_or_not_an_orc_took_its_second_turn() -> None:
    fight = battle([hero(kind="berserker")], [foe(kind="troll")], board="pair", switches={"racial_abilities": "on"})
    orcs = [begin(fight, runs=3, round=2) for _ in range(2)]
    orcs[1].hp[0] = 0  # nobody is left for a second turn in this batch

    for s in orcs:
        fight.play_round(s)

    assert joined(*orcs).size == 6


@pytest.mark.parametrize(("value", "good"), [(0.29, True), (2, True), (0, False), (-1.5, False), ("much", False)])
def test_the_pool_can_be_scaled_by_any_number_above_0(value: Any, good: bool) -> None:
    problems = RULESET.switchboard.problems(None, {"ep_mult": value})

    assert (not problems) == good


def test_dice_bought_with_the_xp_goal_of_a_part_may_lie_in_the_track() -> None:
    scenario = {
        "ruleset": "second_era",
        "title": "T",
        "policy": "focus_fire",
        "level": "part2",
        "heroes": [{"class": "knight", "track": ["heroic_slash"]}],
        "enemies": [{"type": "mudcrab"}],
    }

    assert not RULESET.problems(RULESET.scenario_model.model_validate(scenario))
