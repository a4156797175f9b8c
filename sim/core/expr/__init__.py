"""Formulas and conditions: a little language, parsed and checked, compiled to NumPy and never run by Python itself.

    9 - L + R                       a stat
    hp * 2 <= max_hp and foes > 1   a condition
    ratio(hp, max_hp)               a key to choose by

Whole numbers, `true`, `false` and names; `+ - * // %`, unary minus, parentheses; comparisons, chains such as
`1 <= x <= 3` included; `and or not`; `x if condition else y`; `min max abs ratio`. `//` rounds down. `ratio(a, b)` is
the float64 quotient, for comparing shares; it is 0 where b is 0.

A name stands for one number, or for an array with one number per lane. From that follows what a formula gives:

- Numbers alone give a Python int, or a bool from comparisons, `and`, `or` and `not`.
- With an array in it the result is an array, element by element, in int64 (bool for conditions). Both arms of an
  `if` are computed for all lanes.
- A part that is decided by numbers alone stays a number, and nothing behind it is asked: `n > 0 and hp // n > 2` is
  False for n = 0. So a result may be a number although the formula names an array; `np.broadcast_to` makes it one.
- Dividing by the number 0 is a FormulaError, raised by `parse` where the divisor is written in literals alone. Where a
  divisor is an array, the lanes in which it is 0 give 0.
- A formula that is a name alone gives the very array that it was given: look at it, do not write into it.
- A product of more than three names that grows beyond 2**63 is a FormulaError. Sums, and products of fewer, would wrap
  around there, as they do in NumPy; no numbers of a game come near that.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeAlias

from sim.core.expr.compiler import DEEPEST, LONGEST, Compiler
from sim.core.expr.steps import Asked, Step, Value, wide
from sim.errors import FormulaError, Problem

__all__ = ["DEEPEST", "LONGEST", "Expression", "Lookup", "Value", "parse"]

Lookup: TypeAlias = "Callable[[str], Any] | Mapping[str, Any]"


@dataclass(frozen=True, slots=True)
class Expression:
    """A formula that has been checked and can be evaluated as often as one likes.

    >>> hits = parse("max(0, L + 2 - armour)", ["L", "armour"])
    >>> hits({"L": 3, "armour": 1})
    4
    >>> import numpy as np
    >>> hits({"L": 3, "armour": np.array([1, 4, 9])})
    array([4, 1, 0])
    """

    text: str
    place: str
    names: frozenset[str] = field(compare=False)  # the names used
    _compute: Step = field(compare=False, repr=False)

    def __call__(self, lookup: Lookup) -> Value:
        """The value, with names taken from a function or a mapping; each is asked for at most once."""
        try:
            value = self._compute(Asked(lookup.__getitem__ if isinstance(lookup, Mapping) else lookup))
            return wide(value)
        except OverflowError:
            message = f"the numbers grow beyond what an array holds (2**63)\n    {self.text}"
            raise FormulaError(Problem(self.place, message)) from None

    def __str__(self) -> str:
        return self.text

    def __reduce__(self) -> tuple[Callable[..., Expression], tuple[str, frozenset[str], str]]:
        return _parse_again, (self.text, self.names, self.place)  # closures do not pickle; the text does


def parse(text: str, names: Collection[str], *, place: str = "") -> Expression:
    """Check a formula against the names that it may use, and compile it.

    Args:
        place: where the formula stands, such as "heroes[0].hp"; it becomes the key of the problem.

    Raises:
        FormulaError: with the text, a caret under the place, what is wrong and what to write instead.
    """
    text = re.sub(r"\s", " ", text).strip()  # a long formula may stand on several lines
    try:
        return _compiled(text, frozenset(names), place)
    except FormulaError:
        Compiler(text, names, place).compile()  # raises again, with the names in the order in which they were given
        raise


@lru_cache(maxsize=8_192)  # studies check the same formulas of hundreds of variants of a fight
def _compiled(text: str, names: frozenset[str], place: str) -> Expression:
    return Expression(text, place, *Compiler(text, names, place).compile())


def _parse_again(text: str, names: frozenset[str], place: str) -> Expression:
    return parse(text, names, place=place)
