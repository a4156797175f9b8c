"""The loop: runs in any order, compaction, the recorder."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from sim.core.engine import in_order, play, play_batches
from sim.core.telling import ROUND_ENDS, START, Recorder
from sim.scenario import load
from sim.testing import assert_same


@pytest.fixture(scope="module")
def fight():
    return load("overhill/crypt-swarm").encounter()


def test_runs_come_back_in_the_order_asked_for(fight):
    asked = np.array([7, 3, 5, 3_000_000_000, 0])

    outcomes = play(fight, 1, asked)

    assert_array_equal(outcomes.run, asked)


def test_a_huge_batch_equals_its_parts(fight):
    whole = play(fight, 1, np.arange(600))

    parts = [play(fight, 1, np.arange(start, start + 150)) for start in range(0, 600, 150)]

    for field in ("outcome", "rounds", "hp", "damage"):
        together = np.concatenate([getattr(part, field) for part in parts], axis=-1)
        assert_array_equal(together, getattr(whole, field))


def test_no_run_is_lost_while_batches_wait_for_each_other_at_different_rounds(fight):
    whole = play(fight, 1, np.arange(600))

    for parts in (2, 6, 30, 200):  # the smaller the batches, the more their rounds differ, and some end at once
        joined = in_order(list(play_batches(fight, 1, np.array_split(np.arange(600), parts))))

        assert_same(joined, whole, f"600 runs in {parts} batches")


def test_the_recorder_hears_one_run_and_changes_nothing(fight):
    recorder = Recorder()

    told = play(fight, 1, np.array([12]), recorder)

    assert_same(told, play(fight, 1, np.array([12])), "run 12")
    assert {event.round for event in recorder.events} == set(range(int(told.rounds[0]) + 1))
    assert all(event.rule.startswith("OU-") for event in recorder.events if event.kind not in (START, ROUND_ENDS))
