"""Facts of several variants in one: what may vary, what may not, and how it is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from numpy.typing import NDArray

from sim.core.variants import UnlikeError, merged
from sim.core.varying import Varies, Varying, above_zero, in_any, largest, may_vary, unread


@dataclass(frozen=True, slots=True)
class Beast:
    """Facts to learn from."""

    name: str
    hp: int
    legs: int
    bites: NDArray[np.int16]
    reach: dict[int, str]
    recipe: str = ""

    VARIES: ClassVar[Varies] = may_vary("hp", "bites", legs=above_zero, reach=in_any, recipe=unread)


def beast(hp: int = 3, legs: int = 4, bites: tuple[int, ...] = (1, 2), name: str = "wolf", recipe: str = "") -> Beast:
    return Beast(name, hp, legs, np.array(bites, dtype=np.int16), {legs: "far"}, recipe)


def test_what_is_the_same_stays_as_it_is() -> None:
    first = beast()

    assert merged([first, beast(), beast()]) is first


def test_a_number_that_differs_has_a_value_for_every_variant() -> None:
    found = merged([beast(hp=3), beast(hp=5), beast(hp=4)])

    assert isinstance(found.hp, Varying)
    assert found.hp.of(np.array([2, 0, 1, 1])).tolist() == [4, 3, 5, 5]
    assert largest(found.hp) == 5
    assert found.legs == 4


def test_tables_that_reach_less_far_go_on_as_they_end() -> None:
    found = merged([beast(bites=(1, 2)), beast(bites=(7, 8, 9))])

    assert found.bites.table.tolist() == [[1, 2, 2], [7, 8, 9]]


def test_what_is_asked_for_in_any_variant_is_there_in_all() -> None:
    assert merged([beast(legs=2), beast(legs=4)]).reach == {2: "far", 4: "far"}


@pytest.mark.parametrize("other", [beast(name="crab"), beast(legs=0)])
def test_whoever_differs_in_anything_else_is_played_alone(other: Beast) -> None:
    with pytest.raises(UnlikeError):
        merged([beast(), other])


def test_a_fact_that_varies_cannot_be_read_by_mistake() -> None:
    found = merged([beast(hp=3, recipe="salt"), beast(hp=5, recipe="pepper")])

    with pytest.raises(TypeError, match="own"):
        bool(found.hp)
    with pytest.raises(TypeError, match="own"):
        _ = found.hp == 3
    with pytest.raises(TypeError):
        _ = found.hp + 1
    with pytest.raises(TypeError):
        _ = "salt" in found.recipe


def test_a_column_varies_by_lane_and_a_table_by_column() -> None:
    column = Varying(np.array([[[1], [2]], [[3], [4]]]))  # (variants, rows, 1)
    table = Varying(np.array([[[1, 2], [3, 4]], [[5, 6], [7, 8]]]))  # (variants, words, cells)

    assert column.of(np.array([1, 0])).tolist() == [[3, 1], [4, 2]]
    assert table.columns(np.array([0, 1]), np.array([1, 0])).tolist() == [[2, 5], [4, 7]]
