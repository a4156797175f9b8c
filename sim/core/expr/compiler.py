"""From the text of a formula to its steps, or to what is wrong with it and what to write instead."""

from __future__ import annotations

import ast
import operator
import re
import warnings
from collections.abc import Callable, Collection
from typing import Any

from sim.core.expr.steps import (
    Asked,
    Step,
    all_of,
    any_of,
    chain,
    division,
    either,
    extreme,
    held_product,
    negated,
    number,
    ratio,
    truth_of,
)
from sim.errors import FormulaError, Problem, did_you_mean

LONGEST = 1_000  # characters
DEEPEST = 50  # levels of nesting
LARGEST = 10**9  # literal
LARGEST_HELD = 2**63 - 1  # by an array
SAFE_FACTORS = 3  # names whose product an array holds, whatever the game: none gives numbers beyond two million
SHOWN = 100  # characters of a long formula in a message

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


def _factors(node: ast.AST) -> int:
    """How many names are multiplied with one another, at most."""
    if isinstance(node, ast.Name):
        return 1
    parts = [_factors(part) for part in ast.iter_child_nodes(node)]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        return sum(parts)
    return max(parts, default=0)


class Compiler:
    """Turns one text into steps, or says what is wrong with it."""

    def __init__(self, text: str, names: Collection[str], place: str) -> None:
        self.text = text
        self.known = names
        self.place = place
        self.used: set[str] = set()

    def compile(self) -> tuple[frozenset[str], Step]:
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
        value = self.step(node, 1)(Asked(_no_names))
        assert isinstance(value, (int, float))
        return value

    def division_by_zero(self, node: ast.BinOp) -> FormulaError:
        remedy = "write a // max(1, b), or a // b if b > 0 else 0"
        return self.problem_behind(node.left, "this divides by zero", remedy)

    # -- one method per kind of node ----------------------------------------------------------------------------------

    def step(self, node: ast.expr, depth: int) -> Step:
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
                return all_of(parts) if isinstance(node.op, ast.And) else any_of(parts)
            case ast.Compare():
                return self.comparison(node, depth)
            case ast.IfExp():
                condition, if_true, if_false = (
                    self.step(part, depth + 1) for part in (node.test, node.body, node.orelse)
                )
                return either(condition, if_true, if_false)
            case ast.Call():
                return self.call(node, depth)
            case ast.Attribute() | ast.Subscript():
                raise self.problem_behind(node.value, *_NOT_HERE[type(node)])
            case _:
                raise self.problem_at(node, *_NOT_HERE.get(type(node), _ODD))

    def literal(self, node: ast.Constant) -> Step:
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

    def name(self, node: ast.Name) -> Step:
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

    def arithmetic(self, node: ast.BinOp, depth: int) -> Step:
        left, right = self.step(node.left, depth + 1), self.step(node.right, depth + 1)
        if isinstance(node.op, (ast.FloorDiv, ast.Mod)):
            divide = operator.floordiv if isinstance(node.op, ast.FloorDiv) else operator.mod
            return division(divide, left, right, lambda: self.division_by_zero(node))
        if type(node.op) not in _ARITHMETIC:
            raise self.problem_behind(node.left, *_NOT_HERE[type(node.op)])
        combine = _ARITHMETIC[type(node.op)]
        if isinstance(node.op, ast.Mult) and _factors(node) > SAFE_FACTORS:
            combine = held_product
        return lambda asked: combine(number(left(asked)), number(right(asked)))

    def unary(self, node: ast.UnaryOp, depth: int) -> Step:
        if type(node.op) in _NOT_HERE:
            raise self.problem_at(node, *_NOT_HERE[type(node.op)])
        part = self.step(node.operand, depth + 1)
        if isinstance(node.op, ast.Not):
            return lambda asked: negated(truth_of(part(asked)))
        return lambda asked: -number(part(asked))

    def comparison(self, node: ast.Compare, depth: int) -> Step:
        parts = [node.left, *node.comparators]
        for left, sign in zip(parts, node.ops, strict=False):
            if type(sign) not in _COMPARISONS:
                raise self.problem_behind(left, *_NOT_HERE[type(sign)])
        first, *rest = (self.step(part, depth + 1) for part in parts)
        return chain(first, [(_COMPARISONS[type(sign)], part) for sign, part in zip(node.ops, rest, strict=True)])

    def call(self, node: ast.Call, depth: int) -> Step:
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
            return lambda asked: abs(number(parts[0](asked)))
        if function == "ratio":
            return lambda asked: ratio(number(parts[0](asked)), number(parts[1](asked)))
        return extreme(parts, least=function == "min")


def _no_names(name: str) -> Any:
    raise KeyError(name)
