"""Known luck in studies: the same means, fewer runs, and words that say which rate an interval is of."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import sim
from sim.results.adjusted import LuckSums
from sim.scenario import Scenario, load
from sim.studies.cards import Card, CardPiece, Fight, Score, card_digest
from sim.studies.known_luck import best_pilot
from sim.studies.measures import ACCOUNT_FROM, NO_LUCK, Tally

EVEN = {"enemies.skeleton.count": 7}


@pytest.fixture(scope="module")
def even() -> Scenario:
    return load("overhill/playtest-1", values=EVEN)


def played(fight: Fight, first: int, count: int) -> Tally:
    return CardPiece(Card((fight,)), first, count).play().fights[0]


def test_keeping_account_changes_no_sum_and_begins_after_the_first_look(even: Scenario) -> None:
    plain, kept = Fight(even, 1), Fight(even, 1, pilot=even)

    first = played(kept, 0, ACCOUNT_FROM)
    later, same = played(kept, ACCOUNT_FROM, 500), played(plain, ACCOUNT_FROM, 500)

    assert first.luck == NO_LUCK
    assert later.luck.squares > 0
    assert replace(later, luck=NO_LUCK) == same


def test_the_sums_are_the_same_however_the_runs_are_cut(even: Scenario) -> None:
    fight = Fight(even, 1, pilot=even)

    whole = played(fight, 1_500, 1_000)
    parts = played(fight, 1_500, 499), played(fight, 1_999, 2), played(fight, 2_001, 499)

    assert parts[0] + parts[1] + parts[2] == whole


def test_a_pilot_is_part_of_what_a_card_is(even: Scenario) -> None:
    other = load("overhill/playtest-1")

    cards = [Card((Fight(even, 1, pilot=pilot),)) for pilot in (None, even, other)]

    assert len({card_digest(card) for card in cards}) == 3


def test_worths_of_another_fight_leave_the_mean_as_it_is(even: Scenario) -> None:
    """Eight skeletons corrected by what was learned with six: within 4 standard errors of the raw rate's own runs."""
    eight, six = (load("overhill/playtest-1", values={"enemies.skeleton.count": many}) for many in (8, 6))

    tally = played(Fight(eight, 3, pilot=six), ACCOUNT_FROM, 20_000)

    found, raw = tally.adjusted(), tally.estimate("win_rate")
    assert found is not None
    assert found.gain > 1.4
    assert abs(found.rate.value - raw.value) < 2 * raw.margin


def test_sums_from_a_file_must_have_whole_numbers_of_luck(even: Scenario) -> None:
    card = Card((Fight(even, 1),))
    score = CardPiece(card, 0, 50).play()
    odd: Any = LuckSums(known=0.5)  # type: ignore[arg-type]

    assert score.can_be_of(card, 50)
    assert not Score((replace(score.fights[0], luck=odd),), ()).can_be_of(card, 50)


def test_the_pilot_is_the_fight_that_comes_nearest_to_what_is_looked_for(even: Scenario) -> None:
    fights = [load("overhill/playtest-1", values={"enemies.skeleton.count": many}) for many in (5, 7, 9)]
    known = [(fight, played(Fight(fight, 1), 0, 400)) for fight in fights]

    assert best_pilot(known) is fights[1]
    assert best_pilot(known, wanted=0.9) is fights[0]
    assert best_pilot([]) is None


def test_gate_says_which_rate_its_interval_is_of() -> None:
    claims = [
        {"name": "close", "scenario": "overhill/playtest-1", "set": EVEN, "win_rate": [0.60, 0.68]},
        {"name": "clear", "scenario": "overhill/playtest-1", "win_rate": [0.8, 1.0]},
    ]

    close, clear = sim.gate(claims, progress=False).tables[0].rows

    assert close["interval_of"] == "known luck taken out"
    assert close["found"].margin < close["raw"].margin
    assert clear["interval_of"] == "raw rate"
    assert clear["found"] == clear["raw"]


def test_scale_keeps_the_raw_rate_and_has_the_sharper_one_beside_it(even: Scenario, tmp_path: Path) -> None:
    answer = sim.scale(even, [1, 2], runs=6_000, progress=False)

    first = answer.tables[0].rows[0]
    assert first["win_rate_adjusted"].margin < first["win_rate"].margin
    assert "known luck taken out" in answer.settings["interval_of"]
    assert "known luck taken out stands beside it" in answer.tables[0].about


def test_tune_tells_the_raw_rate_beside_the_one_that_it_is_sure_of() -> None:
    answer = sim.tune("overhill/playtest-1", "enemies.skeleton.count", "win_rate=0.65", low=5, high=9, progress=False)

    facts = answer.facts
    assert answer.settings["interval_of"] == "known luck taken out"
    assert facts["confirmed_high"] - facts["confirmed_low"] < facts["confirmed_raw_high"] - facts["confirmed_raw_low"]
    assert any("the raw rate is" in said for said in answer.verdicts)
