"""Who may connect, for how long, and who may ask: only the page that this server has given out.

Whoever connects has some seconds to say what it wants and some more to send what belongs to it. Of the connections that
have not done so there are so many for each address and so many in all; one more, and the oldest of them is cut off. A
connection that was answered before its body came, since it is refused or too large, is not read any further.

A web page from anywhere can send requests to this machine, and a name of its own can be made to point here (DNS
rebinding). So the ``Host`` must be ours, requests of other sites are refused by what the browser says of them, and a
secret cookie tells the browsers that opened the printed address, which works as long as the server runs.
"""

from __future__ import annotations

import asyncio
import ipaddress
import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD = 10.0  # seconds for the head of a request
BODY = 120.0  # seconds for what belongs to it
_LINGER = 1.0  # seconds to read an answer that came before the request had ended
_MOST, _SHARE = 512, 256  # unfinished connections in all, and of one address


def address_of(client: Any) -> str:
    """Who asks: an address, of the newer kind the network that one customer gets.

    >>> address_of(("10.0.0.7", 5000)), address_of(("2001:db8::1:2:3:4", 5000)), address_of(None)
    ('10.0.0.7', '2001:db8::', '')
    """
    try:
        address = ipaddress.ip_address(str(client[0]).partition("%")[0])
    except (ValueError, TypeError, IndexError):
        return ""
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is None:
        return str(ipaddress.ip_network((address, 64), strict=False).network_address)
    return str(getattr(address, "ipv4_mapped", None) or address)


class Connection(H11Protocol):
    """One connection, cut off where it takes too long to ask."""

    _timer: asyncio.TimerHandle | None = None
    _phase = ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        if self._phase == "over":
            return
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        self._enter("over")
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        if self.cycle.more_body and not self.transport.is_closing():
            self._enter("over")
            self.transport.pause_reading()
            if self.transport.can_write_eof():
                self.transport.write_eof()
            self._timer = self.loop.call_later(_LINGER, self.transport.abort)
            return
        super().on_response_complete()
        self._watch()

    def _watch(self) -> None:
        if self._phase != "over":
            waits = self.cycle is None or self.cycle.response_complete
            self._enter("head" if waits else "body" if self.cycle.more_body else "answer")

    def _enter(self, phase: str) -> None:
        if phase == self._phase:
            return
        self._phase = phase
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        _UNFINISHED.pop(self, None)
        if phase in ("head", "body"):
            self._timer = self.loop.call_later(HEAD if phase == "head" else BODY, self.transport.abort)
            _UNFINISHED[self] = address_of(self.client)
            self._make_room()

    def _make_room(self) -> None:
        """Cut off the oldest of too many: of this address, or of the one that has most."""
        held = list(_UNFINISHED.values())
        mine = _UNFINISHED[self]
        if held.count(mine) <= _SHARE:
            if len(held) <= _MOST:
                return
            mine = max(set(held), key=held.count)
        oldest = next(other for other, address in _UNFINISHED.items() if address == mine)
        oldest._enter("over")
        oldest.transport.abort()


_UNFINISHED: dict[Connection, str] = {}  # the oldest first, with their addresses


POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "frame-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
_HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
}
_OPEN_IT = "Open the address that 'scoreproof serve' printed, with its token."
_LOG_IN = "/login"


@dataclass(slots=True)
class Keys:
    """The secrets of one server: the token of the printed address, the cookie, and a password where one is needed."""

    hosts: frozenset[str]
    port: int
    password: str = ""
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    session: str = field(default_factory=lambda: secrets.token_urlsafe(24))

    @property
    def cookie(self) -> str:
        """Its name: servers on other ports have their own."""
        return f"scoreproof-{self.port}"

    def knows(self, request: Request) -> bool:
        return _same(request.cookies.get(self.cookie, ""), self.session)

    def is_password(self, given: str) -> bool:
        return bool(self.password) and _same(given, self.password)

    def admit(self) -> Response:
        """To the page, with the cookie."""
        answer = RedirectResponse("/", 303)
        answer.set_cookie(self.cookie, self.session, httponly=True, samesite="strict")
        return answer


def _same(given: str, secret: str) -> bool:
    return secrets.compare_digest(given.encode(), secret.encode())


class Gate:
    """Refuses before anything is read; whatever goes out carries the headers that keep it at home."""

    def __init__(self, app: ASGIApp, keys: Keys) -> None:
        self._app, self._keys = app, keys

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        refused = self._refusal(request)

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("content-security-policy", POLICY)
            await send(message)

        app = self._app if refused is None else refused
        await app(scope, receive, guarded)

    def _refusal(self, request: Request) -> Response | None:
        headers, keys = request.headers, self._keys
        if headers.get("host", "").lower() not in keys.hosts:
            known = ", ".join(sorted(keys.hosts))
            return PlainTextResponse(f"This server answers to {known} only; --name gives it another name.", 403)
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return PlainTextResponse("Another site asks.", 403)
        origin = headers.get("origin")
        if origin is not None and origin not in _origins(keys.hosts):
            return PlainTextResponse("Another origin asks.", 403)
        if request.url.path == "/" and request.method == "GET" and "token" in request.query_params:
            good = keys.knows(request) or _same(request.query_params["token"], keys.token)
            return keys.admit() if good else PlainTextResponse(_OPEN_IT, 403)
        if keys.password and request.url.path == _LOG_IN:
            return None
        if not keys.knows(request):
            if keys.password and request.url.path == "/":
                return RedirectResponse(_LOG_IN, 303)
            return PlainTextResponse(_OPEN_IT, 403)
        if request.method not in ("GET", "HEAD") and headers.get("x-scoreproof") != "1":
            return PlainTextResponse("The page itself must ask.", 403)
        return None


def _origins(hosts: Iterable[str]) -> set[str]:
    return {f"{scheme}://{host}" for host in hosts for scheme in ("http", "https")}
