"""The figures of a result: each a function from a result to a drawing, with a title, labelled axes and intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sim.core.outcomes import Outcome
from sim.report.svg import COLOURS, MARKERS, WIDTH, Drawing, as_svg, drawing, shortened
from sim.results.result import WHEN, Result
from sim.results.statistics import Estimate
from sim.results.verdict import BANDS, band, percent

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_ABILITIES = 20  # shown as bars; the table has them all
MOST_BARS = 40  # of a histogram

_STACKED = (Outcome.WIN, Outcome.AVOIDED, Outcome.DRAW, Outcome.LOSS)  # from the party's point of view, best first


def result_drawings(result: Result) -> dict[str, Drawing]:
    """All figures of a result that have something to show, by name."""
    drawn = (outcome(result), rounds(result), hit_points(result), damage(result), abilities(result), survival(result))
    return {found.name: found for found in drawn if found is not None}


# ----------------------------------------------------------------------------------------------------------- outcomes


def outcome(result: Result) -> Drawing | None:
    """How the encounters ended, the win rate with its interval, and the band it lies in."""
    if result.sums.encounters == 0:
        return None
    win = result.win_rate
    what = "encounters" if result.sums.ended(Outcome.AVOIDED) else "fights"
    title = f"The party wins {percent(win.value, win.margin)} % of {what}"

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        start = 0.0
        for kind in _STACKED:
            share = result.outcome_rate(kind)
            if not share.value:
                continue
            name = kind.name.lower()
            axes.barh(0, 100 * share.value, left=start, height=0.62, color=COLOURS[name], label=name)
            if share.value > 0.13:
                label = f"{name} {percent(share.value, share.margin)} %"
                axes.text(start + 50 * share.value, 0, label, color=COLOURS["paper"], ha="center", va="center")
            start += 100 * share.value
        ends = [[100 * (win.value - win.low)], [100 * (win.high - win.value)]]
        axes.errorbar(100 * win.value, 0, xerr=ends, color=COLOURS["ink"], capsize=5, linewidth=1.6, capthick=1.6)
        _draw_bands(axes, win)
        axes.set(xlim=(0, 100), ylim=(-1.25, 0.5), xlabel=f"share of {what}, %", yticks=[])
        axes.set_title(title)
        axes.spines["left"].set_visible(False)
        axes.grid(False)
        handles, labels = axes.get_legend_handles_labels()
        axes.legend(handles, labels, loc="lower right", bbox_to_anchor=(1, 1), ncols=len(labels), handlelength=1)

    caption = (
        "The bar shows every encounter by its outcome; the mark on it is the win rate with its 95 % interval. "
        "Below it the bands of the verdict, the one that holds for this fight in bold."
    )
    return _drawing("outcome", title, caption, draw, 2.0)


def _draw_bands(axes: Axes, win: Estimate) -> None:
    """The bands of the verdict as a ruler under the bar."""
    place = BANDS.index(band(win.value))
    edges = [100 * band.least for band in BANDS] + [100.0]
    for at, ground in enumerate(BANDS):
        left, width = edges[at], edges[at + 1] - edges[at]
        colour = COLOURS["here"] if at == place else COLOURS["band"]
        axes.barh(-0.82, width, left=left, height=0.42, color=colour, edgecolor=COLOURS["paper"], linewidth=1.2)
        label: dict[str, Any] = {"fontsize": 8, "va": "center", "ha": "center", "color": COLOURS["muted"]}
        if at == place:
            label |= {"color": COLOURS["ink"], "fontweight": "bold"}
        if width > 9:
            axes.text(left + width / 2, -0.83, ground.name, **label)
        elif at == place:  # too narrow for its name, which stands above it at the end of the ruler
            end, side = (0, "left") if at == 0 else (100, "right")
            axes.text(end, -0.46, ground.name, **(label | {"ha": side}))


# --------------------------------------------------------------------------------------------------------- histograms


def rounds(result: Result) -> Drawing | None:
    """How many rounds the fights took, by outcome."""
    caption = "Share of all fights that end in each round, by outcome."
    return _histogram(result, "rounds", "How long the fights last", "rounds", caption)


def hit_points(result: Result) -> Drawing | None:
    """What is left of the party, by outcome."""
    caption = "Share of all fights by the hit points that the whole party has left at the end."
    return _histogram(result, "party_hp", "What is left of the party", "party hit points left", caption)


def _histogram(result: Result, of: str, title: str, label: str, caption: str) -> Drawing | None:
    values, counts = result.sums.endings.histogram(of, WHEN["all"])
    if len(values) == 0:
        return None
    lowest, step = int(values[0]), max(1, -(-int(values[-1] - values[0] + 1) // MOST_BARS))
    bars = int(values[-1] - lowest) // step + 1
    total = int(counts.sum())

    def draw(figure: Figure) -> None:
        from matplotlib.ticker import MaxNLocator

        axes = figure.add_subplot()
        places = lowest + step * np.arange(bars) + (step - 1) / 2
        ground = np.zeros(bars)
        for when in ("win", "draw", "loss"):
            found, times = result.sums.endings.histogram(of, WHEN[when])
            if len(found) == 0:
                continue
            shares = 100 * np.bincount((found - lowest) // step, weights=times, minlength=bars) / total
            axes.bar(places, shares, width=0.86 * step, bottom=ground, color=COLOURS[when], label=when)
            ground += shares
        axes.set(xlabel=label if step == 1 else f"{label} (in steps of {step})", ylabel="share of fights, %")
        axes.set_title(title)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.grid(axis="x", visible=False)
        axes.legend(loc="lower right", bbox_to_anchor=(1, 1), ncols=3, handlelength=1)

    return _drawing(of.replace("_", "-"), title, caption, draw, 2.9)


# ------------------------------------------------------------------------------------------------------------- damage


def damage(result: Result) -> Drawing | None:
    """Damage dealt and taken by each unit."""
    if not result.sums.ended(*WHEN["all"]):
        return None
    title = "Damage by unit"
    units = result.cast.units
    rows = [row for row in range(len(units)) if result.appearances(row)]

    def draw(figure: Figure) -> None:
        dealt, taken = figure.subplots(1, 2, sharey=True)
        colours = [COLOURS[units[row].side] for row in rows]
        names = [units[row].name for row in rows]
        _bars(dealt, names, [result.unit_mean("damage_dealt", row) for row in rows], colours)
        _bars(taken, names, [result.unit_mean("damage_taken", row) for row in rows], colours)
        dealt.set_title("Damage dealt")
        taken.set_title("Damage taken")
        for axes in (dealt, taken):
            axes.set_xlabel("damage per fight")
        _name_sides(figure, [units[row].side for row in rows])

    caption = "Mean per fight in which the unit takes part, with its 95 % interval."
    return _drawing("damage", title, caption, draw, 1.25 + 0.3 * len(rows))


def abilities(result: Result) -> Drawing | None:
    """Damage done with each ability."""
    cast = result.cast
    means = {row: result.ability_mean("damage", row) for row in range(len(cast.abilities))}
    doing = sorted((row for row in means if means[row].value > 0), key=lambda row: -means[row].value)[:MOST_ABILITIES]
    if not doing:
        return None
    title = "Damage by ability"
    owners = [cast.units[cast.abilities[row].unit] for row in doing]

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        names = [f"{owner.name}: {cast.abilities[row].name}" for owner, row in zip(owners, doing, strict=True)]
        _bars(axes, names, [means[row] for row in doing], [COLOURS[owner.side] for owner in owners])
        axes.set(xlabel="damage per fight")
        axes.set_title(title)
        _name_sides(figure, [owner.side for owner in owners])

    hidden = len(cast.abilities) - len(doing)
    caption = "Mean per fight in which the unit takes part, with its 95 % interval."
    if hidden:
        caption += f" {hidden} with less or no damage are only in the table."
    return _drawing("abilities", title, caption, draw, 1.25 + 0.28 * len(doing))


def _bars(axes: Axes, names: list[str], means: list[Estimate], colours: list[str]) -> None:
    """Horizontal bars from top to bottom, with intervals."""
    places = np.arange(len(names))
    values = [estimate.value for estimate in means]
    reach = [0.0 if np.isnan(estimate.margin) else estimate.margin for estimate in means]
    axes.barh(places, values, height=0.66, color=colours)
    axes.errorbar(values, places, xerr=reach, fmt="none", color=COLOURS["ink"], capsize=2.5, linewidth=1.1)
    axes.set_yticks(places, [shortened(name) for name in names])
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.set_xlim(left=0)
    axes.grid(axis="y", visible=False)
    axes.tick_params(axis="y", length=0)


def _name_sides(figure: Figure, sides: Sequence[str]) -> None:
    from matplotlib.patches import Patch

    handles = [Patch(color=COLOURS[side], label=side) for side in ("party", "enemy") if side in sides]
    figure.legend(handles=handles, loc="outside upper right", ncols=2, handlelength=1)


# ----------------------------------------------------------------------------------------------------------- survival


def survival(result: Result) -> Drawing | None:
    """Who is still up after so many rounds."""
    heroes = [row for row in result.cast.party if result.appearances(row)]
    if not heroes:
        return None
    title = "Who is still up, round by round"

    def draw(figure: Figure) -> None:
        from matplotlib.ticker import MaxNLocator

        axes = figure.add_subplot()
        for place, row in enumerate(heroes):
            curve = result.survival(row)
            colour = COLOURS[f"hero-{place % 8 + 1}"]
            ends = np.array([(point.value, point.low, point.high) for point in curve]).T * 100
            at = np.arange(len(curve))
            axes.fill_between(at, ends[1], ends[2], color=colour, alpha=0.18, linewidth=0)
            axes.plot(
                at,
                ends[0],
                color=colour,
                marker=MARKERS[place % 8],
                markersize=4.5,
                linewidth=1.7,
                linestyle="-" if place < 8 else "--",
                label=shortened(result.cast.units[row].name),
            )
        axes.set(xlabel="rounds played", ylabel="not yet down, % of fights", xlim=(-0.12, None))
        axes.set_ylim(top=100.5)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_title(title)
        axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1), borderaxespad=0)

    caption = (
        "Share of fights in which the hero has not gone down by the end of the round, with its 95 % interval. Fights "
        "that are over keep counting, so the last point is the share of fights that the hero comes through."
    )
    return _drawing("survival", title, caption, draw, 3.2)


def _drawing(name: str, title: str, caption: str, draw: Callable[[Figure], None], height: float) -> Drawing:
    from matplotlib.figure import Figure

    with drawing(name):
        figure = Figure(figsize=(WIDTH, height), layout="constrained")
        draw(figure)
        return Drawing(name, title, caption, as_svg(figure, name, title))
