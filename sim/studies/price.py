"""price: what is each enemy worth, and what does a fair fight cost?

Line-ups of the kinds asked for are chosen so that none is hopeless and none far too easy, and played. A list of prices
is fitted to them (`price_fit`), more line-ups are added until every price is known well enough, and the list is held
against line-ups that it has never seen, with other luck.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Unpack

import numpy as np

from sim.errors import InputError, Problem
from sim.results.statistics import CONFIDENCE, Estimate, holm
from sim.scenario import Scenario
from sim.scenario.wording import plural, readable
from sim.studies.answer import Answer, Column, StudyTable
from sim.studies.cards import Card, Fight
from sim.studies.line_ups import in_words, with_enemies
from sim.studies.measures import Tally
from sim.studies.options import check_options
from sim.studies.pool import Pool
from sim.studies.price_fit import Fit, Table, fit, one_more_term
from sim.studies.race import other_seed
from sim.studies.scale import level_path
from sim.studies.variants import AnyScenario, as_fight
from sim.studies.work import Work, delivered, pool_for

RUNS = 500  # of every line-up: more line-ups tell more than more runs of each, because fights are no sums
SCOUTS = 200  # runs of a line-up that only shows where to look
BLOCK = 64  # line-ups that are added at a time
MOST_LINE_UPS = 512
UNSEEN = 32  # line-ups to check the list with
MOST_OF_A_KIND = 32
KINDS_TOGETHER = 3  # at most, in one line-up
PRECISION = 5.0  # percent of each price
TOLD_APART = (0.02, 0.98)  # win rates from which a price can be learnt
PRICE = "points of price"  # the unit of prices and budgets
VERDICTS = {"easy": 0.9, "fair": 0.7, "even": 0.5, "hard": 0.25}  # inside the bands of these names


@dataclass(slots=True)
class Played:
    """Line-ups and how they went."""

    kinds: list[str]
    counts: list[tuple[int, ...]] = field(default_factory=list)
    tallies: list[Tally] = field(default_factory=list)

    def add(self, counts: Sequence[tuple[int, ...]], tallies: Sequence[Tally]) -> None:
        """Some more."""
        self.counts += counts
        self.tallies += tallies

    @property
    def table(self) -> Table:
        """(line-ups, kinds)."""
        return np.array(self.counts, dtype=float).reshape(-1, len(self.kinds))

    @property
    def wins(self) -> Table:
        """(line-ups,)."""
        return np.array([tally.ended[0] for tally in self.tallies], dtype=float)

    @property
    def encounters(self) -> Table:
        """(line-ups,)."""
        return np.array([tally.encounters for tally in self.tallies], dtype=float)

    @property
    def rates(self) -> Table:
        """(line-ups,)."""
        return self.wins / np.maximum(self.encounters, 1)

    def telling(self) -> Played:
        """Those that are neither hopeless nor far too easy."""
        low, high = TOLD_APART
        some = [at for at, rate in enumerate(self.rates) if low <= rate <= high]
        return Played(self.kinds, [self.counts[at] for at in some], [self.tallies[at] for at in some])

    def fit(self) -> Fit:
        """The list of prices."""
        return fit(self.table, self.wins, self.encounters)


def price(
    scenario: AnyScenario,
    units: Sequence[str],
    *,
    scale: Mapping[str, float] | None = None,
    levels: Sequence[int] | None = None,
    precision: float = PRECISION,
    runs: int = RUNS,
    seed: int = 1,
    confidence: float = CONFIDENCE,
    **work: Unpack[Work],
) -> Answer:
    """Prices of enemies for the party of a fight, and what an easy, a fair and a hard fight cost.

    Args:
        units: kinds of enemies, as a file names them; a kind that stands in the file is taken as it stands there.
        scale: what one of a kind costs, {"skeleton": 10}; the first kind costs 10 if not given.
        levels: of the party: the budgets and prices at each of them, too.
        precision: how well every price is to be known, in percent of it.
        runs: of every line-up.
        work: processes, folder, cluster: see `sim.studies.work.Work`; nothing of it changes the answer.
    """
    base = as_fight(scenario)
    check_options(runs=runs, precision=None, margin=precision, measure="win_rate", confidence=confidence, seed=seed)
    kinds = list(dict.fromkeys(units))
    unit, points = _scale(kinds, scale)
    for kind in kinds:
        with_enemies(base, {kind: 1})  # a kind that nobody knows is told before anything is played
    with pool_for("price", [base], seed, work) as pool:
        asked = _Asked(base, kinds, unit, points, precision, runs, seed, confidence, pool)
        found = asked.list_of(base)
        table = [(level, asked.list_of(base.changed(values={level_path(base): level}))) for level in levels or ()]
        return delivered(asked.answer(found, table), pool, work)


def _scale(kinds: Sequence[str], scale: Mapping[str, float] | None) -> tuple[int, float]:
    """The kind that sets the scale, and what one of it costs."""
    problems = []
    if len(kinds) < 2:
        problems.append(Problem("units", "expected two kinds of enemies or more, such as skeleton,zombie"))
    unit, points = next(iter((scale or {kinds[0] if kinds else "": 10.0}).items()))
    if scale and (len(scale) != 1 or unit not in kinds or not points > 0):
        listed = ", ".join(kinds)
        problems.append(Problem("scale", f"expected one of {listed} and what it costs, found {unit}={points:g}"))
    if problems:
        raise InputError(problems)
    return kinds.index(unit), float(points)


@dataclass(frozen=True, slots=True)
class PriceList:
    """What was found for one party."""

    played: Played  # what the list was fitted to
    fit: Fit
    unseen: Played  # what it was held against
    unknown: list[str]  # what could not be priced or played, with the reason

    @property
    def errors(self) -> Table:
        """(line-ups,). Played minus promised, of the line-ups that the list had never seen."""
        if not self.unseen.counts:
            return np.zeros(0)
        return self.unseen.rates - self.fit.chance(self.unseen.table)


@dataclass(slots=True)
class _Asked:
    """The question while it is worked on."""

    base: Scenario
    kinds: list[str]
    unit: int
    points: float
    precision: float
    runs: int
    seed: int
    confidence: float
    pool: Pool

    # ------------------------------------------------------------------------------------------------------ playing

    def list_of(self, fight: Scenario) -> PriceList:
        """The list of prices for the party of a fight."""
        guess, unknown = self._guess(fight)
        draw = np.random.default_rng(self.seed)
        every = list(itertools.islice(_line_ups(draw, guess), MOST_LINE_UPS + UNSEEN))
        kept_back = every[: min(UNSEEN, len(every) // 4)]  # the list must not see them
        fresh = iter(every[len(kept_back) :])
        played = Played(self.kinds)
        while True:
            block = list(itertools.islice(fresh, BLOCK))
            played.add(*self._play(fight, block, self.runs, self.seed))
            telling = played.telling()
            if len(telling.counts) > 2 * len(self.kinds):
                found = telling.fit()
                if self._known(found) or len(played.counts) >= MOST_LINE_UPS or len(block) < BLOCK:
                    break
            elif len(played.counts) >= MOST_LINE_UPS or not block:
                too_few = "too few line-ups of these kinds are neither hopeless nor far too easy for this party"
                raise InputError(Problem("units", too_few))
        unseen = Played(self.kinds)
        unseen.add(*self._play(fight, kept_back, 4 * self.runs, other_seed(self.seed)))
        tried = len(every) - sum(1 for _ in fresh)
        if left_out := tried - len(played.counts) - len(unseen.counts):
            unknown.append(f"{left_out} of {tried} line-ups are left out: the fight has no room for so many")
        return PriceList(telling, found, unseen, unknown)

    def _known(self, found: Fit) -> bool:
        """Whether every price is known as well as was asked for."""
        prices = [found.price(kind, self.unit, 1.0, self.confidence) for kind in range(len(self.kinds))]
        return all(one.margin <= self.precision / 100 * abs(one.value) for one in prices)

    def _guess(self, fight: Scenario) -> tuple[list[float], list[str]]:
        """How many of each kind alone make an even fight, by doubling; and whom that does not work for."""
        guess, unknown = [], []
        for at, kind in enumerate(self.kinds):
            before, rate, count = 1.0, 1.0, 1
            while True:
                alone = tuple(count if other == at else 0 for other in range(len(self.kinds)))
                _, tallies = self._play(fight, [alone], SCOUTS, self.seed)
                if not tallies and count > 1:  # there is no room for so many
                    count //= 2
                    break
                tally = tallies[0]
                before, rate = rate, tally.ended[0] / max(1, tally.encounters)
                if rate < 0.5 or count >= MOST_OF_A_KIND:
                    break
                count *= 2
            if rate >= 0.5:
                unknown.append(f"{count} {plural(readable(kind))} alone are no match for the party")
            between = (before - 0.5) / max(0.05, before - rate) if count > 1 else 0.5 + rate
            guess.append(max(0.4, count / 2 * (1 + min(1.0, max(0.0, between))) if count > 1 else between))
        return guess, unknown

    def _play(
        self, fight: Scenario, line_ups: Sequence[tuple[int, ...]], runs: int, seed: int
    ) -> tuple[list[tuple[int, ...]], list[Tally]]:
        """The line-ups that the fight has room for, and how they went."""
        fitting, cards = [], []
        for counts in line_ups:
            with suppress(InputError):  # the kinds themselves are known, and one of each fits
                changed = with_enemies(fight, dict(zip(self.kinds, counts, strict=True)))
                fitting.append(counts)
                cards.append(Card((Fight(changed, seed),)))
        return fitting, [score.fights[0] for score in self.pool.play(cards, 0, runs)] if cards else []

    # --------------------------------------------------------------------------------------------------- the answer

    def answer(self, found: PriceList, levels: Sequence[tuple[int, PriceList]]) -> Answer:
        """Prices, budgets, where adding up fails, and how well the list does on line-ups that it has not seen."""
        prices = [found.fit.price(kind, self.unit, self.points, self.confidence) for kind in range(len(self.kinds))]
        budgets = {name: self._budget(found.fit, share) for name, share in VERDICTS.items()}
        pairs = self._pairs(found.played)
        error = float(np.abs(found.errors).mean()) if len(found.errors) else float("nan")
        tables = [
            self._price_table(prices),
            self._budget_table(budgets),
            self._pair_table(pairs),
            self._check_table(found),
        ]
        if levels:
            tables.insert(2, self._level_table(levels))
        return Answer(
            question="price",
            scenario=self.base,
            verdicts=self._verdicts(prices, budgets, pairs, error, len(found.errors)),
            tables=tables,
            settings={
                "seed": self.seed,
                "runs": self.runs,
                "line_ups": len(found.played.counts),
                "units": self.kinds,
                "scale": f"one {readable(self.kinds[self.unit])} costs {self.points:g}",
                "precision": self.precision,
                "confidence": self.confidence,
                "correction": f"pairs that count hold for all {len(pairs)} together (Holm)",
            },
            effort=self.pool.effort(None),
            warnings=self._warnings(found, prices),
            facts={"lack_of_fit": found.fit.lack},
            on_top={
                "prices": [
                    {"unit": kind, "price": one.value, "low": one.low, "high": one.high}
                    for kind, one in zip(self.kinds, prices, strict=True)
                ],
                "budgets": [
                    {"verdict": name, "points": one.value, "low": one.low, "high": one.high}
                    for name, one in budgets.items()
                ],
                "check": {"mean_error_points": 100 * error, "encounters": len(found.errors)},
            },
        )

    def _budget(self, found: Fit, share: float) -> Estimate:
        return found.budget(share, self.unit, self.points, self.confidence)

    def _pairs(self, played: Played) -> list[tuple[str, Estimate, bool]]:
        """Kinds that are worth more together than apart: by how many points one of each, and whether that counts."""
        table = played.table
        found, chances = [], []
        per_point = self.points / played.fit().prices[self.unit]
        for one, other in itertools.combinations(range(len(self.kinds)), 2):
            both = table[:, one] * table[:, other]
            if np.count_nonzero(both) < 5:
                continue
            logit, chance = one_more_term(table, played.wins, played.encounters, both)
            more = Estimate(-per_point * logit.value, -per_point * logit.high, -per_point * logit.low, logit.n)
            found.append((f"{readable(self.kinds[one])} and {readable(self.kinds[other])}", more))
            chances.append(chance)
        stand = holm(chances, self.confidence) if chances else []
        return [(name, more, counts) for (name, more), counts in zip(found, stand, strict=True)]

    def _verdicts(
        self,
        prices: Sequence[Estimate],
        budgets: Mapping[str, Estimate],
        pairs: Sequence[tuple[str, Estimate, bool]],
        error: float,
        checked: int,
    ) -> list[str]:
        fair = budgets["fair"]
        listed = ", ".join(
            f"{readable(kind)} {_points(one)}" for kind, one in zip(self.kinds, prices, strict=True)
        )
        said = [
            f"A fair fight for this party ({100 * VERDICTS['fair']:.0f} % wins) costs {_points(fair)} points, "
            f"{_ends(fair)}.",
            f"Prices: {listed}.",
            f"On {checked} line-ups that it had never seen, the list is off by {100 * error:.1f} points of win rate "
            "in the mean.",
        ]
        strong = sorted((one for one in pairs if one[2]), key=lambda one: -abs(one[1].value))
        for name, more, _ in strong[:3]:
            what = "more" if more.value > 0 else "less"
            said.append(f"One {name} together cost {_points(more, sign=True)} points {what} than apart, {_ends(more)}.")
        if pairs and not strong:
            said.append("No two kinds are clearly worth more, or less, together than apart.")
        return said

    def _warnings(self, found: PriceList, prices: Sequence[Estimate]) -> list[str]:
        said = list(found.unknown)
        for kind, one in zip(self.kinds, prices, strict=True):
            if one.low <= 0:
                said.append(
                    f"One more {readable(kind)} does not make the fight harder for sure: the list does not hold for it."
                )
            elif one.margin > self.precision / 100 * one.value:
                within = f"{100 * one.margin / one.value:.0f} %"
                said.append(f"The price of a {readable(kind)} is known within {within} only: fights are no sums.")
        if len(found.errors):
            cost = found.unseen.table @ found.fit.prices
            large = cost >= np.quantile(cost, 2 / 3)
            off = float(found.errors[large].mean())
            if abs(off) > 0.05:
                what = "harder" if off < 0 else "easier"
                edge = _round(self.points * float(np.quantile(cost, 2 / 3)) / float(found.fit.prices[self.unit]))
                by = f"{100 * abs(off):.0f} points of win rate"
                said.append(f"Beyond {edge} points fights are {what} than the list says, by {by}.")
        return said

    # --------------------------------------------------------------------------------------------------- the tables

    def _price_table(self, prices: Sequence[Estimate]) -> StudyTable:
        unit = readable(self.kinds[self.unit])
        about = f"What one of each kind costs this party, where one {unit} costs {self.points:g}."
        columns = (Column("unit", "enemy"), Column("price", "price", PRICE))
        table = StudyTable("prices", "The price list", about, columns)
        for kind, one in sorted(zip(self.kinds, prices, strict=True), key=lambda entry: -entry[1].value):
            table.rows.append({"unit": readable(kind), "price": one})
        return table

    def _budget_table(self, budgets: Mapping[str, Estimate]) -> StudyTable:
        about = "How many points of enemies make a fight easy, fair, even or hard for this party."
        columns = (
            Column("verdict", "fight"),
            Column("win_rate", "win rate", "share"),
            Column("points", "budget", PRICE),
        )
        table = StudyTable("budgets", "What a fight costs", about, columns)
        for name, one in budgets.items():
            table.rows.append({"verdict": name, "win_rate": VERDICTS[name], "points": one})
        return table

    def _level_table(self, levels: Sequence[tuple[int, PriceList]]) -> StudyTable:
        about = "The same for the party at other levels: budgets, and what each kind costs there."
        columns = (
            Column("level", "level"),
            *(Column(name, name, PRICE) for name in VERDICTS),
            *(Column(kind, readable(kind), PRICE) for kind in self.kinds),
        )
        table = StudyTable("levels", "Level by level", about, columns)
        for level, found in levels:
            row: dict[str, Any] = {"level": level}
            row |= {name: self._budget(found.fit, share) for name, share in VERDICTS.items()}
            for at, kind in enumerate(self.kinds):
                row[kind] = found.fit.price(at, self.unit, self.points, self.confidence)
            table.rows.append(row)
        return table

    def _pair_table(self, pairs: Sequence[tuple[str, Estimate, bool]]) -> StudyTable:
        about = (
            "How many points one of each costs more together than the two prices add up to. 'counts' holds for all "
            "pairs together (Holm)."
        )
        columns = (Column("pair", "pair"), Column("more", "more together", PRICE), Column("counts", "counts"))
        table = StudyTable("pairs", "Where adding up fails", about, columns)
        for name, more, counts in sorted(pairs, key=lambda one: -abs(one[1].value)):
            table.rows.append({"pair": name, "more": more, "counts": counts})
        return table

    def _check_table(self, found: PriceList) -> StudyTable:
        about = "Line-ups that the list had never seen, with other luck: what it promised, and what happened."
        columns = (
            Column("line_up", "line-up"),
            Column("points", "points", "number"),
            Column("promised", "promised", "share"),
            Column("played", "played", "share"),
        )
        table = StudyTable("check", "The list put to the test", about, columns)
        if not found.unseen.counts:
            return table
        cost = self.points * (found.unseen.table @ found.fit.prices) / found.fit.prices[self.unit]
        rows = zip(found.unseen.counts, cost, found.fit.chance(found.unseen.table), found.unseen.tallies, strict=True)
        for counts, points, promised, tally in sorted(rows, key=lambda row: row[1]):
            table.rows.append(
                {
                    "line_up": in_words(dict(zip(self.kinds, counts, strict=True))),
                    "points": round(float(points), 1),
                    "promised": float(promised),
                    "played": tally.estimate("win_rate", self.confidence),
                }
            )
        return table


def _line_ups(draw: np.random.Generator, even: Sequence[float]) -> Iterator[tuple[int, ...]]:
    """Line-ups of one to three kinds neither hopeless nor far too easy, as far as can be told, each once."""
    seen: set[tuple[int, ...]] = set()
    misses = 0
    while misses < 2_000:
        several = int(draw.integers(1, min(KINDS_TOGETHER, len(even)) + 1))
        who = draw.choice(len(even), size=several, replace=False)
        shares = draw.dirichlet(np.ones(several)) * draw.uniform(0.5, 1.5)
        counts = [0] * len(even)
        for kind, share in zip(who.tolist(), shares.tolist(), strict=True):
            counts[kind] = min(MOST_OF_A_KIND, round(share * even[kind]))
        line_up = tuple(counts)
        if not any(line_up) or line_up in seen:
            misses += 1
            continue
        seen.add(line_up)
        misses = 0
        yield line_up


def _points(found: Estimate, sign: bool = False) -> str:
    value = abs(found.value) if sign else found.value
    return _round(value, found.margin)


def _ends(found: Estimate) -> str:
    low, high = sorted((found.low, found.high))
    return f"{_round(low, found.margin)} to {_round(high, found.margin)}"


def _round(value: float, margin: float = 1.0) -> str:
    return f"{value:.0f}" if margin >= 0.5 else f"{value:.1f}"
