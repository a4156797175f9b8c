"""SVG for a page: small, reproducible, with the page's own colours, light or dark.

Figures are drawn in the colours of the light page. Each colour stands for a role (win, loss, ink, grid ...) and is
replaced by a CSS variable of that role with the drawn colour as its fallback, so that a figure follows the page's theme
and still looks right when it is cut out and opened alone.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from markupsafe import escape

from sim.scenario.wording import readable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH = 7.6  # inches of a figure; the page scales it
LONGEST_NAME = 26
MARKERS = "osD^vPX*"

# Role -> colour on white paper. Hues of Okabe and Ito (2008), which people with any colour vision can tell apart. No
# two roles share a colour: that is how they are found again in the drawing.
COLOURS = {
    "win": "#0072b2",
    "loss": "#d55e00",
    "draw": "#8c8c8c",
    "avoided": "#009e73",
    "turned-back": "#57b5ea",
    "party": "#0073b3",
    "enemy": "#d65f01",
    "ink": "#1b1f24",
    "muted": "#5f6873",
    "grid": "#dfe3e8",
    "band": "#eceff3",
    "here": "#cfd6de",
    "paper": "#ffffff",
    "hero-1": "#0074b4",
    "hero-2": "#e69f00",
    "hero-3": "#009f74",
    "hero-4": "#cc79a7",
    "hero-5": "#56b4e9",
    "hero-6": "#d76002",
    "hero-7": "#a39a1b",
    "hero-8": "#5e6772",
}

_SETTINGS: dict[Any, Any] = {
    "svg.fonttype": "none",  # text stays text: small, searchable, and drawn in the page's own font
    "text.parse_math": False,  # a name may hold a dollar sign
    "text.usetex": False,
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],  # comes with matplotlib, so the layout is the same everywhere
    "font.size": 9.0,
    "axes.titlesize": 10.5,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titlepad": 10.0,
    "axes.edgecolor": COLOURS["muted"],
    "axes.labelcolor": COLOURS["ink"],
    "axes.titlecolor": COLOURS["ink"],
    "axes.facecolor": "none",
    "figure.facecolor": "none",
    "savefig.facecolor": "none",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": COLOURS["grid"],
    "grid.linewidth": 0.7,
    "text.color": COLOURS["ink"],
    "xtick.color": COLOURS["muted"],
    "ytick.color": COLOURS["muted"],
    "xtick.labelcolor": COLOURS["ink"],
    "ytick.labelcolor": COLOURS["ink"],
    "legend.frameon": False,
    "hatch.linewidth": 0.6,
}


@dataclass(frozen=True, slots=True)
class Sketch:
    """A figure that is still to be drawn: on a page, in a file or in a notebook."""

    name: str
    title: str
    caption: str
    draw: Callable[[Figure], None]
    height: float  # inches

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in inches."""
        return WIDTH, self.height


@dataclass(frozen=True, slots=True)
class Drawing:
    """A figure for the page."""

    name: str
    title: str
    caption: str
    svg: str


@contextmanager
def drawing(name: str) -> Iterator[None]:
    """Everything that decides how a figure looks, for the time in which it is drawn and written."""
    from matplotlib import rc_context

    with rc_context(_SETTINGS | {"svg.hashsalt": name}), warnings.catch_warnings():
        # Names in scripts that this font lacks: in an SVG the reader's own font draws them, in a PNG there are boxes.
        warnings.filterwarnings("ignore", r"Glyph \d+ .* missing from font", UserWarning)
        yield


def drawn(sketch: Sketch) -> Drawing:
    """A figure as a page shows it."""
    from matplotlib.figure import Figure

    with drawing(sketch.name):
        figure = Figure(figsize=sketch.size, layout="constrained")
        sketch.draw(figure)
        return Drawing(sketch.name, sketch.title, sketch.caption, as_svg(figure, sketch.name, sketch.title))


def as_svg(figure: Figure, name: str, title: str) -> str:
    """The figure as an SVG element for a page; `name` keeps its ids apart from those of other figures."""
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    written = io.StringIO()
    FigureCanvasSVG(figure).print_svg(written, metadata={"Date": None})  # type: ignore[no-untyped-call]
    text = written.getvalue()
    text = text[text.index("<svg") :]  # without the XML declaration, which has no place in a page
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = re.sub(r'<style type="text/css">.*?</style>', "", text, flags=re.DOTALL)  # it would style the whole page
    text = re.sub(r'\bid="([^"<>]*)"', rf'id="{name}-\1"', text)
    text = re.sub(r"url\(#", f"url(#{name}-", text)
    text = re.sub(r'href="#', f'href="#{name}-', text)
    for role, colour in COLOURS.items():
        text = text.replace(colour, f"var(--{role}, {colour})")
    text = re.sub(r'(<svg[^>]*?) width="[^"]*" height="[^"]*"', r"\1", text, count=1)
    text = re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", text, count=1)
    text = re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", text, count=1)
    opened = text.index(">") + 1
    label = f'<title id="{name}-title">{escape(title)}</title>'
    return f'{text[: opened - 1]} role="img" aria-labelledby="{name}-title">{label}{text[opened:].strip()}'


def start_at_zero_or_say_so(axes: Axes) -> None:
    """The upright axis begins at 0 where that costs little room; elsewhere its label says where it begins."""
    bottom, top = axes.get_ylim()
    if 0 < bottom < 0.6 * top:
        axes.set_ylim(bottom=0)
    elif bottom > 0:
        axes.set_ylabel(f"{axes.get_ylabel()}\n(the axis starts at {bottom:.3g}, not at 0)")


def shortened(name: str, longest: int = LONGEST_NAME) -> str:
    """A name as people write it that fits beside a bar; the table under the figure has it in full."""
    said = readable(name)
    return said if len(said) <= longest else said[: longest - 1] + "…"
