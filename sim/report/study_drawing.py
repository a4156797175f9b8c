"""A figure of a study: for the page, and the same as a picture."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sim.report.svg import COLOURS, WIDTH, Drawing, as_svg, drawing
from sim.results.statistics import Estimate

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, slots=True)
class StudyDrawing(Drawing):
    """A figure for the page, and the same as a picture."""

    png: bytes


def drawn(name: str, title: str, caption: str, draw: Callable[[Figure], None], height: float) -> StudyDrawing:
    """A figure under its name, drawn by a function."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with drawing(name):
        figure = Figure(figsize=(WIDTH, height), layout="constrained")
        draw(figure)
        svg = as_svg(figure, name, title)
        written = io.BytesIO()
        FigureCanvasAgg(figure).print_figure(written, dpi=150, facecolor=COLOURS["paper"], metadata={"Software": None})
        return StudyDrawing(name, title, caption, svg, written.getvalue())


def ends(estimate: Estimate, times: float = 1.0) -> list[list[float]]:
    """What matplotlib wants as an error bar; nothing where there is no interval."""
    if not estimate.known or estimate.low != estimate.low:
        return [[0.0], [0.0]]
    return [[times * (estimate.value - estimate.low)], [times * (estimate.high - estimate.value)]]
