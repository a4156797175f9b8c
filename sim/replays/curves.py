"""Curves below the slider, along the events of the fight: the health of both sides, and the chance of the party."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from sim.replays.chances import Chance

WIDE, HIGH = 1000, 100  # of the drawing; the page stretches it


@dataclass(frozen=True, slots=True)
class Curve:
    """A curve for the page."""

    name: str
    title: str
    about: str
    svg: Markup


def health_curve(party: Sequence[float], enemies: Sequence[float]) -> Curve:
    """The part of each side's health that is left after every event."""
    lines = "".join(
        f'<polyline class="{side}" points="{_stairs(values)}"/>'
        for side, values in (("enemy", enemies), ("party", party))
    )
    return Curve(
        "health", "Health left", "of the party (blue, whole line) and of the enemies (orange, broken)", _svg(lines)
    )


def chance_curve(chances: Sequence[tuple[int, Chance]], events: int, won: bool) -> Curve:
    """The party's chance from the first event of each round on, and how it ended; with the margin of each chance."""
    shares = [(across(event, events), chance.win_rate) for event, chance in chances]
    end = 1.0 if won else 0.0
    line = [(x, win.value) for x, win in shares] + [(1.0, end)]
    upper = [(x, win.high) for x, win in shares] + [(1.0, end)]
    lower = [(x, win.low) for x, win in shares] + [(1.0, end)]
    inside = (
        f'<line class="half" x1="0" y1="{HIGH / 2:g}" x2="{WIDE}" y2="{HIGH / 2:g}"/>'
        f'<polygon class="margin" points="{_points(upper + lower[::-1])}"/>'
        f'<polyline class="party" points="{_points(line)}"/>'
    )
    what = "scene" if chances[0][1].scene else "round"
    about = f"from each {what} on, of {chances[0][1].again} continuations each; the band is the margin (95 %)"
    return Curve("chance", "The party's chance of winning", about, _svg(inside))


def across(event: int, events: int) -> float:
    """How far to the right an event stands, from 0 to 1."""
    return event / max(events - 1, 1)


def _stairs(values: Sequence[float]) -> str:
    """A line that changes where an event changes it; events that change nothing cost nothing."""
    points = [(0.0, values[0])]
    for event in range(1, len(values)):
        if values[event] != values[event - 1]:
            x = across(event, len(values))
            points += [(x, values[event - 1]), (x, values[event])]
    points.append((1.0, values[-1]))
    return _points(points)


def _points(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{WIDE * x:.0f},{HIGH * (1 - y):.0f}" for x, y in points)


def _svg(inside: str) -> Markup:
    return Markup(f'<svg viewBox="0 -3 {WIDE} {HIGH + 6}" preserveAspectRatio="none" aria-hidden="true">{inside}</svg>')
