"""The page's server: bodies that are deep, wide, huge, of wrong types or no JSON; each is answered, and the server lives."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.attack.attack import Attack, python
from benchmarks.attack.sheets import cell, ods, row

_GRID = [["Method", "Acc", "Sens"], ["A", "0.90", "0.80"]]


def _page(**changes: Any) -> dict[str, Any]:
    """The page's specification with something else in it."""
    table = {"name": "Table 1", "grid": _GRID, "header_rows": 1, "experiment": "test"}
    table |= {key.removeprefix("table_"): value for key, value in changes.items() if key.startswith("table_")}
    document = {
        "datasets": {"data": {"p": "38", "n": "262"}},
        "experiments": {"test": {"dataset": "data"}},
        "tables": [table],
    }
    return document | {key: value for key, value in changes.items() if not key.startswith("table_")}


def _sealed(**changes: Any) -> bytes:
    return json.dumps(_page(**changes)).encode()


_WRONG: tuple[Any, ...] = (None, True, -1, 1e308, "x", [], [[]], {}, {"a": {"b": 1}}, "9" * 5_000, "\x1b[31m")
_PAGES: dict[str, Callable[[], bytes]] = {
    "no JSON": lambda: b"\xff\xfe" * 1_000,
    "nothing": lambda: b"",
    "a list": lambda: b"[1, 2]",
    "a list 1,000,000 deep": lambda: b"[" * 1_000_000,
    "objects 300,000 deep": lambda: b'{"tables":' * 300_000,
    "nested 900 deep": lambda: b'{"tables": ' + b"[" * 900 + b"]" * 900 + b"}",
    "nested 100 deep in a cell": lambda: _sealed().replace(b'"0.90"', b"[" * 100 + b"]" * 100),
    "a number of 4 MB": lambda: b'{"tables": ' + b"9" * 4_000_000 + b"}",
    "1,300,000 empty objects": lambda: b'{"tables": [' + b"{}," * 1_300_000 + b"{}]}",
    "300,000 keys": lambda: b"{" + b",".join(b'"k%d": 1' % k for k in range(300_000)) + b"}",
    "a grid of 20,000 rows": lambda: _sealed(table_grid=[_GRID[0], *([_GRID[1]] * 20_000)]),
    "a grid of 1,000 by 1,000": lambda: _sealed(table_grid=[["0.9"] * 1_000] * 600),
    "a cell of 4 MB": lambda: _sealed(table_grid=[_GRID[0], ["A", "9" * 4_000_000, "0.8"]]),
    "a heading of 4 MB": lambda: _sealed(table_grid=[["Method", "Acc " * 1_000_000, "Sens"], _GRID[1]]),
    "2,000 tables": lambda: _sealed(tables=[_page()["tables"][0] | {"name": str(k)} for k in range(2_000)]),
    "folds of 10^9": lambda: _sealed(experiments={"test": {"dataset": "data", "folds": 10**9, "repeats": 10**9}}),
    "100,000 experiments": lambda: _sealed(experiments={f"e{k}": {"dataset": "data"} for k in range(60_000)}),
    "surrogates": lambda: b'{"title": "\\ud800", "tables": [{"grid": [["\\udc00"]]}]}',
    "a file of the machine": lambda: _sealed(tables=[{"name": "x", "file": "/etc/passwd", "experiment": "test"}]),
    "a catalogue of the machine": lambda: _sealed(catalog=["/etc/passwd"]),
    "3,000 claims": lambda: _sealed(claims=[{"claim": "mcnemar", "a": "0.93", "b": "0.92", "n": 200 + k} for k in range(3_000)]),
    "limits raised": lambda: _sealed(limits={"seconds": 10**9, "memory": 10**9, "sets": 10**12}),
    **{f"{key} is {value!r:.20}": lambda key=key, value=value: _sealed(**{key: value})  # type: ignore[misc]
       for key in ("datasets", "experiments", "tables", "options", "claims", "title", "table_grid", "table_header_rows", "table_columns")
       for value in _WRONG},
}  # fmt: skip
_OWN: dict[str, dict[str, Callable[[], bytes]]] = {
    "/read": {
        "1 MB of newlines": lambda: b"a  b\n" + b"\n" * 1_000_000 + b"1  2\n",
        "no text": lambda: b"\xff" * 1_000_000,
        "zero bytes": lambda: b"\x00" * 1_000_000,
    },
    "/read?name=paper.xlsx": {"no zip": lambda: b"PK" + b"\xff" * 100_000},
    "/read?name=paper.pdf": {"no PDF": lambda: b"%PDF-1.7" + b"\xff" * 100_000},
    "/read?name=..%2F..%2Fpaper.md": {"a name that climbs": lambda: b"| a | b |\n|---|---|\n| 1 | 2 |\n"},
    "/read?name=" + "a" * 5_000 + ".md": {"a long name": lambda: b"| a | b |\n|---|---|\n| 1 | 2 |\n"},
    "/read?name=%1b[31m.md": {"a name of escapes": lambda: b"| a | b |\n|---|---|\n| 1 | 2 |\n"},
    "/read?name=paper.ods": {
        "repeats": lambda: ods(row(cell("0.9", number_columns_repeated="16384"), repeated="1048576")),
        "an entity of the machine": lambda: ods(row("Method", "&x;"), head="<!DOCTYPE x [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>"),
    },
    "/read?name=paper.parquet": {"no Parquet": lambda: b"PAR1" + b"\xff" * 9_000 + b"PAR1"},
    "/read?name=paper.json": {
        "results of everything": lambda: json.dumps({"results": {f"t{k}": {"acc,none": 0.5, "alias": "../../etc/passwd"} for k in range(5_000)}}).encode(),
        "a specification of the machine": lambda: json.dumps({"tables": [{"file": "/etc/passwd"}], "catalog": ["/etc/passwd"]}).encode(),
    },
    "/read?name=paper.yaml": {
        "a card of tags": lambda: b"model-index: !!python/object/apply:os.system ['touch pwned']\n",
        "a card of references": lambda: b"model-index: &a [*a, *a]\n",
        "a specification of the machine": lambda: b"tables: [{file: /etc/passwd}]\n",
    },
    "/read?name=paper.ipynb": {"a picture of the machine": lambda: json.dumps({"cells": [{"cell_type": "markdown", "source": "![x](/etc/passwd)"}], "nbformat": 4}).encode()},
    "/read?name=paper.tex": {
        "files of the machine": lambda: "".join(f"\\input{{{name}}}\n" for name in ("/etc/passwd", "../../../../../../etc/passwd", "../../paper-0/sent/paper", "|cat /etc/passwd")).encode() + b"\\begin{tabular}{l}Acc\\\\0.9\\end{tabular}",
    },
    "/sheets/00000000000000aa": {f"the sheet of paper {k}": lambda k=k: json.dumps({"papers": [f"paper-{k:016x}"] * 50_000}).encode() for k in range(40)},  # type: ignore[misc]
    "/sheets/..%2f..%2fpaper": {"a name that climbs": lambda: b"{}"},
    "/verify?name=%1b[31m" + "a" * 3_000: {"no certificate": lambda: b"{}"},
    "/verify": {
        "deep": lambda: b"[" * 1_000_000,
        "wide": lambda: b'{"statement": [' + b"[]," * 1_300_000 + b"[]]}",
        "nothing": lambda: b"",
    },
    "/open": {
        "names that climb": lambda: json.dumps({"text": "x", "files": {"../../evil": "QQ==", "/etc/evil": "QQ==", "": "QQ==", ".": "QQ==", "..": "QQ==", "a\x00b": "QQ==", "a" * 5_000: "QQ=="}}).encode(),
        "files of wrong types": lambda: json.dumps({"text": "x", "files": {"a": 3, "b": None, "c": ["QQ=="]}}).encode(),
        "laughs": lambda: json.dumps({"text": "a: &a [x]\nb: [*a, *a]\n", "files": {}}).encode(),
    },
}  # fmt: skip


_RAW: dict[str, bytes] = {
    "no HTTP": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\xff" * 500,
    "a line of 1 MB": b"GET /" + b"a" * 1_000_000,
    "100,000 headers": b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 100_000,
    "a header of 1 MB": b"GET / HTTP/1.1\r\na: " + b"b" * 1_000_000,
    "two hosts": b"GET / HTTP/1.1\r\nhost: HOST\r\nhost: evil.example\r\n\r\n",
    "a host with a user": b"GET / HTTP/1.1\r\nhost: evil@HOST\r\n\r\n",
    "another host before it": b"GET http://evil.example/ HTTP/1.1\r\nhost: HOST\r\n\r\n",
    "a forwarded host": b"GET / HTTP/1.1\r\nhost: evil.example\r\nx-forwarded-host: HOST\r\n\r\n",
    "lengths that differ": b"POST /look HTTP/1.1\r\nhost: HOST\r\nOWNcontent-length: 5\r\ncontent-length: 50\r\n\r\n12345",
    "a length and pieces": b"POST /look HTTP/1.1\r\nhost: HOST\r\nOWNcontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n",
    "a length of -1": b"POST /look HTTP/1.1\r\nhost: HOST\r\nOWNcontent-length: -1\r\n\r\n",
    "a length of letters": b"POST /look HTTP/1.1\r\nhost: HOST\r\nOWNcontent-length: \xb2\r\n\r\n",
    "pieces of 10^18": b"POST /look HTTP/1.1\r\nhost: HOST\r\nOWNtransfer-encoding: chunked\r\n\r\nfffffffffffffff\r\n",
    "a piece of no size": b"POST /look HTTP/1.1\r\nhost: HOST\r\nOWNtransfer-encoding: chunked\r\n\r\nzz\r\n",
    "500 requests at once": b"GET /words HTTP/1.1\r\nhost: HOST\r\nOWN\r\n" * 500,
    "ranges": b"GET /page/page.js HTTP/1.1\r\nhost: HOST\r\nOWNrange: bytes=" + b"0-0," * 10_000 + b"1-1\r\n\r\n",
    "a way up": b"GET /page/../../../../../etc/passwd HTTP/1.1\r\nhost: HOST\r\nOWN\r\n",
    "a hidden way up": b"GET /page/%2e%2e%2f%2e%2e%2fserver.py HTTP/1.1\r\nhost: HOST\r\nOWN\r\n",
    "a sheet's way up": b"GET /sheets/..%2f..%2f..%2fetc%2fpasswd HTTP/1.1\r\nhost: HOST\r\nOWN\r\n",
    "a paper's way up": b"GET /papers/..%2f..%2fetc/1 HTTP/1.1\r\nhost: HOST\r\nOWN\r\n",
    "a page of 5,000 digits": b"GET /papers/paper-0123456789abcdef/" + b"9" * 5_000 + b" HTTP/1.1\r\nhost: HOST\r\nOWN\r\n",
    "a report's way up": b"GET /reports/..%2f../report.html HTTP/1.1\r\nhost: HOST\r\nOWN\r\n",
    "a zero byte": b"GET /page/page.js%00.html HTTP/1.1\r\nhost: HOST\r\nOWN\r\n",
    "bytes that are no text": b"GET /read?name=%ff%fe%00.md HTTP/1.1\r\nhost: HOST\r\nOWN\r\n",
    "a method of its own": b"BREW / HTTP/1.1\r\nhost: HOST\r\nOWN\r\n",
    "a tunnel": b"CONNECT 127.0.0.1:22 HTTP/1.1\r\nhost: HOST\r\nOWN\r\n",
    "a socket": b"GET / HTTP/1.1\r\nhost: HOST\r\nOWNconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nsec-websocket-version: 13\r\n\r\n",
    "old HTTP": b"GET /\r\n\r\n",
    "new HTTP": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "a cookie of 60 kB": b"GET / HTTP/1.1\r\nhost: HOST\r\ncookie: " + b"a=b;" * 15_000 + b"\r\n\r\n",
    "half a line": b"POST /look HTTP/1.1\r\nhost: HOST\r\nOWNcontent-length: 9\r\n\r\n{",
    "a token": b"GET /?token=" + b"%00" * 1_000 + b" HTTP/1.1\r\nhost: HOST\r\n\r\n",
    "many tokens": b"GET /?" + b"token=a&" * 7_000 + b" HTTP/1.1\r\nhost: HOST\r\n\r\n",
}  # fmt: skip


_SPECIFIED = ("/look", "/specification", "/sheets/0123456789abcdef", "/reports")


def bodies(path: str) -> dict[str, Callable[[], bytes]]:
    """The bodies that an address is sent."""
    return _PAGES if path in _SPECIFIED else _OWN[path]


_BODY = """
import sys, time, http.client, os
from itertools import islice
sys.path[:0] = [{root!r}, {root!r} + "/tests/outside"]
from benchmarks.attack.served import bodies
from served import serving, below, megabytes
count, wrong, slowest = 0, [], (0.0, "")
os.environ["TMPDIR"] = str(folder)
with serving() as server:
    server.enter()
    for path in {paths!r}:
        for name, make in bodies(path).items():
            begun = time.monotonic()
            try:
                if path == "/reports":  # it takes its time: who asked leaves when it has begun
                    with server.stream(path, make()) as told:
                        status, said = 200, [*islice(told, 2)]
                else:
                    status, said = server.post(path, make())
            except (OSError, ValueError, http.client.HTTPException) as error:
                status, said = 0, repr(error)
            spent, count = time.monotonic() - begun, count + 1
            slowest = max(slowest, (spent, name))
            used = max(map(megabytes, [server.process.pid, *below(server.process.pid)]))
            if status in (0, 500) or spent > 60 or used > 1024 or "Traceback" in str(said) or "root:" in str(said):
                wrong.append((path[:30], name, status, round(spent, 1), round(used), str(said)[:200]))
    status, said = server.post("/look", __import__("benchmarks.attack.served", fromlist=["x"])._page())
    if status != 200:
        wrong.append(("afterwards", status, str(said)[:200]))
if wrong:
    raise RuntimeError(wrong)
return f"{{count}} requests answered, the slowest in {{slowest[0]:.1f}} s ({{slowest[1]}})"
"""


_WIRE = """
import sys, socket, os
sys.path[:0] = [{root!r}, {root!r} + "/tests/outside"]
from benchmarks.attack.served import _RAW, _page
from served import serving, below, megabytes
os.environ["TMPDIR"] = str(folder)
wrong = []
with serving() as server:
    server.enter()
    own = "".join(f"{{name}}: {{value}}\\r\\n" for name, value in server.headers.items()).encode()
    host, port = server.place.split(":")
    for name, said in _RAW.items():
        with socket.create_connection((host, int(port)), timeout=30) as connection:
            got = b""
            try:
                connection.sendall(said.replace(b"HOST", server.place.encode()).replace(b"OWN", own))
                connection.shutdown(socket.SHUT_WR)
                while part := connection.recv(65536):
                    got += part
            except TimeoutError:
                wrong.append((name, "no answer"))
            except OSError:
                pass
        used = max(map(megabytes, [server.process.pid, *below(server.process.pid)]))
        if b" 500 " in got or b"Traceback" in got or b"root:" in got or b"from __future__" in got or b"101 Switching" in got or used > 1024:
            wrong.append((name, got[:200], used))
        if server.post("/look", _page())[0] != 200:
            wrong.append((name, "then no answer"))
if wrong:
    raise RuntimeError(wrong)
return f"{{len(_RAW)}} connections"
"""


def _wired() -> Attack:
    root = str(Path(__file__).parents[2])
    return Attack("served", "raw bytes", lambda folder: python(_WIRE.format(root=root), folder), together=len(_RAW))


def _asked(paths: list[str], name: str) -> Attack:
    def make(folder: Path) -> list[str]:
        root = str(Path(__file__).parents[2])
        return python(_BODY.format(root=root, paths=paths), folder)

    return Attack("served", name, make, together=sum(len(bodies(path)) for path in paths))


ATTACKS = [
    *(_asked([path], path) for path in _SPECIFIED),
    _asked(list(_OWN), "files"),
    _wired(),
]
