"""How far the engine is from compiled code, where there is a player in C (tests/limit).

It plays the same runs with the same luck, one after another on one core, and gives outcome, rounds and hit points; the
engine gives all its tables.
"""

from __future__ import annotations

import time

import numpy as np

from sim.runs.pieces import BATCH
from sim.scenario import Scenario
from tests.limit import NoCompiler, Player, Unknown, player_of


def limit_of(scenario: Scenario) -> Player | None:
    """The player in C of a fight; None where there is none. A machine without a compiler is told in words."""
    try:
        return player_of(scenario)
    except Unknown:
        return None
    except NoCompiler as error:
        print(f"The limit of {scenario.name} is not measured: {error}.")
        return None


def limit_speed(player: Player, first: int, count: int) -> float:
    """Encounters per second of processor time, in batches as a long run plays them."""
    batches = np.array_split(np.arange(first, first + count), -(-count // BATCH))
    start = time.process_time()
    for batch in batches:
        player.play(1, batch)
    return count / (time.process_time() - start)
