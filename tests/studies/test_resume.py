"""Nothing that a study has finished is lost: whatever happens, its tables are those of an undisturbed one."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import sim
from sim.cli import main
from sim.errors import InputError, Interrupted, SimError
from sim.runs import workers
from sim.storage import Checkpoint
from sim.studies.answer import Answer
from sim.studies.cards import Card, CardPiece, Fight, card_digest
from tests.processes import PATIENCE, started
from tests.studies.crashing_study import SWEEP
from tests.studies.questions import FIGHT, QUESTIONS, SWEPT, found

ROOT = Path(__file__).parent.parent.parent
QUIET: dict[str, Any] = {"seed": 3, "jobs": 1, "progress": False}


@pytest.fixture(autouse=True)
def no_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures and page are no concern of these tests, and drawing them takes longer than the fights."""
    monkeypatch.setattr("sim.report.study_folder.answer_page", lambda answer, drawings: "page")
    monkeypatch.setattr("sim.report.study_folder.answer_drawings", lambda answer: [])


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the pieces that are played from now on in this process."""
    names: list[str] = []
    play = workers.play_piece

    def watched(piece: CardPiece) -> Any:
        names.append(name_of(piece))
        return play(piece)

    monkeypatch.setattr(workers, "play_piece", watched)
    return names


def name_of(piece: CardPiece) -> str:
    return f"{card_digest(piece.card)}-{piece.first:015d}-{piece.count}"


def pieces(folder: Path) -> list[str]:
    return sorted(path.stem for path in (folder / "checkpoint").glob("*.piece"))


def break_off(monkeypatch: pytest.MonkeyPatch, after: int, ask: Callable[[], Answer]) -> None:
    """The disk is full after so many pieces."""
    keep_it = Checkpoint.put
    written = 0

    def full(self: Checkpoint, *content: Any) -> None:
        nonlocal written
        if written == after:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written += 1
        keep_it(self, *content)

    with monkeypatch.context() as patched:
        patched.setattr(Checkpoint, "put", full)
        with pytest.raises(SimError, match=rf"No space left on device; {after} finished pieces are kept: .* --resume"):
            ask()


def sweep(folder: Path, **how: Any) -> Answer:
    return sim.sweep(how.pop("fight", FIGHT), how.pop("knobs", SWEPT), out=folder, **({"runs": 400} | QUIET | how))


@pytest.fixture
def broken_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A sweep of six points whose disk was full after three."""
    break_off(monkeypatch, 3, lambda: sweep(tmp_path / "study"))
    return tmp_path / "study"


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("undisturbed")
    sweep(folder)
    return found(folder)


# ------------------------------------------------------------------------------------------------------------ going on


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_question_goes_on_and_ends_as_if_undisturbed(
    question: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, played: list[str]
) -> None:
    ask = QUESTIONS[question]
    ask(out=tmp_path / "at once", **QUIET)
    all_of_it = set(played)
    break_off(monkeypatch, 2, lambda: ask(out=tmp_path / "study", **QUIET))
    kept = pieces(tmp_path / "study")
    played.clear()

    answer = ask(out=tmp_path / "study", resume=True, **QUIET)

    assert len(kept) == 2
    assert not set(kept) & set(played)
    assert set(kept) | set(played) == all_of_it
    assert found(tmp_path / "study") == found(tmp_path / "at once")
    assert answer.effort.resumed > 0
    assert pieces(tmp_path / "study") == ["finished"]


@pytest.mark.parametrize("blow", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_a_process_that_is_stopped_in_mid_study_loses_no_finished_piece(
    blow: signal.Signals, tmp_path: Path, played: list[str]
) -> None:
    file = tmp_path / "ask.toml"
    knobs = '{ "enemies.skeleton.count" = { from = 1, to = 20 } }'
    file.write_text(f'question = "sweep"\nscenario = "{FIGHT}"\nseed = 3\nruns = 8000\nfull = true\nknobs = {knobs}\n')
    folder = tmp_path / "study"
    with started("-m", "sim", "study", str(file), "--out", str(folder), "--jobs", "1") as process:
        while len(pieces(folder)) < 3 and process.poll() is None:
            time.sleep(0.005)
        process.send_signal(blow)
        _, said = process.communicate(timeout=PATIENCE)
    kept = pieces(folder)

    sim.study(file, out=folder, resume=True, jobs=1, progress=False)

    assert process.returncode == {signal.SIGKILL: -9, signal.SIGINT: 130, signal.SIGTERM: 143}[blow]
    assert blow == signal.SIGKILL or "finished pieces of work are kept in" in said
    assert 3 <= len(kept) < 20
    assert not set(kept) & set(played)
    assert len(kept) + len(played) == 20
    resumed = found(folder)
    played.clear()
    sim.study(file, out=tmp_path / "at once", jobs=1, progress=False)
    assert resumed == found(tmp_path / "at once")


@pytest.mark.soak
def test_a_process_may_be_killed_before_any_operation_on_a_file(tmp_path: Path) -> None:
    def crash(name: str, kill_at: int) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "tests.studies.crashing_study", str(tmp_path / name), str(kill_at)]
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE, check=False)

    operations = int(crash("all", 0).stdout)
    assert operations > 15
    for kill_at in range(1, operations + 1):
        folder = tmp_path / str(kill_at)
        assert crash(str(kill_at), kill_at).returncode == -signal.SIGKILL

        sim.sweep(**SWEEP, out=folder, resume=True)

        assert found(folder) == found(tmp_path / "all")
        assert pieces(folder) == ["finished"]
        assert not list((folder / "checkpoint").glob("*.part"))


def test_it_may_go_on_with_other_cuts_and_more_processes(
    broken_off: Path, undisturbed: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sim.studies.work.STRETCH", 77)

    answer = sweep(broken_off, resume=True, jobs=2)

    assert found(broken_off) == undisturbed
    assert answer.effort.resumed == 3 * 400


def test_ctrl_c_keeps_what_is_finished_and_says_how_to_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], undisturbed: dict[str, Any]
) -> None:
    play = workers.play_piece

    def pressed(piece: CardPiece) -> Any:
        if piece.card.fights[0].scenario.changes[-1].endswith("=4"):
            raise KeyboardInterrupt
        return play(piece)

    with monkeypatch.context() as patched:
        patched.setattr(workers, "play_piece", pressed)
        words = ["sweep", FIGHT, "--knob", "enemies.skeleton.count=1..6", "--runs", "400", "--seed", "3"]
        with pytest.raises(SystemExit) as left:
            main([*words, "--jobs", "1", "--out", str(tmp_path)])
        with pytest.raises(Interrupted, match="before the first piece of work was finished; nothing was kept"):
            sweep(tmp_path / "other", knobs={"enemies.skeleton.count": [4, 5]})

    assert left.value.code == 130
    assert "3 finished pieces of work are kept in" in capsys.readouterr().err
    sweep(tmp_path, resume=True)
    assert found(tmp_path) == undisturbed


def test_resume_of_a_finished_study_plays_nothing(tmp_path: Path, played: list[str]) -> None:
    sweep(tmp_path)
    before = found(tmp_path)
    played.clear()

    answer = sweep(tmp_path, resume=True)

    assert played == []
    assert answer.effort.resumed == answer.effort.encounters == 6 * 400
    assert found(tmp_path) == before


def test_a_finished_study_can_be_asked_more(tmp_path: Path, played: list[str]) -> None:
    sweep(tmp_path, runs=400)
    played.clear()

    more = sweep(tmp_path, runs=1_000, knobs={"enemies.skeleton.count": range(1, 8)}, resume=True)

    assert more.effort.resumed == 6 * 400
    assert sum(int(name.split("-")[2]) for name in played) == 6 * 600 + 1_000
    at_once = sweep(tmp_path / "at once", runs=1_000, knobs={"enemies.skeleton.count": range(1, 8)})
    assert more.tables == at_once.tables


# ------------------------------------------------------------------------------------------------- damaged and foreign


def flipped(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def of_another_place(path: Path) -> None:
    other = next(one for one in path.parent.glob("*.piece") if one != path)
    path.write_bytes(other.read_bytes())


@pytest.mark.parametrize("damage", [flipped, emptied, of_another_place])
def test_a_damaged_piece_is_reported_and_played_again(
    broken_off: Path, undisturbed: dict[str, Any], caplog: pytest.LogCaptureFixture, damage: Callable[[Path], None]
) -> None:
    one = pieces(broken_off)[1]
    damage(broken_off / f"checkpoint/{one}.piece")

    answer = sweep(broken_off, resume=True)

    assert found(broken_off) == undisturbed
    assert answer.effort.resumed == 2 * 400
    assert f"{one}.piece" in caplog.text
    assert "its runs are played again" in caplog.text


def test_pieces_of_another_study_are_reported_and_played_again(
    broken_off: Path, undisturbed: dict[str, Any], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    name = pieces(broken_off)[0]
    with Checkpoint.open(tmp_path / "other", {"seed": 4}, resume=False) as other:
        other.put(name, {"score": None})
        other.put("runs-000000000000500-500", {"summary": None})
    for path in (tmp_path / "other/checkpoint").glob("*.piece"):
        path.replace(broken_off / "checkpoint" / path.name)

    answer = sweep(broken_off, resume=True)

    assert found(broken_off) == undisturbed
    assert answer.effort.resumed == 2 * 400
    assert "a piece of something else" in caplog.text
    assert "not a piece of a study" in caplog.text


def test_a_damaged_finished_study_is_played_again(
    tmp_path: Path, undisturbed: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    sweep(tmp_path)
    flipped(tmp_path / "checkpoint/finished.piece")

    answer = sweep(tmp_path, resume=True)

    assert answer.effort.resumed == 0
    assert found(tmp_path) == undisturbed
    assert "its digest does not fit" in caplog.text


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"seed": 8}, r"seed is 3, not 8"),
        ({"fight": "overhill/playtest-1"}, r"scenario is overhill/playtest-1-ladder, not overhill/playtest-1; digest"),
        ({"fight": {"name": 1}}, r"digest is \w+, not \w+"),
    ],
)
def test_another_study_in_the_folder_is_refused(broken_off: Path, change: dict[str, Any], said: str) -> None:
    before = pieces(broken_off)
    if isinstance(change.get("fight"), dict):
        change = {"fight": sim.load(FIGHT, policy="cautious")}

    with pytest.raises(InputError, match=rf"--resume: .* holds other runs: {said}"):
        sweep(broken_off, resume=True, **change)

    assert pieces(broken_off) == before


def test_another_question_or_version_is_refused(broken_off: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="study is sweep, not sensitivity"):
        sim.sensitivity(FIGHT, only="zombie", runs=300, out=broken_off, resume=True, **QUIET)
    monkeypatch.setattr("sim.storage.work_folder.VERSION", "9.9")
    with pytest.raises(InputError, match=r"fairfight is [\d.]+, not 9\.9"):
        sweep(broken_off, resume=True)


def test_an_interrupted_study_is_not_thrown_away_by_accident_and_a_finished_one_gives_way(
    broken_off: Path, undisturbed: dict[str, Any], played: list[str]
) -> None:
    with pytest.raises(InputError, match="--resume goes on with it, --fresh throws it away"):
        sweep(broken_off)

    assert sweep(broken_off, fresh=True).effort.resumed == 0
    assert found(broken_off) == undisturbed
    assert sweep(broken_off).effort.resumed == 0
    assert len(played) == 12


def test_two_processes_do_not_work_in_one_folder(broken_off: Path, undisturbed: dict[str, Any]) -> None:
    identity = json.loads((broken_off / "checkpoint/identity.json").read_text())
    del identity["format"]

    with Checkpoint.open(broken_off, identity, resume=True), pytest.raises(InputError, match="is in use by process"):
        sweep(broken_off, resume=True)

    sweep(broken_off, resume=True)
    assert found(broken_off) == undisturbed


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"resume": True}, "resume: there is no folder to go on with; give it with --out"),
        ({"resume": True, "fresh": True, "out": "x"}, "'fresh' throws it away: give one"),
        ({"address": "tcp://127.0.0.1:9"}, "only a cluster has one; add --backend dask"),
        ({"backend": "abacus"}, "expected 'local' or 'dask', found 'abacus'"),
        ({"jobs": 0}, "expected a number of processes from 1 up"),
    ],
)
def test_ways_to_work_that_make_no_sense_are_refused(how: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        sim.sweep(FIGHT, SWEPT, runs=400, **how)
    with pytest.raises(TypeError, match="unexpected keyword argument 'job'"):
        sim.sweep(FIGHT, SWEPT, runs=400, job=1)


def test_a_card_is_known_by_its_fights_their_luck_and_who_meets_whom(ladder_fight: sim.Scenario) -> None:
    harder = ladder_fight.changed(values={"enemies.skeleton.count": 4})
    one, other, elsewhere = Fight(ladder_fight, 1), Fight(harder, 1), Fight(ladder_fight, 2)
    cards = [Card((one,)), Card((other,)), Card((elsewhere,)), Card((one, other)), Card((one, other), ((0, 1),))]

    assert len({card_digest(card) for card in cards}) == len(cards)
    assert card_digest(cards[0]) == card_digest(Card((Fight(sim.load(FIGHT, set={"title": "another"}), 1),)))
