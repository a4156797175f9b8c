"""Setup and turn: every rule that no worked example shows, on a scene of its own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim.core.batch import joined
from sim.core.outcomes import Outcome
from sim.errors import ScenarioError
from sim.rulesets.brimstone.data import BLEEDING, BY_CAP, BY_FLIGHT, POISON
from sim.rulesets.brimstone.facts import COUNTS
from sim.rulesets.brimstone.rules.damage import check_ko, knock_out, wound
from sim.rulesets.brimstone.rules.rounds import Activations, end_turn, late_revival, start_turn
from sim.rulesets.brimstone.state import State
from sim.rulesets.brimstone.threats import card_list, most_cards, posse_list
from sim.scenario import from_dict
from tests.rulesets.brimstone.fights import played, ready
from tests.rulesets.brimstone.scenes import (
    FOUR,
    RUNS,
    cell,
    ends,
    kind_of,
    move_hero,
    move_model,
    near,
    on_open_ground,
)

TOUGH = {"class": "lawman", "health": 40, "sanity": 40}


@pytest.mark.rule("BF-S2")
def test_the_threat_list_follows_the_size_of_the_posse() -> None:
    assert [posse_list(heroes, 0) for heroes in range(1, 7)] == ["low", "low", "med", "med", "high", "high"]
    assert posse_list(2, 3) == "med"  # three allies count as one hero
    assert card_list("epic", "low", True) == "high"
    assert card_list("epic", "med", False) == "epic"


@pytest.mark.rule("BF-S3", "BF-S4")
def test_cards_bring_further_cards_and_join_groups() -> None:
    listed = {"heroes": FOUR[:1], "board": "none", "enemies": [{"type": "tentacles", "count": "P"}]}

    _, alone = ready(listed, RUNS)
    _, more = ready(listed | {"threat": ["med:5", "med:3"]}, 200)  # six Tentacles; two Low cards

    tentacles = kind_of(alone, "tentacles")
    assert near(float((alone.made[tentacles] == 3).mean()), 1 / 3)
    assert near(float((alone.made[tentacles] == 6).mean()), 1 / 6)
    assert (alone.cards == 1).all()
    assert (more.made[tentacles] >= 9).all()
    assert (more.cards == 4).all()  # the list, the six Tentacles and both Low cards


def test_there_is_room_for_every_card_that_cards_call_for() -> None:
    assert most_cards("low", "high", False) == 1
    assert most_cards("med:3", "high", False) == 3  # two Low cards
    assert most_cards("epic", "high", False) == 1 + 2 * (1 + 2 * 3)
    assert most_cards("auto", "med", False) == most_cards("med", "med", False) == 3

    _, s = ready({"heroes": FOUR, "board": "none", "threat": ["high:8"] * 20}, 50)  # up to 140 cards

    assert (s.cards >= 40).all()
    assert (s.cards <= 120).all()


def test_batches_with_different_numbers_of_models_play_on_together() -> None:
    fight = {"heroes": FOUR[:2], "board": "none", "enemies": [{"type": "hungry_dead"}, {"type": "corpse_pile"}]}
    encounter, s = ready(fight, 5)
    _, other = ready(fight, 3, seed=2)
    s.make_room(9)

    both = joined(s, other)

    assert both.size == 8
    assert both.slots == other.slots == 9
    assert both.alive.sum(axis=0).tolist() == [2] * 8
    encounter.play_round(both)


@pytest.mark.rule("BF-A8")
@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"wounds": 12}, "heroes[0].wounds"),
        ({"wounds": 3, "status": {"bleeding": 3}}, "heroes[0].wounds"),
        ({"status": {"bleeding": 4}}, "heroes[0].status.bleeding"),
        ({"sdmg": 12}, "heroes[0].sdmg"),
    ],
)
def test_nobody_comes_to_a_fight_knocked_out(changes: dict[str, Any], key: str) -> None:
    fight = {"ruleset": "brimstone", "title": "T", "board": "none", "enemies": [{"type": "tentacles"}]}

    with pytest.raises(ScenarioError) as caught:
        from_dict(fight | {"heroes": [{"class": "lawman", **changes}]})
    from_dict(fight | {"heroes": [{"class": "lawman", "level": 3, **changes}]})  # 16 Health and Sanity

    assert [problem.key for problem in caught.value.problems] == [key]


@pytest.mark.rule("BF-S5", "BF-S1")
def test_elite_abilities_are_rolled_without_repeats() -> None:
    fight = {"heroes": [{"class": "lawman", "level": 4}], "board": "none", "enemies": [{"type": "tentacles"}]}

    _, s = ready(fight, RUNS)

    profiles, number = np.unique(s.profile[0], return_counts=True)
    assert (s.facts.figure["elites"][profiles] == 2).all()
    assert len(profiles) == 15  # two of six
    assert all(near(n / RUNS, 1 / 15) for n in number)


@pytest.mark.rule("BF-S6", "BF-S7")
@pytest.mark.parametrize(("heroes", "tokens"), [(1, 2), (2, 1), (3, 1), (4, 0), (5, 1), (6, 0)])
def test_revive_tokens_and_grit_of_the_start(heroes: int, tokens: int) -> None:
    posse = [{"class": "lawman"}] * heroes + [{"class": "lawman", "ally": True, "move": 3}]

    _, s = ready({"board": "none", "heroes": posse, "enemies": [{"type": "tentacles"}]})

    assert list(s.tokens) == [tokens]
    assert s.grit[:, 0].tolist() == [1] * heroes + [0]
    assert not s.wounds.any()


@pytest.mark.rule("BF-S14", "BF-S9")
@pytest.mark.parametrize(("ambush", "first"), [(True, "scourge_rats"), (False, "tentacles")])
def test_an_ambush_places_the_quick_first(ambush: bool, first: str) -> None:
    enemies = [{"type": "tentacles"}, {"type": "scourge_rats"}]

    _, s = on_open_ground((6, 6), [TOUGH], enemies, 5, ambush=ambush)

    assert (s.kind[0] == kind_of(s, first)).all()


@pytest.mark.rule("BF-S16")
def test_an_ambusher_without_room_beside_a_hero_stands_near_without_a_target() -> None:
    hero = TOUGH | {"square": [1, 1]}

    _, s = on_open_ground((6, 1), [hero], [{"type": "scourge_rats", "count": 3}], 20, ambush=True)

    assert [set(ends(s, slot)) for slot in range(3)] == [{(2, 1)}, {(3, 1)}, {(4, 1)}]
    assert s.target[:3, 0].tolist() == [0, -1, -1]


@pytest.mark.rule("BF-S17")
def test_a_shootout_ambush_comes_from_the_far_squares() -> None:
    hero = TOUGH | {"square": [1, 1]}

    _, s = on_open_ground((7, 7), [hero], [{"type": "bandits", "count": 2}], 200, ambush=True)

    assert all(max(place) == 7 for slot in range(2) for place in ends(s, slot))
    assert (s.target[:2] == -1).all()


@pytest.mark.rule("BF-G9")
def test_the_forty_first_model_is_ignored() -> None:
    event = {"turn": 1, "enemies": [{"type": "hungry_dead", "count": 5}]}
    _, s = on_open_ground((10, 10), [TOUGH], [{"type": "void_spiders", "count": 38}], 3, events=[event])

    start_turn(s)

    assert (s.alive.sum(axis=0) == 40).all()
    assert (s.ignored == 3).all()


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


@pytest.mark.rule("BF-T10")
def test_the_last_kill_ends_the_fight_at_once() -> None:
    heroes = [{"class": "lawman", "init": 9, "combat": 6}, {"class": "lawman", "init": 8}]
    encounter, s = ready({"board": "none", "heroes": heroes, "enemies": [{"type": "hellbats"}]}, 300)
    s.round = 1

    encounter.play_round(s)

    first = (s.kills[0] == 1) & (s.outcome == Outcome.WIN)
    assert first.sum() > 200
    assert not s.acted[1, first].any()
    assert s.acted[1, s.kills[0] == 0].all()


@pytest.mark.rule("BF-H28", "BF-F1")
def test_a_posse_that_runs_away_has_lost() -> None:
    s = played({"board": "none", "heroes": [TOUGH], "enemies": [{"type": "goliath"}], "flee_turn": 2}, 20, 1)

    assert (s.rounds == 2).all()
    assert (s.outcome == Outcome.LOSS).all()
    assert (s.cause == BY_FLIGHT).all()


def with_a_token(timing: str) -> State:
    """Two heroes share one revive token; the first is hurt, poisoned and takes more than it has left."""
    heroes = [{"class": "lawman", "health": 10}, {"class": "lawman"}]
    rules = {"revive_tokens": 1, "revive_timing": timing}
    _, s = on_open_ground((6, 6), heroes, [{"type": "tentacles"}], 1, switches=rules)
    s.wounds[0], s.sdmg[0], s.status[POISON, 0] = 8, 4, 1
    wound(s, 0, np.zeros(1, np.int64), np.array([5]), "test")
    return s


@pytest.mark.rule("BF-U1", "BF-A8")
def test_we20_a_bleeding_marker_can_knock_out() -> None:
    heroes = [{"class": "lawman", "health": 10, "wounds": 8}, {"class": "lawman", "health": 12, "wounds": 8}]
    _, s = on_open_ground((6, 6), heroes, [{"type": "tentacles"}], 1, switches={"revive_tokens": 0})
    s.status[BLEEDING] = 1

    for hero in (0, 1):
        check_ko(s, hero, np.zeros(1, np.int64))

    assert s.standing[:, 0].tolist() == [False, True]
    assert s.status[BLEEDING, :, 0].tolist() == [0, 1]  # a knock-out takes the marker away
    assert int(s.health_left(0, np.zeros(1, np.int64))[0]) == 0


@pytest.mark.rule("BF-A9", "BF-A8")
def test_we20_a_revive_token_undoes_a_knock_out_at_once() -> None:
    s = with_a_token("immediate")

    assert s.standing[0].all()
    assert (s.wounds[0, 0], s.sdmg[0, 0], s.grit[0, 0], s.tokens[0], s.ko_count[0, 0]) == (0, 0, 2, 0, 0)
    assert not s.status.any()


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


@pytest.mark.rule("BF-U2", "BF-G7", "BF-A8")
def test_a_hero_who_is_down_neither_blocks_nor_is_a_target() -> None:
    _, s = on_open_ground((6, 6), [TOUGH, TOUGH], [{"type": "tentacles", "count": 2}], 2)
    move_hero(s, 1, 3, 3)
    s.target[:, :] = [[1], [0]]

    knock_out(s, 1, np.arange(2))

    assert not s.ground.bits.has(s.hero_bits, np.full(2, cell(s, 3, 3))).any()
    assert (s.cell[1] == cell(s, 3, 3)).all()  # the marker stays
    assert s.target[:, 0].tolist() == [-1, 0]


@pytest.mark.rule("BF-U3")
def test_an_ally_has_no_grit_and_is_removed_for_good() -> None:
    heroes: list[dict[str, Any]] = [TOUGH, {"class": "lawman", "ally": True, "move": 3, "combat": 6}]
    encounter, s = on_open_ground((6, 6), heroes, [{"type": "hellbats", "count": 4}], 200)
    move_model(s, 0, 3, 3)

    while s.live.any():
        s.round += 1
        encounter.play_round(s)

    assert not s.grit[1].any()
    assert not s.xp[1].any()
    assert not s.loot[1].any()
    assert s.kills[1].any()
    assert (s.removed[1] == (s.ko_count[1] > 0)).all()


@pytest.mark.rule("BF-F10", "BF-G8")
def test_a_run_reports_every_count_and_nobody_shares_a_square() -> None:
    encounter, s = on_open_ground((8, 8), FOUR, [{"type": "tentacles", "count": 6}], 100)

    encounter.play_round(s)

    places = np.where(s.alive, s.spot, -1 - np.arange(s.slots)[:, None])
    places = np.concatenate([places, np.where(s.standing, s.cell, -100 - np.arange(s.heroes)[:, None])])
    assert all(len(np.unique(places[:, k])) == len(places) for k in range(100))
    outcomes = encounter.harvest(s, np.arange(100), np.arange(100))
    assert tuple(outcomes.counts) == tuple(COUNTS)
    assert (outcomes.counts["standing"] == s.standing.sum(axis=0)).all()
    assert (outcomes.damage_dealt[:4] == s.dealt).all()
