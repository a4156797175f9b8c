"""One run from setup to the end."""

from __future__ import annotations

from typing import Any

from .ending import Ending, Result
from .prepare import Prepared
from .table import Posse
from .turns import Turns
from .units import FightEnds


class Fight(Turns, Ending):
    """One run: every rule of the specification at one table."""


def play(prepared: Prepared, luck: Any, trace: list[str] | None = None) -> Result:
    """One run from setup to the end."""
    return play_scene(prepared, luck, None, trace)[0]


def play_scene(
    prepared: Prepared, luck: Any, arriving: Posse | None, trace: list[str] | None = None
) -> tuple[Result, Posse]:
    """The same for a posse that may come from another fight; and what it takes along."""
    fight = Fight(prepared, luck, trace, arriving)
    try:
        fight.set_up()
        while True:
            fight.play_turn()
    except FightEnds as end:
        return fight.result(end.outcome, end.cause), fight.leave()
