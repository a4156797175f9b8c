"""Text from files is shown as text: by terminals, by spreadsheets, in figures; and odd names have a word."""

from __future__ import annotations

import csv
import json
import os
import re
import subprocess
import sys
import warnings
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sim
from sim.cli.commands import _status
from sim.core.plain_text import CODES, cleaned
from sim.report.spreadsheet import as_cell
from tests.processes import PATIENCE, ROOT

FIGHT = ROOT / "sim/rulesets/overhill/scenarios/duel-skeleton.toml"
CODED = "\x1b[31mred\x07\x9b2J\x7f\u202eevil"
WRITTEN = r"\u001b[31mred\u0007\u009b2J\u007f\u202eevil"
OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def hostile(folder: Path, name: str = WRITTEN) -> str:
    """The duel with a hostile title, description and hero."""
    text = FIGHT.read_text(encoding="utf-8")
    text = re.sub(r"(?m)^title = .*", f'title = "{name}"\ndescription = "{name}"'.replace("\\", r"\\"), text)
    text = re.sub(r"(?m)^\[\[heroes\]\]", f'[[heroes]]\nname = "{name}"'.replace("\\", r"\\"), text, count=1)
    file = folder / "hostile.toml"
    file.write_text(re.sub(r"(?m)^description = (?!\"" + re.escape(name) + ").*", "", text), encoding="utf-8")
    return str(file)


@pytest.mark.parametrize(
    "words",
    [
        ["run", "FILE", "--runs", "20"],
        ["run", "FILE", "--runs", "20", "--json"],
        ["show", "FILE"],
        ["show", "FILE", "--toml"],
        ["show", "FILE", "--json"],
        ["check", "FILE"],
        ["replay", "FILE", "--run", "1"],
        ["exact", "FILE"],
        ["compare", "FILE", "--variant", f"{CODED}: level=2", "--runs", "20"],
        ["run", "FILE", "--set", f"{CODED}=1"],
        ["run", f"{CODED}.toml"],
        ["list", CODED],
        [CODED],
    ],
    ids=lambda words: " ".join(words).replace(CODED, "CODED"),
)
def test_no_code_from_a_file_or_a_word_reaches_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    file = hostile(tmp_path)

    status = _status([file if word == "FILE" else word for word in words], debug=False)

    shown = capsys.readouterr()
    assert status in (0, 2)
    assert "evil" in shown.out + shown.err
    assert not OBEYED.search(shown.out + shown.err)


def test_a_difference_of_two_results_shows_no_code_either(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = hostile(tmp_path)
    for name, words in (("a", []), ("b", ["--set", "heroes.0.name=plain"])):
        assert _status(["run", file, "--runs", "20", *words, "--out", str(tmp_path / name)], debug=False) == 0
    capsys.readouterr()

    assert _status(["diff", str(tmp_path / "a"), str(tmp_path / "b")], debug=False) == 0

    shown = capsys.readouterr().out
    assert "evil" in shown
    assert not OBEYED.search(shown)


def test_json_and_toml_still_say_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = hostile(tmp_path)

    assert _status(["show", file, "--json"], debug=False) == 0
    document = json.loads(capsys.readouterr().out)
    assert _status(["show", file, "--toml"], debug=False) == 0
    again = tmp_path / "again.toml"
    again.write_text(capsys.readouterr().out, encoding="utf-8")

    assert document["title"] == CODED
    assert sim.load(again).title == CODED


@given(st.text())
def test_cleaned_text_differs_in_codes_alone(text: str) -> None:
    assert len(cleaned(text)) == len(text)
    assert all(new == old or CODES.fullmatch(old) for new, old in zip(cleaned(text), text, strict=True))
    assert cleaned("two\n\tlines – ‘quoted’ 日本") == "two\n\tlines – ‘quoted’ 日本"


# -------------------------------------------------------------------------------------------------------- spreadsheets


FORMULAS = ["+1+1", "-2+3", "@SUM(A1)", r"\tx"]


@pytest.mark.parametrize(
    "name", ["=cmd|' /C calc'!A0", *(pytest.param(name, marks=pytest.mark.soak) for name in FORMULAS)]
)
def test_no_cell_of_a_csv_is_a_formula(tmp_path: Path, name: str) -> None:
    fight = sim.load(hostile(tmp_path, name))
    folders = [tmp_path / "run", tmp_path / "study"]

    sim.run(fight, runs=30, out=folders[0])
    sim.compare(fight, {f" {name}".strip() or "x": {"level": 2}}, runs=30, jobs=1, out=folders[1])

    cells = [
        cell
        for folder in folders
        for file in folder.glob("*.csv")
        for row in csv.reader(file.read_text(encoding="utf-8").splitlines())
        for cell in row
    ]
    begin = [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t"))]
    assert "'" + name.replace(r"\t", "\t") in cells
    assert all(float(cell) <= 0 for cell in begin)  # numbers stay numbers


@given(st.one_of(st.floats(allow_nan=False).map(str), st.integers().map(str)))
def test_numbers_stay_numbers(text: str) -> None:
    assert as_cell(text) == text


# --------------------------------------------------------------------------------------------------------------- names


def test_a_name_that_is_not_utf_8_has_a_clear_word(tmp_path: Path) -> None:
    odd = os.fsencode(tmp_path) + b"/caf\xe9.toml"
    Path(os.fsdecode(odd)).write_bytes(FIGHT.read_bytes())

    for words in ([b"run", odd, b"--runs", b"9"], [b"run", os.fsencode(FIGHT), b"--out", odd], [b"check", odd]):
        command = [os.fsencode(sys.executable), b"-m", b"sim", *words]
        shown = subprocess.run(command, cwd=ROOT, capture_output=True, timeout=PATIENCE, check=False)

        assert shown.returncode == 2
        assert b"caf\\xe9.toml: this name is not UTF-8; rename the file or folder" in shown.stderr


def test_new_leaves_a_schema_of_somebody_else_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    schema = tmp_path / "overhill.schema.json"
    schema.write_text("mine")

    status = _status(["new", "overhill", str(tmp_path / "a.toml")], debug=False)

    assert status == 2
    assert f"{schema}: is there already and says something else; --no-schema" in capsys.readouterr().err
    assert schema.read_text() == "mine"
    assert not (tmp_path / "a.toml").exists()
    assert _status(["new", "overhill", str(tmp_path / "a.toml"), "--no-schema"], debug=False) == 0
    assert _status(["new", "overhill", str(tmp_path / "b.toml"), "--force"], debug=False) == 0
    assert _status(["new", "overhill", str(tmp_path / "c.toml")], debug=False) == 0  # it says the same now
    assert json.loads(schema.read_text())


def test_names_in_other_scripts_warn_of_no_fonts(tmp_path: Path) -> None:
    fight = sim.load(hostile(tmp_path, "骷髅战士 с мечом"))

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = sim.run(fight, runs=30, out=tmp_path / "run")
        sim.compare(fight, {"骷髅": {"level": 2}}, runs=30, jobs=1, out=tmp_path / "study")

    assert "骷髅战士" in (tmp_path / "run/index.html").read_text(encoding="utf-8")
    assert result.runs_played == 30
