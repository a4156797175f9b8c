"""The figures of `why`: when a fight is decided, by which draws, and by whose luck."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sim.report.study_drawing import ends
from sim.report.svg import COLOURS, Sketch, shortened
from sim.results.statistics import Estimate
from sim.studies.answer import Answer

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def resolution(answer: Answer) -> Sketch | None:
    """The share that is decided, round by round."""
    rows = [row for table in answer.tables if table.name == "resolution" for row in table.rows]
    points = [(row["round"] if isinstance(row["round"], int) else 0, row["share"]) for row in rows]
    known = [(at, one) for at, one in points if isinstance(one, Estimate) and one.known]
    if not known:
        return None
    title = "When is it decided?"
    steps = "scenes" if answer.scenario.is_adventure else "rounds"

    def draw(figure: Figure) -> None:
        from matplotlib.ticker import MaxNLocator

        axes = figure.add_subplot()
        at = [x for x, _ in known]
        colour = COLOURS["hero-1"]
        axes.fill_between(
            at, [100 * one.low for _, one in known], [100 * one.high for _, one in known], color=colour, alpha=0.18
        )
        axes.plot(at, [100 * one.value for _, one in known], color=colour, marker="o", markersize=5, linewidth=1.6)
        for line in (50, 90):
            axes.axhline(line, color=COLOURS["muted"], linewidth=0.9, linestyle=":")
        axes.set(xlabel=f"{steps} that are over (0: everything before the first)", ylabel="decided, %", ylim=(-3, 103))
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_title(title)

    caption = (
        f"Share of the outcome that the luck up to there decides, with {_sure(answer)}. Dotted: half, nine tenths."
    )
    return Sketch("resolution", title, caption, draw, 3.0)


def chance_groups(answer: Answer) -> Sketch | None:
    """What every group of draws decides alone and in all."""
    return _shares(answer, "chance", "group", "Which dice or cards decide?")


def whose_luck(answer: Answer) -> Sketch | None:
    """The same unit by unit."""
    return _shares(answer, "units", "unit", "Whose luck decides?")


def _shares(answer: Answer, table: str, what: str, title: str) -> Sketch | None:
    """Two marks a row: alone, and in all."""
    found = [row for one in answer.tables if one.name == table for row in one.rows]
    rows = [row for row in found if isinstance(row["share"], Estimate) and row["share"].known]
    if not rows:
        return None

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        looks: tuple[tuple[str, str, dict[str, Any], float], ...] = (
            ("share", "alone", {"color": COLOURS["hero-1"], "marker": "o"}, 0.14),
            ("total", "in all", {"color": COLOURS["hero-2"], "marker": "s"}, -0.14),
        )
        for column, label, look, beside in looks:
            for place, row in enumerate(reversed(rows)):
                one = row[column]
                assert isinstance(one, Estimate)
                style = look | ({"label": label} if place == 0 else {})
                axes.errorbar(100 * one.value, place + beside, xerr=ends(one, 100), capsize=3, markersize=5, **style)
        axes.axvline(0, color=COLOURS["ink"], linewidth=1)
        axes.set_yticks(range(len(rows)), [shortened(str(row[what])) for row in reversed(rows)])
        axes.set(xlabel="share of the outcome, %", ylim=(-0.7, len(rows) - 0.3))
        axes.grid(axis="y", visible=False)
        axes.set_title(title)
        axes.legend(loc="lower right", bbox_to_anchor=(1, 1), ncols=2)

    caption = (
        "Alone: what these draws decide by themselves; in all: together with other draws, so that these shares add up "
        f"to more than 100. With {_sure(answer)}."
    )
    return Sketch(table, title, caption, draw, 1.3 + 0.32 * len(rows))


def _sure(answer: Answer) -> str:
    return f"{100 * answer.settings['confidence']:.3g} % intervals"
