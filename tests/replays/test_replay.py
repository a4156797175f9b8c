"""Replaying from Python: what can be asked for."""

from __future__ import annotations

import re

import pytest

import sim
from sim.replays.replay import PICKS
from sim.runs.runner import run

FIGHT = "overhill/playtest-1"


def test_every_run_that_a_result_names_can_be_asked_for() -> None:
    result = run(sim.load(FIGHT, set={"switches.round_cap": 5}), runs=2_000, seed=3)

    assert set(result.picks) == set(PICKS)


def test_an_unknown_pick_is_refused_with_the_known_ones() -> None:
    with pytest.raises(sim.SimError, match="expected one of median, best, worst, closest, loss, draw, found 'odd'"):
        sim.replay(FIGHT, pick="odd")


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"run": -1}, "run: expected the number of a run, from 0 to 2**63 - 1, found -1"),
        ({"run": 2**63}, f"found {2**63}"),
        ({"run": 1, "seed": -1}, "seed: expected a whole number from 0 to 2**64 - 1, found -1"),
    ],
)
def test_run_numbers_and_seeds_that_do_not_exist_are_refused(asked: dict[str, int], message: str) -> None:
    with pytest.raises(sim.SimError, match=re.escape(message)):
        sim.replay(FIGHT, **asked)


@pytest.mark.parametrize(
    "fight", ["overhill/warband", "p52/corridor-ambush", "second_era/se_patrol", "brimstone/rat_ambush"]
)
def test_a_line_has_one_pair_of_parentheses_at_its_end_at_the_most(fight: str) -> None:
    lines = list(sim.replay(fight, run=3).lines())

    assert not [line for line in lines if "))" in line or ") (" in line]


def test_facts_are_told_as_people_say_them() -> None:
    story = " ".join(line.strip() for line in sim.replay("p52/corridor-ambush", run=3).lines())

    assert re.search(r"The (jack|queen|king) of \w+ hits the \w+ with [\w ,]+: \d+ damage, \d+ left\.", story)
    assert re.search(r"Turned up (A|[2-9]|10|J|Q|K)[♥♦♠♣] to hit \(\d+ or more needed, \d+ %\)", story)
    assert re.search(r"moves to \(\d+,\d+\)\.", story)


def test_a_stance_is_told_when_it_is_not_the_usual_one() -> None:
    lines = [*sim.replay("overhill/playtest-1", run=3).lines(), *sim.replay("overhill/warband", run=3).lines()]

    assert not [line for line in lines if "neutral" in line]
    assert "  The warrior fights aggressively." in lines


def test_a_telling_says_under_which_rules_it_was_played() -> None:
    fight = sim.load("overhill/playtest-1", preset="gentle", policy="cautious")

    told = sim.replay(fight, run=3).to_json()

    assert (told["ruleset"], told["preset"], told["policy"]) == ("overhill", "gentle", "cautious")
    assert (told["digest"], told["switches"]) == (fight.digest, fight.settings)
