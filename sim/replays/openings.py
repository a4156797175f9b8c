"""The table before the first round: where everybody stands, and as text what the letters of the board mean."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sim.core.luck import Luck
from sim.core.telling import Scene
from sim.replays.text import standing
from sim.scenario import Scenario

SEED = 1
ONE_OF_MANY = "One start of many: it differs from run to run."


def openings_of(fight: Scenario, seed: int) -> tuple[list[Scene], bool]:
    """The table of every room as run 0 begins, and whether run 1 begins alike."""
    encounter = fight.encounter()
    first, second = (encounter.openings(Luck.of(seed, np.array([run]))) for run in (0, 1))
    return first, [scene.tokens for scene in first] == [scene.tokens for scene in second]


def opening_lines(fight: Scenario) -> Iterator[str]:
    """Every room of a fight as it begins; nothing for a game without a board."""
    scenes, alike = openings_of(fight, SEED)
    pictures = [list(standing(scene)) for scene in scenes]
    if not alike and any(pictures):
        yield f"  {ONE_OF_MANY}"
    for number, picture in enumerate(pictures):
        if number:
            yield ""
        yield from picture
