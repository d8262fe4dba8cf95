"""Connections that never finish what they ask: so long, so many from one address, and no longer.

Whoever connects has some seconds to say what it wants and some more to send what belongs to it. Of the connections that
have not done so there are so many for each address and so many in all; one more, and the oldest of them is cut off. A
connection that was answered before its body came, since it is refused or too large, is not read any further.
"""

from __future__ import annotations

import asyncio
import ipaddress
from typing import Any

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
