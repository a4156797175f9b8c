"""A study without a folder that is stopped on the way says what is known by then."""

from __future__ import annotations

import json
import os
import signal
from typing import Any

import pytest

import sim
from sim.cli import main
from sim.runs import workers
from sim.studies.cards import Bundle
from sim.studies.work import StudyStopped
from tests.studies.questions import FIGHT, QUESTIONS

QUIET: dict[str, Any] = {"seed": 3, "jobs": 1, "progress": False}
ON_THE_WAY = {  # the question, and after how many pieces there are some of every fight, and not all
    "compare": 30,
    "best": 50,
    "sweep": 20,
    "sweep to a precision": 60,
    "scale": 8,
    "sensitivity": 60,
    "race": 50,
    "ladder": 8,
    "parties": 8,
    "improve": 200,
    "why": 100,
}


@pytest.fixture
def press_after(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Ctrl-C is pressed when so many pieces of 50 runs have been played."""
    play = workers.play_piece
    monkeypatch.setattr("sim.studies.work.STRETCH", 50)
    monkeypatch.setattr("sim.studies.pool.TOGETHER", 1)  # every card by itself

    def arrange(pieces: int) -> list[Bundle]:
        played: list[Bundle] = []

        def watched(piece: Bundle) -> Any:
            found = play(piece)
            played.append(piece)
            if len(played) == pieces:
                os.kill(os.getpid(), signal.SIGINT)
            return found

        monkeypatch.setattr(workers, "play_piece", watched)
        return played

    return arrange


@pytest.mark.parametrize("question", ON_THE_WAY)
def test_a_stopped_study_tells_what_is_known_with_its_intervals(press_after: Any, question: str) -> None:
    played = press_after(ON_THE_WAY[question])

    with pytest.raises(StudyStopped, match=r"^Stopped on the way; the answer is that of what was finished") as stopped:
        QUESTIONS[question](**QUIET)

    answer = stopped.value.answer
    assert len(played) == ON_THE_WAY[question]
    assert "Stopped on the way" in answer.warnings[0]
    assert answer.settings["stopped"] is True
    assert answer.verdicts
    assert [row for table in answer.tables for row in table.flat() for key in row if key.endswith("_low")]
    assert 0 < answer.effort.encounters <= sum(piece.encounters for piece in played)


def test_the_numbers_of_a_stopped_study_are_those_of_the_runs_that_were_played(press_after: Any) -> None:
    press_after(6)  # two pieces of each of three fights
    knobs = {"enemies.skeleton.count": [1, 2, 3]}

    with pytest.raises(StudyStopped) as stopped:
        sim.sweep(FIGHT, knobs, runs=400, **QUIET)
    short = sim.sweep(FIGHT, knobs, runs=100, **QUIET)

    so_far, all_of_it = (answer.tables[0].flat() for answer in (stopped.value.answer, short))
    assert {row.pop("until") for row in so_far} == {"stopped"}
    assert {row.pop("until") for row in all_of_it} == {"all runs"}
    assert so_far == all_of_it
    assert stopped.value.answer.effort.encounters == short.effort.encounters == 300


def test_the_command_prints_the_answer_so_far_and_ends_with_130(
    press_after: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    press_after(7)
    words = ["sweep", FIGHT, "--knob", "enemies.skeleton.count=1..3", "--runs", "400", "--jobs", "1"]

    with pytest.raises(SystemExit) as left:
        main([*words, "--json"])

    shown = capsys.readouterr()
    document = json.loads(shown.out)
    assert left.value.code == 130
    assert document["settings"]["stopped"] is True
    assert all(row["win_rate_low"] is not None for row in document["tables"]["points"]["rows"])
    assert "Stopped on the way" in shown.err


@pytest.mark.parametrize(("question", "pieces"), [("sweep", 2), ("tune", 3), ("gate", 3)])
def test_a_study_that_has_nothing_to_say_yet_just_stops(press_after: Any, question: str, pieces: int) -> None:
    press_after(pieces)

    with pytest.raises(KeyboardInterrupt):
        QUESTIONS[question](**QUIET)


def test_a_signal_when_all_is_done_leaves_the_whole_answer(press_after: Any) -> None:
    press_after(8)  # the last one

    with pytest.raises(StudyStopped, match=r"^Stopped when all was done") as stopped:
        sim.sweep(FIGHT, {"enemies.skeleton.count": [1]}, runs=400, **QUIET)

    assert "stopped" not in stopped.value.answer.settings
    assert stopped.value.answer.effort.encounters == 400
