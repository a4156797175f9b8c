"""Between the battles of an evening: what is carried on, what a rest gives back, what experience buys."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np
import pytest

from sim.core.batch import Carried
from sim.core.engine import play
from sim.core.luck import Luck
from sim.core.outcomes import Outcome
from sim.rulesets.second_era import RULESET, data
from sim.rulesets.second_era.data import EMPTY, FIRST_STATUS, MAIM, OVER, SHIELD, TIRED
from sim.rulesets.second_era.encounter import SecondEraEncounter
from sim.rulesets.second_era.state import State
from sim.scenario import from_dict
from tests.rulesets.second_era.table import battle, begin, everybody, foe, hero, status, words

FEW = 8
PARTY = [hero((0, 0), 6), hero((-1, 0), 5, kind="mage")]
SCENARIO: dict[str, Any] = {
    "ruleset": "second_era",
    "title": "T",
    "policy": "focus_fire",
    "level": 6,
    "heroes": [{"class": "knight"}, {"class": "healer", "xp": 9}, {"class": "mage", "health": 7, "hp": 4}],
    "enemies": [{"type": "draugr"}],
}


def worn_battle() -> tuple[SecondEraEncounter, State]:
    """A battle in which the knight is tired, maimed and holds an active die, and the mage is down."""
    encounter = battle(PARTY, [foe((2, 0))])
    s = begin(encounter, FEW)
    s.hp[0], s.hp[1], s.cell[1] = 2, 0, -1
    s.tenacity[0], s.bonus[0], s.spent[0] = 4, 3, True
    s.track[0, :4] = np.array([TIRED, OVER, FIRST_STATUS + MAIM, data.COMBAT])[:, None]
    s.length[0], s.status[0] = 4, 1 << MAIM
    s.slot_die[0, 0], s.slot_x[0, 0] = SHIELD, 2
    s.available[0, SHIELD] = 0  # the other one is drained
    return encounter, s


def carried() -> Carried:
    encounter, s = worn_battle()
    return encounter.leaving(s, everybody(s))


@pytest.mark.rule("SE-V1")
def test_hit_points_track_active_dice_and_tenacity_are_carried_into_the_next_battle() -> None:
    encounter, _ = worn_battle()

    s = encounter.start(Luck.of(1, np.arange(FEW)), None, carried())

    assert (s.hp[0] == 2).all()
    assert (s.tenacity[0] == 4).all()
    assert words(s) == ["L", "O", "Maim", "combat"]
    assert status(s, 0, MAIM).all()
    assert (s.slot_die[0, 0] == SHIELD).all()
    assert (s.slot_x[0, 0] == 2).all()


@pytest.mark.rule("SE-V1", "SE-A14")
def test_drained_dice_come_back_and_what_belongs_to_one_battle_ends_with_it() -> None:
    encounter, _ = worn_battle()

    s = encounter.start(Luck.of(1, np.arange(FEW)), None, carried())

    assert (s.available[0, SHIELD] == 1).all()  # of two one was drained, the other is active
    assert (s.available[0, data.COMBAT] == 0).all()  # waits in the track
    assert (s.bonus[0] == 0).all()
    assert not s.spent.any()
    assert (s.form[0] == data.LIGHT).all()


@pytest.mark.rule("SE-V1")
def test_who_is_defeated_stays_out_and_leaves_its_hex_free() -> None:
    encounter, _ = worn_battle()
    bits = encounter.facts.ground.board.bits

    s = encounter.start(Luck.of(1, np.arange(FEW)), None, carried())

    assert (s.hp[1] == 0).all()
    assert (s.cell[1] == -1).all()
    hexes = np.array([[encounter.facts.cell[row]] * FEW for row in range(2)])
    assert bits.has(s.occupied, hexes)[0].all()
    assert not bits.has(s.occupied, hexes)[1].any()


@pytest.mark.rule("SE-V2")
def test_a_short_rest_leaves_only_overfatigue_and_sets_the_defeated_up_with_1() -> None:
    encounter, _ = worn_battle()
    model = RULESET.scenario_model.model_validate(SCENARIO | {"level": 2, "map": "clash", "heroes": PARTY})

    rested = RULESET.rest(model, carried(), "short", Luck.of(1, np.arange(FEW)))
    s = encounter.start(Luck.of(1, np.arange(FEW)), None, rested)

    assert s.hp[:2, 0].tolist() == [2, 1]
    assert words(s) == ["O"]
    assert not status(s, 0, MAIM).any()
    assert (s.slot_die == EMPTY).all()
    assert (s.available[0, SHIELD] == 2).all()
    assert (s.tenacity[0] == 4).all()


@pytest.mark.rule("SE-V2", "SE-S7")
def test_after_a_long_rest_the_next_battle_begins_as_a_fresh_one_does() -> None:
    encounter, _ = worn_battle()
    model = RULESET.scenario_model.model_validate(SCENARIO | {"level": 2, "map": "clash", "heroes": PARTY})

    rested = RULESET.rest(model, carried(), "long", Luck.of(1, np.arange(FEW)))
    s = encounter.start(Luck.of(1, np.arange(FEW)), None, rested)

    fresh = encounter.start(Luck.of(1, np.arange(FEW)), None)
    for name in ("hp", "cell", "status", "occupied", "available", "slot_die", "track", "length", "tenacity", "bonus"):
        assert (getattr(s, name) == getattr(fresh, name)).all(), name


def test_two_battles_with_a_long_rest_between_them_have_the_product_of_their_chances() -> None:
    runs = 3_000
    scenes = [{"fight": "se_patrol"}, {"rest": "long"}, {"fight": "se_patrol"}]
    table = {"ruleset": "second_era", "title": "T", "party_of": "se_patrol", "scenes": scenes}

    outcomes = play(from_dict(table).encounter(), 5, np.arange(runs))

    first = outcomes.counts["room_1_won"].mean()
    both = (outcomes.outcome == Outcome.WIN).mean()
    assert abs(both - first**2) < 4 * sqrt(both * (1 - both) / runs + 4 * first**2 * first * (1 - first) / runs)


@pytest.mark.rule("SE-V3")
def test_a_level_up_spends_the_reward_of_a_battle_and_the_written_out_party_grows_alike() -> None:
    grown = RULESET.one_level_up(SCENARIO)

    assert grown["level"] == 8
    assert grown["heroes"][1]["xp"] == 11
    full = RULESET.resolve(RULESET.scenario_model.model_validate(SCENARIO))
    alike = RULESET.one_level_up(full)
    both = [RULESET.resolve(RULESET.scenario_model.model_validate(table)) for table in (grown, alike)]
    assert both[0] == both[1]
    assert both[0]["heroes"][2]["health"] == 8  # the mage's seventh and eighth point buy cooldown and health
    assert SCENARIO["level"] == 6


@pytest.mark.rule("SE-V3")
def test_new_dice_are_available_and_who_stands_gains_the_new_health() -> None:
    before = RULESET.scenario_model.model_validate(SCENARIO | {"level": 2, "heroes": [{"class": "knight"}] * 2})
    after = RULESET.scenario_model.model_validate(SCENARIO | {"level": 4, "heroes": [{"class": "knight"}] * 2})

    party = RULESET.grown(before, after, carried())

    assert party["hp"][:, 0].tolist() == [3, 0]
    assert party["available"][SHIELD, 0, 0] == 2


@pytest.mark.rule("SE-V4")
def test_a_scene_can_ask_how_the_party_is() -> None:
    model = RULESET.scenario_model.model_validate(SCENARIO | {"level": 2, "heroes": PARTY})

    asked = {name: float(values[0]) for name, values in RULESET.condition(model, carried()).items()}

    dice = 3 + 4  # of the knight and of the mage; one of the knight's waits in the track
    expected = {"party_hp": 2 / 11, "standing": 1, "dead": 1, "dice_ready": (dice - 1) / dice}
    assert asked == pytest.approx(expected | {"fatigue": 2, "overfatigue": 1, "tenacity": 4})


def test_a_party_with_a_class_of_its_own_goes_through_an_evening() -> None:
    table = {
        "ruleset": "second_era",
        "title": "T",
        "policy": "focus_fire",
        "level": 8,
        "classes": {"squire": {"like": "knight", "health": 9}},
        "heroes": [{"class": "squire"}, {"class": "mage"}],
        "scenes": [{"fight": "se_jailbreak"}, {"level_up": True}, {"fight": "se_duel", "set": {"map": "clash"}}],
    }

    outcomes = play(from_dict(table).encounter(), 1, np.arange(50))

    assert (outcomes.outcome == Outcome.WIN).mean() > 0.9
    assert (outcomes.xp[outcomes.outcome == Outcome.WIN] == 4).all()


def test_rests_and_what_is_carried_are_told_in_words() -> None:
    assert list(RULESET.rests()) == ["short", "long"]
    assert list(RULESET.carries()) == ["hp", "track", "slots", "dice", "tenacity"]
