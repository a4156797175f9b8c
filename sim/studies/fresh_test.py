"""What a search for better play has found, put to the test on luck that the search has never seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sim.core.outcomes import Outcome
from sim.scenario import Scenario
from sim.studies.cards import Card, Fight
from sim.studies.measures import PairTally, Tally
from sim.studies.policy_search import Climb, Search, Step

LOOKED_THROUGH = 4_096  # runs among which one that turned is looked for
AT_A_TIME = 512


@dataclass(frozen=True, slots=True)
class Tested:
    """What was found, played beside the fight as it is, and every step on the way to it."""

    steps: Sequence[Step]
    tallies: Sequence[Tally]  # of the fight as it is, then after every step
    each: Sequence[PairTally]  # of every step against the one before; empty where only the search has seen them
    whole: PairTally | None  # of the last against the first; None where there is no step
    seed: int  # of the luck
    fresh: bool  # whether the search had never seen this luck


def put_to_the_test(search: Search, runs: int, seed: int) -> Tested:
    """Every step of the best climb with luck that the search has never seen."""
    steps = search.best.steps
    fights = [search.base, *(step.fight for step in steps)]
    last = len(steps)
    pairs = [(at, at + 1) for at in range(last)]
    card = Card(tuple(Fight(fight, seed) for fight in fights), (*pairs, (0, last)) if last > 1 else tuple(pairs))
    score = search.pool.play([card], 0, runs)[0]
    return Tested(steps, score.fights, score.pairs[:last], score.pairs[-1] if last else None, seed, fresh=True)


def as_seen(search: Search) -> Tested:
    """What the search itself has seen of its best, where somebody has stopped it."""
    best: Climb = search.best
    if best.seen is None:
        assert search.own is not None
        return Tested([], [search.own], [], None, search.seed, fresh=False)
    seen = best.seen
    return Tested(best.steps, [seen.before, seen.after], [], seen.pair, search.seed, fresh=False)


def turned_run(before: Scenario, after: Scenario, sign: int, seed: int, runs: int) -> int | None:
    """The first run that ends better for the side now; None where there is none among those looked through."""
    was, now = (Outcome.LOSS, Outcome.WIN) if sign > 0 else (Outcome.WIN, Outcome.LOSS)
    for first in range(0, min(runs, LOOKED_THROUGH), AT_A_TIME):
        old, new = (Fight(fight, seed).play(first, AT_A_TIME).outcome for fight in (before, after))
        turned = np.flatnonzero((old == was) & (new == now))
        if len(turned):
            return first + int(turned[0])
    return None
