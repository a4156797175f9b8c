"""The win rate for values around a number, with the same luck, and the value that comes nearest to a target."""

from __future__ import annotations

from dataclasses import dataclass

from sim.errors import SimError
from sim.results.statistics import Estimate
from sim.scenario import Scenario
from sim.studio.fields import Field
from sim.studio.fights import OpenFight, open_fight, with_value
from sim.studio.figures import Bar, bar_of
from sim.studio.folder import Folder
from sim.studio.forms import form_of
from sim.studio.playing import Memory, Watching

REACH = 4  # whole values to either side
FURTHER = 8  # how many more are looked at where the target lies beyond
PARTS = 8  # steps to either side of a number that is not whole
PRECISION = 2.5  # points to either side of each value
WIDTH, HEIGHT, EDGE = 320, 130, 26  # of the drawing


@dataclass(frozen=True, slots=True)
class Point:
    """The fight with one value of the number."""

    value: float
    typed: str
    scenario: Scenario
    watching: Watching

    @property
    def win(self) -> Estimate | None:
        """How often it is won, as far as it is known."""
        win = self.watching.win_rate
        return win if win is not None and win.known else None


@dataclass(frozen=True, slots=True)
class Dot:
    """A point of the drawing."""

    typed: str
    bar: Bar
    x: float
    y: float
    top: float
    bottom: float
    is_now: bool


@dataclass(frozen=True, slots=True)
class Curve:
    """What is drawn."""

    field: Field
    dots: tuple[Dot, ...]
    target_y: float
    target: float
    nearest: Dot | None  # the value that comes nearest to the target
    reached: bool  # whether the target lies between two values
    target_left: bool  # on which side its name has more room


class Around:
    """The values around one number of a fight."""

    def __init__(self, fight: OpenFight, path: str, seed: int, folder: Folder, memory: Memory) -> None:
        self.fight, self.seed, self.folder, self.memory = fight, seed, folder, memory
        found = [field for field in form_of(fight).all_fields() if field.path == path and field.turns]
        if not found or found[0].problem:
            raise SimError(f"{path} is no number that can be turned, or does not fit yet")
        self.field = found[0]
        self.now = float(self.field.typed)
        self.points: dict[float, Point] = {}

    def begin(self) -> None:
        """The nearest values."""
        if self.field.step == "1":
            self._add([self.now + step for step in range(-REACH, REACH + 1)])
        else:
            part = max(abs(self.now), 1.0) / PARTS
            self._add([round(self.now + step * part, 6) for step in range(-REACH, REACH + 1)])

    def further(self, target: float) -> bool:
        """More values where the target lies; whether there are any."""
        known = [point for point in self._ordered() if point.win is not None]
        if len(known) < 2 or len(self.points) > 2 * REACH + FURTHER:
            return False
        first, last = known[0], known[-1]
        assert first.win is not None
        assert last.win is not None
        rates = [point.win.value for point in known if point.win is not None]
        if min(rates) <= target <= max(rates) or first.win.value == last.win.value:
            return False
        rising = last.win.value > first.win.value
        up = (target > max(rates)) == rising
        step = (last.value - first.value) / (len(known) - 1)
        before = len(self.points)
        edge = last.value if up else first.value
        self._add([round(edge + (at if up else -at) * step, 6) for at in range(1, FURTHER // 2 + 1)])
        return len(self.points) > before

    def _add(self, values: list[float]) -> None:
        for value in values:
            typed = f"{value:g}" if not float(value).is_integer() else str(int(value))
            if value in self.points or (self.field.low is not None and value < min(self.field.low, self.now)):
                continue
            try:
                opened = open_fight(with_value(self.fight, self.field.path, typed), self.folder)
            except SimError:
                continue
            if not opened.problems:
                watching = self.memory.watching(opened.scenario, self.seed)
                self.points[value] = Point(value, typed, opened.scenario, watching)

    def _ordered(self) -> list[Point]:
        return [self.points[value] for value in sorted(self.points)]

    def curve(self, target: float) -> Curve:
        """The drawing, of what is known by now."""
        known = [point for point in self._ordered() if point.win is not None]
        values = [point.value for point in self._ordered()]
        low, span = min(values, default=0.0), max(max(values, default=1.0) - min(values, default=0.0), 1e-9)

        def up(share: float) -> float:
            return EDGE / 2 + (1 - share) * (HEIGHT - 1.5 * EDGE)

        dots = []
        for point in known:
            assert point.win is not None
            x = EDGE + (point.value - low) / span * (WIDTH - 1.5 * EDGE)
            ends = up(point.win.high), up(point.win.low)
            bar = bar_of("win", point.win)
            dots.append(Dot(point.typed, bar, x, up(point.win.value), *ends, point.value == self.now))
        nearest = min(dots, key=lambda dot: abs(dot.bar.value - 100 * target), default=None)
        shares = [dot.bar.value / 100 for dot in dots]
        reached = bool(shares) and min(shares) <= target <= max(shares)
        left = len(dots) > 1 and abs(dots[0].y - up(target)) > abs(dots[-1].y - up(target))
        return Curve(self.field, tuple(dots), up(target), target, nearest, reached, left)
