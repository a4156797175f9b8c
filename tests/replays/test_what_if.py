"""What if from here: a run played on from a round, by its own policy and by another, with the same luck."""

from __future__ import annotations

import numpy as np
import pytest

from sim.core.branch import Fork, branch
from sim.core.outcomes import Outcome
from sim.errors import InputError
from sim.replays.chances import chance_from
from sim.replays.page import page_of
from sim.replays.replay import replay
from sim.replays.what_if import policies_of, what_if
from sim.results.statistics import paired_rates
from sim.scenario import Scenario, load


@pytest.fixture(scope="module")
def fight() -> Scenario:
    return load("overhill/playtest-1", sets=["enemies[0].count=7"])


def test_it_is_the_chance_from_that_round_on(fight: Scenario) -> None:
    found = what_if(fight, 17, 1, 2, 200)

    assert found.chance == chance_from(fight, 17, 1, 2, 200)
    assert found.sentences() == [f"{found.chance.sentence()}."]


def test_another_policy_meets_the_same_luck(fight: Scenario) -> None:
    found = what_if(fight, 17, 1, 2, 300, "cautious")
    other = fight.changed(policy="cautious").encounter()
    own = branch(fight.encounter(), 1, np.array([17]), 2, 300).outcome == Outcome.WIN
    wins = branch(fight.encounter(), 1, np.array([17]), 2, 300, then=other).outcome == Outcome.WIN

    assert found.other is not None
    assert found.other.wins == np.count_nonzero(wins)
    assert found.difference == paired_rates(np.count_nonzero(wins & ~own), np.count_nonzero(own & ~wins), 300)
    assert "With the policy cautious from there on, and the same luck, it wins" in found.sentences()[1]


def test_the_same_policy_makes_no_difference(fight: Scenario) -> None:
    few, many = what_if(fight, 17, 1, 2, 50, fight.policy), what_if(fight, 17, 1, 2, 2_000, fight.policy)

    assert few.other == few.chance
    assert "cannot be told from so few" in few.sentences()[1]
    assert "no difference that matters" in many.sentences()[1]


def test_the_continuation_to_watch_ends_otherwise_than_the_run_did(fight: Scenario) -> None:
    for run in range(6):
        itself, found = replay(fight, run, 1), what_if(fight, run, 1, 1, 200)

        told = replay(fight, run, 1, Fork(1, found.watch))

        assert told.outcome == found.ends != itself.outcome


def test_a_continuation_is_told_with_its_chances_and_says_where_it_leaves_the_run(fight: Scenario) -> None:
    told = replay(fight, 17, 1, Fork(2, 5), "cautious").with_chances(20)
    itself = replay(fight, 17, 1).with_chances(20)
    page = page_of(told)

    assert told.which == "run 17 of seed 1, other luck and the policy cautious from round 2 on (continuation 5)"
    assert next(told.lines()).endswith(told.which)
    assert told.chances[0] == itself.chances[0]
    assert len(told.chances) == told.rounds
    assert told.to_json()["fork"] == {"round": 2, "continuation": 5, "policy": "cautious"}
    assert "fork" not in itself.to_json()
    assert "--from-round=2 --continuation=5 --then-policy=cautious" in page
    assert "What if from here" not in page


def test_a_page_that_nobody_serves_shows_the_command(fight: Scenario) -> None:
    telling = replay(fight, 17, 1)
    alone, served = page_of(telling), page_of(telling, "/fight", "/what-if?run=17")

    command = "fairfight replay overhill/playtest-1 --set &#39;enemies[0].count=7&#39; --run=17 --seed=1"
    assert f'data-command="{command}"' in alone
    assert "connect-src" not in alone
    assert 'data-address="/what-if?run=17"' in served
    assert "connect-src 'self'" in served
    assert all(f'value="{policy}"' in served for policy in policies_of(fight))
    assert fight.policy not in policies_of(fight)


def test_what_cannot_be_asked_is_told(fight: Scenario) -> None:
    with pytest.raises(InputError, match="run 17 was over after round"):
        what_if(fight, 17, 1, 99, 10)
    with pytest.raises(InputError, match="--then-policy: unknown policy 'cautius'; did you mean 'cautious'"):
        what_if(fight, 17, 1, 1, 10, "cautius")
