"""One run from setup to the end."""

from __future__ import annotations

from typing import Any

from .ending import Ending, Result
from .prepare import Prepared
from .turns import Turns
from .units import FightEnds


class Fight(Turns, Ending):
    """One run: every rule of the specification at one table."""


def play(prepared: Prepared, luck: Any, trace: list[str] | None = None) -> Result:
    """One run from setup to the end."""
    fight = Fight(prepared, luck, trace)
    try:
        fight.set_up()
        while True:
            fight.play_turn()
    except FightEnds as end:
        return fight.result(end.outcome, end.cause)
