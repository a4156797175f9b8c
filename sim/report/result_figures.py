"""The figures of a result: each a function from a result to a sketch, with a title, labelled axes and intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sim.core.outcomes import Outcome, Unit
from sim.report.evening_figures import where_parties_end
from sim.report.svg import COLOURS, MARKERS, Drawing, Sketch, drawn, shortened, start_at_zero_or_say_so
from sim.results.result import WHEN, Result
from sim.results.statistics import Estimate
from sim.results.verdict import BANDS, band, percent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_ABILITIES = 20  # shown as bars; the table has them all
MOST_BARS = 40  # of a histogram
MOST_MARKERS = 12  # on a curve
LONG = 0.02  # the share of decided fights that may lie beyond the end of an axis of rounds

_OTHER = {"party": "enemy", "enemy": "party"}
_SIDES = tuple(_OTHER)
# From the party's point of view, best first.
_STACKED = (Outcome.WIN, Outcome.AVOIDED, Outcome.TURNED_BACK, Outcome.DRAW, Outcome.LOSS)


def result_sketches(result: Result) -> dict[str, Sketch]:
    """All figures of a result that have something to show, by name."""
    found = (
        outcome(result),
        where_parties_end(result),
        rounds(result),
        hit_points(result),
        damage(result),
        abilities(result),
        survival(result),
    )
    return {sketch.name: sketch for sketch in found if sketch is not None}


def result_drawings(result: Result) -> dict[str, Drawing]:
    """All figures of a result for its page, by name."""
    return {name: drawn(sketch) for name, sketch in result_sketches(result).items()}


# ----------------------------------------------------------------------------------------------------------- outcomes


def outcome(result: Result) -> Sketch | None:
    """How the encounters ended, the win rate with its interval, and the band it lies in."""
    if result.sums.encounters == 0:
        return None
    win = result.win_rate
    what = "encounters" if result.sums.ended(Outcome.AVOIDED) else "fights"
    verb, what = ("comes through", "evenings") if result.in_scenes else ("wins", what)
    title = f"The party {verb} {percent(win.value, win.margin)} % of {what}"

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        start = 0.0
        for kind in _STACKED:
            share = result.outcome_rate(kind)
            if not share.value:
                continue
            name = kind.name.lower().replace("_", " ")
            axes.barh(0, 100 * share.value, left=start, height=0.62, color=COLOURS[name.replace(" ", "-")], label=name)
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
    return Sketch("outcome", title, caption, draw, 2.0)


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


def rounds(result: Result) -> Sketch | None:
    """How many rounds the fights took, by outcome."""
    return _histogram(
        result, "rounds", f"How long the {_fights(result)} last", "rounds", "the number of rounds", _last_round(result)
    )


def hit_points(result: Result) -> Sketch | None:
    """What is left of the party, by outcome."""
    of = "the hit points that the whole party has left at the end"
    return _histogram(result, "party_hp", "What is left of the party", "party hit points left", of, None)


def _fights(result: Result) -> str:
    """What is counted: fights, or whole evenings."""
    return "evenings" if result.in_scenes else "fights"


def _last_round(result: Result) -> int | None:
    """The round that an axis of rounds ends at, where a few long fights would press all others into a corner."""
    values, counts = result.sums.endings.histogram("rounds", WHEN["win"] + WHEN["loss"])
    longest = int(result.sums.endings.rounds.max(initial=0))
    if len(values) == 0:
        return None
    usual = int(values[np.searchsorted(np.cumsum(counts), (1 - LONG) * counts.sum())])
    return usual if longest > max(1.5 * usual, usual + 5) else None


def _beyond(result: Result, last: int | None) -> str:
    """What an axis of rounds that ends at `last` does not show; nothing if it shows all."""
    if last is None:
        return ""
    values, counts = result.sums.endings.histogram("rounds", WHEN["all"])
    longer = int(counts[values > last].sum())
    share = percent(longer / int(counts.sum()))
    return f"{longer:,} ({share} %) last longer, up to {int(values[-1])} rounds"


def _histogram(result: Result, of: str, title: str, label: str, by: str, last: int | None) -> Sketch | None:
    """Shares of fights by a value and by outcome; values beyond `last` are gathered in one bar at the end."""
    values, counts = result.sums.endings.histogram(of, WHEN["all"])
    if len(values) == 0:
        return None
    lowest, highest = int(values[0]), int(values[-1]) if last is None else last
    step = max(1, -(-(highest - lowest + 1) // MOST_BARS))
    bars = (highest - lowest) // step + 1 + (last is not None)
    total = int(counts.sum())
    what = _fights(result)
    caption = f"Share of all {what} by {by}, and by outcome."
    if step > 1:
        caption = f"Share of all {what} by {by}, {step} to a bar, and by outcome."
    if last is not None:
        caption += f" The last bar holds all longer {what}: {_beyond(result, last)}."

    def draw(figure: Figure) -> None:
        from matplotlib.ticker import MaxNLocator

        axes = figure.add_subplot()
        places = lowest + step * np.arange(bars) + (step - 1) / 2
        ground = np.zeros(bars)
        for when in ("win", "draw", "loss"):
            found, times = result.sums.endings.histogram(of, WHEN[when])
            if len(found) == 0:
                continue
            bar = np.minimum((found - lowest) // step, bars - 1)
            shares = 100 * np.bincount(bar, weights=times, minlength=bars) / total
            axes.bar(places, shares, width=0.86 * step, bottom=ground, color=COLOURS[when], label=when)
            ground += shares
        axes.set(xlabel=label if step == 1 else f"{label} (in steps of {step})", ylabel=f"share of {what}, %")
        axes.set_title(title)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        if last is not None:
            end = lowest + step * (bars - 1)
            room = (end - lowest) / 12  # so that no other number runs into that of the last bar
            ticks = [at for at in MaxNLocator(integer=True).tick_values(lowest, end) if lowest <= at < end - room]
            axes.set_xticks([*ticks, places[-1]], [f"{at:.0f}" for at in ticks] + [f"{end}+"])
        axes.grid(axis="x", visible=False)
        axes.legend(loc="lower right", bbox_to_anchor=(1, 1), ncols=3, handlelength=1)

    return Sketch(of.replace("_", "-"), title, caption, draw, 2.9)


# ------------------------------------------------------------------------------------------------------------- damage


def damage(result: Result) -> Sketch | None:
    """Damage dealt and taken by each unit."""
    if not result.sums.ended(*WHEN["all"]):
        return None
    title = "Damage by unit"
    units = result.cast.units
    sides = {
        side: [row for row, unit in enumerate(units) if unit.side == side and result.appearances(row)]
        for side in _SIDES
    }
    shown = {side: rows for side, rows in sides.items() if rows}
    counted = _counted_as(result)

    def draw(figure: Figure) -> None:
        sizes = [len(rows) + 2.4 for rows in shown.values()]
        grid = figure.subplots(len(shown), 2, sharey="row", squeeze=False, height_ratios=sizes)
        for (dealt, taken), (side, rows) in zip(grid, shown.items(), strict=True):
            names = [units[row].name for row in rows]
            for axes, name, by in ((dealt, "damage_dealt", side), (taken, "damage_taken", _OTHER[side])):
                _bars(axes, names, [result.unit_mean(name, row) for row in rows], [COLOURS[side]] * len(rows))
                axes.set_xlabel(f"{counted[by]} per fight")
        grid[0, 0].set_title("Damage dealt")
        grid[0, 1].set_title("Damage taken")
        _name_sides(figure, list(shown))

    caption = "Mean per fight in which the unit takes part, with its 95 % interval. " + (
        f"What the party deals counts {counted['party']}, what the enemies deal {counted['enemy']}: not to be compared."
        if counted["party"] != counted["enemy"]
        else "Each side has its own scale."
    )
    return Sketch("damage", title, caption, draw, 1.3 + 0.5 * len(shown) + 0.3 * sum(map(len, shown.values())))


def _counted_as(result: Result) -> dict[str, str]:
    """What damage counts, by the side that deals it."""
    ruleset = result.scenario.ruleset
    return {"party": ruleset.party_damage, "enemy": ruleset.enemy_damage}


def abilities(result: Result) -> Sketch | None:
    """Damage done with each ability."""
    cast = result.cast
    means = {row: result.ability_mean("damage", row) for row in range(len(cast.abilities))}
    doing = sorted((row for row in means if means[row].value > 0), key=lambda row: -means[row].value)[:MOST_ABILITIES]
    if not doing:
        return None
    title = "Damage by ability"

    def owner(row: int) -> Unit:
        return cast.units[cast.abilities[row].unit]

    sides = {side: [row for row in doing if owner(row).side == side] for side in _SIDES}
    shown = {side: rows for side, rows in sides.items() if rows}

    def draw(figure: Figure) -> None:
        sizes = [len(rows) + 2 for rows in shown.values()]
        grid = figure.subplots(len(shown), 1, squeeze=False, height_ratios=sizes)
        for axes, (side, rows) in zip(grid.flat, shown.items(), strict=True):
            names = [f"{owner(row).name}: {cast.abilities[row].name}" for row in rows]
            _bars(axes, names, [means[row] for row in rows], [COLOURS[side]] * len(rows))
            axes.set(xlabel=f"{_counted_as(result)[side]} per fight")
        grid[0, 0].set_title(title)
        _name_sides(figure, list(shown))

    hidden = len(cast.abilities) - len(doing)
    caption = "Mean per fight in which the unit takes part, with its 95 % interval."
    if hidden:
        caption += f" {hidden} with less or no damage are only in the table."
    return Sketch("abilities", title, caption, draw, 0.75 + 0.5 * len(shown) + 0.28 * len(doing))


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


def survival(result: Result) -> Sketch | None:
    """Who is still up after so many rounds."""
    heroes = [row for row in result.cast.party if result.appearances(row)]
    if not heroes:
        return None
    title = "Who is still up, round by round"
    last = _last_round(result)

    def draw(figure: Figure) -> None:
        from matplotlib.ticker import MaxNLocator

        axes = figure.add_subplot()
        for place, row in enumerate(heroes):
            curve = result.survival(row)[: None if last is None else last + 1]
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
                markevery=max(1, -(-len(curve) // MOST_MARKERS)),
                linewidth=1.7,
                linestyle="-" if place < 8 else "--",
                label=shortened(result.cast.units[row].name),
            )
        axes.set(xlabel="rounds played", ylabel="not yet down, % of fights", xlim=(-0.12, None))
        axes.set_ylim(top=100.5)
        start_at_zero_or_say_so(axes)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_title(title)
        axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1), borderaxespad=0)

    caption = (
        "Share of fights in which the hero has not gone down by the end of the round, with its 95 % interval. Fights "
        "that are over keep counting"
    ) + (
        ", so the last point is the share of fights that the hero comes through."
        if last is None
        else f". Shown up to round {last}: {_beyond(result, last)}."
    )
    return Sketch("survival", title, caption, draw, 3.2)
