"""What studies measure, as whole-number sums: of one fight, and of two fights played with the same luck.

The sums of the parts add up to the sums of the whole, bit for bit, so chunks and workers leave no trace.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, fields

import numpy as np

from sim.core.lanes import Mask, Whole
from sim.core.outcomes import Cast, Outcome, Outcomes
from sim.results.adjusted import Adjusted, LuckSums, adjusted_rate, in_whole_numbers
from sim.results.sequences import critical_value, mean_sequence, paired_rates_sequence, rate_sequence
from sim.results.statistics import (
    CONFIDENCE,
    MINIMUM_RUNS,
    Estimate,
    mean,
    normal_quantile,
    nothing,
    paired_rates,
    rate,
)
from sim.results.summary import ENCOUNTERS, FIGHTS, KINDS, party_hit_points
from sim.studies.course import ROUNDS_DECIDED, Moments
from sim.studies.course import difference as course_difference
from sim.studies.course import estimate as of_course
from sim.studies.course import sharpening as course_sharpening
from sim.studies.feel import COMEBACK, EXCITEMENT, LEADS, TAIL

ACCOUNT_FROM = MINIMUM_RUNS  # the first runs of a fight are never corrected for luck: many need no more than these
NO_LUCK = LuckSums()


@dataclass(frozen=True, slots=True)
class Measure:
    """A number that a fight yields."""

    name: str  # in study files and tables: win_rate
    title: str  # in sentences: win rate
    short: str  # over a column
    unit: str  # share (shown in percent, differences in points), or the word for what is counted
    harder_if: int  # +1: more of it means a harder fight for the party, -1: less of it does, 0: neither
    less: str = "fewer"  # what a fight has that has not so much of it: fewer rounds, less damage


MEASURES = {
    measure.name: measure
    for measure in (
        Measure("win_rate", "win rate", "win rate", "share", -1),
        Measure("draw_rate", "share of draws", "draws", "share", 0),
        Measure("loss_rate", "share of losses", "losses", "share", +1),
        Measure("rounds", "rounds", "rounds", "rounds", 0),
        Measure("party_hp", "hit points left to the party", "hp left", "hit points", -1),
        Measure("damage_dealt", "damage dealt by the party", "dealt", "damage", 0, "less"),
        Measure("damage_taken", "damage taken by the party", "taken", "damage", +1),
        Measure("heroes_down", "heroes that go down", "down", "heroes", +1),
    )
}
SELDOM = {  # other ends than a win, a draw and a loss: told where there are any, so that all ends add up
    measure.name: measure
    for measure in (
        Measure("turned_back_rate", "share of parties that turn back", "turned back", "share", 0),
        Measure("avoided_rate", "share of fights avoided", "avoided", "share", 0),
    )
}
RATES = {  # shares of encounters
    "win_rate": Outcome.WIN,
    "draw_rate": Outcome.DRAW,
    "loss_rate": Outcome.LOSS,
    "turned_back_rate": Outcome.TURNED_BACK,
    "avoided_rate": Outcome.AVOIDED,
}
COURSE_MEASURES = {
    measure.name: measure
    for measure in (
        Measure("decided_before_round_1", "share decided before round 1", "decided before round 1", "share", 0, "less"),
        *(
            Measure(f"decided_after_round_{end}", f"share decided after round {end}", f"decided after round {end}",
                    "share", 0, "less")
            for end in ROUNDS_DECIDED
            if end
        ),
        Measure("luck_of_party", "weight of the party's luck", "weight of the party's luck", "share", 0, "less"),
        Measure("luck_of_enemies", "weight of the enemies' luck", "weight of the enemies' luck", "share", 0, "less"),
        Measure("luck_of_table", "weight of nobody's luck", "weight of nobody's luck", "share", 0, "less"),
        Measure("closeness", "health left to the winner", "health left to the winner", "share", 0, "less"),
        Measure(COMEBACK, "share of comebacks", "comebacks", "share", 0),
        Measure(TAIL, "share of rounds played when it is clear", "rounds played when it is clear", "share", 0),
        Measure(EXCITEMENT, "excitement", "excitement", "per fight", 0, "less"),
        Measure(LEADS, "changes of the favourite", "changes of the favourite", "per fight", 0),
    )
}  # of the course of a fight: played for only if somebody asks
EVERY_MEASURE = MEASURES | COURSE_MEASURES
MEANS = tuple(name for name in MEASURES if name not in RATES)  # measured in fights, one row each in the sums


def is_share(measure: str) -> bool:
    """Whether it is shown in percent, and its differences in points."""
    return measure in RATES or EVERY_MEASURE[measure].unit == "share"


def told_beside(measure: str = "win_rate", tallies: Iterable[Tally] = ()) -> dict[str, Measure]:
    """The measures that every fight is told by, and the one that was asked for; of other ends those that these have."""
    found: dict[str, Measure] = {}
    told = list(tallies)
    for name, about in MEASURES.items():
        found[name] = about
        if name == "loss_rate":
            found |= {end: one for end, one in SELDOM.items() if any(tally.ended[RATES[end]] for tally in told)}
    return found | {measure: EVERY_MEASURE[measure]}


def ends_besides_wins(tally: Tally) -> list[str]:
    """How fights end that are not won, in words and percent: '33.0 % losses', '0.0 % draws', and others if any."""
    names = ["loss_rate", "draw_rate", *(name for name in SELDOM if tally.ended[RATES[name]])]
    return [f"{100 * tally.estimate(name).value:.1f} % {(MEASURES | SELDOM)[name].short}" for name in names]


@dataclass(frozen=True, slots=True)
class Marks:
    """What a stretch of runs of one fight yields, run by run."""

    outcome: Whole  # (runs,)
    values: Whole  # (measures, runs) in the order of MEANS
    course: Whole | None = None  # (numbers, runs) what a measure of the course is made of, if one was asked for
    luck: Whole | None = None  # (runs,) the known luck in whole numbers, where account was kept of it

    @classmethod
    def of(cls, outcomes: Outcomes, cast: Cast, course: Whole | None = None) -> Marks:
        """The marks of a batch."""
        party = cast.party
        present = outcomes.present[party]
        values = [
            outcomes.rounds.astype(np.int64),
            np.maximum(party_hit_points(outcomes, cast), 0),  # health ends at 0, as in a result
            np.where(present, outcomes.damage_dealt[party], 0).sum(axis=0, dtype=np.int64),
            np.where(present, outcomes.damage_taken[party], 0).sum(axis=0, dtype=np.int64),
            (present & (outcomes.down_round[party] >= 0)).sum(axis=0, dtype=np.int64),
        ]
        luck = in_whole_numbers(outcomes, ACCOUNT_FROM)
        return cls(outcomes.outcome.astype(np.int64), np.stack(values), course, luck)

    @classmethod
    def nothing(cls, course: int = 0) -> Marks:
        """The marks of no runs; `course` is how many numbers they have for a measure of the course."""
        empty = [np.zeros((many, 0), dtype=np.int64) for many in (len(MEANS), course)]
        return cls(np.zeros(0, dtype=np.int64), empty[0], empty[1] if course else None)


def values_of(marks: Sequence[Marks], measure: str) -> Whole:
    """(fights, runs). A rate or a mean run by run in several fights; 0 in runs in which not all of them fought."""
    kinds = ENCOUNTERS if measure in RATES else FIGHTS
    counted = np.logical_and.reduce([_is_one_of(own.outcome, kinds) for own in marks])
    if measure in RATES:
        return np.stack([(own.outcome == RATES[measure]) & counted for own in marks]).astype(np.int64)
    row = MEANS.index(measure)
    return np.stack([own.values[row] * counted for own in marks])


def _is_one_of(outcome: Whole, kinds: Sequence[Outcome]) -> Mask:
    table = np.zeros(KINDS, dtype=bool)
    table[list(kinds)] = True
    return table[outcome]


def _numbers(sums: Whole) -> tuple[int, ...]:
    return tuple(int(value) for value in sums)


def _added(left: tuple[int, ...], right: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(one + other for one, other in zip(left, right, strict=True))


def _both(one: Moments | None, other: Moments | None) -> Moments | None:
    """Two sums added; one of them where the other has nothing."""
    return one + other if one is not None and other is not None else one or other


def _are_numbers(found: object, many: int) -> bool:
    """Whether it is a tuple of so many whole numbers."""
    return isinstance(found, tuple) and len(found) == many and all(type(number) is int for number in found)


@dataclass(frozen=True, slots=True)
class Tally:
    """The sums of one fight."""

    ended: tuple[int, ...]  # runs by outcome
    total: tuple[int, ...]  # sum of every measure of MEANS over the fights
    squares: tuple[int, ...]
    course: Moments | None = None  # of the measure of the course that was asked for
    luck: LuckSums = NO_LUCK  # what is known of the luck

    @classmethod
    def of(cls, marks: Marks) -> Tally:
        """The sums of a stretch of runs."""
        fought = marks.values[:, _is_one_of(marks.outcome, FIGHTS)]
        return cls(
            _numbers(np.bincount(marks.outcome, minlength=KINDS)),
            _numbers(fought.sum(axis=1)),
            _numbers((fought * fought).sum(axis=1)),
            None if marks.course is None else Moments.of(marks.course),
            NO_LUCK if marks.luck is None else LuckSums.over(marks.luck, marks.outcome),
        )

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            _added(self.ended, other.ended),
            _added(self.total, other.total),
            _added(self.squares, other.squares),
            _both(self.course, other.course),
            self.luck + other.luck,
        )

    def can_be_of(self, runs: int) -> bool:
        """Whether these can be the sums of so many runs; asked of what comes from a file."""
        if not _are_numbers(self.ended, KINDS) or min(self.ended) < 0 or self.runs != runs:
            return False
        if not isinstance(self.luck, LuckSums) or not _are_numbers(astuple(self.luck), len(fields(LuckSums))):
            return False
        return all(_are_numbers(sums, len(MEANS)) for sums in (self.total, self.squares))

    @property
    def runs(self) -> int:
        """How many runs there are."""
        return sum(self.ended)

    @property
    def encounters(self) -> int:
        """Runs in which there was somebody to fight."""
        return sum(self.ended[kind] for kind in ENCOUNTERS)

    @property
    def fights(self) -> int:
        """Runs in which a fight took place."""
        return sum(self.ended[kind] for kind in FIGHTS)

    def estimate(self, measure: str, confidence: float = CONFIDENCE, watched: bool = False) -> Estimate:
        """The rate or mean with its interval; `watched` makes it valid while watching."""
        if measure in COURSE_MEASURES:
            course = self.course
            return nothing("not asked for") if course is None else of_course(measure, course, confidence, watched)
        if measure in RATES:
            return (rate_sequence if watched else rate)(self.ended[RATES[measure]], self.encounters, confidence)
        row = MEANS.index(measure)
        take = mean_sequence if watched else mean
        return take(self.fights, self.total[row], self.squares[row], confidence)

    def adjusted(self, confidence: float = CONFIDENCE, watched: bool = False) -> Adjusted | None:
        """The win rate with the known luck taken out; None where none is known."""
        return adjusted_rate(self.ended[Outcome.WIN], self.encounters, self.runs, self.luck, confidence, watched)

    def sharpest(self, measure: str, confidence: float = CONFIDENCE, watched: bool = False) -> Estimate:
        """The estimate that is known best: of a win rate the one with the known luck taken out, where there is one."""
        found = self.adjusted(confidence, watched) if measure == "win_rate" else None
        return self.estimate(measure, confidence, watched) if found is None else found.rate


@dataclass(frozen=True, slots=True)
class PairTally:
    """The sums of two fights played with the same luck, run by run against each other."""

    joint: tuple[tuple[int, ...], ...]  # [outcome of the first][outcome of the second] -> runs
    fights: int  # pairs in which both fought
    total: tuple[int, ...]  # sum of second minus first of every measure of MEANS, over those pairs
    squares: tuple[int, ...]  # sum of the squares of the differences
    own: tuple[int, ...]  # sum of the squares of the first and of the second: what independent luck would scatter
    first: tuple[int, ...]  # sums of the first
    second: tuple[int, ...]  # sums of the second
    unlike: int  # pairs that differ in anything
    course: Moments | None = None  # of the measure of the course that was asked for: the first's numbers, the second's

    @classmethod
    def of(cls, one: Marks, other: Marks) -> PairTally:
        """The sums of a stretch of runs: `other` against `one`."""
        cells = np.bincount(one.outcome * KINDS + other.outcome, minlength=KINDS * KINDS).reshape(KINDS, KINDS)
        both = _is_one_of(one.outcome, FIGHTS) & _is_one_of(other.outcome, FIGHTS)
        old, new = one.values[:, both], other.values[:, both]
        change = new - old
        unlike = (one.outcome != other.outcome) | (one.values != other.values).any(axis=0)
        course = None
        if one.course is not None and other.course is not None:
            unlike |= (one.course != other.course).any(axis=0)
            course = Moments.of(np.concatenate((one.course, other.course)))
        return cls(
            joint=tuple(_numbers(row) for row in cells),
            fights=int(np.count_nonzero(both)),
            total=_numbers(change.sum(axis=1)),
            squares=_numbers((change * change).sum(axis=1)),
            own=_numbers((old * old).sum(axis=1) + (new * new).sum(axis=1)),
            first=_numbers(old.sum(axis=1)),
            second=_numbers(new.sum(axis=1)),
            unlike=int(np.count_nonzero(unlike)),
            course=course,
        )

    def __add__(self, other: PairTally) -> PairTally:
        return PairTally(
            tuple(_added(mine, theirs) for mine, theirs in zip(self.joint, other.joint, strict=True)),
            self.fights + other.fights,
            _added(self.total, other.total),
            _added(self.squares, other.squares),
            _added(self.own, other.own),
            _added(self.first, other.first),
            _added(self.second, other.second),
            self.unlike + other.unlike,
            _both(self.course, other.course),
        )

    def can_be_of(self, runs: int) -> bool:
        """Whether these can be the sums of so many runs; asked of what comes from a file."""
        if not isinstance(self.joint, tuple) or len(self.joint) != KINDS:
            return False
        if not all(_are_numbers(row, KINDS) and min(row) >= 0 for row in self.joint) or self.runs != runs:
            return False
        both = sum(self.joint[one][other] for one in FIGHTS for other in FIGHTS)
        if type(self.unlike) is not int or not 0 <= self.unlike <= runs or self.fights != both:
            return False
        every = (self.total, self.squares, self.own, self.first, self.second)
        return all(_are_numbers(sums, len(MEANS)) for sums in every)

    @property
    def cells(self) -> tuple[int, int, int, int]:
        """Of the pairs with somebody to fight in both: both won, only the first, only the second, neither."""
        win = Outcome.WIN
        both = self.joint[win][win]
        first = sum(self.joint[win][kind] for kind in ENCOUNTERS) - both
        second = sum(self.joint[kind][win] for kind in ENCOUNTERS) - both
        return both, first, second, self.pairs - both - first - second

    @property
    def runs(self) -> int:
        """How many pairs there are."""
        return sum(map(sum, self.joint))

    @property
    def same_encounters(self) -> bool:
        """Whether there was somebody to fight in both or in neither, in every pair."""
        empty = Outcome.EMPTY
        only_one = sum(self.joint[kind][empty] + self.joint[empty][kind] for kind in ENCOUNTERS)
        return only_one == 0

    @property
    def pairs(self) -> int:
        """Pairs in which both had somebody to fight."""
        return sum(self.joint[one][other] for one in ENCOUNTERS for other in ENCOUNTERS)

    def gained(self, outcome: Outcome = Outcome.WIN) -> int:
        """Pairs in which only the second ended so."""
        return sum(self.joint[kind][outcome] for kind in ENCOUNTERS if kind != outcome)

    def lost(self, outcome: Outcome = Outcome.WIN) -> int:
        """Pairs in which only the first ended so."""
        return sum(self.joint[outcome][kind] for kind in ENCOUNTERS if kind != outcome)

    def difference(self, measure: str, confidence: float = CONFIDENCE, watched: bool = False) -> Estimate:
        """Second minus first, with its interval; `watched` makes it valid while watching."""
        if measure in COURSE_MEASURES:
            if self.course is None:
                return nothing("not asked for")
            return course_difference(measure, self.course, confidence, watched)
        if measure not in RATES:
            row = MEANS.index(measure)
            take = mean_sequence if watched else mean
            return take(self.fights, self.total[row], self.squares[row], confidence)
        outcome = RATES[measure]
        if not self.same_encounters:
            return self._ratio_difference(outcome, confidence, watched)
        take_pairs = paired_rates_sequence if watched else paired_rates
        return take_pairs(self.gained(outcome), self.lost(outcome), self.pairs, confidence)

    def _ratio_difference(self, outcome: Outcome, confidence: float, watched: bool) -> Estimate:
        """The difference of two rates of different encounters: each a ratio; by the delta method on the joint table."""
        n = self.runs
        table = np.array(self.joint, dtype=np.float64)
        met = np.array([kind in ENCOUNTERS for kind in range(KINDS)], dtype=np.float64)
        ended = np.array([kind == outcome for kind in range(KINDS)], dtype=np.float64)
        old_met, new_met = table.sum(axis=1) @ met, table.sum(axis=0) @ met
        if old_met == 0 or new_met == 0:
            return nothing("nobody to fight", n)
        old, new = table.sum(axis=1) @ ended / old_met, table.sum(axis=0) @ ended / new_met
        lean = ((ended - new * met) * n / new_met)[None, :] - ((ended - old * met) * n / old_met)[:, None]
        error = math.sqrt(float((table * lean**2).sum()) + 2) / n  # + 2: as two unlike pairs more, for rare ones
        z = critical_value(n, confidence) if watched else normal_quantile(0.5 + confidence / 2)
        value = float(new - old)
        return Estimate(value, value - z * error, value + z * error, n)

    def sharpening(self, measure: str) -> float:
        """How many times the variance of the difference would be larger with independent luck; NaN if unknown."""
        if measure in COURSE_MEASURES:
            return math.nan if self.course is None else course_sharpening(measure, self.course)
        if measure in RATES:
            outcome, n = RATES[measure], self.pairs
            gained, lost = self.gained(outcome), self.lost(outcome)
            if n == 0 or gained + lost == 0:
                return math.nan
            both = self.joint[outcome][outcome]
            old, new = (both + lost) / n, (both + gained) / n
            shared = (gained + lost) / n - ((gained - lost) / n) ** 2
            return (old * (1 - old) + new * (1 - new)) / shared if shared > 0 else math.nan
        row, n = MEANS.index(measure), self.fights
        shared = n * self.squares[row] - self.total[row] ** 2
        apart = n * self.own[row] - self.first[row] ** 2 - self.second[row] ** 2
        return apart / shared if shared > 0 else math.nan


def typical_effort(pairs: Iterable[PairTally], measure: str) -> int | None:
    """What many comparisons would have taken with independent luck and a baseline each, by the median of the savings.

    The median, because a number that hardly matters saves a thousandfold, and nobody would play it so long.
    """
    known = [(pair.runs, pair.sharpening(measure)) for pair in pairs]
    times = sorted(saved for _, saved in known if not math.isnan(saved))
    return round(sum(2 * runs for runs, _ in known) * times[len(times) // 2]) if times else None
