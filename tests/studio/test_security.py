"""Who gets in: nobody with another host name, nobody without the cookie, no other page."""

from __future__ import annotations

import re
from pathlib import Path

import httpx
import pytest
from starlette.routing import Route

from sim.studio.app import app_of
from sim.studio.folder import Folder
from sim.studio.security import HEADERS, Keys
from sim.studio.workbench import Workbench
from tests.processes import PATIENCE, started
from tests.studio.conftest import Running, Visitor, printed


def paths() -> list[str]:
    """Every route, with something in the place of what may vary."""
    found = [route.path for route in app_of(Workbench(Folder(Path.cwd()))).routes if isinstance(route, Route)]
    return [*(re.sub(r"\{.*?\}", "studio.css", path) for path in found), "/static/studio.js", "/no/such/page"]


METHODS = ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS")


def test_every_route_refuses_a_foreign_host(visitor: Visitor) -> None:
    for path in paths():
        for method in METHODS:
            for host in ("evil.example", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example:80", ""):
                answer = visitor.client.request(method, path, headers={"host": host})

                assert 400 <= answer.status_code < 500, (method, path, host)


def test_every_route_refuses_who_has_no_cookie(visitor: Visitor, running: Running) -> None:
    name = next(iter(visitor.client.cookies))
    for path in paths():
        for method in METHODS:
            for cookies in ({}, {name: "wrong"}, {"another": visitor.client.cookies[name]}):
                header = "; ".join(f"{key}={value}" for key, value in cookies.items())
                answer = httpx.request(method, running.root + path, headers={"cookie": header} if header else {})

                assert 400 <= answer.status_code < 500, (method, path, cookies)


def test_every_answer_has_the_headers_of_safety(visitor: Visitor, running: Running) -> None:
    stranger = httpx.Client(base_url=running.root, timeout=PATIENCE)
    with stranger:
        for path in paths():
            if path in ("/watch", "/around", "/ask/news"):
                continue  # streams of a fight that nobody has named; see below
            for client in (visitor.client, stranger):
                answer = client.get(path)

                for name in HEADERS:
                    assert name in answer.headers, (path, name)
                assert "unsafe-eval" not in answer.headers["content-security-policy"]
                assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
    with visitor.client.stream("GET", "/watch", params={"fight": "overhill/duel-skeleton"}) as stream:
        assert set(HEADERS) <= set(stream.headers)


def test_scripts_come_from_the_studio_alone() -> None:
    policy = dict(part.split(" ", 1) for part in HEADERS["content-security-policy"].split("; "))

    assert policy["script-src"] == "'self'"
    assert policy["default-src"] == "'none'"


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_another_page_can_read_nothing_though_the_browser_sends_the_cookie(visitor: Visitor, site: str) -> None:
    for path in paths():
        assert visitor.client.get(path, headers={"sec-fetch-site": site}).status_code == 403


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:1"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_a_change_must_come_from_a_page_of_the_studio(visitor: Visitor, headers: dict[str, str]) -> None:
    for path in paths():
        assert visitor.client.post(path, headers=headers).status_code == 403


def test_the_token_is_good_once_and_becomes_a_cookie_that_scripts_cannot_read(tmp_path: Path) -> None:
    with started("-m", "sim", "studio", str(tmp_path), "--no-open") as process:
        assert process.stdout
        address = printed(process.stdout.readline())

        first, second = httpx.get(address), httpx.get(address)

    assert first.status_code == 303
    assert "token" not in first.headers["location"]
    cookie = first.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert second.status_code == 403
    assert "text/html" in second.headers["content-type"]
    assert "it prints a new address" in second.text
    assert "script" not in second.text
    assert "set-cookie" not in second.headers


def test_a_wrong_token_does_not_use_up_the_right_one() -> None:
    keys = Keys(1)

    assert not keys.take("guess")
    assert keys.take(keys.token)
    assert not keys.take(keys.token)


def test_cookies_that_are_no_cookies_open_nothing() -> None:
    keys = Keys(1)

    assert not keys.opens("=;;;\x00 a=b=c")
    assert keys.opens(f"other=1; {keys.cookie_name}={keys.cookie}")
