"""The check that finds rules without a docstring, a test or a full text, and switches without a rule."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from sim.core.rulebook import RULEBOOK, read_rulebook
from sim.core.switches import Switchboard
from sim.testing import assert_rules_covered, rule_gaps

ENGINE = '''
"""Module: AB-9 here does not count."""

def strike():
    """AB-1, AB-2: strikes. AB-4 to AB-6 come later, and so does AB-77. AB-Z1 is nowhere."""

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
SOLVER = 'def solve():\n    """AB-5: told a second time."""'


def game(folder: Path, page: str, engine: str, tests: str, switches: tuple[str, ...] = ()) -> SimpleNamespace:
    """A game with these texts; its tests are in `tests` beside its engine."""
    texts = {"engine/rules.py": engine, "engine/exact.py": SOLVER, f"engine/{RULEBOOK}": page, "tests/test_a.py": tests}
    for file, text in texts.items():
        (folder / file).parent.mkdir(exist_ok=True)
        (folder / file).write_text(text)
    table = {name: {"about": name, "default": "off", "values": ["off", "on"]} for name in switches}
    board = Switchboard.of({"switches": table, "presets": {}, "default_preset": ""})
    engine_folder = folder / "engine"
    return SimpleNamespace(folder=engine_folder, rules=read_rulebook(engine_folder / RULEBOOK).rules, switchboard=board)


def page_of(*rules: str) -> str:
    """A rulebook with these rules, each with a sentence and a text."""
    texts = [f"### {rule} A rule\n\nThis is what {rule} asks for.\n\nAnd in full.\n" for rule in rules]
    return "\n".join(["## All\n", *texts])


def test_a_gap_is_found_wherever_it_is(tmp_path: Path) -> None:
    rules = [f"AB-{n}" for n in (1, 2, 3, 4, 5, 6, 7, 9)]
    page = page_of(*rules) + "\nIt uses `sun`, and AB-Q7.\n\n## Switches without a rule\n\n"
    page += "- `moon`: not here.\n- `sun`: it is named above.\n- `sea`: there is none.\n"
    holed = game(tmp_path, page, ENGINE, TESTS, ("sun", "moon", "star"))

    gaps = rule_gaps(holed, tmp_path / "tests")  # type: ignore[arg-type]

    assert gaps["undocumented"] == ["AB-5", "AB-7", "AB-9"]
    assert gaps["untested"] == ["AB-2", "AB-3", "AB-4", "AB-5", "AB-6", "AB-7", "AB-9"]
    assert gaps["unknown"] == ["AB-8"]
    assert gaps["unwritten"] == ["AB-Z1"]
    assert gaps["unread"] == ["AB-Q7"]
    assert gaps["ruleless"] == ["star"]
    assert gaps["contradicted"] == ["sun", "sea"]


def test_every_gap_is_told_at_once(tmp_path: Path) -> None:
    page = page_of("AB-1", "AB-2") + "\n### AB-7 Too short\n\nOnly one sentence here.\n"
    engine = 'def strike():\n    """AB-1: strikes."""'
    broken = game(tmp_path, page, engine, TESTS, ("star",))

    with pytest.raises(AssertionError) as caught:
        assert_rules_covered(broken, tmp_path / "tests")  # type: ignore[arg-type]

    assert str(caught.value).splitlines() == [
        "no docstring of the engine names AB-2, AB-7",
        "no test is marked with AB-2, AB-7",
        "tests are marked with ids that the rulebook does not have: AB-8",
        "no rule of the rulebook names these switches, nor are they listed as touching none: star",
        "AB-7: expected the rule in full after its sentence",
    ]


def test_a_game_without_gaps_passes(tmp_path: Path) -> None:
    page = page_of("AB-1") + "\nIt uses `sun` = on.\n"
    engine = 'def strike():\n    """AB-1: strikes."""'
    tests = 'import pytest\n\n@pytest.mark.rule("AB-1")\ndef test_strike(): ...\n'

    assert_rules_covered(game(tmp_path, page, engine, tests, ("sun",)), tmp_path / "tests")  # type: ignore[arg-type]
