"""What holds for the adventures of every game."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from sim.core.engine import play
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
    evening = load(name).encounter()

    together = play(evening, 3, np.arange(100))
    some = play(evening, 3, np.array([71, 4, 99]))
    alone = play(evening, 3, np.array([99]))

    assert_array_equal(together.hp[:, [71, 4, 99]], some.hp)
    assert_array_equal(together.rounds[[71, 4, 99]], some.rounds)
    assert_array_equal(some.hp[:, [2]], alone.hp)


@pytest.mark.parametrize("name", ADVENTURES)
def test_a_resolved_adventure_plays_the_same_evening(name: str) -> None:
    fight = load(name)

    again = from_dict(fight.resolved(), name=name)

    assert again.digest == fight.digest
    assert_same_tables(play(again.encounter(), 3, RUNS), play(fight.encounter(), 3, RUNS))
