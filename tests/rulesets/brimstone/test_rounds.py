"""A turn: its start, the order of play, arrivals, its end."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim.core.luck import TABLE
from sim.core.outcomes import Outcome
from sim.rulesets.brimstone.data import BY_CAP, BY_FLIGHT
from sim.rulesets.brimstone.rules.damage import knock_out
from sim.rulesets.brimstone.rules.rounds import (
    Activations,
    end_turn,
    group_initiative,
    hold_back_darkness,
    late_revival,
    start_turn,
)
from sim.rulesets.brimstone.state import State
from tests.rulesets.brimstone.fights import played, ready
from tests.rulesets.brimstone.scenes import (
    FOUR,
    RUNS,
    TOUGH,
    kind_of,
    near,
    on_open_ground,
    with_a_token,
)


@pytest.mark.rule("BF-T2")
def test_regeneration_heals_at_the_start_of_a_turn() -> None:
    _, s = on_open_ground((6, 6), [TOUGH], [{"type": "stranglers", "abilities": {"regen": 2}, "count": 2}], 1)
    s.hurt[:, 0] = [1, 2]
    s.acted[:] = True

    start_turn(s)

    assert s.hurt[:, 0].tolist() == [0, 0]
    assert not s.acted.any()


@pytest.mark.rule("BF-T5")
def test_a_hero_knocked_out_before_its_slot_does_not_act() -> None:
    encounter, s = on_open_ground((8, 8), [TOUGH, TOUGH], [{"type": "hungry_dead", "health": 60}], 5)
    knock_out(s, 1, np.arange(5))

    Activations(s, encounter.player).play()

    assert s.acted.tolist() == [[True] * 5, [False] * 5]


@pytest.mark.rule("BF-T6", "BF-T7", "BF-T3")
@pytest.mark.parametrize(("kind", "acts"), [("tentacles", True), ("scourge_rats", False)])
def test_who_arrives_in_mid_turn_acts_only_with_a_lower_initiative(kind: str, acts: bool) -> None:
    event = {"turn": 1, "after_activation": 1, "enemies": [{"type": kind}]}
    dead = {"type": "hungry_dead", "health": 60}
    encounter, s = on_open_ground((8, 8), [TOUGH | {"init": 6}, TOUGH | {"init": 2}], [dead], 20, events=[event])
    turn = Activations(s, encounter.player)

    turn.play()

    assert (turn.done[s.heroes + turn.kinds.index(kind_of(s, kind))] == acts).all()
    assert s.acted.all()


@pytest.mark.rule("BF-T8", "BF-F1")
def test_the_round_cap_is_a_draw() -> None:
    _, s = on_open_ground((6, 6), [TOUGH], [{"type": "tentacles"}], 2, switches={"round_cap": 5})

    s.round = 4
    end_turn(s)
    going = s.live.copy()
    s.round = 5
    end_turn(s)

    assert going.all()
    assert (s.outcome == Outcome.DRAW).all()
    assert (s.cause == BY_CAP).all()
    assert not s.live.any()


@pytest.mark.rule("BF-H28", "BF-F1")
def test_a_posse_that_runs_away_has_lost() -> None:
    s = played({"board": "none", "heroes": [TOUGH], "enemies": [{"type": "goliath"}], "flee_turn": 2}, 20, 1)

    assert (s.rounds == 2).all()
    assert (s.outcome == Outcome.LOSS).all()
    assert (s.cause == BY_FLIGHT).all()


@pytest.mark.rule("BF-A9", "BF-T8", "BF-T5")
def test_or_at_the_end_of_the_turn() -> None:
    s = with_a_token("end_of_turn")
    down = not s.standing[0, 0]

    late_revival(s)

    assert down
    assert (s.standing[0, 0], s.wounds[0, 0], s.sdmg[0, 0], s.tokens[0]) == (True, 0, 0, 0)


@pytest.mark.rule("BF-A10")
@pytest.mark.parametrize("hard_core", ["on", "off"])
def test_hard_core_kills_who_is_still_down(hard_core: str) -> None:
    rules = {"revive_tokens": 0, "hard_core": hard_core}
    _, s = on_open_ground((6, 6), [TOUGH, TOUGH], [{"type": "tentacles"}], 2, switches=rules)
    knock_out(s, 1, np.arange(2))
    s.round = 2

    start_turn(s)

    assert s.dead.tolist() == [[False] * 2, [hard_core == "on"] * 2]


@pytest.mark.rule("BF-T1", "BF-T4", "BF-S18")
@pytest.mark.parametrize(
    ("changes", "order"),
    [
        ({}, ["gunslinger", "stranglers", "us_marshal", "bandido", "tentacles", "preacher"]),
        ({"ambush": True}, ["stranglers", "gunslinger", "tentacles", "us_marshal", "bandido", "preacher"]),
        (
            {"ambush": True, "switches": {"initiative_ties": "heroes_first"}},
            ["gunslinger", "stranglers", "us_marshal", "tentacles", "bandido", "preacher"],
        ),
    ],
)
def test_we4_initiative(changes: dict[str, Any], order: list[str]) -> None:
    enemies = [{"type": "stranglers", "count": 2}, {"type": "tentacles", "count": 2}]
    encounter, s = ready({"width": 8, "height": 8, "heroes": FOUR, "enemies": enemies} | changes)
    s.round = 1

    turn = Activations(s, encounter.player)

    names = [hero.name for hero in s.facts.plot.heroes] + [s.facts.plot.kinds[kind].name for kind in turn.kinds]
    assert [names[int(unit)] for unit in np.argsort(turn.rank[:, 0])] == order


@pytest.mark.rule("BF-T9")
@pytest.mark.parametrize(("stage", "chance"), [(7, 1 / 3), (8, 1 / 2), (9, 11 / 18)])
def test_we29_darkness(stage: int, chance: float) -> None:
    fight = {"board": "none", "heroes": [{"class": "lawman"}], "enemies": [{"type": "tentacles"}], "stage": stage}
    _, s = ready(fight | {"switches": {"darkness_track": "on"}}, RUNS)
    s.round = 1

    hold_back_darkness(s)

    assert near(float((s.marker == 1).mean()), chance)
    assert TABLE == 9_999


def interrupted(**moment: Any) -> tuple[State, int]:
    """Turn 1 of a fight in which Scourge Rats arrive in ambush; nobody can fall in it."""
    heroes = [{"class": name, "health": 40, "sanity": 40} for name in ("gunslinger", "lawman", "preacher")]
    event = {"turn": 1, "ambush": True, "enemies": [{"type": "scourge_rats", "count": 3}]} | moment
    dead = {"type": "hungry_dead", "count": 4, "health": 60}
    encounter, s = ready({"width": 8, "height": 8, "heroes": heroes, "enemies": [dead], "events": [event]}, 50)
    s.round = 1
    encounter.play_round(s)
    return s, kind_of(s, "scourge_rats")


@pytest.mark.rule("BF-T7", "BF-S18", "BF-T3")
def test_we30_an_ambush_in_mid_turn_ends_the_turn() -> None:
    s, rats = interrupted(after_activation=2)

    assert (s.acted.all(axis=1)).tolist() == [True, True, False]
    assert not s.acted[2].any()
    assert (s.made[rats] == 3).all()
    initiative = []
    for turn in (2, 3):
        s.round = turn
        initiative.append(set(group_initiative(s, rats).tolist()))
    assert initiative == [{10}, {8}]


@pytest.mark.rule("BF-T2", "BF-T7", "BF-S18")
def test_we30_an_ambush_at_the_darkness_does_not() -> None:
    s, rats = interrupted(moment="darkness")

    assert s.acted.all()
    assert (group_initiative(s, rats)[s.live] == 10).all()
    assert (s.made[rats] == 3).all()
