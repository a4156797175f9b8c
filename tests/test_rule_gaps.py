"""The check that finds rules without a docstring or a test."""

from pathlib import Path
from types import SimpleNamespace

from sim.testing import rule_gaps

ENGINE = '''
"""Module: AB-9 here does not count."""

def strike():
    """AB-1, AB-2: strikes. AB-4 to AB-6 come later, and so does AB-77."""

class Shield:
    """AB-3: shields."""
'''
TESTS = '''
import pytest

@pytest.mark.rule("AB-1", "AB-8")
def test_strike(): ...

@pytest.mark.rule("AB-2")
def helper(): ...
'''


def test_a_gap_is_found_wherever_it_is(tmp_path: Path) -> None:
    engine, tests = tmp_path / "engine", tmp_path / "tests"
    solver = 'def solve():\n    """AB-5: told a second time."""'
    for file, text in ((engine / "rules.py", ENGINE), (engine / "exact.py", solver), (tests / "test_a.py", TESTS)):
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
    game = SimpleNamespace(folder=engine, rules={f"AB-{n}": "." for n in (1, 2, 3, 4, 5, 6, 7, 9)})

    gaps = rule_gaps(game, tests)  # type: ignore[arg-type]

    assert gaps["undocumented"] == ["AB-5", "AB-7", "AB-9"]
    assert gaps["untested"] == ["AB-2", "AB-3", "AB-4", "AB-5", "AB-6", "AB-7", "AB-9"]
    assert gaps["unknown"] == ["AB-8"]
