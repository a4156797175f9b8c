"""Streamed sums: everything a report says about any number of runs, in a few kilobytes.

A `Summary` holds counts, sums and sums of squares of whole numbers and nothing else, so adding the summaries of the
parts gives, bit for bit, the summary of the whole: in any grouping, in any order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sim.core.lanes import Mask, Small, Whole
from sim.core.outcomes import Cast, Outcome, Outcomes
from sim.results.adjusted import Adjusted, LuckSums, adjusted_rate

# Python's own integers, which never overflow: squares of large hit points over a hundred million runs may pass 2**63.
Exact: TypeAlias = NDArray[np.object_]

KINDS = len(Outcome)  # the last axis of every table here: the outcome of the run
FIGHTS = (Outcome.WIN, Outcome.LOSS, Outcome.DRAW, Outcome.TURNED_BACK)  # a fight took place
ENCOUNTERS = (*FIGHTS, Outcome.AVOIDED)  # there was somebody to fight: what rates are taken of

UNIT_SUMS = ("hp", "damage_dealt", "damage_taken", "healing", "kills", "downs")
ABILITY_SUMS = ("uses", "hits", "damage")

_WORST_FIRST = (Outcome.LOSS, Outcome.DRAW, Outcome.TURNED_BACK, Outcome.WIN)  # how good an ending is for the party
_EXACT_IN_DOUBLES = 2**53
_NUMBERS_AT_ONCE, _FEWEST_RUNS = 500_000, 1_024  # summed up at one go: 4 MB


@dataclass(frozen=True, slots=True, eq=False)
class Sums:
    """Sum and sum of squares of several quantities, by outcome."""

    total: Exact  # (quantities, outcomes)
    squares: Exact  # (quantities, outcomes)

    def __add__(self, other: Sums) -> Sums:
        return Sums(self.total + other.total, self.squares + other.squares)


@dataclass(frozen=True, slots=True, eq=False)
class Endings:
    """How the runs ended: one row for every outcome, party hit points and number of rounds that occurred.

    The rows are sorted by these three. The lowest run number of each row is kept, so that the runs worth looking at are
    the same however the work was divided.
    """

    outcome: Whole  # (rows,)
    party_hp: Whole  # (rows,) hit points left to the party as a whole
    rounds: Whole  # (rows,)
    count: Whole  # (rows,) how many runs ended so
    first: Whole  # (rows,) the lowest of their numbers

    def __add__(self, other: Endings) -> Endings:
        both = [np.concatenate([getattr(self, f.name), getattr(other, f.name)]) for f in fields(self)]
        return Endings.grouped(*both)

    @classmethod
    def grouped(cls, outcome: Whole, party_hp: Whole, rounds: Whole, count: Whole, first: Whole) -> Endings:
        """Equal endings gathered into one row each."""
        if len(outcome) == 0:
            return cls(outcome, party_hp, rounds, count, first)
        # One number per ending, because one sort beats three; of 16 bits where they suffice, which sorts quickest.
        lowest, span, longest = int(party_hp.min()), int(np.ptp(party_hp)) + 1, int(rounds.max()) + 1
        ending = (outcome * span + party_hp - lowest) * longest + rounds
        if KINDS * span * longest < 2**16:
            ending = ending.astype(np.uint16)
        order = np.argsort(ending, kind="stable")
        ending = ending[order]
        starts = np.flatnonzero(np.concatenate([[True], ending[1:] != ending[:-1]]))
        rows = order[starts]
        return cls(
            outcome=outcome[rows],
            party_hp=party_hp[rows],
            rounds=rounds[rows],
            count=np.add.reduceat(count[order], starts),
            first=np.minimum.reduceat(first[order], starts),
        )

    def histogram(self, of: str, outcomes: Sequence[Outcome]) -> tuple[Whole, Whole]:
        """The values of `rounds` or `party_hp` that occurred with these outcomes, ascending, and how often each did.

        A party's health ends at 0; how far blows went below it is in the tables of the single runs.
        """
        chosen = np.isin(self.outcome, outcomes)
        values, place = np.unique(np.maximum(getattr(self, of)[chosen], 0), return_inverse=True)
        counts = np.zeros(len(values), dtype=np.int64)
        np.add.at(counts, place, self.count[chosen])
        return values, counts

    def sums(self, of: str, outcomes: Sequence[Outcome]) -> tuple[int, int, int]:
        """How many runs, their sum and their sum of squares of `rounds` or `party_hp`."""
        values, counts = self.histogram(of, outcomes)
        pairs = list(zip(values.tolist(), counts.tolist(), strict=True))
        return (
            sum(count for _, count in pairs),
            sum(value * count for value, count in pairs),
            sum(value * value * count for value, count in pairs),
        )

    def worst_to_best(self, outcomes: Sequence[Outcome] = _WORST_FIRST) -> Whole:
        """(rows,). The rows with these outcomes: losses, draws, wins; then hit points left; then fewer rounds."""
        standing = np.full(KINDS, -1, dtype=np.int64)
        standing[list(_WORST_FIRST)] = np.arange(len(_WORST_FIRST))
        rows = np.flatnonzero(np.isin(self.outcome, outcomes))
        order = np.lexsort((-self.rounds[rows], self.party_hp[rows], standing[self.outcome[rows]]))
        return rows[order]


@dataclass(frozen=True, slots=True, eq=False)
class Summary:
    """The sums of a number of runs. The last axis of the tables is the outcome."""

    runs: int
    endings: Endings
    fallen: Whole  # (heroes + 1, outcomes) runs in which 0, 1, 2 ... heroes went down
    present: Whole  # (units, outcomes) runs in which the unit took part
    down: Whole  # (units, outcomes) runs in which it went down at least once
    dead: Whole  # (units, outcomes) runs at whose end it was dead
    fell: Whole  # (units, rounds) runs in which it first went down in round 0, 1, 2 ...; fights only
    units: tuple[Sums, ...]  # in the order of UNIT_SUMS, each (units, outcomes)
    used: Whole  # (abilities, outcomes) runs in which the ability was used at least once
    abilities: tuple[Sums, ...]  # in the order of ABILITY_SUMS, each (abilities, outcomes)
    hits_times_uses: Exact  # (abilities, outcomes) sum of the products, for hits per use
    damage_times_uses: Exact  # (abilities, outcomes)
    counts: Sums  # (1 + further counts of the game, outcomes) xp first
    met: Whole  # (what chance brings, outcomes) runs in which it did
    luck: LuckSums = field(default_factory=LuckSums)  # the known luck of the runs, where account was kept of it

    @classmethod
    def of(cls, outcomes: Outcomes, cast: Cast) -> Summary:
        """The sums of a batch."""
        kind = outcomes.outcome.astype(np.int64)  # (runs,)
        by_outcome = _ByOutcome(kind)
        went_down = outcomes.present & (outcomes.down_round >= 0)  # (units, runs)
        party = cast.party
        heroes_down = np.count_nonzero(went_down[party], axis=0)  # (runs,)
        quantities = _Quantities.of(outcomes, cast)
        total, squares, hits_times_uses, damage_times_uses = quantities.added_up(kind)
        units, counts, abilities = quantities.sums(total, squares)
        return cls(
            runs=outcomes.size,
            endings=Endings.grouped(
                kind,
                party_hit_points(outcomes, cast),
                outcomes.rounds.astype(np.int64),
                np.ones(outcomes.size, dtype=np.int64),
                outcomes.run,
            ),
            fallen=np.bincount(heroes_down * KINDS + kind, minlength=(len(party) + 1) * KINDS).reshape(-1, KINDS),
            present=by_outcome.tally(outcomes.present),
            down=by_outcome.tally(went_down),
            dead=by_outcome.tally(outcomes.present & outcomes.dead),
            fell=_by_round(outcomes.down_round, went_down & np.isin(kind, FIGHTS)),
            units=units,
            used=by_outcome.tally(outcomes.uses > 0),
            abilities=abilities,
            hits_times_uses=hits_times_uses,
            damage_times_uses=damage_times_uses,
            counts=counts,
            met=by_outcome.tally(np.array([outcomes.met[name] for name in cast.met]).reshape(-1, outcomes.size) > 0),
            luck=LuckSums.of(outcomes),
        )

    def __add__(self, other: Summary) -> Summary:
        """The sums of both; they must be of the same fight and of different runs."""
        return Summary(
            runs=self.runs + other.runs,
            endings=self.endings + other.endings,
            fallen=self.fallen + other.fallen,
            present=self.present + other.present,
            down=self.down + other.down,
            dead=self.dead + other.dead,
            fell=_padded_sum(self.fell, other.fell),
            units=tuple(mine + theirs for mine, theirs in zip(self.units, other.units, strict=True)),
            used=self.used + other.used,
            abilities=tuple(mine + theirs for mine, theirs in zip(self.abilities, other.abilities, strict=True)),
            hits_times_uses=self.hits_times_uses + other.hits_times_uses,
            damage_times_uses=self.damage_times_uses + other.damage_times_uses,
            counts=self.counts + other.counts,
            met=self.met + other.met,
            luck=self.luck + other.luck,
        )

    def __eq__(self, other: object) -> bool:
        """Whether every number is the same."""
        if not isinstance(other, Summary):
            return NotImplemented
        same: bool = _numbers(self) == _numbers(other)
        return same

    def ended(self, *outcomes: Outcome) -> int:
        """How many runs ended in one of these ways."""
        return int(self.endings.count[np.isin(self.endings.outcome, outcomes)].sum())

    @property
    def encounters(self) -> int:
        """Runs in which there was somebody to fight: what win, loss and draw rates are taken of."""
        return self.ended(*ENCOUNTERS)

    @property
    def adjusted(self) -> Adjusted | None:
        """The win rate with the known luck taken out, where some is known."""
        return adjusted_rate(self.ended(Outcome.WIN), self.encounters, self.runs, self.luck)

    def unit_sums(self, name: str) -> Sums:
        """The sums of one of UNIT_SUMS."""
        return self.units[UNIT_SUMS.index(name)]

    def ability_sums(self, name: str) -> Sums:
        """The sums of one of ABILITY_SUMS."""
        return self.abilities[ABILITY_SUMS.index(name)]

    def picks(self) -> dict[str, int]:
        """The runs worth looking at, by what they show.

        Runs are ordered by how well they went for the party: losses, draws, wins; then hit points left; then fewer
        rounds. `median`, `best` and `worst` are places in that order; `loss` and `draw` are the middle one of the
        losses and draws; `closest` is the win with the least to spare. Among equals the lowest run number is named.
        """
        fights = self.endings.worst_to_best()
        wins = self.endings.worst_to_best([Outcome.WIN])
        losses = self.endings.worst_to_best([Outcome.LOSS])
        draws = self.endings.worst_to_best([Outcome.DRAW])
        rows = {
            "median": self._middle(fights),
            "best": fights[-1:],
            "worst": fights[:1],
            "loss": self._middle(losses),
            "draw": self._middle(draws),
            "closest": wins[:1],
        }
        return {name: int(self.endings.first[row[0]]) for name, row in rows.items() if len(row)}

    def _middle(self, rows: Whole) -> Whole:
        """The row that holds the (lower) median of the runs in these rows, or no row if there are none."""
        if len(rows) == 0:
            return rows
        up_to = np.cumsum(self.endings.count[rows])
        at = int(np.searchsorted(up_to, (up_to[-1] + 1) // 2))
        return rows[at : at + 1]


def party_hit_points(outcomes: Outcomes, cast: Cast) -> Whole:
    """(runs,). Hit points left to the party as a whole."""
    party = cast.party
    left: Whole = np.where(outcomes.present[party], outcomes.hp[party], 0).sum(axis=0, dtype=np.int64)
    return left


class _ByOutcome:
    """Sums over the runs of each outcome: of all runs, and of the rarer outcomes; the rest is the commonest one's.

    (A product of matrices says the same in one line, but brings in the threads of the linear algebra library, which
    fight with the other processes for the cores.)
    """

    def __init__(self, kind: Whole) -> None:
        counts = np.bincount(kind, minlength=KINDS)
        self.commonest = int(np.argmax(counts))
        rarer = [outcome for outcome in np.flatnonzero(counts).tolist() if outcome != self.commonest]
        self.rarer = {outcome: np.flatnonzero(kind == outcome) for outcome in rarer}

    def tally(self, happened: Mask) -> Whole:
        """(rows, outcomes). In how many runs it happened."""
        return self.total(happened).astype(np.int64)

    def total(self, values: NDArray[Any]) -> Exact:
        """(rows, outcomes). The sum of every row of whole numbers."""
        total = np.zeros((len(values), KINDS), dtype=np.object_)
        rest = _whole(values.sum(axis=1))
        for outcome, runs in self.rarer.items():
            total[:, outcome] = _whole(values.take(runs, axis=1).sum(axis=1))
            rest = rest - total[:, outcome]
        total[:, self.commonest] = rest
        return total


def _whole(numbers: NDArray[Any]) -> Exact:
    """Doubles that are whole numbers as Python's integers."""
    exact: Exact = numbers.astype(np.int64 if numbers.dtype == np.float64 else numbers.dtype).astype(np.object_)
    return exact


@dataclass(frozen=True, slots=True, eq=False)
class _Quantities:
    """Everything that is summed up, row by row in one table of numbers, and where what stands there.

    One table, because a few large operations cost far less than many small ones; and of some runs at a time, so that it
    stays in the processor's own memory: an evening of many scenes has hundreds of rows.
    """

    tables: list[NDArray[Any]]  # each (rows, runs): UNIT_SUMS of all units, the counts, ABILITY_SUMS of busy abilities
    present: Mask  # (units, runs)
    cast: Cast
    busy: Whole  # (busy abilities,) most abilities rest
    counted: Whole  # (counts with something in them,) xp is the first count

    @classmethod
    def of(cls, outcomes: Outcomes, cast: Cast) -> _Quantities:
        """Those of a batch."""
        busy = np.flatnonzero((outcomes.uses | outcomes.hits | outcomes.damage).any(axis=1))
        tables = [getattr(outcomes, name) for name in UNIT_SUMS]
        counts = [outcomes.xp, *(outcomes.counts[name] for name in cast.counts)]
        counted = np.flatnonzero([count.any() for count in counts])
        tables += [counts[row][None] for row in counted]
        tables += [getattr(outcomes, name)[busy] for name in ABILITY_SUMS]
        return cls(tables, outcomes.present, cast, busy, counted)

    def added_up(self, kind: Whole) -> tuple[Exact, Exact, Exact, Exact]:
        """Totals and squares of all rows; hits times uses and damage times uses of all abilities. By outcome."""
        rows, runs = sum(len(table) for table in self.tables), len(kind)
        at_once = max(_FEWEST_RUNS, _NUMBERS_AT_ONCE // max(1, rows))
        parts = [self._part(kind, slice(first, first + at_once)) for first in range(0, max(1, runs), at_once)]
        total, squares, hits, damage = (sum(found[1:], start=found[0]) for found in zip(*parts, strict=True))
        return total, squares, self._of_all_abilities(hits), self._of_all_abilities(damage)

    def _part(self, kind: Whole, runs: slice) -> tuple[Exact, Exact, Exact, Exact]:
        """The same of some runs, and of busy abilities."""
        by_outcome = _ByOutcome(kind[runs])
        values = self._values(runs)
        uses, hits, damage = np.split(values[len(values) - 3 * len(self.busy) :], 3)
        products = by_outcome.total(hits * uses), by_outcome.total(damage * uses)
        total = by_outcome.total(values)
        np.multiply(values, values, out=values)  # in its place: a second table would take as much memory again
        return total, by_outcome.total(values), *products

    def _values(self, runs: slice) -> NDArray[Any]:
        """(rows, runs). Doubles, which are exact as long as no sum passes 2**53; else Python's integers."""
        tables, present = [table[:, runs] for table in self.tables], self.present[:, runs]
        values: NDArray[Any] = np.concatenate(tables, dtype=np.float64)
        if max(values.max(initial=0.0), -values.min(initial=0.0)) ** 2 * present.shape[1] >= _EXACT_IN_DOUBLES:
            values = np.concatenate(tables).astype(np.object_)
        if not present.all():
            values[: len(UNIT_SUMS) * len(self.cast.units)] *= np.tile(present, (len(UNIT_SUMS), 1))
        return values

    def sums(self, total: Exact, squares: Exact) -> tuple[tuple[Sums, ...], Sums, tuple[Sums, ...]]:
        """The totals and squares of the rows as those of units, of counts and of abilities."""

        def rows(first: int, count: int) -> Sums:
            return Sums(total[first : first + count], squares[first : first + count])

        units, counts, busy = len(self.cast.units), len(self.counted), len(self.busy)
        every_unit = len(UNIT_SUMS) * units
        behind = every_unit + counts
        of_busy = [rows(behind + place * busy, busy) for place in range(len(ABILITY_SUMS))]
        return (
            tuple(rows(place * units, units) for place in range(len(UNIT_SUMS))),
            Sums(*(self._of_all_counts(part[every_unit:behind]) for part in (total, squares))),
            tuple(Sums(self._of_all_abilities(one.total), self._of_all_abilities(one.squares)) for one in of_busy),
        )

    def _of_all_counts(self, found: Exact) -> Exact:
        """The rows of the counts with something in them among those of all."""
        table = np.zeros((1 + len(self.cast.counts), KINDS), dtype=np.object_)
        table[self.counted] = found
        return table

    def _of_all_abilities(self, found: Exact) -> Exact:
        """The rows of the busy abilities among those of all."""
        table = np.zeros((len(self.cast.abilities), KINDS), dtype=np.object_)
        table[self.busy] = found
        return table


def _by_round(down_round: Small, counted: Mask) -> Whole:
    """(units, rounds). How often each unit first went down in each round."""
    width = int(down_round.max(initial=0)) + 2
    never = width - 1  # a last column for those who did not, cut off in the end
    rounds = np.where(counted, down_round, never) + width * np.arange(len(down_round))[:, None]
    cells = np.bincount(rounds.reshape(-1), minlength=len(down_round) * width)
    return cells.reshape(len(down_round), width)[:, :never]


def _padded_sum(left: Whole, right: Whole) -> Whole:
    """The sum of two tables whose rows may end at different rounds."""
    width = max(left.shape[1], right.shape[1])
    total = np.zeros((len(left), width), dtype=np.int64)
    total[:, : left.shape[1]] += left
    total[:, : right.shape[1]] += right
    return total


def _numbers(part: Any) -> Any:
    """Everything in a summary as plain Python values."""
    if isinstance(part, np.ndarray):
        return part.tolist()
    if isinstance(part, tuple):
        return [_numbers(item) for item in part]
    if isinstance(part, (Summary, Endings, Sums, LuckSums)):
        return [_numbers(getattr(part, column.name)) for column in fields(part)]
    return part
