"""A whole battle: what is counted and told."""

from __future__ import annotations

import numpy as np
import pytest

from sim.core.engine import play
from sim.core.outcomes import Outcome
from sim.core.telling import Recorder
from sim.scenario import load


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
    assert rules >= {"SE-R9", "SE-A1", "SE-A4", "SE-A8", "SE-E10", "SE-E11", "SE-D8", "SE-A10"}
    turns = [event.turn for event in told.events]
    assert turns == sorted(turns)
    assert all(event.after.board is told.events[0].after.board for event in told.events)
