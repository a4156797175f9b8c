"""Nothing that is finished is lost: whatever happens, the result is that of an undisturbed run."""

from __future__ import annotations

import errno
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.errors import InputError, Interrupted, SimError
from sim.results.adjusted import LuckSums
from sim.results.result import Result
from sim.results.summary import Endings, Summary, Sums
from sim.runs.runner import run
from sim.storage import Checkpoint, FolderLock, decoded, digest_of_file, encoded
from sim.storage import lock as locks
from tests.games.misbehaving import duel
from tests.processes import PATIENCE
from tests.runs.crashing import CHUNK, MIXED, RUNS, SEED

ROOT = Path(__file__).parents[2]
TABLES = ("runs.parquet", "units.parquet", "abilities.parquet", "summary.csv")


@pytest.fixture(autouse=True)
def no_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page is no concern of these tests, and drawing it takes longer than the runs."""
    monkeypatch.setattr("sim.report.result_folder.result_page", lambda result: "page")


def play(folder: Path | None, **options: Any) -> Result:
    fight = options.pop("fight", None) or duel(**MIXED)
    return run(fight, **({"runs": RUNS, "seed": SEED, "jobs": 1, "chunk": CHUNK, "out": folder} | options))


def tables(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in TABLES}


def pieces(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder / "checkpoint").glob("*.piece"))


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Result:
    return play(tmp_path_factory.mktemp("undisturbed"))


def assert_same(folder: Path, result: Result, undisturbed: Result) -> None:
    assert undisturbed.folder is not None
    assert result.sums == undisturbed.sums
    assert tables(folder) == tables(undisturbed.folder)
    assert not list(folder.rglob("*.part"))


@pytest.fixture
def broken_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which the disk was full after three of five chunks."""
    keep_it = Checkpoint.put

    def full_after_three(self: Checkpoint, name: str, *content: Any) -> None:
        if name.startswith("runs-") and len(self.names()) == 3:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        keep_it(self, name, *content)

    with monkeypatch.context() as patched:
        patched.setattr(Checkpoint, "put", full_after_three)
        with pytest.raises(SimError, match=r"No space left on device; 1,500 finished runs are kept: .* --resume"):
            play(tmp_path)
    return tmp_path


# ------------------------------------------------------------------------------------------------------------ going on


def test_a_run_goes_on_after_a_full_disk(broken_off: Path, undisturbed: Result) -> None:
    assert len(pieces(broken_off)) == 3
    assert not (broken_off / "runs.parquet").exists()

    result = play(broken_off, resume=True)

    assert_same(broken_off, result, undisturbed)
    assert result.manifest["resumed_runs"] == 1_500
    assert pieces(broken_off) == ["sums.piece"]


@pytest.mark.parametrize(("jobs", "chunk"), [(1, 333), (2, 300), (1, None)])
def test_it_may_go_on_with_other_chunks_and_more_processes(
    broken_off: Path, undisturbed: Result, jobs: int, chunk: int | None
) -> None:
    assert_same(broken_off, play(broken_off, resume=True, jobs=jobs, chunk=chunk), undisturbed)


def crash(folder: Path, kill_at: int, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.runs.crashing", str(folder), str(kill_at), *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE, check=False)


def test_a_process_that_is_killed_twice_loses_no_finished_chunk(tmp_path: Path, undisturbed: Result) -> None:
    first = crash(tmp_path, 12)
    kept = len(pieces(tmp_path))
    second = crash(tmp_path, 4, "--resume")

    assert first.returncode == second.returncode == -signal.SIGKILL
    assert 2 <= kept <= len(pieces(tmp_path))
    result = play(tmp_path, resume=True)
    assert_same(tmp_path, result, undisturbed)
    assert result.provenance.resumed_runs >= kept * CHUNK


@pytest.mark.soak
@pytest.mark.parametrize("before", [0, 1_000])
def test_a_process_may_be_killed_before_any_operation_on_a_file(
    tmp_path: Path, undisturbed: Result, before: int
) -> None:
    """With `before`, it is killed while it adds runs to a finished result."""
    words = ("--resume",) if before else ()

    def begun(name: str) -> Path:
        if before:
            play(tmp_path / name, runs=before)
        return tmp_path / name

    operations = int(crash(begun("all"), 0, *words).stdout)
    assert operations > 20
    for kill_at in range(1, operations + 1):
        folder = begun(str(kill_at))
        assert crash(folder, kill_at, *words).returncode == -signal.SIGKILL

        assert_same(folder, play(folder, resume=True), undisturbed)


def test_resume_in_an_empty_place_begins(tmp_path: Path, undisturbed: Result) -> None:
    assert_same(tmp_path / "new", play(tmp_path / "new", resume=True), undisturbed)


def test_resume_of_a_finished_run_plays_nothing(tmp_path: Path, undisturbed: Result) -> None:
    play(tmp_path)
    before = (tmp_path / "runs.parquet").stat().st_mtime_ns

    again = play(tmp_path, resume=True)

    assert_same(tmp_path, again, undisturbed)
    assert again.provenance.resumed_runs == RUNS
    assert (tmp_path / "runs.parquet").stat().st_mtime_ns == before


@pytest.mark.parametrize("names", [["Ada", "Bo", "Ogre", "Rat"], ["Ada", "Ada", "Ogre", "Ogre"]])
def test_more_runs_can_be_added_to_a_finished_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names: list[str]
) -> None:
    monkeypatch.setattr("sim.results.tables.ROWS_PER_GROUP", 700)
    fight = duel(**MIXED, names=names)
    at_once = play(tmp_path / "at once", fight=fight)

    for runs in (300, 1_700, RUNS):
        step = play(tmp_path / "steps", fight=fight, runs=runs, resume=True)

    assert_same(tmp_path / "steps", step, at_once)


def test_fewer_runs_than_there_are_is_refused(tmp_path: Path) -> None:
    play(tmp_path, runs=600)

    with pytest.raises(InputError, match=r"--runs: .* holds 600 runs already, more than 500; ask for 600 or more"):
        play(tmp_path, runs=500, resume=True)


def test_a_stopped_run_to_a_precision_goes_on_to_the_same_result(tmp_path: Path) -> None:
    options: dict[str, Any] = {"runs": None, "precision": 0.7, "chunk": 700}
    at_once = play(tmp_path / "at once", fight=duel(), **options)
    fight = duel(interrupt_at=2_800, interrupt_process=os.getpid())

    with pytest.raises(Interrupted, match="the same command with --resume goes on") as stopped:
        play(tmp_path / "stopped", fight=fight, **options)

    result = play(tmp_path / "stopped", fight=duel(), resume=True, **options)
    assert 2_000 < stopped.value.result.runs_played < at_once.runs_played  # type: ignore[attr-defined]
    assert_same(tmp_path / "stopped", result, at_once)


def sign_again(piece: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Make a piece say something else, with a digest that fits."""
    from sim.storage.files import digest_of

    body = piece.read_bytes().partition(b"\n")[2]
    head, _, rest = body.partition(b"\n")
    header = json.loads(head)
    change(header)
    body = json.dumps(header).encode() + b"\n" + rest
    piece.write_bytes(b"fairfight piece " + digest_of(body).encode() + b"\n" + body)


# ------------------------------------------------------------------------------------------------- damaged and foreign


def flipped(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def cut_short(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-7])


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def nonsense(path: Path) -> None:
    path.write_bytes(b"\x80\x04\x95 not a piece\n" * 50)


def of_another_place(path: Path) -> None:
    path.write_bytes(path.with_name("runs-000000000000000-500.piece").read_bytes())


@pytest.mark.parametrize("damage", [flipped, cut_short, emptied, nonsense, of_another_place])
def test_a_damaged_chunk_is_reported_and_played_again(
    broken_off: Path, undisturbed: Result, caplog: pytest.LogCaptureFixture, damage: Callable[[Path], None]
) -> None:
    damage(broken_off / "checkpoint/runs-000000000000500-500.piece")

    result = play(broken_off, resume=True)

    assert_same(broken_off, result, undisturbed)
    assert result.provenance.resumed_runs == 1_000
    assert "runs-000000000000500-500.piece" in caplog.text
    assert "its runs are played again" in caplog.text


def test_a_chunk_of_another_run_is_reported_and_played_again(
    broken_off: Path, undisturbed: Result, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with Checkpoint.open(tmp_path / "other", {"seed": 4}, resume=False) as other:
        other.put("runs-000000000000500-500", {"summary": None})
    foreign = tmp_path / "other/checkpoint/runs-000000000000500-500.piece"
    foreign.replace(broken_off / "checkpoint/runs-000000000000500-500.piece")

    assert_same(broken_off, play(broken_off, resume=True), undisturbed)
    assert "a piece of something else" in caplog.text


def test_sums_whose_tables_are_damaged_are_not_trusted(
    tmp_path: Path, undisturbed: Result, caplog: pytest.LogCaptureFixture
) -> None:
    play(tmp_path)
    flipped(tmp_path / "units.parquet")

    result = play(tmp_path, resume=True)

    assert_same(tmp_path, result, undisturbed)
    assert result.provenance.resumed_runs == 0
    assert "the tables beside it are missing or damaged" in caplog.text


def test_tables_with_other_rows_than_the_sums_say_are_built_again(
    tmp_path: Path, undisturbed: Result, caplog: pytest.LogCaptureFixture
) -> None:
    """As an earlier version could leave them behind: spoiled, and with the digest of the spoiled file in the sums."""
    play(tmp_path)
    units, sums = tmp_path / "units.parquet", tmp_path / "checkpoint/sums.piece"
    rows = pq.read_table(units)
    pq.write_table(rows.slice(0, 1_234), units)
    sign_again(sums, lambda header: header["facts"]["tables"].update({units.name: digest_of_file(units)}))

    result = play(tmp_path, resume=True)

    assert_same(tmp_path, result, undisturbed)
    assert f"units.parquet beside it has 1,234 rows, and its sums say {rows.num_rows:,}" in caplog.text


def test_a_missing_table_is_not_taken_for_one_without_a_digest(
    tmp_path: Path, undisturbed: Result, caplog: pytest.LogCaptureFixture
) -> None:
    play(tmp_path)
    sums = tmp_path / "checkpoint/sums.piece"
    (tmp_path / "runs.parquet").unlink()
    sign_again(sums, lambda header: header["facts"]["tables"].update({"runs.parquet": ""}))

    result = play(tmp_path, resume=True)

    assert_same(tmp_path, result, undisturbed)
    assert "the tables beside it are missing or damaged" in caplog.text


def test_a_chunk_with_other_rows_than_its_sums_say_is_played_again(
    broken_off: Path, undisturbed: Result, caplog: pytest.LogCaptureFixture
) -> None:
    chunk = broken_off / "checkpoint/runs-000000000000500-500.piece"
    sign_again(chunk, lambda header: header["facts"]["summary"].update(runs=499))

    result = play(broken_off, resume=True)

    assert_same(broken_off, result, undisturbed)
    assert "its sums are not those of 500 runs" in caplog.text


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"seed": 8}, r"seed is 9, not 8"),
        ({"fight": duel(coins=[8, 6, 9, 3])}, r"digest is \w+, not \w+"),
        ({"keep": "summary"}, r"keeps is single runs, not sums"),
    ],
)
def test_other_runs_in_the_folder_are_refused(broken_off: Path, change: dict[str, Any], said: str) -> None:
    before = pieces(broken_off)

    with pytest.raises(InputError, match=rf"--resume: .* holds other runs: {said}; choose another folder"):
        play(broken_off, resume=True, **change)

    assert pieces(broken_off) == before


def test_another_version_is_refused(broken_off: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sim.storage.work_folder.VERSION", "9.9")

    with pytest.raises(InputError, match=r"fairfight is [\d.]+, not 9\.9"):
        play(broken_off, resume=True)


def test_an_unreadable_identity_is_refused(broken_off: Path) -> None:
    (broken_off / "checkpoint/identity.json").write_bytes(b"\x00\xff")

    with pytest.raises(InputError, match=r"identity\.json is in the way and was not made by fairfight"):
        play(broken_off, resume=True)


def test_an_interrupted_run_is_not_thrown_away_by_accident(broken_off: Path, undisturbed: Result) -> None:
    with pytest.raises(InputError, match=r"coins/gang, seed 9.*--resume goes on with it, --fresh throws it away"):
        play(broken_off)

    result = play(broken_off, fresh=True)
    assert_same(broken_off, result, undisturbed)
    assert result.provenance.resumed_runs == 0


def test_another_fights_result_gives_way_with_a_word(
    tmp_path: Path, undisturbed: Result, caplog: pytest.LogCaptureFixture
) -> None:
    play(tmp_path, fight=duel("coins/other", coins=[9, 9, 9, 9]), runs=600)
    play(tmp_path, fight=duel("coins/other", coins=[9, 9, 9, 9]), runs=600, resume=True)
    assert caplog.text == ""

    result = play(tmp_path)

    assert "holds 600 runs of coins/other, seed 9; they will be replaced" in caplog.text
    assert_same(tmp_path, result, undisturbed)


def test_a_large_finished_result_is_not_thrown_away_by_accident(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, undisturbed: Result
) -> None:
    monkeypatch.setattr("sim.runs.record.SOON_PLAYED", 599)
    play(tmp_path, runs=600)

    with pytest.raises(InputError, match=r"or a large one .*--resume goes on with it, --fresh throws it away"):
        play(tmp_path)

    assert_same(tmp_path, play(tmp_path, resume=True), undisturbed)


def test_a_result_without_a_checkpoint_cannot_be_gone_on_with(tmp_path: Path) -> None:
    play(None).write(tmp_path)

    with pytest.raises(InputError, match="it has no checkpoint"):
        play(tmp_path, resume=True)


def test_sums_alone_take_little_space_and_can_be_added_to(tmp_path: Path, undisturbed: Result) -> None:
    play(tmp_path, runs=1_000, keep="summary")
    assert not (tmp_path / "runs.parquet").exists()

    result = play(tmp_path, resume=True)  # what is kept is known from the folder

    assert result.sums == undisturbed.sums
    assert result.provenance.resumed_runs == 1_000
    with pytest.raises(SimError, match="not the single runs"):
        _ = result.runs


# -------------------------------------------------------------------------------------------------- one at a time


def test_a_second_process_is_sent_away(tmp_path: Path) -> None:
    with (
        Checkpoint.open(tmp_path, {"seed": 1}, resume=False),
        pytest.raises(InputError, match=rf"is in use by process {os.getpid()} on {socket.gethostname()}; wait for it"),
    ):
        play(tmp_path)


def test_the_lock_of_a_dead_process_is_taken_over(broken_off: Path, undisturbed: Result) -> None:
    dead = {"process": 4_000_000, "host": socket.gethostname(), "beats": 7}
    (broken_off / "checkpoint/lock").write_text(json.dumps(dead))

    assert_same(broken_off, play(broken_off, resume=True), undisturbed)


def test_a_silent_lock_of_another_machine_is_taken_over_and_a_beating_one_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(locks, "PATIENCE", 1.0)
    path = tmp_path / "folder/lock"
    path.parent.mkdir()
    path.write_text(json.dumps({"process": 1, "host": "elsewhere", "beats": 1}))

    silent = FolderLock(path)
    silent.take()
    silent.release()

    monkeypatch.setattr(locks, "PATIENCE", PATIENCE)  # it waits for the next beat, however late on a busy machine
    path.write_text(json.dumps({"process": 1, "host": "elsewhere", "beats": 1}))
    over = threading.Event()

    def beat() -> None:
        count = 1
        while not over.wait(0.05):
            count += 1
            path.write_text(json.dumps({"process": 1, "host": "elsewhere", "beats": count}))

    heart = threading.Thread(target=beat)
    heart.start()
    try:
        with pytest.raises(InputError, match="in use by process 1 on elsewhere"):
            FolderLock(path).take()
    finally:
        over.set()
        heart.join()


def test_the_clock_plays_no_part(broken_off: Path, undisturbed: Result, monkeypatch: pytest.MonkeyPatch) -> None:
    for path in broken_off.rglob("*"):
        os.utime(path, (0, 0))  # written in 1970
    monkeypatch.setattr("time.time", lambda: 4e9)  # it is 2096

    assert_same(broken_off, play(broken_off, resume=True), undisturbed)


# ------------------------------------------------------------------------------------------------- pieces and numbers


def test_a_study_can_keep_its_pieces(tmp_path: Path) -> None:
    score = duel_sums()
    with Checkpoint.open(tmp_path, {"study": "sweep"}, resume=True) as checkpoint:
        checkpoint.put("point-3", {"score": encoded(score), "value": 3}, {"rows": b"abc", "more": b"\n"})

    with Checkpoint.open(tmp_path, {"study": "sweep"}, resume=True) as checkpoint:
        kept = checkpoint.get("point-3")

        assert kept is not None
        assert decoded(kept.facts["score"], (Summary, Endings, Sums, LuckSums)) == score
        assert kept.blobs == {"rows": b"abc", "more": b"\n"}
        assert checkpoint.get("point-4") is None
        assert checkpoint.names() == ["point-3"]


def duel_sums() -> Summary:
    return run(duel(**MIXED), runs=200, jobs=1).sums


@pytest.mark.parametrize("name", ["../escape", "a/b", "", "A", ".hidden", "x" * 101, "nul\0"])
def test_a_piece_has_a_plain_name(tmp_path: Path, name: str) -> None:
    with (
        Checkpoint.open(tmp_path, {}, resume=False) as checkpoint,
        pytest.raises(ValueError, match="expected small letters, digits and dashes"),
    ):
        checkpoint.put(name, {})


@given(st.lists(st.integers(-(2**200), 2**200)), st.lists(st.integers(-(2**63), 2**63 - 1)))
def test_no_digit_is_lost(large: list[int], small: list[int]) -> None:
    sums = Sums(np.array(large, dtype=np.object_), np.array(small, dtype=np.int64))

    back = decoded(json.loads(json.dumps(encoded(sums))), (Sums,))

    assert back.total.tolist() == large
    assert back.squares.tolist() == small
    assert (back.total.dtype, back.squares.dtype) == (np.object_, np.int64)


@pytest.mark.parametrize(
    "kept",
    [{"class": "Popen", "args": "x"}, {"array": [1], "kind": "float64", "shape": [1]}, {}, {"class": "Sums", "x": 1}],
)
def test_only_what_is_expected_is_made(kept: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="not what was kept"):
        decoded(kept, (Sums,))


@pytest.mark.parametrize("value", [1.5, np.zeros(2), b"x", {"a": 1}])
def test_what_could_lose_digits_is_not_kept(value: Any) -> None:
    with pytest.raises(TypeError, match="cannot be kept"):
        encoded(value)
