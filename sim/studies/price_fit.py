"""A price list as a fit: logit W = a - what the line-up costs, over many line-ups that were played.

A line-up costs the sum of price x count. On top of it comes what enemies cost in company, where that counts: for every
two of a kind (a crowd), and for every one of a kind beside one of another (a pair). Such an extra is never below 0: a
list in which one more monster makes a fight cheaper is no list.

How far a price can be trusted is told by how far each line-up is from the fit: that holds the luck of the dice and that
fights are no sums of their enemies, wherever it is worst (errors that hold whatever the scatter: the sandwich, with
every line-up held against a fit without it, HC3; Student's distribution). Where there is an end of line-ups and a share
of all of them was played, drawn by lot, only the rest can still surprise: what is not luck counts for that rest alone
(the correction for finite populations).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from sim.results.statistics import CONFIDENCE, Estimate, student_chance, student_quantile

Table = NDArray[np.float64]
Part: TypeAlias = tuple[int, ...]  # of a list: (0,) what one of kind 0 costs, (0, 0) every two, (0, 1) one of each

STEPS = 60  # of Newton's method, which needs about eight
ENOUGH = 1e-10
FEW = 5  # line-ups in which enemies meet, from which what that costs can be told
ALONE = 0.9  # a line-up that decides more of its own place in the fit is taken to decide so much


@dataclass(frozen=True, slots=True)
class Fit:
    """A list of prices, and the start from which they are taken."""

    start: float  # logit of the chance against nobody, as far as the list goes
    parts: tuple[Part, ...]
    values: Table  # (parts,) in logits
    groups: Table  # (kinds,) how many of a kind are a group: its price is what one costs there
    spread: Table  # (1 + parts, 1 + parts) covariance of start and values, with what is not luck in it
    freedom: int  # line-ups beyond what the fit uses up
    lack: float  # how much more line-ups scatter than dice alone would make them, as a variance; 1 is none
    runs: int
    of_all: float = 0.0  # which share of all line-ups was played; 0 where there is no end of them

    def cost(self, counts: Table) -> Table:
        """(line-ups,). What they cost, in logits, for (line-ups, kinds)."""
        return columns(counts, self.parts) @ self.values

    def chance(self, counts: Table) -> Table:
        """(line-ups,). The chance of winning that the list promises."""
        return _share(self.start - self.cost(counts))

    def head(self, kind: int) -> float:
        """What one of a group costs, in logits."""
        return float(self._head(kind) @ np.concatenate(([self.start], self.values)))

    def price(self, kind: int, unit: int, points: float, confidence: float) -> Estimate:
        """The price of a kind on a scale on which one of `unit` costs so many points."""
        return self._scaled(self._head(kind), unit, points, confidence)

    def extra(self, part: Part, unit: int, points: float, confidence: float) -> Estimate:
        """What a part of the list costs on the same scale: the first of a kind, or the company of two."""
        return self._scaled(self._of_part(part), unit, points, confidence)

    def budget(self, share: float, unit: int, points: float, confidence: float) -> Estimate:
        """How many points of enemies leave the party this chance."""
        start = np.zeros(1 + len(self.parts))
        start[0] = 1.0
        return self._scaled(start, unit, points, confidence, less=math.log(share / (1 - share)))

    def worth(self, part: Part) -> tuple[Estimate, float]:
        """A part as it stands in the fit, in logits, and how likely so much is by chance."""
        slope = self._of_part(part)
        found = self._estimate(float(slope[1:] @ self.values), slope, CONFIDENCE)
        return found, student_chance(self.size(part), max(1, self.freedom)) if found.margin else 1.0

    def size(self, part: Part) -> float:
        """A part of the fit in standard errors."""
        slope = self._of_part(part)
        error = math.sqrt(max(0.0, float(slope @ self.spread @ slope)))
        return float(slope[1:] @ self.values) / error if error else 0.0

    def _of_part(self, part: Part) -> Table:
        slope = np.zeros(1 + len(self.parts))
        if part in self.parts:
            slope[1 + self.parts.index(part)] = 1.0
        return slope

    def _head(self, kind: int) -> Table:
        """By start and part: how much of it one of a group bears; each has the company of all others."""
        return self._of_part((kind,)) + (self.groups[kind] - 1) / 2 * self._of_part((kind, kind))

    def _scaled(self, slope: Table, unit: int, points: float, confidence: float, less: float = 0.0) -> Estimate:
        """So much of start and values, less something, where one of `unit` costs so many points (the delta method)."""
        whole = float(slope @ np.concatenate(([self.start], self.values))) - less
        one = self.head(unit)
        ratio = whole / one
        return self._estimate(points * ratio, points * (slope - ratio * self._head(unit)) / one, confidence)

    def _estimate(self, value: float, slope: Table, confidence: float) -> Estimate:
        error = math.sqrt(max(0.0, float(slope @ self.spread @ slope)))
        half = student_quantile(0.5 + confidence / 2, max(1, self.freedom)) * error
        return Estimate(value, value - half, value + half, self.runs)


def columns(counts: Table, parts: Sequence[Part]) -> Table:
    """(line-ups, parts). How often each part is in a line-up: heads, twos of a kind, pairs of two kinds."""
    found = [
        counts[:, part[0]]
        if len(part) == 1
        else counts[:, part[0]] * (counts[:, part[0]] - 1) / 2
        if part[0] == part[1]
        else counts[:, part[0]] * counts[:, part[1]]
        for part in parts
    ]
    return np.column_stack(found) if found else np.zeros((len(counts), 0))


def heads(kinds: int) -> tuple[Part, ...]:
    """The parts of a list that only adds up."""
    return tuple((kind,) for kind in range(kinds))


def fit(
    counts: Table,
    wins: Table,
    encounters: Table,
    parts: Sequence[Part] | None = None,
    groups: Table | None = None,
    of_all: float = 0.0,
) -> Fit:
    """The list that promises best what was played: (line-ups, kinds) counts, and wins of so many encounters of each.

    Args:
        parts: what the list may say; the prices alone if not given.
        groups: (kinds,) how many of a kind are a group; 1 if not given.
        of_all: which share of all line-ups that there are these are, drawn by lot; 0 where there is no end of them.
    """
    kinds = counts.shape[1]
    parts = heads(kinds) if parts is None else tuple(parts)
    design = np.column_stack([np.ones(len(counts)), -columns(counts, parts)])
    values, information = _newton(design, wins, encounters)
    freedom = len(counts) - design.shape[1]
    expected = _share(design @ values)
    off = wins - encounters * expected
    weight = np.maximum(encounters * expected * (1 - expected), 1e-9)
    lack = max(1.0, float((off**2 / weight).sum()) / max(1, freedom))
    alone = np.ones(kinds) if groups is None else groups
    luck = np.linalg.pinv(information)
    own_say = np.minimum(ALONE, weight * ((design @ luck) * design).sum(axis=1))
    leaning = design * (off / (1 - own_say))[:, None]
    spread = (1 - of_all) * luck @ (leaning.T @ leaning) @ luck + of_all * luck
    return Fit(float(values[0]), parts, values[1:], alone, spread, freedom, lack, int(encounters.sum()), of_all)


def best_list(counts: Table, wins: Table, encounters: Table, groups: Table, of_all: float = 0.0) -> Fit:
    """Prices, and what company costs on top; what would be below 0 is left out, the clearest first.

    Extras that may be nothing stay in the list: leaving out what is small moves the prices, and intervals that do not
    know of the choice would not hold. Where a crowd costs something, its first may cost nothing, never less.
    """
    parts: list[Part] = [*heads(counts.shape[1]), *_company(counts)]
    while True:
        found = fit(counts, wins, encounters, parts, groups, of_all)
        below = [part for part in parts if (len(part) == 2 or 2 * part in parts) and found.size(part) < 0]
        if not below:
            return found
        parts.remove(min(below, key=found.size))


def _company(counts: Table) -> list[Part]:
    """Crowds and pairs of which enough was played; none where there are too few line-ups to tell so many apart."""
    kinds = range(counts.shape[1])
    every: list[Part] = [(one, other) for one in kinds for other in kinds if one <= other]
    found = [part for part in every if np.count_nonzero(columns(counts, [part])) >= FEW]
    return found if 1 + len(kinds) + len(found) <= len(counts) / 2 else []


def with_one_more(found: Fit, counts: Table, wins: Table, encounters: Table, part: Part) -> tuple[Fit, float]:
    """The list with a further part, and how likely so much of it is by chance."""
    if part not in found.parts:
        found = fit(counts, wins, encounters, [*found.parts, part], found.groups, found.of_all)
    return found, found.worth(part)[1]


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
