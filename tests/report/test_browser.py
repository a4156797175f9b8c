"""The page in a real browser: it renders, says nothing on the console, asks for nothing, and sorts its tables."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

import sim
from sim.results.result import Result
from tests.browsers import opened

pytestmark = pytest.mark.browser


class Visit:
    """A page that was opened, with everything it said and asked for."""

    def __init__(self, page: Any, file: Path) -> None:
        self.page = page
        self.said: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.said.append(dialog.message), dialog.dismiss()))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(file.as_uri())
        self.page.wait_for_load_state("networkidle")


@pytest.fixture
def visit(browser: Any) -> Iterator[Any]:
    with ExitStack() as pages:

        def open_page(file: Path, **options: Any) -> Visit:
            return Visit(pages.enter_context(opened(browser, **options)), file)

        yield open_page


def test_the_page_renders_in_silence_and_asks_for_nothing(visit: Any, page_file: Path) -> None:
    seen = visit(page_file)

    assert seen.said == []
    assert seen.asked == [page_file.as_uri()]
    assert seen.page.locator("h1").inner_text() == "Two against two"
    assert seen.page.locator(".verdict .sentence").is_visible()


def test_every_figure_is_drawn_with_a_title(visit: Any, page_file: Path) -> None:
    figures = visit(page_file).page.locator("figure svg")

    assert figures.count() == 6
    for place in range(figures.count()):
        figure = figures.nth(place)
        box = figure.bounding_box()
        assert box["width"] > 500
        assert box["height"] > 100
        assert figure.locator("title").first.text_content()
        assert figure.locator("text").count() > 5


def test_scenarios_cannot_run_anything(visit: Any, troubled_file: Path) -> None:
    seen = visit(troubled_file)

    assert seen.said == []
    assert seen.asked == [troubled_file.as_uri()]
    assert seen.page.locator("h1").inner_text() == "<script>alert('title')</script>"


def test_a_click_sorts_and_a_second_click_turns_the_order(visit: Any, page_file: Path) -> None:
    page = visit(page_file).page
    heading = page.locator("#table-damage thead th[data-column='1']")

    def column() -> list[float]:
        cells = page.locator("#table-damage tbody td:nth-child(2)")
        return [float(cells.nth(place).get_attribute("data-key")) for place in range(cells.count())]

    heading.locator("button").click()
    largest_first = column()
    first_mark = heading.get_attribute("aria-sort")
    heading.locator("button").click()

    assert largest_first == sorted(largest_first, reverse=True)
    assert first_mark == "descending"
    assert column() == sorted(largest_first)
    assert heading.get_attribute("aria-sort") == "ascending"


def test_names_sort_from_a_to_z_first(visit: Any, page_file: Path) -> None:
    page = visit(page_file).page

    page.locator("#table-damage thead th[data-column='0'] button").click()

    assert page.locator("#table-damage tbody td:first-child").all_inner_texts() == ["Ada", "Bo", "Ogre", "Rat"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_its_ground_in_light_and_dark(visit: Any, page_file: Path, scheme: str) -> None:
    page = visit(page_file, color_scheme=scheme).page

    contrasts = page.evaluate(
        """() => {
            const light = colour => {
                const parts = colour.match(/[\\d.]+/g).slice(0, 3).map(part => {
                    const share = part / 255;
                    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
                });
                return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
            };
            const contrast = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
            const card = light(getComputedStyle(document.querySelector("section")).backgroundColor);
            const look = (selector, property) => [...document.querySelectorAll(selector)].map(
                element => contrast(light(getComputedStyle(element)[property]), card));
            return {
                page: look("section h2, section p, td, figcaption, dt", "color"),
                figures: look("#figure-rounds text, #figure-survival text, #figure-damage text", "fill"),
                bars: look("#figure-rounds [id*=patch] path[style*='--win']", "fill"),
            };
        }"""
    )

    assert min(contrasts["page"]) > 4.5
    assert min(contrasts["figures"]) > 4.5
    assert min(contrasts["bars"]) > 3


def test_nothing_sticks_out_on_a_small_screen(visit: Any, page_file: Path) -> None:
    page = visit(page_file, viewport={"width": 390, "height": 800}).page

    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_fight_is_opened_in_place_and_gone_through(visit: Any, page_file: Path) -> None:
    seen = visit(page_file)
    fight = seen.page.locator("details.watch").nth(1)

    fight.locator("summary").first.click()
    fight.locator("[data-do=round-on]").click()
    seen.page.keyboard.press("ArrowRight")

    assert fight.locator(".slider").input_value() == "2"
    assert fight.locator(".now .when").inner_text().startswith("Round 1 · event 2 of ")
    assert seen.page.evaluate("location.hash").endswith("&event=2")
    assert seen.said == []


def test_an_address_opens_the_fight_that_it_names(visit: Any, page_file: Path, plain_result: Result) -> None:
    run = plain_result.picks["worst"]
    seen = visit(page_file)

    seen.page.evaluate(f"location.hash = '#run={run}&event=3'")
    fight = seen.page.locator(f".fight[data-run='{run}']")
    fight.locator(".now").wait_for()

    assert fight.locator(".slider").input_value() == "3"


def test_it_prints_on_paper(visit: Any, page_file: Path) -> None:
    page = visit(page_file, color_scheme="dark").page
    page.emulate_media(media="print")

    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    paper = page.pdf(format="A4")

    assert ground == "rgb(255, 255, 255)"
    assert paper.startswith(b"%PDF")


@pytest.fixture(scope="module", params=["p52/hall-scaling", "brimstone/boot_hill"])
def wide_file(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of a fight whose units say more than fits beside each other."""
    result = sim.run(request.param, runs=100, seed=1, jobs=1)
    return result.report(tmp_path_factory.mktemp("wide") / "page.html")


SHEET = 688  # pixels: A4 less the margins of the page


def test_paper_loses_no_column(visit: Any, wide_file: Path) -> None:
    page = visit(wide_file, viewport={"width": SHEET, "height": 900}).page
    page.emulate_media(media="print")

    widths = page.evaluate("[...document.querySelectorAll('table')].map(table => table.getBoundingClientRect().right)")

    assert len(widths) > 8
    assert max(widths) <= SHEET
    assert page.evaluate("document.documentElement.scrollWidth") <= SHEET


def test_figures_and_tables_scroll_in_their_frame_on_a_small_screen(visit: Any, wide_file: Path) -> None:
    page = visit(wide_file, viewport={"width": 390, "height": 800}).page

    figures = page.evaluate("[...document.querySelectorAll('figure svg')].map(it => it.getBoundingClientRect().width)")
    frames = page.evaluate("[...document.querySelectorAll('.drawing')].map(frame => getComputedStyle(frame).overflowX)")

    assert min(figures) > 500  # large enough to read
    assert set(frames) == {"auto"}
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
