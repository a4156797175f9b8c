"""A whole battle: what is counted and told."""

from __future__ import annotations

import numpy as np
import pytest

import sim
from sim.core.engine import play
from sim.core.outcomes import Outcome
from sim.core.telling import Recorder
from sim.report.result_tables import met_table
from sim.scenario import load
from tests.rulesets.second_era.table import bag


@pytest.mark.rule("SE-X7", "SE-X8", "SE-D1")
def test_what_is_counted_adds_up() -> None:
    encounter = load("second_era/se_dungeon").encounter()

    outcomes = play(encounter, 3, np.arange(200))

    won = outcomes.outcome == Outcome.WIN
    heroes = [unit.max_hp or 0 for unit in encounter.cast.units]
    assert (outcomes.xp == 2 * won).all()
    left = np.array(heroes)[:, None] - outcomes.damage_taken
    assert (outcomes.hp.sum(axis=0) == left.sum(axis=0) + outcomes.counts["healed"]).all()
    assert (outcomes.counts["standing"] + outcomes.counts["adventurers_defeated"] == 4).all()
    levels = sum(outcomes.counts[f"defeated_level_{level}"] for level in (5, 10))
    assert (levels == (outcomes.hp[4:] == 0).sum(axis=0)).all()


@pytest.mark.rule("SE-R8", "SE-R9", "SE-E3")
def test_a_run_can_be_told() -> None:
    told = Recorder()

    play(load("second_era/se_hound").encounter(), 3, np.array([0]), told)

    rules = {event.rule for event in told.events}
    assert rules >= {"SE-R9", "SE-A1", "SE-A4", "SE-A8", "SE-E10", "SE-E11", "SE-D8", "SE-A10"}
    turns = [event.turn for event in told.events]
    assert turns == sorted(turns)
    assert all(event.after.board is told.events[0].after.board for event in told.events)


@pytest.mark.rule("SE-S4", "SE-X7")
def test_results_are_split_by_the_enemies_that_were_drawn() -> None:
    fight = load("second_era/se_clash_scaled", policy="aggressive")
    outcomes = play(fight.encounter(), 3, np.arange(300))
    result = sim.run(fight, runs=300, seed=3, chunk=70, progress=False)

    assert sum(outcomes.met[name].sum() for name in bag(20)) == 300  # 32 points draw one of level 20
    for what, name in enumerate(result.cast.met):
        drew = outcomes.met[name]
        there, apart = result.wins_by_met(what)
        assert result.met_rate(what).value == pytest.approx(drew.mean())
        assert there.value == pytest.approx((outcomes.outcome[drew] == Outcome.WIN).mean())
        assert apart.value == pytest.approx((outcomes.outcome[~drew] == Outcome.WIN).mean())
    for run in range(5):
        told = Recorder()
        play(fight.encounter(), 3, np.array([run]), told)
        names = " ".join(token.name for token in told.events[0].after.tokens)
        assert [name in names for name in outcomes.met] == [bool(drew[run]) for drew in outcomes.met.values()]


def test_the_table_of_who_is_met_has_the_hardest_first_and_is_not_there_without_a_pool() -> None:
    result = sim.run(load("second_era/se_clash_scaled", policy="random"), runs=400, progress=False)
    table = met_table(result)

    assert table is not None
    rates = [result.wins_by_met(result.cast.met.index(row[0].text.replace(" ", "_")))[0].value for row in table.rows]
    assert rates == sorted(rates)
    assert len(rates) > 8
    assert met_table(sim.run("second_era/se_duel", runs=20, progress=False)) is None
