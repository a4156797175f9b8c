"""Chases that can have no end are ended at once, with the tables of runs that are played to the round cap (P52-T6)."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest

import sim
from sim.core import stalemates
from sim.core.batch import only
from sim.core.engine import Encounter, Lockstep, in_order, play, play_batches
from sim.core.lanes import Lanes, Row, Whole, which
from sim.core.luck import Luck, Words
from sim.core.outcomes import Outcomes
from sim.core.pilot import learned
from sim.core.stalemates import table_of
from sim.rulesets.p52.encounter import P52Encounter
from sim.rulesets.p52.state import State
from sim.scenario import Scenario, from_dict
from sim.testing import assert_same
from tests.oracle.random_p52 import random_scenario

NEVER = 10_000
LATER = 20  # rounds
CAP = 40  # of random chases: enough for some to stand still
SHIPPED = {  # runs of seed 1, among them stalemates
    "p52/hall-scaling": [1, 70, 130, 169, 225],
    "p52/apprentice-den": [0, 43, 52, 74],
}
LONG = {
    "p52/mountain-pass": [0, 1, 5, 9, 14, 34, 35, 74, 79],  # a gauntlet: runs are at odds about the round
    "p52/over-the-pass": [0, 26, 40, 42, 49],  # an adventure
    "p52/great-room": [0, 303, 500, 1000],
}


@pytest.fixture
def ended(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many runs were ended early, each time that some were."""
    found: list[int] = []
    break_off = P52Encounter.break_off

    def counted(self: P52Encounter, s: State, at: Lanes) -> None:
        found.append(len(at))
        break_off(self, s, at)

    monkeypatch.setattr(P52Encounter, "break_off", counted)
    return found


def played_out(encounter: Encounter[Any], seed: int, runs: Whole) -> Outcomes:
    """The same runs, every round of them."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(stalemates, "PATIENCE", NEVER)
        return play(encounter, seed, runs)


@pytest.mark.parametrize("name", [*SHIPPED, *(pytest.param(name, marks=pytest.mark.soak) for name in LONG)])
def test_stalemates_of_shipped_fights_end_as_if_they_were_played_on(name: str, ended: list[int]) -> None:
    runs = np.array((SHIPPED | LONG)[name])
    encounter = sim.load(name).encounter()

    found = play(encounter, 1, runs)

    assert_same(found, played_out(encounter, 1, runs), name)
    assert name == "p52/great-room" or sum(ended) >= 3


def chase(seed: int) -> Scenario:
    """A random fight of few in the hall, where enemies have room to flee: with random switches, in one room or two."""
    chance = random.Random(seed)
    cards = chance.sample(["K hearts", "K diamonds", "K spades", "K clubs", "J clubs", "Q clubs", "J diamonds"], 2)
    enemies = [{"card": card, "spot": [2, y]} for y, card in enumerate(cards)]
    limit = chance.choice(["none", "none", "none", 2])
    rooms = chance.random() < 0.3
    return from_dict(
        {
            "ruleset": "p52",
            "title": f"Chase {seed}",
            "policy": chance.choice(["brawler", "focus_fire", "medic", "guardian", "sniper"]),
            "level": chance.randint(1, 4),
            "switches": random_scenario(seed)["switches"] | {"flee_limit": limit, "round_cap": CAP},
            "board": "hall",
            "heroes": [{"class": chance.choice(["fighter", "rogue", "captain"])} for _ in range(chance.randint(1, 2))],
        }
        | ({"encounters": [{"board": "hall", "enemies": enemies}] * 2} if rooms else {"enemies": enemies})
    )


def compare_chases(seeds: Iterable[int], runs: int) -> None:
    for seed in seeds:
        encounter = chase(seed).encounter()

        found = play(encounter, seed, np.arange(runs))

        assert_same(found, played_out(encounter, seed, np.arange(runs)), f"chase {seed}")


def test_random_chases_end_as_if_they_were_played_on(ended: list[int]) -> None:
    compare_chases((2, 17, 29, 33), 16)

    assert sum(ended) >= 8


@pytest.mark.soak
def test_many_random_chases_end_as_if_they_were_played_on(ended: list[int]) -> None:
    compare_chases(range(40, 400), 24)

    assert sum(ended) > 100


@pytest.mark.soak
@pytest.mark.parametrize("level", [1, 5])
@pytest.mark.parametrize("policy", ["brawler", "focus_fire"])
def test_thousands_of_runs_in_the_hall_end_as_if_they_were_played_on(level: int, policy: str) -> None:
    encounter = sim.load("p52/hall-scaling", policy=policy, set={"level": level}).encounter()

    found = play(encounter, 1, np.arange(4_000))

    assert_same(found, played_out(encounter, 1, np.arange(4_000)), policy)


def test_known_luck_and_joined_batches_are_as_if_they_were_played_on(ended: list[int]) -> None:
    encounter = sim.load("p52/hall-scaling", set={"level": 3, "switches.round_cap": CAP}).encounter()
    worths = learned(encounter, 1, runs=64)
    runs = np.arange(48)
    ended.clear()

    found = in_order(list(play_batches(encounter, 1, np.split(runs, 3), worths=worths)))

    assert sum(ended) > 0
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(stalemates, "PATIENCE", NEVER)
        assert_same(found, in_order(list(play_batches(encounter, 1, [runs], worths=worths))), "known luck")


def test_a_policy_that_asks_for_the_round_is_played_on() -> None:
    asking, plain = (sim.load("p52/hall-scaling", policy=policy).encounter() for policy in ("guardian", "brawler"))

    states = [encounter.start(Luck.of(1, np.arange(2)), None) for encounter in (asking, plain)]

    assert asking.endless(states[0]) is None
    assert plain.endless(states[1]) is not None


def test_flights_count_on_only_where_nobody_asks_for_them() -> None:
    limited, free = (
        sim.load("p52/hall-scaling", set={"switches.flee_limit": limit}).encounter() for limit in (2, "none")
    )

    assert "fled" in free.clocks
    assert "fled" not in limited.clocks


class TimelessLuck(Luck):
    """Luck that is the same in every round."""

    __slots__ = ()

    def only(self, keep: Any) -> TimelessLuck:
        """The luck of some of the runs."""
        return TimelessLuck(self.keys[keep])

    def bits(
        self, purpose: str, round: int | Whole, actor: int | Whole, index: Row = 0, at: Whole | None = None
    ) -> Words:
        """Whatever the round is."""
        return super().bits(purpose, 0, actor, index, at)


@pytest.mark.parametrize("seed", [2, 3, 17])
def test_no_rule_reads_a_clock(seed: int) -> None:
    """With luck that knows no rounds, runs go on alike from a later round, after more flights."""
    encounter = chase(seed).encounter()
    batch = Lockstep.started(encounter, np.arange(40), TimelessLuck(Luck.of(seed, np.arange(40)).keys))
    list(batch.play(until=3))
    own = batch.state
    later = only(own, own.everyone)
    later.round += LATER
    later.rounds += np.int16(LATER)
    later.stage_round[later.stage_round > 0] += np.int16(LATER)
    if "fled" in encounter.clocks:
        later.fled += np.int16(5)

    for state in (own, later):
        for _ in range(12):
            state.round += 1
            encounter.play_round(state)

    here = own.live & (own.stage == own.stage[0])
    at = which(here)
    assert len(at) > 0
    clocks = encounter.clocks | {"ledger", "room_rounds"}  # rounds are written down there, and not read
    for mine, theirs in zip(table_of(only(own, at), clocks), table_of(only(later, at), clocks), strict=True):
        assert (mine == theirs).all()
