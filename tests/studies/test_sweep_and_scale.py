"""sweep and scale: curves with intervals, lines of equal outcome, breaks."""

from __future__ import annotations

import pytest

import sim
from sim.errors import InputError, ScenarioError
from sim.results.statistics import Estimate
from sim.studies.crossings import crossings
from sim.studies.variants import knob_values, parse_knob, span_values


def test_every_point_is_what_a_run_of_its_own_gives(playtest: sim.Scenario) -> None:
    answer = sim.sweep(playtest, {"enemies.skeleton.count": [3, 8]}, runs=2_000, seed=4, progress=False)

    for row in answer.table("points").rows:
        count = row["enemies.skeleton.count"]
        alone = sim.run(playtest, runs=2_000, seed=4, set={"enemies.skeleton.count": count})
        assert row["win_rate"] == alone.win_rate


def test_points_near_certainty_take_fewer_runs(playtest: sim.Scenario) -> None:
    answer = sim.sweep(playtest, {"enemies.skeleton.count": [1, 8]}, precision=1.5, progress=False)

    runs = [row["runs"] for row in answer.table("points").rows]
    assert runs[0] < runs[1]
    assert all(row["win_rate"].margin <= 0.015 for row in answer.table("points").rows)
    assert answer.effort.otherwise == 2 * runs[1] > answer.effort.encounters


def test_lines_of_equal_outcome_lie_between_the_points(playtest: sim.Scenario) -> None:
    answer = sim.sweep(playtest, {"enemies.skeleton.count": range(5, 9)}, runs=4_000, iso=[0.65], progress=False)

    (line,) = answer.table("lines").rows
    assert 6.5 < line["at"].low < line["at"].value < line["at"].high < 7.5
    assert answer.verdicts[0].startswith("A fair challenge at one point; six skeletons: 7")
    assert answer.verdicts[2].startswith("Nearest to 65 %: seven skeletons, 6")


def test_two_knobs_make_a_grid(playtest: sim.Scenario) -> None:
    knobs = {"enemies.skeleton.count": {"from": 5, "to": 7}, "policy": ["plain", "cautious"]}

    answer = sim.sweep(playtest, knobs, runs=500, progress=False)

    found = {(row["enemies.skeleton.count"], row["policy"]) for row in answer.table("points").rows}
    assert found == {(count, policy) for count in (5, 6, 7) for policy in ("plain", "cautious")}


def test_all_points_are_checked_before_one_is_played(playtest: sim.Scenario) -> None:
    with pytest.raises(ScenarioError) as caught:
        sim.sweep(playtest, {"level": range(9, 13)}, progress=False)

    assert len(caught.value.problems) == 2
    with pytest.raises(InputError, match="one or two knobs"):
        sim.sweep(playtest, {}, progress=False)
    with pytest.raises(InputError, match="from, to"):
        sim.sweep(playtest, {"level": {"from": 1}}, progress=False)


def test_knobs_are_read_as_typed() -> None:
    assert parse_knob("level=1..3").values == (1, 2, 3)
    assert knob_values("1..9/4") == (1, 5, 9)
    assert knob_values("0.5..1/0.25") == (0.5, 0.75, 1.0)
    assert knob_values("2d6, 3") == ("2d6", 3)
    assert len(span_values(0.0, 0.9)) == 10
    for wrong in ("level", "level=", "level=3..1", "level=a..b", "=3"):
        with pytest.raises(InputError):
            parse_knob(wrong)


def test_a_crossing_has_an_interval_from_its_neighbours() -> None:
    def point(value: float) -> Estimate:
        return Estimate(value, value - 0.01, value + 0.01, 1_000)

    (found,) = crossings([(1, point(0.9)), (2, point(0.7)), (3, point(0.5))], 0.6)

    assert found.at.value == pytest.approx(2.5)
    assert found.at.margin == pytest.approx(0.01 * 0.5**0.5 / 0.2)
    assert not found.rising
    assert crossings([(1, point(0.9)), (2, point(0.7))], 0.5) == []
    assert len(crossings([(1, point(0.2)), (2, point(0.6)), (3, point(0.2))], 0.4)) == 2


def test_levels_that_make_the_fight_harder_are_flagged(ladder_fight: sim.Scenario) -> None:
    answer = sim.scale(ladder_fight, range(1, 6), policies=["plain", "cautious"], runs=2_000, progress=False)

    assert {(one["line"], one["to"]) for one in answer.facts["breaks"]} == {
        (line, level) for line in ("plain", "cautious") for level in (3, 5)
    }
    assert "it gets harder at level 3" in answer.verdicts[0]
    assert len(answer.table("levels").rows) == 10
    assert len(answer.table("steps").rows) == 8


def test_a_fight_that_only_gets_easier_has_no_break(playtest: sim.Scenario) -> None:
    answer = sim.scale(playtest, [1, 2, 4], runs=2_000, progress=False)

    assert answer.facts["breaks"] == []
    assert "no level makes the fight harder" in answer.verdicts[0]


def test_parties_are_lines_beside_that_of_the_fight_itself(playtest: sim.Scenario) -> None:
    warriors = {"four warriors": {"heroes": [{"class": "warrior"}] * 4}}

    added = sim.scale(playtest, [1, 2], parties=warriors, runs=200, progress=False)
    named = sim.scale(playtest, [1, 2], parties=warriors | {"as written": {}}, runs=200, progress=False)
    both = sim.scale(playtest, [1, 2], parties=warriors, policies=["plain"], runs=200, progress=False)

    assert added.settings["lines"] == ["as it is", "four warriors"]
    assert named.settings["lines"] == ["four warriors", "as written"]
    assert both.settings["lines"] == ["as it is, plain", "four warriors, plain"]
    as_it_is = [row["win_rate"] for row in added.table("levels").rows if row["line"] == "as it is"]
    assert as_it_is == [row["win_rate"] for row in named.table("levels").rows if row["line"] == "as written"]


def test_scale_says_what_it_cannot_climb(playtest: sim.Scenario) -> None:
    with pytest.raises(ScenarioError, match="is the name of the fight as it is"):
        sim.scale(playtest, [1, 2], parties={"as it is": {}}, progress=False)
    with pytest.raises(InputError, match="two levels"):
        sim.scale(playtest, [3], progress=False)
    with pytest.raises(ScenarioError, match="level"):
        sim.scale(playtest, [9, 11], progress=False)


def test_the_sentences_of_scale_have_the_confidence_asked_for(ladder_fight: sim.Scenario) -> None:
    answer = sim.scale(ladder_fight, [4, 5], runs=500, confidence=0.999, progress=False)

    assert "99.9 % interval " in answer.verdicts[0]


def test_scale_says_where_the_limit_of_runs_came_before_the_precision(ladder_fight: sim.Scenario) -> None:
    vague = sim.scale(ladder_fight, [1, 3], precision=0.5, max_runs=2_000, progress=False)
    fixed = sim.scale(ladder_fight, [1, 3], runs=500, progress=False)

    assert "as it is: 2,000 runs were the limit; the win rates are known to ±" in vague.warnings[0]
    assert fixed.warnings == []


def test_a_sweep_over_one_die_keeps_the_other_dice() -> None:
    fight = sim.load("second_era/se_patrol")
    dice = fight.resolved()["heroes"][0]["dice"]

    answer = sim.sweep(fight, {"heroes.archer.dice.combat": [2, 3]}, runs=500, seed=4, progress=False)

    as_it_is, one_more = (row["win_rate"] for row in answer.table("points").rows)
    assert as_it_is == sim.run(fight, runs=500, seed=4).win_rate
    assert one_more == sim.run(fight, runs=500, seed=4, set={"heroes.archer.dice": dice | {"combat": 3}}).win_rate


def test_a_sweep_may_begin_with_nobody_at_all() -> None:
    answer = sim.sweep("overhill/duel-skeleton", {"enemies[0].count": [0, 1, 2]}, runs=300, progress=False)

    assert answer.verdicts[1].startswith("The win rate goes from ")
    assert "no skeletons" not in " ".join(answer.verdicts)
    assert len(answer.tables[0].rows) == 3
