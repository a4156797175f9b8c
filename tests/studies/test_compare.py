"""compare: differences with the same luck, verdicts in words, stopping as soon as it is known."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

import sim
from sim.errors import InputError, ScenarioError
from sim.results.statistics import Estimate
from sim.studies.measures import MEASURES, PairTally
from sim.studies.words import decided, verdict

MORE = {"enemies.skeleton.count": 4}
SHARPER = {"enemies.skeleton.melee": 4}


def test_a_harder_variant_is_called_harder(ladder_fight: sim.Scenario) -> None:
    answer = sim.compare(ladder_fight, {"one more": MORE}, progress=False)

    found = answer.row("differences", variant="one more")["win_rate"]
    assert isinstance(found, Estimate)
    assert answer.verdicts[0].startswith("one more is harder: -")
    assert found.high < 0
    assert answer.settings["stopped_when_known"]


def test_the_difference_is_that_of_two_runs_with_the_same_seed(ladder_fight: sim.Scenario) -> None:
    before = sim.run(ladder_fight, runs=4_000, seed=9)
    after = sim.run(ladder_fight, runs=4_000, seed=9, set=MORE)

    answer = sim.compare(ladder_fight, {"more": MORE}, runs=4_000, seed=9, progress=False)

    row = answer.row("differences", variant="more")
    assert row["win_rate"].value == pytest.approx(after.win_rate.value - before.win_rate.value)
    assert row["rounds"].value == pytest.approx(after.ending("rounds").value - before.ending("rounds").value)
    assert answer.row("fights", variant="baseline")["win_rate"] == before.win_rate


def test_a_variant_that_changes_nothing_says_so(ladder_fight: sim.Scenario) -> None:
    answer = sim.compare(ladder_fight, {"xp": {"enemies.skeleton.xp": 99}}, progress=False)

    assert answer.verdicts == ["XP changes nothing: every one of 2,000 runs went exactly the same way."]


def test_precision_is_reached_and_shared_luck_saves_encounters(ladder_fight: sim.Scenario) -> None:
    answer = sim.compare(ladder_fight, {"melee +1": SHARPER}, precision=1.0, progress=False)

    found = answer.row("differences", variant="melee +1")["win_rate"]
    assert found.margin <= 0.01
    assert answer.effort.saving > 3
    assert answer.effort.encounters == 2 * answer.settings["runs"]


def test_shared_luck_is_what_saves(ladder_fight: sim.Scenario) -> None:
    options = {"runs": 4_000, "seed": 3, "progress": False}

    shared = sim.compare(ladder_fight, {"melee +1": SHARPER}, **options)
    apart = sim.compare(ladder_fight, {"melee +1": SHARPER}, shared_luck=False, **options)

    narrow = shared.row("differences", variant="melee +1")["win_rate"]
    wide = apart.row("differences", variant="melee +1")["win_rate"]
    assert wide.margin > 1.7 * narrow.margin
    assert apart.row("differences", variant="melee +1")["sharpening"] == pytest.approx(1, abs=0.2)


def test_jobs_and_order_change_nothing(ladder_fight: sim.Scenario) -> None:
    changes = {"a": MORE, "b": SHARPER}

    one = sim.compare(ladder_fight, changes, runs=3_000, jobs=1, progress=False)
    two = sim.compare(ladder_fight, dict(reversed(changes.items())), runs=3_000, jobs=2, progress=False)

    for name in changes:
        assert one.row("differences", variant=name) == two.row("differences", variant=name)


def test_the_best_of_several_is_found_and_losers_are_dropped(ladder_fight: sim.Scenario) -> None:
    policies = {name: {"policy": name} for name in ("random_legal", "aggressive", "focus_expert")}

    answer = sim.compare(ladder_fight, policies, best="highest", progress=False)

    played = {row["variant"]: row["runs"] for row in answer.table("fights").rows}
    assert answer.facts["best"] == "focus_expert"
    assert answer.verdicts[0] == "focus expert has the highest win rate of 4."
    assert played["random_legal"] <= played["focus_expert"]


def test_verdicts_come_in_four_kinds() -> None:
    tally = PairTally(((5,) * 5,) * 5, 100, (1,), (1,), (1,), (1,), (1,), 10)

    def say(low: float, value: float, high: float) -> str:
        return verdict("B", tally, Estimate(value, low, high, 10_000), 0.005, 0.95, "win_rate")

    assert say(-0.046, -0.041, -0.036) == "B is harder: -4.1 points, 95 % interval -4.6 to -3.6."
    small = "B is easier, but by less than 0.5 points: +0.2 points, 95 % interval +0.1 to +0.3."
    assert say(0.001, 0.002, 0.003) == small
    none = "B: no difference larger than 0.5 points (0.0 points, 95 % interval -0.4 to +0.4)."
    assert say(-0.004, 0.0, 0.004) == none
    assert say(-0.01, 0.0, 0.01).endswith("30,000 more runs would decide ±0.5 points.")
    assert decided(Estimate(1, float("nan"), float("nan"), 1), 0.1) == ""


def test_other_measures_have_their_own_words(ladder_fight: sim.Scenario) -> None:
    answer = sim.compare(ladder_fight, {"more": MORE}, measure="damage_taken", margin=0.5, progress=False)

    assert answer.verdicts[0].startswith("more is harder: +")
    assert "damage, 95 %" in answer.verdicts[0]


def test_an_undecided_comparison_says_how_many_runs_it_takes(ladder_fight: sim.Scenario) -> None:
    tiny = {"rogue quicker": {"heroes.rogue.quick": 10}}

    answer = sim.compare(ladder_fight, tiny, margin=0.05, max_runs=2_000, progress=False)

    assert "not decided yet" in answer.verdicts[0]
    assert "undecided after 2,000 runs" in answer.warnings[0]


def test_every_number_has_an_interval_or_a_reason(ladder_fight: sim.Scenario) -> None:
    answer = sim.compare(ladder_fight, {"more": MORE, "xp": {"enemies.skeleton.xp": 9}}, progress=False)

    for table in answer.tables:
        for row in table.rows:
            for entry in row.values():
                if isinstance(entry, Estimate) and entry.low == entry.high:
                    assert entry.why


def test_an_answer_is_written_as_tables_and_json(tmp_path: Path, ladder_fight: sim.Scenario) -> None:
    answer = sim.compare(ladder_fight, {"more": MORE}, runs=2_000, progress=False)

    folder = answer.write(tmp_path / "out")

    document = json.loads((folder / "study.json").read_text())
    frame = pd.read_parquet(folder / "differences.parquet")
    assert document["schema"] == 1
    assert document["verdicts"] == answer.verdicts
    assert document["digest"] == ladder_fight.digest
    assert frame.loc[0, "win_rate_low"] < frame.loc[0, "win_rate"] < frame.loc[0, "win_rate_high"]
    assert (folder / "fights.csv").read_text().startswith("variant,changes,runs,win_rate,win_rate_low")


def test_all_mistakes_are_named_at_once(ladder_fight: sim.Scenario) -> None:
    with pytest.raises(ScenarioError) as caught:
        sim.compare(ladder_fight, {"a": {"enemies.skelton.count": 4}, "b": {"level": 99}}, progress=False)
    with pytest.raises(InputError) as options:
        sim.compare(ladder_fight, {"a": MORE}, measure="wins", runs=1, margin=-1.0, confidence=2.0, progress=False)

    assert [problem.key for problem in caught.value.problems] == ["variants.a", "variants.b"]
    assert "did you mean 'skeleton'" in str(caught.value)
    assert [problem.key for problem in options.value.problems] == ["runs", "margin", "measure", "confidence"]
    with pytest.raises(ScenarioError, match="at least one variant"):
        sim.compare(ladder_fight, {}, progress=False)


def test_every_table_says_beside_a_variant_what_it_changes(ladder_fight: sim.Scenario) -> None:
    base = ladder_fight.changed(values={"level": 2})
    answer = sim.compare(base, {"more": MORE}, runs=200, progress=False)

    said = [row["changes"] for table in ("fights", "differences") for row in answer.table(table).rows]

    assert said == ["nothing", "four skeletons (was three)", "four skeletons (was three)"]


def test_the_terminal_shows_verdicts_and_tables(ladder_fight: sim.Scenario, capsys: pytest.CaptureFixture[str]) -> None:
    sim.compare(ladder_fight, {"more": MORE}, runs=2_000, progress=False).print()

    shown = capsys.readouterr().out
    assert "more is harder" in shown
    assert "Against the baseline" in shown
    assert MEASURES["rounds"].short in shown


def test_a_variant_cannot_take_the_name_of_the_baseline(ladder_fight: sim.Scenario) -> None:
    with pytest.raises(ScenarioError, match=r"variants\.baseline: is the name of the fight as it is"):
        sim.compare(ladder_fight, {"baseline": MORE}, runs=100, progress=False)
