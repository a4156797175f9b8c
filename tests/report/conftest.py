"""A report of a small fight, made once, and a folder full of trouble in its names."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sim.results.result import Result
from sim.runs.runner import run
from tests.browsers import chromium
from tests.games.misbehaving import duel

TROUBLE = [
    "</script><script>alert('name')</script>",
    '<img src="http://example.invalid/x.png" onerror="alert(1)">',
    "Cost $5 & $x_1^{2}$ -->]]>",
    "javascript:alert(2) {{ 7 * 7 }} {% raw %}",
]


@pytest.fixture(scope="package")
def browser() -> Iterator[Any]:
    """A headless Chromium for all pages of this folder: while it runs, no other event loop can."""
    with chromium() as started:
        yield started


@pytest.fixture(scope="session")
def plain_result() -> Result:
    """A fight with wins, losses, draws and avoided ones."""
    return run(duel(avoid_percent=3, empty_percent=4, round_cap=9, preset="brutal"), runs=2_500, seed=9, jobs=1)


@pytest.fixture(scope="session")
def page_file(plain_result: Result, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its report."""
    return plain_result.report(tmp_path_factory.mktemp("report") / "page.html")


@pytest.fixture(scope="session")
def troubled_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of a fight whose texts try to break out of the page."""
    scenario = duel(
        name="evil/<b>&\"'", names=TROUBLE, title="<script>alert('title')</script>", description="<iframe src=//x>"
    )
    return run(scenario, runs=300, jobs=1).report(tmp_path_factory.mktemp("trouble") / "page.html")
