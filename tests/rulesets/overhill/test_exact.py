"""The exact solver: the specification's exact encounters, its limits, and the engine beside it."""

from __future__ import annotations

import os
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import sim
from sim.core.engine import play
from sim.core.outcomes import Outcome
from sim.core.ruleset import ExactResult
from sim.errors import NotSolvable
from sim.rulesets.overhill import RULESET
from sim.rulesets.overhill.exact.solver import MOST_FRACTIONS, solve
from sim.rulesets.overhill.schema import OverhillScenario
from sim.scenario import from_dict
from tests.rulesets.overhill.exact_fights import FRACTIONS, KNOWN, STANDING
from tests.rulesets.overhill.fights import STANDARD_PARTY, table

SMALL = [name for name in KNOWN if name != "X11"]
SOAK = pytest.mark.skipif(not os.environ.get("FAIRFIGHT_SOAK"), reason="half a minute; set FAIRFIGHT_SOAK=1 to run it")
RUNS = 100_000


def exact(scenario: dict[str, Any], **limits: int) -> ExactResult:
    model = from_dict(scenario).model
    assert isinstance(model, OverhillScenario)
    return solve(model, RULESET.switches(model), **limits)


def check(name: str) -> ExactResult:
    """Solve an encounter of the specification and compare every number that is known."""
    known = KNOWN[name]
    found = exact(known.scenario, most_fractions=MOST_FRACTIONS if name in FRACTIONS else 0)
    others = found.others
    assert others is not None
    assert float(found.win) == pytest.approx(known.win, abs=6e-13)
    assert others["nobody_down"] == pytest.approx(known.win if known.up is None else known.up, abs=6e-13)
    assert found.rounds == pytest.approx(known.rounds, abs=6e-13)
    if name in STANDING:
        assert others["standing"] == pytest.approx(STANDING[name], abs=6e-13)
    return found


# The specification's encounters.


@pytest.mark.parametrize("name", SMALL)
def test_the_exact_encounters_of_the_specification(name: str) -> None:
    found = check(name)

    if name in FRACTIONS:
        assert found.win == FRACTIONS[name]
    assert found.win + found.loss == 1
    assert found.draw == 0


@SOAK
def test_the_playtest_itself() -> None:
    found = check("X11")

    assert isinstance(found.win, float)
    assert found.states == 69_617


def test_the_smallest_chance_to_lose_is_exact_too() -> None:
    found = exact(KNOWN["X06"].scenario)

    assert isinstance(found.loss, Fraction)
    assert float(found.loss) == pytest.approx(5.360372e-13, rel=1e-6)


def test_the_duel_by_hand() -> None:
    # A round kills with 3/4, else the skeleton hits with 3/8: a hit comes before the kill with 1/9; four are needed.
    assert sim.exact("overhill/duel-skeleton").win == 1 - Fraction(1, 9) ** 4


# Fractions and doubles.


@pytest.mark.parametrize("name", ["X03", "X05a", "X07c", "X08a", "X09", "X10"])
def test_doubles_come_to_what_fractions_come_to(name: str) -> None:
    in_doubles = exact(KNOWN[name].scenario, most_fractions=0)

    assert isinstance(in_doubles.win, float)
    assert in_doubles.win == pytest.approx(KNOWN[name].win, abs=6e-13)
    assert "double precision" in in_doubles.notes[0]


def test_dice_for_a_count_are_a_mixture_of_the_counts() -> None:
    fixed = [exact(table(["warrior"], [("skeleton", count)])).win for count in (1, 2, 3, 4)]

    mixed = exact(table(["warrior"], [("skeleton", "1d4")]))

    assert mixed.win == sum(fixed) / 4


def test_an_empty_room_is_left_out_of_the_rate() -> None:
    mixed = exact(table(["warrior"], [("skeleton", "1d2-1")]))

    assert mixed.win == exact(table(["warrior"], [("skeleton", 1)])).win


def test_a_trap_is_taken_into_account() -> None:
    frail = {"class": "warrior", "health": 1}

    found = exact(table([frail], [("skeleton", 1)], trap=True))

    without = exact(table([frail], [("skeleton", 1)]))
    assert found.win == without.win * Fraction(2, 3)  # a d6 of 1 or 2 is caught, and any damage is enough


# The engine beside it.

BESIDE: dict[str, dict[str, Any]] = {
    "X03": KNOWN["X03"].scenario,
    "X05a": KNOWN["X05a"].scenario,
    "X07": KNOWN["X07"].scenario,
    "X08a": KNOWN["X08a"].scenario,
    "X09": KNOWN["X09"].scenario,
    "X10": KNOWN["X10"].scenario,
    "frenzy, a knight and a shared assault": table(
        [{"class": "warrior", "feats": ["frenzy", "accept_the_blade"], "level": 2}, "rogue"],
        [("skeleton", 3), ("zombie", 3)],
        policy_options={"warrior_frenzy": True},
        switches={"monster_targeting": "spread"},
    ),
    "archers, a leader and a narrow room": table(
        ["warrior", {"class": "rogue", "health": 4}, "magic_user"],
        [("gobbo", 2), ("gobbo_warchief", 1), ("gobbo_archer", 2)],
        room="narrow",
        switches={"melee_reach": "outnumber", "rear_modifier": "defensive", "party_choice": "best_for_party"},
    ),
    "a trap, dice for counts and a draft": table(
        ["warrior", "priest"],
        [("skeleton", "1d4"), ("ghoul", 2)],
        trap=True,
        preset="may-draft",
        switches={"bestiary": "revised", "difficulty_check": "exceed", "monster_damage": "margin"},
    ),
    "first round sneak, aggressive among ghouls": table(
        [{"class": "rogue", "health": 4}, {"class": "warrior", "health": 6}],
        [("ghoul", 4), ("wight", 2)],
        policy_options={"rogue_sneak": True, "stance": "aggressive"},
        switches={"sneak_attack_use": "first_round", "defense_die": "best"},
    ),
    "a sneak with a club among skeletons": table(
        [{"class": "rogue", "melee_tag": "blunt"}, "warrior"],
        [("skeleton", 5)],
        policy_options={"rogue_sneak": True},
        switches={"opening_defence": "weapon"},
    ),
    "a room of its own and heroes in given places": table(
        [{"class": "warrior", "guard": "rear"}, {"class": "rogue", "guard": "front"}, "priest", "magic_user"],
        [("zombie", 3), ("skeleton", 2)],
        room="narrow",
        rear_ratio="2/3",
        front_max=3,
    ),
    "a caster with mishaps of another kind": table(
        [{"class": "magic_user", "smart": 4, "guard": "rear"}, "warrior"],
        [("zombie", 2)],
        rear_ratio=1,
        mishap_table={
            "fizzle": {"up_to": 2},
            "backlash": {"damage": "2d3", "darts_lost": True},
            "strain": {"damage": 1},
        },
    ),
    "a caster in front who may burn out": table(
        [{"class": "magic_user", "smart": 4}, "priest"],
        [("zombie", 2)],
        switches={"dart_position": "any", "dart_level": 2, "one_is": "literal", "dart_roll": "same_roll"},
    ),
}


@pytest.mark.parametrize("name", BESIDE)
def test_the_engine_plays_what_the_solver_says(name: str) -> None:
    scenario = BESIDE[name]
    found = exact(scenario, most_fractions=0)
    others = found.others
    assert others is not None

    outcomes = play(from_dict(scenario).encounter(), 99, np.arange(RUNS))

    won = outcomes.outcome == Outcome.WIN
    standing = outcomes.counts["standing"]
    unhurt = won & (standing == len(scenario["heroes"]))
    for played, expected in (
        (won, float(found.win)),
        (unhurt, others["nobody_down"]),
        (standing, others["standing"]),
        (outcomes.rounds, found.rounds),
    ):
        assert abs(played.mean() - expected) < 4 * played.std() / np.sqrt(RUNS)


# What it does not take.


@pytest.mark.parametrize(
    ("changes", "reason", "remedy"),
    [
        ({"policy": "cautious"}, "'cautious'", "--policy plain"),
        ({"policies": {"plain": {"about": "mine", "action": []}}}, "of its own", "another name"),
        ({"policy_options": {"engage": "talk"}}, "'talk'", "engage=attack"),
        ({"surprise": True}, "before it", "surprise=false"),
        ({"enemies": [{"type": "gobbo", "count": 0}]}, "nobody to fight", "Raise a count"),
        (
            {"enemies": [{"type": "gobbo", "count": 1, "melee": 0, "defence": 99}]},
            "never ends without a round cap",
            "fairfight run",
        ),
    ],
)
def test_a_fight_it_does_not_take_is_refused_with_reason_and_remedy(
    changes: dict[str, Any], reason: str, remedy: str
) -> None:
    with pytest.raises(NotSolvable) as caught:
        exact(table(["warrior"], [("gobbo", 1)]) | changes)

    assert reason in str(caught.value)
    assert remedy in str(caught.value)


def test_an_encounter_table_is_refused() -> None:
    with pytest.raises(NotSolvable, match="encounter tables"):
        sim.exact("overhill/gobbo-dungeon", policy="plain")


@pytest.mark.parametrize(
    ("scenario", "most_states", "reason"),
    [
        (table(STANDARD_PARTY, [("skeleton", 5), ("zombie", 3)]), 10_000, "about 51,840 by a first count"),
        (KNOWN["X10"].scenario, 1_000, "more than 1,000 states"),
        (table(["warrior"] * 12, [("gobbo", 20), ("zombie", 20)]), 10**30, "ways in which one hero phase can go"),
        (table(["warrior"], [("gobbo", "20d6"), ("zombie", "20d6")]), 10**30, "numbers can be rolled"),
    ],
)
def test_a_fight_that_is_too_large_is_refused_with_its_size(
    scenario: dict[str, Any], most_states: int, reason: str
) -> None:
    with pytest.raises(NotSolvable, match="too many different situations") as caught:
        exact(scenario, most_states=most_states, most_fractions=1)

    assert reason in str(caught.value)
    assert "fairfight run" in str(caught.value)


def test_the_limit_of_states_is_the_number_of_states() -> None:
    states = exact(KNOWN["X03"].scenario).states

    assert exact(KNOWN["X03"].scenario, most_states=states).states == states
    with pytest.raises(NotSolvable):
        exact(KNOWN["X03"].scenario, most_states=states - 1)
