"""Line-ups that were played, and the price list that was fitted to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from sim.studies.measures import Tally
from sim.studies.price_fit import Fit, Part, Table, columns

TOLD_APART = (0.02, 0.98)  # win rates from which a price can be learnt


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

    def meet(self, part: Part) -> int:
        """In how many of them two enemies meet, of one kind or of two."""
        return int(np.count_nonzero(columns(self.table, [part])))


@dataclass(frozen=True, slots=True)
class PriceList:
    """What was found for one party."""

    played: Played  # what the list was fitted to
    fit: Fit
    plain: Fit  # the list that only adds up, fitted to the same
    unseen: Played  # what it was held against
    unknown: list[str]  # what could not be priced or played, with the reason

    @property
    def errors(self) -> Table:
        """(line-ups,). Played minus promised, of the line-ups that the list had never seen."""
        return self.unseen.rates - self.fit.chance(self.unseen.table)

    @property
    def plain_errors(self) -> Table:
        """(line-ups,). The same of the list that only adds up."""
        return self.unseen.rates - self.plain.chance(self.unseen.table)
