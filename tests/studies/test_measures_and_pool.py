"""Sums of fights and of pairs of fights, and the pool of work that makes them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import sim
from sim.core.engine import play
from sim.core.outcomes import Outcome
from sim.runs.workers import Speed, Workers
from sim.studies.cards import Card, Fight
from sim.studies.measures import MEANS, MEASURES, RATES, SELDOM, Marks, PairTally, Tally
from sim.studies.pool import SMALLEST, STRETCH, Pool


@pytest.fixture(scope="module")
def marks() -> tuple[Marks, Marks]:
    """2,000 runs of a fight and of a variant of it."""
    found = []
    for count in (3, 4):
        encounter = sim.load("overhill/playtest-1-ladder", set={"enemies.skeleton.count": count}).encounter()
        found.append(Marks.of(play(encounter, 5, np.arange(2_000)), encounter.cast))
    return found[0], found[1]


def test_a_tally_says_what_a_result_says(ladder_fight: sim.Scenario) -> None:
    result = sim.run(ladder_fight, runs=3_000, seed=5)

    score = Pool("", progress=False).play([Card((Fight(ladder_fight, 5),))], 0, 3_000)[0]

    tally = score.fights[0]
    assert tally.estimate("win_rate") == result.win_rate
    assert tally.estimate("rounds") == result.ending("rounds")
    assert tally.estimate("party_hp") == result.ending("party_hp")
    assert tally.estimate("heroes_down") == result.heroes_down()
    assert tally.runs == tally.encounters == tally.fights == 3_000


def test_differences_are_those_of_the_runs_one_by_one(marks: tuple[Marks, Marks]) -> None:
    one, other = marks

    pair = PairTally.of(one, other)

    won = (other.outcome == Outcome.WIN).astype(int) - (one.outcome == Outcome.WIN)
    assert pair.difference("win_rate").value == pytest.approx(won.mean())
    assert (pair.gained(), pair.lost()) == ((won == 1).sum(), (won == -1).sum())
    for row, name in enumerate(MEANS):
        change = other.values[row] - one.values[row]
        found = pair.difference(name)
        assert found.value == pytest.approx(change.mean())
        assert found.margin == pytest.approx(1.9612 * change.std(ddof=1) / math.sqrt(2_000), rel=1e-3)


def test_the_saving_of_shared_luck_is_the_ratio_of_the_variances(marks: tuple[Marks, Marks]) -> None:
    one, other = marks

    pair = PairTally.of(one, other)

    for row, name in enumerate(MEANS):
        apart = one.values[row].var() + other.values[row].var()
        assert pair.sharpening(name) == pytest.approx(apart / (other.values[row] - one.values[row]).var())
    wins = [(own.outcome == Outcome.WIN).astype(float) for own in marks]
    assert pair.sharpening("win_rate") == pytest.approx(
        (wins[0].var() + wins[1].var()) / (wins[1] - wins[0]).var()
    )


def test_parts_add_up_to_the_whole(marks: tuple[Marks, Marks]) -> None:
    one, other = marks
    first, second = slice(0, 777), slice(777, None)
    cut = [[Marks(own.outcome[part], own.values[:, part]) for own in marks] for part in (first, second)]

    assert Tally.of(cut[0][0]) + Tally.of(cut[1][0]) == Tally.of(one)
    assert PairTally.of(*cut[0]) + PairTally.of(*cut[1]) == PairTally.of(one, other)


def test_a_fight_against_itself_never_differs(marks: tuple[Marks, Marks]) -> None:
    pair = PairTally.of(marks[0], marks[0])

    assert pair.unlike == 0
    assert pair.difference("win_rate").value == 0
    assert math.isnan(pair.sharpening("win_rate"))


def test_runs_without_anybody_to_fight_are_left_out_of_the_rates() -> None:
    values = np.zeros((len(MEANS), 6), dtype=np.int64)
    win, loss, empty = Outcome.WIN, Outcome.LOSS, Outcome.EMPTY
    one = Marks(np.array([win, win, loss, empty, empty, win]), values)
    same = Marks(np.array([win, loss, loss, empty, empty, loss]), values)
    other = Marks(np.array([win, loss, loss, win, empty, empty]), values)

    assert PairTally.of(one, same).same_encounters
    assert PairTally.of(one, same).difference("win_rate").value == pytest.approx(1 / 4 - 3 / 4)
    assert not PairTally.of(one, other).same_encounters
    assert PairTally.of(one, other).difference("win_rate").value == pytest.approx(2 / 4 - 3 / 4)


@pytest.mark.parametrize(("stretch", "jobs"), [(16_384, 1), (700, 1), (1_000, 2)])
def test_the_cuts_leave_no_trace(ladder_fight: sim.Scenario, stretch: int, jobs: int) -> None:
    other = ladder_fight.changed(values={"enemies.skeleton.melee": 4})
    card = Card((Fight(ladder_fight, 3), Fight(other, 3)), ((0, 1),))
    whole = Pool("", Workers(1), False).play([card], 0, 3_000)

    pool = Pool("", Workers(jobs), False, stretch)
    parts = [a + b for a, b in zip(pool.play([card], 0, 1_111), pool.play([card], 1_111, 3_000), strict=True)]

    assert parts == whole
    assert pool.encounters == 6_000


def test_a_long_span_is_cut_for_all_processes_where_that_pays(ladder_fight: sim.Scenario) -> None:
    card = Card((Fight(ladder_fight, 3),))
    pool = Pool("", Workers(2), False)

    before = pool._stretch_for([(card, 0, 12_000)])
    pool.workers.speed = Speed(1_000.0, 2_048, pieces=1)
    alone, many = pool._stretch_for([(card, 0, 12_000)]), pool._stretch_for([(card, 0, 12_000)] * 4)

    assert (before, alone, many) == (STRETCH, 3_000, STRETCH)
    assert pool._stretch_for([(card, 0, 3_000)]) == SMALLEST


def test_a_fight_is_compiled_once_however_often_a_study_comes_back_to_it(
    ladder_fight: sim.Scenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    fights = [ladder_fight.changed(values={"enemies.skeleton.xp": 31 + at}) for at in range(20)]
    ruleset = type(ladder_fight.ruleset)
    compiled = []
    compile_it = ruleset.compile

    def watched(self: Any, model: Any) -> Any:
        compiled.append(model)
        return compile_it(self, model)

    monkeypatch.setattr(ruleset, "compile", watched)
    pool = Pool("", Workers(1), False)
    cards = [Card((Fight(fight, 3),)) for fight in fights]

    pool.play(cards, 0, 20)
    pool.play(cards, 20, 40)

    assert len(compiled) == len(fights)


def test_every_measure_has_words_and_a_direction() -> None:
    every = MEASURES | SELDOM

    assert set(MEANS) | set(RATES) == set(every)
    assert all(measure.title and measure.short and measure.harder_if in (-1, 0, 1) for measure in every.values())
