"""What holds for the adventures of every game."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from sim.core.engine import play
from sim.core.evening_scenes import FightScene
from sim.core.outcomes import Outcomes
from sim.core.registry import ruleset
from sim.scenario import from_dict, load
from sim.scenario.catalogue import adventures_in, scenarios_of

RUNS = np.arange(40)
GAMES = ("overhill", "p52", "brimstone", "second_era")
QUICK = 2  # fights of every game that are looked at each time; the others are for a soak
FIGHTS = [
    pytest.param(name, marks=[] if place < QUICK else pytest.mark.soak)
    for game in GAMES
    for place, name in enumerate(scenarios_of(ruleset(game)))
]
ADVENTURES = [name for game in GAMES for name in adventures_in(ruleset(game))]
COLUMNS = ("outcome", "rounds", "xp", "hp", "present", "dead", "down_round", "damage_dealt", "damage_taken", "healing")
COLUMNS += ("kills", "downs", "uses", "hits", "damage")


def assert_same_tables(one: Outcomes, other: Outcomes) -> None:
    for name in COLUMNS:
        assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)


@cache
def evening_of(name: str) -> Outcomes:
    """A shipped adventure, played once for all tests that look at it."""
    return play(load(name).encounter(), 3, RUNS)


@pytest.mark.parametrize("name", FIGHTS)
def test_an_adventure_of_one_scene_is_the_fight_itself(name: str) -> None:
    game, _, short = name.partition("/")
    alone = load(name).encounter()
    table = {"ruleset": game, "title": "one", "party_of": name, "scenes": [{"fight": short}]}

    evening = from_dict(table).encounter()

    assert [unit.name for unit in evening.cast.units] == [unit.name for unit in alone.cast.units]
    ours, theirs = play(evening, 7, RUNS), play(alone, 7, RUNS)
    assert_same_tables(ours, theirs)
    for count in alone.cast.plain_counts:
        assert_array_equal(ours.counts[count], theirs.counts[count])


@pytest.mark.parametrize("name", ADVENTURES)
def test_a_run_of_an_adventure_is_the_same_alone_and_in_any_batch(name: str) -> None:
    evening, together = load(name).encounter(), evening_of(name)

    some = play(evening, 3, np.array([31, 4, 39]))
    alone = play(evening, 3, np.array([39]))

    assert_array_equal(together.hp[:, [31, 4, 39]], some.hp)
    assert_array_equal(together.rounds[[31, 4, 39]], some.rounds)
    assert_array_equal(some.hp[:, [2]], alone.hp)


@pytest.mark.parametrize("name", ADVENTURES)
def test_a_resolved_adventure_plays_the_same_evening(name: str) -> None:
    fight = load(name)

    again = from_dict(fight.resolved(), name=name)

    assert again.digest == fight.digest
    assert_same_tables(play(again.encounter(), 3, RUNS), evening_of(name))


# Levels by XP: a fight, a level for who has earned it, and the fight again.
LEVELS = {
    "overhill": ("playtest-1", {"level_xp": 9}, {"level_xp": 100_000}),
    "p52": ("duel", {"level_xp": 2}, {"level_xp": 100_000}),
    "brimstone": ("rat_ambush", {"level_xp_percent": 8}, {"level_xp_percent": 10_000}),
    "second_era": ("se_patrol", {"level_xp": 1}, {"level_xp": 99}),
}


def two_fights(game: str, house: dict[str, int], level_up: bool | str = "xp") -> dict[str, Any]:
    fight = LEVELS[game][0]
    scenes = [{"fight": fight}, {"level_up": level_up}, {"fight": fight}]
    return {"ruleset": game, "title": "twice", "party_of": fight, "evening": house, "scenes": scenes}


@pytest.mark.parametrize("game", GAMES)
def test_levels_by_xp_are_gained_run_by_run_and_a_run_is_the_same_in_any_batch(game: str) -> None:
    evening = from_dict(two_fights(game, LEVELS[game][1])).encounter()

    together = play(evening, 3, np.arange(16))
    some = play(evening, 3, np.array([13, 4, 15]))

    gained = together.counts["room_2_levels"]
    assert gained.any()
    for name in COLUMNS:
        assert_array_equal(getattr(together, name)[..., [13, 4, 15]], getattr(some, name), err_msg=name)


@pytest.mark.parametrize("game", GAMES)
def test_a_level_that_nobody_can_pay_changes_nothing(game: str) -> None:
    adventure = from_dict(two_fights(game, LEVELS[game][2]))

    dear = play(adventure.encounter(), 3, np.arange(12))
    without = play(from_dict({**two_fights(game, {}), "order": [1, 3]}).encounter(), 3, np.arange(12))

    assert not dear.counts["room_2_levels"].any()
    assert_array_equal(dear.hp, without.hp)
    assert_array_equal(dear.rounds, without.rounds)


@pytest.mark.parametrize(("game", "house"), [("overhill", {"level_xp": 1}), ("second_era", {})])
def test_a_level_that_everybody_has_earned_is_the_level_that_everybody_gains(game: str, house: dict[str, int]) -> None:
    earned, given = (
        play(from_dict(two_fights(game, house, level_up)).encounter(), 3, np.arange(24)) for level_up in ("xp", True)
    )

    assert_same_tables(earned, given)


@pytest.mark.parametrize("name", ADVENTURES)
def test_whoever_asks_for_luck_is_one_of_few_and_nobody_is_missing(name: str) -> None:
    evening = load(name).encounter()
    actors = evening.actors()

    assert len(actors) < 30  # `why` plays the evening twice for each
    known = [span for actor in actors for span in actor.numbers]
    for scene in evening.scenes:
        for actor in scene.encounter.actors() if isinstance(scene, FightScene) else ():
            assert all(any(low <= first and last <= high for low, high in known) for first, last in actor.numbers)
