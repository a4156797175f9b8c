"""Polite signals at every moment: what is finished is kept, no table is spoiled, the status is the documented one."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import time
from contextlib import AbstractContextManager
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.processes import PATIENCE, started
from tests.studies.questions import QUESTIONS

STATUS = {signal.SIGINT: 130, signal.SIGTERM: 143}
FIGHT = "overhill/playtest-1"
TABLES = ("runs.parquet", "units.parquet", "abilities.parquet", "summary.csv")


# ---------------------------------------------------------------------------------------- before an operation on a file


# Two questions each time, the others in the soak: they all stand on the same pool.
FEW_AND_ALL = [
    pytest.param(what, marks=[] if what in ("sweep", "compare") else pytest.mark.soak) for what in QUESTIONS
]


def interrupted(folder: Path, what: str, jobs: int, moments: int, *knocks: str) -> dict[str, int]:
    words = ["-m", "tests.runs.interrupting", str(folder), what, str(jobs), str(moments), *knocks]
    with started(*words) as process:
        out, err = process.communicate(timeout=3 * PATIENCE)
    assert process.returncode == 0, err
    counted: dict[str, int] = json.loads(out)
    return counted


@pytest.mark.parametrize("what", ["fresh", "growing"])
def test_a_run_can_be_stopped_before_operations_on_files(tmp_path: Path, what: str) -> None:
    counted = interrupted(tmp_path, what, 1, 7, "SIGINT:1", "SIGTERM:2")

    assert counted["tried"] >= 14


@pytest.mark.parametrize("what", FEW_AND_ALL)
def test_a_study_can_be_stopped_before_operations_on_files(tmp_path: Path, what: str) -> None:
    counted = interrupted(tmp_path, what, 1, 3, "SIGINT:2", "SIGTERM:1")

    assert counted["tried"] >= 6


@pytest.mark.parametrize("what", ["fresh", "growing", "sweep"])
def test_work_of_two_processes_can_be_stopped_before_operations_on_files(tmp_path: Path, what: str) -> None:
    counted = interrupted(tmp_path, what, 2, 2, "SIGINT:1", "SIGTERM:2")  # others start anew for every moment: slow

    assert counted["tried"] >= 4


@pytest.mark.soak
@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("what", ["fresh", "growing", *QUESTIONS])
def test_everything_can_be_stopped_before_any_operation_on_a_file(tmp_path: Path, what: str, jobs: int) -> None:
    counted = interrupted(tmp_path, what, jobs, 0, "SIGINT:1", "SIGINT:2", "SIGTERM:1", "SIGTERM:2")

    assert counted["tried"] == 4 * counted["operations"] > 60


# -------------------------------------------------------------------------------------------- before and after the work

WORDS = "import atexit, os, signal, sys\nKNOCK = int(sys.argv.pop(1))\n"


def ended(code: str, knock: signal.Signals, *words: str) -> tuple[int, str, str]:
    with started("-c", WORDS + code, str(int(knock)), *words) as process:
        out, err = process.communicate(timeout=PATIENCE)
    return process.returncode, out, err


@pytest.mark.parametrize("knock", STATUS)
@pytest.mark.parametrize("moment", ["click", "sim.scenario", "numpy", "sim.runs.runner"])
def test_a_signal_before_the_work_ends_at_once_with_the_documented_status(moment: str, knock: signal.Signals) -> None:
    code = (
        "from sim.cli import main\n"
        "def watch(event, details):\n"
        f"    if event == 'import' and details[0] == {moment!r}: os.kill(os.getpid(), KNOCK)\n"
        "sys.addaudithook(watch)\n"
        "main()\n"
    )

    status, out, err = ended(code, knock, "run", FIGHT, "--runs", "100")

    assert (status, out, err) == (STATUS[knock], "", "stopped\n")


@pytest.mark.parametrize("knock", STATUS)
def test_a_signal_while_the_result_is_printed_lets_it_be_printed(knock: signal.Signals) -> None:
    code = (
        "from sim.cli import main, options\n"
        "from sim.results.result import Result\n"
        "told = Result.to_dict\n"
        "Result.to_dict = lambda self: (os.kill(os.getpid(), KNOCK), told(self))[1]\n"
        "main()\n"
    )

    status, out, err = ended(code, knock, "run", FIGHT, "--runs", "100", "--json")

    assert json.loads(out)["runs"] == 100
    assert (status, err) == (STATUS[knock], "")


@pytest.mark.parametrize("knock", STATUS)
def test_a_signal_in_the_last_moments_changes_nothing(knock: signal.Signals) -> None:
    code = "atexit.register(lambda: os.kill(os.getpid(), KNOCK))\nfrom sim.cli import main\nmain()\n"

    status, out, err = ended(code, knock, "list", "rulesets")

    assert (status, err) == (0, "")
    assert "overhill" in out


def test_a_command_that_is_to_ignore_ctrl_c_does() -> None:
    code = (
        "signal.signal(signal.SIGINT, signal.SIG_IGN)\n"  # as a script does for what it starts in the background
        "from sim.runs import workers\n"
        "from sim.cli import main\n"
        "play = workers.play_piece\n"
        "workers.play_piece = lambda piece: (os.kill(os.getpid(), KNOCK), play(piece))[1]\n"
        "main()\n"
    )

    status, out, err = ended(code, signal.SIGINT, "run", FIGHT, "--runs", "100", "--json")

    assert (status, err) == (0, "")
    assert json.loads(out)["runs"] == 100


@pytest.mark.parametrize("work", ["run", "sweep"])
@pytest.mark.parametrize("knock", STATUS)
def test_ctrl_c_while_workers_start_shows_no_traceback(tmp_path: Path, knock: signal.Signals, work: str) -> None:
    """A terminal sends it to all processes, also to those that are still on their way to our code."""
    code = (
        "from joblib.externals.loky.process_executor import ProcessPoolExecutor\n"
        "from sim.cli import main\n"
        "start = ProcessPoolExecutor._adjust_process_count\n"
        "def hears(process):\n"  # Python has come far enough to answer with a traceback
        "    said = open(f'/proc/{process}/status').read()\n"
        "    return int(said.split('SigCgt:')[1].split()[0], 16) & 2\n"
        "def started(self):\n"
        "    start(self)\n"
        "    while not all(hears(process) for process in self._processes): pass\n"
        "    os.killpg(0, KNOCK)\n"
        "ProcessPoolExecutor._adjust_process_count = started\n"
        "main()\n"
    )
    words = [FIGHT, "--runs", "40k", "--jobs", "2", "--out", str(tmp_path)]
    words += ["--chunk", "1000"] if work == "run" else ["--knob", "enemies.skeleton.count=1..4"]

    status, out, err = ended(code, knock, work, *words)

    assert (status, out) == (STATUS[knock], "")
    assert err.splitlines()[0] == "stopping after this piece ..."
    assert err.splitlines()[1].startswith("Stopped ")
    assert len(err.splitlines()) == 2


# ---------------------------------------------------------------------------------------------------- at random moments


def assert_whole(folder: Path) -> int:
    """Rows, sums and manifest agree; how many runs there are."""
    assert not list(folder.rglob("*.part"))
    if not (folder / "manifest.json").exists():
        assert not (folder / "runs.parquet").exists()
        return 0
    runs = int(json.loads((folder / "manifest.json").read_text())["runs"])
    sums = json.loads((folder / "checkpoint/sums.piece").read_bytes().splitlines()[1])["facts"]["summary"]
    assert pq.read_metadata(folder / "runs.parquet").num_rows == sums["runs"] == runs
    assert pq.read_metadata(folder / "units.parquet").num_rows == sum(sums["present"]["array"])
    return runs


def playing(folder: Path, runs: int, jobs: int, *more: str) -> AbstractContextManager[subprocess.Popen[str]]:
    words = ["run", FIGHT, "--runs", str(runs), "--seed", "3", "--chunk", "2000", "--jobs", str(jobs)]
    return started("-m", "sim", *words, "--out", str(folder), *more)


def played(folder: Path, runs: int, jobs: int, *more: str) -> int:
    with playing(folder, runs, jobs, *more) as process:
        process.communicate(timeout=PATIENCE)
    return process.returncode


def wait_until_it_listens(process: subprocess.Popen[str]) -> None:
    """Before that Python is starting, and does what it likes with a signal. It never listens to SIGTERM by itself."""
    caught = 0
    while not caught & 1 << (signal.SIGTERM - 1) and process.poll() is None:
        lines = Path(f"/proc/{process.pid}/status").read_text().splitlines()
        caught = next((int(line.split()[1], 16) for line in lines if line.startswith("SigCgt:")), 0)
        time.sleep(0.001)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("undisturbed")
    assert played(folder, 60_000, 1) == 0
    return folder


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(8))
def test_signals_at_random_moments_spoil_nothing(tmp_path: Path, undisturbed: Path, seed: int) -> None:
    """Twenty-five in each of eight parts: once or twice, to one process or to all, to a fresh run or a growing one."""
    luck = random.Random(seed)
    for number in range(25):
        folder, growing, jobs = tmp_path / str(number), luck.random() < 0.5, luck.choice([1, 2])
        before = 0
        if growing:
            assert played(folder, 20_000, 1) == 0
            before = assert_whole(folder)
        knock, twice, to_all = luck.choice(list(STATUS)), luck.random() < 0.5, luck.random() < 0.5
        with playing(folder, 60_000, jobs, *(["--resume"] if growing else [])) as process:
            wait_until_it_listens(process)
            for moment in [luck.uniform(0.0, 5.0), luck.uniform(0.0, 0.5)][: 1 + twice]:
                try:
                    process.wait(moment)
                except subprocess.TimeoutExpired:
                    os.killpg(process.pid, knock) if to_all else process.send_signal(knock)
            _, err = process.communicate(timeout=PATIENCE)

        assert before <= (assert_whole(folder) if folder.exists() else 0) <= 60_000
        assert process.returncode in (0, STATUS[knock]), err
        assert "Traceback" not in err, err
        assert played(folder, 60_000, jobs, "--resume") == 0
        assert assert_whole(folder) == 60_000
        assert all((folder / name).read_bytes() == (undisturbed / name).read_bytes() for name in TABLES)
