"""Studies on many machines: a real scheduler with two worker processes on loopback."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import sim
from sim.cli import main
from sim.errors import InputError
from sim.runs import workers
from sim.runs.pieces import Piece
from sim.studies import cards
from sim.studies.answer import Answer

pytest.importorskip("distributed", reason="the extra [dask] is not installed")

from tests.runs.test_cluster import Loopback, patient  # it needs distributed

pytestmark = [
    pytest.mark.xdist_group("dask"),
    pytest.mark.filterwarnings("default"),  # distributed's own, about event loops and sockets at the end
]

__all__ = ["patient"]  # a fixture for all tests here

FIGHT = "overhill/playtest-1-ladder"
QUIET: dict[str, Any] = {"seed": 3, "progress": False}


@pytest.fixture(scope="module")
def loopback(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Loopback]:
    cluster = Loopback(tmp_path_factory.mktemp("cluster"))
    yield cluster
    cluster.stop()


@pytest.fixture
def nobody_here(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """This process plays nothing itself."""

    def refuse(*_any: Any) -> None:
        raise AssertionError("played in this process")

    monkeypatch.setattr(cards, "marks_of", refuse)
    return monkeypatch


def same(there: Answer, here: Answer) -> None:
    assert there.tables == here.tables
    assert there.verdicts == here.verdicts
    assert there.effort.encounters == here.effort.encounters


def test_a_cluster_gives_the_same_answer(loopback: Loopback, nobody_here: pytest.MonkeyPatch) -> None:
    cluster: dict[str, Any] = {"backend": "dask", "address": loopback.address}
    harder = {"one more": {"enemies.skeleton.count": 4}, "game": {"scenario": "p52/duel"}}

    compared = sim.compare(FIGHT, harder, runs=500, **QUIET, **cluster)
    swept = sim.sweep(FIGHT, {"enemies.skeleton.count": range(2, 6)}, precision=2, **QUIET, **cluster)

    nobody_here.undo()
    same(compared, sim.compare(FIGHT, harder, runs=500, jobs=1, **QUIET))
    same(swept, sim.sweep(FIGHT, {"enemies.skeleton.count": range(2, 6)}, precision=2, jobs=1, **QUIET))
    assert compared.effort.jobs == 2


def test_a_study_begun_here_goes_on_there(
    loopback: Loopback, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["tune", FIGHT, "--knob", "enemies.skeleton.count=1..8", "--target", "win_rate=0.6", "--precision", "3"]
    at_once = sim.tune(FIGHT, "enemies.skeleton.count", "win_rate=0.6", low=1, high=8, precision=3, jobs=1, **QUIET)
    play, left_to_play = workers.play_piece, 2

    def stopped(piece: Piece[Any]) -> Any:
        nonlocal left_to_play
        if left_to_play == 0:
            raise KeyboardInterrupt
        left_to_play -= 1
        return play(piece)

    common = ["--seed", "3", "--out", str(tmp_path)]
    with monkeypatch.context() as patched:
        patched.setattr("sim.studies.pool.TOGETHER", 1)  # every card by itself
        patched.setattr(workers, "play_piece", stopped)
        with pytest.raises(SystemExit) as here:
            main([*words, *common, "--jobs", "1"])
    with pytest.raises(SystemExit) as there:
        main([*words, *common, "--resume", "--backend", "dask", "--address", loopback.address])

    assert (here.value.code, there.value.code) == (130, 0), capsys.readouterr().err
    document = json.loads((tmp_path / "study.json").read_text())
    assert document["tables"]["tried"]["rows"] == json.loads(at_once.to_json())["tables"]["tried"]["rows"]
    assert document["verdicts"] == at_once.verdicts
    assert document["effort"]["resumed"] > 0


def test_other_versions_on_the_workers_are_refused(loopback: Loopback, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sim.runs.cluster.VERSION", "9.9")

    with pytest.raises(InputError, match=r"has fairfight [\d.]+, expected 9\.9"):
        sim.sweep(FIGHT, {"level": [1, 2]}, runs=500, backend="dask", address=loopback.address, **QUIET)


def test_a_cluster_of_our_own_is_started_by_the_flag() -> None:
    claims = [{"scenario": FIGHT, "win_rate": [0.7, 0.95]}]

    there = sim.gate(claims, jobs=2, backend="dask", **QUIET)

    same(there, sim.gate(claims, jobs=1, **QUIET))
