"""The studio in a real browser, as somebody uses it."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sim.scenario import load
from sim.studies.compare import compare
from tests.browsers import LIMIT, chromium
from tests.processes import PATIENCE
from tests.studio.conftest import Running, children_of, studio_on

pytestmark = pytest.mark.browser  # the first test belongs to `make test`; minutes of a real browser to `make soak`

TROUBLE = "</script><script>alert('name')</script><img src=x onerror=alert(1)> {{ 7 * 7 }}"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A headless Chromium for this module: while it runs, no other event loop can."""
    with chromium() as begun:
        yield begun


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A studio for these tests alone: the token of another has been used."""
    with studio_on(tmp_path_factory.mktemp("browser")) as begun:
        yield begun


@pytest.fixture(scope="module")
def desk(browser: Any, running: Running) -> Iterator[Any]:
    """A browser that has been let in."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, accept_downloads=True)
    context.set_default_timeout(LIMIT)
    context.set_default_navigation_timeout(LIMIT)
    context.new_page().goto(running.address)
    yield context
    context.close()


class Tab:
    """A page, with everything it said and asked for."""

    def __init__(self, desk: Any, running: Running) -> None:
        self.running, self.page = running, desk.new_page()
        self.said: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.said.append(dialog.message), dialog.dismiss()))
        self.page.on("request", lambda request: self.asked.append(request.url))

    def open(self, path: str) -> Tab:
        """A page of the studio."""
        self.page.goto(self.running.root + path)
        return self

    def fight(self, query: str) -> Tab:
        """A fight, at rest."""
        self.open(f"/fight?fight={query}")
        self.rest()
        return self

    def rest(self) -> None:
        """Wait until the fight is known well enough."""
        self.page.wait_for_selector('#news[data-state="resting"]')

    def box(self, path: str) -> Any:
        """The field of a path, made visible."""
        return self.page.locator(f'[data-path="{path}"] :is(input.number, input[type=text], input[type=number])').first

    def turn(self, path: str, value: str) -> None:
        """Type another value, and wait until the fight with it rests."""
        self.box(path).fill(value)
        self.box(path).press("Enter")
        self.page.wait_for_selector(f'[data-path="{path}"].changed')
        self.page.wait_for_url(re.compile(re.escape(f"{quoted(path)}%3D{value}")), wait_until="commit")
        self.rest()

    def share(self, name: str = "win") -> float:
        """A share of the fights in percent."""
        return float(self.page.locator(f'[data-share="{name}"]').get_attribute("data-value"))


def quoted(path: str) -> str:
    return path.replace("[", "%5B").replace("]", "%5D")


@pytest.fixture
def tab(desk: Any, running: Running) -> Iterator[Tab]:
    opened = Tab(desk, running)
    yield opened
    opened.page.close()
    assert [url for url in opened.asked if not url.startswith(running.root)] == []


HARDER = {
    "overhill/playtest-1": ("enemies[0].count", "9"),
    "p52/duel": ("enemies[0].max_hp", "60"),
    "brimstone/duel": ("enemies[0].health", "12"),
    "second_era/se_duel": ("enemies[0].health", "9"),
}


def test_a_harder_number_moves_the_rate_down_in_every_game(tab: Tab) -> None:
    for fight, (path, value) in HARDER.items():
        tab.fight(f"{fight}&precision=2")
        before = tab.share()

        tab.page.locator("details.entry").evaluate_all("groups => groups.forEach(group => { group.open = true; })")
        tab.turn(path, value)

        assert tab.share() < before - 2, fight
        assert tab.page.locator(f'[data-path="{path}"] .was').is_visible()
    assert tab.said == []


@pytest.mark.soak
def test_the_address_holds_everything(tab: Tab) -> None:
    page = tab.fight("overhill/playtest-1&precision=2").page
    tab.turn("enemies[0].count", "7")
    tab.turn("enemies[1].count", "3")
    there, win = page.url, tab.share()

    page.reload()
    tab.rest()
    assert tab.box("enemies[0].count").input_value() == "7"
    assert tab.share() == win  # remembered, not played again
    page.go_back()
    page.wait_for_selector('#field-enemies-1--count[value="2"]')
    assert tab.box("enemies[0].count").input_value() == "7"
    page.click("#redo")
    page.wait_for_selector('#field-enemies-1--count[value="3"]')
    assert page.url == there
    page.click("#undo")
    page.wait_for_selector('#field-enemies-1--count[value="2"]')
    page.click("#undo")
    page.wait_for_selector('#field-enemies-0--count[value="3"]')
    assert page.locator("#undo").is_disabled()
    assert page.locator("text=Back to the file").count() == 0


@pytest.mark.soak
def test_undo_and_redo_go_on_after_a_replay_a_question_and_the_list_of_fights(tab: Tab) -> None:
    page = tab.fight("overhill/solo-four-skeletons&precision=2").page
    tab.turn("enemies[0].count", "5")
    tab.turn("enemies[0].count", "6")

    page.click("#see a >> nth=0")
    page.wait_for_selector("body.replay")
    page.click("text=Back to the fight")
    page.click("#undo")
    page.wait_for_selector('#field-enemies-0--count[value="5"]')
    page.click("#to-ask")
    page.click("text=Back to the fight")
    page.wait_for_selector('#field-enemies-0--count[value="5"]')
    page.click("#redo")
    page.wait_for_selector('#field-enemies-0--count[value="6"]')
    assert page.locator("#redo").is_disabled()

    page.go_back()  # what was shown before
    page.wait_for_selector('#field-enemies-0--count[value="5"]')
    page.click("#undo")
    page.wait_for_selector('#field-enemies-0--count[value="4"]')
    assert page.locator("#undo").is_disabled()
    tab.turn("enemies[0].count", "3")  # from here on the others are no more
    assert page.locator("#redo").is_disabled()

    tab.fight("overhill/playtest-1&precision=2")
    assert page.locator("#undo").is_disabled()  # another fight
    assert tab.said == []


@pytest.mark.soak
def test_two_tabs_have_two_fights(tab: Tab, desk: Any, running: Running) -> None:
    other = Tab(desk, running)
    tab.fight("overhill/playtest-1&precision=2")
    other.fight("overhill/solo-four-skeletons&precision=2")

    tab.turn("enemies[0].count", "8")

    assert other.box("enemies[0].count").input_value() == "4"
    assert tab.box("enemies[0].count").input_value() == "8"
    other.page.close()


@pytest.mark.soak
def test_a_slider_is_turned_without_a_step_of_undo_for_every_pixel(tab: Tab) -> None:
    page = tab.fight("overhill/playtest-1&precision=2").page
    slider = page.locator("#field-enemies-0--count-slider")

    for _ in range(4):
        slider.press("ArrowRight")
    page.wait_for_selector('#field-enemies-0--count[value="7"]')
    tab.rest()

    assert tab.box("enemies[0].count").input_value() == "7"
    assert page.locator('[data-path="enemies[0].count"] .was').inner_text().startswith("was 3")


@pytest.mark.soak
def test_a_problem_stands_beside_its_field(tab: Tab) -> None:
    page = tab.fight("overhill/playtest-1&precision=2").page

    tab.box("enemies[0].count").fill("lots")
    tab.box("enemies[0].count").press("Enter")
    problem = page.locator("#field-enemies-0--count-problem")
    problem.wait_for()

    assert "lots" in problem.inner_text()
    assert page.locator("#save button").is_disabled()
    page.click('[data-back="enemies[0].count"]')
    problem.wait_for(state="detached")
    assert tab.said == []


MOVES = {  # who, from where, the place to go to, by which keys, and what is set then
    "overhill/narrow-stair": ("warrior", "rear", ["ArrowDown"], "heroes[0].guard"),
    "p52/four-on-four": ("king of clubs", "[3, 1]", ["ArrowRight"], "enemies[2].spot"),
    "brimstone/boot_hill": ("US marshal", "[3, 2]", ["ArrowUp"], "heroes[0].square"),
    "second_era/se_patrol": ("archer", "[0, 0]", ["ArrowRight", "ArrowRight"], "heroes[0].hex"),
}


@pytest.mark.soak
@pytest.mark.parametrize("fight", MOVES)
def test_a_token_is_dragged_and_moved_by_keys_to_the_same_place_in_every_game(tab: Tab, fight: str) -> None:
    who, to, keys, path = MOVES[fight]
    loose = "&set=rear_ratio%3D9&set=heroes%5B2%5D.guard%3Dfront" if fight.startswith("overhill") else ""
    page = tab.open(f"/fight?fight={fight}&precision=2{loose}").page
    seat = page.locator(f'.seat[data-seat="{who}"]').first
    seat.wait_for()
    started, at_first = seat.get_attribute("data-stands"), page.url

    seat.focus()
    for key in keys:
        page.keyboard.press(key)
    page.keyboard.press("Enter")
    page.wait_for_function("before => location.href !== before", arg=at_first)
    by_keys = page.url
    assert f"{quoted(path)}%3D" in by_keys
    page.wait_for_selector(f'.seat[data-seat="{who}"]:not([data-stands="{started}"])')
    page.click("#undo")
    page.wait_for_selector(f'.seat[data-seat="{who}"][data-stands="{started}"]')

    seat.scroll_into_view_if_needed()
    here = seat.locator(".body").bounding_box()
    there = page.locator(f".place[data-to='{to}']").first.bounding_box()
    page.mouse.move(here["x"] + here["width"] / 2, here["y"] + here["height"] / 2)
    page.mouse.down()
    page.mouse.move(there["x"] + there["width"] / 2, there["y"] + there["height"] / 2, steps=4)
    page.mouse.up()
    page.wait_for_function("before => location.href !== before", arg=at_first)
    assert page.url == by_keys
    page.wait_for_selector(f'.seat[data-seat="{who}"]:not([data-stands="{started}"])')
    assert tab.said == []


@pytest.mark.soak
def test_a_token_on_a_place_that_is_taken_says_so_beside_the_board(tab: Tab) -> None:
    page = tab.open("/fight?fight=brimstone/tentacle_hall&precision=2").page
    page.locator('.seat[data-seat="US marshal"]').focus()

    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")

    page.wait_for_selector("#board .problem:has-text('stands on [4, 1] too')")
    assert page.locator("#save button").is_disabled()


@pytest.mark.soak
def test_a_finger_moves_a_token_and_one_that_cannot_be_moved_says_why(
    browser: Any, running: Running, desk: Any
) -> None:
    with browser.new_context(has_touch=True, viewport={"width": 390, "height": 844}) as phone:
        phone.add_cookies(desk.cookies())
        page = phone.new_page()
        page.set_default_timeout(LIMIT)
        page.goto(f"{running.root}/fight?fight=second_era/se_wolves&precision=2")
        page.wait_for_selector("#figures svg")  # until then the page still moves
        seat = page.locator('.seat[data-seat="knight"]')
        seat.scroll_into_view_if_needed()
        here = seat.locator(".body").bounding_box()
        there = page.locator('.place[data-to="[0, 0]"]').bounding_box()
        points = [{"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2} for box in (here, there)]
        hand = phone.new_cdp_session(page)
        hand.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [points[0]]})
        hand.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [points[1]]})
        hand.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        page.wait_for_selector('.seat[data-seat="knight"][data-stands="(0,0)"]')

        page.locator('.seat[data-seat="first alpha wolf"]').tap()
        page.wait_for_selector("#board-says:has-text('only one unit can stand on a hex')")


@pytest.mark.soak
def test_a_kept_variant_is_compared_as_the_command_does(tab: Tab) -> None:
    page = tab.fight("overhill/crypt-swarm&precision=2").page

    page.click("text=Keep as A")
    page.wait_for_selector("#kept")
    tab.turn("enemies[0].count", "6")
    page.wait_for_selector("#versus:has-text('Decided after')")

    base = load("overhill/crypt-swarm")
    answer = compare(base, {"This fight": base.changed(sets=["enemies[0].count=6"])}, seed=1, jobs=1)
    assert page.locator("#versus-verdict").inner_text() == answer.verdicts[0]
    command = page.locator("#commands code").nth(1).inner_text()
    assert command.startswith("fairfight compare overhill/crypt-swarm --variant")


@pytest.mark.soak
@pytest.mark.parametrize("fight", HARDER)
def test_in_every_game_b_against_a_is_that_of_the_command_and_the_saved_file_is_the_fight(tab: Tab, fight: str) -> None:
    path, value = HARDER[fight]
    page = tab.fight(f"{fight}&precision=2").page

    page.click("text=Keep as A")
    page.wait_for_selector("#kept")
    page.locator("details.entry").evaluate_all("groups => groups.forEach(group => { group.open = true; })")
    tab.turn(path, value)
    page.wait_for_selector("#versus:has-text('Decided after')")
    page.fill("#save-name", f"harder-{fight.partition('/')[0]}.toml")
    page.click("#save button")
    page.wait_for_selector("#saved:has-text('Saved as')")

    base = load(fight)
    harder = base.changed(sets=[f"{path}={value}"])
    answer = compare(base, {"This fight": harder}, seed=1, jobs=1)
    assert page.locator("#versus-verdict").inner_text() == answer.verdicts[0]
    saved = page.locator("#saved b").first.inner_text()
    assert load(tab.running.folder / saved).digest == harder.digest


@pytest.mark.soak
def test_the_saved_file_plays_the_same_fight(tab: Tab) -> None:
    page = tab.fight("overhill/playtest-1&precision=2").page
    tab.turn("enemies[0].count", "6")

    page.fill("#save-name", "six.toml")
    page.click("#save button")
    page.wait_for_selector("#saved:has-text('Saved as')")
    page.click("#save button")
    page.wait_for_selector("#saved:has-text('is there already')")

    saved = load(tab.running.folder / "six.toml")
    assert saved.digest == load("overhill/playtest-1", sets=["enemies[0].count=6"]).digest
    before = (tab.running.folder / "six.toml").stat().st_mtime_ns
    tab.turn("enemies[0].count", "5")
    page.click("#save button")
    page.click("#saved button")
    page.wait_for_selector("#saved:has-text('Saved as')")
    assert load(tab.running.folder / "six.toml").data["enemies"][0]["count"] == 5
    assert (tab.running.folder / "six.toml").stat().st_mtime_ns > before


@pytest.mark.soak
def test_a_report_and_a_table_can_be_taken_away(tab: Tab, tmp_path: Path) -> None:
    page = tab.fight("overhill/duel-skeleton&precision=2").page

    with page.expect_download() as report:
        page.click("text=The report as one file")
    with page.expect_download() as table:
        page.click("text=Every number as a table")

    report.value.save_as(tmp_path / "report.html")
    table.value.save_as(tmp_path / "table.csv")
    assert "The party wins" in (tmp_path / "report.html").read_text()
    assert (tmp_path / "table.csv").read_text().startswith("measure,")


@pytest.mark.soak
def test_the_value_that_gives_the_target_is_found_around_the_number(tab: Tab) -> None:
    page = tab.fight("overhill/playtest-1&precision=2").page

    page.click('[data-around="enemies[0].count"]')
    page.wait_for_selector("#around:has-text('Each known')")
    page.click("#around button.main")

    page.wait_for_selector('#field-enemies-0--count[value="7"]')
    tab.rest()
    assert 60 < tab.share() < 70
    page.keyboard.press("Escape")
    assert page.locator("#around").is_hidden()


@pytest.mark.soak
def test_on_a_phone_the_whole_curve_is_in_sight_and_it_is_that_of_its_number(tab: Tab) -> None:
    tab.page.set_viewport_size({"width": 360, "height": 740})
    page = tab.fight("overhill/playtest-1&precision=2").page

    for path, name in (("enemies[0].count", "number of skeletons"), ("enemies[0].melee", "melee")):
        page.click(f'[data-around="{path}"]')
        page.wait_for_selector(f"#around h3:has-text('{name}')")
        page.wait_for_selector("#around:has-text('Each known')")
        box = page.locator("#around").bounding_box()
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 740
        page.keyboard.press("Escape")
    assert tab.said == []


@pytest.mark.soak
def test_a_lost_fight_is_told(tab: Tab) -> None:
    page = tab.fight("overhill/solo-four-skeletons&precision=2").page

    page.click("#see >> text=a typical loss")
    page.wait_for_selector("body.replay")
    first = page.locator(".now").inner_text()
    page.keyboard.press("ArrowRight")

    assert "The party loses" in page.locator(".outcome").inner_text()
    assert page.locator(".now").inner_text() != first
    page.click("text=Back to the fight")
    tab.rest()


@pytest.mark.soak
def test_what_if_from_here_is_asked_beside_the_fight(tab: Tab) -> None:
    page = tab.open("/see?fight=overhill/playtest-1&set=enemies%5B0%5D.count%3D7&run=17").page
    for _ in range(2):
        page.click("[data-do=round-on]")

    page.select_option(".then-policy", "cautious")
    page.click(".play-on")
    page.wait_for_selector(".what-if .answer:has-text('From round 2 on the party wins')")
    page.click(".what-if .answer a")
    page.wait_for_selector(".other:has-text('other luck and the policy cautious from round 2 on')")

    assert page.locator(".now .when").inner_text().startswith("Round 2")
    page.click("text=Back to the fight")
    page.wait_for_selector(".what-if")
    assert tab.said == []


@pytest.mark.soak
def test_a_question_is_answered_by_a_page_in_the_folder(tab: Tab) -> None:
    page = tab.fight("overhill/duel-skeleton&precision=2").page
    page.click("#to-ask")

    form = page.locator("form.question:has-text('How does it change')")
    form.locator("select").select_option("enemies[0].count")
    assert form.locator("input[name=values_to]").input_value() == "5"  # around the number that was chosen
    form.locator("input[name=values_from]").fill("1")
    form.locator("input[name=values_to]").fill("3")
    form.locator("button").click()
    page.click("text=read the answer")

    assert page.locator("h1").is_visible()
    assert page.locator("figure svg").count() >= 1
    assert (tab.running.folder / "studies/sweep-1/index.html").exists()


@pytest.mark.soak
def test_a_question_can_be_cancelled(tab: Tab) -> None:
    page = tab.fight("p52/four-on-four&precision=2").page
    page.click("#to-ask")

    page.locator("form.question:has-text('What is skill worth') button").click()
    page.click(".queue button:has-text('cancel')")

    page.wait_for_selector(".queue:has-text('cancelled')")


@pytest.mark.soak
def test_names_and_titles_cannot_run_anything(tab: Tab) -> None:
    (tab.running.folder / "evil.toml").write_text(
        f'ruleset = "overhill"\ntitle = """{TROUBLE}"""\ndescription = """{TROUBLE}"""\npolicy = "plain"\n'
        f'[[heroes]]\nclass = "warrior"\nname = """{TROUBLE}"""\n[[enemies]]\ntype = "skeleton"\ncount = 2\n'
    )

    tab.open("/")
    assert tab.page.locator(f"text={TROUBLE[:20]}").count() == 1
    page = tab.fight("evil.toml&precision=2").page
    page.click("text=Keep as A")
    page.wait_for_selector("#kept")
    page.click("#see a >> nth=0")
    page.wait_for_selector("body.replay")

    assert page.locator("h1").inner_text().startswith("</script>")
    assert tab.said == []


@pytest.mark.soak
def test_a_worker_that_is_killed_is_told_and_replaced(tab: Tab) -> None:
    tab.open("/fight?fight=p52/four-on-four&precision=1")
    tab.page.wait_for_selector("#told:has-text('so far')")

    for worker in children_of(tab.running.process.pid):
        os.kill(worker, signal.SIGKILL)

    tab.page.wait_for_selector("#news:has-text('replaced')")
    told = tab.page.locator("#told").inner_text()
    tab.page.locator(f"#told:not(:has-text('{told}'))").wait_for()  # and it goes on


@pytest.mark.soak
def test_a_studio_that_has_gone_is_told_and_the_page_goes_on_with_the_next_one(browser: Any, tmp_path: Path) -> None:
    context = browser.new_context()
    context.set_default_timeout(LIMIT)
    page = context.new_page()
    with studio_on(tmp_path) as first:
        port = first.root.rpartition(":")[2]
        page.goto(first.address)
        page.goto(f"{first.root}/fight?fight=p52/four-on-four&precision=0.2")
        page.wait_for_selector("#told:has-text('so far')")
        first.process.send_signal(signal.SIGINT)
        first.process.wait(PATIENCE)
        page.wait_for_selector("#gone:not([hidden])")
    with studio_on(tmp_path, "--port", port) as second:
        context.new_page().goto(second.address)

        page.wait_for_selector("#gone", state="hidden")
        page.wait_for_selector("#told:has-text('so far')")
    context.close()


@pytest.mark.soak
def test_how_many_skeletons_make_playtest_1_fair(tab: Tab) -> None:
    """What somebody does who has never opened a terminal: find out, see a lost fight, hand over the file."""
    page = tab.open("/").page
    page.fill("#search", "playtest 1 skeletons")
    page.click('.choice a[href="/fight?fight=overhill%2Fplaytest-1"]')  # no file of another test
    tab.rest()
    assert tab.share() > 95

    page.click('[data-path="enemies[0].count"] >> text=curve')
    page.wait_for_selector("#around:has-text('Each known')")
    page.click("#around button:has-text('Set to')")
    page.wait_for_selector(".changes:has-text('seven skeletons (was three)')")
    tab.rest()
    assert 60 < tab.share() < 70

    page.click("text=a typical loss")
    page.wait_for_selector(".outcome:has-text('The party loses')")
    page.click("text=Back to the fight")
    page.click("text=Save …")
    page.fill("#save-name", "fair-playtest.toml")
    page.click("text=Save the file")
    page.wait_for_selector("#saved:has-text('Saved as fair-playtest.toml')")

    assert load(tab.running.folder / "fair-playtest.toml").data["enemies"][0]["count"] == 7
    assert tab.said == []


@pytest.mark.parametrize("path", ["/", "/fight?fight=p52/duel&precision=2", "/ask?fight=p52/duel"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.soak
def test_every_page_fits_a_phone_and_names_what_it_shows(tab: Tab, path: str, scheme: str) -> None:
    tab.page.set_viewport_size({"width": 360, "height": 740})
    tab.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page = tab.open(path).page
    page.wait_for_load_state()

    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    unnamed = [
        element.evaluate("element => element.outerHTML")
        for element in page.locator("button, input:not([type=hidden]), select, textarea, a").all()
        if not element.evaluate(
            "element => element.textContent.trim() || element.getAttribute('aria-label')"
            " || (element.labels && element.labels.length) || element.title"
        )
    ]
    assert unnamed == []
    assert tab.said == []
