"""tune with several knobs, searched by optuna: runs where the extra [tune] is installed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import sim
from sim.runs import workers
from sim.studies.cards import Bundle

pytest.importorskip("optuna", reason="the extra [tune] is not installed")

SEARCH: dict[str, Any] = {"search": "optuna", "precision": 3, "jobs": 1, "progress": False}
OVERHILL = "overhill/playtest-1", {"enemies.skeleton.count": [1, 10], "enemies.zombie.count": [1, 4]}
P52 = "p52/duel", {"enemies[0].max_hp": [4, 200], "enemies[0].movement": [0, 3]}


@pytest.mark.parametrize(("fight", "knobs", "trials"), [(*OVERHILL, 30), (*P52, 15)])
def test_the_target_is_found_with_the_fewest_changes_and_holds_with_other_luck(
    fight: str, knobs: dict[str, list[int]], trials: int
) -> None:
    answer = sim.tune(fight, knobs, "win_rate=0.65", trials=trials, **SEARCH)

    assert answer.facts["reachable"]
    assert list(answer.facts["values"]) == [next(iter(knobs))]
    assert answer.settings["search"] == "optuna"
    again = sim.run(fight, set=answer.facts["values"], runs=4_000, seed=99, jobs=1, progress=False)
    slack = 4 * (0.65 * 0.35 * (1 / 4_000 + 1 / 2_000)) ** 0.5  # two rates of that many runs
    assert abs(again.win_rate.value - answer.facts["confirmed"]) < slack
    assert abs(again.win_rate.value - 0.65) < 2 * 0.03 + slack


def test_all_knobs_are_turned_where_it_takes_all() -> None:
    knobs = {"enemies.skeleton.count": [3, 5], "enemies.zombie.count": [2, 4]}

    answer = sim.tune("overhill/playtest-1", knobs, "win_rate=0.6", trials=30, **SEARCH)

    assert answer.facts["reachable"]
    assert len(answer.facts["values"]) == 2
    assert "takes 2 of 2 knobs" in answer.verdicts[0]


def test_a_knob_may_be_a_real_number_and_values_that_the_game_refuses_are_passed_over() -> None:
    knobs = {"switches.ep_mult": [0.5, 3.5], "level": [1, 2]}
    refused = {"enemies.skeleton.count": [0.5, 6.5]}  # a count is whole

    scaled = sim.tune("second_era/se_clash_scaled", knobs, "win_rate=0.5", trials=6, **SEARCH)
    nothing = sim.tune("overhill/playtest-1", refused, "win_rate=0.5", trials=5, **SEARCH)

    assert scaled.verdicts
    assert nothing.facts["values"] == {}
    assert not nothing.facts["reachable"]


def test_a_target_out_of_reach_is_called_that() -> None:
    knobs = {"enemies.skeleton.count": [3, 4], "enemies.zombie.melee": [4, 5]}

    answer = sim.tune("overhill/playtest-1", knobs, "win_rate=0.2", trials=8, **SEARCH)

    assert not answer.facts["reachable"]
    assert answer.verdicts[0].startswith("No values within the spans give a win rate of 20 %; the nearest: ")


def test_the_same_seed_takes_the_same_way_so_that_it_can_be_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fight, knobs = OVERHILL
    at_once = sim.tune(fight, knobs, "win_rate=0.65", trials=12, out=tmp_path, **SEARCH)
    played: list[Bundle] = []
    monkeypatch.setattr(workers, "play_piece", played.append)

    again = sim.tune(fight, knobs, "win_rate=0.65", trials=12, out=tmp_path, resume=True, **SEARCH)

    assert again.tables == at_once.tables
    assert again.effort.resumed == at_once.effort.encounters
    assert played == []
