"""Luck of the fight: what the rolls of each unit brought, against what was to be expected of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sim.core.telling import Event
from sim.results.verdict import counted
from sim.scenario.wording import upper_first

LEAST = 0.5  # a smaller difference is not worth a sentence


@dataclass(frozen=True, slots=True)
class Fortune:
    """What the rolls of one unit brought, in one measure."""

    unit: str
    measure: str
    rolls: int
    came: float
    expected: float

    @property
    def more(self) -> float:
        """How much more than was to be expected; below 0 if it was less."""
        return self.came - self.expected

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {name: getattr(self, name) for name in ("unit", "measure", "rolls", "came", "expected", "more")}


def fortune_of(events: Sequence[Event]) -> list[Fortune]:
    """By unit and measure, the luckiest first."""
    sums: dict[tuple[str, str], list[float]] = {}
    for event in events:
        for roll in event.rolls:
            if event.who and roll.came is not None and roll.expected is not None:
                row = sums.setdefault((event.who, roll.measure), [0, 0.0, 0.0])
                row[0] += 1
                row[1] += roll.came
                row[2] += roll.expected
    found = [Fortune(*key, int(rolls), came, expected) for key, (rolls, came, expected) in sums.items()]
    return sorted(found, key=lambda one: -one.more)


def fortune_in_words(fortune: Sequence[Fortune], names: Mapping[str, str]) -> list[str]:
    """A sentence, without its full stop, for everybody who was lucky or unlucky."""
    return [
        f"{upper_first(names.get(one.unit, one.unit))}: {_short(one.came)} {_measure(one)} from "
        f"{counted(one.rolls, 'roll')}, {_short(one.expected)} expected ({one.more:+.1f})".replace("-", "−")
        for one in fortune
        if abs(one.more) >= LEAST
    ]


def _measure(one: Fortune) -> str:
    """The measure as it fits the number: '1 hit', '2 hits', '1 success'."""
    return one.measure.removesuffix("es" if one.measure.endswith("sses") else "s") if one.came == 1 else one.measure


def _short(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")
