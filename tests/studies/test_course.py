"""Measures of the course of a fight: against answers that are known, and as questions use them."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sim
from sim.cli import main
from sim.core.branch import chances_of
from sim.errors import InputError
from sim.results.statistics import Estimate, looks
from sim.studies.cards import Card, CardPiece, Fight, Score
from sim.studies.course import COURSE, Moments, bias, difference, estimate, sharpening
from sim.studies.feel import CurveTally
from sim.studies.measures import COURSE_MEASURES, EVERY_MEASURE
from sim.studies.points import looks_for
from sim.studies.pool import Pool
from sim.studies.words import direction
from tests.games.registry import with_coin_duel

with_coins = pytest.fixture(autouse=True)(with_coin_duel)

QUIET: dict[str, Any] = {"seed": 5, "jobs": 1, "progress": False}
SURE = 0.9999
COIN_FLIP = {
    "ruleset": "coins",
    "title": "One coin each",
    "policy": "first",
    "heroes": [{"class": "burgher", "coins": 1}],
    "enemies": [{"type": "pickpocket", "count": 1, "coins": 1}],
}  # the hero flips first, whoever first has heads wins: 2/3 for the hero
BY_HAND = {
    "decided_before_round_1": 0.0,
    "decided_after_round_1": 3 / 4,  # each round leaves a quarter open
    "decided_after_round_2": 15 / 16,
    "luck_of_party": 6 / 7,
    "luck_of_enemies": 3 / 7,
    "luck_of_table": 0.0,
    "closeness": 1.0,
    "tail": 0.0,
    "lead_changes": 1 / 3,
}


def played(measure: str, runs: int, **changes: Any) -> Score:
    """A fight, and one that is changed, on the same runs."""
    fight = sim.load("overhill/playtest-1-ladder")
    pair = tuple(Fight(one, 5, asked=measure) for one in (fight, fight.changed(values=changes)))
    return CardPiece(Card(pair, ((0, 1),)), 0, runs).play()


def test_every_measure_of_the_course_has_its_words() -> None:
    assert set(COURSE) == set(COURSE_MEASURES)
    assert not set(COURSE_MEASURES) & set(EVERY_MEASURE) - set(COURSE)


@pytest.mark.parametrize("measure", BY_HAND)
def test_a_coin_duel_has_the_values_worked_out_by_hand(measure: str) -> None:
    runs = 300 if COURSE[measure].kind == "curve" else 20_000
    fight = Fight(sim.scenario.from_dict(COIN_FLIP), 5, asked=measure)

    (tally,) = CardPiece(Card((fight,)), 0, runs).play().fights

    found = tally.estimate(measure, SURE)
    assert found.low - 1e-9 <= BY_HAND[measure] <= found.high + 1e-9
    watched = tally.estimate(measure, SURE, watched=True)
    assert watched.low <= found.low <= found.high <= watched.high


@pytest.mark.parametrize("measure", ["comeback_rate", "tail", "excitement", "lead_changes"])
def test_along_curves_a_measure_is_the_one_that_why_tells(measure: str) -> None:
    encounter = sim.load("overhill/playtest-1-ladder").encounter()

    tally = CurveTally.of(chances_of(encounter, 5, np.arange(30)))
    own = played(measure, 30).fights[0].course

    assert own is not None
    told, found = tally.estimate(measure, 160), estimate(measure, own)
    assert found.value == pytest.approx(told.value)
    assert (found.low, found.high) == pytest.approx((max(0.0, told.low), told.high))
    assert bias(measure, own) == pytest.approx(tally.bias(measure, 160))


def test_shares_are_those_that_why_tells() -> None:
    answer = sim.why("overhill/playtest-1-ladder", runs=600, curves=0, **QUIET)

    after = played("decided_after_round_2", 600).fights[0].estimate("decided_after_round_2")
    close = played("closeness", 600).fights[0].estimate("closeness")

    assert after.value == pytest.approx(answer.on_top["resolution"][1]["share"])
    told = answer.on_top["resolution"][1]
    assert (after.low, after.high) == pytest.approx((told["low"], told["high"]))
    assert close.value == pytest.approx(answer.on_top["feel"]["closeness"]["value"])


@pytest.mark.parametrize("measure", ["decided_after_round_1", "luck_of_enemies", "closeness", "excitement"])
def test_a_difference_has_the_interval_of_the_runs_left_out_one_by_one(measure: str) -> None:
    fight = sim.load("overhill/playtest-1-ladder")
    marks = [
        Fight(one, 5, asked=measure).marks(0, 60).course
        for one in (fight, fight.changed(values={"enemies.skeleton.count": 4}))
    ]
    numbers = np.concatenate([one for one in marks if one is not None])

    found = difference(measure, Moments.of(numbers), 0.6826895)  # one standard error either way

    without = [difference(measure, Moments.of(np.delete(numbers, run, axis=1))).value for run in range(60)]
    jackknife = math.sqrt(59 / 60 * sum((one - np.mean(without)) ** 2 for one in without))
    assert 0.8 * jackknife < found.margin < 1.6 * jackknife  # wider for shares: as if two pairs more were unlike


def test_the_interval_of_a_difference_of_shares_covers_the_true_one() -> None:
    rng = np.random.default_rng(3)
    covered = 0
    for _ in range(400):
        shared = rng.random((2, 1_500)) < 0.6  # whether a pair has its outcome in common, in either fight
        common = rng.random(1_500) < np.array([[0.5], [0.7]])  # the same luck in both fights
        apart = rng.random((2, 1_500)) < np.array([[0.5], [0.7]])
        first, second = common, np.where(shared, common, apart)
        rows = [np.stack([a & b, a.astype(int) + b, np.ones(1_500, int)]) for a, b in zip(first, second, strict=True)]
        found = difference("decided_after_round_1", Moments.of(np.concatenate(rows).astype(np.int64)))
        covered += found.low <= 0.0 <= found.high

    assert covered / 400 > 0.95 - 4 * math.sqrt(0.95 * 0.05 / 400)


def test_parts_add_up_to_the_whole_and_the_cuts_leave_no_trace() -> None:
    fight = sim.load("overhill/playtest-1-ladder")
    card = Card((Fight(fight, 5, asked="excitement"), Fight(fight, 6, asked="excitement")), ((0, 1),))

    whole = CardPiece(card, 0, 25).play()
    pool = Pool("", progress=False)
    parts = pool.play([card], 0, 25)

    assert parts == [whole]
    assert whole.can_be_of(card, 25)
    assert not whole.can_be_of(Card((Fight(fight, 5), Fight(fight, 6)), ((0, 1),)), 25)
    rounds = sum(tally.course.totals[-1] for tally in whole.fights if tally.course is not None)
    assert pool.encounters == 50 + 160 * rounds


def test_a_fight_against_itself_never_differs() -> None:
    pair = played("decided_after_round_1", 300).pairs[0]

    assert pair.unlike == 0
    assert pair.difference("decided_after_round_1").value == 0
    assert pair.course is not None
    assert math.isnan(sharpening("decided_after_round_1", pair.course))


def test_whoever_follows_curves_looks_earlier_and_gives_up_earlier() -> None:
    assert list(looks_for("win_rate", 10_000)) == list(looks(10_000))
    assert next(looks_for("excitement")) == 100
    assert list(looks_for("excitement"))[-1] == 4_000


# As questions use them.


def test_a_claim_about_the_first_round_holds_or_is_broken() -> None:
    table = {"scenario": "overhill/playtest-1-ladder", "decided_after_round_1": {"most": 0.5}}
    broken = table | {"decided_after_round_1": {"most": 0.2}}

    answer = sim.gate([table, broken, {"scenario": "overhill/playtest-1-ladder", "closeness": [0.2, 0.8]}], **QUIET)

    assert [row["state"] for row in answer.table("claims").rows] == ["holds", "does not hold", "holds"]
    assert "share decided after round 1 at most 20 % does not hold: 3" in answer.verdicts[1]


def test_a_claim_about_a_share_of_nothing_says_that_it_cannot_be_told() -> None:
    safe = COIN_FLIP | {"enemies": [{"type": "pickpocket", "count": 1, "coins": 0}]}

    answer = sim.gate([{"scenario": safe, "name": "safe", "decided_after_round_1": {"most": 0.5}}], **QUIET)

    assert not answer.holds
    assert answer.verdicts[1].endswith("it cannot be told, every fight ended the same way.")


def test_fights_are_compared_by_how_much_the_first_round_decides() -> None:
    answer = sim.compare(
        "overhill/playtest-1-ladder",
        {"six": {"set": {"enemies.skeleton.count": 6}}},
        measure="decided_after_round_1",
        runs=2_000,
        **QUIET,
    )

    row = answer.row("differences", variant="six")
    (first, second) = (answer.row("fights", variant=name)["decided_after_round_1"] for name in ("baseline", "six"))
    assert row["decided_after_round_1"].value == pytest.approx(second.value - first.value)
    assert direction("less", "decided_after_round_1") == "has less decided after round 1"
    assert direction("less", "lead_changes") == "has fewer changes of the favourite"


def test_curves_are_compared_run_by_run_and_their_bias_is_told() -> None:
    change = {"four": {"set": {"enemies.skeleton.count": 4}}}

    answer = sim.compare("overhill/playtest-1-ladder", change, measure="lead_changes", runs=20, **QUIET)

    assert isinstance(answer.row("differences", variant="four")["lead_changes"], Estimate)
    assert answer.warnings[0].startswith("The chance was followed by 160 continuations a round")
    assert answer.effort.encounters > 40 * 160


def test_a_sweep_and_a_scale_tell_the_measure_at_every_point() -> None:
    swept = sim.sweep(
        "overhill/playtest-1-ladder",
        {"enemies.skeleton.count": [3, 5]},
        measure="luck_of_enemies",
        runs=500,
        iso=[0.5],
        **QUIET,
    )
    scaled = sim.scale("overhill/playtest-1-ladder", [1, 3], measure="decided_after_round_1", runs=500, **QUIET)

    assert all(row["luck_of_enemies"].known for row in swept.table("points").rows)
    assert swept.verdicts[0].startswith("The weight of the enemies' luck goes from ")
    assert [row["decided_after_round_1"].known for row in scaled.table("levels").rows] == [True, True]
    assert "share decided after round 1" in scaled.verdicts[0]
    assert scaled.settings["measure"] == "decided_after_round_1"


def test_tune_aims_at_what_the_first_round_decides_and_leaves_out_what_cannot_be_told() -> None:
    knob = "enemies.skeleton.count"

    answer = sim.tune(
        "overhill/playtest-1-ladder", knob, "decided_after_round_1=0.2", low=0, high=6, precision=4, **QUIET
    )

    assert 1 <= answer.facts["value"] <= 6
    assert any(warning.startswith("At 0") and "nothing can be told" in warning for warning in answer.warnings)


def test_a_tune_of_which_nothing_can_be_told_is_refused() -> None:
    safe = COIN_FLIP | {"enemies": [{"type": "pickpocket", "count": 1, "coins": 0}]}

    with pytest.raises(InputError, match="cannot be told at any value that was tried: every fight ended the same way"):
        sim.tune(safe, "heroes[0].coins", "decided_after_round_1=0.5", low=1, high=2, **QUIET)


def test_questions_that_cannot_ask_for_it_say_which_can() -> None:
    with pytest.raises(InputError, match="compare, sweep, scale, tune and gate can ask for it"):
        sim.sensitivity("overhill/playtest-1-ladder", measure="excitement")
    with pytest.raises(InputError, match="did you mean 'excitement'"):
        sim.compare("overhill/playtest-1-ladder", {"four": {}}, measure="excitment")


def test_what_was_followed_is_kept_and_not_played_again(tmp_path: Path) -> None:
    how = {"measure": "excitement", "runs": 20, "out": tmp_path / "kept", **QUIET}
    change = {"four": {"set": {"enemies.skeleton.count": 4}}}
    first = sim.compare("overhill/playtest-1-ladder", change, **how)

    again = sim.compare("overhill/playtest-1-ladder", change, resume=True, **how)

    assert again.facts == first.facts
    assert again.effort.resumed == 40
    assert [row["excitement"] for row in again.table("fights").rows] == [
        row["excitement"] for row in first.table("fights").rows
    ]


def test_the_measures_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["show", "measures"])

    shown = capsys.readouterr().out
    assert all(name in shown for name in EVERY_MEASURE)


def test_a_study_file_may_ask_for_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "levels.toml"
    file.write_text(
        'question = "scale"\nscenario = "overhill/playtest-1-ladder"\n'
        'levels = [1, 3]\nruns = 100\nmeasure = "closeness"\n'
    )

    with pytest.raises(SystemExit):
        main(["study", str(file), "--json"])

    assert json.loads(capsys.readouterr().out)["settings"]["measure"] == "closeness"
