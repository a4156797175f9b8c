"""tune: the value that gives the target, confirmed on fresh luck."""

from __future__ import annotations

import re
import sys

import pytest

import sim
from sim.errors import InputError, SimError
from sim.studies.curve import Span, span_of
from sim.studies.tune import parse_target


def test_a_whole_number_knob_is_tuned_and_confirmed(playtest: sim.Scenario) -> None:
    answer = sim.tune(playtest, "enemies.skeleton.count", "win_rate=0.65", precision=2, progress=False)

    facts = answer.facts
    assert facts["value"] == 7
    assert facts["reachable"]
    assert facts["monotone"]
    assert 6.5 < facts["passes_at_low"] < facts["passes_at"] < facts["passes_at_high"] < 7.3
    assert facts["confirmed"] == pytest.approx(0.64, abs=0.04)
    assert answer.settings["fresh_seed"] != answer.settings["seed"]
    found = r"Seven skeletons: 6\d\.\d % \(.* to .*\) on fresh luck, for a win rate of 65 %\."
    assert re.fullmatch(found, answer.verdicts[0])
    rest = re.fullmatch(r"The rest there: (3\d\.\d) % losses and 0\.0 % draws\.", answer.verdicts[-1])
    assert rest
    assert 100 * facts["confirmed_raw"] + float(rest[1]) == pytest.approx(100, abs=0.1)  # of the same fights


def test_a_number_that_may_be_nobody_at_all_is_tuned() -> None:
    answer = sim.tune("overhill/duel-skeleton", "enemies[0].count", "win_rate=0.65", precision=4, progress=False)

    assert answer.facts["value"] == 5
    assert answer.verdicts[0].startswith("Five skeletons: 6")


def test_a_target_out_of_reach_is_called_that(playtest: sim.Scenario) -> None:
    answer = sim.tune(playtest, "enemies.skeleton.melee", {"win_rate": 0.2}, high=6, precision=2, progress=False)

    assert not answer.facts["reachable"]
    assert answer.verdicts[0].startswith("No value from 0 to 6 gives a win rate of 20 %")
    assert answer.facts["value"] == 6


def test_only_what_the_game_takes_is_tried_and_the_rest_is_said() -> None:
    answer = sim.tune(
        "p52/duel", "enemies.0.hp", "win_rate=0.99", low=1, high=500, precision=5, max_runs=500, progress=False
    )

    most = sim.load("p52/duel").resolved()["enemies"][0]["max_hp"]
    tried = [row[answer.tables[0].columns[0].name] for row in answer.tables[0].rows]
    assert max(tried) == most
    assert f"The game does not take 500: expected 1 to {most}, which is its max_hp" in answer.warnings[0]


def test_a_curve_that_rises_and_falls_is_called_that(playtest: sim.Scenario) -> None:
    answer = sim.tune(playtest, "enemies.skeleton.count", "rounds=3", low=1, high=12, progress=False)

    assert not answer.facts["monotone"]
    assert "both rises and falls" in answer.warnings[0]
    assert "passed again at 10" in answer.warnings[0]
    assert answer.facts["value"] == 5


def test_several_knobs_are_turned_as_little_as_possible(playtest: sim.Scenario) -> None:
    knobs = {"enemies.skeleton.count": [1, 10], "enemies.zombie.melee": [3, 6]}

    answer = sim.tune(playtest, knobs, "win_rate=0.65", precision=2, progress=False)

    assert answer.facts["values"] == {"enemies.skeleton.count": 7}
    assert "takes 1 of 2 knobs: seven skeletons instead of three" in answer.verdicts[0]


def test_where_one_knob_does_not_reach_two_do(playtest: sim.Scenario) -> None:
    knobs = {"enemies.skeleton.count": [3, 5], "enemies.zombie.count": [2, 4]}

    answer = sim.tune(playtest, knobs, "win_rate=0.5", precision=3, progress=False)

    assert len(answer.facts["values"]) == 2


def test_optuna_is_an_extra(playtest: sim.Scenario, monkeypatch: pytest.MonkeyPatch) -> None:
    knobs = {"enemies.skeleton.count": [1, 10], "enemies.zombie.count": [1, 4]}
    monkeypatch.setitem(sys.modules, "optuna", None)  # as if it were not installed

    with pytest.raises(SimError, match=r"fairfight\[tune\]"):
        sim.tune(playtest, knobs, "win_rate=0.65", search="optuna", progress=False)


def test_targets_and_spans_are_checked(playtest: sim.Scenario) -> None:
    assert parse_target("win_rate=65%") == ("win_rate", 0.65)
    for wrong in ("win_rate=65", "winrate=0.5", "rounds=many", "0.65"):
        with pytest.raises(InputError, match="target"):
            parse_target(wrong)
    with pytest.raises(InputError, match="one measure"):
        sim.tune(playtest, "level", {"win_rate": 0.5, "rounds": 3}, progress=False)
    assert span_of(playtest, "enemies.skeleton.melee", None, None) == Span(0, 43, True)
    assert span_of(playtest, "level", None, None) == Span(1, 10, True)
    with pytest.raises(InputError, match="expected a number, found 'standard'"):
        span_of(playtest, "room", None, None)
    with pytest.raises(InputError, match="to turn the knob in"):
        span_of(playtest, "level", 5, 5)
    with pytest.raises(InputError):
        sim.tune(playtest, "enemies.ghost.count", "win_rate=0.5", low=1, high=9, progress=False)


def test_the_place_of_the_target_has_the_confidence_asked_for(playtest: sim.Scenario) -> None:
    widths = []
    for confidence in (0.8, 0.99):
        options = {"low": 6, "high": 8, "precision": 2, "confidence": confidence, "max_runs": 4_000, "progress": False}
        facts = sim.tune(playtest, "enemies.skeleton.count", "win_rate=0.65", **options).facts
        widths.append(facts["passes_at_high"] - facts["passes_at_low"])

    assert widths[1] > 1.2 * widths[0]
