"""The figures of studies: each a function from an answer to a drawing, with a title, labelled axes and intervals."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.report.svg import COLOURS, MARKERS, WIDTH, Drawing, as_svg, drawing, shortened
from sim.results.statistics import CONFIDENCE, Estimate
from sim.studies.answer import Answer
from sim.studies.measures import MEASURES

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_BARS = 24  # of a tornado; the table has them all


@dataclass(frozen=True, slots=True)
class StudyDrawing(Drawing):
    """A figure for the page, and the same as a picture."""

    png: bytes


def answer_drawings(answer: Answer) -> list[StudyDrawing]:
    """The figures that belong to a question."""
    draw: dict[str, list[Callable[[Answer], StudyDrawing | None]]] = {
        "compare": [forest],
        "sweep": [curve, heat_map],
        "scale": [levels],
        "tune": [tuned],
        "sensitivity": [tornado],
        "ladder": [rungs, abilities],
        "gate": [claims],
    }
    return [found for one in draw[answer.question] if (found := one(answer)) is not None]


def _drawn(name: str, title: str, caption: str, draw: Callable[[Figure], None], height: float) -> StudyDrawing:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with drawing(name):
        figure = Figure(figsize=(WIDTH, height), layout="constrained")
        draw(figure)
        svg = as_svg(figure, name, title)
        written = io.BytesIO()
        FigureCanvasAgg(figure).print_figure(written, dpi=150, facecolor=COLOURS["paper"], metadata={"Software": None})
        return StudyDrawing(name, title, caption, svg, written.getvalue())


def _ends(estimate: Estimate, times: float = 1.0) -> list[list[float]]:
    """What matplotlib wants as an error bar; nothing where there is no interval."""
    if not estimate.known or estimate.low != estimate.low:
        return [[0.0], [0.0]]
    return [[times * (estimate.value - estimate.low)], [times * (estimate.high - estimate.value)]]


def _times(measure: str) -> float:
    return 100.0 if MEASURES[measure].unit == "share" else 1.0


def _label(measure: str, change: bool = False) -> str:
    about = MEASURES[measure]
    if about.unit == "share":
        return f"change of the {about.title}, points" if change else f"{about.title}, %"
    return f"change: {about.title}" if change else about.title


def _point(axes: Axes, x: Any, estimate: Estimate, times: float, colour: str, marker: str = "o") -> None:
    if estimate.known:
        axes.errorbar(
            x, times * estimate.value, yerr=_ends(estimate, times), color=colour, marker=marker, capsize=3, markersize=5
        )


# -------------------------------------------------------------------------------------------------------- differences


def _bars(
    name: str, title: str, caption: str, rows: list[tuple[str, Estimate]], times: float, label: str
) -> StudyDrawing | None:
    """Differences as dots with intervals around a line at nothing."""
    shown = [(text, estimate) for text, estimate in rows if estimate.known]
    if not shown:
        return None

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        axes.axvline(0, color=COLOURS["ink"], linewidth=1)
        for place, (_, estimate) in enumerate(reversed(shown)):
            sure = estimate.low > 0 or estimate.high < 0
            colour = COLOURS["draw"] if not sure else COLOURS["win"] if estimate.value > 0 else COLOURS["loss"]
            axes.barh(place, times * estimate.value, height=0.55, color=colour, alpha=0.35, linewidth=0)
            axes.errorbar(
                times * estimate.value,
                place,
                xerr=_ends(estimate, times),
                color=colour,
                marker="o",
                markersize=4.5,
                capsize=3,
                linewidth=1.6,
            )
        axes.set_yticks(range(len(shown)), [shortened(text) for text, _ in reversed(shown)])
        axes.set(xlabel=label, ylim=(-0.7, len(shown) - 0.3))
        axes.grid(axis="y", visible=False)
        axes.set_title(title)

    return _drawn(name, title, caption, draw, 1.1 + 0.28 * len(shown))


def forest(answer: Answer) -> StudyDrawing | None:
    """Every variant against the baseline."""
    measure = str(answer.settings["measure"])
    rows = [(str(row["variant"]), row[measure]) for row in answer.table("differences").rows]
    of_each = f"{100 * answer.settings['confidence_of_each']:.3g} %, {answer.settings['interval']}"
    caption = f"Difference to the baseline with the same luck; intervals of {of_each}. Grey: not decided."
    estimates = [(text, found) for text, found in rows if isinstance(found, Estimate)]
    title = f"What each variant does to the {MEASURES[measure].title}"
    return _bars("forest", title, caption, estimates, _times(measure), _label(measure, change=True))


def sure(answer: Answer) -> str:
    """How sure the intervals of a study are: '95 %'."""
    return f"{100 * answer.settings.get('confidence', CONFIDENCE):.3g} %"


def tornado(answer: Answer) -> StudyDrawing | None:
    """What one step of every number does, the largest first."""
    measure = str(answer.settings["measure"])
    rows = [(str(row["move"]), row["difference"]) for row in answer.table("moves").rows]
    estimates = [(text, found) for text, found in rows if isinstance(found, Estimate)][:MOST_BARS]
    more = len(rows) - len(estimates)
    caption = f"One step up or down of every number, with the same luck; {sure(answer)} intervals one by one." + (
        f" The {more} smallest are in the table only." if more > 0 else ""
    )
    title = f"What one step does to the {MEASURES[measure].title}"
    return _bars("tornado", title, caption, estimates, _times(measure), _label(measure, change=True))


def abilities(answer: Answer) -> StudyDrawing | None:
    """What is missing without each ability."""
    rows = [(str(row["fight"]), row.get("difference")) for row in answer.table("abilities").rows]
    estimates = [(text, found) for text, found in rows if isinstance(found, Estimate)]
    caption = "Win rate without one ability against the fight as it is, with the same luck; intervals hold together."
    return _bars(
        "abilities", "What the party loses without each ability", caption, estimates, 100, _label("win_rate", True)
    )


# -------------------------------------------------------------------------------------------------------------- curves


def _curve(
    name: str,
    title: str,
    caption: str,
    lines: dict[str, list[tuple[Any, Estimate]]],
    measure: str,
    x_label: str,
    marks: list[float],
) -> StudyDrawing:
    """One or several lines of points with intervals."""

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        times = _times(measure)
        texts = [x for points in lines.values() for x, _ in points if not isinstance(x, (int, float))]
        places = {x: at for at, x in enumerate(dict.fromkeys(x for points in lines.values() for x, _ in points))}
        for place, (line, points) in enumerate(lines.items()):
            colour = COLOURS[f"hero-{place % 8 + 1}"]
            known = [(places[x] if texts else x, estimate) for x, estimate in points if estimate.known]
            at = [x for x, _ in known]
            if not texts:  # between names there is nothing
                low, high = ([times * getattr(found, end) for _, found in known] for end in ("low", "high"))
                axes.fill_between(at, low, high, color=colour, alpha=0.18, linewidth=0)
                values = [times * estimate.value for _, estimate in known]
                axes.plot(at, values, color=colour, linewidth=1.6, label=shortened(line))
            for x, estimate in known:
                _point(axes, x, estimate, times, colour, MARKERS[place % 8])
        for mark in marks:
            axes.axhline(times * mark, color=COLOURS["muted"], linewidth=0.9, linestyle=":")
        if texts:
            axes.set_xticks(list(places.values()), [str(x) for x in places])
        axes.set(xlabel=x_label, ylabel=_label(measure))
        axes.set_title(title)
        if len(lines) > 1:
            axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1), borderaxespad=0)

    return _drawn(name, title, caption, draw, 3.3)


def curve(answer: Answer) -> StudyDrawing | None:
    """The measure along one knob."""
    knobs = list(answer.settings["knobs"])
    if len(knobs) != 1:
        return None
    measure = str(answer.settings["measure"])
    points = [(row[knobs[0]], row[measure]) for row in answer.table("points").rows]
    lines = {"as it is": [(x, found) for x, found in points if isinstance(found, Estimate)]}
    title = f"{MEASURES[measure].title[0].upper()}{MEASURES[measure].title[1:]} along {knobs[0]}"
    caption = f"Every point with its {sure(answer)} interval. Dotted: the lines that the study looked for."
    return _curve("curve", title, caption, lines, measure, knobs[0], list(answer.settings["iso"]))


def tuned(answer: Answer) -> StudyDrawing | None:
    """What was tried around the target."""
    if "knob" not in answer.settings:
        return None
    ((measure, wanted),) = answer.settings["target"].items()
    points = [(row["value"], row[measure]) for row in answer.table("tried").rows]
    lines = {"tried": [(x, found) for x, found in points if isinstance(found, Estimate)]}
    knob = str(answer.settings["knob"])
    caption = f"Every value tried, with its {sure(answer)} interval; narrow where it matters. Dotted: the target."
    return _curve("tuned", f"Where the target lies along {knob}", caption, lines, str(measure), knob, [wanted])


def levels(answer: Answer) -> StudyDrawing:
    """Win rate, rounds, damage and downs against level, a line for every party and policy."""
    shown = ("win_rate", "rounds", "damage_taken", "heroes_down")
    rows = answer.table("levels").rows
    names = list(dict.fromkeys(str(row["line"]) for row in rows))
    title = "From level to level"

    def draw(figure: Figure) -> None:
        grid = figure.subplots(2, 2, sharex=True)
        for axes, measure in zip(grid.flat, shown, strict=True):
            times = _times(measure)
            for place, name in enumerate(names):
                colour = COLOURS[f"hero-{place % 8 + 1}"]
                points = [(row["level"], row[measure]) for row in rows if row["line"] == name]
                known = [(x, found) for x, found in points if isinstance(found, Estimate) and found.known]
                axes.plot(
                    [x for x, _ in known],
                    [times * found.value for _, found in known],
                    color=colour,
                    linewidth=1.5,
                    label=shortened(name),
                )
                for x, found in known:
                    _point(axes, x, found, times, colour, MARKERS[place % 8])
            axes.set(ylabel=_label(measure))
        for one in answer.facts["breaks"]:
            grid.flat[0].axvspan(one["from"], one["to"], color=COLOURS["band"], zorder=0)
        for axes in grid[1]:
            axes.set(xlabel="level")
        figure.suptitle(title, x=0.01, ha="left", fontweight="bold", fontsize=10.5)
        if len(names) > 1:
            handles, labels = grid.flat[0].get_legend_handles_labels()
            figure.legend(handles, labels, loc="outside lower center", ncols=min(4, len(names)))

    caption = f"With {sure(answer)} intervals. Shaded: steps at which the fight gets harder, beyond the noise."
    return _drawn("levels", title, caption, draw, 5.2)


def heat_map(answer: Answer) -> StudyDrawing | None:
    """The measure over two knobs, with lines of equal outcome."""
    knobs = list(answer.settings["knobs"])
    if len(knobs) != 2:
        return None
    measure = str(answer.settings["measure"])
    across, up = (list(answer.settings["knobs"][knob]) for knob in knobs)
    found = {(row[knobs[0]], row[knobs[1]]): row[measure] for row in answer.table("points").rows}
    times = _times(measure)
    title = f"{MEASURES[measure].title[0].upper()}{MEASURES[measure].title[1:]} over both knobs"

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        table = np.array([[times * _value(found[x, y]) for x in across] for y in up])
        picture = axes.pcolormesh(range(len(across)), range(len(up)), table, cmap="cividis", shading="nearest")
        lines = [times * line for line in answer.settings["iso"] if table.min() < times * line < table.max()]
        if lines and len(across) > 1 and len(up) > 1:
            ink = COLOURS["paper"]
            drawn = axes.contour(range(len(across)), range(len(up)), table, levels=sorted(lines), colors=ink)
            axes.clabel(drawn, fmt="%g", fontsize=8)
        if table.size <= 150:
            middle = (table.min() + table.max()) / 2
            for row, y in enumerate(up):
                for column, x in enumerate(across):
                    value = _value(found[x, y])
                    ink = COLOURS["ink"] if times * value > middle else COLOURS["paper"]
                    axes.text(column, row, f"{times * value:.0f}", ha="center", va="center", fontsize=7.5, color=ink)
        axes.set_xticks(range(len(across)), [str(x) for x in across])
        axes.set_yticks(range(len(up)), [str(y) for y in up])
        axes.set(xlabel=knobs[0], ylabel=knobs[1])
        axes.grid(False)
        axes.set_title(title)
        figure.colorbar(picture, ax=axes, label=_label(measure))

    caption = "Each field is one fight; the intervals are in the table. Lines: equal outcome, drawn between the fields."
    return _drawn("heat-map", title, caption, draw, 1.6 + 0.35 * max(4, len(up)))


def _value(entry: Any) -> float:
    return entry.value if isinstance(entry, Estimate) else float("nan")


def rungs(answer: Answer) -> StudyDrawing:
    """The win rate under every policy."""
    rows = answer.table("policies").rows
    points = [(str(row["fight"]), row["win_rate"]) for row in rows]
    lines = {"win rate": [(x, found) for x, found in points if isinstance(found, Estimate)]}
    caption = f"The same fight and the same luck under every policy, with {sure(answer)} intervals."
    return _curve("rungs", "The ladder of skill", caption, lines, "win_rate", "policy", [])


def claims(answer: Answer) -> StudyDrawing | None:
    """Every claim about a win rate: what was found, and the range that it must lie in."""
    rows = [row for row in answer.table("claims").rows if row["unit"] == "%"]
    if not rows:
        return None

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        for place, row in enumerate(reversed(rows)):
            least, most = row["least"], row["most"]
            assert isinstance(least, float)
            assert isinstance(most, float)
            low, high = max(0.0, least), min(1.0, most)
            axes.barh(place, 100 * (high - low), left=100 * low, height=0.6, color=COLOURS["here"], linewidth=0)
            found = row["found"]
            colour = COLOURS["win"] if row["state"] == "holds" else COLOURS["loss"]
            if isinstance(found, Estimate) and found.known:
                axes.errorbar(
                    100 * found.value, place, xerr=_ends(found, 100), color=colour, marker="o", capsize=3, markersize=5
                )
        axes.set_yticks(range(len(rows)), [shortened(str(row["claim"])) for row in reversed(rows)])
        axes.set(xlabel="win rate, %", xlim=(0, 100))
        axes.grid(axis="y", visible=False)
        axes.set_title("What is claimed and what was found")

    caption = "Grey: the range of the claim. The mark: what was found, with an interval that is valid while watching."
    return _drawn("claims", "What is claimed and what was found", caption, draw, 1.1 + 0.32 * len(rows))
