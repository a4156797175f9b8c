"""Asking questions about a fight, and reading the answers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from sim.errors import SimError
from sim.scenario.changes import title_in_full
from sim.scenario.wording import place_in_words
from sim.studio.address import Address
from sim.studio.answers import events, filled_in, page_of_its_own, report_script
from sim.studio.fields import Choice, Field, Form
from sim.studio.fights import open_fight, other_fights
from sim.studio.forms import form_of
from sim.studio.pages import rendered
from sim.studio.questions import QUESTIONS
from sim.studio.queue import About
from sim.studio.workbench import OFTEN, Workbench

REACH = 4  # values to either side of a number that a sweep begins with


@dataclass(frozen=True, slots=True)
class Knob:
    """One of the fight's numbers, to be chosen from a menu."""

    path: str
    name: str
    now: str
    low: str  # around it
    high: str

    @classmethod
    def of(cls, field: Field) -> Knob:
        """A field that turns."""
        now, least = float(field.typed), field.low if field.low is not None else 0.0
        return cls(field.path, field.name, field.typed, f"{max(now - REACH, least):g}", f"{now + REACH:g}")


@dataclass(frozen=True, slots=True)
class QuestionPages:
    """Studies."""

    bench: Workbench

    async def page(self, request: Request) -> Response:
        """The questions about a fight, those that are being answered, and the answers."""
        return HTMLResponse(self._page(Address.of(request.url.query)))

    def _page(self, address: Address, problem: str = "") -> str:
        opened = open_fight(address.variant, self.bench.folder) if address.variant.fight else None
        form = form_of(opened) if opened else None
        knobs = [Knob.of(field) for field in form.all_fields() if field.turns and not field.problem] if form else []
        return rendered(
            "ask.html.jinja",
            address=address,
            scenario=opened.scenario if opened else None,
            knobs=knobs,
            names={
                "classes": _names(form, "heroes"),
                "enemies": _names(form, "enemies"),
                "fights": other_fights(opened, self.bench.folder) if opened else (),
            },
            claims=self.bench.folder.claims(),
            questions=list(QUESTIONS.values()),
            problem=problem,
            asked=self.bench.queue.asked[::-1],
            answered=self.bench.queue.answered(),
        )

    async def ask(self, request: Request) -> Response:
        """Put a question into the queue."""
        form = await filled_in(request)
        address = Address.of(form.get("address", ""))
        opened = open_fight(address.variant, self.bench.folder)
        try:
            if opened.problems:
                raise SimError("some values of this fight do not fit yet")
            question = QUESTIONS.get(form.get("question", ""))
            if question is None:
                raise SimError("there is no such question")
            knob = place_in_words(form["knob"], opened.scenario.in_full()) if form.get("knob") else ""
            await self.bench.queue.put(question, address, form, About(title_in_full(opened.scenario), knob))
        except SimError as error:
            return HTMLResponse(self._page(address, str(error)), 422)
        return Response(status_code=303, headers={"location": f"/ask?{address.query}"})

    async def cancel(self, request: Request) -> Response:
        """Have a study end, or not begin."""
        form = await filled_in(request)
        number = form.get("number", "")
        if number.isdecimal():
            await self.bench.queue.cancel(int(number))
        back = Address.of(form.get("address", "")).query
        return Response(status_code=303, headers={"location": f"/ask?{back}"})

    async def news(self, request: Request) -> Response:
        """How far the studies are, told again and again while one is under way."""
        return events(self._news(Address.of(request.url.query)))

    async def _news(self, address: Address) -> AsyncIterator[dict[str, Any]]:
        queue = self.bench.queue
        while not self.bench.closing.is_set():
            going = any(one.state in ("waiting", "playing") for one in queue.asked)
            lists = {"address": address, "asked": queue.asked[::-1], "answered": queue.answered()}
            yield {"html": rendered("queue.html.jinja", **lists), "resting": not going}
            if not going:
                break
            with suppress(TimeoutError):
                async with asyncio.timeout(1), queue.changed:
                    await queue.changed.wait()
            await asyncio.sleep(OFTEN)

    async def study(self, request: Request) -> Response:
        """The page of a study in the folder."""
        page = self.bench.folder.read(request.path_params["name"], ".html")
        return page_of_its_own(page, report_script())


def _names(form: Form | None, key: str) -> tuple[Choice, ...]:
    """What heroes or enemies may be."""
    groups = form.groups if form else ()
    return next((group.names for group in groups if group.adds.startswith(f"{key}:")), ())
