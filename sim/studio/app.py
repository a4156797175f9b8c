"""Which address shows what."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from sim.errors import ScenarioError, SimError
from sim.studio.answers import not_in_order, refused
from sim.studio.fight_pages import FightPages
from sim.studio.pages import STATIC_FILES, static_file
from sim.studio.question_pages import QuestionPages
from sim.studio.see_pages import SeePages
from sim.studio.takeaway_pages import TakeawayPages
from sim.studio.workbench import Workbench


def app_of(bench: Workbench) -> Starlette:
    """What answers requests, behind the guard."""
    fights, takeaway, questions = FightPages(bench), TakeawayPages(bench), QuestionPages(bench)
    see = SeePages(bench)
    routes = [
        Route("/", fights.choose),
        Route("/new", fights.new),
        Route("/open", fights.open_link),
        Route("/fight", fights.fight),
        Route("/watch", fights.watch),
        Route("/board", fights.board),
        Route("/around", fights.around),
        Route("/save", takeaway.save, methods=["POST"]),
        Route("/file", takeaway.file),
        Route("/report", takeaway.report),
        Route("/numbers", takeaway.numbers),
        Route("/see", see.see),
        Route("/what-if", see.what_if),
        Route("/ask", questions.page),
        Route("/ask", questions.ask, methods=["POST"]),
        Route("/ask/cancel", questions.cancel, methods=["POST"]),
        Route("/ask/news", questions.news),
        Route("/study/{name:path}", questions.study),
        Route("/static/{name}", static),
        Route("/favicon.ico", icon),
    ]

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        await bench.open()
        try:
            yield
        finally:
            await bench.close()

    errors: dict[Any, Any] = {ScenarioError: not_in_order, SimError: refused}
    return Starlette(routes=routes, lifespan=lifespan, exception_handlers=errors)


async def static(request: Request) -> Response:
    """The page's own style, script and icon; nothing is fetched from elsewhere."""
    name = request.path_params["name"]
    if name not in STATIC_FILES:
        return PlainTextResponse("There is no such file.", 404)
    return Response(static_file(name), media_type=STATIC_FILES[name])


async def icon(_request: Request) -> Response:
    """Browsers ask for it by themselves."""
    return Response(static_file("icon.svg"), media_type=STATIC_FILES["icon.svg"])
