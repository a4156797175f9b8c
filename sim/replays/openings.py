"""The table before the first round, as text: where everybody stands, and what the letters of the board mean."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sim.core.luck import Luck
from sim.replays.text import standing
from sim.scenario import Scenario

SEED = 1


def opening_lines(fight: Scenario) -> Iterator[str]:
    """Every room of a fight as it begins; nothing for a game without a board."""
    encounter = fight.encounter()
    first, second = (encounter.openings(Luck.of(SEED, np.array([run]))) for run in (0, 1))
    pictures = [list(standing(scene)) for scene in first]
    alike = [scene.tokens for scene in first] == [scene.tokens for scene in second]
    if not alike and any(pictures):
        yield "  One start of many: it differs from run to run."
    for number, picture in enumerate(pictures):
        if number:
            yield ""
        yield from picture
