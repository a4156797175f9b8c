"""The figures of studies: each a function from an answer to a sketch, with a title, labelled axes and intervals."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from sim.report.improve_figures import climb
from sim.report.study_drawing import StudyDrawing, with_picture
from sim.report.study_drawing import ends as _ends
from sim.report.svg import COLOURS, MARKERS, Sketch, shortened, start_at_zero_or_say_so
from sim.report.why_figures import chance_groups, resolution, whose_luck
from sim.results.statistics import CONFIDENCE, Estimate
from sim.results.verdict import BANDS
from sim.scenario.wording import readable
from sim.studies.answer import Answer, Entry
from sim.studies.measures import EVERY_MEASURE
from sim.studies.rosters import in_words

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_BARS = 24  # of a tornado; the table has them all
DRAWS_SHOWN = 0.005  # from this share on, draws are drawn beside wins
GREY = "Grey: the interval includes no change at all."
ON_LIGHT, ON_DARK = "#000000", "#fefefe"  # ink on fields that keep their colour in either theme, so no role's colour
DRAWS = "draws"  # the line of them
LINE_STYLES: tuple[Literal["solid", "dashed", "dashdot", "dotted"], ...] = ("solid", "dashed", "dashdot", "dotted")


def answer_sketches(answer: Answer) -> dict[str, Sketch]:
    """The figures that belong to a question and have something to show, by name."""
    sketch: dict[str, list[Callable[[Answer], Sketch | None]]] = {
        "compare": [forest],
        "sweep": [curve, heat_map],
        "scale": [levels],
        "tune": [tuned],
        "sensitivity": [tornado],
        "ladder": [rungs, abilities],
        "improve": [climb],
        "parties": [league, classes, pairs, counters],
        "price": [prices, promised],
        "why": [resolution, chance_groups, whose_luck],
        "gate": [claims],
    }
    return {found.name: found for one in sketch[answer.question] if (found := one(answer)) is not None}


def answer_drawings(answer: Answer) -> list[StudyDrawing]:
    """The figures of an answer for its page and its folder."""
    return [with_picture(sketch) for sketch in answer_sketches(answer).values()]


def _times(measure: str) -> float:
    return 100.0 if EVERY_MEASURE[measure].unit == "share" else 1.0


def _label(measure: str, change: bool = False) -> str:
    about = EVERY_MEASURE[measure]
    if about.unit == "share":
        return f"change of the {about.title}, points" if change else f"{about.title}, %"
    return f"change: {about.title}" if change else about.title


def _point(
    axes: Axes, x: Any, estimate: Estimate, times: float, colour: str, marker: str = "o", hollow: bool = False
) -> None:
    if estimate.known:
        look: dict[str, Any] = {"color": colour, "marker": marker, "capsize": 3, "markersize": 5}
        if hollow:
            look["markerfacecolor"] = COLOURS["paper"]
        axes.errorbar(x, times * estimate.value, yerr=_ends(estimate, times), **look)


# -------------------------------------------------------------------------------------------------------- differences


def _bars(
    name: str, title: str, caption: str, rows: list[tuple[str, Estimate]], times: float, label: str
) -> Sketch | None:
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

    return Sketch(name, title, caption, draw, 1.1 + 0.28 * len(shown))


def forest(answer: Answer) -> Sketch | None:
    """Every variant against the baseline."""
    measure = str(answer.settings["measure"])
    rows = [(str(row["variant"]), row[measure]) for row in answer.table("differences").rows]
    of_each = f"{100 * answer.settings['confidence_of_each']:.3g} %, {answer.settings['interval']}"
    caption = f"Difference to the baseline with the same luck; intervals of {of_each}. {GREY}"
    estimates = [(text, found) for text, found in rows if isinstance(found, Estimate)]
    title = f"What each variant does to the {EVERY_MEASURE[measure].title}"
    return _bars("forest", title, caption, estimates, _times(measure), _label(measure, change=True))


def sure(answer: Answer) -> str:
    """How sure the intervals of a study are: '95 %'."""
    return f"{100 * answer.settings.get('confidence', CONFIDENCE):.3g} %"


def tornado(answer: Answer) -> Sketch | None:
    """What one step of every number does, the largest first."""
    measure = str(answer.settings["measure"])
    rows = [(str(row["move"]), row["difference"]) for row in answer.table("moves").rows]
    estimates = [(text, found) for text, found in rows if isinstance(found, Estimate)][:MOST_BARS]
    more = len(rows) - len(estimates)
    caption = (
        f"One step up or down of every number, with the same luck; {sure(answer)} intervals one by one. {GREY}"
        + (f" The {more} smallest are in the table only." if more > 0 else "")
    )
    title = f"What one step does to the {EVERY_MEASURE[measure].title}"
    return _bars("tornado", title, caption, estimates, _times(measure), _label(measure, change=True))


def abilities(answer: Answer) -> Sketch | None:
    """What is missing without each ability."""
    rows = [row for row in answer.table("abilities").rows if isinstance(row.get("difference"), Estimate)]
    idle = [_name(row).removeprefix("without ") for row in rows if not row["unlike"]]
    found = {_name(row).removeprefix("without "): row["difference"] for row in rows if row["unlike"]}
    estimates = [(name, worth) for name, worth in found.items() if isinstance(worth, Estimate)]
    estimates.sort(key=lambda entry: entry[1].value)
    caption = (
        f"Win rate without one ability against the fight as it is, with the same luck; intervals hold together. {GREY}"
        + (f" Without any effect, and so not drawn: {', '.join(map(readable, idle))}." if idle else "")
    )
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
) -> Sketch:
    """The line of a measure, and that of draws beside it if there is one, as points with intervals."""

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        times = _times(measure)
        texts = [x for points in lines.values() for x, _ in points if not isinstance(x, (int, float))]
        places = {x: at for at, x in enumerate(dict.fromkeys(x for points in lines.values() for x, _ in points))}
        for place, (line, points) in enumerate(lines.items()):
            colour, style = (COLOURS["draw"], "--") if line == DRAWS else (COLOURS[f"hero-{place % 8 + 1}"], "-")
            known = [(places[x] if texts else x, estimate) for x, estimate in points if estimate.known]
            at = [x for x, _ in known]
            if not texts:  # between names there is nothing
                low, high = ([times * getattr(found, end) for _, found in known] for end in ("low", "high"))
                axes.fill_between(at, low, high, color=colour, alpha=0.18, linewidth=0)
                values = [times * estimate.value for _, estimate in known]
                axes.plot(at, values, color=colour, linewidth=1.6, linestyle=style)
            for x, estimate in known:
                _point(axes, x, estimate, times, colour, MARKERS[place % 8])
        for mark in marks:
            axes.axhline(times * mark, color=COLOURS["muted"], linewidth=0.9, linestyle=":")
        if texts:
            axes.set_xticks(list(places.values()), [_named(x) for x in places])
        axes.set(xlabel=x_label, ylabel=_label(measure))
        axes.set_title(title)
        if measure == "win_rate":
            _verdict_bands(axes)
        else:
            start_at_zero_or_say_so(axes)
        if DRAWS in lines:
            axes.set_ylabel("share of encounters, %")
            _wins_and_draws(axes)

    return Sketch(name, title, caption, draw, 3.3)


def _verdict_bands(axes: Axes) -> None:
    """The bands of the verdict behind a curve of win rates, each with its name at the right."""
    edges = [100 * one.least for one in BANDS] + [100.0]
    for at, ground in enumerate(BANDS):
        if at % 2:
            axes.axhspan(edges[at], edges[at + 1], color=COLOURS["band"], zorder=0, linewidth=0)
        place: dict[str, Any] = {"fontsize": 7, "color": COLOURS["muted"], "ha": "left", "va": "center"}
        axes.text(1.01, (edges[at] + edges[at + 1]) / 200, ground.name, transform=axes.transAxes, **place)
    axes.set_ylim(0, 100)
    axes.grid(axis="y", visible=False)


def _wins_and_draws(axes: Axes) -> None:
    """Says which line is which where draws are drawn beside wins."""
    from matplotlib.lines import Line2D

    wins = Line2D([], [], color=COLOURS["hero-1"], marker=MARKERS[0], markersize=5, label="wins")
    draws = Line2D([], [], color=COLOURS["draw"], marker=MARKERS[1], markersize=5, linestyle="--", label=DRAWS)
    axes.legend(handles=[wins, draws], loc="lower right", bbox_to_anchor=(1, 1), ncols=2)


def _with_draws(
    measure: str, points: list[tuple[Any, Any]], draws: list[tuple[Any, Any]]
) -> dict[str, list[tuple[Any, Estimate]]]:
    """The line of a measure; where it is about wins, that of the draws as well, if there are any to speak of."""
    lines = {EVERY_MEASURE[measure].title: [(x, found) for x, found in points if isinstance(found, Estimate)]}
    drawn = [(x, found) for x, found in draws if isinstance(found, Estimate)]
    if measure == "win_rate" and any(found.value > DRAWS_SHOWN for _, found in drawn):
        lines[DRAWS] = drawn
    return lines


def _named(value: Any) -> str:
    """A value under an axis."""
    return readable(str(value))


def curve(answer: Answer) -> Sketch | None:
    """The measure along one knob."""
    knobs = list(answer.settings["knobs"])
    if len(knobs) != 1:
        return None
    measure = str(answer.settings["measure"])
    table = answer.table("points")
    points, draws = ([(row[knobs[0]], row[of]) for row in table.rows] for of in (measure, "draw_rate"))
    lines = _with_draws(measure, points, draws)
    knob = table.columns[0].title
    title = f"{EVERY_MEASURE[measure].title[0].upper()}{EVERY_MEASURE[measure].title[1:]} along the {knob}"
    caption = f"Every point with its {sure(answer)} interval."
    if measure == "win_rate":
        caption += " Behind it the bands of the verdict."
    if answer.settings["iso"]:
        caption += " Dotted: the lines that the study looked for."
    return _curve("curve", title, caption, lines, measure, knob, list(answer.settings["iso"]))


def tuned(answer: Answer) -> Sketch | None:
    """What was tried around the target."""
    if "knob" not in answer.settings:
        return None
    ((measure, wanted),) = answer.settings["target"].items()
    rows = answer.table("tried").rows
    points, draws = ([(row["value"], row.get(of)) for row in rows] for of in (str(measure), "draw_rate"))
    lines = _with_draws(str(measure), points, draws)
    knob = answer.table("tried").columns[0].title
    caption = f"Every value tried, with its {sure(answer)} interval; narrow where it matters. Dotted: the target."
    return _curve("tuned", f"Where the target lies along the {knob}", caption, lines, str(measure), knob, [wanted])


def levels(answer: Answer) -> Sketch:
    """Win rate, rounds, damage and downs against level, a line for every party and policy."""
    shown = ("win_rate", "rounds", "damage_taken", "heroes_down")
    rows = answer.table("levels").rows
    names = list(dict.fromkeys(str(row["line"]) for row in rows))
    title = "From level to level"

    drawn = [row["draw_rate"] for row in rows]
    with_draws = any(isinstance(found, Estimate) and found.value > DRAWS_SHOWN for found in drawn)

    def draw(figure: Figure) -> None:
        from matplotlib.ticker import MaxNLocator

        grid = figure.subplots(2, 2, sharex=True)
        for axes, measure in zip(grid.flat, shown, strict=True):
            for place, name in enumerate(names):
                own = [row for row in rows if row["line"] == name]
                if measure == "win_rate" and with_draws:
                    _level_line(axes, own, "draw_rate", place)
                _level_line(axes, own, measure, place, shortened(name))
            axes.set(ylabel=_label(measure))
            if measure != "win_rate":
                start_at_zero_or_say_so(axes)
        _verdict_bands(grid.flat[0])
        if with_draws:
            grid.flat[0].set_ylabel("wins (solid), draws (dashed), %")
        for one in answer.facts["breaks"]:
            grid.flat[0].axvspan(one["from"], one["to"], color=COLOURS["loss"], alpha=0.13, zorder=0.5, linewidth=0)
        for axes in grid[1]:
            axes.set(xlabel="level")
            axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=10))
        figure.suptitle(title, x=0.01, ha="left", fontweight="bold", fontsize=10.5)
        if len(names) > 1:
            handles, labels = grid.flat[0].get_legend_handles_labels()
            figure.legend(handles, labels, loc="outside lower center", ncols=min(4, len(names)))

    caption = f"With {sure(answer)} intervals. Behind the win rate the bands of the verdict." + (
        " Tinted: steps at which the fight gets harder, beyond the noise." if answer.facts["breaks"] else ""
    )
    return Sketch("levels", title, caption, draw, 5.2)


def _level_line(axes: Axes, rows: list[dict[str, Any]], measure: str, place: int, label: str | None = None) -> None:
    """One line of a measure against level; draws, which stand beside wins, are dashed and their marks hollow."""
    colour, times, dashed = COLOURS[f"hero-{place % 8 + 1}"], _times(measure), measure == "draw_rate"
    points = [(row["level"], row[measure]) for row in rows]
    known = [(x, found) for x, found in points if isinstance(found, Estimate) and found.known]
    at, values = [x for x, _ in known], [times * found.value for _, found in known]
    axes.plot(at, values, color=colour, linewidth=1.5, linestyle="--" if dashed else "-", label=label)
    for x, found in known:
        _point(axes, x, found, times, colour, MARKERS[place % 8], hollow=dashed)


def heat_map(answer: Answer) -> Sketch | None:
    """The measure over two knobs, with lines of equal outcome."""
    knobs = list(answer.settings["knobs"])
    if len(knobs) != 2:
        return None
    measure = str(answer.settings["measure"])
    across, up = (list(answer.settings["knobs"][knob]) for knob in knobs)
    found = {(row[knobs[0]], row[knobs[1]]): row[measure] for row in answer.table("points").rows}
    times = _times(measure)
    title = f"{EVERY_MEASURE[measure].title[0].upper()}{EVERY_MEASURE[measure].title[1:]} over both knobs"

    table = np.array([[times * _value(found[x, y]) for x in across] for y in up])
    ordered = all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in (*across, *up))
    lines = [times * line for line in answer.settings["iso"] if np.nanmin(table) < times * line < np.nanmax(table)]
    lines = sorted(lines) if ordered and len(across) > 1 and len(up) > 1 else []
    names = [column.title for column in answer.table("points").columns[:2]]

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        picture = axes.pcolormesh(range(len(across)), range(len(up)), table, cmap="cividis", shading="nearest")
        if lines:
            _lines_of_equal_outcome(figure, axes, table, lines, "%g %%" if times == 100 else "%g")
        if table.size <= 150:
            _numbers_in_fields(axes, table, picture)
        axes.set_xticks(range(len(across)), [_named(x) for x in across])
        axes.set_yticks(range(len(up)), [_named(y) for y in up])
        axes.set(xlabel=names[0], ylabel=names[1])
        axes.grid(False)
        axes.set_title(title)
        figure.colorbar(picture, ax=axes, label=_label(measure))

    caption = "Each field is one fight; the intervals are in the table."
    if lines:
        caption += " Lines: equal outcome, drawn between the fields."
    return Sketch("heat-map", title, caption, draw, 1.6 + 0.35 * max(4, len(up)) + (0.25 if lines else 0))


def _lines_of_equal_outcome(figure: Figure, axes: Axes, table: Any, lines: list[float], text: str) -> None:
    """Lines that can be seen on light and dark fields, told apart by their dashes and named under the map."""
    from matplotlib.lines import Line2D

    places = range(table.shape[1]), range(table.shape[0])
    styles = [LINE_STYLES[at % len(LINE_STYLES)] for at in range(len(lines))]
    axes.contour(*places, table, levels=lines, colors=ON_LIGHT, linewidths=3.2, alpha=0.55)
    axes.contour(*places, table, levels=lines, colors=ON_DARK, linewidths=1.4, linestyles=styles)
    handles = [
        Line2D([], [], color=COLOURS["ink"], linewidth=1.4, linestyle=style, label=text % line)
        for line, style in zip(lines, styles, strict=True)
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=len(lines), handlelength=3)


def _numbers_in_fields(axes: Axes, table: Any, picture: Any) -> None:
    """The number of every field on a patch of the field's own colour, in the ink that stands out from it."""
    from matplotlib.colors import to_hex

    for (row, column), value in np.ndenumerate(table):
        if np.isnan(value):
            continue
        field = to_hex(picture.to_rgba(value))
        patch = {"facecolor": field, "edgecolor": "none", "pad": 1.2}
        axes.text(*(column, row, f"{value:.0f}"), ha="center", va="center", fontsize=8, color=ink_on(field), bbox=patch)


def ink_on(field: str) -> str:
    """Dark or light ink, whichever stands out more from a colour: the contrast of the WCAG, from relative luminance.

    >>> ink_on("#fde725"), ink_on("#00224e")
    ('#000000', '#fefefe')
    """
    return max((ON_LIGHT, ON_DARK), key=lambda ink: contrast(ink, field))


def contrast(one: str, other: str) -> float:
    """How far two colours stand out from each other, from 1 (not at all) to 21."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    shares = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (share / 12.92 if share <= 0.03928 else ((share + 0.055) / 1.055) ** 2.4 for share in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _value(entry: Any) -> float:
    return entry.value if isinstance(entry, Estimate) else float("nan")


def rungs(answer: Answer) -> Sketch:
    """The win rate under every policy, the best at the top; the policy that the fight itself has stands there once."""
    own = answer.scenario.policy
    found = {_name(row): row for row in answer.table("policies").rows}
    if own in found:
        found.pop("as it is", None)
    rows = sorted(found.values(), key=lambda row: _value(row["win_rate"]))
    names = [f"{_named(_name(row))} (as it is)" if _name(row) == own else _named(_name(row)) for row in rows]
    with_draws = any(_value(row["draw_rate"]) > DRAWS_SHOWN for row in rows)

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        edges = [100 * one.least for one in BANDS] + [100.0]
        for at, ground in enumerate(BANDS):
            if at % 2:
                axes.axvspan(edges[at], edges[at + 1], color=COLOURS["band"], zorder=0, linewidth=0)
            if edges[at + 1] - edges[at] > 9:
                place: dict[str, Any] = {"fontsize": 7, "color": COLOURS["muted"], "ha": "center", "va": "bottom"}
                axes.text((edges[at] + edges[at + 1]) / 2, len(rows) - 0.48, ground.name, **place)
        shown = (("draw_rate", COLOURS["draw"], "s", DRAWS), ("win_rate", COLOURS["win"], "o", "wins"))
        for measure, colour, marker, label in shown if with_draws else shown[1:]:
            values = [100 * _value(row[measure]) for row in rows]
            ends = np.array([_ends(one, 100) for row in rows if isinstance(one := row[measure], Estimate)])[:, :, 0].T
            places = range(len(rows))
            axes.errorbar(
                values, places, xerr=ends, fmt=marker, color=colour, capsize=3, markersize=5, linewidth=1.6, label=label
            )
        axes.set_yticks(range(len(rows)), [shortened(name) for name in names])
        axes.set(xlabel="share of encounters, %" if with_draws else "win rate, %", xlim=(0, 100))
        axes.set_ylim(-0.6, len(rows) - 0.5)
        axes.grid(axis="x", visible=False)
        axes.set_title("The ladder of skill", pad=20)
        if with_draws:
            axes.legend(loc="lower right", bbox_to_anchor=(1, 1.06), ncols=2)

    caption = (
        f"The same fight and the same luck under every policy, the best at the top, with {sure(answer)} intervals. "
        "Behind them the bands of the verdict."
    )
    return Sketch("rungs", "The ladder of skill", caption, draw, 1.4 + 0.3 * len(rows))


# ------------------------------------------------------------------------------------------------------------ parties


def league(answer: Answer) -> Sketch:
    """The win rate of every party, the best at the top; the ends of a long league."""
    rows = answer.table("parties").rows
    left_out = max(0, len(rows) - MOST_BARS)
    ends = MOST_BARS // 2
    shown = list(reversed(rows if not left_out else [*rows[:ends], *rows[-ends:]]))

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        for place, row in enumerate(shown):
            won = row["win_rate"]
            assert isinstance(won, Estimate)
            axes.barh(place, 100 * won.value, height=0.55, color=COLOURS["win"], alpha=0.35, linewidth=0)
            look: dict[str, Any] = {"color": COLOURS["win"], "marker": "o", "markersize": 4.5, "capsize": 3}
            axes.errorbar(100 * won.value, place, xerr=_ends(won, 100), **look)
        axes.set_yticks(range(len(shown)), [shortened(str(row["party"])) for row in shown])
        axes.set(xlabel="win rate, %", xlim=(0, 100), ylim=(-0.7, len(shown) - 0.3))
        axes.grid(axis="y", visible=False)
        axes.set_title("Party by party")

    caption = f"The same enemies and the same luck for every party, the best at the top, with {sure(answer)} intervals."
    if left_out:
        caption += f" The {ends} best and the {ends} worst; the {len(rows) - 2 * ends} between them are in the table."
    return Sketch("parties", "Party by party", caption, draw, 1.1 + 0.28 * len(shown))


def classes(answer: Answer) -> Sketch | None:
    """What one of each class adds when it joins."""
    rows = [(str(row["class"]), row["value"]) for row in answer.table("classes").rows]
    caption = (
        "Change of the win rate when one of the class joins, in the mean over parties of nobody, of one, of two ... "
        f"others; {sure(answer)} intervals. {GREY}"
    )
    estimates = [(name, found) for name, found in rows if isinstance(found, Estimate)]
    return _bars("classes", "What each class adds", caption, estimates, 100, _label("win_rate", True))


def pairs(answer: Answer) -> Sketch | None:
    """How much more two classes are together than apart."""
    found = {tuple(one["pair"]): one for one in answer.on_top["pairs"]}
    names = [name for name in answer.settings["of"] if any(name in pair for pair in found)]
    if len(names) < 2:
        return None
    table = np.full((len(names), len(names)), np.nan)
    for (one, other), entry in found.items():
        places = names.index(one), names.index(other)
        table[places] = table[places[::-1]] = 100 * entry["more"]

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        far = float(np.nanmax(np.abs(table))) or 1.0
        picture = axes.pcolormesh(
            range(len(names)), range(len(names)), table, cmap="PuOr", vmin=-far, vmax=far, shading="nearest"
        )
        _numbers_in_fields(axes, table, picture)
        axes.set_xticks(range(len(names)), [shortened(readable(name)) for name in names], rotation=30, ha="right")
        axes.set_yticks(range(len(names)), [shortened(readable(name)) for name in names])
        axes.grid(False)
        axes.set_title("Together against apart")
        figure.colorbar(picture, ax=axes, label="more together than apart, points")

    caption = (
        "How many points two classes win together beyond the sum of what each does alone, in the mean over the "
        "rest of the party; intervals and which of them count are in the table."
    )
    return Sketch("pairs", "Together against apart", caption, draw, 1.8 + 0.35 * max(4, len(names)))


def counters(answer: Answer) -> Sketch | None:
    """How much better a party does in a fight than its strength and the fight's would say."""
    found = answer.on_top.get("counters")
    if not found:
        return None
    fights = list(dict.fromkeys(one["against"] for one in found))
    more = {(in_words(tuple(one["party"])), one["against"]): 100 * one["more"] for one in found}
    names = list(dict.fromkeys(name for name, _ in more))
    far = max(map(abs, more.values())) or 1.0
    names = sorted(names, key=lambda name: -max(abs(more[name, fight]) for fight in fights))[:MOST_BARS]
    table = np.array([[more[name, fight] for fight in fights] for name in names])

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        picture = axes.pcolormesh(
            range(len(fights)), range(len(names)), table, cmap="PuOr", vmin=-far, vmax=far, shading="nearest"
        )
        _numbers_in_fields(axes, table, picture)
        axes.set_xticks(range(len(fights)), [shortened(name) for name in fights], rotation=20, ha="right")
        axes.set_yticks(range(len(names)), [shortened(name) for name in names])
        axes.invert_yaxis()
        axes.grid(False)
        axes.set_title("Who counters whom")
        figure.colorbar(picture, ax=axes, label="beside what party and fight alone say, points")

    caption = (
        "How many points more a party wins in a fight than its strength in all of them and the fight's for all parties "
        "would say; the farthest at the top. Win rates with intervals are in the table."
    )
    return Sketch("counters", "Who counters whom", caption, draw, 1.9 + 0.3 * max(4, len(names)))


# ------------------------------------------------------------------------------------------------------------- prices


def prices(answer: Answer) -> Sketch | None:
    """What one of each kind costs."""
    rows = [(str(row["enemy"]), row["price"]) for row in answer.table("prices").rows]
    estimates = [(name, found) for name, found in rows if isinstance(found, Estimate)]
    caption = f"What one of each kind costs this party, {answer.settings['scale']}; {sure(answer)} intervals."
    return _bars("prices", "The price list", caption, estimates, 1, "price, points")


def promised(answer: Answer) -> Sketch | None:
    """What the list promised for line-ups that it had never seen, and what happened."""
    rows = answer.table("check").rows
    if not rows:
        return None

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        axes.plot([0, 100], [0, 100], color=COLOURS["muted"], linewidth=1, label="as promised")
        for row in rows:
            found = row["played"]
            assert isinstance(found, Estimate)
            _point(axes, 100 * float(str(row["promised"])), found, 100, COLOURS["win"])
        axes.set(xlim=(0, 100), ylim=(0, 100), xlabel="win rate that the list promises, %", ylabel="played, %")
        axes.set_title("The list put to the test")
        axes.legend(loc="upper left")

    off = answer.on_top["check"]["mean_error_points"]
    caption = (
        f"{len(rows)} line-ups that the list had never seen, with other luck and {sure(answer)} intervals: "
        f"it is off by {off:.1f} points of win rate in the mean."
    )
    return Sketch("promised", "The list put to the test", caption, draw, 4.2)


def _name(row: dict[str, Entry]) -> str:
    return str(row["fight"])


def claims(answer: Answer) -> Sketch | None:
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
    return Sketch("claims", "What is claimed and what was found", caption, draw, 1.1 + 0.32 * len(rows))
