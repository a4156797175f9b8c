"""What a class adds to a party, and who is more together than apart, from the win rates of parties large and small.

What a class adds is the mean change of the win rate when one of it joins a party of nobody, of one, of two ... others
(its Shapley value, cut at the size of the party). Two classes are more together than apart by

    I = W(rest + both) - W(rest + one) - W(rest + other) + W(rest)

in the mean over all that the rest of the party can be. Sums of win rates with the same luck hang together, so intervals
come from how parts of the runs scatter (Student).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sim.results.statistics import Estimate, student_chance, student_quantile
from sim.studies.rosters import Party, in_order


@dataclass(frozen=True, slots=True)
class Rates:
    """The win rates of parties, part by part; nobody at all never wins."""

    of: Mapping[Party, NDArray[np.float64]]  # (parts,)
    classes: Sequence[str]
    size: int

    def __call__(self, *line: str) -> NDArray[np.float64] | None:
        """(parts,). Of the party with these classes in any order; None if it was not played."""
        if not line:
            return np.zeros_like(next(iter(self.of.values())))
        return self.of.get(in_order(line, self.classes))

    def added_by(self, name: str) -> NDArray[np.float64]:
        """(parts,). What one of a class adds in the mean when it joins: over sizes, and over parties of that size."""
        by_size = []
        for few in range(self.size):
            changes = [
                after - before
                for others in itertools.combinations_with_replacement(self.classes, few)
                if (before := self(*others)) is not None and (after := self(*others, name)) is not None
            ]
            if changes:
                by_size.append(np.mean(changes, axis=0))
        return np.mean(by_size, axis=0) if by_size else np.full(self._parts, math.nan)

    def together(self, one: str, other: str) -> NDArray[np.float64]:
        """(parts,). How much more two classes are together than apart, in the mean over the rest of the party."""
        found = []
        for rest in itertools.combinations_with_replacement(self.classes, self.size - 2):
            four = (self(*rest, one, other), self(*rest, one), self(*rest, other), self(*rest))
            if all(part is not None for part in four):
                both, first, second, without = (part for part in four if part is not None)
                found.append(both - first - second + without)
        return np.mean(found, axis=0) if found else np.full(self._parts, math.nan)

    @property
    def _parts(self) -> int:
        return len(next(iter(self.of.values())))


def estimate_of(parts: NDArray[np.float64], runs: int, confidence: float) -> Estimate:
    """The mean of the parts, with Student's interval from how they scatter."""
    value, error = float(parts.mean()), float(parts.std(ddof=1)) / math.sqrt(len(parts))
    half = student_quantile(0.5 + confidence / 2, len(parts) - 1) * error
    return Estimate(value, value - half, value + half, runs)


def chance_of_none(parts: NDArray[np.float64]) -> float:
    """How likely so large a mean is if the truth is 0."""
    error = float(parts.std(ddof=1)) / math.sqrt(len(parts))
    if error == 0:
        return 1.0 if parts.mean() == 0 else 0.0
    return student_chance(float(parts.mean()) / error, len(parts) - 1)
