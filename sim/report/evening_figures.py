"""The figure of an evening: scene by scene, how many are still there and how the others ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.report.svg import COLOURS, Sketch, shortened
from sim.results.result import Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_BAR = 0.42  # inches a scene
_ENDS = {"turned-back": "turned_back", "draw": "drawn", "loss": "lost"}  # colour -> what a scene counts


def where_parties_end(result: Result) -> Sketch | None:
    """A waterfall: who comes through each scene, who ends there, and who ended before it."""
    if not result.in_scenes or not result.sums.encounters:
        return None
    scenes, evenings, title = result.scenes, result.sums.encounters, "Where parties end"

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        for place, scene in enumerate(scenes):
            through = 100 * scene.reached.value * (scene.through.value if scene.through.known else 0.0)
            axes.barh(place, through, height=0.7, color=COLOURS["win"], label="come through" if not place else None)
            start = through
            for colour, what in _ENDS.items():
                share = 100 * getattr(scene, what) / evenings
                axes.barh(place, share, left=start, height=0.7, color=COLOURS[colour])
                start += share
            health = f", {100 * scene.hp_left.value:.0f} % health left" if scene.hp_left.known else ""
            if through > 30:
                label = f"{through:.0f} %{health}"
                axes.text(through / 2, place, label, color=COLOURS["paper"], ha="center", va="center", fontsize=8)
        for colour, what in _ENDS.items():
            if any(getattr(scene, what) for scene in scenes):
                axes.barh(0, 0, color=COLOURS[colour], label=what.replace("_", " ").replace("drawn", "out of time"))
        axes.set_yticks(range(len(scenes)), [shortened(f"{scene.number} {scene.name}") for scene in scenes])
        axes.set(xlim=(0, 100), xlabel="share of evenings, %")
        axes.set_title(title)
        axes.invert_yaxis()
        axes.grid(False, axis="y")
        handles, labels = axes.get_legend_handles_labels()
        axes.legend(handles, labels, loc="lower right", bbox_to_anchor=(1, 1), ncols=len(labels), handlelength=1)

    caption = (
        "One bar a scene, from the first to the last: those who come through it with the health they have left, then "
        "those whose evening ends there. What is missing to 100 % ended before."
    )
    return Sketch("scenes", title, caption, draw, 1.0 + _BAR * len(scenes))
