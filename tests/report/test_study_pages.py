"""The page of a study: verdicts first, figures with titles and labels, nothing from outside."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import sim
from sim.report.study_figures import answer_drawings
from sim.studies.answer import Answer
from tests.browsers import opened

FIGHT = "overhill/playtest-1-ladder"
QUIET = {"progress": False, "runs": 300}
COUNT = "enemies.skeleton.count"

ASK: dict[str, Callable[[], Answer]] = {
    "compare": lambda: sim.compare(FIGHT, {"one <b>more</b>": {COUNT: 4}, "xp": {"enemies.skeleton.xp": 9}}, **QUIET),
    "curve": lambda: sim.sweep(FIGHT, {COUNT: [2, 3, 4]}, **QUIET),
    "names": lambda: sim.sweep(FIGHT, {"policy": ["plain", "cautious"]}, **QUIET),
    "heat map": lambda: sim.sweep(FIGHT, {COUNT: [2, 3, 4], "level": [1, 3]}, **QUIET),
    "scale": lambda: sim.scale(FIGHT, [1, 2, 3], policies=["plain", "cautious"], **QUIET),
    "tune": lambda: sim.tune(FIGHT, COUNT, "win_rate=0.6", low=1, high=6, precision=5, progress=False),
    "several": lambda: sim.tune(FIGHT, {COUNT: [1, 6], "level": [1, 4]}, "win_rate=0.6", precision=5, progress=False),
    "sensitivity": lambda: sim.sensitivity(FIGHT, only="zombie", **QUIET),
    "ladder": lambda: sim.ladder(FIGHT, policies=["plain", "cautious"], abilities=["dart"], **QUIET),
    "gate": lambda: sim.gate([{"scenario": FIGHT, "win_rate": [0.5, 0.9]}], progress=False),
}
FIGURES = {"several": 0, "ladder": 2}  # one for all others


@pytest.fixture(scope="module", params=ASK)
def written(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Answer, Path]:
    """An answer and the folder it was written to."""
    answer = ASK[request.param]()
    return request.param, answer, answer.write(tmp_path_factory.mktemp("study"))


def test_a_page_has_verdicts_figures_tables_and_the_way_back(written: tuple[str, Answer, Path]) -> None:
    name, answer, folder = written

    page = (folder / "index.html").read_text(encoding="utf-8")

    drawings = answer_drawings(answer)
    assert len(drawings) == FIGURES.get(name, 1)
    assert page.count("<figure") == len(drawings)
    assert page.index('class="sentence"') < page.index('id="findings"') < page.index('id="again"')
    assert answer.scenario.digest in page
    assert not re.search(r"(src|href)=\"(?!#|data:)", page)
    assert "<b>more</b>" not in page
    for drawing in drawings:
        assert drawing.title in page.replace("&#39;", "'")
        svg = (folder / "figures" / f"{drawing.name}.svg").read_text(encoding="utf-8")
        assert svg.startswith("<?xml")
        assert 'xmlns="http://www.w3.org/2000/svg"' in svg
        assert (folder / "figures" / f"{drawing.name}.png").read_bytes().startswith(b"\x89PNG")


def test_figures_are_the_same_every_time(written: tuple[str, Answer, Path]) -> None:
    _, answer, _ = written

    first, second = answer_drawings(answer), answer_drawings(answer)

    assert [one.svg for one in first] == [one.svg for one in second]
    assert [one.png for one in first] == [one.png for one in second]


@pytest.mark.browser
def test_a_page_renders_in_silence(written: tuple[str, Answer, Path], browser: Any) -> None:
    _, answer, folder = written
    said: list[str] = []
    asked: list[str] = []

    with opened(browser) as page:
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("request", lambda request: asked.append(request.url))
        page.goto((folder / "index.html").as_uri())
        sentence = page.locator(".verdict .sentence").inner_text()
        figures = page.locator("figure svg")
        labels = [figures.nth(at).locator("text").count() for at in range(figures.count())]

    assert said == []
    assert asked == [(folder / "index.html").as_uri()]
    assert sentence == answer.verdicts[0]
    assert all(count > 4 for count in labels)


def test_the_page_of_a_changed_fight_says_so_with_or_without_a_title_of_its_own(tmp_path: Path) -> None:
    answer = sim.scale(sim.load(FIGHT, sets=["enemies.skeleton.count=9"]), [1, 2], **QUIET)
    untitled = (answer.write(tmp_path / "untitled") / "index.html").read_text(encoding="utf-8")
    answer.title = "Nine of them"
    titled = (answer.write(tmp_path / "titled") / "index.html").read_text(encoding="utf-8")

    for page in (untitled, titled):
        header = page[page.index("<header") : page.index("</header>")]
        assert header.count("nine skeletons (was three)") == 1


def test_a_party_of_a_level_curve_is_told_with_what_it_changes() -> None:
    answer = sim.scale(FIGHT, [1, 2], parties={"swarm": {COUNT: 9}}, **QUIET)

    assert answer.settings["parties"] == {"swarm": "nine skeletons (was three)"}
