"""Formulas of scenario files: whole numbers, + - * //, max, min and a few names; never Python's own eval."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import cache

Formula = Callable[[int, int, int], int]  # L, R, O -> value

OPERATIONS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.FloorDiv: lambda a, b: a // b,
}
NAMES: dict[str, Formula] = {"L": lambda l, r, o: l, "R": lambda l, r, o: r, "O": lambda l, r, o: o}  # noqa: E741
CALLS: dict[str, Callable[..., int]] = {"max": max, "min": min}


@cache
def formula(text: str | int) -> Formula:
    """The formula as a function of L, R and O.

    >>> formula("9 - L + R")(1, 3, 0)
    11
    """
    if isinstance(text, int):
        return lambda l, r, o: text  # noqa: E741
    return compiled(ast.parse(text, mode="eval").body, text)


def compiled(node: ast.expr, text: str) -> Formula:
    """One node of the formula as a function."""
    if isinstance(node, ast.Constant) and type(node.value) is int:
        value = node.value
        return lambda l, r, o: value  # noqa: E741
    if isinstance(node, ast.Name) and node.id in NAMES:
        return NAMES[node.id]
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATIONS:
        left, right, operation = compiled(node.left, text), compiled(node.right, text), OPERATIONS[type(node.op)]
        return lambda l, r, o: operation(left(l, r, o), right(l, r, o))  # noqa: E741
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = compiled(node.operand, text)
        return lambda l, r, o: -inner(l, r, o)  # noqa: E741
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CALLS:
        parts, call = [compiled(part, text) for part in node.args], CALLS[node.func.id]
        return lambda l, r, o: call(*(part(l, r, o) for part in parts))  # noqa: E741
    raise ValueError(f"formula {text!r}: only whole numbers, + - * //, max, min, L, R and O are known")
