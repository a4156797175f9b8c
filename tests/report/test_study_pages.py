"""The page of a study: verdicts first, figures with titles and labels, nothing from outside."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import sim
from sim.report.study_figures import ON_DARK, ON_LIGHT, answer_drawings, contrast, ink_on
from sim.results.verdict import BANDS
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
    "improve": lambda: sim.improve(FIGHT, generations=1, **QUIET),
    "parties": lambda: sim.parties(FIGHT, size=2, of=["warrior", "priest", "rogue"], **QUIET),
    "price": lambda: sim.price(FIGHT, ["skeleton", "zombie"], runs=60, precision=80, progress=False),
    "why": lambda: sim.why(FIGHT, curves=4, again=20, **QUIET),
    "gate": lambda: sim.gate([{"scenario": FIGHT, "win_rate": [0.5, 0.9]}], progress=False),
}
FIGURES = {"several": 0, "ladder": 2, "parties": 3, "price": 2, "why": 3}  # one for all others


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
    assert page.index('id="again"') < page.index('<section id="reading">')
    assert "docs/" not in page
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


# ----------------------------------------------------------------------------------------------------------- figures


@pytest.mark.parametrize("share", [at / 50 for at in range(51)])
def test_numbers_stand_out_from_every_field_of_a_heat_map(share: float) -> None:
    from matplotlib import colormaps
    from matplotlib.colors import to_hex

    field = to_hex(colormaps["cividis"](share))

    assert contrast(ink_on(field), field) > 4.5


def test_the_numbers_of_a_heat_map_keep_their_ink_in_either_theme() -> None:
    (drawn,) = answer_drawings(ASK["heat map"]())

    numbers = re.findall(r'<text style="([^"]*)"[^>]*>(\d+)</text>', drawn.svg)
    inks = {ink for style, _ in numbers for ink in (ON_LIGHT, ON_DARK) if ink in style and "var(" not in style}

    assert inks


def test_names_have_no_lines_between_them() -> None:
    numbers = sim.sweep(FIGHT, {COUNT: [1, 6, 9], "enemies.zombie.count": [1, 3]}, **QUIET)
    names = sim.sweep(FIGHT, {COUNT: [1, 6, 9], "policy": ["plain", "cautious"]}, **QUIET)

    (ordered,), (unordered,) = answer_drawings(numbers), answer_drawings(names)

    assert "Lines: equal outcome" in ordered.caption
    assert "QuadContourSet" in ordered.svg
    assert "Lines" not in unordered.caption
    assert "QuadContourSet" not in unordered.svg


def test_draws_stand_beside_wins_and_the_bands_of_the_verdict_behind_them() -> None:
    sweep = sim.sweep("p52/hall-scaling", {"level": [3, 4]}, **QUIET)
    scale = sim.scale("p52/hall-scaling", [3, 4], **QUIET)

    (swept,), (scaled,) = answer_drawings(sweep), answer_drawings(scale)

    for drawn in (swept, scaled):
        assert all(f">{band.name}</text>" in drawn.svg for band in BANDS)
        assert "stroke-dasharray" in drawn.svg
    assert ">draws</text>" in swept.svg
    assert "wins (solid), draws (dashed), %" in scaled.svg


def test_the_ladder_is_sorted_and_names_every_policy_once() -> None:
    answer = sim.ladder(FIGHT, abilities=["dart", "melee", "bless"], **QUIET)

    rungs, abilities = answer_drawings(answer)

    rates = {str(row["fight"]): row["win_rate"] for row in answer.table("policies").rows}
    shown = re.findall(r">([a-z ]+(?: \(as it is\))?)</text>", rungs.svg)
    names = [text for text in shown if text.removesuffix(" (as it is)").replace(" ", "_") in rates]
    wins = [rates[name.removesuffix(" (as it is)").replace(" ", "_")] for name in names]
    assert [rate.value for rate in wins] == sorted(rate.value for rate in wins)
    assert len(names) == len(set(names)) == len(rates)
    in_table = [row["win_rate"].value for row in answer.table("policies").rows]
    assert in_table == sorted(in_table, reverse=True)
    assert f"{answer.scenario.policy.replace('_', ' ')} (as it is)" in names
    assert abilities.svg.index(">dart</text>") < abilities.svg.index(">melee</text>")  # drawn from the bottom
