"""Who may connect, for how long, and who may ask: only the page that this server gave out; and the queue of questions.

Whoever connects has some seconds to say what it wants and some more to send what belongs to it. Of the connections that
have not done so there are so many for each address and so many in all; one more, and the oldest of them is cut off. A
connection that was answered before its body came, since it is refused or too large, is not read any further.

A web page from anywhere can send requests to this machine, and a name of its own can be made to point here (DNS
rebinding). So the ``Host`` must be ours, requests of other sites are refused by what the browser says of them, and a
secret cookie tells the browsers that opened the printed address, which works as long as the server runs.

Questions are answered by a few processes, never more than seats, whatever is asked at once; who comes later waits, and
when too many wait the next is told so. A question can be taken back: while it waits it is dropped, while it is answered
its process is ended.
"""

from __future__ import annotations

import asyncio
import ipaddress
import secrets
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from scoreproof.limits import current
from scoreproof.work.subprocess_worker import Died, SubprocessWorker, Tell

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
        crowded = _UNFINISHED[self]
        if held.count(crowded) <= _SHARE:
            if len(held) <= _MOST:
                return
            crowded = max(set(held), key=held.count)
        oldest = next(other for other, address in _UNFINISHED.items() if address == crowded)
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


_TARGET = "scoreproof.serve.desk:answer"
_MEMORY = 1_000  # megabytes of one process
_MOST_WAITING = 400
_AGAIN = 0.1  # seconds after which a process that is to end, and was not yet there, is ended again


class Busy(Exception):
    """Too many questions wait already."""


class PendingQuestion:
    """One question on its way; ``cancel`` takes it back."""

    def __init__(self) -> None:
        self.cancelled = asyncio.Event()
        self._seat: SubprocessWorker | None = None

    @property
    def is_worked_on(self) -> bool:
        return self._seat is not None

    def begin(self, seat: SubprocessWorker) -> None:
        self._seat = seat

    def end(self) -> None:
        self._seat = None

    def cancel(self) -> None:
        self.cancelled.set()
        if self._seat is not None:
            self._seat.stop()


class Seats:
    """So many processes."""

    def __init__(self, number: int) -> None:
        self._seats = [SubprocessWorker(_TARGET) for _ in range(number)]
        self._free = list(self._seats)
        self._gate = asyncio.Semaphore(number)
        self._threads = ThreadPoolExecutor(number, thread_name_prefix="seat")
        self._waiting = 0
        self._last: dict[str, PendingQuestion] = {}
        self._releases: set[asyncio.Future[None]] = set()
        self._limits = current().to_dict()

    async def ask(
        self,
        request: Mapping[str, Any],
        data: bytes = b"",
        *,
        seconds: float,
        told: Tell | None = None,
        question: PendingQuestion | None = None,
    ) -> dict[str, Any]:
        """The answer, or ``{"error": words}`` where there is none."""
        if self._waiting >= _MOST_WAITING:
            raise Busy
        question = question or PendingQuestion()
        if not await self._has_turn(question):
            return _CANCELLED
        seat = self._free.pop()
        question.begin(seat)
        work = asyncio.get_running_loop().run_in_executor(
            self._threads, _answered, seat, {**request, "limits": self._limits}, data, seconds, told
        )
        release = asyncio.ensure_future(self._release(question, seat, work))
        self._releases.add(release)
        release.add_done_callback(self._releases.discard)
        try:
            answer = await asyncio.shield(work)
        except asyncio.CancelledError:  # nobody waits for the answer any more
            question.cancel()
            raise
        return _CANCELLED if question.cancelled.is_set() else answer

    async def _release(self, question: PendingQuestion, seat: SubprocessWorker, work: asyncio.Future[Any]) -> None:
        """Give a seat to the next question once it is done with this one, which may be cancelled before it began."""
        dropped = asyncio.ensure_future(question.cancelled.wait())
        await asyncio.wait((work, dropped), return_when=asyncio.FIRST_COMPLETED)
        dropped.cancel()
        while not work.done():
            seat.stop()
            await asyncio.wait((work,), timeout=_AGAIN)
        question.end()
        self._free.append(seat)
        self._gate.release()

    async def _has_turn(self, question: PendingQuestion) -> bool:
        """Wait for a free seat, which is then held; false if the question was taken back meanwhile."""
        self._waiting += 1
        turn = asyncio.ensure_future(self._gate.acquire())
        dropped = asyncio.ensure_future(question.cancelled.wait())
        try:
            await asyncio.wait((turn, dropped), return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:  # who leaves gives the turn back, also one that comes just then
            turn.add_done_callback(lambda done: None if done.cancelled() else self._gate.release())
            raise
        finally:
            self._waiting -= 1
            dropped.cancel()
            if not turn.done():
                turn.cancel()
        held = turn.done() and not turn.cancelled()
        if held and question.cancelled.is_set():
            self._gate.release()
        return held and not question.cancelled.is_set()

    async def ask_last(self, who: str, request: Mapping[str, Any], *, seconds: float) -> dict[str, Any]:
        """The same for somebody of whom only the last question counts: the one before is dropped while it waits.

        One that is worked on goes on: it ends soon by itself, and starting a process anew takes longer.
        """
        before, question = self._last.get(who), PendingQuestion()
        self._last[who] = question
        if before is not None and not before.is_worked_on:
            before.cancel()
        try:
            return await self.ask(request, seconds=seconds, question=question)
        finally:
            if self._last.get(who) is question:
                del self._last[who]

    def start(self) -> None:
        """Start a process for the first question."""
        self._threads.submit(self._seats[-1].start)

    def close(self) -> None:
        """End every process."""
        for seat in self._seats:
            seat.stop()
        self._threads.shutdown(wait=False, cancel_futures=True)


def _answered(
    seat: SubprocessWorker, request: Mapping[str, Any], data: bytes, seconds: float, told: Tell | None
) -> dict[str, Any]:
    try:
        answer: dict[str, Any] = seat(request, data, seconds=seconds, megabytes=_MEMORY, told=told)
    except Died as end:
        return {"error": _ENDS.get(str(end), _CRASH), "ended": str(end)}
    return answer


_CANCELLED = {"error": "cancelled", "ended": "stopped"}
_CRASH = "The process that worked on this ended unexpectedly. Nothing else is lost; ask again, or ask for less."
_ENDS = {
    "stopped": "cancelled",
    "late": "This takes longer than the page waits while one types; the full report takes its time.",
    "memory": "This needs more memory than one question of the page may take.",
    "depth": "This nests deeper than it can be read.",
}
