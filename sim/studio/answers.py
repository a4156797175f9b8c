"""Answers of other kinds than a page: streams of events, files to take away, pages with a policy of their own."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import re
from collections.abc import AsyncIterator, Coroutine
from functools import cache
from typing import Any, TypeVar
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response, StreamingResponse

from sim.errors import InputError, SimError
from sim.report.page import TEMPLATES
from sim.studio.pages import rendered

R = TypeVar("R")

LONGEST_FORM = 1_000_000  # bytes
STILL_THERE = 0.25  # seconds between two looks whether somebody still waits


async def filled_in(request: Request) -> dict[str, str]:
    """What a form says, several values of one name with commas between them.

    Forms of the studio are short texts, so that no more is read than a long one of them.
    """
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > LONGEST_FORM:
            raise SimError("this is longer than any form of the studio")
    found: dict[str, str] = {}
    for name, value in parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True):
        found[name] = f"{found[name]},{value}" if name in found else value
    return found


async def while_waited_for(request: Request, work: Coroutine[Any, Any, R]) -> R:
    """What comes of some work; it is broken off when whoever has asked for it has left."""
    doing = asyncio.create_task(work)
    try:
        while not (await asyncio.wait({doing}, timeout=STILL_THERE))[0]:
            if await request.is_disconnected():
                raise SimError("nobody waits for this any more")
        return doing.result()
    finally:
        doing.cancel()


def events(told: AsyncIterator[dict[str, Any]]) -> StreamingResponse:
    """A stream of server-sent events, with one that says that there will be no more."""

    async def lines() -> AsyncIterator[str]:
        try:
            async for one in told:
                yield f"data: {json.dumps(one)}\n\n"
        except SimError as error:
            yield f"data: {json.dumps({'problem': str(error)})}\n\n"
        yield 'data: {"over": true}\n\n'

    return StreamingResponse(lines(), media_type="text/event-stream")


def download(content: str | bytes, name: str, kind: str) -> Response:
    """A file to take away."""
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-.") or "fight"
    return Response(content, media_type=kind, headers={"content-disposition": f'attachment; filename="{plain}"'})


def page_of_its_own(content: str | bytes, script: str) -> Response:
    """A whole page that brings its style and script along: a report, a study.

    Whoever has written it, no script runs in it but this very one, and it can reach nothing.
    """
    return HTMLResponse(content, headers={"content-security-policy": f"{_alone(script)}; sandbox allow-scripts"})


def page_of_ours(content: str, script: str, connects: bool = False) -> Response:
    """A page that was made this very moment and leads back into the studio, and may ask it; else as strict as any."""
    ask = "; connect-src 'self'" if connects else ""
    return HTMLResponse(content, headers={"content-security-policy": _alone(script) + ask})


def _alone(script: str) -> str:
    """The policy of a page that brings its style along, runs this script and reaches nothing."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return (
        f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; img-src data:; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


@cache
def report_script() -> str:
    """The script of our reports."""
    return (TEMPLATES / "page.js").read_text(encoding="utf-8")


async def refused(_request: Request, error: Exception) -> Response:
    """What cannot be shown, with the reason."""
    page = rendered("problem.html.jinja", title="This cannot be shown", lines=str(error).splitlines())
    return HTMLResponse(page, 404)


async def not_in_order(_request: Request, error: Exception) -> Response:
    """A file with problems, all of them in the words of `check`."""
    lines = [str(problem) for problem in error.problems] if isinstance(error, InputError) else [str(error)]
    return HTMLResponse(rendered("problem.html.jinja", title="This file is not in order yet", lines=lines), 422)
