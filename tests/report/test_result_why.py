"""The part of a result's page that says why."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import sim
from sim.studies import why

FIGHT = "overhill/solo-four-skeletons"


def page_of(folder: Path) -> str:
    return (folder / "index.html").read_text(encoding="utf-8")


def section(page: str) -> str:
    found = re.search(r'<section id="why">.*?</section>', page, re.DOTALL)
    return "" if found is None else found[0]


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(why, "FEWEST_IN_SHORT", 20)


@pytest.mark.usefixtures("short")
def test_a_report_says_why_for_less_than_the_run_has_cost(tmp_path: Path) -> None:
    sim.run(FIGHT, runs=1_000, seed=3, out=tmp_path / "one", jobs=1)

    told = section(page_of(tmp_path / "one"))

    assert "What decides it:" in told
    cost = re.search(r"From ([\d,]+) runs of every set of draws, ([\d,]+) encounters in all", told)
    assert cost is not None
    assert 20 <= int(cost[1].replace(",", "")) < 100
    assert int(cost[2].replace(",", "")) <= 800


@pytest.mark.usefixtures("short")
def test_the_same_run_says_the_same_why_and_one_that_is_not_asked_has_the_same_result(tmp_path: Path) -> None:
    tables: list[bytes] = []
    for name, wanted in (("one", True), ("two", True), ("without", False)):
        sim.run(FIGHT, runs=800, seed=3, out=tmp_path / name, jobs=1, why=wanted)
        tables.append((tmp_path / name / "summary.csv").read_bytes())

    sections = [section(page_of(tmp_path / name)) for name in ("one", "two", "without")]

    assert sections[0] == sections[1] != ""
    assert sections[2] == ""
    assert 'href="#why"' not in page_of(tmp_path / "without")
    assert tables[0] == tables[1] == tables[2]


def test_a_short_run_has_no_such_part(tmp_path: Path) -> None:
    sim.run(FIGHT, runs=300, seed=3, out=tmp_path / "one", jobs=1)

    assert section(page_of(tmp_path / "one")) == ""


def test_why_in_short_never_plays_more_than_it_may() -> None:
    fight = sim.load(FIGHT)

    assert why.why_in_short(fight, 3, 2_000) is None
    answer = why.why_in_short(fight, 3, 5_000)

    assert answer is not None
    assert 200 <= answer.settings["runs"] < 400
    assert answer.effort.encounters <= 5_000
    assert len(answer.table("resolution").rows) <= 6
