"""Hard knocks: signals, disks, odd files, hostile names. Nothing is lost or executed, and every end has a word."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sim.cli.commands import _status
from sim.errors import InputError, SimError
from sim.runs.runner import run
from sim.scenario import load
from tests.browsers import chromium, opened
from tests.fuzzing import limited
from tests.games.misbehaving import duel
from tests.processes import PATIENCE, started

ROOT = Path(__file__).parents[2]
FIGHT = ROOT / "sim/rulesets/overhill/scenarios/duel-skeleton.toml"
TABLES = ("runs.parquet", "units.parquet", "abilities.parquet", "summary.csv")


def tables(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in TABLES}


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "sim", *words]


# ------------------------------------------------------------------------------------------------------------- signals


@pytest.mark.parametrize(("knock", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_polite_signal_keeps_what_is_finished_and_says_how_to_go_on(
    tmp_path: Path, knock: signal.Signals, status: int
) -> None:
    folder = tmp_path / "out"
    words = ["run", str(FIGHT), "--runs", "500M", "--keep", "summary", "--chunk", "500", "--out", str(folder)]
    with started("-m", "sim", *words, "--jobs", "1") as long_run:
        while len(list(folder.glob("checkpoint/runs-*.piece"))) < 3 and long_run.poll() is None:
            time.sleep(0.05)

        long_run.send_signal(knock)
        out, err = long_run.communicate(timeout=PATIENCE)

    assert long_run.returncode == status
    assert out == ""
    assert "Stopped after" in err
    assert "the same command with --resume goes on" in err
    assert json.loads((folder / "manifest.json").read_text())["stopped"] is True


@pytest.mark.soak
@pytest.mark.parametrize("seconds", [2.0, 3.0, 4.5, 6.0])
def test_a_killed_command_with_two_processes_goes_on_to_the_same_tables(tmp_path: Path, seconds: float) -> None:
    words = ["run", "overhill/playtest-1", "--runs", "150k", "--seed", "3", "--jobs", "2", "--chunk", "2000"]
    undisturbed = subprocess.run(command(*words, "--out", str(tmp_path / "a")), cwd=ROOT, check=False)
    assert undisturbed.returncode == 0

    broken = subprocess.Popen(command(*words, "--out", str(tmp_path / "b")), cwd=ROOT)
    with contextlib.suppress(subprocess.TimeoutExpired):
        broken.wait(seconds)
    broken.kill()
    broken.wait(PATIENCE)
    again = subprocess.run(command(*words, "--out", str(tmp_path / "b"), "--resume"), cwd=ROOT, check=False)

    assert again.returncode == 0
    assert tables(tmp_path / "b") == tables(tmp_path / "a")


# --------------------------------------------------------------------------------------------------------------- disks


def test_standard_output_that_is_full_ends_in_a_clear_error() -> None:
    with Path("/dev/full").open("w") as full:
        shown = subprocess.run(
            command("list", "rulesets"), cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )

    assert shown.returncode == 2
    assert shown.stderr == "cannot write to standard output: No space left on device\n"


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A real file system of 400 KB; needs the right to mount one."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = shutil.which("mount")
    if mount is None or os.geteuid() != 0:
        pytest.skip("only root can mount a small disk")
    words = [mount, "-t", "tmpfs", "-o", "size=400k", "tmpfs", str(disk)]
    made = subprocess.run(words, capture_output=True, check=False)
    if made.returncode:
        pytest.skip("a small disk cannot be mounted here")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


def test_a_real_full_disk_keeps_what_fits_and_a_larger_one_ends_the_run(small_disk: Path, tmp_path: Path) -> None:
    undisturbed = run(duel(), runs=30_000, jobs=1, chunk=1_000, out=tmp_path / "undisturbed")

    with pytest.raises(SimError, match=r"No space left on device; [\d,]+ finished runs are kept"):
        run(duel(), runs=30_000, jobs=1, chunk=1_000, out=small_disk)
    kept = len(list(small_disk.glob("checkpoint/runs-*.piece")))
    assert not list(small_disk.rglob("*.part"))
    shutil.copytree(small_disk, tmp_path / "larger")
    result = run(duel(), runs=30_000, jobs=1, chunk=1_000, out=tmp_path / "larger", resume=True)

    assert kept > 0
    assert result.provenance.resumed_runs == 1_000 * kept
    assert result.sums == undisturbed.sums
    assert tables(tmp_path / "larger") == tables(tmp_path / "undisturbed")


def test_a_disk_that_cannot_be_written_is_refused_before_playing(small_disk: Path) -> None:
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)

    with pytest.raises(InputError, match=r"--out: cannot write to .*out: Read-only file system"):
        run(duel(), runs=10, out=small_disk / "out")


def test_a_folder_of_somebody_else_is_refused_before_playing() -> None:
    with pytest.raises(InputError, match=r"--out: cannot write to /proc/fairfight"):
        run(duel(), runs=10, out="/proc/fairfight")


def test_links_in_the_folder_lead_nowhere(tmp_path: Path) -> None:
    """Links under the names of our files are refused, each by its name, and what they point to stays as it is."""
    precious = tmp_path / "precious"
    precious.write_text("mine")
    folder = tmp_path / "out"
    folder.mkdir()
    for name in (*TABLES, "manifest.json", "result.json", "index.html"):
        (folder / name).symlink_to(precious)

    with pytest.raises(InputError, match="is a link, and none is followed inside a result folder") as refused:
        run(duel(), runs=300, jobs=1, out=folder, fresh=True)

    assert len(refused.value.problems) == 7
    assert precious.read_text() == "mine"
    assert all((folder / name).is_symlink() for name in TABLES)


# ----------------------------------------------------------------------------------------------------------- odd files


def answer(*words: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    status = _status(list(words), debug=False)
    return status, capsys.readouterr().err


def written(folder: Path, content: bytes) -> str:
    (folder / "odd.toml").write_bytes(content)
    return str(folder / "odd.toml")


BASE = FIGHT.read_text(encoding="utf-8")

ODD_FILES = {
    "ten megabytes of comments": (BASE + ("# " + "x" * 98 + "\n") * 100_000).encode(),
    "twenty-one megabytes": b"#" * 21_000_000,
    "ten thousand unknown keys": (BASE + "".join(f"key{number} = 1\n" for number in range(10_000))).encode(),
    "a list of ten thousand heroes": (BASE + "\n[[heroes]]\nclass = 'warrior'\n" * 10_000).encode(),
    "brackets without end": (BASE + "\nx = " + "[" * 200_000).encode(),
    "lists within lists": (BASE + "\nx = " + "[" * 3_000 + "]" * 3_000).encode(),
    "tables within tables": (BASE + "\nx = " + "{a = " * 3_000 + "1" + "}" * 3_000).encode(),
    "a key of fifty thousand parts": (BASE + "\n" + ".".join("a" * 50_000) + " = 1\n").encode(),
    "such a key in braces": (BASE + "\nx = {" + ".".join("a" * 50_000) + " = 1}\n").encode(),
    "such a table": (BASE + "\n[" + ".".join("a" * 50_000) + "]\n").encode(),
    "a number of a million digits": (BASE + "\nx = " + "9" * 1_000_000 + "\n").encode(),
    "UTF-16": BASE.encode("utf-16"),
    "UTF-32": BASE.encode("utf-32"),
    "Latin-1": BASE.replace("title = ", "title = 'Käse' # ").encode("latin-1"),
    "a NUL byte": BASE.replace("title", "ti\0tle").encode(),
    "a lone surrogate": BASE.encode() + b"\nx = '\xed\xa0\x80'\n",
    "nothing": b"",
    "a byte order mark alone": b"\xef\xbb\xbf",
}


@pytest.mark.parametrize("kind", ODD_FILES)
def test_an_odd_file_runs_or_is_refused_with_a_word(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    file = written(tmp_path, ODD_FILES[kind])

    with limited(120):
        status, said = answer("run", file, "--runs", "4", "--json", capsys=capsys)

    assert status == (0 if "comments" in kind else 2)
    assert bool(said) == (status == 2)
    assert len(said.splitlines()) <= 201
    assert "Traceback" not in said


@pytest.mark.parametrize("target", ["itself", "missing", "/dev/zero", "folder"])
def test_a_link_that_leads_astray_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], target: str
) -> None:
    (tmp_path / "folder").mkdir()
    link = tmp_path / "link.toml"
    link.symlink_to({"itself": link, "/dev/zero": Path("/dev/zero")}.get(target, tmp_path / target))

    status, said = answer("run", str(link), "--runs", "4", capsys=capsys)

    assert status == 2
    assert "link.toml" in said


@pytest.mark.parametrize(
    "name",
    ["overhill/../../../../etc/passwd", "overhill/../overhill/duel-skeleton", "../etc/passwd", "overhill/\0",
     "/etc/passwd", "overhill//duel-skeleton", "%2e%2e/passwd", "overhill/scenarios/duel-skeleton", "~root/x", "-",
     "C:\\x.toml"],
)  # fmt: skip
def test_a_name_does_not_lead_out_of_the_library(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, said = answer("run", "--runs", "4", "--", name, capsys=capsys)

    assert status == 2
    assert said
    assert "root:" not in said  # nothing of the file is shown


def test_a_hostile_title_names_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    hostile = written(tmp_path, BASE.replace('title = "', 'title = "../../../escaped/').encode())

    run(load(hostile), runs=50, jobs=1, out=tmp_path / "out")

    assert {path.name for path in tmp_path.iterdir()} == {"odd.toml", "out"}


@pytest.mark.parametrize(
    "formula",
    ["__import__('os').system('touch escaped')", "().__class__.__bases__[0].__subclasses__()", "open('escaped','w')",
     "9**9**9", "1<<9999999", "'x'*10**10", "[0]*10**10", "max(" * 60 + "1" + ")" * 60, "1" * 999, "L" + "+L" * 499],
)  # fmt: skip
def test_a_formula_neither_escapes_nor_explodes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], formula: str
) -> None:
    monkeypatch.chdir(tmp_path)
    text = BASE.replace('policy = "plain"', 'policy = "odd"') + (
        f"\n[[policies.odd]]\nwhen = {json.dumps(formula)}\ndo = 'attack'\n"
    )

    status, said = answer("check", written(tmp_path, text.encode()), capsys=capsys)

    assert status == 2
    assert "Traceback" not in said
    assert {path.name for path in tmp_path.iterdir()} == {"odd.toml"}


# ------------------------------------------------------------------------------------------------------- hostile names

HOSTILE = [
    "<script>window.hurt=1</script>",
    "<img src=x onerror='window.hurt=1'>",
    "\"><svg onload=window.hurt=1>",
    "'-window.hurt=1-'",
    "</style></script><script>window.hurt=1</script>",
    "]]><script>window.hurt=1</script>",
    "javascript:window.hurt=1",
    "{{ 7 * 7 }}{% raw %}",
    "--><script>window.hurt=1</script>",
    "&lt;script&gt;window.hurt=1&lt;/script&gt;",
]


@pytest.fixture
def hostile_page(tmp_path: Path) -> Path:
    """The report of a fight whose every text is hostile, played by the command."""
    data = load(str(FIGHT)).data
    data["title"] = HOSTILE[0] + HOSTILE[2]
    data["description"] = " ".join(HOSTILE)
    data["heroes"] = [data["heroes"][0] | {"name": name} for name in HOSTILE[:5]]
    data["enemies"] = [data["enemies"][0] | {"name": name} for name in HOSTILE[5:]]
    from sim.scenario.toml_writer import to_toml

    (tmp_path / "hostile.toml").write_text(to_toml(data), encoding="utf-8")
    status = _status(
        ["run", str(tmp_path / "hostile.toml"), "--runs", "300", "--jobs", "1", "--out", str(tmp_path / "out")], False
    )
    assert status == 0
    return tmp_path / "out/index.html"


def test_hostile_names_are_text_on_the_page(hostile_page: Path) -> None:
    page = hostile_page.read_text(encoding="utf-8")

    assert "<script>window" not in page
    assert "<img src=x" not in page
    assert "<svg onload" not in page
    assert "49{%" not in page
    assert "&lt;script&gt;window.hurt=1" in page


@pytest.mark.browser
def test_a_browser_executes_nothing_that_a_scenario_says(hostile_page: Path) -> None:
    said: list[Any] = []
    asked: list[str] = []

    with chromium() as browser, opened(browser) as page:
        page.on("dialog", lambda dialog: (said.append(dialog.message), dialog.dismiss()))
        page.on("console", lambda message: said.append(message.text))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(hostile_page.as_uri())
        page.wait_for_load_state("networkidle")
        for link in page.locator("a").all():
            assert not (link.get_attribute("href") or "").startswith("javascript:")
        hurt = page.evaluate("window.hurt")
        shown = page.locator("body").inner_text()

    assert hurt is None
    assert said == []
    assert asked == [hostile_page.as_uri()]
    assert HOSTILE[0] in shown
