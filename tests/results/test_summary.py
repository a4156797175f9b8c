"""Streamed sums: against plain loops, and the same however the runs are grouped."""

from __future__ import annotations

import pickle
from collections import Counter
from dataclasses import fields, replace
from functools import reduce
from itertools import pairwise
from operator import add
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.core.batch import only
from sim.core.engine import play
from sim.core.outcomes import Cast, Outcome, Outcomes
from sim.results.summary import ABILITY_SUMS, FIGHTS, UNIT_SUMS, Summary
from tests.games.misbehaving import ADA, BO, duel

ENCOUNTER = duel(avoid_percent=4, empty_percent=5, round_cap=8).encounter()
CAST = ENCOUNTER.cast
RUNS = 700
PLAYED = play(ENCOUNTER, 3, np.arange(RUNS))
WHOLE = Summary.of(PLAYED, CAST)


def test_every_outcome_occurs_in_the_sample() -> None:
    assert set(PLAYED.outcome.tolist()) == set(Outcome) - {Outcome.TURNED_BACK}  # which only evenings have


@pytest.mark.parametrize("name", UNIT_SUMS)
def test_sums_of_units_are_those_of_a_plain_loop(name: str) -> None:
    values = getattr(PLAYED, name)

    found = WHOLE.unit_sums(name)

    for unit in range(4):
        for outcome in Outcome:
            own = [
                int(values[unit, run])
                for run in range(RUNS)
                if PLAYED.outcome[run] == outcome and PLAYED.present[unit, run]
            ]
            assert found.total[unit, outcome] == sum(own)
            assert found.squares[unit, outcome] == sum(value**2 for value in own)


@pytest.mark.parametrize("name", ABILITY_SUMS)
def test_sums_of_abilities_are_those_of_a_plain_loop(name: str) -> None:
    values = getattr(PLAYED, name)

    found = WHOLE.ability_sums(name)

    for ability in range(6):
        for outcome in Outcome:
            own = [int(values[ability, run]) for run in range(RUNS) if PLAYED.outcome[run] == outcome]
            assert found.total[ability, outcome] == sum(own)
            assert found.squares[ability, outcome] == sum(value**2 for value in own)


def test_counts_and_products_are_those_of_a_plain_loop() -> None:
    for outcome in Outcome:
        runs = [run for run in range(RUNS) if PLAYED.outcome[run] == outcome]
        for unit in range(4):
            there = [run for run in runs if PLAYED.present[unit, run]]
            assert WHOLE.present[unit, outcome] == len(there)
            assert WHOLE.down[unit, outcome] == sum(PLAYED.down_round[unit, run] >= 0 for run in there)
            assert WHOLE.dead[unit, outcome] == sum(bool(PLAYED.dead[unit, run]) for run in there)
        for ability in range(6):
            uses, hits, damage = (getattr(PLAYED, name)[ability] for name in ABILITY_SUMS)
            assert WHOLE.used[ability, outcome] == sum(uses[run] > 0 for run in runs)
            assert WHOLE.hits_times_uses[ability, outcome] == sum(int(hits[run]) * int(uses[run]) for run in runs)
            assert WHOLE.damage_times_uses[ability, outcome] == sum(int(damage[run]) * int(uses[run]) for run in runs)
        assert WHOLE.counts.total[0, outcome] == sum(int(PLAYED.xp[run]) for run in runs)
        assert WHOLE.counts.total[1, outcome] == sum(int(PLAYED.counts["coins"][run]) for run in runs)
        fallen = Counter(sum(PLAYED.down_round[hero, run] >= 0 for hero in (ADA, BO)) for run in runs)
        assert WHOLE.fallen[:, outcome].tolist() == [fallen[heroes] for heroes in range(3)]


def test_falls_are_counted_by_round_in_fights_only() -> None:
    for unit in range(4):
        fell = Counter(
            int(PLAYED.down_round[unit, run])
            for run in range(RUNS)
            if PLAYED.down_round[unit, run] >= 0 and PLAYED.outcome[run] in FIGHTS
        )

        assert WHOLE.fell[unit].tolist() == [fell[round_] for round_ in range(WHOLE.fell.shape[1])]


def test_endings_give_the_histograms_and_sums_of_a_plain_loop() -> None:
    for name, values in (("rounds", PLAYED.rounds), ("party_hp", PLAYED.hp[[ADA, BO]].sum(axis=0))):
        for outcome in Outcome:
            own = [int(value) for value, ended in zip(values, PLAYED.outcome, strict=True) if ended == outcome]

            found, times = WHOLE.endings.histogram(name, [outcome])

            assert dict(zip(found.tolist(), times.tolist(), strict=True)) == Counter(own)
            expected = (len(own), sum(own), sum(value**2 for value in own))
            assert WHOLE.endings.sums(name, [outcome]) == expected


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(1, RUNS - 1), max_size=6, unique=True), st.randoms(use_true_random=False))
def test_merging_gives_the_same_bits_in_any_grouping_and_order(cuts: list[int], random: Any) -> None:
    edges = [0, *sorted(cuts), RUNS]
    parts = [Summary.of(part_of(PLAYED, range(*edge)), CAST) for edge in pairwise(edges)]
    random.shuffle(parts)

    assert reduce(add, parts) == WHOLE
    assert reduce(lambda left, right: right + left, parts) == WHOLE


def part_of(outcomes: Outcomes, runs: range) -> Outcomes:
    return only(outcomes, np.array(runs, dtype=np.int64))


def test_a_single_different_number_makes_summaries_unequal() -> None:
    changed = replace(PLAYED, xp=PLAYED.xp + (PLAYED.run == 17).astype(np.int32))

    assert Summary.of(changed, CAST) != WHOLE


def test_large_numbers_are_summed_exactly() -> None:
    large = replace(
        PLAYED,
        hp=np.full_like(PLAYED.hp, 2**31 - 1),
        damage=np.full_like(PLAYED.damage, 2**31 - 2),
        uses=np.full_like(PLAYED.uses, 2**31 - 3),
    )

    found = Summary.of(large, CAST) + WHOLE

    wins = int((PLAYED.outcome == Outcome.WIN).sum())
    before = WHOLE.unit_sums("hp").squares[ADA, Outcome.WIN]
    assert found.unit_sums("hp").squares[ADA, Outcome.WIN] == wins * (2**31 - 1) ** 2 + before
    products = found.damage_times_uses[0, Outcome.WIN] - WHOLE.damage_times_uses[0, Outcome.WIN]
    assert products == wins * (2**31 - 2) * (2**31 - 3)


def test_a_summary_travels_and_stays_small() -> None:
    sent = pickle.dumps(WHOLE)

    assert pickle.loads(sent) == WHOLE
    assert len(sent) < 40_000


def test_picks_are_the_places_in_the_order_of_how_well_it_went() -> None:
    fights = [run for run in range(RUNS) if PLAYED.outcome[run] in FIGHTS]
    ordered = sorted(fights, key=how_well)
    losses = [run for run in ordered if PLAYED.outcome[run] == Outcome.LOSS]
    draws = [run for run in ordered if PLAYED.outcome[run] == Outcome.DRAW]
    wins = [run for run in ordered if PLAYED.outcome[run] == Outcome.WIN]

    picks = WHOLE.picks()

    assert picks == {
        "median": first_like(ordered[(len(ordered) - 1) // 2]),
        "best": first_like(ordered[-1]),
        "worst": first_like(ordered[0]),
        "loss": first_like(losses[(len(losses) - 1) // 2]),
        "draw": first_like(draws[(len(draws) - 1) // 2]),
        "closest": first_like(wins[0]),
    }


def how_well(run: int) -> tuple[int, int, int]:
    standing = {Outcome.LOSS: 0, Outcome.DRAW: 1, Outcome.WIN: 2}[Outcome(int(PLAYED.outcome[run]))]
    return standing, int(PLAYED.hp[[ADA, BO], run].sum()), -int(PLAYED.rounds[run])


def first_like(run: int) -> int:
    """The lowest number of a run that went exactly so."""
    return next(other for other in range(RUNS) if PLAYED.outcome[other] in FIGHTS and how_well(other) == how_well(run))


def test_what_did_not_happen_is_not_picked() -> None:
    wins = Summary.of(part_of_outcome(Outcome.WIN), CAST)
    empty = Summary.of(part_of_outcome(Outcome.EMPTY), CAST)

    assert set(wins.picks()) == {"median", "best", "worst", "closest"}
    assert empty.picks() == {}
    assert empty.encounters == 0


def part_of_outcome(outcome: Outcome) -> Outcomes:
    return only(PLAYED, np.flatnonzero(PLAYED.outcome == outcome))


def test_a_game_without_abilities_or_counts_is_summed_up_too() -> None:
    nothing = np.zeros((0, RUNS), dtype=np.int32)
    bare = replace(PLAYED, uses=nothing, hits=nothing, damage=nothing, counts={})

    found = Summary.of(bare, Cast(CAST.units, ()))

    assert found.used.shape == (0, len(Outcome))
    assert found.ended(Outcome.WIN) == WHOLE.ended(Outcome.WIN)


def test_nothing_of_the_outcomes_is_changed_by_summing() -> None:
    before = {field.name: pickle.dumps(getattr(PLAYED, field.name)) for field in fields(Outcomes)}

    Summary.of(PLAYED, CAST)

    assert before == {field.name: pickle.dumps(getattr(PLAYED, field.name)) for field in fields(Outcomes)}
