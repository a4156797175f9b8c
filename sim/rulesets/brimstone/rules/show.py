"""The board in text, for whoever listens to a run."""

from __future__ import annotations

from sim.core.board import picture
from sim.core.lanes import which
from sim.rulesets.brimstone.state import State


def show_board(s: State) -> None:
    """Heroes as their number from 1, models as letters of their kind; heroes on the floor in brackets."""
    if s.tell is None or not s.has_board:
        return
    ground = s.ground
    lane = int(which(s.live)[0])
    drawn = ground.drawn
    marks: dict[int, str] = {}
    for hero in range(s.heroes):
        if not s.removed[hero, lane]:
            cell = drawn.find(ground.board.coords[int(s.cell[hero, lane])])
            marks[cell] = str(hero + 1) if s.standing[hero, lane] else f"({hero + 1})"
    for slot in range(s.slots):
        if s.alive[slot, lane]:
            cell = drawn.find(ground.board.coords[int(s.spot[slot, lane])])
            name = s.facts.plot.kinds[int(s.kind[slot, lane])].name
            marks[cell] = "".join(word[0] for word in name.split("_")).upper()
    s.tell.show(picture(drawn, marks, coordinates=True))
