"""Between two fights: what is carried on, what a rest gives back, what a level brings; and evenings with exact odds."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from sim.core.engine import Encounter, play, play_with
from sim.core.luck import Luck
from sim.core.outcomes import Outcome, room_counts
from sim.rulesets.overhill import RULESET
from sim.scenario import from_dict, load
from tests.rulesets.overhill.fights import with_room

WARRIOR = {"class": "warrior", "melee_tag": "edged"}
SKELETON = {"enemies": [{"type": "skeleton", "count": 1}]}
FOUR = {"enemies": [{"type": "skeleton", "count": 4}]}


def adventure(*scenes: dict[str, Any], **keys: Any) -> dict[str, Any]:
    party = {"policy": "plain", "heroes": [WARRIOR]} | keys
    return {"ruleset": "overhill", "title": "an evening", **party, "scenes": list(scenes)}


def evening(*scenes: dict[str, Any], **keys: Any) -> Encounter[Any]:
    return from_dict(adventure(*scenes, **keys)).encounter()


def fight(enemies: dict[str, Any], **hero: Any) -> dict[str, Any]:
    return {"ruleset": "overhill", "title": "a fight", "policy": "plain", "heroes": [WARRIOR | hero], **enemies}


def exact_win(enemies: dict[str, Any], **hero: Any) -> Fraction:
    return Fraction(from_dict(fight(enemies, **hero)).exact().win)


# ------------------------------------------------------------------------------------------------------------- rules


@pytest.mark.rule("OU-V1")
def test_health_and_items_are_carried_on_and_nothing_else() -> None:
    scenario = load("overhill/warband")
    encounter = scenario.encounter()
    tables_luck = Luck.of(1, np.arange(40))
    s = with_room(encounter.start(tables_luck, None))
    s.health[1] = 0
    s.health[0] = 5
    s.items[:] = 0
    s.lapsed[:] = True
    s.paralysed[:] = 2

    party = encounter.leaving(s, s.everyone)
    again = encounter.start(tables_luck, None, party)

    assert set(party) == set(RULESET.carries())
    assert (again.health[0] == 5).all()
    assert (again.health[1] == 0).all()
    assert not any(table.any() for table in (again.items, again.lapsed, again.paralysed))


@pytest.mark.rule("OU-V1", "OU-S9")
def test_who_is_down_counts_nowhere_when_the_others_sneak() -> None:
    table = load("overhill/playtest-1").data | {"policy_options": {"engage": "sneak"}, "switches": {}}
    for check in ("majority", "all", "leader", "weakest"):
        table["switches"] = {"stealth_check": check}
        encounter = from_dict(table).encounter()
        luck = Luck.of(3, np.arange(300))
        party = encounter.leaving(fresh := encounter.start(luck, None), fresh.everyone)
        party["health"][0] = 11
        party["health"][1:] = 0  # only the warrior stands, whose quick die is a d6; the dead have an alert of at most 5
        alert = int(fresh.alert.max())

        s = encounter.start(luck, None, party)

        passed = luck.die(6, "OU-S9", 0, 0) > alert
        assert_array_equal(s.outcome == Outcome.AVOIDED, passed, err_msg=check)


@pytest.mark.rule("OU-V2")
def test_a_short_rest_gives_a_die_and_a_long_one_everything() -> None:
    scenario = load("overhill/playtest-1")
    luck = Luck.of(5, np.arange(2_000))
    party = {"health": np.zeros((4, 2_000), dtype=np.int16), "items": np.zeros((5, 4, 2_000), dtype=np.int16)}
    party["health"][0] = 9
    most = [unit.max_hp for unit in scenario.encounter().cast.units[:4]]

    short = RULESET.rest(scenario.model, party, "short", luck)["health"]
    long = RULESET.rest(scenario.model, party, "long", luck)["health"]

    assert_array_equal(short[0], np.minimum(9 + luck.die(6, "OU-V2", 0, 0), 11))
    assert_array_equal(short[2], luck.die(6, "OU-V2", 0, 2))
    assert_array_equal(long, np.repeat(np.array(most)[:, None], 2_000, axis=1))
    assert (party["health"][1:] == 0).all(), "what was carried before is left alone"


@pytest.mark.rule("OU-V3")
@pytest.mark.parametrize("level", range(1, 10))
@pytest.mark.parametrize("feat_start", ["level1", "level3"])
def test_a_level_brings_what_a_party_of_that_level_has(level: int, feat_start: str) -> None:
    table = load("overhill/playtest-1").data | {"level": level, "switches": {"feat_start": feat_start}}
    written_out = from_dict(table).resolved()

    def heroes(grown: dict[str, Any] | None) -> Any:
        assert grown is not None
        return from_dict(grown).resolved()["heroes"]

    higher = from_dict(table | {"level": level + 1}).resolved()["heroes"]
    assert heroes(RULESET.one_level_up(table)) == higher
    assert heroes(RULESET.one_level_up(written_out)) == higher


@pytest.mark.rule("OU-V3")
def test_who_stands_gains_the_health_of_a_level_at_once() -> None:
    table = load("overhill/playtest-1").data
    before, after = from_dict(table).model, from_dict(table | {"level": 2}).model
    party = {"health": np.array([[11, 3], [0, 0], [7, 1], [2, 0]], dtype=np.int16)}

    grown = RULESET.grown(before, after, party)

    assert_array_equal(grown["health"], [[12, 4], [0, 0], [8, 2], [3, 0]])


@pytest.mark.rule("OU-V4")
def test_a_scene_can_ask_for_health_heroes_and_items() -> None:
    scenario = load("overhill/warband")
    party = {"health": np.array([[6], [0], [0], [3]], dtype=np.int16), "items": np.zeros((5, 4, 1), dtype=np.int16)}
    party["items"][0, 3] = 2
    most = sum(unit.max_hp or 0 for unit in scenario.encounter().cast.units[:4])

    asked = {name: values.tolist() for name, values in RULESET.condition(scenario.model, party).items()}

    assert asked == {"party_hp": [9 / most], "standing": [2], "dead": [0], "potions": [2], "items": [2]}


# ------------------------------------------------------------------------------------------------------ whole evenings


def test_after_a_long_rest_a_fight_is_that_of_a_fresh_party_whatever_came_before() -> None:
    alone = load("overhill/crypt-swarm")
    heroes = {key: alone.data[key] for key in ("heroes", "policy", "level") if key in alone.data}
    swarm = {"fight": "crypt-swarm", "name": "swarm"}
    runs = np.arange(400)

    ours = [
        play(evening({"fight": before}, {"rest": "long"}, swarm, **heroes), 3, runs)
        for before in ("playtest-1", "narrow-stair")
    ]

    fresh = play_with(alone.encounter(), runs, Luck.of(3, runs).scene(2))
    for tables in ours:
        came = tables.counts[room_counts(2)[0]] == 1
        assert 300 < came.sum() <= 400
        assert_array_equal(tables.outcome[came], fresh.outcome[came])
        assert_array_equal(tables.hp[:4, came], fresh.hp[:4, came])
        assert_array_equal(tables.counts[room_counts(2)[2]][came], fresh.rounds[came])


def test_two_fights_with_full_restoration_have_the_product_of_the_chances() -> None:
    exact = float(exact_win(SKELETON, health=11) * exact_win(FOUR))
    runs = 40_000

    tables = play(evening({"fight": FOUR}, {"rest": "long"}, {"fight": FOUR}), 8, np.arange(runs))

    product = float(exact_win(FOUR)) ** 2
    assert 0.5 < product < 0.9 < 1.2 * exact / product
    assert abs((tables.outcome == Outcome.WIN).mean() - product) < 4 * (product * (1 - product) / runs) ** 0.5


def test_the_chance_of_two_fights_in_a_row_is_exact_over_the_health_between_them() -> None:
    # A lone skeleton takes 3 of 11 health at a blow: with 3 health left, one blow loses. So a blow comes before the
    # kill with the chance that a warrior of 3 health loses, and the health after a won fight is 11, 8, 5 or 2.
    blow = 1 - exact_win(SKELETON, health=3)
    between = {11 - 3 * blows: blow**blows * (1 - blow) for blows in range(4)}
    assert sum(between.values()) == exact_win(SKELETON)
    exact = float(sum(chance * exact_win(FOUR, health=health) for health, chance in between.items()))
    runs = 40_000

    tables = play(evening({"fight": SKELETON}, {"fight": FOUR}), 9, np.arange(runs))

    assert exact < float(exact_win(SKELETON) * exact_win(FOUR)) - 0.01, "the first fight must cost something"
    assert abs((tables.outcome == Outcome.WIN).mean() - exact) < 4 * (exact * (1 - exact) / runs) ** 0.5


def test_a_party_turns_back_before_the_scene_and_not_in_it() -> None:
    tables = play(evening({"fight": FOUR}, {"fight": FOUR, "unless": "party_hp < 0.5"}), 4, np.arange(2_000))

    back = tables.outcome == Outcome.TURNED_BACK
    assert 100 < back.sum() < 1_900
    assert_array_equal(back, tables.counts["turned_back"] == 1)
    assert_array_equal(tables.counts["scenes"][back], 1)
    assert set(tables.hp[0, back].tolist()) == {2, 5}
    went_on = tables.counts[room_counts(1)[0]] == 1
    assert not (back & went_on).any()


def test_the_order_of_scenes_can_change_and_each_keeps_its_luck() -> None:
    scenes = ({"fight": SKELETON, "name": "one"}, {"rest": "long"}, {"fight": FOUR, "name": "four"})
    runs = np.arange(200)

    swapped = play(evening(*scenes, order=[3, 2, 1]), 6, runs)
    without = play(evening(*scenes, order=[3]), 6, runs)

    fresh = play_with(from_dict(fight(FOUR)).encounter(), runs, Luck.of(6, runs).scene(2))
    assert_array_equal(without.outcome, fresh.outcome)
    assert_array_equal(swapped.counts[room_counts(0)[2]], fresh.rounds)


def test_an_order_may_have_one_rest_more() -> None:
    scenes = ({"fight": FOUR}, {"fight": FOUR})

    plain = play(evening(*scenes), 6, np.arange(1_000))
    rested = play(evening(*scenes, order=[1, "long", 2]), 6, np.arange(1_000))

    assert (rested.outcome == Outcome.WIN).sum() > (plain.outcome == Outcome.WIN).sum() + 50
