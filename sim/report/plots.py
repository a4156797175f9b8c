"""The figures of reports for notebooks and scripts: drawn with pyplot, which a notebook shows by itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from sim.errors import InputError, Problem, SimError, did_you_mean
from sim.report.result_figures import result_sketches
from sim.report.study_figures import answer_sketches
from sim.report.svg import COLOURS, Sketch, drawing
from sim.results.result import Result
from sim.studies.answer import Answer

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_result(result: Result, what: str | None) -> Axes | list[Axes]:
    """A figure of a result; how it ends, if not told which."""
    return _plotted(result_sketches(result), what)


def plot_answer(answer: Answer, what: str | None) -> Axes | list[Axes]:
    """A figure of an answer; the first that its question has, if not told which."""
    return _plotted(answer_sketches(answer), what)


def _plotted(sketches: Mapping[str, Sketch], what: str | None) -> Axes | list[Axes]:
    """The axes of a figure; a list where it has several."""
    import matplotlib.pyplot as plt

    sketch = _chosen(sketches, what)
    # Outside of our settings: the first figure wakes the notebook's own way to show figures, which sets some as well.
    figure = plt.figure(figsize=sketch.size, layout="constrained", facecolor=COLOURS["paper"])
    with drawing(sketch.name):
        sketch.draw(figure)
    axes = [one for one in figure.axes if one.get_label() != "<colorbar>"]  # as matplotlib calls the scale of a map
    return axes[0] if len(axes) == 1 else axes


def _chosen(sketches: Mapping[str, Sketch], what: str | None) -> Sketch:
    if not sketches:
        raise SimError("There is nothing to draw: no fight took place, or the question has no figure.")
    wanted = next(iter(sketches)) if what is None else what.replace("_", "-").replace(" ", "-")
    if wanted not in sketches:
        known = did_you_mean(wanted, sketches) or f" (there are: {', '.join(sketches)})"
        raise InputError(Problem("plot", f"there is no figure '{what}'{known}"))
    return sketches[wanted]
