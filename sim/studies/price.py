"""price: what is each enemy worth, and what does a fair fight cost?

Line-ups of the kinds asked for are chosen so that none is hopeless and none far too easy, and played. A list of prices
is fitted to them (`price_fit`), more line-ups are added until every price is known well enough, and the list is held
against line-ups that it has never seen, with other luck. `price_words` tells it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Unpack

import numpy as np

from sim.errors import InputError, Problem
from sim.results.statistics import CONFIDENCE
from sim.scenario import Scenario
from sim.scenario.wording import plural, readable
from sim.studies.answer import Answer
from sim.studies.cards import Card, Fight
from sim.studies.line_ups import with_enemies
from sim.studies.measures import Tally
from sim.studies.options import check_options
from sim.studies.pool import Pool
from sim.studies.price_draw import MOST_OF_A_KIND, Draw
from sim.studies.price_fit import Fit, best_list, fit
from sim.studies.price_list import Played, PriceList
from sim.studies.price_words import PriceWords
from sim.studies.race import other_seed
from sim.studies.rosters import with_party
from sim.studies.scale import level_path
from sim.studies.variants import AnyScenario, as_fight
from sim.studies.work import Work, delivered, pool_for

RUNS = 500  # of every line-up: more line-ups tell more than more runs of each, because fights are no sums
SCOUTS = 200  # runs of a line-up that only shows where to look
PRECISION = 5.0  # percent of each price


def price(
    scenario: AnyScenario,
    units: Sequence[str],
    *,
    party: Sequence[str] | None = None,
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
        party: classes of the heroes, for a list for another party than that of the fight.
        scale: what one of a kind costs, {"skeleton": 10}; the first kind costs 10 if not given.
        levels: of the party: the budgets and prices at each of them, too.
        precision: how well every price is to be known, in percent of it.
        runs: of every line-up.
        work: processes, folder, cluster: see `sim.studies.work.Work`; nothing of it changes the answer.
    """
    base = as_fight(scenario)
    if party:
        base = with_party(base, tuple(party), "party")
    check_options(runs=runs, precision=None, margin=precision, measure="win_rate", confidence=confidence, seed=seed)
    kinds = list(dict.fromkeys(units))
    unit, points = _scale(kinds, scale)
    for kind in kinds:
        with_enemies(base, {kind: 1})  # a kind that nobody knows is told before anything is played
    with pool_for("price", [base], seed, work) as pool:
        asked = _Asked(base, PriceWords(kinds, unit, points, precision, confidence), runs, seed, pool)
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


@dataclass(slots=True)
class _Asked:
    """The question while it is worked on."""

    base: Scenario
    words: PriceWords
    runs: int
    seed: int
    pool: Pool

    @property
    def kinds(self) -> list[str]:
        """As a file names them."""
        return self.words.kinds

    # ------------------------------------------------------------------------------------------------------ playing

    def list_of(self, fight: Scenario) -> PriceList:
        """The list of prices for the party of a fight."""
        guess, unknown = self._guess(fight)
        groups = np.maximum(1.0, np.round(guess))
        draw, played = Draw.of(self.seed, guess), Played(self.kinds)
        found: Fit | None = None
        while block := draw.block(found):
            played.add(*self._play(fight, block, self.runs, self.seed))
            telling = played.telling()
            if len(telling.counts) > 2 * len(self.kinds):
                found = best_list(telling.table, telling.wins, telling.encounters, groups, draw.of_all)
                if self._known(found):
                    break
        if found is None:
            too_few = "too few line-ups of these kinds are neither hopeless nor far too easy for this party"
            raise InputError(Problem("units", too_few))
        unseen, kept_back = Played(self.kinds), draw.unseen(found)
        unseen.add(*self._play(fight, kept_back, 4 * self.runs, other_seed(self.seed)))
        tried = draw.tried + len(kept_back)
        if left_out := tried - len(played.counts) - len(unseen.counts):
            unknown.append(f"{left_out} of {tried} line-ups are left out: the fight has no room for so many")
        plain = fit(telling.table, telling.wins, telling.encounters)
        return PriceList(telling, found, plain, unseen, unknown)

    def _known(self, found: Fit) -> bool:
        """Whether every price is known as well as was asked for."""
        words = self.words
        prices = [found.price(kind, words.unit, 1.0, words.confidence) for kind in range(len(self.kinds))]
        return all(one.margin <= words.precision / 100 * abs(one.value) for one in prices)

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
        words = self.words
        prices, budgets, company = words.prices(found), words.budgets(found), words.company(found)
        tables = [words.price_table(found), words.budget_table(budgets)]
        tables += [words.level_table(levels)] if levels else []
        tables += [words.company_table(company), words.check_table(found)]
        errors = [float(np.abs(off).mean()) if len(off) else float("nan") for off in (found.errors, found.plain_errors)]
        return Answer(
            question="price",
            scenario=self.base,
            verdicts=words.verdicts(found, company),
            tables=tables,
            settings={
                "seed": self.seed,
                "runs": self.runs,
                "line_ups": len(found.played.counts),
                "units": self.kinds,
                "scale": f"{words.group(found, words.unit)} costs {words.points:g}",
                "precision": words.precision,
                "confidence": words.confidence,
                "correction": f"what counts in company holds for all {len(company)} together (Holm)",
            },
            effort=self.pool.effort(None),
            warnings=list(words.warnings(found, company)),
            facts={"lack_of_fit": found.fit.lack, "mean_error_of_a_sum": 100 * errors[1]},
            on_top={
                "prices": [
                    {"unit": kind, "price": one.value, "low": one.low, "high": one.high}
                    for kind, one in zip(self.kinds, prices, strict=True)
                ],
                "budgets": [
                    {"verdict": name, "points": one.value, "low": one.low, "high": one.high}
                    for name, one in budgets.items()
                ],
                "check": {"mean_error_points": 100 * errors[0], "encounters": len(found.errors)},
            },
        )
