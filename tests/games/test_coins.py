"""Coin Duel: its promises, its rulebook, its rules, and its odds."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sim.core.engine import play
from sim.core.luck import ENEMIES, TABLE, Luck
from sim.core.outcomes import Outcome, Outcomes
from sim.errors import NotSolvable, ScenarioError
from sim.scenario import load
from sim.testing import RulesetContract, assert_results_of_version, assert_rules_covered
from tests.games.coins import RULESET

SEED, RUNS = 5, 2_000
FIGHTS = [("duel", "first"), ("brawl", "strongest"), ("gang", "kind")]
RESULTS = {1: "db82baa29150a7f4bc7a99c70860548a"}  # digests of these fights by version of the ruleset


class TestCoins(RulesetContract):
    ruleset = RULESET


def test_every_rule_is_in_the_engine_and_in_a_test() -> None:
    assert_rules_covered(RULESET, Path(__file__).parent)


def test_the_same_seed_gives_the_same_results() -> None:
    assert_results_of_version(RULESET, FIGHTS, seed=SEED, runs=200, digests=RESULTS)


def played(name: str, **values: Any) -> Outcomes:
    policy = values.pop("policy", None)
    return play(load(name, values=values, policy=policy).encounter(), SEED, np.arange(RUNS))


def luck() -> Luck:
    return Luck.of(SEED, np.arange(RUNS))


@pytest.mark.rule("CD-S1")
def test_levels_and_pennies_fill_the_purse() -> None:
    values = {"heroes.0.level": 3, "heroes.0.charms": {"penny": 2}}

    cast = load("coins/duel", values=values).encounter().cast

    assert [unit.max_hp for unit in cast.units] == [3 + 2 + 2, 2]


@pytest.mark.rule("CD-S2")
def test_peace_is_made_and_nobody_comes_by_one_roll() -> None:
    outcomes = played("coins/duel", avoid_percent=10, empty_percent=20)

    fate = luck().below(100, "CD-S2 fate", 0, TABLE)
    assert ((outcomes.outcome == Outcome.AVOIDED) == (fate < 10)).all()
    assert ((outcomes.outcome == Outcome.EMPTY) == ((fate >= 10) & (fate < 30))).all()


@pytest.mark.rule("CD-S2")
def test_a_foe_that_stays_at_home_is_not_in_the_fight() -> None:
    outcomes = played("coins/gang")

    at_home = luck().below(100, "CD-S2", 0, ENEMIES + 1) >= 50
    assert (outcomes.present[3] == ~at_home).all()
    assert (outcomes.damage_dealt[3][at_home] == 0).all()
    assert (outcomes.damage_taken[3][at_home] == 0).all()


@pytest.mark.rule("CD-F1")
def test_the_hero_flips_first_and_an_empty_purse_does_not_flip_back() -> None:
    outcomes = played("coins/duel", **{"heroes.0.coins": 1, "enemies.0.coins": 1})

    first_heads = luck().below(2, "CD-F2", 1, 0) == 1
    assert (outcomes.outcome[first_heads] == Outcome.WIN).all()
    assert (outcomes.uses[1][first_heads] == 0).all()
    assert (outcomes.uses[1][~first_heads] > 0).all()


@pytest.mark.rule("CD-F2")
@pytest.mark.parametrize("takes", [1, 2, 9])
def test_heads_takes_coins_but_not_more_than_there_are(takes: int) -> None:
    outcomes = played("coins/duel", **{"heroes.0.coins": 999, "enemies.0.coins": 5, "switches.heads_takes": takes})

    won = outcomes.outcome == Outcome.WIN
    assert won.all()
    assert (outcomes.damage_dealt[0] == 5).all()
    assert (outcomes.hits[0] == math.ceil(5 / takes)).all()
    assert (outcomes.counts["coins"] == outcomes.damage_dealt.sum(axis=0)).all()


@pytest.mark.rule("CD-F2")
def test_a_horseshoe_is_a_second_flip_after_tails() -> None:
    outcomes = played("coins/duel", **{"enemies.0.coins": 1, "heroes.0.charms": {"horseshoe": 1}})

    heads = (luck().below(2, "CD-F2", 1, 0, 0) == 1) | (luck().below(2, "CD-F2", 1, 0, 1) == 1)
    assert ((outcomes.rounds == 1) & (outcomes.outcome == Outcome.WIN) == heads).all()


@pytest.mark.rule("CD-F2")
def test_who_is_down_is_ruined_by_another_flip() -> None:
    outcomes = played("coins/duel", **{"enemies.0.coins": 1})

    at_once = (outcomes.rounds == 1) & (outcomes.outcome == Outcome.WIN)
    ruined = luck().below(2, "CD-F2 ruin", 1, 0) == 1
    assert (outcomes.dead[1][at_once] == ruined[at_once]).all()
    assert not (outcomes.dead & (outcomes.downs == 0)).any()


@pytest.mark.rule("CD-F3")
def test_alms_are_given_to_a_friend_with_one_coin_and_by_bankers_alone() -> None:
    fight = {"heroes.0.coins": 1, "enemies.0.coins": 0, "enemies.1.coins": 999, "enemies.1.turns_up": 100}

    outcomes = played("coins/gang", round_cap=1, **fight)

    assert (outcomes.healing[1] == 1).all()  # Bo the banker finds Ada with a single coin
    assert (outcomes.healing[0] == 0).all()
    assert (outcomes.hp[:2].sum(axis=0) == 1 + 3 + 1 - outcomes.damage_taken[:2].sum(axis=0)).all()
    assert (played("coins/gang", policy="first", **fight).healing == 0).all()


@pytest.mark.rule("CD-F4", "CD-F5")
def test_a_foe_who_was_bluffed_misses_one_turn() -> None:
    fight = {"heroes.0.hat": "top", "policy_options.bluff": True, "heroes.0.coins": 99, "enemies.0.coins": 99}

    one, two = (played("coins/duel", round_cap=cap, **fight) for cap in (1, 2))

    fooled = luck().below(2, "CD-F4", 1, 0) == 1
    assert (one.uses[1] == 1).all()  # abilities: flip, bluff, and the foe's flip
    assert (one.hits[1] == fooled).all()
    assert (one.uses[2] == ~fooled).all()
    assert (two.uses[2] == 2 - fooled).all()


@pytest.mark.rule("CD-F5")
def test_a_foe_takes_a_hero_by_lot() -> None:
    fight = {"enemies.0.coins": 999, "enemies.1.turns_up": 0, "round_cap": 1}

    outcomes = played("coins/gang", policy="first", **fight)

    second = luck().below(2, "CD-F5", 1, ENEMIES) == 1
    heads = luck().below(2, "CD-F2", 1, ENEMIES) == 1
    assert (outcomes.damage_taken[0] == (heads & ~second)).all()
    assert (outcomes.damage_taken[1] == (heads & second)).all()


@pytest.mark.rule("CD-E1")
def test_a_duel_that_lasts_too_long_is_a_draw() -> None:
    outcomes = played("coins/duel", round_cap=3)

    late = outcomes.outcome == Outcome.DRAW
    assert late.any()
    assert (outcomes.rounds[late] == 3).all()
    assert (outcomes.hp[:, late] > 0).all()
    assert (outcomes.hp[1][outcomes.outcome == Outcome.WIN] == 0).all()
    assert (outcomes.hp[0][outcomes.outcome == Outcome.LOSS] == 0).all()


@pytest.mark.rule("CD-E2")
def test_the_prize_goes_to_winners_and_every_size_occurs() -> None:
    outcomes = played("coins/duel", prize=[3, 5])

    won = outcomes.outcome == Outcome.WIN
    assert set(outcomes.xp[won]) == {3, 4, 5}
    assert (outcomes.xp[~won] == 0).all()


def test_a_prize_whose_least_is_more_than_its_most_is_refused() -> None:
    with pytest.raises(ScenarioError, match=r"prize: expected the least first, found \[5, 3\]"):
        load("coins/duel", values={"prize": [5, 3]})


def test_the_strongest_foe_is_taken_first_if_the_policy_says_so() -> None:
    first, strongest = (played("coins/brawl", policy=policy, round_cap=1) for policy in ("first", "strongest"))

    assert first.damage_taken[-1].sum() == 0
    assert strongest.damage_taken[-1].sum() > 0


@pytest.mark.parametrize(("ours", "theirs", "takes"), [(3, 2, 1), (1, 1, 1), (5, 4, 3)])
def test_the_played_duels_agree_with_the_exact_odds(ours: int, theirs: int, takes: int) -> None:
    values = {"heroes.0.coins": ours, "enemies.0.coins": theirs, "switches.heads_takes": takes}
    fight = load("coins/duel", values=values)

    wins = (play(fight.encounter(), SEED, np.arange(20_000)).outcome == Outcome.WIN).mean()

    chance = float(fight.exact().win)
    assert abs(wins - chance) < 4 * math.sqrt(chance * (1 - chance) / 20_000)


@pytest.mark.parametrize("values", [{"heroes.0.charms": {"horseshoe": 1}}, {"enemies.0.turns_up": 50}])
def test_the_exact_solver_says_what_it_does_not_know(values: dict[str, Any]) -> None:
    with pytest.raises(NotSolvable, match="nothing but flips"):
        load("coins/duel", values=values).exact()
