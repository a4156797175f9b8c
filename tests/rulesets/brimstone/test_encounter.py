"""Whole fights, and what they report."""

from __future__ import annotations

import numpy as np
import pytest

import sim
from sim.core.batch import joined
from sim.core.engine import play
from sim.report.result_tables import downs_table, fight_table
from sim.rulesets.brimstone.facts import COUNTS
from tests.rulesets.brimstone.fights import played, ready
from tests.rulesets.brimstone.scenes import (
    FOUR,
    RUNS,
    near,
    on_open_ground,
)


def test_tables_say_that_hit_points_are_taken_after_recovery() -> None:
    result = sim.run("brimstone/boot_hill", runs=50, jobs=1, progress=False)

    for table in (fight_table(result), downs_table(result)):
        assert "taken after the breath and the recovery" in table.about
        assert "models that are left" in table.about


def test_results_are_split_by_threat_cards_and_elite_abilities() -> None:
    gate = sim.load("brimstone/goliath_gate", set={"level": 3})
    encounter = gate.encounter()
    outcomes = play(encounter, 1, np.arange(400))
    cards = [name for name in outcomes.met if name.startswith("threat card med")]
    elites = [name for name in outcomes.met if name.startswith("elite goliath")]

    assert len(cards) == 9
    assert (np.array([outcomes.met[name] for name in cards]).sum(axis=0) == 1).all()  # one Med card in every run
    assert len(elites) == 6
    assert (np.array([outcomes.met[name] for name in elites]).sum(axis=0) == 1).all()  # one Elite ability at level 3
    with_tentacles = [name for name in cards if "tentacles" in name]
    tentacles = next(row for row, unit in enumerate(encounter.cast.units) if unit.name == "tentacles")
    assert len(with_tentacles) == 2
    assert (outcomes.present[tentacles] == np.any([outcomes.met[name] for name in with_tentacles], axis=0)).all()


def test_what_is_certain_splits_no_result() -> None:
    assert sim.load("brimstone/high_noon").encounter().cast.met == ()
    assert sim.load("brimstone/goliath_gate", set={"threat": "med:5"}).encounter().cast.met == ()


def test_batches_with_different_numbers_of_models_play_on_together() -> None:
    fight = {"heroes": FOUR[:2], "board": "none", "enemies": [{"type": "hungry_dead"}, {"type": "corpse_pile"}]}
    encounter, s = ready(fight, 5)
    _, other = ready(fight, 3, seed=2)
    s.make_room(9)

    both = joined(s, other)

    assert both.size == 8
    assert both.slots == other.slots == 9
    assert both.alive.sum(axis=0).tolist() == [2] * 8
    encounter.play_round(both)


@pytest.mark.rule("BF-F10", "BF-G8")
def test_a_run_reports_every_count_and_nobody_shares_a_square() -> None:
    encounter, s = on_open_ground((8, 8), FOUR, [{"type": "tentacles", "count": 6}], 100)

    encounter.play_round(s)

    places = np.where(s.alive, s.spot, -1 - np.arange(s.slots)[:, None])
    places = np.concatenate([places, np.where(s.standing, s.cell, -100 - np.arange(s.heroes)[:, None])])
    assert all(len(np.unique(places[:, k])) == len(places) for k in range(100))
    outcomes = encounter.harvest(s, np.arange(100), np.arange(100))
    assert tuple(outcomes.counts) == tuple(COUNTS)
    assert (outcomes.counts["standing"] == s.standing.sum(axis=0)).all()
    assert (outcomes.damage_dealt[:4] == s.dealt).all()


@pytest.mark.rule("BF-F1", "BF-A1", "BF-H16")
@pytest.mark.parametrize(("initiative", "chance"), [(4, 0.857590), (1, 0.738479)])
def test_we24_the_duel_is_won_as_often_as_it_should_be(initiative: int, chance: float) -> None:
    fight = {
        "board": "none",
        "heroes": [{"class": "lawman", "bag": {}, "init": initiative}],
        "enemies": [{"type": "tentacles", "count": 1}],
        "switches": {"grit_use": "off", "revive_tokens": 0},
    }

    s = played(fight, RUNS, 5)

    assert near(float((s.outcome == 0).mean()), chance)
