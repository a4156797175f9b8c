"""What a formula is compiled to: steps that take the names of one evaluation and give a number or an array."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sim.errors import FormulaError

Value: TypeAlias = "int | float | NDArray[Any]"


class Asked(dict[str, Value]):
    """The names of one evaluation: each is looked up when it is first needed, and only then."""

    def __init__(self, lookup: Callable[[str], Any]) -> None:
        self.lookup = lookup

    def __missing__(self, name: str) -> Value:
        value = self[name] = known_kind(name, self.lookup(name))
        return value


Step: TypeAlias = Callable[[Asked], Value]


def known_kind(name: str, value: Any) -> Value:
    """A Python number, or an array of bool, whole numbers or float64: what the steps are written for."""
    if isinstance(value, np.ndarray) and value.ndim:
        kind = value.dtype.kind
        if kind in "bi":
            return value  # small ones are compared as they are, and made wide for arithmetic
        if kind == "u":
            return value.astype(np.int64)
        if kind == "f":
            return value.astype(np.float64, copy=False)
    elif isinstance(value, (int, float)):
        if type(value) in (int, bool, float):
            return value
        return int(value) if isinstance(value, int) else float(value)  # an IntEnum; a number out of NumPy
    elif isinstance(value, (np.ndarray, np.generic)) and isinstance(value.item(), (int, float)):
        plain: int | float = value.item()
        return plain
    raise TypeError(f"the name {name!r} stands for {value!r}; expected a number or an array of numbers")


def wide(value: Value) -> Any:
    """Arrays of small numbers as int64, which does not overflow."""
    if isinstance(value, np.ndarray) and value.dtype.kind == "i":
        return value.astype(np.int64, copy=False)
    return value


def number(value: Value) -> Any:
    """For arithmetic: wide, and a truth value counts as 0 or 1."""
    if isinstance(value, np.ndarray):
        return value.astype(np.int64) if value.dtype.kind == "b" else wide(value)
    return int(value) if value is True or value is False else value


def held_product(left: Any, right: Any) -> Any:
    """The product; OverflowError where it is beyond what an array holds. For formulas with many factors."""
    if isinstance(left, np.ndarray) or isinstance(right, np.ndarray):
        largest = [float(np.abs(part, dtype=np.float64).max(initial=0)) for part in map(np.asarray, (left, right))]
        if largest[0] * largest[1] >= 2.0**63:
            raise OverflowError
    return left * right


def comparable(value: Value) -> Any:
    """For comparisons: as small as it is, and a truth value counts as 0 or 1."""
    if isinstance(value, np.ndarray):
        return value.view(np.int8) if value.dtype.kind == "b" else value
    return int(value) if value is True or value is False else value


def truth_of(value: Value) -> bool | NDArray[np.bool_]:
    """Everything but 0 counts as true."""
    if isinstance(value, np.ndarray):
        return value if value.dtype.kind == "b" else value != 0
    return bool(value)


def negated(truth: bool | NDArray[np.bool_]) -> bool | NDArray[np.bool_]:
    """`not`."""
    return ~truth if isinstance(truth, np.ndarray) else not truth


def all_of(parts: list[Step]) -> Step:
    """`and`: nothing behind a part that is false in all lanes is asked."""

    def step(asked: Asked) -> Value:
        so_far: bool | NDArray[np.bool_] = True
        for part in parts:
            truth = truth_of(part(asked))
            if truth is False:
                return False
            if truth is not True:
                so_far = truth if so_far is True else so_far & truth
        return so_far

    return step


def any_of(parts: list[Step]) -> Step:
    """`or`: nothing behind a part that is true in all lanes is asked."""

    def step(asked: Asked) -> Value:
        so_far: bool | NDArray[np.bool_] = False
        for part in parts:
            truth = truth_of(part(asked))
            if truth is True:
                return True
            if truth is not False:
                so_far = truth if so_far is False else so_far | truth
        return so_far

    return step


def chain(first: Step, rest: list[tuple[Callable[[Any, Any], Any], Step]]) -> Step:
    """1 <= x <= 3: every neighbouring pair must hold, and each value is computed once."""

    def step(asked: Asked) -> Value:
        left = comparable(first(asked))
        so_far: bool | NDArray[np.bool_] = True
        for compare, part in rest:
            right = comparable(part(asked))
            holds = compare(left, right)
            if holds is False:
                return False
            if holds is not True:
                so_far = holds if so_far is True else so_far & holds
            left = right
        return so_far

    return step


def either(condition: Step, if_true: Step, if_false: Step) -> Step:
    """`x if condition else y`; both arms are worked out if the condition is an array."""

    def step(asked: Asked) -> Value:
        truth = truth_of(condition(asked))
        if isinstance(truth, np.ndarray):
            return np.where(truth, wide(if_true(asked)), wide(if_false(asked)))
        return if_true(asked) if truth else if_false(asked)

    return step


def division(divide: Callable[[Any, Any], Any], left: Step, right: Step, by_zero: Callable[[], FormulaError]) -> Step:
    """`//` and `%`: lanes in which the divisor is 0 give 0; the number 0 is a mistake."""

    def step(asked: Asked) -> Value:
        dividend, divisor = number(left(asked)), number(right(asked))
        if not isinstance(divisor, np.ndarray):
            if divisor == 0:
                raise by_zero()
        else:
            nothing = divisor == 0
            if nothing.any():
                return np.where(nothing, 0, divide(dividend, np.where(nothing, 1, divisor)))
        quotient: Value = divide(dividend, divisor)
        return quotient

    return step


def ratio(part: Any, whole: Any) -> Value:
    """The quotient as a float; 0 where the whole is 0."""
    if not isinstance(part, np.ndarray) and not isinstance(whole, np.ndarray):
        return 0.0 if whole == 0 else float(part / whole)
    nothing = np.asarray(whole) == 0
    return np.where(nothing, 0.0, part / np.where(nothing, 1, whole))


def extreme(parts: list[Step], *, least: bool) -> Step:
    """`min` or `max`."""
    of_arrays = np.minimum if least else np.maximum
    of_numbers = min if least else max

    def step(asked: Asked) -> Value:
        best = number(parts[0](asked))
        for part in parts[1:]:
            value = number(part(asked))
            if isinstance(best, np.ndarray) or isinstance(value, np.ndarray):
                best = of_arrays(best, value)
            else:
                best = of_numbers(best, value)
        return best

    return step
