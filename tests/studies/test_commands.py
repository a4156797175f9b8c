"""The questions on the command line: each runs, prints its verdict, and leaves with the right status."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sim.cli import main

FIGHT = "overhill/playtest-1-ladder"

COMMANDS = {
    "compare": ["compare", FIGHT, "--variant", "one more: enemies.skeleton.count=4; policy=cautious", "--runs", "300"],
    "sweep": ["sweep", FIGHT, "--knob", "enemies.skeleton.count=2..4", "--runs", "300"],
    "scale": ["scale", FIGHT, "--levels", "1..3", "--with-policy", "plain", "--runs", "300"],
    "tune": ["tune", FIGHT, "--knob", "enemies.skeleton.count=1..6", "--target", "win_rate=60%", "--precision", "4"],
    "sensitivity": ["sensitivity", FIGHT, "--only", "zombie melee", "--runs", "300"],
    "ladder": ["ladder", FIGHT, "--rung", "plain", "--rung", "cautious", "--without", "dart", "--runs", "300"],
    "improve": ["improve", FIGHT, "--generations", "1", "--runs", "300"],
    "parties": ["parties", FIGHT, "--size", "2", "--of", "warrior,priest", "--runs", "300"],
    "price": ["price", FIGHT, "--units", "skeleton,zombie", "--runs", "60", "--precision", "80"],
    "why": ["why", FIGHT, "--runs", "300", "--curves", "4", "--again", "20"],
}


def status_of(arguments: list[str]) -> int:
    """The exit status of a command."""
    with pytest.raises(SystemExit) as left:
        main(arguments)
    return int(left.value.code or 0)


@pytest.mark.parametrize("question", COMMANDS)
def test_every_question_is_a_command(question: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    status = status_of([*COMMANDS[question], "--out", str(tmp_path / "out")])

    shown = capsys.readouterr()
    assert status == 0, shown.err
    assert "encounters in" in shown.out
    assert json.loads((tmp_path / "out" / "study.json").read_text())["command"].startswith("fairfight")


@pytest.mark.parametrize("question", COMMANDS)
def test_every_question_prints_json(question: str, capsys: pytest.CaptureFixture[str]) -> None:
    status = status_of([*COMMANDS[question], "--json"])

    document = json.loads(capsys.readouterr().out)
    assert status == 0
    assert document["question"] == question
    assert document["verdicts"]


def test_a_variant_without_a_name_is_called_by_what_it_changes(capsys: pytest.CaptureFixture[str]) -> None:
    variants = ["--variant", "enemies.skeleton.count=4", "--variant", "policy=focus_expert; level=2"]

    status_of(["compare", FIGHT, *variants, "--runs", "100", "--json"])

    document = json.loads(capsys.readouterr().out)
    names = ["four skeletons", "policy focus expert and level 2"]
    assert [row["variant"] for row in document["tables"]["differences"]["rows"]] == names
    assert document["settings"]["variants"][names[0]] == ["--set enemies.skeleton.count=4"]


def test_a_gate_leaves_with_3_if_a_claim_is_broken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "gate.toml"
    claim = '[[claims]]\nscenario = "overhill/playtest-1"\nwin_rate = { %s = 0.9 }\n'

    file.write_text(claim % "least")
    held = status_of(["gate", str(file)])
    file.write_text(claim % "most")
    broken = status_of(["gate", str(file)])

    assert (held, broken) == (0, 3)
    assert "does not hold" in capsys.readouterr().out


def test_a_study_file_is_run_and_two_of_them_set_against_each_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "ask.toml"
    file.write_text('question = "sweep"\nscenario = "overhill/playtest-1"\nruns = 300\nknobs = { level = [1, 2] }\n')

    first = status_of(["study", str(file)])
    second = status_of(["study", str(file), "--seed", "5", "--out", "other"])
    compared = status_of(["diff", "reports/ask", "other"])

    assert (first, second, compared) == (0, 0, 0)
    assert "No number moved beyond noise" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["compare", FIGHT, "--variant", "bad: enemies.ghost.count=3"], "no entry of enemies is called 'ghost'"),
        (["compare", FIGHT, "--variant", "nothing"], "expected path=value"),
        (["sweep", FIGHT, "--knob", "level=9..11"], "from 1 to 10"),
        (["sweep", FIGHT, "--knob", "level=1..3/0"], "expected a span such as"),
        (["ladder", FIGHT, "--without", "flying"], "nobody in the party has 'flying' (known: melee"),
        (["scale", FIGHT, "--levels", "one"], "expected whole numbers"),
        (["tune", FIGHT, "--knob", "level", "--target", "fun=1"], "expected MEASURE=VALUE"),
        (["gate", "nowhere.toml"], "no such file"),
        (["study", "nowhere.toml"], "no such file"),
        (["diff", "nowhere", "elsewhere"], "no such file or folder"),
        (["compare", FIGHT, "--variant", "level=2", "--runs", "9", "--precision", "1"], "give one of them"),
        (["compare", FIGHT, "--variant", "level=2", "--confidence", "0.9999999999999999"], "0.5<=x<=0.999999"),
        (["compare", FIGHT, "--variant", "level=2", "--confidence", "nan"], "from 0.5 to 0.999999, found nan"),
        (["compare", FIGHT, "--variant", "level=2", "--margin", "inf"], "inf is not in the range 0<x<=1000000"),
        (["compare", FIGHT, "--variant", "level=2", "--margin", "nan"], "above 0, at most 1,000,000, found nan"),
        (["compare", FIGHT, "--variant", "level=2", "--precision", "inf"], "inf is not in the range 0<x<=1000000"),
        (["sweep", FIGHT, "--knob", "level=1..2", "--iso", "inf"], "inf is not in the range"),
        (["sweep", FIGHT, "--knob", "level=1..2", "--iso", "nan"], "iso: expected numbers up to 1,000,000, found nan"),
        (["compare", FIGHT, "--variant", "x: level=2", "--variant", "x: level=3"], "'x' is given twice"),
    ],
)
def test_mistakes_leave_with_2_and_no_traceback(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status = status_of(arguments)

    shown = capsys.readouterr().err
    assert status == 2
    assert message in shown
    assert "Traceback" not in shown
