"""What is counted when a fight is over: damage, kills, healing, experience."""

import numpy as np
import pytest

from sim.core.engine import play
from sim.core.outcomes import Outcome
from sim.rulesets.overhill import RULESET
from sim.scenario import load
from tests.rulesets.overhill.fights import STANDARD_PARTY, compiled, one_melee, stage, table


@pytest.mark.rule("OU-Z4")
def test_damage_kills_and_healing_balance() -> None:
    encounter = load("overhill/warband", policy="focus_expert").encounter()
    heroes = len(encounter.facts.heroes)
    starting = np.array([[hero.health] for hero in encounter.facts.heroes])

    outcomes = play(encounter, 5, np.arange(300))

    assert (outcomes.hp[:heroes] <= starting - outcomes.damage_taken[:heroes] + outcomes.counts["restored"]).all()
    assert (outcomes.counts["standing"] == (outcomes.hp[:heroes] > 0).sum(axis=0)).all()
    assert (outcomes.kills[:heroes].sum(axis=0) == outcomes.damage_taken[heroes:].sum(axis=0)).all()
    assert (outcomes.damage_dealt[heroes:].sum(axis=0) <= outcomes.damage_taken[:heroes].sum(axis=0)).all()
    assert ((outcomes.outcome == Outcome.LOSS) == (outcomes.counts["standing"] == 0)).all()


@pytest.mark.rule("OU-Z5")
def test_experience_is_for_removed_monsters_if_somebody_stands() -> None:
    worth = {"enemies.skeleton.xp": 6, "enemies.zombie.xp": 7}
    encounter = load("overhill/crypt-swarm", policy="plain", values=worth).encounter()

    outcomes = play(encounter, 5, np.arange(300))

    won = outcomes.outcome == Outcome.WIN
    assert 0 < won.sum() < 300
    assert set(outcomes.xp[won].tolist()) == {5 * 6 + 3 * 7}
    assert not outcomes.xp[outcomes.outcome == Outcome.LOSS].any()


@pytest.mark.rule("OU-Z5", "OU-Z3")
def test_avoided_fights_are_worth_nothing() -> None:
    scenario = table(STANDARD_PARTY, [("gobbo", 3)], policy_options={"engage": "sneak"})

    outcomes = play(compiled(scenario), 1, np.arange(200))

    avoided = outcomes.outcome == Outcome.AVOIDED
    assert avoided.any()
    assert not outcomes.xp[avoided].any()
    assert not outcomes.rounds[avoided].any()


@pytest.mark.rule("OU-Z5", "OU-R7")
def test_a_draw_counts_the_monsters_removed_so_far() -> None:
    groups = [{"type": "gobbo", "count": 1, "xp": 4}, {"type": "zombie", "count": 1, "melee": 0, "defence": 99}]

    outcomes = play(compiled(table(["warrior"], groups, switches={"round_cap": 40})), 1, np.arange(10))

    assert outcomes.outcome.tolist() == [Outcome.DRAW] * 10
    assert outcomes.xp.tolist() == [4] * 10


@pytest.mark.rule("OU-Z2")
def test_a_lost_fight_ends_in_the_round_in_which_the_last_hero_falls() -> None:
    hero = {"class": "rogue", "health": 1}
    encounter = compiled(table([hero], [("zombie", 20)]))

    outcomes = play(encounter, 1, np.arange(10))

    assert outcomes.outcome.tolist() == [Outcome.LOSS] * 10
    assert outcomes.rounds.tolist() == [1] * 10
    assert outcomes.down_round[0].tolist() == [1] * 10


@pytest.mark.rule("OU-Z4")
def test_a_blow_that_removes_several_monsters_is_one_hit() -> None:
    party = stage(["warrior"], [("gobbo", 9)], {"OU-A3": [1, 5, 8]}, level=3)

    kills = one_melee(party)

    row = party.s.ability(0, "melee")
    assert kills.tolist() == [1, 2, 3]
    assert party.s.ledger.hits[row].tolist() == [1, 1, 1]
    assert party.s.ledger.damage[row].tolist() == [1, 2, 3]
    assert "a blow that removes three monsters is one hit" in RULESET.a_hit
