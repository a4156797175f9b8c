"""Somebody who clicks on anything: a program that asks for every page, and a hand on the mouse of a real browser."""

from __future__ import annotations

import html
import random
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

import httpx

from sim.scenario.catalogue import scenario_names
from sim.studio.address import Address, Variant
from sim.studio.folder import Folder
from sim.studio.questions import QUESTIONS, Blank
from tests.studio.conftest import Running, Visitor

VALUES = (*map(str, range(-2, 30)), "", "x", "1d6", "9" * 30)
QUICK = 2.0  # the precision that most pages ask for, in points
A_CLICK = 10_000  # milliseconds that one click of the hand may take before it is left
A_WHILE = 4.0  # seconds after which the program leaves what it waits for, as people do

_TURNS = re.compile(r'data-path="([^"]*)" data-turns')
_ENEMIES = re.compile(r'data-add="enemies:[^"]*".*?</select>', re.DOTALL)
_NAME = re.compile(r'<option value="(\w+)"')
_SEAT = re.compile(r'data-move="([^"]*)"(?: data-line="([^"]*)")?')
_PLACE = re.compile(r'data-to="([^"]*)"')
_NUMBER = re.compile(r'name="number" value="(\d+)"')
_STUDY = re.compile(r'href="(/study/[^"]*)"')


@dataclass
class Program:
    """Asks for whatever a page can ask for, in any order and with any value."""

    visitor: Visitor
    chance: random.Random
    asks: bool = True  # whether studies are asked for too, which play in processes of their own
    did: dict[str, int] = field(default_factory=dict)
    _before: list[Address] = field(default_factory=list)
    _page: str = ""
    _turns: str = ""  # the path of one of its numbers

    def click(self) -> None:
        """One fight of any game, or an adventure, with one more change; and two things that are done with it."""
        address = self._some_fight()
        self._page = self._get(f"/fight?{address.query}", 200).text
        turning = [html.unescape(path) for path in _TURNS.findall(self._page)]
        self._turns = self.chance.choice(turning)
        for name in self.chance.sample(list(self.deeds), k=2):
            self.did[name] = self.did.get(name, 0) + 1
            with suppress(httpx.ReadTimeout):
                self.deeds[name](address)
        address = address.changed(address.variant.with_value(self._turns, self.chance.choice(VALUES)))
        self._get(f"/fight?{address.query}", 200)
        self._before = [*self._before[-20:], address]

    @property
    def deeds(self) -> dict[str, Callable[[Address], None]]:
        """What can be done with a fight, by its name."""
        found: dict[str, Callable[[Address], None]] = {
            "watch": self.watch,
            "around": self.around,
            "see": self.see,
            "move": self.move,
            "save": self.save,
            "take away": self.take_away,
            "look around": self.look_around,
        }
        return found | ({"ask": self.ask, "cancel": self.cancel} if self.asks else {})

    def _some_fight(self) -> Address:
        """A fight, or one of those before, with the values of then; some with variants that were kept."""
        chance = self.chance
        own = [one.name for one in Folder(self.visitor.running.folder).scenarios()]
        address = Address(Variant(chance.choice([*scenario_names(), *own[:5]])), chance.randrange(9), QUICK)
        if self._before and chance.random() < 0.5:
            address = chance.choice(self._before)
        return address.keeping(chance.choice("ABC")) if chance.random() < 0.3 else address

    def _get(self, path: str, *fine: int) -> httpx.Response:
        answer = self.visitor.client.get(path)
        assert answer.status_code in fine, f"{path}: {answer.text}"
        return answer

    def _impatient(self, path: str, *fine: int) -> None:
        """Something that takes as long as the fight does: not waited for beyond a while."""
        answer = self.visitor.client.get(path, timeout=A_WHILE)
        assert answer.status_code in fine, f"{path}: {answer.text}"

    def _stream(self, path: str, lines: int) -> None:
        with self.visitor.client.stream("GET", path, timeout=A_WHILE) as stream:
            assert stream.status_code in (200, 404), path
            for _, line in zip(range(lines), stream.iter_lines(), strict=False):
                assert isinstance(line, str)

    # ---------------------------------------------------------------------------------------------------------- deeds

    def watch(self, address: Address) -> None:
        """Look at the numbers for a moment."""
        self._stream(f"/watch?{address.query}", self.chance.randrange(6))

    def around(self, address: Address) -> None:
        """Look at the curve around a number."""
        self._stream(f"/around?path={quote(self._turns)}&{address.query}", self.chance.randrange(6))

    def see(self, address: Address) -> None:
        """Look at one run, and play it on; a value that does not fit is left out of it."""
        run = f"{address.query}&run={self.chance.randrange(50)}"
        self._impatient(f"/see?{run}", 200, 404)
        self._impatient(f"/what-if?{run}&round=1&again=100", 200, 422)

    def move(self, address: Address) -> None:
        """Put a token somewhere else, wherever that is."""
        board = self._get(f"/board?{address.query}", 200, 404).text
        seats, places = _SEAT.findall(board), _PLACE.findall(board)
        if seats and places:
            path, line = map(html.unescape, self.chance.choice(seats))
            more = {"move": path, "to": html.unescape(self.chance.choice(places))} | ({"line": line} if line else {})
            wish = "&".join(f"{name}={quote(value)}" for name, value in more.items())
            self._get(f"/fight?{address.query}&{wish}", 200)

    def save(self, address: Address) -> None:
        """Write a file, and sometimes over one that is there."""
        name = f"fight-{self.chance.randrange(8)}.toml"
        replaces = Folder(self.visitor.running.folder).digest(name) if self.chance.random() < 0.5 else ""
        saved = self.visitor.post("/save", {"address": address.query, "name": name, "replaces": replaces})
        assert saved.status_code in (200, 409, 422), saved.text

    def take_away(self, address: Address) -> None:
        """The report or the table of a fight."""
        self._impatient(f"{self.chance.choice(['/report', '/numbers'])}?{address.query}", 200, 404)

    def look_around(self, address: Address) -> None:
        """The list of fights, a new one, the questions and an answer."""
        self._get("/", 200)
        if pages := _STUDY.findall(self._get(f"/ask?{address.query}", 200).text):
            self._get(html.unescape(self.chance.choice(pages)), 200)

    def ask(self, address: Address) -> None:
        """A question, whether it can be asked about this fight or not."""
        question = self.chance.choice([one for one in QUESTIONS.values() if one.name != "gate"])
        form = {name: value for blank in question.blanks for name, value in self._filled_in(blank).items()}
        asked = self.visitor.post("/ask", {"question": question.name, "address": address.query} | form)
        assert asked.status_code in (303, 422), asked.text
        self._stream(f"/ask/news?{address.query}", self.chance.randrange(20))

    def cancel(self, address: Address) -> None:
        """No longer wait for an answer; no more than a few wait at a time."""
        numbers = _NUMBER.findall(self.visitor.client.get(f"/ask?{address.query}").text)
        for number in numbers if len(numbers) > 3 else numbers[:1]:
            answer = self.visitor.post("/ask/cancel", {"number": number, "address": address.query})
            assert answer.status_code == 303

    def _filled_in(self, blank: Blank) -> dict[str, str]:
        if blank.kind == "span":
            return {f"{blank.name}_from": "1", f"{blank.name}_to": str(self.chance.randrange(1, 5))}
        if blank.kind == "knob":
            return {blank.name: self._turns}
        if blank.kind == "enemies" and (menu := _ENEMIES.search(self._page)):
            return {blank.name: ",".join(self.chance.choices(_NAME.findall(menu[0]), k=2))}
        return {blank.name: self.chance.choice(["1", "2"]) if blank.kind == "whole" and blank.needed else blank.value}


class Hand:
    """Clicks, types and drags in a browser, wherever something is."""

    def __init__(self, page: Any, running: Running, chance: random.Random) -> None:
        self.page, self.running, self.chance = page, running, chance
        self.wrong: list[str] = []
        self.elsewhere: list[str] = []
        self.clicks = self.left = 0
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.on("dialog", lambda dialog: (self.wrong.append(dialog.message), dialog.dismiss()))
        page.on("request", lambda request: self._asked(request.url))

    def _asked(self, url: str) -> None:
        if not url.startswith((self.running.root, "data:", "blob:")):
            self.elsewhere.append(url)

    def open(self) -> None:
        """Another fight."""
        name = quote(self.chance.choice(list(scenario_names())))
        self.page.goto(f"{self.running.root}/fight?fight={name}&precision={QUICK:g}")

    def click(self) -> None:
        """Something on the page; what cannot be clicked at this moment is left."""
        from playwright.sync_api import Error

        if "/fight" not in self.page.url and self.chance.random() < 0.3:
            self.open()
        try:
            self.chance.choice([self._anything, self._anything, self._anything, self._drag, self._key])()
            self.clicks += 1
        except Error as error:
            if "crashed" in str(error) or "closed" in str(error):
                raise
            self.left += 1

    def _anything(self) -> None:
        there = self.page.locator(
            "button:visible, summary:visible, select:visible, input:visible, a[href^='/']:visible"
        )
        one = there.nth(self.chance.randrange(max(there.count(), 1)))
        kind = one.evaluate("one => one.nodeName + (one.type || '')", timeout=A_CLICK)
        if kind.startswith("SELECT"):
            options = one.locator("option").count()
            one.select_option(index=self.chance.randrange(max(options, 1)), timeout=A_CLICK)
        elif kind == "INPUTrange":
            one.focus(timeout=A_CLICK)
            for _ in range(self.chance.randrange(1, 6)):
                self.page.keyboard.press(self.chance.choice(["ArrowLeft", "ArrowRight", "PageUp", "PageDown"]))
        elif kind in ("INPUTtext", "INPUTnumber", "INPUTsearch"):
            value = self.chance.choice(VALUES[:32] if kind == "INPUTnumber" else VALUES)
            one.fill(value, timeout=A_CLICK)
            one.press("Enter", timeout=A_CLICK)
        else:
            one.click(timeout=A_CLICK)

    def _drag(self) -> None:
        """A token to any place of the drawn board."""
        seats, places = self.page.locator(".seat[data-move]"), self.page.locator(".place")
        if not seats.count() or not places.count():
            return
        seat = seats.nth(self.chance.randrange(seats.count()))
        place = places.nth(self.chance.randrange(places.count()))
        seat.scroll_into_view_if_needed(timeout=A_CLICK)
        here, there = seat.bounding_box(timeout=A_CLICK), place.bounding_box(timeout=A_CLICK)
        if here is None or there is None:
            return
        self.page.mouse.move(here["x"] + here["width"] / 2, here["y"] + here["height"] / 2)
        self.page.mouse.down()
        self.page.mouse.move(there["x"] + there["width"] / 2, there["y"] + there["height"] / 2, steps=3)
        self.page.mouse.up()

    def _key(self) -> None:
        keys = ["Control+z", "Control+y", "Tab", "Shift+Tab", "Escape", "ArrowDown", "ArrowLeft", "Enter", "Space"]
        for _ in range(3):
            self.page.keyboard.press(self.chance.choice(keys))

    def heap(self) -> int:
        """Bytes that the page's script holds, when all that is unused has been given back."""
        session = self.page.context.new_cdp_session(self.page)
        session.send("HeapProfiler.collectGarbage")
        used = int(session.send("Runtime.getHeapUsage")["usedSize"])
        session.detach()
        return used
