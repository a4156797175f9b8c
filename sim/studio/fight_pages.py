"""The pages of a fight: choosing one, editing it, watching it, and what lies around a number."""

from __future__ import annotations

import asyncio
import re
import tomllib
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from sim.core.registry import ruleset, ruleset_names
from sim.replays.openings import ONE_OF_MANY
from sim.scenario.catalogue import scenarios_of, shipped_by
from sim.scenario.changes import changes_in_words
from sim.studio.address import PRECISIONS, Address, Variant, next_name
from sim.studio.answers import events, while_waited_for
from sim.studio.around import PRECISION, Around
from sim.studio.crew import NOW, SOMETIME, SOON
from sim.studio.fights import OpenFight, is_shipped, open_fight, with_entry, with_place, with_value, without_entry
from sim.studio.figures import kept_row, news_of, versus_of
from sim.studio.folder import Refused
from sim.studio.forms import form_of
from sim.studio.opening import DrawOpening, problems_on_board
from sim.studio.pages import rendered
from sim.studio.playing import Watcher, Watching
from sim.studio.redrawing import Redrawing
from sim.studio.takeaway import commands_of, file_name, file_text
from sim.studio.workbench import Workbench

A_MOMENT = 0.005  # seconds
_ENTRY = re.compile(r"(\w+)\[(\d+)\]")


@dataclass(frozen=True, slots=True)
class FightPages:
    """Everything about one fight."""

    bench: Workbench

    # --------------------------------------------------------------------------------------------------------- choose

    async def choose(self, request: Request) -> Response:
        """Games, shipped fights, the files of the folder."""
        games = [ruleset(name) for name in ruleset_names()]
        shipped = {game.name: [_shipped(name, path) for name, path in shipped_by(game).items()] for game in games}
        page = rendered(
            "choose.html.jinja",
            games=games,
            shipped=shipped,
            files=self.bench.folder.scenarios(),
            folder=str(self.bench.folder.root),
        )
        return HTMLResponse(page)

    async def new(self, request: Request) -> Response:
        """A new fight of a game: the one that its designers begin with, under a title of one's own."""
        game = ruleset(request.query_params.get("game", ""))
        names = list(scenarios_of(game))
        wanted = f"{game.name}/{game.starter}"
        begin = Variant(wanted if wanted in names else names[0], ("title=My own fight", "description="))
        return RedirectResponse(f"/fight?{Address(begin).query}", 303)

    async def open_link(self, request: Request) -> Response:
        """A link that somebody has sent: what it shows, in this studio."""
        link = request.query_params.get("link", "").strip()
        address = Address.of(link.rpartition("?")[2].partition("#")[0])
        if not address.variant.fight:
            raise Refused("this is no link to a fight of a studio")
        return RedirectResponse(f"/fight?{address.query}", 303)

    # ---------------------------------------------------------------------------------------------------------- fight

    async def fight(self, request: Request) -> Response:
        """The workbench with one fight on it; with `path` and `value` after that change."""
        address = Address.of(request.url.query)
        opened = open_fight(address.variant, self.bench.folder)
        changed = _changed(address, opened, request)
        if changed.variant != address.variant:
            opened = open_fight(changed.variant, self.bench.folder)
        self.bench.memory.watching(opened.scenario, changed.seed).begin(changed.precision)
        await asyncio.sleep(A_MOMENT)  # so that the workers have something to do while the page is made
        if opened.digest and not changed.seen:
            changed = replace(changed, seen=opened.digest)
        return HTMLResponse(self.page_of(changed, opened))

    def page_of(self, address: Address, opened: OpenFight) -> str:
        """The workbench as it looks now."""
        scenario = opened.scenario
        watching = self.bench.memory.watching(scenario, address.seed)
        return rendered(
            "fight.html.jinja",
            address=address,
            fight=opened,
            scenario=scenario,
            ruleset=scenario.ruleset,
            form=form_of(opened),
            changes=changes_in_words(scenario),
            undone=address.changed(replace(address.variant, sets=())).query,
            precisions=PRECISIONS,
            next_name=next_name(address.kept),
            disk_changed=bool(opened.digest and address.seen and opened.digest != address.seen),
            afresh=replace(address, seen=opened.digest).query,
            file_text=file_text(scenario),
            file_name=file_name(address.variant, scenario),
            commands=commands_of(address, scenario, watching.runs if watching.resting else None),
            is_shipped=is_shipped(address.variant.fight),
            **self._panels(address, opened, watching),
        )

    def _panels(self, address: Address, opened: OpenFight, watching: Watching) -> dict[str, Any]:
        """What changes while a page is watched."""
        baseline = address.baseline
        comparing = self.bench.comparing(address, opened)
        rows = [
            kept_row(address, place, scenario, self.bench.memory.watching(scenario, address.seed) if scenario else None)
            for place, scenario in enumerate(self.bench.kept(address))
        ]
        return {
            "news": news_of(watching, opened.scenario, address.precision),
            "versus": versus_of(comparing, baseline) if comparing is not None and baseline is not None else None,
            "kept_rows": rows,
            "deaths": self.bench.crew.deaths,
        }

    async def board(self, request: Request) -> Response:
        """The table as the fight begins, on which tokens can be moved; a part of its page, drawn in a worker."""
        address = Address.of(request.url.query)
        opened = open_fight(address.variant, self.bench.folder)
        drawing = self.bench.crew.do(DrawOpening(opened.scenario, address.seed), SOON)
        opening = await while_waited_for(request, drawing)
        problems = problems_on_board(opened, opening)
        return HTMLResponse(
            rendered("board.html.jinja", opening=opening, problems=problems, one_of_many=ONE_OF_MANY)
        )

    # ---------------------------------------------------------------------------------------------------------- watch

    async def watch(self, request: Request) -> Response:
        """What is known of the fight of an address, told again and again until it rests."""
        address = Address.of(request.url.query)
        opened = open_fight(address.variant, self.bench.folder)
        return events(self.told(address, opened, still="still" in request.query_params))

    async def told(
        self, address: Address, opened: OpenFight, still: bool = False
    ) -> AsyncGenerator[dict[str, Any]]:
        """The numbers of a fight as they come, and its figures; ends when it rests."""
        watcher, precision = Watcher(), address.precision
        watching = self.bench.memory.watching(opened.scenario, address.seed)
        figures = Redrawing(self.bench.crew, watching, opened.scenario, watcher, still)
        comparing = self.bench.comparing(address, opened)
        others = [self.bench.memory.watching(one, address.seed) for one in self.bench.kept(address) if one is not None]
        with ExitStack() as watched:
            watched.callback(figures.stop)
            watched.enter_context(watching.watched(watcher, precision, NOW))
            if comparing is not None:
                watched.enter_context(comparing.watched(watcher, precision, NOW))
            for other in others:
                if other is not watching:
                    watched.enter_context(other.watched(watcher, precision, SOON))
            while not self.bench.closing.is_set():
                resting = all(one.resting for one in (watching, *([comparing] if comparing else []), *others))
                panels = self._panels(address, opened, watching)
                commands = commands_of(address, opened.scenario, watching.runs if watching.resting else None)
                html = rendered("news.html.jinja", address=address, commands=commands, **panels)
                yield {"html": html, "resting": resting}
                if resting:
                    break
                figures.go_on()
                await self.bench.news(watcher, first=watching if watching.summary is None else None)
                if drawings := figures.take():
                    yield {"figures": rendered("figures.html.jinja", drawings=drawings)}
            if drawings := await figures.last():
                yield {"figures": rendered("figures.html.jinja", drawings=drawings)}

    async def around(self, request: Request) -> Response:
        """The win rate for values around a number, told again and again until all are known."""
        address = Address.of(request.url.query)
        opened = open_fight(address.variant, self.bench.folder)
        wanted = request.query_params.get("path", "")
        found = Around(opened, wanted, address.seed, self.bench.folder, self.bench.memory)
        return events(self._curve(found, address))

    async def _curve(self, found: Around, address: Address) -> AsyncIterator[dict[str, Any]]:
        watcher = Watcher()
        found.begin()
        with ExitStack() as watched:
            seen: set[float] = set()
            while not self.bench.closing.is_set():
                for value in [value for value in found.points if value not in seen]:
                    seen.add(value)
                    watched.enter_context(found.points[value].watching.watched(watcher, PRECISION, SOMETIME))
                resting = all(point.watching.rests_at(PRECISION) for point in found.points.values())
                if resting and found.further(address.target):
                    continue
                curve = found.curve(address.target)
                yield {"html": rendered("around.html.jinja", curve=curve, resting=resting), "resting": resting}
                if resting:
                    break
                await self.bench.news(watcher)


def _changed(address: Address, opened: OpenFight, request: Request) -> Address:
    """The address after what the request asks to change."""
    asked = request.query_params
    if "path" in asked:
        path, typed = asked["path"], asked.get("value", "")
        if asked.get("back") or (typed == "" and not asked.get("text")):
            return address.changed(opened.variant.without(path))
        return address.changed(with_value(opened, path, typed))
    if "setting" in asked:
        path, _, typed = asked["setting"].partition("=")
        return address.changed(opened.variant.with_value(path.strip(), typed.strip()))
    if "move" in asked:
        return address.changed(with_place(opened, asked["move"], asked.get("to", ""), asked.get("line", "")))
    if "add" in asked:
        key, _, name_key = asked["add"].partition(":")
        return address.changed(with_entry(opened, key, name_key, asked.get("value", "")))
    if "remove" in asked and (entry := _ENTRY.fullmatch(asked["remove"])):
        return address.changed(without_entry(opened, entry[1], int(entry[2])))
    if "keep_as" in asked:
        return address.keeping(asked["keep_as"][:60] or next_name(address.kept))
    if "drop" in asked and asked["drop"].isdecimal():
        return address.dropping(int(asked["drop"]))
    return address


@cache
def _shipped(name: str, path: Path) -> dict[str, str]:
    """A shipped fight for the list: quickly, without a check."""
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    return {"name": name, "title": table.get("title", name), "description": table.get("description", "")}


