"""What is shipped: the wheel holds everything that is needed, and works where nothing else is installed."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

pytest.importorskip("hatchling", reason="hatchling, which builds the wheel, is not installed")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the sdist of this tree."""
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-d", str(folder)], cwd=ROOT, check=True)
    return folder


def shipped_with(folder: Path, pattern: str) -> Path:
    found = list(folder.glob(pattern))
    assert len(found) == 1
    return found[0]


def test_the_wheel_holds_every_file_of_the_package_and_nothing_else(built: Path) -> None:
    with zipfile.ZipFile(shipped_with(built, "*.whl")) as wheel:
        inside = {name for name in wheel.namelist() if ".dist-info/" not in name}

    here = {
        str(path.relative_to(ROOT))
        for path in (ROOT / "sim").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert inside == here
    for kind in (".toml", ".md", ".jinja", ".css", ".js"):
        assert any(name.endswith(kind) for name in inside), kind


def test_the_sdist_can_be_tested_and_built_from(built: Path) -> None:
    with tarfile.open(shipped_with(built, "*.tar.gz")) as sdist:
        inside = {name.partition("/")[2] for name in sdist.getnames()}

    assert {"pyproject.toml", "README.md", "LICENSE", "Makefile"} <= inside
    assert {"tests/runs/test_runner.py", "sim/runs/runner.py"} <= inside
    assert "docs/architecture.md" in inside


def test_the_oldest_versions_are_those_that_are_allowed() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    allowed = dict(one.split(",")[0].split(">=") for one in project["dependencies"])
    lines = (ROOT / "tests/oldest.txt").read_text(encoding="utf-8").splitlines()
    oldest = dict(line.split("==") for line in lines if "==" in line)

    def numbers(version: str) -> list[int]:
        return ([int(part) for part in version.split(".")] + [0, 0])[:3]

    assert {name: numbers(version) for name, version in oldest.items()} == {
        name: numbers(version) for name, version in allowed.items()
    }


@pytest.mark.soak
def test_the_wheel_works_in_a_clean_environment_and_names_the_extras_it_misses(built: Path, tmp_path: Path) -> None:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "env")], check=True, env=clean)
    bin_folder = tmp_path / "env/bin"
    install = [str(bin_folder / "python"), "-m", "pip", "install", "--quiet", str(shipped_with(built, "*.whl"))]
    subprocess.run(install, check=True, env=clean, cwd=tmp_path)

    def fairfight(*words: str, status: int = 0) -> str:
        words = (str(bin_folder / "fairfight"), *words)
        answer = subprocess.run(words, capture_output=True, text=True, cwd=tmp_path, env=clean, check=False)
        assert answer.returncode == status, answer.stderr
        assert "Traceback" not in answer.stderr
        return answer.stdout + answer.stderr

    where = [str(bin_folder / "python"), "-c", "import sim; print(sim.__file__)"]
    found = subprocess.run(where, capture_output=True, text=True, cwd=tmp_path, env=clean, check=True)
    assert str(tmp_path / "env") in found.stdout

    assert "overhill/playtest-1" in fairfight("list")
    assert "The party wins" in fairfight("run", "overhill/playtest-1", "--runs", "2000", "--out", "out")
    assert (tmp_path / "out/index.html").stat().st_size > 10_000
    assert (tmp_path / "out/runs.parquet").exists()
    assert "wrote mine.toml" in fairfight("new", "overhill", "mine.toml")
    assert "OK" in fairfight("check", "mine.toml")
    assert fairfight("replay", "overhill/duel-skeleton", "--run", "3")
    refused = fairfight("run", "overhill/duel-skeleton", "--runs", "100", "--backend", "dask", status=2)
    assert "pip install 'fairfight[dask]'" in refused
