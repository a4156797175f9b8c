"""The viewer in a real browser: stepping, jumping, keys, address, and what is left without a script."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sim.core.telling import Scene
from sim.replays.chances import Chance
from sim.replays.replay import Telling, replay
from sim.scenario import load
from tests.browsers import LIMIT, opened
from tests.games.misbehaving import duel
from tests.replays.staged import staged
from tests.replays.test_page import TROUBLE

pytestmark = pytest.mark.browser  # the first test belongs to `make test`; minutes of a real browser to `make soak`

STAGED = ("square", "hex", "zones", "none")


class Visit:
    """A page that was opened, with everything it said and asked for."""

    def __init__(self, page: Any, address: str) -> None:
        self.page = page
        self.said: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.said.append(dialog.message), dialog.dismiss()))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(address)
        self.page.wait_for_load_state("networkidle")

    @property
    def picture(self) -> str:
        """Everything that the page shows of the moment; who is not on the table is no part of it."""
        return str(
            self.page.evaluate(
                """() => ["svg.board", ".rosters", ".now", ".table-notes", ".curves", ".log"].map(part => {
                    const shown = document.querySelector(part).cloneNode(true);
                    for (const absent of shown.querySelectorAll(".absent")) absent.remove();
                    return shown.outerHTML;
                }).join("\\n")"""
            )
        )

    @property
    def at(self) -> int:
        """The event that is shown."""
        return int(self.page.evaluate("document.querySelector('.slider').value"))

    def press(self, *keys: str) -> int:
        for key in keys:
            self.page.keyboard.press(key)
        return self.at

    def wait_for(self, event: int) -> None:
        """Until the page shows this event or a later one; its policy forbids the browser's own way to wait."""
        for _ in range(LIMIT // 20):
            if self.at >= event:
                return
            self.page.wait_for_timeout(20)
        raise AssertionError(f"event {event} was never shown; the last was {self.at}")


@pytest.fixture
def visit(browser: Any, tmp_path: Path) -> Iterator[Any]:
    with ExitStack() as pages:

        def watch(telling: Telling, place: str = "", **options: Any) -> Visit:
            file = telling.save(tmp_path / "fight.html")
            return Visit(pages.enter_context(opened(browser, **options)), file.as_uri() + place)

        yield watch


@pytest.fixture(scope="module")
def coins() -> Telling:
    return replay(duel(avoid_percent=0), 3, 1)


GAMES = {"overhill/warband": 3, "p52/four-on-four": 3, "second_era/se_patrol": 9, "brimstone/rat_ambush": 3}


def told(name: str) -> Telling:
    return staged(name) if name in STAGED else replay(load(name), GAMES[name], 1)


def test_a_fight_of_every_game_is_watched_both_ways_and_offers_the_command_to_play_on(visit: Any) -> None:
    for name in GAMES:
        seen = visit(told(name))

        first = seen.picture
        seen.press("ArrowRight")
        second = seen.picture
        seen.press("ArrowDown", "ArrowUp", "Home", "ArrowRight")
        round_now = max(1, int(seen.page.locator(".to-round").input_value()))

        assert second == seen.picture != first, name
        command = seen.page.locator(".what-if code").inner_text()
        assert command.startswith(f"fairfight replay {name} --run={GAMES[name]} --seed=1")
        assert command.endswith(f"--from-round={round_now} --again=2000")
        seen.page.select_option(".then-policy", index=1)
        assert "--then-policy=" in seen.page.locator(".what-if code").inner_text()
        assert seen.said == []
        assert len(seen.asked) == 1


@pytest.mark.parametrize("name", [*STAGED, *GAMES])
@pytest.mark.soak
def test_stepping_forward_and_back_gives_the_same_picture(visit: Any, name: str) -> None:
    telling = told(name)
    seen = visit(telling)

    forward = [seen.picture]
    for _ in telling.events[1:]:
        seen.press("ArrowRight")
        forward.append(seen.picture)
    back = [seen.picture]
    for _ in telling.events[1:]:
        seen.press("ArrowLeft")
        back.append(seen.picture)

    assert len(set(forward)) == len(telling.events)
    assert back[::-1] == forward
    assert seen.said == []


@pytest.mark.parametrize("name", [*STAGED, *GAMES])
@pytest.mark.soak
def test_a_page_asks_for_nothing_and_says_nothing(visit: Any, name: str) -> None:
    seen = visit(told(name))

    seen.press("End", "Home", " ", " ")

    assert seen.said == []
    assert len(seen.asked) == 1


@pytest.mark.soak
def test_keys_step_by_event_and_round(visit: Any) -> None:
    seen = visit(staged())
    rounds = [event.round for event in staged().events]

    assert seen.press("ArrowRight", "ArrowRight") == 2
    assert seen.press("ArrowLeft") == 1
    assert seen.press("ArrowDown") == rounds.index(2)
    assert seen.press("ArrowUp") == rounds.index(1)
    assert seen.press("End") == len(rounds) - 1
    assert seen.press("ArrowRight") == len(rounds) - 1
    assert seen.press("Home") == 0
    assert seen.press("ArrowLeft") == 0


@pytest.mark.soak
def test_digits_set_the_speed_and_g_goes_to_a_round(visit: Any) -> None:
    seen = visit(staged())

    seen.press("7")
    seven = seen.page.locator(".speed").input_value()
    seen.press("0")
    fastest = seen.page.locator(".speed").input_value()
    seen.press("g", "2", "Enter")

    assert (seven, fastest) == ("7", "10")
    assert staged().events[seen.at].round == 2
    assert seen.press("ArrowRight") == 6  # the keys are the fight's again


@pytest.mark.soak
def test_buttons_step_by_turn(visit: Any, coins: Telling) -> None:
    seen = visit(coins)
    turns = [event.turn for event in coins.events]

    seen.page.locator("[data-do=turn-on]").click()
    seen.page.locator("[data-do=turn-on]").click()
    second = seen.at
    seen.page.locator("[data-do=turn-back]").click()

    assert turns[second] == 2
    assert turns[seen.at] == 1


@pytest.mark.soak
def test_it_plays_by_itself_and_stops_at_the_end(visit: Any) -> None:
    seen = visit(staged())

    seen.press("0", " ")
    seen.wait_for(8)

    assert seen.page.locator(".play").inner_text() == "▶ Play"


@pytest.mark.soak
def test_space_pauses(visit: Any) -> None:
    seen = visit(staged())

    seen.press("0", " ")
    seen.wait_for(2)
    seen.press(" ")
    there = seen.at
    seen.page.wait_for_timeout(700)  # three events at this speed

    assert seen.at == there


@pytest.mark.soak
def test_a_click_on_a_line_jumps_there(visit: Any) -> None:
    seen = visit(staged())

    seen.page.locator(".log li").nth(6).click()

    assert seen.at == 6
    assert seen.page.locator(".log li.current").count() == 1
    assert "ghoul" in seen.page.locator(".now .said").inner_text()


@pytest.mark.soak
def test_the_address_keeps_the_place(visit: Any) -> None:
    seen = visit(staged(), "#run=48&event=5")
    opened_at = seen.at

    seen.press("ArrowRight")

    assert opened_at == 5
    assert seen.page.evaluate("location.hash") == "#run=48&event=6"
    seen.page.evaluate("location.hash = '#run=48&event=8'")
    seen.wait_for(8)


@pytest.mark.parametrize("place", ["#run=48&event=9999", "#run=49&event=2", "#event=%00", "#run=48&event=-3", "#<b>"])
@pytest.mark.soak
def test_an_address_that_leads_nowhere_does_no_harm(visit: Any, place: str) -> None:
    seen = visit(staged(), place)

    assert seen.said == []
    assert seen.at in (0, len(staged().events) - 1)


@pytest.mark.soak
def test_the_chance_is_told_beside_its_curve_and_a_click_in_it_goes_there(visit: Any) -> None:
    telling = replay(duel(coins=[5, 5, 5, 5]), 3, 1).with_chances(40)
    seen = visit(telling)
    curve = seen.page.locator("[data-curve=chance]")

    box = curve.bounding_box()
    curve.click(position={"x": box["width"] - 4, "y": 10})
    last = telling.chances[-1]

    assert seen.at == len(telling.events) - 1
    said = seen.page.locator(".along", has=curve).locator("output").inner_text()
    assert said == f"round {last.round}: {last.in_words()}"


@pytest.mark.soak
def test_a_turning_point_leads_to_its_event(visit: Any) -> None:
    chances = (Chance(1, 160, 114, 0, 46), Chance(2, 160, 38, 0, 122))
    seen = visit(replace(staged(), chances=chances))

    seen.page.get_by_text("Round 1 decided it: the chance of winning fell from 71 % to 24 %; the priest fell.").click()
    seen.wait_for(3)

    assert seen.at == 3
    assert seen.page.locator(".slider-marks .turn").count() == 2


@pytest.mark.soak
def test_the_picture_shows_what_happened(visit: Any) -> None:
    seen = visit(staged(), "#run=48&event=3")
    tokens = seen.page.locator("svg.board .token")

    fallen = seen.page.locator("svg.board .fallen .token")

    assert fallen.count() == 1
    assert fallen.locator("title").text_content().startswith("priest, 0 of 8, fallen")
    assert fallen.locator(".change").text_content() == "−8"
    assert tokens.first.locator("title").text_content()
    assert seen.page.locator("svg.board .marks").filter(has_text="frozen, prone").count() == 1
    assert seen.page.locator(".roster tr.down th").inner_text().endswith("priest")
    assert seen.page.locator("svg.board .aims line").count() == 1
    assert seen.page.locator(".table-notes").inner_text() == "darkness 1 of 15"


@pytest.mark.soak
def test_who_comes_and_who_goes_is_seen(visit: Any) -> None:
    seen = visit(staged())

    def there() -> set[str]:
        shown = seen.page.locator("svg.board .token:not(.absent) .short").all_text_contents()
        return set(shown)

    beginning = there()
    seen.press("End")

    assert "I" not in beginning
    assert there() - beginning == {"I"}
    assert beginning - there() == {"G"}


@pytest.mark.soak
def test_rules_are_shown_on_request(visit: Any) -> None:
    seen = visit(staged())
    look = "getComputedStyle(document.querySelector('.log li[title]'), '::after').content"

    before = seen.page.evaluate(look)
    seen.page.locator(".show-rules").check()

    assert before in ("none", "normal")
    assert seen.page.evaluate(look) == '"ST-1"'


@pytest.mark.soak
def test_without_a_script_the_whole_story_can_be_read(visit: Any) -> None:
    telling = staged()
    seen = visit(telling, java_script_enabled=False)

    text = seen.page.locator(".log").inner_text()

    for words in filter(None, telling.words):
        assert words in text
    assert seen.page.locator(".controls").is_hidden()
    assert seen.page.locator("svg.board .token.party").first.is_visible()


@pytest.mark.parametrize("name", [*STAGED, *GAMES])
@pytest.mark.soak
def test_nothing_sticks_out_on_a_phone(visit: Any, name: str) -> None:
    seen = visit(told(name), viewport={"width": 390, "height": 800})
    seen.press("ArrowDown", "ArrowDown")

    assert seen.page.evaluate("document.documentElement.scrollWidth") <= 390
    assert seen.page.locator("[data-do=play]").bounding_box()["width"] > 40


@pytest.mark.soak
def test_names_cannot_run_anything(visit: Any) -> None:
    seen = visit(staged("square", TROUBLE, scenario="evil/<b>&\"'"))

    seen.press("End", "Home", "ArrowRight", "ArrowRight")

    assert seen.said == []
    assert len(seen.asked) == 1
    assert TROUBLE[0] in seen.page.locator(".roster").first.inner_text()
    assert seen.page.locator("img").count() == 0


@pytest.mark.soak
def test_motion_is_left_out_where_it_is_not_wanted(visit: Any) -> None:
    look = "getComputedStyle(document.querySelector('.token')).transitionDuration"

    moved = visit(staged()).page.evaluate(look)
    still = visit(staged(), reduced_motion="reduce").page.evaluate(look)

    assert moved == "0.28s"
    assert still == "0s"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.soak
def test_text_stands_out_from_its_ground(visit: Any, scheme: str) -> None:
    page = visit(staged(), "#run=48&event=3", color_scheme=scheme).page

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
            const ground = element => {
                for (let at = element; at; at = at.parentElement) {
                    const colour = getComputedStyle(at).backgroundColor;
                    if (!/, 0\\)$/.test(colour)) return light(colour);
                }
                return 1;
            };
            const texts = document.querySelectorAll(
                "h1, .kicker, .outcome, .log li, .log h3, .now p, .now .said, .legend li, .roster th, .roster td, "
                + "small, .die, .slider-key");
            return [...texts].map(one =>
                [contrast(light(getComputedStyle(one).color), ground(one)), one.outerHTML.slice(0, 80)]);
        }"""
    )

    assert len(contrasts) > 30
    assert min(contrasts)[0] > 4.5, min(contrasts)


@pytest.mark.soak
def test_a_game_that_shows_no_table_is_told_all_the_same(visit: Any) -> None:
    telling = staged()
    bare = replace(telling, events=tuple(replace(event, after=Scene()) for event in telling.events))
    seen = visit(bare)

    seen.press("End")

    assert seen.at == 8
    assert seen.said == []
    assert seen.page.locator("svg.board").is_hidden()


@pytest.mark.soak
def test_another_room_has_another_board(visit: Any) -> None:
    first, second = staged("square"), staged("hex")
    rooms = (*first.events[:5], *second.events[5:])
    seen = visit(replace(first, events=rooms))
    shown = "[...document.querySelectorAll('svg.board .ground')].map(one => one.style.display)"

    before = (seen.page.evaluate(shown), seen.page.locator("svg.board").get_attribute("viewBox"))
    seen.press("End")
    after = (seen.page.evaluate(shown), seen.page.locator("svg.board").get_attribute("viewBox"))
    seen.press("Home")

    assert before[0] == ["", "none"]
    assert after[0] == ["none", ""]
    assert before[1] != after[1]
    assert seen.page.evaluate(shown) == before[0]
