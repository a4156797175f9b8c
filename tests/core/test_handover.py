"""A fight goes on in other hands: the same table, another policy."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from sim.core.branch import Fork, at_start_of, branch, chances_of_fork, play_fork
from sim.core.engine import in_order, play
from sim.core.handover import handed_over
from sim.core.telling import Recorder
from sim.errors import InputError
from sim.scenario import load
from sim.testing import assert_same

SEED = 5
RUNS = np.arange(30)

# Fights in which nothing before the first round asks the policy, and whose policies differ in what they do.
DECIDED_IN_ROUNDS = {
    "p52/hall-scaling": ["switches.drop_mode=off"],  # else a side may have a turn before round 1
    "brimstone/tentacle_hall": [],
    "second_era/se_wolves": [],
    "overhill/gobbo-trio": [],
}


@pytest.mark.parametrize("name", DECIDED_IN_ROUNDS)
def test_another_policy_from_round_1_on_is_the_fight_with_that_policy(name):
    fight = load(name, sets=DECIDED_IN_ROUNDS[name])
    fights = [fight.changed(policy=policy) for policy in list(fight.ruleset.policies)[-3:]]

    for first, second in pairwise([*fights, fights[0]]):
        if fight.ruleset_name == "overhill" and formation(first) != formation(second):
            continue  # it is taken up before the first round
        expected = play(second.encounter(), SEED, RUNS)
        handed = handed_over(at_start_of(first.encounter(), SEED, RUNS, 1), second.encounter())

        assert_same(in_order(list(handed.play())), expected, f"{first.policy}, then {second.policy}")


def formation(fight):
    return fight.encounter().player.plan.formation


@pytest.mark.parametrize("name", ["p52/duel", "brimstone/tentacle_hall", "second_era/se_wolves", "overhill/playtest-1"])
def test_the_same_policy_from_any_round_on_changes_nothing(name):
    fight = load(name)
    other = fight.changed(sets=["title=Another name"])  # compiled anew
    rounds = play(fight.encounter(), SEED, RUNS).rounds
    runs = RUNS[rounds >= 3]

    same = branch(fight.encounter(), SEED, runs, 3, 4)
    handed = branch(fight.encounter(), SEED, runs, 3, 4, then=other.encounter())

    assert fight.encounter() is not other.encounter()
    assert_same(handed, same, "handed over to the same policy")


def test_the_accounts_of_abilities_that_only_one_policy_uses_find_their_rows():
    fight = load("second_era/se_wolves")
    one, other = fight.encounter(), fight.changed(policy="random").encounter()
    assert one.cast != other.cast
    trunk = at_start_of(one, SEED, np.array([3]), 3)

    ledger = handed_over(trunk, other).state.ledger

    for row, ability in enumerate(other.cast.abilities):
        before = [
            trunk.state.ledger.uses[place]
            for place, known in enumerate(one.cast.abilities)
            if (known.unit, known.name) == (ability.unit, ability.name)
        ]
        assert_array_equal(ledger.uses[row], before[0] if before else [0])


def test_another_fight_is_refused():
    fight = load("overhill/playtest-1")
    trunk = at_start_of(fight.encounter(), SEED, np.array([3]), 2)

    with pytest.raises(InputError, match="only the policy may differ"):
        handed_over(trunk, load("overhill/gobbo-trio").encounter())


@pytest.mark.parametrize("policy", [None, "cautious"])
def test_a_continuation_that_is_told_ends_as_it_does_among_many(policy):
    fight = load("overhill/playtest-1", sets=["enemies[0].count=7"])
    then = None if policy is None else fight.changed(policy=policy).encounter()
    many = branch(fight.encounter(), SEED, np.array([3]), 2, 6, then=then)

    for continuation in range(6):
        tell = Recorder()
        one = play_fork(fight.encounter(), SEED, 3, Fork(2, continuation), tell, then)

        assert one.outcome[0] == many.outcome[continuation]
        assert_array_equal(one.hp[:, 0], many.hp[:, continuation])
        assert [event.round for event in tell.events][-1] == one.rounds[0]


def test_a_continuation_begins_as_the_run_does():
    fight = load("overhill/playtest-1").encounter()
    whole, forked = Recorder(), Recorder()

    play(fight, SEED, np.array([3]), whole)
    play_fork(fight, SEED, 3, Fork(2, 0), forked)

    first = [event for event in whole.events if event.round < 2]
    assert forked.events[: len(first)] == first
    assert forked.events != whole.events


def test_the_chances_along_a_continuation_are_those_of_its_rounds():
    fight = load("overhill/playtest-1", sets=["enemies[0].count=7"])
    encounter, then = fight.encounter(), fight.changed(policy="cautious").encounter()

    along = chances_of_fork(encounter, SEED, 3, Fork(2, 1), 50)
    other = chances_of_fork(encounter, SEED, 3, Fork(2, 1), 50, then)

    assert along.rounds == play_fork(encounter, SEED, 3, Fork(2, 1), Recorder()).rounds[0]
    assert_array_equal(along.ended[1], branch(encounter, SEED, np.array([3]), 2, 50).outcome)
    assert_array_equal(along.ended[0], branch(encounter, SEED, np.array([3]), 1, 50).outcome)
    assert_array_equal(other.ended[0], along.ended[0])
    assert other.outcome == play_fork(encounter, SEED, 3, Fork(2, 1), Recorder(), then).outcome[0]


def test_a_continuation_that_has_no_number_is_refused():
    with pytest.raises(InputError, match="expected the number of a continuation, 0 to 1,048,575, found -1"):
        play_fork(load("overhill/playtest-1").encounter(), SEED, 3, Fork(1, -1), Recorder())
