"""What is shown to somebody who listens to one run."""

from __future__ import annotations

from sim.core.board import picture
from sim.rulesets.second_era.data import STEALTH
from sim.rulesets.second_era.state import State


def show_board(s: State) -> None:
    """The board of the run that somebody listens to, in text: a letter and the hit points of every unit."""
    if s.tell is None:
        return
    names = s.tell.names
    marks = {}
    for row in range(s.units):
        cell = int(s.cell[row, 0])
        if cell >= 0:
            letter = names[row][0].upper() if row < s.party else names[row][0].lower()
            hidden = "s" if s.status[row, 0] & (1 << STEALTH) else ""
            marks[cell] = f"{letter}{int(s.hp[row, 0])}{hidden}"
    s.tell.show(picture(s.facts.ground.board, marks, coordinates=True))
