"""Folders that are not ours: what others have put there is neither replaced nor deleted nor followed."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import sim
from sim.cli.commands import _status
from sim.errors import InputError
from sim.runs.runner import run
from sim.storage.ownership import RUN_FILES
from sim.studies.answer import STUDY_FILES, Answer
from tests.games.misbehaving import duel

ROOT = Path(__file__).parents[2]
FIGHT = "overhill/duel-skeleton"


@pytest.fixture(autouse=True)
def no_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages and figures are no concern of these tests."""
    monkeypatch.setattr("sim.report.result_folder.result_page", lambda result: "page")
    monkeypatch.setattr("sim.report.study_folder.answer_page", lambda answer, drawings: "page")
    monkeypatch.setattr("sim.report.study_folder.answer_drawings", lambda answer: [])


def play(folder: Path, **how: Any) -> None:
    run(duel(), **({"runs": 300, "jobs": 1, "out": folder} | how))


def ask(folder: Path, **how: Any) -> Answer:
    return sim.sweep(FIGHT, {"heroes.*.level": [1, 2]}, runs=50, jobs=1, out=folder, progress=False, **how)


def snapshot(folder: Path) -> dict[str, bytes | str]:
    """Everything in a folder: contents, and where links lead."""
    return {
        str(path.relative_to(folder)): str(path.readlink()) if path.is_symlink() else path.read_bytes()
        for path in folder.rglob("*")
        if path.is_symlink() or path.is_file()
    }


def refused(folder: Path, work: Callable[..., object], *names: str, **how: Any) -> None:
    """Whatever is asked, each of these files is named and nothing is touched."""
    before = snapshot(folder.parent)

    for asked in ({}, {"resume": True}, {"fresh": True}):
        with pytest.raises(InputError) as error:
            work(folder, **asked, **how)
        for name in names:
            assert f"--out: {folder / name} is " in str(error.value)
        assert len(error.value.problems) == len(names)
        assert "choose another folder" in str(error.value)

    assert snapshot(folder.parent) == before


@pytest.mark.parametrize("name", [*RUN_FILES, "index.html.part", "runs.parquet.part"])
@pytest.mark.parametrize("keep", ["auto", "summary"])
def test_a_run_refuses_a_file_of_somebody_else_in_its_place(tmp_path: Path, name: str, keep: str) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / name).write_text('{"name": "my web page", "versions": "all"}')

    refused(tmp_path / "out", play, name, keep=keep)


@pytest.mark.parametrize("name", ["index.html", "study.json", "points.csv", "figures/curve.png", "points.parquet.part"])
def test_a_study_refuses_a_file_of_somebody_else_in_its_place(tmp_path: Path, name: str) -> None:
    path = tmp_path / "out" / name
    path.parent.mkdir(parents=True)
    path.write_text("{}")

    refused(tmp_path / "out", ask, name)


@pytest.mark.parametrize("work", [play, ask])
@pytest.mark.parametrize("name", ["thesis.doc", "identity.json", "lock", "data.piece", "Data.piece", "old/notes"])
def test_a_checkpoint_folder_of_somebody_else_is_left_alone(tmp_path: Path, name: str, work: Any) -> None:
    path = tmp_path / "out/checkpoint" / name
    path.parent.mkdir(parents=True)
    path.write_text("precious")

    refused(tmp_path / "out", work, str(Path("checkpoint", Path(name).parts[0])))


@pytest.mark.parametrize("work", [play, ask])
@pytest.mark.parametrize(
    "name", ["checkpoint", "checkpoint/lock", "checkpoint/identity.json", "checkpoint/x.piece", "index.html",
             "index.html.part"]
)  # fmt: skip
def test_no_link_is_followed(tmp_path: Path, name: str, work: Any) -> None:
    """Not even in a folder that looks like one of ours: it may have come from somebody else."""
    folder = tmp_path / "out"
    work(folder)
    precious = tmp_path / "precious"
    if name == "checkpoint":
        (folder / name).rename(precious)
    else:
        precious.write_text("mine")
        (folder / name).unlink(missing_ok=True)
    (folder / name).symlink_to(precious)

    refused(folder, work, name)


def test_a_folder_of_figures_that_leads_elsewhere_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "pictures").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "out/figures").symlink_to(tmp_path / "pictures")

    refused(tmp_path / "out", ask, "figures")


def test_all_that_is_in_the_way_is_named_at_once(tmp_path: Path) -> None:
    for name in ("runs.parquet", "index.html", "notes.txt"):
        (tmp_path / "out").mkdir(exist_ok=True)
        (tmp_path / "out" / name).write_text("mine")

    refused(tmp_path / "out", play, "runs.parquet", "index.html")


@pytest.mark.parametrize("work", [play, ask])
def test_other_files_are_fine_and_stay(tmp_path: Path, work: Any) -> None:
    others = {"notes.txt": b"mine", "data.csv": b"1", "figures/photo.jpg": b"2", "manifest.txt": b"3"}
    for name, content in others.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)

    for how in ({}, {}, {"resume": True}, {"fresh": True}):
        work(tmp_path, **how)

    assert others.items() <= snapshot(tmp_path).items()


def test_what_a_result_leaves_behind_lists_its_files(tmp_path: Path) -> None:
    play(tmp_path / "run")
    play(tmp_path / "sums", keep="summary")
    ask(tmp_path / "study")

    def listed(name: str) -> list[str]:
        files: list[str] = json.loads((tmp_path / name).read_text())["files"]
        return sorted(files)

    def there(name: str) -> list[str]:
        return sorted(path.name for path in (tmp_path / name).iterdir() if path.is_file())

    assert listed("run/manifest.json") == there("run") == sorted(RUN_FILES)
    assert listed("sums/manifest.json") == there("sums") == sorted({*RUN_FILES} - {"runs.parquet", "units.parquet"})
    assert listed("study/study.json") == there("study")
    assert set(there("study")) <= set(STUDY_FILES)


def test_a_result_without_its_checkpoint_is_still_ours(tmp_path: Path) -> None:
    play(tmp_path)
    shutil.rmtree(tmp_path / "checkpoint")

    play(tmp_path)

    assert (tmp_path / "checkpoint/sums.piece").exists()


def test_a_table_beside_sums_alone_is_not_ours(tmp_path: Path) -> None:
    play(tmp_path / "out", keep="summary")
    shutil.rmtree(tmp_path / "out/checkpoint")
    (tmp_path / "out/runs.parquet").write_text("mine")

    refused(tmp_path / "out", play, "runs.parquet", keep="summary")


@pytest.mark.parametrize(("sample", "work"), [("crypt-swarm", play), ("crypt-variants", ask)])
def test_results_of_earlier_versions_are_ours(tmp_path: Path, sample: str, work: Any) -> None:
    shutil.copytree(ROOT / "reports/samples" / sample, tmp_path / "out")

    work(tmp_path / "out")

    assert (tmp_path / "out/index.html").read_text() == "page"


def test_a_result_written_from_python_spares_them_too(tmp_path: Path) -> None:
    result = run(duel(), runs=300, jobs=1)
    answer = ask(tmp_path / "study")
    (tmp_path / "out").mkdir()
    (tmp_path / "out/index.html").write_text("mine")

    for write in (result.write, answer.write):
        with pytest.raises(InputError, match=r"index\.html is in the way and was not made by fairfight"):
            write(tmp_path / "out")

    assert snapshot(tmp_path / "out") == {"index.html": b"mine"}
    result.write(tmp_path / "other")
    result.write(tmp_path / "other")


# ----------------------------------------------------------------------------------------------------- names of folders


@pytest.mark.parametrize("words", [["run", FIGHT], ["sweep", FIGHT, "--knob", "level=1,2"], ["study", "ask.toml"]])
def test_an_empty_name_of_a_folder_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ask.toml").write_text("")

    status = _status([*words, "--out", ""], debug=False)

    assert status == 2
    assert "expected a folder, found ''; '.' is the current one" in capsys.readouterr().err
    assert snapshot(tmp_path) == {"ask.toml": b""}
    with pytest.raises(InputError, match="out: expected a folder, found ''"):
        run(duel(), runs=10, out="")
    with pytest.raises(InputError, match="out: expected a folder, found ''"):
        sim.sweep(FIGHT, {"heroes.*.level": [1, 2]}, runs=50, out="")


@pytest.mark.parametrize("name", ["..toml", "...toml"])
def test_a_study_whose_name_gives_no_folder_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_text(
        f'question = "sweep"\nscenario = "{FIGHT}"\nruns = 50\nknobs = {{ "heroes.*.level" = [1, 2] }}\n'
    )

    status = _status(["study", name, "--jobs", "1"], debug=False)

    assert status == 2
    assert f"'{name}' gives the folder of its answer no name: say where with --out" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == [name]
