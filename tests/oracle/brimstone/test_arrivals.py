"""How models enter: placement, ambush, spawners."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from tests.oracle import brimstone as bf
from tests.oracle.brimstone.chances import FixedLuck, TreeLuck, chances
from tests.oracle.brimstone.scenes import hero_at, scene, squares_of, targets
from tests.oracle.luck import PythonLuck

F = Fraction


@pytest.mark.rule("BF-S9", "BF-S10", "BF-S11", "BF-S12")
def test_we1_two_types_are_placed_lowest_initiative_first() -> None:
    prepared = bf.prepare(
        {
            "width": 6,
            "height": 6,
            "heroes": [hero_at(2, 1), hero_at(3, 1)],
            "enemies": [{"type": "hellbats", "count": 4}, {"type": "hungry_dead", "count": 3}],
        }
    )

    assert squares_of(prepared, "hungry_dead") == [(1, 6), (3, 6), (5, 6)]
    assert squares_of(prepared, "hellbats") == [(2, 5), (4, 5), (6, 5), (1, 4)]


@pytest.mark.rule("BF-S11", "BF-S12")
def test_we2_placement_on_a_ragged_tile() -> None:
    prepared = bf.prepare(
        {
            "board": """
                # # . . # # #
                # # . . . . #
                . . . . . . #
                . . . . . . .
                # . . . . . .
                # # # . . # #
                # # # . . # #
            """,
            "heroes": [hero_at(4, 1), hero_at(5, 1)],
            "enemies": [{"type": "hellbats", "count": 6}, {"type": "gulch_snipers", "count": 2}],
        }
    )

    assert squares_of(prepared, "gulch_snipers") == [(3, 7), (4, 6)]
    assert squares_of(prepared, "hellbats") == [(6, 6), (1, 5), (3, 5), (5, 5), (2, 4), (4, 4)]


@pytest.mark.rule("BF-S12", "BF-S13")
def test_we3_overflow_fills_the_gaps_and_a_ninth_model_is_refused() -> None:
    scenario = {
        "width": 3,
        "height": 3,
        "heroes": [hero_at(2, 1)],
        "enemies": [{"type": "tentacles", "count": 8}],
    }

    expected = [(1, 3), (3, 3), (2, 2), (1, 1), (3, 1), (2, 3), (1, 2), (3, 2)]
    assert squares_of(bf.prepare(scenario), "tentacles") == expected
    with pytest.raises(ValueError, match="BF-S13"):
        bf.prepare(scenario | {"enemies": [{"type": "tentacles", "count": 9}]})


def ambushed(luck: TreeLuck, heroes: list[dict[str, Any]], kind: str, count: int, **switches: Any) -> bf.Fight:
    prepared = bf.prepare(
        {
            "width": 9,
            "height": 9,
            "ambush": True,
            "heroes": heroes,
            "enemies": [{"type": kind, "count": count}],
            "switches": switches,
        }
    )
    fight = bf.Fight(prepared, luck)
    fight.set_up()
    return fight


@pytest.mark.rule("BF-S14", "BF-S15", "BF-S18")
def test_we13_ambush_spread() -> None:
    posse = [hero_at(3, 3), hero_at(7, 7)]

    def split(luck: TreeLuck, **switches: Any) -> tuple[int, ...]:
        # The squares do not matter here: always the first free one.
        fight = bf.Fight(bf.prepare({"width": 9, "height": 9, "heroes": posse, "switches": switches}), luck)
        fight.best_for_party = lambda squares: squares[:1]  # type: ignore[method-assign]
        fight.arrive({bf.TYPE_NUMBER["scourge_rats"]: 3}, True, 1, 0, 0, 1, 1)
        fight.turn = 1
        assert fight.initiative(fight.slots[0].group) == 10
        assert all(model.sq in fight.board.near[model.target.sq] for model in fight.slots if model.target)
        return tuple(sorted(Counter(targets(fight)).values()))

    assert chances(split)[(3,)] == F(1, 4)
    assert chances(lambda luck: split(luck, ambush_spread="even")) == {(1, 2): 1}
    assert chances(lambda luck: split(luck, ambush_spread="follow_targeting"))[(3,)] == F(1, 4)


@pytest.mark.rule("BF-S15")
def test_follow_targeting_counts_the_models_still_to_come() -> None:
    for seed in range(30):
        fight = ambushed(PythonLuck(seed), [hero_at(2, 2), hero_at(5, 5), hero_at(8, 8)], "scourge_rats", 2,
                         ambush_spread="follow_targeting")  # fmt: skip
        assert len(set(targets(fight))) == 2


@pytest.mark.rule("BF-S16", "BF-S17")
def test_ambush_without_room_and_of_shooters() -> None:
    crowded = ambushed(PythonLuck(1), [hero_at(1, 1)], "scourge_rats", 5)
    far = ambushed(PythonLuck(1), [hero_at(1, 1)], "bandits", 3)

    assert [model.target is None for model in crowded.slots] == [False, False, False, True, True]
    assert {crowded.steps_to_hero(model.sq) for model in crowded.slots[3:]} == {2}
    assert {far.steps_to_hero(model.sq) for model in far.slots} == {8}
    assert targets(far) == (None, None, None)


@pytest.mark.rule("BF-T8")
def test_spawners_and_hordes_add_models() -> None:
    rolls = {"Spawn": 4, "Hordes": [6, 5]}
    enemies = [("corpse_pile", (2, 6)), ("drowned_dead", (6, 6))]
    fight = scene(FixedLuck(rolls), [hero_at(4, 1)], enemies)

    fight.end_of_turn()

    assert Counter(model.kind.name for model in fight.living) == {
        "corpse_pile": 1,
        "hungry_dead": 1,
        "drowned_dead": 3,
    }
    assert sum(model.target is not None for model in fight.living) == 2


@pytest.mark.rule("BF-T8")
def test_a_walled_in_corpse_pile_hits_instead() -> None:
    fight = scene(FixedLuck({"Spawn": 6, "Spawn/defense": 1}), [hero_at(1, 1)], [("corpse_pile", (2, 1))], "..")

    fight.end_of_turn()

    assert fight.heroes[0].taken == 3
    assert len(fight.living) == 1


@pytest.mark.rule("BF-G9")
def test_no_more_than_forty_models() -> None:
    scenario = {"board": "none", "heroes": [{"class": "lawman"}], "enemies": [{"type": "hellbats", "count": 45}]}
    fight = bf.Fight(bf.prepare(scenario), PythonLuck(1))

    fight.set_up()

    assert (len(fight.living), fight.ignored) == (40, 5)
