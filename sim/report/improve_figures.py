"""The figure of `improve`: how the win rate goes up, or down against harder enemies, change by change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.report.study_drawing import ends
from sim.report.svg import COLOURS, Sketch, shortened
from sim.results.statistics import Estimate
from sim.studies.answer import Answer

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TITLE = "Change by change"
LONGEST = 44  # letters of a change beside the figure: what is changed stands at its end


def climb(answer: Answer) -> Sketch | None:
    """Wins and draws before, and after every change; nothing where nothing was found."""
    before = answer.table("policies").rows[0]
    steps = [row for row in answer.table("changes").rows if isinstance(row.get("win_rate"), Estimate)]
    if not steps:
        return None
    start = f"as {before['policy']}" if answer.settings["side"] == "party" else str(before["policy"])
    rows = [(start, before), *((f"{row['number']}. {row['change']}", row) for row in steps)]
    rows.reverse()

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        for measure, colour, marker, name in (
            ("win_rate", COLOURS["win"], "o", "won"),
            ("draw_rate", COLOURS["muted"], "s", "drawn"),
        ):
            for place, (_, row) in enumerate(rows):
                found = row[measure]
                assert isinstance(found, Estimate)
                label = name if place == 0 else None
                axes.errorbar(
                    100 * found.value,
                    place,
                    xerr=ends(found, 100),
                    color=colour,
                    marker=marker,
                    markersize=5,
                    capsize=3,
                    linestyle="none",
                    label=label,
                )
        axes.set_yticks(range(len(rows)), [shortened(name, LONGEST) for name, _ in rows])
        axes.set(xlabel="share of fights, %", xlim=(-2, 102), ylim=(-0.7, len(rows) - 0.3))
        axes.grid(axis="y", visible=False)
        axes.legend(loc="best")
        axes.set_title(TITLE)

    sure = f"{100 * answer.settings['confidence']:.3g} % intervals"
    caption = f"Every change on top of those before it, the first at the top, with the same luck and {sure}."
    return Sketch("climb", TITLE, caption, draw, 1.3 + 0.36 * len(rows))
