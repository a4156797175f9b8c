"""Mixed luck: own luck at some addresses, the other one elsewhere, whatever the shape of the question."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from sim.core.chance import Actor, by_group, by_side, read_groups
from sim.core.engine import play, play_with
from sim.core.luck import ENEMIES, TABLE, Luck, mix, run_keys, word
from sim.core.mixed_luck import EVERYTHING, NOTHING, Addresses, MixedLuck, Part
from sim.errors import ScenarioError
from sim.scenario import load
from sim.testing import assert_same

RUNS = np.arange(50)
SEED = 3
FIGHTS = ["overhill/crypt-swarm", "p52/corridor-ambush", "brimstone/strangler_den", "second_era/se_jailbreak"]


@pytest.fixture
def luck() -> Luck:
    return Luck.of(SEED, RUNS)


def test_the_other_luck_of_a_run_is_the_number_at_its_address(luck: Luck) -> None:
    own = int(run_keys(SEED, np.array([7]))[0])

    assert int(luck.other().keys[7]) == mix(own ^ word("other", 0, TABLE, 0))


@pytest.mark.parametrize(
    ("part", "inside", "outside"),
    [
        (Part(purposes=("OU-A3",)), ("OU-A3", 1, 2), ("OU-A5", 1, 2)),
        (Part(purposes=("*/armor", "x")), ("BF-A2/armor", 1, 2), ("BF-A2/armor again", 1, 2)),
        (Part(actors=((0, 3),)), ("OU-A3", 1, 3), ("OU-A3", 1, 4)),
        (Part(rounds=((0, 2), (9, 9))), ("OU-A3", 9, 3), ("OU-A3", 3, 3)),
        (Part(("OU-A3",), ((1, 1),), ((2, 2),)), ("OU-A3", 2, 1), ("OU-A3", 2, 0)),
    ],
)
def test_a_part_says_by_purpose_actor_and_round_whose_luck_holds(luck: Luck, part: Part, inside, outside) -> None:
    mixed = MixedLuck.mixed(luck, Addresses((part,)))

    assert_array_equal(mixed.bits(*inside), luck.bits(*inside))
    assert_array_equal(mixed.bits(*outside), luck.other().bits(*outside))


def test_the_opposite_set_and_what_is_left_out(luck: Luck) -> None:
    heroes = Addresses((Part(actors=((0, 9),)),), without=(Part(purposes=("OU-A6",)),))
    mixed, opposite = MixedLuck.mixed(luck, heroes), MixedLuck.mixed(luck, heroes.opposite())

    for address, own in ((("OU-A3", 1, 4), True), (("OU-A6", 1, 4), False), (("OU-A3", 1, ENEMIES), False)):
        assert_array_equal(mixed.bits(*address), (luck if own else luck.other()).bits(*address))
        assert_array_equal(opposite.bits(*address), (luck.other() if own else luck).bits(*address))


def test_actors_and_rounds_may_differ_from_lane_to_lane(luck: Luck) -> None:
    at = np.array([3, 30, 4, 44])
    actor, round = np.array([1, ENEMIES, ENEMIES, 2]), np.array([1, 1, 5, 5])
    mixed = MixedLuck.mixed(luck, Addresses((Part(actors=((0, 9),), rounds=((1, 4),)),)))

    found = mixed.die(100, "OU-A3", round, actor, 2, at)

    own = luck.die(100, "OU-A3", round, actor, 2, at)
    other = luck.other().die(100, "OU-A3", round, actor, 2, at)
    assert found.tolist() == [own[0], *other[1:]]


def test_a_cut_and_a_joined_batch_meet_the_same_mixed_luck(luck: Luck) -> None:
    mixed = MixedLuck.mixed(luck, Addresses((Part(purposes=("a",)),)))

    again = mixed.only(np.arange(20)).and_of(mixed.only(np.arange(20, 50)))

    for purpose in ("a", "b"):
        assert_array_equal(again.order(4, purpose, 1, 2), mixed.order(4, purpose, 1, 2))


@pytest.mark.parametrize("name", FIGHTS)
def test_sharing_everything_is_the_run_itself_and_sharing_nothing_is_another(name: str) -> None:
    fight = load(name).encounter()
    luck = Luck.of(SEED, RUNS)

    everything = play_with(fight, RUNS, MixedLuck.mixed(luck, EVERYTHING))
    nothing = play_with(fight, RUNS, MixedLuck.mixed(luck, NOTHING))

    assert_same(everything, play(fight, SEED, RUNS), name)
    assert_same(nothing, play_with(fight, RUNS, luck.other()), name)
    assert (everything.hp != nothing.hp).any()


@pytest.mark.parametrize("name", FIGHTS)
def test_a_run_with_mixed_luck_is_the_same_alone_and_in_a_batch(name: str) -> None:
    scenario = load(name)
    fight = scenario.encounter()
    heroes = by_side(fight.actors())["party"]

    together = play_with(fight, RUNS, MixedLuck.mixed(Luck.of(SEED, RUNS), heroes))
    alone = play_with(fight, RUNS[17:18], MixedLuck.mixed(Luck.of(SEED, RUNS[17:18]), heroes))

    assert_array_equal(alone.hp[:, 0], together.hp[:, 17])
    assert alone.rounds[0] == together.rounds[17]


def test_a_deck_is_shuffled_with_the_luck_of_its_purpose() -> None:
    fight = load("p52/corridor-ambush").encounter()
    luck = Luck.of(SEED, RUNS)
    cards = Addresses((Part(purposes=("P52-R3",)),))

    start = fight.start(MixedLuck.mixed(luck, cards), None)

    own, other = fight.start(luck, None), fight.start(luck.other(), None)
    assert start.deck is not None
    assert own.deck is not None
    assert other.deck is not None
    assert_array_equal(start.deck.piles, own.deck.piles)
    swapped = fight.start(MixedLuck.mixed(luck, cards.opposite()), None)
    assert swapped.deck is not None
    assert_array_equal(swapped.deck.piles, other.deck.piles)


def test_a_draw_belongs_to_the_first_group_that_fits() -> None:
    actors = [Actor("warrior", "party", ((0, 0),)), Actor("skeletons", "enemy", ((ENEMIES, ENEMIES),))]
    groups = read_groups(
        load("overhill/duel-skeleton").ruleset.folder,
        {
            "groups": [
                {"name": "heroes' dice", "purposes": ["die"], "by": "party"},
                {"name": "dice", "purposes": ["die"]},
                {"name": "rest", "purposes": ["*"]},
            ]
        },
    )

    found = by_group(groups, actors)

    def where(*address):
        return [name for name, draws in found.items() if draws.has(*address)]

    assert where("die", 1, 0) == ["heroes' dice"]
    assert where("die", 1, ENEMIES) == ["dice"]
    assert where("die", 1, TABLE) == ["dice"]
    assert where("coin", 1, 0) == ["rest"]


def test_all_that_is_wrong_in_a_file_of_groups_is_told_at_once(tmp_path) -> None:
    table = {
        "groups": [
            {"name": "a", "purposes": ["x"], "who": "me"},
            {"name": "a", "purposes": ["y"], "by": "heroes"},
            {"name": "b"},
        ]
    }

    with pytest.raises(ScenarioError) as raised:
        read_groups(tmp_path, table)

    assert [problem.key for problem in raised.value.problems] == [
        "groups[0].who",
        "groups[1].name",
        "groups[1].by",
        "groups[2]",
    ]


def test_a_scene_of_a_mixed_luck_mixes_the_lucks_of_that_scene_alike() -> None:
    luck = Luck.of(7, np.arange(20))
    ours = Addresses((Part(purposes=("ours",)),))

    later = MixedLuck.mixed(luck, ours).scene(2)

    assert np.array_equal(later.bits("ours", 1, 0), luck.scene(2).bits("ours", 1, 0))
    assert np.array_equal(later.bits("theirs", 1, 0), luck.other().scene(2).bits("theirs", 1, 0))
