"""The command in a process of its own: start, signals, pipes, and plug-ins from another distribution."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.processes import PATIENCE, started

ROOT = Path(__file__).parents[2]


def environment(*folders: Path) -> dict[str, str]:
    return os.environ | {"PYTHONPATH": os.pathsep.join(map(str, [*folders, ROOT]))}


def fairfight(*words: str, folders: tuple[Path, ...] = ()) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "sim", *words],
        env=environment(*folders),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def heavy_imports_of(words: list[str]) -> str:
    code = (
        "import sys, sim.cli\n"
        f"try: sim.cli.main({words})\n"
        "except SystemExit: pass\n"
        "heavy = {'numpy', 'pydantic', 'pandas', 'matplotlib', 'scipy', 'joblib', 'pyarrow', 'rich', 'jinja2'}\n"
        "print(*sorted(heavy & set(sys.modules)))"
    )
    answer = subprocess.run([sys.executable, "-c", code], env=environment(), capture_output=True, text=True, check=True)
    return answer.stdout.splitlines()[-1]


@pytest.mark.parametrize("words", [["--help"], ["rnu"], ["--version"]])
def test_help_and_a_mistyped_command_import_nothing_heavy(words: list[str]) -> None:
    assert heavy_imports_of(words) == ""


@pytest.mark.parametrize("command", ["run", "show", "compare", "study", "check"])
def test_the_help_of_a_command_imports_what_plays_and_checks_and_nothing_that_draws(command: str) -> None:
    assert heavy_imports_of([command, "--help"]) == "numpy pydantic"


def test_the_exit_status_reaches_the_shell() -> None:
    assert fairfight("--version").returncode == 0
    assert fairfight("run", "overhill/playtst-1").returncode == 2


def test_ctrl_c_in_a_long_run_says_what_is_kept(tmp_path: Path) -> None:
    folder = tmp_path / "report"
    command = ["run", "overhill/playtest-1", "--runs", "500M", "--jobs", "1", "--out", str(folder)]
    with started("-m", "sim", *command) as long_run:
        while not list(folder.glob("checkpoint/runs-*.piece")) and long_run.poll() is None:
            time.sleep(0.1)  # it is well under way when it has kept its first runs

        long_run.send_signal(signal.SIGINT)
        out, err = long_run.communicate(timeout=PATIENCE)

    assert long_run.returncode == 130
    assert out == ""
    assert re.search(r"^stopping after this piece \.\.\.\nStopped after [\d,]+ runs", err)
    assert "Traceback" not in err


def test_a_reader_that_has_seen_enough_is_no_error() -> None:
    listing = subprocess.Popen(
        [sys.executable, "-m", "sim", "schema", "overhill"],
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert listing.stdout is not None
    assert listing.stderr is not None
    listing.stdout.close()

    err = listing.stderr.read()
    listing.stderr.close()
    listing.wait(PATIENCE)

    assert err == ""


def plug_in(folder: Path, name: str, module: str, code: str) -> None:
    """A distribution as pip would install it: a module, and metadata with an entry point."""
    (folder / f"{module}.py").write_text(code)
    metadata = folder / f"{module}-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(f"[fairfight.rulesets]\n{name} = {module}:RULESET\n")


def test_a_ruleset_of_another_distribution_stands_beside_the_built_in_ones(tmp_path: Path) -> None:
    plug_in(tmp_path, "coins", "coin_duel_game", "from tests.games.coins import RULESET\n")

    listing = fairfight("list", folders=(tmp_path,))
    played = fairfight("run", "coins/duel", "--runs", "200", "--json", folders=(tmp_path,))

    assert listing.returncode == 0
    assert re.search(r"^  coins +Coin Duel", listing.stdout, re.MULTILINE)
    assert re.search(r"^  overhill +Overhill & Underdale", listing.stdout, re.MULTILINE)
    assert "coins/brawl" in listing.stdout
    assert json.loads(played.stdout)["ruleset"] == "coins"


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("import no_such_module\n", "No module named 'no_such_module'"),
        pytest.param("RULESET = 3\n", "is not a", marks=pytest.mark.soak),
    ],
)
def test_a_broken_plug_in_does_not_hide_the_other_rulesets(tmp_path: Path, code: str, reason: str) -> None:
    plug_in(tmp_path, "broken", "broken_game", code)

    listing = fairfight("list", folders=(tmp_path,))
    shown = fairfight("show", "broken/fight", folders=(tmp_path,))
    played = fairfight("check", "overhill/playtest-1", folders=(tmp_path,))

    assert (listing.returncode, played.returncode) == (0, 0)
    assert reason in listing.stdout
    assert shown.returncode == 2
    assert reason in shown.stderr
