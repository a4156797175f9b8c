"""Any moment can branch: a run played on from the start of a round, as often as one likes, with other luck.

    branch(encounter, seed, runs, round=3, again=2_000)     # -> Outcomes of all continuations
    chances(encounter, seed, run)                           # -> how they end, from the start of every round on
    play_fork(encounter, seed, 17, Fork(3, 5), tell)        # -> one continuation, told move by move

State is arrays, so a run that has come to the start of a round is copied lane by lane. Every copy gets a run key of its
own, a pure function of (seed, run, round, continuation): see `sim.core.luck`. What the game had drawn ahead and nobody
has seen (a draw pile, say) is drawn anew from it: see `Encounter.fresh`. So continuation c of run k from round r is the
same whatever it is played together with.

From there on the party may also play by another policy: `handed_over` gives the table as it stands to an encounter that
differs in nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from sim.core.batch import Batch, only
from sim.core.engine import Encounter, Lockstep, in_order, play_on
from sim.core.handover import handed_over
from sim.core.lanes import Lanes, Small, Tiny, Whole
from sim.core.luck import MOST_CONTINUATIONS, Luck
from sim.core.outcomes import Outcome, Outcomes
from sim.core.telling import Recorder
from sim.errors import InputError, Problem

S = TypeVar("S", bound=Batch)

AGAIN = 160  # continuations for a chance along a run: with fewer, chance itself looks like drama
LANES = 8_192  # continuations that are played together


@dataclass(frozen=True, slots=True)
class Fork:
    """Where a run leaves its own course: the start of a round, and which of the continuations from there it takes."""

    round: int
    continuation: int


@dataclass(frozen=True, slots=True)
class Chances:
    """How the continuations of one run end, from the start of each of its rounds on."""

    run: int
    outcome: Outcome  # how the run itself ended
    ended: Tiny  # (rounds, continuations) an Outcome each, first round first; no rows if it was over before round 1

    @property
    def rounds(self) -> int:
        """How many rounds the run had."""
        return len(self.ended)

    @property
    def again(self) -> int:
        """Continuations from the start of every round."""
        return self.ended.shape[1]

    @property
    def wins(self) -> Whole:
        """(rounds,). How many of them the party wins."""
        return np.count_nonzero(self.ended == Outcome.WIN, axis=1)

    @property
    def draws(self) -> Whole:
        """(rounds,). How many come to the round cap."""
        return np.count_nonzero(self.ended == Outcome.DRAW, axis=1)

    @property
    def losses(self) -> Whole:
        """(rounds,). How many the party loses."""
        return np.count_nonzero(self.ended == Outcome.LOSS, axis=1)


def branch(
    encounter: Encounter[S],
    seed: int,
    runs: Whole,
    round: int,
    again: int,
    same_luck: bool = False,
    then: Encounter[S] | None = None,
) -> Outcomes:
    """Play runs to the start of a round and on from there to the end, `again` times each.

    The tables have the continuations of the first run first, in their order; `run` is the number of the run.

    Args:
        same_luck: go on with the run's own luck, which gives the run itself as often.
        then: who goes on from there: the same fight with another policy.

    Raises:
        InputError: a run was over before that round.
    """
    _check_again(again)
    runs = np.asarray(runs, dtype=np.int64)
    trunk = at_start_of(encounter, seed, runs, round)
    if then is not None:
        trunk = handed_over(trunk, then)
    every = np.repeat(np.arange(len(runs)), again)
    continuation = np.tile(np.arange(again), len(runs))

    def batches() -> Iterator[Lockstep[S]]:
        for begin in range(0, len(every), LANES):
            some = slice(begin, begin + LANES)
            state = only(trunk.state, every[some]) if same_luck else branched(trunk, every[some], continuation[some])
            yield Lockstep(trunk.encounter, np.arange(len(every))[some], state)

    outcomes = in_order(list(play_on(batches())))
    outcomes.run = runs[every]
    return outcomes


def play_fork(
    encounter: Encounter[S], seed: int, run: int, fork: Fork, tell: Recorder, then: Encounter[S] | None = None
) -> Outcomes:
    """Play one run to a fork and on along it to the end, with somebody listening; InputError if it was over by then."""
    _check_continuation(fork.continuation)
    trunk = at_start_of(encounter, seed, np.array([run], dtype=np.int64), fork.round, tell)
    if then is not None:
        trunk = handed_over(trunk, then)
    trunk.state = branched(trunk, np.array([0]), np.array([fork.continuation]))
    return in_order(list(trunk.play()))


def play_fresh_from(encounter: Encounter[S], seed: int, runs: Whole, round: int) -> Outcomes:
    """Play every run once with its own luck up to a round and fresh luck (continuation 0) from its start on.

    A run that is over by then is as it was.
    """
    runs = np.asarray(runs, dtype=np.int64)
    trunk = Lockstep.started(encounter, runs, Luck.of(seed, runs))
    parts = list(trunk.play(until=round - 1))
    if trunk.state.size:
        trunk.state = branched(trunk, np.arange(trunk.state.size), np.zeros(trunk.state.size, dtype=np.int64))
        parts += trunk.play()
    return in_order(parts, runs)


def at_start_of(
    encounter: Encounter[S], seed: int, runs: Whole, round: int, tell: Recorder | None = None
) -> Lockstep[S]:
    """The runs as they stand when a round begins; InputError for those that are over by then."""
    if round < 1:
        raise InputError(Problem("round", f"expected the number of a round, from 1, found {round}"))
    trunk = Lockstep.started(encounter, runs, Luck.of(seed, runs), tell)
    over = list(trunk.play(until=round - 1))
    if trunk.state.size < len(runs):
        early = in_order(over)
        ends = zip(early.run.tolist(), encounter.steps(early).tolist(), strict=True)
        raise InputError([_over(run, last, round) for run, last in ends])
    return trunk


def branched(trunk: Lockstep[S], lanes: Lanes, continuation: Whole) -> S:
    """Copies of runs that stand at the start of a round, each with the luck of one of its continuations."""
    state = only(trunk.state, lanes)
    state.luck = state.luck.branched(state.round + 1, continuation)
    trunk.encounter.fresh(state)
    return state


def chances(encounter: Encounter[S], seed: int, run: int, again: int = AGAIN) -> Chances:
    """The chance of winning along one run: `again` continuations from the start of every round."""
    return chances_of(encounter, seed, np.array([run], dtype=np.int64), again)[0]


def chances_of(encounter: Encounter[S], seed: int, runs: Whole, again: int = AGAIN) -> list[Chances]:
    """The same for several runs. Continuations from all rounds play on together."""
    _check_again(again)
    runs = np.asarray(runs, dtype=np.int64)
    together = max(1, LANES // again)
    parts = [runs[begin : begin + together] for begin in range(0, len(runs), together)]
    return [found for part in parts for found in _chances_of_some(encounter, seed, part, again)]


def _chances_of_some(encounter: Encounter[S], seed: int, runs: Whole, again: int) -> list[Chances]:
    """The chances of so many runs as play together."""
    trunk = Lockstep.started(encounter, np.arange(len(runs)), Luck.of(seed, runs))
    return _chances_from(trunk, runs, again)


def chances_of_fork(
    encounter: Encounter[S], seed: int, run: int, fork: Fork, again: int = AGAIN, then: Encounter[S] | None = None
) -> Chances:
    """The chance of winning along a continuation: as along the run itself up to the fork, and its own from there on."""
    own = chances(encounter, seed, run, again)
    trunk = at_start_of(encounter, seed, np.array([run], dtype=np.int64), fork.round)
    trunk.runs = np.array([0])
    if then is not None:
        trunk = handed_over(trunk, then)
    trunk.state = branched(trunk, np.array([0]), np.array([fork.continuation]))
    found = _chances_from(trunk, np.array([run]), again)[0]
    shared = fork.round if then is None else fork.round - 1  # by another policy it is another fight from the fork on
    found.ended[:shared] = own.ended[:shared]
    return found


def _chances_from(trunk: Lockstep[S], runs: Whole, again: int) -> list[Chances]:
    """The chances of runs from where they stand on; the rows of rounds that have been played are draws, and no news."""
    limbs: Lockstep[S] | None = None  # continuations under way, numbered by (round, run, continuation)
    own: list[Outcomes] = []
    ended: list[Outcomes] = []
    own += trunk.play(until=trunk.state.round)
    while trunk.state.size:
        lanes = np.repeat(np.arange(trunk.state.size), again)
        continuation = np.tile(np.arange(again), trunk.state.size)
        number = (trunk.state.round * len(runs) + trunk.runs[lanes]) * again + continuation
        grown = Lockstep(trunk.encounter, number, branched(trunk, lanes, continuation))
        if limbs is not None and limbs.state.size:
            grown.take_in(limbs)
        limbs = grown
        ended += limbs.play(until=limbs.state.round + 1)
        own += trunk.play(until=trunk.state.round + 1)
    if limbs is not None:
        ended += limbs.play()
    whole = in_order(own)
    return _sorted_out(runs, whole, trunk.encounter.steps(whole), ended, again)


def _sorted_out(runs: Whole, own: Outcomes, steps: Small, ended: Sequence[Outcomes], again: int) -> list[Chances]:
    """How the continuations ended, by run, round and continuation."""
    rounds = int(steps.max(initial=0))
    table = np.full((rounds, len(runs), again), Outcome.DRAW, dtype=np.int8)
    for part in ended:
        table.reshape(-1)[part.run] = part.outcome
    return [
        Chances(run, Outcome(own.outcome[place]), table[: steps[place], place].copy())
        for place, run in enumerate(runs.tolist())
    ]


def _check_again(again: int) -> None:
    if not 1 <= again <= MOST_CONTINUATIONS:
        raise InputError(
            Problem("again", f"expected a number of continuations from 1 to {MOST_CONTINUATIONS:,}, found {again:,}")
        )


def _check_continuation(continuation: int) -> None:
    if not 0 <= continuation < MOST_CONTINUATIONS:
        most = MOST_CONTINUATIONS - 1
        raise InputError(
            Problem("continuation", f"expected the number of a continuation, 0 to {most:,}, found {continuation:,}")
        )


def _over(run: int, last: int, round: int) -> Problem:
    """What is wrong with a round that a run did not come to."""
    if not last:
        return Problem("round", f"run {run} was over before its first round: there is nothing to go on from")
    return Problem("round", f"run {run} was over after round {last}; expected a round from 1 to {last}, found {round}")
