"""A figure of a study: for the page, and the same as a picture."""

from __future__ import annotations

import io
from dataclasses import dataclass

from sim.report.svg import COLOURS, Drawing, Sketch, as_svg, drawing
from sim.results.statistics import Estimate


@dataclass(frozen=True, slots=True)
class StudyDrawing(Drawing):
    """A figure for the page, and the same as a picture."""

    png: bytes


def with_picture(sketch: Sketch) -> StudyDrawing:
    """A figure, drawn."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with drawing(sketch.name):
        figure = Figure(figsize=sketch.size, layout="constrained")
        sketch.draw(figure)
        svg = as_svg(figure, sketch.name, sketch.title)
        written = io.BytesIO()
        FigureCanvasAgg(figure).print_figure(written, dpi=150, facecolor=COLOURS["paper"], metadata={"Software": None})
        return StudyDrawing(sketch.name, sketch.title, sketch.caption, svg, written.getvalue())


def ends(estimate: Estimate, times: float = 1.0) -> list[list[float]]:
    """What matplotlib wants as an error bar; nothing where there is no interval."""
    if not estimate.known or estimate.low != estimate.low:
        return [[0.0], [0.0]]
    return [[times * (estimate.value - estimate.low)], [times * (estimate.high - estimate.value)]]
