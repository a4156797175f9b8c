"""Telling one run move by move: the recorder through which every ruleset speaks.

The engine plays the wanted run again as a batch of one and hands it a `Recorder`. Rules tell what they do with

    if s.tell:
        s.tell("OU-A3", hero, "strikes the skeletons", at, roll=die, total=total, hits=hits)

When nobody listens `s.tell` is None, and the only cost is that test.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sim.core.lanes import Lanes

Fact: TypeAlias = "int | str | np.integer | np.bool_ | NDArray[Any]"


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened."""

    round: int
    rule: str  # the id of the rule that made it happen
    who: str  # the unit that acted; empty where nobody did
    what: str  # in plain words
    facts: dict[str, int | bool | str]  # rolls, totals, damage, hit points after, whether it worked
    picture: str = ""  # the board in text, instead of words


@dataclass(slots=True)
class Recorder:
    """Collects the events of a batch of one run."""

    names: list[str] = field(default_factory=list)  # of the units, set by the encounter
    events: list[Event] = field(default_factory=list)
    round: int = 0

    def __call__(self, rule: str, who: int | str, what: str, at: Lanes | None = None, **facts: Fact) -> None:
        """Something happened in the lanes `at`; nothing is told if there are none.

        A fact is a number, a text, or an array with one value per lane of `at`.
        """
        if at is not None and len(at) == 0:
            return
        name = self.names[who] if isinstance(who, int) else who
        told = {key: _as_told(value) for key, value in facts.items()}
        self.events.append(Event(self.round, rule, name, what, told))

    def show(self, picture: str) -> None:
        """The board as it stands now, in text."""
        self.events.append(Event(self.round, "", "", "", {}, picture))


def _as_told(fact: Fact) -> int | bool | str:
    """The fact of the one run that is told, as a number, truth or text of Python's own."""
    value = fact.flat[0] if isinstance(fact, np.ndarray) else fact
    if isinstance(value, str):
        return value
    return bool(value) if isinstance(value, (bool, np.bool_)) else int(value)
