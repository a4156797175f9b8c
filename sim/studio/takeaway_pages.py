"""Taking a fight away: as a file in the folder, as a report, as a table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from sim.results.result import Result
from sim.studio.address import Address, Variant, path_of
from sim.studio.answers import download, filled_in, while_waited_for
from sim.studio.crew import NOW
from sim.studio.fights import open_fight
from sim.studio.folder import AlreadyThere, Refused
from sim.studio.pages import rendered
from sim.studio.takeaway import file_name, file_text
from sim.studio.tasks import Numbers, Report, Task
from sim.studio.workbench import Workbench

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class TakeawayPages:
    """What leaves the studio."""

    bench: Workbench

    async def save(self, request: Request) -> Response:
        """Write the fight to a file of the folder; one that is there is replaced only if somebody says so."""
        form = await filled_in(request)
        address = Address.of(form.get("address", ""))
        name, replaces = form.get("name", "").strip(), form.get("replaces", "")
        opened = open_fight(address.variant, self.bench.folder)
        if opened.problems:
            return self._saved(name, problem="Some values do not fit yet; set them right, or put them back.")
        try:
            self.bench.folder.write(name, file_text(opened.scenario).encode(), replaces)
        except AlreadyThere as there:
            return self._saved(name, asks=there.digest)
        except Refused as refused:
            return self._saved(name, problem=str(refused))
        changed = [path_of(setting) for setting in address.variant.sets]
        old_title = opened.scenario.title if changed and ("title",) not in changed else ""
        saved = Address(Variant(name), address.seed, address.precision).query
        return self._saved(name, there=saved, old_title=old_title)

    def _saved(self, name: str, problem: str = "", asks: str = "", there: str = "", old_title: str = "") -> Response:
        status = 422 if problem else 409 if asks else 200
        told = {"name": name, "problem": problem, "asks": asks, "there": there, "old_title": old_title}
        return HTMLResponse(rendered("saved.html.jinja", folder=str(self.bench.folder.root), **told), status)

    async def file(self, request: Request) -> Response:
        """The fight as a scenario file, to hand to somebody."""
        address = Address.of(request.url.query)
        opened = open_fight(address.variant, self.bench.folder)
        if opened.problems:
            raise Refused("some values do not fit yet; set them right, or put them back")
        name = file_name(address.variant, opened.scenario).rpartition("/")[2]
        return download(file_text(opened.scenario), name, "application/toml")

    async def report(self, request: Request) -> Response:
        """The report of the fight as one HTML file."""
        result, page = await while_waited_for(request, self._rested(request, Report))
        return download(page, f"{result.scenario.name}.html", "text/html")

    async def numbers(self, request: Request) -> Response:
        """Every number of the fight as CSV."""
        result, table = await while_waited_for(request, self._rested(request, Numbers))
        return download(table, f"{result.scenario.name}.csv", "text/csv")

    async def _rested(self, request: Request, made: Callable[[Result], Task[R]]) -> tuple[Result, R]:
        """The result of the fight when it is known well enough, and what a worker has made of it."""
        result = await self.bench.rested(Address.of(request.url.query))
        return result, await self.bench.crew.do(made(result), NOW)
