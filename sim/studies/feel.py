"""How a fight feels, as whole-number sums: how it ends, and how the chance of winning goes along it.

Everything here is about one fight. `EndingTally` looks at how runs end, `CurveTally` at the chance of winning at the
start of every round, as continuations with fresh luck tell it (`sim.core.branch`). With few continuations chance itself
looks like drama, so every measure is taken with half of them as well: from what it then shows more follows what it
shows too much with all of them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from sim.core.branch import AGAIN, Chances
from sim.core.lanes import Mask, Whole
from sim.core.outcomes import Cast, Outcome, Outcomes
from sim.results.statistics import CONFIDENCE, Estimate, mean, nothing, rate, ratio
from sim.studies.company import features_in
from sim.studies.shares import within

PARTS = 10_000  # a share of health is counted in so many parts, so that sums are whole numbers
LONGEST = 256  # rounds that are told apart
OUTSIDER = 4  # who stands below 1 in so many and wins has come back
CLEAR = 10  # a chance below 1 in so many, or above 1 minus that, is clear


class Sums:
    """Sums of whole numbers under names: those of the parts add up to those of the whole."""

    __slots__ = ()

    def __add__(self, other: Self) -> Self:
        mine, theirs = ({f.name: getattr(one, f.name) for f in fields(one)} for one in (self, other))  # type: ignore[arg-type]
        return type(self)(**{name: _added(value, theirs[name]) for name, value in mine.items()})

    def are_numbers(self) -> bool:
        """Whether all of it are whole numbers from 0 up; asked of what comes from a file."""
        return all(_is_number(getattr(self, f.name)) for f in fields(self))  # type: ignore[arg-type]


def _added(one: Any, other: Any) -> Any:
    if isinstance(one, tuple):
        return tuple(_added(mine, theirs) for mine, theirs in zip(one, other, strict=True))
    return one + other


def _is_number(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(_is_number(part) for part in value)
    return type(value) is int and value >= 0


# ---------------------------------------------------------------------------------------------------------- how it ends


@dataclass(frozen=True, slots=True)
class EndingTally(Sums):
    """How the runs of a fight ended."""

    rounds: tuple[int, ...]  # (LONGEST,) fights by their number of rounds, the last one for all longer ones
    downs: tuple[int, ...]  # (heroes + 1,) fights by how many heroes went down
    decided: int  # fights that somebody won
    left: int  # sum of the health share left to the winner, in PARTS
    left_squares: int
    wins: int
    losses: int  # fights that were not won, draws included
    in_wins: tuple[int, ...]  # wins in which each feature of `sim.studies.company` was there
    in_losses: tuple[int, ...]

    @classmethod
    def of(cls, outcomes: Outcomes, cast: Cast) -> EndingTally:
        """The sums of a stretch of runs."""
        fought = np.isin(outcomes.outcome, (Outcome.WIN, Outcome.LOSS, Outcome.DRAW))
        party = cast.party
        down = (outcomes.present[party] & (outcomes.down_round[party] >= 0)).sum(axis=0)
        rounds = np.minimum(outcomes.rounds[fought].astype(np.int64), LONGEST - 1)
        left, decided = winners_share(outcomes, cast)
        won = outcomes.outcome == Outcome.WIN
        lost = fought & ~won
        features = features_in(outcomes, cast)
        return cls(
            _whole(np.bincount(rounds, minlength=LONGEST)),
            _whole(np.bincount(down[fought], minlength=len(party) + 1)),
            int(np.count_nonzero(decided)),
            int(left.sum()),
            int((left * left).sum()),
            int(np.count_nonzero(won)),
            int(np.count_nonzero(lost)),
            _whole(features[:, won].sum(axis=1)),
            _whole(features[:, lost].sum(axis=1)),
        )

    def can_be_of(self, runs: int) -> bool:
        """Whether these can be the sums of so many runs; asked of what comes from a file."""
        return self.are_numbers() and len(self.rounds) == LONGEST and sum(self.rounds) == sum(self.downs) <= runs

    @property
    def fights(self) -> int:
        """Runs in which a fight took place."""
        return sum(self.downs)

    def longest(self, share: float) -> int:
        """So many rounds are enough for this share of the fights."""
        return int(np.searchsorted(np.cumsum(self.rounds), share * self.fights))

    @property
    def mean_rounds(self) -> float:
        """Rounds of a fight; NaN without one."""
        total = sum(number * count for number, count in enumerate(self.rounds))
        return total / self.fights if self.fights else math.nan

    def closeness(self, confidence: float = CONFIDENCE) -> Estimate:
        """The share of its health that the winner has left, on average."""
        found = mean(self.decided, self.left, self.left_squares, confidence)
        return Estimate(found.value / PARTS, found.low / PARTS, found.high / PARTS, found.n, found.why)

    def went_down(self, heroes: int, confidence: float = CONFIDENCE) -> Estimate:
        """How often just so many heroes went down."""
        return rate(self.downs[heroes], self.fights, confidence)


def winners_share(outcomes: Outcomes, cast: Cast) -> tuple[Whole, Mask]:
    """(runs,). How much of its health the winner has left, in PARTS (0 where nobody won), and whether somebody won.

    Where a unit has no maximum (a group, whose numbers may be rolled) it began with what is left and what it lost.
    """
    maximum = np.array([[-1 if unit.max_hp is None else unit.max_hp] for unit in cast.units], dtype=np.int64)
    hp = np.maximum(outcomes.hp, 0).astype(np.int64)
    lost = np.maximum(outcomes.damage_taken, outcomes.downs).astype(np.int64)
    began = np.where(maximum < 0, hp + lost, np.maximum(maximum, hp)) * outcomes.present
    left = hp * outcomes.present
    in_party = np.array([unit.side == "party" for unit in cast.units])
    shares, decided = np.zeros(outcomes.size, dtype=np.int64), np.zeros(outcomes.size, dtype=bool)
    for outcome, side in ((Outcome.WIN, in_party), (Outcome.LOSS, ~in_party)):
        won = outcomes.outcome == outcome
        whole = np.maximum(began[side][:, won].sum(axis=0), 1)
        shares[won] = left[side][:, won].sum(axis=0) * PARTS // whole
        decided |= won
    return shares, decided


# ------------------------------------------------------------------------------------------- the chance along the fight


@dataclass(frozen=True, slots=True)
class CurveTally(Sums):
    """How the chance of winning goes along a fight, from all continuations and from half of them."""

    fights: int  # with at least one round
    over: int  # runs that were over before their first round
    continuations: int
    whole: tuple[int, ...]  # sums of MOVES and their squares, and of the tail: see `_moves`
    halves: tuple[int, ...]  # the same, from the first half and from the second half of the continuations

    @classmethod
    def of(cls, curves: Sequence[Chances]) -> CurveTally:
        """The sums of a stretch of runs."""
        whole, halves = np.zeros(_SUMS, dtype=np.int64), np.zeros(_SUMS, dtype=np.int64)
        followed = [curve for curve in curves if curve.rounds]
        for curve in followed:
            won = curve.ended == Outcome.WIN  # (rounds, continuations)
            half = curve.again // 2
            whole += _moves(won, curve.outcome)
            halves += _moves(won[:, :half], curve.outcome) + _moves(won[:, half : 2 * half], curve.outcome)
        return cls(
            len(followed),
            len(curves) - len(followed),
            sum(curve.ended.size for curve in followed),
            _whole(whole),
            _whole(halves),
        )

    def can_be_of(self, runs: int) -> bool:
        """Whether these can be the sums of so many runs; asked of what comes from a file."""
        sums = len(self.whole) == len(self.halves) == _SUMS
        return self.are_numbers() and sums and self.fights + self.over == runs

    def estimate(self, name: str, again: int, confidence: float = CONFIDENCE) -> Estimate:
        """A measure of MOVES, or the tail, with its interval."""
        if not self.fights:
            return nothing("no fight had a round")
        if name == TAIL:
            tail, rounds, squares, round_squares, products = self.whole[-5:]
            return within(ratio(self.fights, tail, rounds, squares, round_squares, products, confidence), 0.0, 1.0)
        if name == COMEBACK:  # happens in a fight or does not
            return rate(self.whole[2 * MOVES.index(name)], self.fights, confidence)
        at, scale = 2 * MOVES.index(name), again if name == EXCITEMENT else 1
        found = mean(self.fights, self.whole[at], self.whole[at + 1], confidence)
        return Estimate(found.value / scale, found.low / scale, found.high / scale, found.n, found.why)

    def bias(self, name: str, again: int) -> float:
        """What a measure shows too much (too little: below 0) for want of continuations: about the most.

        Noise falls with the square root of their number, or faster where the chance truly moves; so a half shows at
        least sqrt(2) times too much.
        """
        if not self.fights:
            return math.nan
        if name == TAIL:
            more = _share(self.halves) - _share(self.whole)
        else:
            at = 2 * MOVES.index(name)
            scales = (again, again // 2) if name == EXCITEMENT else (1, 1)
            more = self.halves[at] / (2 * self.fights * scales[1]) - self.whole[at] / (self.fights * scales[0])
        return more / (math.sqrt(2) - 1)


EXCITEMENT, COMEBACK, LEADS, TAIL = "excitement", "comeback_rate", "lead_changes", "tail"
MOVES = (EXCITEMENT, COMEBACK, LEADS)  # measured fight by fight; the tail is a share of all rounds
_SUMS = 2 * len(MOVES) + 5


def _moves(won: NDArray[np.bool_], outcome: Outcome) -> Whole:
    """What the chance of winning does along one run, from its continuations: (rounds, continuations) won or not.

    For every measure of MOVES the value and its square; then of the tail what `ratio` asks for: rounds played when it
    was clear, all rounds, their squares and their product. Excitement is counted in continuations.
    """
    again = won.shape[1]
    wins = np.count_nonzero(won, axis=1)
    end = again if outcome == Outcome.WIN else 0
    excitement = int(np.abs(np.diff(wins, append=end)).sum())
    behind = wins.min() if outcome == Outcome.WIN else again - wins.max()
    comeback = int(outcome != Outcome.DRAW and OUTSIDER * behind < again)
    leads = np.sign(2 * np.append(wins, end) - again)
    leads = leads[leads != 0]
    changes = int(np.count_nonzero(np.diff(leads)))
    clear = np.flatnonzero((CLEAR * wins < again) | (CLEAR * (again - wins) < again))
    rounds = len(wins)
    tail = rounds - int(clear[0]) if len(clear) else 0
    sums = [number for value in (excitement, comeback, changes) for number in (value, value * value)]
    return np.array([*sums, tail, rounds, tail * tail, rounds * rounds, tail * rounds], dtype=np.int64)


def along_the_run(name: str, won: NDArray[np.bool_], outcome: Outcome) -> tuple[int, int]:
    """A measure of one run and what it is counted by: the rounds for the tail, the fight itself for the others.

    Excitement is counted in AGAIN continuations, however many there are.
    """
    sums = _moves(won, outcome)
    if name == TAIL:
        return int(sums[-5]), int(sums[-4])
    scale = AGAIN // won.shape[1] if name == EXCITEMENT else 1
    return scale * int(sums[2 * MOVES.index(name)]), 1


def _share(sums: tuple[int, ...]) -> float:
    """The tail: rounds played when it was clear, of all rounds."""
    return sums[-5] / sums[-4]


def _whole(values: Whole) -> tuple[int, ...]:
    return tuple(int(value) for value in values)
