"""Which line-ups a price list is learnt from, and which it is put to the test with.

They are drawn near an even fight. From a first list on, those are passed over that it takes for hopeless or far too
easy: nothing can be learnt from them. It looks again after every block, so that a wrong guess is not kept.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from sim.studies.price_fit import Fit

LineUp: TypeAlias = tuple[int, ...]  # how many of each kind

BLOCK = 32  # line-ups that are added at a time
MOST_LINE_UPS = 1_024
NO_END = 4_096  # different line-ups: of so many, those that are played are no share that counts
UNSEEN = 32  # line-ups to check the list with, at most
KEPT_BACK = 40  # drawn for that; those are played which the list leaves open
LEFT_OPEN = (0.01, 0.99)  # chances, as far as a list can tell, that may be worth playing
MOST_OF_A_KIND = 32
KINDS_TOGETHER = 3  # at most, in one line-up


@dataclass(slots=True)
class Draw:
    """The line-ups of some kinds, while a list is learnt from them."""

    kept_back: list[LineUp]  # the list must not see them
    left: list[LineUp]  # not played so far, in the order in which they are drawn
    there_is_an_end: bool  # whether these are all that there are
    tried: int = 0
    still_open: int = 0  # how many more are worth playing, as far as was known at the last block

    @classmethod
    def of(cls, seed: int, even: Sequence[float]) -> Draw:
        """Line-ups of kinds of which so many each make an even fight."""
        draw = np.random.default_rng(seed)
        every = list(itertools.islice(line_ups(draw, even), NO_END))
        if there_is_an_end := len(every) < NO_END:  # by lot, so that a share of them speaks for all
            every = [every[at] for at in draw.permutation(len(every))]
        kept_back = min(KEPT_BACK, len(every) // 4)
        return cls(every[:kept_back], every[kept_back:], there_is_an_end)

    def block(self, found: Fit | None) -> list[LineUp]:
        """The next ones that are worth playing, as far as a list can tell; nothing where there are none left."""
        worth = self.left if found is None else left_open(found, self.left)
        block = worth[: min(BLOCK, MOST_LINE_UPS - self.tried)]
        self.tried += len(block)
        self.still_open = len(worth) - len(block)
        taken = set(block)
        self.left = [line_up for line_up in self.left if line_up not in taken]
        return block

    @property
    def of_all(self) -> float:
        """Which share of all that are worth playing was played; 0 where there is no end of them."""
        return self.tried / (self.tried + self.still_open + len(self.kept_back)) if self.there_is_an_end else 0.0

    def unseen(self, found: Fit) -> list[LineUp]:
        """What the list is put to the test with: line-ups whose end it leaves open, which it has not seen."""
        return left_open(found, self.kept_back)[:UNSEEN]


def left_open(found: Fit, some: Sequence[LineUp]) -> list[LineUp]:
    """Those of some line-ups that a list takes for neither hopeless nor far too easy."""
    if not some:
        return []
    low, high = LEFT_OPEN
    chances = found.chance(np.array(some, dtype=float))
    return [line_up for line_up, chance in zip(some, chances.tolist(), strict=True) if low <= chance <= high]


def line_ups(draw: np.random.Generator, even: Sequence[float]) -> Iterator[LineUp]:
    """Line-ups of one to three kinds neither hopeless nor far too easy, as far as can be told, each once."""
    seen: set[LineUp] = set()
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
