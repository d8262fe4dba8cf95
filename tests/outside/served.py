"""A running ``scoreproof serve`` for the tests, and a browser's way of asking it."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

SPECIFICATION = {
    "datasets": {"data": {"p": "38", "n": "262"}},
    "experiments": {"test": {"dataset": "data"}},
    "tables": [
        {
            "name": "Table 1",
            "grid": [
                ["Method", "Acc", "Sens", "Spec"],
                ["A", "0.9033", "0.5263", "0.9580"],
                ["B", "0.9633", "0.9211", "0.9885"],
            ],
            "header_rows": 1,
            "experiment": "test",
        }
    ],
}


@dataclass
class Served:
    """The server, its address, and the cookie of whoever opened it."""

    process: subprocess.Popen[str]
    address: str
    cookie: str = ""

    @property
    def place(self) -> str:
        return urlsplit(self.address).netloc

    def ask(
        self, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None
    ) -> tuple[int, dict[str, str], bytes]:
        """One request, with nothing but the headers given."""
        connection = http.client.HTTPConnection(self.place)
        try:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
        finally:
            connection.close()

    @property
    def headers(self) -> dict[str, str]:
        """Those of the page."""
        return {"cookie": self.cookie, "x-scoreproof": "1"}

    def post(self, path: str, body: Any, **more: str) -> tuple[int, Any]:
        sent = body if isinstance(body, bytes) else json.dumps(body).encode()
        status, _, said = self.ask("POST", path, sent, {**self.headers, **more})
        return status, json.loads(said.splitlines()[-1]) if said.startswith(b"{") else said

    def get(self, path: str) -> tuple[int, bytes]:
        status, _, said = self.ask("GET", path, headers=self.headers)
        return status, said

    def enter(self) -> None:
        """Open the printed address."""
        status, headers, _ = self.ask("GET", self.address.removeprefix(f"http://{self.place}"))
        assert status == 303
        self.cookie = headers["set-cookie"].split(";")[0]

    @contextmanager
    def stream(self, path: str, body: Any) -> Iterator[Iterator[Any]]:
        """The lines of an answer that takes its time, while it is listened to."""
        connection = http.client.HTTPConnection(self.place)
        try:
            sent = body if isinstance(body, bytes) else json.dumps(body).encode()
            connection.request("POST", path, sent, self.headers)
            with connection.getresponse() as answer:  # which holds the connection, too
                yield map(json.loads, answer)
        finally:
            connection.close()


@contextmanager
def serving(*options: str, **environment: str) -> Iterator[Served]:
    process = subprocess.Popen(
        [sys.executable, "-m", "scoreproof", "serve", "--no-browser", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONUNBUFFERED": "1", **environment},
        text=True,
    )
    assert process.stdout is not None
    try:
        address = process.stdout.readline().strip()
        assert re.match(r"http://[\w.]+:\d+/", address), address
        yield Served(process, address)
    finally:
        process.send_signal(signal.SIGINT)
        process.wait()
        process.stdout.close()


def below(process: int) -> list[int]:
    """The processes that a process has started."""
    lists = Path(f"/proc/{process}/task").glob("*/children")  # by the thread that started them
    return [int(word) for one in lists for word in one.read_text(encoding="ascii").split()]


def megabytes(process: int) -> float:
    with open(f"/proc/{process}/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
