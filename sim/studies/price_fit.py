"""A price list as a fit: logit W = a - the sum of price x count, over many line-ups that were played.

The scatter of the line-ups around the fit says how far a price can be trusted: it holds the luck of the dice and, as a
rule the larger part, that fights are no sums of their enemies (quasi-binomial errors, Student's distribution).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sim.results.statistics import Estimate, student_chance, student_quantile

Table = NDArray[np.float64]

STEPS = 60  # of Newton's method, which needs about eight
ENOUGH = 1e-10


@dataclass(frozen=True, slots=True)
class Fit:
    """Prices of kinds and the start from which they are taken."""

    start: float  # logit of the chance against nobody, as far as the list goes
    prices: Table  # (kinds,)
    spread: Table  # (1 + kinds, 1 + kinds) covariance of start and prices, the misfit included
    freedom: int  # line-ups beyond what the fit uses up
    lack: float  # how much more line-ups scatter than dice alone would make them, as a variance; 1 is none
    runs: int

    def chance(self, counts: Table) -> Table:
        """(line-ups,). The chance of winning that the list promises, for (line-ups, kinds)."""
        return _share(self.start - counts @ self.prices)

    def price(self, kind: int, unit: int, points: float, confidence: float) -> Estimate:
        """The price of a kind on a scale on which one of `unit` costs so many points."""
        ratio = float(self.prices[kind] / self.prices[unit])
        slope = np.zeros(1 + len(self.prices))
        slope[1 + kind] += 1 / self.prices[unit]
        slope[1 + unit] -= ratio / self.prices[unit]
        return self._estimate(points * ratio, points * slope, confidence)

    def worth(self, kind: int, confidence: float) -> Estimate:
        """The price of a kind as it stands in the fit: in logits."""
        slope = np.zeros(1 + len(self.prices))
        slope[1 + kind] = 1.0
        return self._estimate(float(self.prices[kind]), slope, confidence)

    def budget(self, share: float, unit: int, points: float, confidence: float) -> Estimate:
        """How many points of enemies leave the party this chance."""
        rest = self.start - math.log(share / (1 - share))
        value = rest / float(self.prices[unit])
        slope = np.zeros(1 + len(self.prices))
        slope[0] = 1 / self.prices[unit]
        slope[1 + unit] -= value / self.prices[unit]
        return self._estimate(points * value, points * slope, confidence)

    def _estimate(self, value: float, slope: Table, confidence: float) -> Estimate:
        """The delta method."""
        error = math.sqrt(max(0.0, float(slope @ self.spread @ slope)))
        half = student_quantile(0.5 + confidence / 2, max(1, self.freedom)) * error
        return Estimate(value, value - half, value + half, self.runs)


def fit(counts: Table, wins: Table, encounters: Table) -> Fit:
    """The list that promises best what was played: (line-ups, kinds) counts, and wins of so many encounters of each."""
    design = np.column_stack([np.ones(len(counts)), -counts])
    values, information = _newton(design, wins, encounters)
    freedom = len(counts) - design.shape[1]
    expected = _share(design @ values)
    scatter = (wins - encounters * expected) ** 2 / np.maximum(encounters * expected * (1 - expected), 1e-9)
    lack = max(1.0, float(scatter.sum()) / max(1, freedom))
    return Fit(
        float(values[0]), values[1:], lack * np.linalg.pinv(information), freedom, lack, int(encounters.sum())
    )


def one_more_term(counts: Table, wins: Table, encounters: Table, term: Table) -> tuple[Estimate, float]:
    """What a further column adds to the logit, and how likely so much is by chance."""
    scale = float(np.abs(term).max()) or 1.0
    found = fit(np.column_stack([counts, -term / scale]), wins, encounters)
    added = found.worth(counts.shape[1], 0.95)
    error = math.sqrt(max(0.0, float(found.spread[-1, -1])))
    chance = student_chance(added.value / error, max(1, found.freedom)) if error else 1.0
    return Estimate(added.value / scale, added.low / scale, added.high / scale, added.n), chance


def _newton(design: Table, wins: Table, encounters: Table) -> tuple[Table, Table]:
    """The most likely values, and the information about them; a whisper of a prior keeps them finite."""
    whisper = 1e-6 * np.eye(design.shape[1])
    values = np.zeros(design.shape[1])
    information = whisper
    for _ in range(STEPS):
        share = _share(design @ values)
        weight = np.maximum(encounters * share * (1 - share), 1e-9)
        information = design.T @ (weight[:, None] * design) + whisper
        step = np.linalg.solve(information, design.T @ (wins - encounters * share) - whisper @ values)
        values = values + step * min(1.0, 5.0 / max(1e-12, float(np.abs(step).max())))
        if float(np.abs(step).max()) < ENOUGH:
            break
    return values, information


def _share(logit: Table) -> Table:
    return 1 / (1 + np.exp(-np.clip(logit, -30, 30)))
