"""Every rule of the table stands in a docstring of the engine and in a test that shows it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from pathlib import Path

from sim.rulesets.second_era import RULESET

RULE = re.compile(r"SE-([A-Z])(\d+)(?: to SE-\1(\d+))?")


def named(texts: Iterable[str]) -> set[str]:
    """The rule ids in texts; 'SE-M2 to SE-M4' names all three."""
    found = set()
    for text in texts:
        for letter, low, high in RULE.findall(text):
            found |= {f"SE-{letter}{number}" for number in range(int(low), int(high or low) + 1)}
    return found


def docstrings(folder: Path) -> Iterable[str]:
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
                yield ast.get_docstring(node) or ""


def markers(folder: Path) -> Iterable[str]:
    for path in folder.glob("test_*.py"):
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith("@pytest.mark.rule("):
                yield line


def test_every_rule_stands_in_a_docstring() -> None:
    assert set(RULESET.rules) - named(docstrings(RULESET.folder)) == set()


def test_every_rule_is_shown_by_a_test() -> None:
    assert set(RULESET.rules) - named(markers(Path(__file__).parent)) == set()


def test_no_test_or_docstring_names_a_rule_that_there_is_not() -> None:
    known = named(docstrings(RULESET.folder)) | named(markers(Path(__file__).parent))

    assert known - set(RULESET.rules) == set()
