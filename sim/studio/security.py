"""Who may ask for what, before anything else.

A page on the internet can send requests to a server on this very machine, and after a DNS rebind it can read the
answers: then only the Host header tells. So every request, whatever it asks for, must name this server as its host and
carry the cookie that was given for the one-time token of the printed address. Nothing else is looked at before.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from typing import Any, TypeAlias
from urllib.parse import parse_qsl, quote, urlencode

Scope: TypeAlias = MutableMapping[str, Any]
Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
App: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

READING = ("GET", "HEAD")
OWN_PAGES = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": OWN_PAGES,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}

NOT_LET_IN = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Fairfight studio</title>
<style>body { font: 1.1rem/1.5 system-ui, sans-serif; max-width: 36rem; margin: 12vh auto; padding: 0 1rem; }</style>
</head>
<body><h1>The studio is not open here</h1>
<p>WHY The address that the studio prints lets one browser in, once, so that nobody else can use it.</p>
<p><b>In the browser in which you opened it first</b> all is well: go on at
<a href="http://127.0.0.1:PORT/">127.0.0.1:PORT</a>.</p>
<p><b>To use this browser instead</b>, go to the window in which the studio was started, end it with Ctrl-C and start it
again: it prints a new address. Your files stay as they are; what you have changed on a page is in that page's own
address, which you can paste into the new studio.</p></body></html>
"""


@dataclass(slots=True)
class Keys:
    """What opens the studio."""

    port: int
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))  # in the address that is printed; good once
    cookie: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    used: bool = False

    @property
    def hosts(self) -> tuple[str, ...]:
        """How this server is called; any other name was made up by somebody else."""
        return f"127.0.0.1:{self.port}", f"localhost:{self.port}"

    @property
    def cookie_name(self) -> str:
        """Cookies do not know ports, so that two studios need two names."""
        return f"fairfight-studio-{self.port}"

    def take(self, token: str) -> bool:
        """Whether this is the token, for the first time."""
        if self.used or not hmac.compare_digest(token.encode(), self.token.encode()):
            return False
        self.used = True
        return True

    def opens(self, cookies: str) -> bool:
        """Whether the right cookie is among these."""
        try:
            found = SimpleCookie(cookies).get(self.cookie_name)
        except CookieError:
            return False
        return found is not None and hmac.compare_digest(found.value.encode(), self.cookie.encode())


@dataclass(slots=True)
class Guard:
    """Stands before the app, and puts the headers of safety on whatever is answered."""

    app: App
    keys: Keys

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":  # no page of ours speaks anything else
            return
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        query = dict(parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True))
        if reason := self._refusal(scope, headers):
            await _answer(send, *reason)
        elif "token" in query:
            await self._enter(scope, query, self.keys.opens(headers.get("cookie", "")), send)
        elif not self.keys.opens(headers.get("cookie", "")):
            await _tell(send, "This browser has not been let in yet.", self.keys.port)
        else:
            await self.app(scope, receive, _with_headers(send))

    def _refusal(self, scope: Scope, headers: MutableMapping[str, str]) -> tuple[int, str] | None:
        """Why a request is refused whoever sends it; None if it is not."""
        host = headers.get("host", "")
        hosts = [value for name, value in scope["headers"] if name.lower() == b"host"]
        if len(hosts) != 1 or host.lower() not in self.keys.hosts:
            return 403, "This host name does not belong to the studio."
        site, origin = headers.get("sec-fetch-site"), headers.get("origin")
        if site not in (None, "same-origin", "none"):
            return 403, "This request comes from another page."
        if scope["method"] in READING:
            return None
        if origin is not None and origin != f"http://{host.lower()}":
            return 403, "This change comes from another page."
        if origin is None and site is None:
            return 403, "A change must say which page it comes from."
        return None

    async def _enter(self, scope: Scope, query: dict[str, str], inside: bool, send: Send) -> None:
        """Take the one-time token and give the cookie for it; whoever is inside already needs neither."""
        token = query.pop("token")
        if scope["method"] not in READING or not (inside or self.keys.take(token)):
            await _tell(send, "This address has been used already, or is of another studio.", self.keys.port)
            return
        to = quote(scope["path"]) + (f"?{urlencode(query)}" if query else "")
        headers = [(b"location", to.encode("latin-1"))]
        if not inside:
            cookie = f"{self.keys.cookie_name}={self.keys.cookie}; HttpOnly; SameSite=Strict; Path=/"
            headers.append((b"set-cookie", cookie.encode()))
        await _answer(send, 303, "", headers)


async def _tell(send: Send, why: str, port: int) -> None:
    """Somebody who is not let in, in plain words; nothing of what was asked for stands on this page."""
    page = NOT_LET_IN.replace("WHY", why).replace("PORT", str(port)).encode()
    headers = [(b"content-type", b"text/html; charset=utf-8"), (b"content-length", str(len(page)).encode())]
    guarded = _with_headers(send)
    await guarded({"type": "http.response.start", "status": 403, "headers": headers})
    await guarded({"type": "http.response.body", "body": page})


async def _answer(send: Send, status: int, text: str, headers: list[tuple[bytes, bytes]] | None = None) -> None:
    """A short answer in plain text."""
    body = text.encode()
    plain = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(body)).encode())]
    guarded = _with_headers(send)
    await guarded({"type": "http.response.start", "status": status, "headers": [*plain, *(headers or [])]})
    await guarded({"type": "http.response.body", "body": body})


def _with_headers(send: Send) -> Send:
    """Whatever is answered has the headers of safety; a page with a policy of its own keeps it."""

    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            there = {name.lower() for name, _ in message["headers"]}
            own = [(name.encode(), value.encode()) for name, value in HEADERS.items() if name.encode() not in there]
            message["headers"] = [*message["headers"], *own]
        await send(message)

    return guarded
