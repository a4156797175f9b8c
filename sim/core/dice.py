"""Dice for a whole batch of runs: written as players write them, rolled at an address, counted exactly.

    2d6+1      two six-sided dice, one added
    d8         one eight-sided die
    3          no dice at all

The i-th die of a roll lies at index `first_index + i` of its address, whatever it is rolled together with.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import overload

import numpy as np
from numpy.typing import NDArray

from sim.core.lanes import Whole
from sim.core.luck import Luck
from sim.errors import FormulaError, Problem

MOST_DICE = 100
MOST_SIDES = 1_000
MOST_BONUS = 1_000_000

_WRITTEN = re.compile(
    r"(?P<count>\d*)d(?P<sides>\d+)(?:(?P<sign>[+-])(?P<bonus>\d+))?|(?P<number>[+-]?\d+)", re.ASCII
)


@dataclass(frozen=True, slots=True)
class Dice:
    """So many dice of one size, and a number added to their sum. A plain number is no dice and a bonus."""

    count: int
    sides: int
    bonus: int = 0

    def __post_init__(self) -> None:
        for what, value, least, most in (
            ("number of dice", self.count, 0, MOST_DICE),
            ("number of sides", self.sides, 1, MOST_SIDES),
            ("number added", self.bonus, -MOST_BONUS, MOST_BONUS),
        ):
            if not least <= value <= most:
                raise FormulaError(f"the {what} must lie between {least:,} and {most:,}, found {value:,}")

    @classmethod
    def parse(cls, text: str | int, *, place: str = "") -> Dice:
        """Read dice as players write them.

        >>> Dice.parse("2d6+1")
        Dice(count=2, sides=6, bonus=1)
        >>> Dice.parse(3)
        Dice(count=0, sides=1, bonus=3)
        """
        written = _WRITTEN.fullmatch(re.sub(r"\s+", "", str(text)).lower())
        if written is None or isinstance(text, bool) or len(str(text)) > 40:
            raise FormulaError(Problem(place, f"expected dice such as '2d6+1', 'd8' or '3', found {text!r}"))
        try:
            if written["number"]:
                return cls(0, 1, int(written["number"]))
            bonus = int(written["bonus"] or 0)
            return cls(int(written["count"] or 1), int(written["sides"]), -bonus if written["sign"] == "-" else bonus)
        except FormulaError as problem:
            raise FormulaError(Problem(place, f"{problem} in {text!r}")) from None

    @property
    def least(self) -> int:
        """The lowest total."""
        return self.count + self.bonus

    @property
    def most(self) -> int:
        """The highest total."""
        return self.count * self.sides + self.bonus

    @property
    def mean(self) -> float:
        """The expected total; exact, being a multiple of a half."""
        return self.count * (self.sides + 1) / 2 + self.bonus

    def __str__(self) -> str:
        if not self.count:
            return str(self.bonus)
        return f"{self.count}d{self.sides}" + (f"{self.bonus:+d}" if self.bonus else "")

    def roll(
        self,
        luck: Luck,
        purpose: str,
        round: int | Whole,
        actor: int | Whole,
        first_index: int | Whole = 0,
        at: Whole | None = None,
    ) -> Whole:
        """(lanes,). The total of one roll for every lane."""
        total = np.full(len(luck.keys) if at is None else len(at), self.bonus, dtype=np.int64)  # (lanes,)
        for i in range(self.count):
            total += luck.die(self.sides, purpose, round, actor, first_index + i, at)
        return total

    def chances(self) -> dict[int, Fraction]:
        """The exact chance of every total, lowest total first.

        >>> {total: str(chance) for total, chance in Dice.parse("2d2").chances().items()}
        {2: '1/4', 3: '1/2', 4: '1/4'}
        """
        ways = [1]  # ways[t]: in how many ways the dice so far show t above their least total
        for _ in range(self.count):
            running, extended = 0, []
            for t in range(len(ways) + self.sides - 1):
                running += ways[t] if t < len(ways) else 0
                running -= ways[t - self.sides] if t >= self.sides else 0
                extended.append(running)
            ways = extended
        return {self.least + t: Fraction(count, self.sides**self.count) for t, count in enumerate(ways)}


# ---------------------------------------------------------------------------------------------------------------------
# The ladder: die sizes that rules step up and down
# ---------------------------------------------------------------------------------------------------------------------

LADDER = (2, 4, 6, 8, 10, 12)
_RUNG = 2  # from one die of the ladder to the next


@overload
def step(die: int, steps: int) -> int: ...
@overload
def step(die: NDArray[np.integer], steps: int | NDArray[np.integer]) -> Whole: ...
@overload
def step(die: int, steps: NDArray[np.integer]) -> Whole: ...
def step(die: int | NDArray[np.integer], steps: int | NDArray[np.integer]) -> int | Whole:
    """The die so many steps up the ladder (down if negative), staying on it at the ends.

    >>> step(8, 1), step(12, 1), step(4, -3)
    (10, 12, 2)
    """
    if isinstance(die, int) and isinstance(steps, int):
        return min(max(die + _RUNG * steps, LADDER[0]), LADDER[-1])
    moved = np.asarray(die, dtype=np.int64) + np.asarray(steps, dtype=np.int64) * _RUNG
    on_ladder: Whole = np.minimum(np.maximum(moved, LADDER[0]), LADDER[-1])
    return on_ladder


# ---------------------------------------------------------------------------------------------------------------------
# Pools: several dice looked at one by one
# ---------------------------------------------------------------------------------------------------------------------


def pool(
    luck: Luck,
    count: int,
    sides: int | NDArray[np.integer],
    purpose: str,
    round: int | Whole,
    actor: int | Whole,
    first_index: int | Whole = 0,
    at: Whole | None = None,
) -> Whole:
    """(count, lanes). So many dice for every lane, the i-th of them at index `first_index + i`."""
    dice = np.empty((count, len(luck.keys) if at is None else len(at)), dtype=np.int64)  # (count, lanes)
    for i in range(count):
        dice[i] = luck.die(sides, purpose, round, actor, first_index + i, at)
    return dice


def keep_highest(dice: Whole, keep: int = 1) -> Whole:
    """(lanes,). The sum of the highest `keep` dice of a pool, of all of them if it holds no more."""
    if keep == 1 and len(dice):
        highest: Whole = dice.max(axis=0)
        return highest
    kept: Whole = np.sort(dice, axis=0)[max(len(dice) - keep, 0) :].sum(axis=0)
    return kept


def successes(dice: Whole, at_least: int | NDArray[np.integer]) -> Whole:
    """(lanes,). How many dice of a pool show a number or more; the number may differ from lane to lane."""
    total: Whole = np.add.reduce(dice >= at_least, axis=0, dtype=np.int64)
    return total
