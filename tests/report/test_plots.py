"""Results and answers draw the figures of their reports for notebooks, as ordinary matplotlib axes."""

from __future__ import annotations

from collections.abc import Iterator

import matplotlib.pyplot as plt
import pytest
from matplotlib.axes import Axes

import sim
from sim.errors import InputError
from sim.results.result import Result

FIGHT = "overhill/playtest-1"
QUICK = {"runs": 60, "jobs": 1, "progress": False}


@pytest.fixture(autouse=True)
def no_window() -> Iterator[None]:
    """Figures are drawn into memory, and none is left open."""
    plt.switch_backend("Agg")
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def result() -> Result:
    return sim.run(FIGHT, **QUICK)


def test_a_result_draws_how_it_ends_if_not_told_what(result: Result) -> None:
    axes = result.plot()

    assert isinstance(axes, Axes)
    assert axes.get_title(loc="left").startswith("The party wins ")
    assert plt.get_fignums()  # pyplot has it, so a notebook shows it


@pytest.mark.parametrize("what", ["rounds", "party_hp", "party-hp", "survival"])
def test_a_figure_with_one_pair_of_axes_returns_it(result: Result, what: str) -> None:
    axes = result.plot(what)

    assert isinstance(axes, Axes)
    assert axes.get_xlabel()
    assert axes.get_ylabel()


def test_a_figure_with_several_axes_returns_them_all(result: Result) -> None:
    axes = result.plot("damage")

    assert isinstance(axes, list)
    assert [one.get_title(loc="left") for one in axes[:2]] == ["Damage dealt", "Damage taken"]
    assert "magic user" in [label.get_text() for label in axes[0].get_yticklabels()]


def test_a_figure_that_is_not_there_is_named_with_the_nearest(result: Result) -> None:
    with pytest.raises(InputError, match="there is no figure 'round'; did you mean 'rounds'"):
        result.plot("round")
    with pytest.raises(InputError, match="there are: outcome, rounds"):
        result.plot("zzz")


def test_answers_draw_what_their_question_is_about() -> None:
    curve = sim.sweep(FIGHT, {"enemies.skeleton.count": [2, 3]}, **QUICK).plot()
    heat = sim.sweep(FIGHT, {"enemies.skeleton.count": [2, 3], "level": [1, 2]}, **QUICK).plot()
    ladder = sim.ladder(FIGHT, policies=["plain", "focus_expert"], abilities=["dart"], **QUICK)

    assert isinstance(curve, Axes)
    assert curve.get_xlabel() == "number of skeletons"
    assert isinstance(heat, Axes)  # without the axes of its scale
    rungs, abilities = ladder.plot(), ladder.plot("abilities")
    assert isinstance(rungs, Axes)
    assert isinstance(abilities, Axes)
    assert rungs.get_title(loc="left") == "The ladder of skill"


def test_drawing_leaves_the_settings_of_matplotlib_as_they_were(result: Result) -> None:
    before = dict(plt.rcParams)

    result.plot()

    assert dict(plt.rcParams) == before
