"""What a price list says: prices, budgets, where adding up fails, how it does in the test; as tables and in words."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sim.results.statistics import Estimate, holm
from sim.scenario.wording import plural, readable, upper_first
from sim.studies.answer import Column, StudyTable
from sim.studies.line_ups import in_words
from sim.studies.price_fit import Part, with_one_more
from sim.studies.price_list import PriceList

PRICE = "points of price"  # the unit of prices and budgets
VERDICTS = {"easy": 0.9, "fair": 0.7, "even": 0.5, "hard": 0.25}  # inside the bands of these names
TOO_FAR = 0.05  # of the win rate: large fights that are off by so much in the mean are worth a warning


@dataclass(frozen=True, slots=True)
class Company:
    """What two enemies cost together beside what they cost apart."""

    part: Part
    words: str  # 'skeleton and ghoul', 'two skeletons'
    more: Estimate  # points
    counts: bool  # whether it counts, all of them together (Holm)
    listed: bool  # whether the list has it


@dataclass(frozen=True, slots=True)
class PriceWords:
    """How a price list is told: the kinds by name, on the scale that was asked for."""

    kinds: list[str]
    unit: int  # the kind that sets the scale
    points: float  # what one of it costs
    precision: float  # percent of each price
    confidence: float

    # --------------------------------------------------------------------------------------------------- the numbers

    def prices(self, found: PriceList) -> list[Estimate]:
        """By kind: what one costs in a group of its kind."""
        return [found.fit.price(kind, self.unit, self.points, self.confidence) for kind in range(len(self.kinds))]

    def budgets(self, found: PriceList) -> dict[str, Estimate]:
        """By verdict: the points that make such a fight."""
        scale = self.unit, self.points, self.confidence
        return {name: found.fit.budget(share, *scale) for name, share in VERDICTS.items()}

    def company(self, found: PriceList) -> list[Company]:
        """Every two kinds and every two of a kind: what they cost together beside what they cost apart."""
        played = found.played
        sums = played.table, played.wins, played.encounters
        every = list(itertools.combinations_with_replacement(range(len(self.kinds)), 2))
        often = [part for part in every if played.meet(part) >= 5]
        fits = [with_one_more(found.fit, *sums, part) for part in often]
        stand = holm([chance for _, chance in fits], self.confidence) if fits else []
        return [
            Company(
                part,
                self._together(part),
                fit.extra(part, self.unit, self.points, self.confidence),
                counts,
                part in found.fit.parts,
            )
            for part, (fit, _), counts in zip(often, fits, stand, strict=True)
        ]

    def _together(self, part: Part) -> str:
        one, other = (readable(self.kinds[kind]) for kind in part)
        return f"two {plural(one)}" if part[0] == part[1] else f"{one} and {other}"

    def _cost_together(self, part: Part) -> str:
        """'Two ghouls together cost', 'Skeletons and ghouls together cost, one of each,'."""
        one, other = (plural(readable(self.kinds[kind])) for kind in part)
        if part[0] == part[1]:
            return f"Two {one} together cost"
        return f"{upper_first(one)} and {other} together cost, one of each,"

    def group(self, found: PriceList, kind: int) -> str:
        """'one of 12 skeletons', 'one skeleton' where all cost the same."""
        number, name = int(found.fit.groups[kind]), readable(self.kinds[kind])
        return f"one of {number} {plural(name)}" if (kind, kind) in found.fit.parts else f"one {name}"

    # ------------------------------------------------------------------------------------------------------ in words

    def verdicts(self, found: PriceList, company: Sequence[Company]) -> list[str]:
        """What a fair fight costs, the prices, how the list does in the test, and where adding up fails."""
        fair = self.budgets(found)["fair"]
        listed = ", ".join(
            f"{readable(kind)} {_points(one)}{self._of_a_group(found, at)}"
            for at, (kind, one) in enumerate(zip(self.kinds, self.prices(found), strict=True))
        )
        checked = f"On {len(found.errors)} line-ups that it had never seen, the list is off by"
        error, plain = (100 * float(np.abs(off).mean()) for off in (found.errors, found.plain_errors))
        more = any(len(part) == 2 for part in found.fit.parts)
        alone = f"; prices that only add up would be off by {plain:.1f}" if more else ""
        said = [
            f"A fair fight for this party ({100 * VERDICTS['fair']:.0f} % wins) costs {_points(fair)} points, "
            f"{_ends(fair)}.",
            f"Prices: {listed}.",
            f"{checked} {error:.1f} points of win rate in the mean{alone}.",
        ]
        strong = sorted((one for one in company if one.counts), key=lambda one: -abs(one.more.value))
        for one in strong[:3]:
            what = "more" if one.more.value > 0 else "less"
            size = f"{_fine(abs(one.more.value), one.more.margin)} points {what}"
            said.append(f"{self._cost_together(one.part)} {size} than apart, {_ends(one.more)}.")
        if company and not strong:
            said.append("No two enemies are clearly worth more, or less, together than apart.")
        return said

    def _of_a_group(self, found: PriceList, kind: int) -> str:
        """' each of 12', where a crowd of them costs more than the sum."""
        return f" each of {int(found.fit.groups[kind])}" if (kind, kind) in found.fit.parts else ""

    def warnings(self, found: PriceList, company: Sequence[Company]) -> Iterator[str]:
        """Where the list does not hold."""
        yield from found.unknown
        for kind, price in zip(self.kinds, self.prices(found), strict=True):
            if price.low <= 0:
                sure = f"One more {readable(kind)} does not make the fight harder for sure"
                yield f"{sure}: the list does not hold for it."
            elif price.margin > self.precision / 100 * price.value:
                within = f"{100 * price.margin / price.value:.1f} %"
                yield f"The price of {plural(readable(kind))} is known within {within} only: fights are no sums."
        for one in company:
            if one.counts and not one.listed and one.more.value < 0:
                less = f"What {one.words} cost less together than apart is not in the list"
                yield f"{less}: in it one more enemy never makes a fight easier."
        yield from self._too_large(found)

    def _too_large(self, found: PriceList) -> Iterator[str]:
        """The size beyond which the list breaks."""
        if not len(found.errors):
            return
        cost = self.cost(found)
        edge = float(np.quantile(cost, 2 / 3))
        off = float(found.errors[cost >= edge].mean())
        if abs(off) > TOO_FAR:
            what = "harder" if off < 0 else "easier"
            by = f"{100 * abs(off):.0f} points of win rate"
            yield f"Beyond {_round(edge)} points fights are {what} than the list says, by {by}."

    def cost(self, found: PriceList) -> Any:
        """(line-ups,). What those that the list had never seen cost by it, in points."""
        return self.points * found.fit.cost(found.unseen.table) / found.fit.head(self.unit)

    # --------------------------------------------------------------------------------------------------- the tables

    def price_table(self, found: PriceList) -> StudyTable:
        """The list."""
        crowds = any(part[0] == part[-1] and len(part) == 2 for part in found.fit.parts)
        about = f"What one of each kind costs this party, where {self.group(found, self.unit)} costs {self.points:g}."
        columns: tuple[Column, ...] = (Column("enemy", "enemy"), Column("price", "price", PRICE))
        if crowds:
            about += (
                " Where a crowd is more than the sum, the price is that of each in a group, which is about as many as "
                "make an even fight alone: the first costs what stands under 'first', and every further one so much "
                "more than the one before as stands under 'then'."
            )
            columns += (
                Column("group", "in a group of", "number"),
                Column("first", "first", PRICE),
                Column("then", "then", PRICE),
            )
        table = StudyTable("prices", "The price list", about, columns)
        scale = self.unit, self.points, self.confidence
        kinds = sorted(zip(range(len(self.kinds)), self.prices(found), strict=True), key=lambda entry: -entry[1].value)
        for kind, price in kinds:
            row: dict[str, Any] = {"enemy": readable(self.kinds[kind]), "price": price}
            if (kind, kind) in found.fit.parts:
                row["group"] = int(found.fit.groups[kind])
                row["first"] = found.fit.extra((kind,), *scale)
                row["then"] = found.fit.extra((kind, kind), *scale)
            table.rows.append(row)
        return table

    def budget_table(self, budgets: Mapping[str, Estimate]) -> StudyTable:
        """What a fight costs."""
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

    def level_table(self, levels: Sequence[tuple[int, PriceList]]) -> StudyTable:
        """The table that a rulebook prints."""
        about = "The same for the party at other levels: budgets, and what each kind costs there."
        columns = (
            Column("level", "level"),
            *(Column(name, name, PRICE) for name in VERDICTS),
            *(Column(kind, readable(kind), PRICE) for kind in self.kinds),
        )
        table = StudyTable("levels", "Level by level", about, columns)
        for level, found in levels:
            row: dict[str, Any] = {"level": level, **self.budgets(found)}
            table.rows.append(row | dict(zip(self.kinds, self.prices(found), strict=True)))
        return table

    def company_table(self, company: Sequence[Company]) -> StudyTable:
        """Where adding up fails."""
        about = (
            "How many points one of each, or each two of a kind, cost more together than apart. 'counts' holds for all "
            "of them together (Holm); the list has those of them that make a fight harder."
        )
        columns = (Column("pair", "pair"), Column("more", "more together", PRICE), Column("counts", "counts"))
        table = StudyTable("pairs", "Where adding up fails", about, columns)
        for one in sorted(company, key=lambda one: -abs(one.more.value)):
            table.rows.append({"pair": one.words, "more": one.more, "counts": one.counts})
        return table

    def check_table(self, found: PriceList) -> StudyTable:
        """What the list promised, and what happened."""
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
        promises = found.fit.chance(found.unseen.table)
        rows = zip(found.unseen.counts, self.cost(found), promises, found.unseen.tallies, strict=True)
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


def _points(found: Estimate) -> str:
    return _fine(found.value, found.margin)


def _ends(found: Estimate) -> str:
    """The ends of an interval; of one around less than nothing without the sign, for whoever says 'less'."""
    low, high = sorted((found.low, found.high) if found.value > 0 else (-found.low, -found.high))
    return f"{_fine(low, found.margin)} to {_fine(high, found.margin)}"


def _round(value: float) -> str:
    return f"{value:.0f}"


def _fine(value: float, margin: float) -> str:
    """With as many decimals as its margin deserves."""
    return f"{value:.{0 if margin >= 1 else 2 if 0 < margin < 0.05 else 1}f}"
