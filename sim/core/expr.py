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
- Sums and products of arrays wrap around beyond 2**63, as they do in NumPy; no number of a game comes near that.
"""

from __future__ import annotations

import ast
import operator
import re
import warnings
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sim.errors import FormulaError, Problem, did_you_mean

Value: TypeAlias = "int | float | NDArray[Any]"
Lookup: TypeAlias = "Callable[[str], Any] | Mapping[str, Any]"

LONGEST = 1_000  # characters
DEEPEST = 50  # levels of nesting
LARGEST = 10**9  # literal
LARGEST_HELD = 2**63 - 1  # by an array
SHOWN = 100  # characters of a long formula in a message


class _Asked(dict[str, Value]):
    """The names of one evaluation: each is looked up when it is first needed, and only then."""

    def __init__(self, lookup: Callable[[str], Any]) -> None:
        self.lookup = lookup

    def __missing__(self, name: str) -> Value:
        value = self[name] = _known_kind(name, self.lookup(name))
        return value


_Step: TypeAlias = Callable[[_Asked], Value]


@dataclass(frozen=True, slots=True)
class Expression:
    """A formula that has been checked and can be evaluated as often as one likes.

    >>> hits = parse("max(0, L + 2 - armour)", ["L", "armour"])
    >>> hits({"L": 3, "armour": 1})
    4
    >>> hits({"L": 3, "armour": np.array([1, 4, 9])})
    array([4, 1, 0])
    """

    text: str
    place: str
    names: frozenset[str] = field(compare=False)  # the names used
    _compute: _Step = field(compare=False, repr=False)

    def __call__(self, lookup: Lookup) -> Value:
        """The value, with names taken from a function or a mapping; each is asked for at most once."""
        try:
            value = self._compute(_Asked(lookup.__getitem__ if isinstance(lookup, Mapping) else lookup))
            return _wide(value)
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
    compiler = _Compiler(text, names, place)
    return Expression(text, place, *compiler.compile())


def _no_names(name: str) -> Any:
    raise KeyError(name)


def _parse_again(text: str, names: frozenset[str], place: str) -> Expression:
    return parse(text, names, place=place)


# ---------------------------------------------------------------------------------------------------------------------
# From text to steps
# ---------------------------------------------------------------------------------------------------------------------

FUNCTIONS = ("abs", "max", "min", "ratio")

# What people write by habit from elsewhere, and what it is called here.
_HABITS = (
    (r"#", "comments are not allowed in a formula", "put them in the file, outside the quotes"),
    (r"&&", "'&&' is not known here", "use 'and'"),
    (r"\|\|", "'||' is not known here", "use 'or'"),
    (r"!(?!=)", "'!' is not known here", "use 'not'"),
    (r"<>", "'<>' is not known here", "use '!='"),
    (r"=<", "'=<' is not known here", "use '<='"),
    (r"=>", "'=>' is not known here", "use '>='"),
    (r":=", "':=' is not allowed", "write the value where it is needed"),
    (r"(?<![=!<>])=(?!=)", "'=' does not compare", "use '=='"),
    (r"[×·]", "this sign is not known here", "use '*'"),
    (r"[÷]", "this sign is not known here", "use '//', which rounds down"),
    (r"[≤]", "this sign is not known here", "use '<='"),
    (r"[≥]", "this sign is not known here", "use '>='"),
    (r"[≠]", "this sign is not known here", "use '!='"),
    (r"[−–]", "this dash is not a minus", "use '-'"),
)

_NOT_HERE: dict[type[ast.AST], tuple[str, str]] = {
    ast.Div: ("'/' leaves the whole numbers", "use '//', which rounds down, or ratio(a, b) to compare shares"),
    ast.Pow: ("'**' is not allowed", "write the product out, such as x * x"),
    ast.MatMult: ("'@' is not allowed", "use '*'"),
    ast.LShift: ("'<<' is not allowed", "multiply with '*'"),
    ast.RShift: ("'>>' is not allowed", "divide with '//'"),
    ast.BitAnd: ("'&' is not allowed", "use 'and'"),
    ast.BitOr: ("'|' is not allowed", "use 'or'"),
    ast.BitXor: ("'^' is not allowed", "write a product out, such as x * x; for 'one but not both' use '!='"),
    ast.Invert: ("'~' is not allowed", "use 'not'"),
    ast.UAdd: ("a plus sign before a value is not needed", "leave it out"),
    ast.In: ("'in' is not allowed", "use a chain such as 1 <= x <= 3, or == joined by 'or'"),
    ast.NotIn: ("'not in' is not allowed", "use '!=' joined by 'and'"),
    ast.Is: ("'is' is not allowed", "use '=='"),
    ast.IsNot: ("'is not' is not allowed", "use '!='"),
    ast.Attribute: ("a dot after a name is not allowed", "use one of the plain names"),
    ast.Subscript: ("square brackets are not allowed", "use one of the plain names"),
    ast.Lambda: ("'lambda' is not allowed", "write the value itself"),
    ast.NamedExpr: ("':=' is not allowed", "write the value where it is needed"),
    ast.ListComp: ("comprehensions are not allowed", "write the value itself"),
    ast.SetComp: ("comprehensions are not allowed", "write the value itself"),
    ast.DictComp: ("comprehensions are not allowed", "write the value itself"),
    ast.GeneratorExp: ("comprehensions are not allowed", "write the value itself"),
    ast.JoinedStr: ("texts are not allowed", "use whole numbers and names"),
    ast.Tuple: ("a comma has no meaning here", "write one formula, or min(a, b) or max(a, b)"),
    ast.List: ("lists are not allowed", "use whole numbers and names"),
    ast.Set: ("braces are not allowed", "use round parentheses"),
    ast.Dict: ("braces are not allowed", "use round parentheses"),
    ast.Starred: ("'*' needs a value on its left", "write a * b"),
}
_ODD = ("this is not allowed", "use whole numbers and names")

_ARITHMETIC: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
}

_COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}


class _Compiler:
    """Turns one text into steps, or says what is wrong with it."""

    def __init__(self, text: str, names: Collection[str], place: str) -> None:
        self.text = text
        self.known = names
        self.place = place
        self.used: set[str] = set()

    def compile(self) -> tuple[frozenset[str], _Step]:
        tree = self.tree()
        step = self.step(tree, 1)
        self.try_constants(tree)
        return frozenset(self.used), step

    def problem(self, column: int, wrong: str, instead: str) -> FormulaError:
        """What is wrong at a column, counted in characters from 0."""
        begin = max(0, column - SHOWN // 2) if len(self.text) > SHOWN else 0
        before, after = "... " * (begin > 0), " ..." * (begin + SHOWN < len(self.text))
        shown = before + self.text[begin : begin + SHOWN] + after
        caret = " " * (len(before) + column - begin) + "^"
        return FormulaError(Problem(self.place, f"{wrong}; {instead}\n    {shown}\n    {caret}"))

    def problem_at(self, node: ast.expr, wrong: str, instead: str) -> FormulaError:
        return self.problem(self.column(node.col_offset), wrong, instead)

    def problem_behind(self, node: ast.expr, wrong: str, instead: str) -> FormulaError:
        return self.problem(self.sign_behind(node), wrong, instead)

    def column(self, offset: int | None) -> int:
        """The column of a syntax tree's offset, which counts bytes."""
        return len(self.text.encode()[:offset].decode(errors="ignore"))

    def sign_behind(self, node: ast.expr) -> int:
        """The column of the sign behind a value and its closing parentheses; the tree does not keep it."""
        behind = self.text[self.column(node.end_col_offset) :]
        return len(self.text) - len(behind.lstrip(" )"))

    def tree(self) -> ast.expr:
        if not self.text:
            raise self.problem(0, "the formula is empty", "write a whole number or a formula")
        if len(self.text) > LONGEST:
            wrong = f"the formula has {len(self.text):,} characters, more than {LONGEST:,}"
            raise self.problem(LONGEST, wrong, "split it into several formulas")
        for pattern, wrong, instead in _HABITS:
            if habit := re.search(pattern, self.text):
                raise self.problem(habit.start(), wrong, instead)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # "1if x else 2" is odd, not wrong
                return ast.parse(self.text, mode="eval").body
        except SyntaxError as problem:
            raise self.unreadable(problem) from None
        except ValueError:
            raise self.problem(0, "the formula holds a sign that no formula can hold", "type it anew") from None
        except (RecursionError, MemoryError):
            raise self.too_deep(0) from None

    def too_deep(self, column: int) -> FormulaError:
        return self.problem(column, f"the formula is nested more than {DEEPEST} deep", "split it into several formulas")

    def unreadable(self, found: SyntaxError) -> FormulaError:
        """What Python's reader stumbled over, in our words."""
        column = min(found.offset - 1, len(self.text)) if found.offset else len(self.text)
        if "too many nested" in found.msg:
            return self.too_deep(column)
        if self.text.count("(") != self.text.count(")"):
            return self.problem(column, "a parenthesis stands alone", "every '(' needs its ')'")
        if "expected 'else'" in found.msg:
            return self.problem(column, "this 'if' has no 'else'", "write x if condition else y")
        if column == len(self.text):
            return self.problem(column, "the formula breaks off", "write what is missing here")
        allowed = "write whole numbers, names, + - * // %, comparisons, 'and', 'or', 'not' and parentheses"
        return self.problem(column, "the formula cannot be read from here on", allowed)

    # -- parts without names ------------------------------------------------------------------------------------------

    def try_constants(self, node: ast.expr) -> None:
        """Works out every part that holds no name, so that what can only fail is told before anything is played."""
        value = self.constant(node)
        if value is not None:
            if abs(value) > LARGEST_HELD:
                raise self.problem_at(node, "the number is beyond what an array holds (2**63)", "use smaller ones")
            return
        match node:
            case ast.BinOp(op=ast.FloorDiv() | ast.Mod(), right=divisor) if self.constant(divisor) == 0:
                raise self.division_by_zero(node)
        for part in node.args if isinstance(node, ast.Call) else ast.iter_child_nodes(node):
            if isinstance(part, ast.expr):
                self.try_constants(part)

    def constant(self, node: ast.expr) -> int | float | None:
        """What a part without names is worth; None if it holds one."""
        if any(isinstance(part, ast.Name) and part.id in self.known for part in ast.walk(node)):
            return None
        value = self.step(node, 1)(_Asked(_no_names))
        assert isinstance(value, (int, float))
        return value

    def division_by_zero(self, node: ast.BinOp) -> FormulaError:
        remedy = "write a // max(1, b), or a // b if b > 0 else 0"
        return self.problem_behind(node.left, "this divides by zero", remedy)

    # -- one method per kind of node ----------------------------------------------------------------------------------

    def step(self, node: ast.expr, depth: int) -> _Step:
        if depth > DEEPEST:
            raise self.too_deep(self.column(node.col_offset))
        match node:
            case ast.Constant():
                return self.literal(node)
            case ast.Name():
                return self.name(node)
            case ast.BinOp():
                return self.arithmetic(node, depth)
            case ast.UnaryOp():
                return self.unary(node, depth)
            case ast.BoolOp():
                parts = [self.step(part, depth + 1) for part in node.values]
                return _all_of(parts) if isinstance(node.op, ast.And) else _any_of(parts)
            case ast.Compare():
                return self.comparison(node, depth)
            case ast.IfExp():
                condition, if_true, if_false = (
                    self.step(part, depth + 1) for part in (node.test, node.body, node.orelse)
                )
                return _either(condition, if_true, if_false)
            case ast.Call():
                return self.call(node, depth)
            case ast.Attribute() | ast.Subscript():
                raise self.problem_behind(node.value, *_NOT_HERE[type(node)])
            case _:
                raise self.problem_at(node, *_NOT_HERE.get(type(node), _ODD))

    def literal(self, node: ast.Constant) -> _Step:
        value = node.value
        if isinstance(value, (float, complex)):
            raise self.problem_at(node, "only whole numbers are allowed", "for shares write hp * 2 < max_hp")
        if isinstance(value, (str, bytes)):
            raise self.problem_at(node, "texts are not allowed", "use whole numbers and names, without quotes")
        if not isinstance(value, int):
            raise self.problem_at(node, f"{value} is not allowed", "use whole numbers and names")
        if value > LARGEST:
            raise self.problem_at(node, f"the number is above {LARGEST:,}", "use a smaller one")
        return lambda asked: value

    def name(self, node: ast.Name) -> _Step:
        name = node.id
        if name not in self.known:
            if name in FUNCTIONS:
                raise self.problem_at(node, f"'{name}' is a function", f"write {name}(...) with its values")
            if name in ("true", "false"):  # as TOML has them; Python's own True and False are literals
                return lambda asked: name == "true"
            nearest = did_you_mean(name, self.known).removeprefix("; ")
            names = f"(known: {', '.join(sorted(self.known))})" if self.known else "(no names are known here)"
            raise self.problem_at(node, f"unknown name '{name}'", f"{nearest} {names}".strip())
        self.used.add(name)
        return lambda asked: asked[name]

    def arithmetic(self, node: ast.BinOp, depth: int) -> _Step:
        left, right = self.step(node.left, depth + 1), self.step(node.right, depth + 1)
        if isinstance(node.op, (ast.FloorDiv, ast.Mod)):
            divide = operator.floordiv if isinstance(node.op, ast.FloorDiv) else operator.mod
            return _division(divide, left, right, lambda: self.division_by_zero(node))
        if type(node.op) not in _ARITHMETIC:
            raise self.problem_behind(node.left, *_NOT_HERE[type(node.op)])
        combine = _ARITHMETIC[type(node.op)]
        return lambda asked: combine(_number(left(asked)), _number(right(asked)))

    def unary(self, node: ast.UnaryOp, depth: int) -> _Step:
        if type(node.op) in _NOT_HERE:
            raise self.problem_at(node, *_NOT_HERE[type(node.op)])
        part = self.step(node.operand, depth + 1)
        if isinstance(node.op, ast.Not):
            return lambda asked: _negated(_truth(part(asked)))
        return lambda asked: -_number(part(asked))

    def comparison(self, node: ast.Compare, depth: int) -> _Step:
        parts = [node.left, *node.comparators]
        for left, sign in zip(parts, node.ops, strict=False):
            if type(sign) not in _COMPARISONS:
                raise self.problem_behind(left, *_NOT_HERE[type(sign)])
        first, *rest = (self.step(part, depth + 1) for part in parts)
        return _chain(first, [(_COMPARISONS[type(sign)], part) for sign, part in zip(node.ops, rest, strict=True)])

    def call(self, node: ast.Call, depth: int) -> _Step:
        known = f"(functions: {', '.join(FUNCTIONS)})"
        if not isinstance(node.func, ast.Name):
            raise self.problem_at(node.func, "this is not a function", known)
        function = node.func.id
        if function not in FUNCTIONS:
            if function in self.known:
                raise self.problem_behind(node.func, f"'{function}' is a value, not a function", "write it alone")
            nearest = did_you_mean(function, FUNCTIONS).removeprefix("; ")
            raise self.problem_at(node.func, f"unknown function '{function}'", f"{nearest} {known}".strip())
        if node.keywords:
            raise self.problem_at(node.keywords[0].value, "a call takes plain values only", "write the value alone")
        given = len(node.args)
        fits, wanted = {
            "abs": (given == 1, "one value: abs(a)"),
            "ratio": (given == 2, "two values: ratio(a, b)"),
        }.get(function, (given >= 2, f"two values or more: {function}(a, b)"))
        if not fits:
            raise self.problem_at(node.func, f"'{function}' has {given} of its values", f"it takes {wanted}")
        parts = [self.step(part, depth + 1) for part in node.args]
        if function == "abs":
            return lambda asked: abs(_number(parts[0](asked)))
        if function == "ratio":
            return lambda asked: _ratio(_number(parts[0](asked)), _number(parts[1](asked)))
        return _extreme(parts, least=function == "min")


# ---------------------------------------------------------------------------------------------------------------------
# The steps: each takes the names of one evaluation and gives a number or an array
# ---------------------------------------------------------------------------------------------------------------------


def _known_kind(name: str, value: Any) -> Value:
    """A Python number, or an array of bool, whole numbers or float64: what the steps are written for."""
    if isinstance(value, np.ndarray) and value.ndim:
        if value.dtype == np.bool_ or np.issubdtype(value.dtype, np.signedinteger):
            return value  # small ones are compared as they are, and made wide for arithmetic
        if np.issubdtype(value.dtype, np.integer):
            return value.astype(np.int64)
        if np.issubdtype(value.dtype, np.floating):
            return value.astype(np.float64, copy=False)
    elif isinstance(value, (int, float)):
        if type(value) in (int, bool, float):
            return value
        return int(value) if isinstance(value, int) else float(value)  # an IntEnum; a number out of NumPy
    elif isinstance(value, (np.ndarray, np.generic)) and isinstance(value.item(), (int, float)):
        plain: int | float = value.item()
        return plain
    raise TypeError(f"the name {name!r} stands for {value!r}; expected a number or an array of numbers")


def _wide(value: Value) -> Any:
    """Arrays of small numbers as int64, which does not overflow."""
    if isinstance(value, np.ndarray) and value.dtype not in (np.bool_, np.float64):
        return value.astype(np.int64, copy=False)
    return value


def _number(value: Value) -> Any:
    """For arithmetic: wide, and a truth value counts as 0 or 1."""
    if isinstance(value, np.ndarray):
        return value.astype(np.int64) if value.dtype == np.bool_ else _wide(value)
    return int(value) if value is True or value is False else value


def _comparable(value: Value) -> Any:
    """For comparisons: as small as it is, and a truth value counts as 0 or 1."""
    if isinstance(value, np.ndarray):
        return value.view(np.int8) if value.dtype == np.bool_ else value
    return int(value) if value is True or value is False else value


def _truth(value: Value) -> bool | NDArray[np.bool_]:
    """Everything but 0 counts as true."""
    if isinstance(value, np.ndarray):
        return value if value.dtype == np.bool_ else value != 0
    return bool(value)


def _negated(truth: bool | NDArray[np.bool_]) -> bool | NDArray[np.bool_]:
    return ~truth if isinstance(truth, np.ndarray) else not truth


def _all_of(parts: list[_Step]) -> _Step:
    def step(asked: _Asked) -> Value:
        so_far: bool | NDArray[np.bool_] = True
        for part in parts:
            truth = _truth(part(asked))
            if truth is False:
                return False
            if truth is not True:
                so_far = truth if so_far is True else so_far & truth
        return so_far

    return step


def _any_of(parts: list[_Step]) -> _Step:
    def step(asked: _Asked) -> Value:
        so_far: bool | NDArray[np.bool_] = False
        for part in parts:
            truth = _truth(part(asked))
            if truth is True:
                return True
            if truth is not False:
                so_far = truth if so_far is False else so_far | truth
        return so_far

    return step


def _chain(first: _Step, rest: list[tuple[Callable[[Any, Any], Any], _Step]]) -> _Step:
    """1 <= x <= 3: every neighbouring pair must hold, and each value is computed once."""

    def step(asked: _Asked) -> Value:
        left = _comparable(first(asked))
        so_far: bool | NDArray[np.bool_] = True
        for compare, part in rest:
            right = _comparable(part(asked))
            holds = compare(left, right)
            if holds is False:
                return False
            if holds is not True:
                so_far = holds if so_far is True else so_far & holds
            left = right
        return so_far

    return step


def _either(condition: _Step, if_true: _Step, if_false: _Step) -> _Step:
    def step(asked: _Asked) -> Value:
        truth = _truth(condition(asked))
        if isinstance(truth, np.ndarray):
            return np.where(truth, _wide(if_true(asked)), _wide(if_false(asked)))
        return if_true(asked) if truth else if_false(asked)

    return step


def _division(
    divide: Callable[[Any, Any], Any], left: _Step, right: _Step, by_zero: Callable[[], FormulaError]
) -> _Step:
    def step(asked: _Asked) -> Value:
        dividend, divisor = _number(left(asked)), _number(right(asked))
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


def _ratio(part: Any, whole: Any) -> Value:
    if not isinstance(part, np.ndarray) and not isinstance(whole, np.ndarray):
        return 0.0 if whole == 0 else float(part / whole)
    nothing = np.asarray(whole) == 0
    return np.where(nothing, 0.0, part / np.where(nothing, 1, whole))


def _extreme(parts: list[_Step], *, least: bool) -> _Step:
    of_arrays = np.minimum if least else np.maximum
    of_numbers = min if least else max

    def step(asked: _Asked) -> Value:
        best = _number(parts[0](asked))
        for part in parts[1:]:
            value = _number(part(asked))
            if isinstance(best, np.ndarray) or isinstance(value, np.ndarray):
                best = of_arrays(best, value)
            else:
                best = of_numbers(best, value)
        return best

    return step
