"""What a posse takes along from fight to fight, rests, levels and conditions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim.core.batch import Carried
from sim.core.engine import play
from sim.core.luck import Luck
from sim.core.outcomes import Outcome
from sim.rulesets.brimstone import RULESET, data
from sim.scenario import from_dict, load
from tests.rulesets.brimstone.fights import encounter_of, played

WEAK = {"board": "none", "enemies": [{"type": "hungry_dead", "count": 1}]}
POSSE = [{"class": "lawman", "bag": {"bandages": 2}}, {"class": "preacher"}, {"class": "gambler", "ally": True}]
FIGHT: dict[str, Any] = WEAK | {"heroes": POSSE}


def fresh(fight: dict[str, Any], runs: int = 5) -> Carried:
    """A posse that has not fought yet."""
    encounter = encounter_of(fight)
    s = encounter.start(Luck.of(1, np.arange(runs)), None)
    return encounter.leaving(s, s.everyone)


def model_of(fight: dict[str, Any]) -> Any:
    return RULESET.scenario_model.model_validate({"ruleset": "brimstone", "title": "T"} | fight)


@pytest.mark.rule("BF-V1")
def test_the_next_fight_begins_as_the_last_one_was_left() -> None:
    encounter = encounter_of(FIGHT)
    party = fresh(FIGHT)
    party["wounds"][0] = [1, 2, 3, 4, 5]
    party["grit"][1] = 0
    party["bag"][data.BANDAGES, 0] = 1
    party["status"][data.POISON, 1] = 2
    party["revive_tokens"][:] = 0
    party["darkness"][:] = 7
    party["removed"][2, 3] = True

    s = encounter.start(Luck.of(2, np.arange(5)), None, party)

    assert s.wounds[0].tolist() == [1, 2, 3, 4, 5]
    assert s.status[data.POISON, 1].tolist() == [2] * 5
    assert s.facts.markers  # although no enemy of this fight gives any
    assert (s.tokens[0], s.marker[0], s.bag[data.BANDAGES, 0, 0], s.grit[1, 0]) == (0, 7, 1, 0)
    assert s.standing[2].tolist() == [True, True, True, False, True]
    back = encounter.leaving(s, s.everyone)
    assert all(np.array_equal(back[name], party[name]) for name in party)


@pytest.mark.rule("BF-V1")
def test_a_death_mark_ends_with_the_fight_and_other_markers_do_not() -> None:
    marked = FIGHT | {"heroes": [{"class": "lawman", "status": {"death_mark": 1, "webbed": 3}}]}

    party = fresh(marked)

    assert party["status"][:, 0, 0].tolist() == [0, 0, 0, 0, 0, 0, 3, 0, 0]


@pytest.mark.rule("BF-V1")
def test_who_is_gone_for_good_takes_no_square_and_does_nothing_in_the_next_fight() -> None:
    fight = FIGHT | {"board": None, "width": 5, "height": 5, "heroes": POSSE[:2], "enemies": [{"type": "tentacles"}]}
    party = fresh(fight, runs=1)
    party["dead"][1] = True
    encounter = encounter_of(fight)

    s = encounter.start(Luck.of(3, np.arange(1)), None, party)
    assert s.hero_bits.sum() == s.ground.bits.at(s.cell[0]).sum()
    while s.live.any():
        s.round += 1
        encounter.play_round(s)

    assert (s.taken[1, 0], s.ever_acted[1, 0], s.dead[1, 0], s.loot[1, 0]) == (0, False, True, 0)


@pytest.mark.rule("BF-V1")
def test_what_was_earned_adds_up_and_counts_once() -> None:
    won = played(FIGHT, runs=40, seed=4)
    at = np.flatnonzero(won.outcome == Outcome.WIN)
    encounter = encounter_of(FIGHT)
    party = encounter.leaving(won, at)

    s = encounter.start(Luck.of(5, at), None, party)
    again = encounter.leaving(s, s.everyone)

    assert np.array_equal(again["past"], party["past"])
    assert np.array_equal(party["past"][0], won.xp[:, at])
    assert s.xp.sum() == 0  # the tables of the next fight count its own


@pytest.mark.rule("BF-V2")
def test_a_short_rest_heals_two_dice_in_any_mix_and_takes_markers_off() -> None:
    party = fresh(FIGHT, runs=2000)
    party["wounds"][0], party["sdmg"][0] = 11, 11
    party["status"][data.STUNNED, 0] = 2

    after = RULESET.rest(model_of(FIGHT), party, "short", Luck.of(6, np.arange(2000)))

    healed = 22 - after["wounds"][0] - after["sdmg"][0]
    assert (healed.min(), healed.max()) == (2, 12)
    assert abs(healed.mean() - 7) < 4 * 2.42 / 2000**0.5
    assert (np.abs(after["wounds"][0].astype(int) - after["sdmg"][0]) <= 1).all()  # the smaller one first
    assert not after["status"].any()
    assert party["wounds"][0].tolist() == [11] * 2000


@pytest.mark.rule("BF-V2")
def test_a_long_rest_restores_all_but_the_dead() -> None:
    party = fresh(FIGHT)
    for name in ("wounds", "sdmg"):
        party[name][:] = 3
    party["grit"][:], party["bag"][:], party["revive_tokens"][:], party["dead"][1] = 0, 0, 0, True

    after = RULESET.rest(model_of(FIGHT), party, "long", Luck.of(1, np.arange(5)))

    assert not after["wounds"].any()
    assert not after["sdmg"].any()
    assert (after["bag"][data.BANDAGES, 0] == 2).all()
    assert after["grit"][:, 0].tolist() == [1, 1, 0]  # an ally has none
    assert (after["revive_tokens"] == 1).all()
    assert after["dead"][1].all()


@pytest.mark.rule("BF-V3")
def test_a_level_is_one_more_for_everybody_written_out_or_not() -> None:
    scenario = load("brimstone/tentacle_hall")
    short = from_dict(RULESET.one_level_up(scenario.data))
    full = from_dict(RULESET.one_level_up(scenario.resolved()))

    assert short.resolved()["heroes"] == full.resolved()["heroes"]
    assert [hero["level"] for hero in short.resolved()["heroes"]] == [2, 2, 2, 2]


@pytest.mark.rule("BF-V3")
def test_levels_rolled_on_the_chart_are_not_rolled_again() -> None:
    fight = FIGHT | {"level": 4, "switches": {"level_model": "chart"}}
    party = fresh(fight, runs=50)

    same = encounter_of(fight).start(Luck.of(9, np.arange(50)), None, party)
    higher = encounter_of(fight | {"level": 5}).start(Luck.of(9, np.arange(50)), None, party)

    assert np.array_equal(same.figures, party["figures"])
    changed = (higher.figures != party["figures"]).any(axis=0)
    assert changed.mean() > 0.9
    assert (higher.figures[4] - party["figures"][4]).max() <= 3  # one roll gives at most 3 Health


@pytest.mark.rule("BF-V4")
def test_a_scene_can_ask_for_what_is_left() -> None:
    party = fresh(FIGHT, runs=1)
    party["wounds"][0] = 6
    party["status"][data.BLEEDING, 1] = 1
    party["removed"][2] = True

    asked = {name: values[0] for name, values in RULESET.condition(model_of(FIGHT), party).items()}

    assert asked["party_hp"] == pytest.approx((6 + 9) / (12 + 12 + 10))
    assert (asked["standing"], asked["dead"], asked["grit"], asked["tokens"]) == (2, 1, 2, 3)
    assert set(asked) >= {"party_sanity", "revive_tokens", "darkness", "xp", "corruption", "injuries", "madness"}


@pytest.mark.rule("BF-V1", "BF-V2")
def test_two_scenes_with_a_long_rest_between_them_are_won_as_often_as_both_alone() -> None:
    switches = {"grit_use": "off"}  # a posse may come with more Grit than it began with
    alone = load("brimstone/strangler_den", values={"switches": switches, "policy": "random_legal"})
    table: dict[str, Any] = {"ruleset": "brimstone", "title": "T", "party_of": "strangler_den", "switches": switches}
    fight = {"fight": "strangler_den"}
    both = from_dict(table | {"policy": "random_legal", "scenes": [fight, {"rest": "long"}, fight]})
    runs = 1500

    one, two = (play(fight.encounter(), 3, np.arange(runs)).outcome == Outcome.WIN for fight in (alone, both))

    margin = 4 * ((2 * one.mean()) ** 2 * one.var() / runs + two.var() / runs) ** 0.5
    assert abs(two.mean() - one.mean() ** 2) < margin
