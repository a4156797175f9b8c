"""Replaying from Python: what can be asked for."""

from __future__ import annotations

import pytest

import sim
from sim.replay import PICKS
from sim.runner import run

FIGHT = "overhill/playtest-1"


def test_every_run_that_a_result_names_can_be_asked_for() -> None:
    result = run(sim.load(FIGHT, set={"switches.round_cap": 5}), runs=2_000, seed=3)

    assert set(result.picks) == set(PICKS)


def test_an_unknown_pick_is_refused_with_the_known_ones() -> None:
    with pytest.raises(sim.SimError, match="expected one of median, best, worst, closest, loss, draw, found 'odd'"):
        sim.replay(FIGHT, pick="odd")


def test_a_run_number_below_0_is_refused() -> None:
    with pytest.raises(sim.SimError, match="from 0 up, found -1"):
        sim.replay(FIGHT, run=-1)
