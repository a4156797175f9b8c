"""Playing many runs: the same result in whatever pieces, and what happens when something goes wrong."""

from __future__ import annotations

import os
import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

from sim.core.engine import play
from sim.core.outcomes import Outcome
from sim.errors import InputError, Interrupted, SimError
from sim.results.result import Result
from sim.results.statistics import looks
from sim.results.tables import TableFiles, _Growing
from sim.runs import chunks
from sim.runs.chunks import chunk_for
from sim.runs.pieces import BATCH, Piece, RunsPiece
from sim.runs.runner import RunInterrupted, run
from sim.runs.workers import Speed, Workers
from tests.games.misbehaving import duel

MIXED = {"avoid_percent": 3, "empty_percent": 4, "round_cap": 9}
TABLES = ("runs.parquet", "units.parquet", "abilities.parquet", "summary.csv")


def tables(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in TABLES}


def left_in(folder: Path) -> set[str]:
    """The files in a folder and below."""
    return {path.name for path in folder.rglob("*") if path.is_file()}


def facts(result: Result) -> dict[str, Any]:
    """Everything a result says, but for the time it took."""
    return {key: value for key, value in result.to_dict().items() if key not in ("elapsed_s", "runs_per_s")}


# ------------------------------------------------------------------------------------------------------- run k is run k


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Result:
    """6,000 runs played in one piece by one process."""
    return run(duel(**MIXED), runs=6_000, seed=9, jobs=1, chunk=6_000, out=tmp_path_factory.mktemp("whole"))


@pytest.mark.parametrize(("jobs", "chunk"), [(1, 700), (2, 700), (2, 2_999), (2, None)])
def test_one_or_two_processes_and_any_chunk_give_the_same_tables_byte_for_byte(
    whole: Result, tmp_path: Path, jobs: int, chunk: int | None
) -> None:
    parts = run(duel(**MIXED), runs=6_000, seed=9, jobs=jobs, chunk=chunk, out=tmp_path)

    assert parts.sums == whole.sums
    assert facts(parts) == facts(whole)
    assert whole.folder is not None
    assert tables(tmp_path) == tables(whole.folder)


@pytest.mark.parametrize(("jobs", "chunk"), [(1, 1), (1, 4_321), (None, None), (2, 1_000)])
def test_the_sums_do_not_depend_on_who_plays(whole: Result, jobs: int | None, chunk: int | None) -> None:
    few = 6_000 if chunk != 1 else 200

    parts = run(duel(**MIXED), runs=few, seed=9, jobs=jobs, chunk=chunk)

    assert parts.sums == (whole.sums if few == 6_000 else run(duel(**MIXED), runs=few, seed=9, chunk=few).sums)
    assert parts.runs.equals(whole.runs.head(few))


def test_two_processes_were_really_used() -> None:
    spread = run(duel(), runs=6_000, jobs=2, chunk=1_000, keep="summary")

    assert spread.provenance.jobs == 2
    assert spread.provenance.peak_memory_bytes["largest_worker"] > 0


def test_row_groups_do_not_depend_on_the_chunks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sim.results.tables.ROWS_PER_GROUP", 1_000)
    encounter = duel().encounter()
    written = []

    for chunk in (300, 1_700, 4_000):
        (tmp_path / str(chunk)).mkdir()
        files = TableFiles(tmp_path / str(chunk), encounter.cast)
        for first in range(0, 4_000, chunk):
            files.add(play(encounter, 1, np.arange(first, min(first + chunk, 4_000))))
        files.close()
        written.append([path.read_bytes() for path in sorted((tmp_path / str(chunk)).iterdir())])

    assert written[0] == written[1] == written[2]
    assert pq.ParquetFile(tmp_path / "300" / "runs.parquet").num_row_groups == 4


def test_another_seed_gives_another_result() -> None:
    assert run(duel(), runs=500, seed=1).sums != run(duel(), runs=500, seed=2).sums


def test_more_runs_begin_with_the_same_runs() -> None:
    few, many = run(duel(), runs=500).runs, run(duel(), runs=900).runs

    assert many.head(500).equals(few)


# ------------------------------------------------------------------------------------------------------- to a precision


def test_a_precision_is_reached_at_one_of_the_fixed_looks() -> None:
    result = run(duel(), precision=1.0)

    assert result.runs_played in set(looks())
    assert result.adjusted is not None
    assert result.adjusted.rate.margin <= 0.01
    assert result.provenance.reached


def test_a_sharper_precision_takes_more_runs() -> None:
    rough, sharp = run(duel(), precision=1.0), run(duel(), precision=0.5)

    assert sharp.runs_played > rough.runs_played
    assert sharp.adjusted is not None
    assert sharp.adjusted.rate.margin <= 0.005


@pytest.mark.parametrize(("jobs", "chunk"), [(1, 999), (2, 1_500)])
def test_a_run_to_a_precision_is_the_same_in_any_pieces(jobs: int, chunk: int) -> None:
    whole = run(duel(**MIXED), precision=0.8, jobs=1)

    parts = run(duel(**MIXED), precision=0.8, jobs=jobs, chunk=chunk)

    assert facts(parts) == facts(whole)


def test_a_precision_out_of_reach_stops_at_the_limit_with_a_warning() -> None:
    result = run(duel(), precision=0.1, max_runs=5_000)

    assert result.runs_played == 5_000
    assert not result.provenance.reached
    assert "precision" in [caution.code for caution in result.warnings]


def test_a_fight_that_is_always_won_still_plays_the_minimum() -> None:
    result = run(duel(coins=[500, 500, 1, 1]), precision=5.0)

    assert result.runs_played == 2_000
    assert result.sums.ended(Outcome.WIN) == 2_000


def test_empty_runs_do_not_count_toward_the_precision() -> None:
    result = run(duel(empty_percent=60), precision=1.0)

    assert result.win_rate.n == result.sums.encounters >= 2_000
    assert result.runs_played > 2 * 2_000


def test_a_dungeon_with_nobody_in_it_is_noticed_at_the_first_look() -> None:
    result = run(duel(empty_percent=100), precision=1.0)

    assert result.runs_played == 2_000
    assert [caution.code for caution in result.warnings] == ["nobody_to_fight"]


# ------------------------------------------------------------------------------------------------- what stays in memory


def test_the_single_runs_are_kept_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sim.runs.record.KEPT_BY_DEFAULT", 1_000)

    assert run(duel(), runs=1_000).kept is not None
    assert run(duel(), runs=1_001).kept is None
    assert run(duel(), precision=2.0).kept is None
    assert run(duel(), runs=1_001, keep="runs").kept is not None
    assert run(duel(), runs=10, keep="summary").kept is None


def test_a_long_run_is_played_in_batches_and_keeps_only_sums() -> None:
    result = run(duel(), runs=2 * BATCH + 17, keep="summary", jobs=1, chunk=2 * BATCH)

    assert result.runs_played == result.sums.runs == 2 * BATCH + 17
    assert result.kept is None


# --------------------------------------------------------------------------------------------------- when it goes wrong


def test_a_worker_that_dies_is_replaced_and_nothing_is_lost(tmp_path: Path) -> None:
    undisturbed = run(duel(), runs=4_000, jobs=1)
    marker = tmp_path / "a worker was killed"

    result = run(duel(die_in_worker=str(marker)), runs=4_000, jobs=2, chunk=500)

    assert marker.exists()
    assert result.sums == undisturbed.sums


def test_workers_that_keep_dying_end_in_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(SimError, match=r"coins/gang: a worker process died 3 times while playing runs 500 to 999"):
        run(duel(die_in_worker="always"), runs=4_000, jobs=2, chunk=500, out=tmp_path)

    assert left_in(tmp_path) == {"identity.json", "lock", "runs-000000000000000-500.piece"}


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_keeps_what_is_finished(tmp_path: Path, jobs: int) -> None:
    scenario = duel(interrupt_at=2_200, interrupt_process=os.getpid())

    with pytest.raises(Interrupted, match=r"Stopped after [\d,]+ runs; their tables and report are in") as stopped:
        run(scenario, runs=300_000, jobs=jobs, chunk=500, out=tmp_path)

    assert isinstance(stopped.value, RunInterrupted)
    partial = stopped.value.result
    assert 500 <= partial.runs_played < 300_000
    assert len(partial.runs) == partial.runs_played
    assert partial.sums == run(duel(), runs=partial.runs_played, jobs=1).sums
    assert (tmp_path / "index.html").exists()
    assert "stopped" in [caution.code for caution in partial.warnings]


def test_ctrl_c_waits_for_the_piece_under_way_and_says_so(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(RunInterrupted, match=r"Stopped after 1,000 runs, all that were asked for; nothing was written"):
        run(duel(interrupt_at=0, interrupt_process=os.getpid()), runs=1_000)

    assert capfd.readouterr().err == "stopping after this piece ...\n"


def test_a_second_ctrl_c_breaks_the_piece_off(monkeypatch: pytest.MonkeyPatch) -> None:
    def pressed_twice(_: Piece[Any]) -> None:
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        pytest.fail("it was not broken off")

    monkeypatch.setattr("sim.runs.workers.play_piece", pressed_twice)

    with pytest.raises(Interrupted, match="Stopped before the first runs were finished; nothing was kept"):
        run(duel(), runs=1_000)


@pytest.mark.parametrize("times", [1, pytest.param(2, marks=pytest.mark.soak)])
@pytest.mark.parametrize("before", [0, pytest.param(1_000, marks=pytest.mark.soak)])
def test_ctrl_c_while_tables_are_written_spoils_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, times: int, before: int
) -> None:
    """The fault that once gave 1,462,144 rows for 3,600,000: the adding of rows was interrupted, and then sealed."""
    write = _Growing._write
    pressed = 0

    def pressed_meanwhile(self: _Growing, rows: int) -> None:
        nonlocal pressed
        if pressed < times:
            pressed += 1
            signal.raise_signal(signal.SIGINT)
        write(self, rows)

    monkeypatch.setattr("sim.results.tables.ROWS_PER_GROUP", 300)
    undisturbed = run(duel(), runs=5_000, jobs=1, out=tmp_path / "undisturbed")
    if before:
        run(duel(), runs=before, jobs=1, out=tmp_path / "out")
    with monkeypatch.context() as patched:
        patched.setattr(_Growing, "_write", pressed_meanwhile)
        with pytest.raises(RunInterrupted) as stopped:
            run(duel(), runs=5_000, jobs=1, chunk=500, out=tmp_path / "out", resume=True)
    partial = stopped.value.result
    assert partial.runs_played < 5_000
    assert len(partial.runs) == partial.runs_played
    assert partial.units["run"].nunique() == partial.runs_played

    again = run(duel(), runs=5_000, jobs=1, out=tmp_path / "out", resume=True)

    assert again.sums == undisturbed.sums
    for name in ("runs.parquet", "units.parquet"):
        assert (tmp_path / "out" / name).read_bytes() == (tmp_path / "undisturbed" / name).read_bytes()


def test_adding_that_somebody_else_breaks_off_leaves_the_folder_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A handler of the caller's own may raise wherever it likes."""
    earlier = run(duel(), runs=1_000, jobs=1, out=tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}

    def broken_off(self: TableFiles, rows: dict[str, bytes]) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(TableFiles, "add_packed", broken_off)
        with pytest.raises(Interrupted, match=r"Stopped before the tables in .* were written; the finished chunks"):
            run(duel(), runs=2_000, jobs=1, chunk=500, out=tmp_path, resume=True)

    assert {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()} == before
    result = run(duel(), runs=2_000, jobs=1, out=tmp_path, resume=True)
    assert result.provenance.resumed_runs == 1_500
    assert result.runs_played == 2 * earlier.runs_played == len(result.runs)


def test_a_handler_of_the_callers_own_is_left_alone() -> None:
    heard = []
    before = signal.signal(signal.SIGINT, lambda number, frame: heard.append(number))
    try:
        result = run(duel(interrupt_at=10, interrupt_process=os.getpid()), runs=100, jobs=1)
    finally:
        signal.signal(signal.SIGINT, before)

    assert heard == [signal.SIGINT]
    assert result.runs_played == 100


def test_a_run_in_another_thread_needs_no_signals() -> None:
    with ThreadPoolExecutor(1) as pool:
        result = pool.submit(run, duel(), runs=3_000, jobs=2, chunk=500).result()

    assert result.sums == run(duel(), runs=3_000, jobs=1).sums


def test_after_ctrl_c_the_next_run_works() -> None:
    with pytest.raises(Interrupted):
        run(duel(interrupt_at=2_200, interrupt_process=os.getpid()), runs=300_000, jobs=2, chunk=500)

    assert run(duel(), runs=3_000, jobs=2, chunk=500).sums == run(duel(), runs=3_000, jobs=1).sums


def test_all_bad_arguments_are_named_at_once() -> None:
    with pytest.raises(InputError) as refused:
        run(duel(), runs=0, precision=0.0, seed=-1, jobs=0, chunk=0, keep="all", max_runs=0)  # type: ignore[arg-type]

    keys = [problem.key for problem in refused.value.problems]
    assert keys == ["runs", "precision", "seed", "jobs", "chunk", "keep", "max_runs"]


def test_a_place_that_cannot_be_written_is_refused_before_playing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")

    with pytest.raises(InputError, match=r"--out: cannot write to .*file"):
        run(duel(), runs=10, out=tmp_path / "file")


def test_a_disk_that_is_full_ends_in_a_clear_error_and_leaves_no_half_file(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    most, limit = resource.getrlimit(resource.RLIMIT_FSIZE)

    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, limit))  # no file may grow beyond this
    try:
        with pytest.raises(SimError, match=r"cannot write the tables: "):
            run(duel(), runs=30_000, jobs=1, out=tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, limit))

    assert left_in(tmp_path) == {"identity.json", "lock"}


# ------------------------------------------------------------------------------------------------------------- progress


def test_a_pipe_stays_quiet(capsys: pytest.CaptureFixture[str]) -> None:
    run(duel(), runs=3_000)

    assert capsys.readouterr() == ("", "")


def test_the_bar_tells_how_far_it_is_on_standard_error(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "140")

    result = run(duel(name="odd/[bold]name"), runs=3_000, progress=True)

    shown = capsys.readouterr()
    assert shown.out == ""
    assert "odd/[bold]name" in shown.err
    assert "3,000 of 3,000 runs" in shown.err
    assert f"win {100 * result.win_rate.value:.1f} %" in shown.err


# ------------------------------------------------------------------------------------------------------------ in pieces


def test_the_first_chunks_are_played_here_and_a_short_rest_too() -> None:
    fresh = Workers()
    cold = Workers(speed=Speed(10.0, 2_048, pieces=1))
    warm = Workers(speed=Speed(50_000.0, 2_048, pieces=2))

    assert fresh.jobs_for(10**9) == cold.jobs_for(10**9) == 1
    assert warm.jobs_for(60_000) == 1


def test_a_long_rest_is_worth_other_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("joblib.cpu_count", lambda: 4)
    warm = Speed(50_000.0, 2_048, pieces=2)

    assert Workers(None, speed=warm).jobs_for(200_000) == 4
    assert Workers(1, speed=warm).jobs_for(10**9) == 1
    assert Workers(-1, speed=warm).jobs_for(10) == 4


def test_a_shorter_rest_is_worth_those_who_are_there_already(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("joblib.cpu_count", lambda: 4)
    warm = Speed(50_000.0, 2_048, pieces=2)

    assert Workers(None, speed=warm).jobs_for(75_000) == 1
    assert Workers(None, speed=warm, most_jobs=4).jobs_for(75_000) == 4


@pytest.mark.parametrize("rate", [100.0, 20_000.0, 1e9])
@pytest.mark.parametrize("tables_too", [False, True])
def test_chunks_are_of_a_bearable_size(rate: float, tables_too: bool) -> None:
    size = chunk_for(Speed(rate, BATCH), 10**8, 2, tables_too)

    assert chunks.SMALLEST_CHUNK <= size <= (chunks.LARGEST_CHUNK_WITH_TABLES if tables_too else chunks.LARGEST_CHUNK)
    assert size == chunks.SMALLEST_CHUNK or size / rate <= chunks.PATIENCE


def test_everybody_gets_two_chunks_where_there_are_enough_runs() -> None:
    speed = Speed(40_000.0)

    assert chunk_for(speed, 160_000, 4, False) == 20_000
    assert chunk_for(speed, 5_000, 4, False) == 40_000 // chunks.SMALLEST_PART
    assert chunk_for(speed, 5_000, 1, False) == 40_000


@pytest.mark.parametrize("rate", [100.0, 20_000.0, 1e9])
def test_a_long_run_is_cut_into_chunks_that_cover_it_and_shrink_towards_the_end(rate: float) -> None:
    found = list(chunks.cut(Speed(rate), 1_000, 10**7, 2, tables=False))

    counts = [count for _, count in found]
    assert found[0][0] == 1_000
    assert [first + count for first, count in found] == [first for first, _ in found[1:]] + [10**7]
    assert counts == sorted(counts, reverse=True)
    assert counts[-1] <= max(chunks.SMALLEST_CHUNK, counts[0] // chunks.SMALLEST_PART)


def test_many_workers_get_larger_chunks_so_that_one_process_can_add_them_up() -> None:
    speed = Speed(100_000.0)

    assert chunk_for(speed, 10**9, 256, False) > 4 * chunk_for(speed, 10**9, 2, False)
    assert chunk_for(speed, 10**9, 256, True) == chunks.LARGEST_CHUNK_WITH_TABLES


def test_a_slow_first_chunk_does_not_condemn_a_long_run_to_small_batches() -> None:
    first, slow = Speed(3_000.0, chunks.FIRST_CHUNK), Speed(3_000.0, BATCH)

    assert chunk_for(first, 10**7, 2, False) == BATCH
    assert chunk_for(slow, 10**7, 2, False) == 3_000 * chunks.PATIENCE


def test_a_chunk_given_by_hand_is_kept() -> None:
    plan = chunks.Chunks(RunsPiece(duel(), 1, 0, 100), size=7)

    assert plan.next(Speed(1e6)).count == 7
    assert [piece.count for piece in plan.rest(Speed(1e6), 2)] == [7] * 13 + [2]
    assert plan.left == 93
