"""How models enter: placement and ambush."""

from __future__ import annotations

from typing import Any

import pytest

from sim.errors import ScenarioError
from sim.rulesets.brimstone.rules.rounds import (
    start_turn,
)
from tests.rulesets.brimstone.fights import encounter_of, played, ready
from tests.rulesets.brimstone.scenes import (
    RUNS,
    TOUGH,
    ends,
    kind_of,
    near,
    on_open_ground,
    squares,
    tough_at,
)

RAGGED = """
# # . . # # #
# # . . . . #
. . . . . . #
. . . . . . .
# . . . . . .
# # # . . # #
# # # . . # #
"""


@pytest.mark.rule("BF-E14", "BF-S15")
@pytest.mark.parametrize("choice", ["random", "best_for_party"])
def test_ambushers_stand_next_to_few_heroes_if_the_party_chooses(choice: str) -> None:
    fight = {"ambush": True, "switches": {"party_choice": choice}}
    _, s = on_open_ground((7, 5), [tough_at(3, 3), tough_at(5, 3)], [{"type": "scourge_rats"}], 1000, **fight)

    between = any(x == 4 for x, _ in ends(s))

    assert between == (choice == "random")


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


@pytest.mark.rule("BF-S8", "BF-S9", "BF-S10", "BF-S11", "BF-S12")
def test_we1_two_types_are_placed_as_a_checkerboard() -> None:
    heroes = [{"class": "lawman"}, {"class": "preacher"}]
    enemies = [{"type": "hellbats", "count": 4}, {"type": "hungry_dead", "count": 3}]

    _, s = ready({"width": 6, "height": 6, "heroes": heroes, "enemies": enemies})

    assert squares(s, "hungry_dead") == [(1, 6), (3, 6), (5, 6)]
    assert squares(s, "hellbats") == [(2, 5), (4, 5), (6, 5), (1, 4)]
    assert [s.ground.board.coords[int(c)] for c in s.cell[:, 0]] == [(3, 1), (4, 1)]  # type: ignore[union-attr]


@pytest.mark.rule("BF-S12", "BF-S13")
def test_we3_placement_goes_on_with_the_other_squares_until_the_tile_is_full() -> None:
    fight: dict[str, Any] = {"width": 3, "height": 3, "heroes": [{"class": "lawman", "square": [2, 1]}]}

    _, s = ready(fight | {"enemies": [{"type": "tentacles", "count": 8}]})

    first, then = [(1, 3), (3, 3), (2, 2), (1, 1), (3, 1)], [(2, 3), (1, 2), (3, 2)]
    assert squares(s, "tentacles") == first + then
    with pytest.raises(ScenarioError, match="8 free squares"):
        encounter_of(fight | {"enemies": [{"type": "tentacles", "count": 9}]})


@pytest.mark.rule("BF-S15")
@pytest.mark.parametrize(("spread", "together"), [("random", 1 / 4), ("even", 0.0)])
def test_we13_ambush_spread(spread: str, together: float) -> None:
    heroes = [{"class": "lawman", "square": [2, 4]}, {"class": "lawman", "square": [6, 4]}]
    fight = {"width": 7, "height": 7, "heroes": heroes, "ambush": True, "switches": {"ambush_spread": spread}}

    _, s = ready(fight | {"enemies": [{"type": "scourge_rats", "count": 3}]}, RUNS)

    same = (s.target[:3] == s.target[0]).all(axis=0)
    assert near(float(same.mean()), together)
    assert (s.bonus_turn[1] == 1).all()


@pytest.mark.rule("BF-S9", "BF-S10", "BF-S11", "BF-S12")
def test_we2_placement_on_a_ragged_tile() -> None:
    enemies = [{"type": "hellbats", "count": 6}, {"type": "gulch_snipers", "count": 2}]

    _, s = ready({"board": RAGGED, "heroes": [{"class": "lawman"}], "enemies": enemies})

    assert squares(s, "gulch_snipers") == [(3, 7), (4, 6)]
    assert squares(s, "hellbats") == [(6, 6), (1, 5), (3, 5), (5, 5), (2, 4), (4, 4)]


@pytest.mark.rule("BF-S12")
def test_models_of_the_start_stand_on_given_squares_and_nobody_else_does() -> None:
    lines = [
        {"type": "hungry_dead", "count": 3},
        {"type": "tentacles", "count": 3, "squares": [[1, 5], [4, 4]]},  # quicker, so placed later
    ]
    _, s = on_open_ground((5, 5), [{"class": "lawman"}], lines, 1)

    assert squares(s, "hungry_dead") == [(3, 5), (5, 5), (2, 4)]  # the back left corner is kept
    assert squares(s, "tentacles") == [(1, 5), (4, 4), (1, 3)]


def test_squares_that_the_rules_would_take_anyway_change_nothing() -> None:
    fight = {"width": 8, "height": 8, "heroes": [{"class": "lawman"}, {"class": "preacher"}]}
    plain = fight | {"enemies": [{"type": "tentacles", "count": 3}]}
    given = fight | {"enemies": [{"type": "tentacles", "count": 3, "squares": [[1, 8], [3, 8], [5, 8]]}]}

    one, other = played(plain, 40, 3), played(given, 40, 3)

    assert (one.outcome == other.outcome).all()
    assert (one.rounds == other.rounds).all()
    assert (one.wounds == other.wounds).all()
