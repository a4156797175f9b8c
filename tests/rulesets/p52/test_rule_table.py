"""Every rule of the table is named by the engine and shown by a test."""

from pathlib import Path
from types import SimpleNamespace

from sim.rulesets.p52 import RULESET
from sim.testing import rule_gaps


def test_every_rule_is_in_the_engine_and_in_a_test() -> None:
    gaps = rule_gaps(RULESET, Path(__file__).parent)

    assert not gaps["undocumented"], f"no docstring of the engine names {', '.join(gaps['undocumented'])}"
    assert not gaps["untested"], f"no test is marked with {', '.join(gaps['untested'])}"
    assert not gaps["unknown"], f"tests are marked with ids that rules.toml does not have: {', '.join(gaps['unknown'])}"


def test_every_rule_has_a_sentence_of_its_own() -> None:
    sentences = list(RULESET.rules.values())

    assert len(set(sentences)) == len(sentences)
    assert all(sentence.endswith(".") and len(sentence) > 20 for sentence in sentences)


# The check itself.

ENGINE = '''
"""Module: AB-9 here does not count."""

def strike():
    """AB-1, AB-2: strikes. AB-4 to AB-6 come later, and so does AB-77."""

class Shield:
    """AB-3: shields."""
'''
TESTS = """
import pytest

@pytest.mark.rule("AB-1", "AB-8")
def test_strike(): ...

@pytest.mark.rule("AB-2")
def helper(): ...
"""


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
