"""Types of the designer's own: what `like` fills in."""

from __future__ import annotations

import pytest

from sim.core.own_types import GoesInACircle, in_full, line_of

BUILT_IN = {"skeleton": {"melee": 3, "defence": 3, "traits": ["undead"]}, "gobbo": {"melee": 1, "defence": 2}}


def test_a_type_of_the_game_is_what_it_is() -> None:
    assert in_full("gobbo", {}, BUILT_IN) == {"melee": 1, "defence": 2}


def test_what_a_type_leaves_unsaid_is_as_in_the_one_that_it_is_like() -> None:
    own = {"bone_lord": {"like": "skeleton", "defence": 5}}

    assert in_full("bone_lord", own, BUILT_IN) == {"melee": 3, "defence": 5, "traits": ["undead"]}


def test_a_list_that_is_said_takes_the_place_of_the_other() -> None:
    own = {"bone_lord": {"like": "skeleton", "traits": []}}

    assert in_full("bone_lord", own, BUILT_IN)["traits"] == []


def test_a_type_may_be_like_another_one_of_the_designers_but_not_bear_its_name() -> None:
    own = {"bone_king": {"like": "bone_lord", "melee": 6}, "bone_lord": {"like": "skeleton", "name": "Bone lord"}}

    assert in_full("bone_king", own, BUILT_IN) == {"melee": 6, "defence": 3, "traits": ["undead"]}
    assert in_full("bone_lord", own, BUILT_IN)["name"] == "Bone lord"


def test_a_type_of_the_games_name_takes_its_place_and_may_be_like_it() -> None:
    own = {"skeleton": {"like": "skeleton", "defence": 4}, "bone_lord": {"like": "skeleton"}}

    assert in_full("skeleton", own, BUILT_IN) == {"melee": 3, "defence": 4, "traits": ["undead"]}
    assert in_full("bone_lord", own, BUILT_IN)["defence"] == 4


@pytest.mark.parametrize(
    "own",
    [
        {"a": {"like": "a"}},
        {"a": {"like": "b"}, "b": {"like": "a"}},
        {"a": {"like": "b"}, "b": {"like": "c"}, "c": {"like": "b"}},
        {"gobbo": {"like": "b"}, "b": {"like": "gobbo"}},
    ],
)
def test_types_that_are_like_one_another_in_a_circle_are_refused(own: dict[str, dict[str, str]]) -> None:
    with pytest.raises(GoesInACircle, match="is like"):
        line_of(next(iter(own)), own, BUILT_IN)


def test_somebody_unknown_has_no_numbers() -> None:
    with pytest.raises(KeyError):
        in_full("bone_lord", {"bone_lord": {"like": "skelton"}}, BUILT_IN)
