"""Starting and ending the server: a socket, a private folder, an address to open."""

from __future__ import annotations

import contextlib
import os
import socket
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import uvicorn

from scoreproof.errors import InvalidOption
from scoreproof.serve.application import Desk, application
from scoreproof.serve.gate import Connection, Keys

_HOME = ("127.0.0.1", "localhost", "::1")
_SHORTEST_PASSWORD = 8
_PATIENCE = 2  # seconds that open answers get at the end


def serve(
    *,
    port: int = 0,
    host: str = "127.0.0.1",
    names: Sequence[str] = (),
    password: str = "",
    opened: Callable[[str], None] = lambda address: None,
) -> None:
    """Serve the page until Ctrl-C; ``opened`` is called with the address once it answers.

    Beyond this machine (another ``host``) a password is needed; ``names`` are further names the server answers to.
    """
    if host not in _HOME and len(password) < _SHORTEST_PASSWORD:
        raise InvalidOption(
            f"host: {host} lets other machines in; that needs a password of at least {_SHORTEST_PASSWORD} characters"
        )
    with _listening(host, port) as listener, tempfile.TemporaryDirectory(prefix="scoreproof-") as folder:
        port = listener.getsockname()[1]
        hosts = {f"{name}:{port}" for name in ("127.0.0.1", "localhost", "[::1]", host, *names)} | set(names)
        keys = Keys(frozenset(name.lower() for name in hosts), port, password)
        # Half of the seats are for short questions, so that typing is answered while reports are made.
        seats = max(2, min(4, (os.cpu_count() or 2)))
        desk = Desk(Path(folder), quick=seats, long=max(1, seats // 2))
        server = _Server(
            uvicorn.Config(
                application(keys, desk),
                log_level="critical",
                access_log=False,
                server_header=False,
                timeout_graceful_shutdown=_PATIENCE,
                limit_concurrency=1000,
                http=Connection,
                ws="none",
            ),
            desk,
            lambda: opened(f"http://{'[::1]' if host == '::1' else host}:{port}/?token={keys.token}"),
        )
        try:
            with contextlib.suppress(KeyboardInterrupt):  # raised again once everything has ended
                server.run(sockets=[listener])
        finally:
            desk.close()


class _Server(uvicorn.Server):
    """A server that says when it answers, and ends what is running before it waits for open streams."""

    def __init__(self, config: uvicorn.Config, desk: Desk, started: Callable[[], None]) -> None:
        super().__init__(config)
        self._desk, self._told = desk, started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._desk.quick.start()
        self._told()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._desk.close()
        await super().shutdown(sockets)


def _listening(host: str, port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except (OSError, OverflowError) as error:
        listener.close()
        raise InvalidOption(f"port {port} on {host}: {getattr(error, 'strerror', None) or error}") from None
    return listener
