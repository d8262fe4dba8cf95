"""The addresses of the page and what they give."""

from __future__ import annotations

import asyncio
import base64
import inspect
import json
import os
import re
import secrets
import shutil
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import contextmanager
from functools import cache, partial
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from scoreproof._version import __version__
from scoreproof.claims import CLAIMS
from scoreproof.claims.texts import settings_of_claim
from scoreproof.documents.formats import FORMATS
from scoreproof.kinds.binary.scores import known_scores
from scoreproof.limits import current
from scoreproof.reported.conventions import conventions
from scoreproof.serve.connections import address_of
from scoreproof.serve.desk import REPORTS
from scoreproof.serve.gate import Gate, Keys
from scoreproof.serve.jobs import Busy, Jobs, Seats
from scoreproof.structured import unique
from scoreproof.validation import Setting

if TYPE_CHECKING:
    from collections.abc import Iterator

FILES = (*(suffix for known in FORMATS.values() for suffix in known.suffixes), ".txt", ".json")
_ASSETS = {
    "page.js": "text/javascript",
    "table.js": "text/javascript",
    "claims.js": "text/javascript",
    "proposals.js": "text/javascript",
    "page.css": "text/css",
    "example.md": "text/markdown",
}
_ROUNDING = list(conventions("rounding")["rounding"].choices)
_SHOWN = {"nearest": "to nearest", "floor": "cut off", "ceil": "up"}  # the words of the page for a choice
_COUNTS = ("label", "ignore", "p", "n", "total", "tp", "fp", "fn", "tn")
_READING, _LOOKING, _ROW = 30.0, 20.0, 40.0  # seconds
_MOST_SPECIFICATION = 8  # megabytes
_PASSWORD = 1 / 64  # megabytes
_MOST_GUESSES = 5  # of one address at once
_MOST_ROWS = 60  # rows' pages that are kept
_TAB = re.compile(r"[0-9a-f]{8,32}")
_REPORT_POLICY = "frame-ancestors 'self'"  # reports bring a policy of their own


class TooLarge(Exception):
    """A request is larger than is read; the message says what is."""


class Desk:
    """One server: its processes, its private folder, its jobs."""

    def __init__(self, folder: Path, quick: int, long: int) -> None:
        self.folder = folder
        self.quick, self.long = Seats(quick), Seats(long)
        self.jobs = Jobs(self.long, folder)
        self.rows: list[str] = []

    def close(self) -> None:
        self.jobs.close()
        self.quick.close()
        self.long.close()

    @contextmanager
    def private(self) -> Iterator[Path]:
        """A folder for one upload, gone afterwards; nothing is beside it for an ``input`` to reach."""
        folder = Path(tempfile.mkdtemp(dir=self.folder))
        try:
            (folder / "sent").mkdir(mode=0o700)
            yield folder / "sent"
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def new_row(self) -> str:
        """The name of a row's page; the oldest goes."""
        name = f"row-{secrets.token_hex(8)}.html"
        self.rows.append(name)
        for old in self.rows[:-_MOST_ROWS]:
            (self.folder / old).unlink(missing_ok=True)
        del self.rows[:-_MOST_ROWS]
        return name


async def home(request: Request) -> Response:
    choices = "".join(f'<option value="{word}">{_SHOWN.get(word, word)}</option>' for word in _ROUNDING)
    page = _asset("index.html").replace("{{version}}", __version__)
    return HTMLResponse(page.replace("{{rounding}}", choices))


async def asset(request: Request) -> Response:
    name = request.path_params["name"]
    if name == "style.css":
        return Response(files("scoreproof.pages").joinpath(name).read_text(encoding="utf-8"), media_type="text/css")
    return Response(_asset(name), media_type=_ASSETS[name]) if name in _ASSETS else Response(status_code=404)


async def words(request: Request) -> Response:
    return JSONResponse(offered())


def offered() -> dict[str, Any]:
    """What the page's lists offer: meanings of columns, claims and their settings, files that are read."""
    scores = [score.name for score in known_scores()]
    claims = {name: [_field(setting) for setting in settings_of_claim(name).values()] for name in CLAIMS}
    return {"meanings": [*_COUNTS, *scores], "claims": claims, "files": list(FILES), "rounding": _ROUNDING}


def _field(setting: Setting) -> dict[str, str]:
    """A field of a form: its name, what it is in words, and what it is when left blank."""
    default = "" if setting.default in (inspect.Parameter.empty, None, ()) else str(setting.default)
    return {"name": setting.name, "doc": setting.doc, "default": default}


async def read(desk: Desk, request: Request) -> Response:
    """The tables of a dropped file (named in the address) or of pasted text."""
    name = request.query_params.get("name", "")
    suffix = os.path.splitext(name)[1].lower()
    if name and suffix not in FILES:
        return _refused(f"{name}: files of this kind are not read; expected one of {', '.join(FILES)}", 415)
    body = await _body(request, current().megabytes)
    if not body.strip():
        return _refused(f"{name or 'the text'}: it is empty", 422)
    with desk.private() as folder:
        asked: dict[str, Any] = {"verb": "read", "name": name}
        if name:
            path = folder / f"paper{suffix}"
            path.write_bytes(body)
            asked["path"] = str(path)
        answer = await desk.quick.ask(asked, b"" if name else body, seconds=_READING)
    return _answered(answer)


async def open_specification(desk: Desk, request: Request) -> Response:
    """A specification, to go on from: its text, and the documents dropped with it by their names (base64)."""
    given = await _json(request, current().megabytes)
    text, beside = given.get("text"), given.get("files")
    if not isinstance(text, str) or not isinstance(beside, dict):
        return _refused("expected the text of a specification and files", 422)
    with desk.private() as folder:
        for name, content in beside.items():
            try:
                (folder / (os.path.basename(name) or "file")).write_bytes(base64.b64decode(content, validate=True))
            except (ValueError, TypeError, OSError):
                return _refused(f"{name}: it cannot be read", 422)
        answer = await desk.quick.ask(
            {"verb": "open", "folder": str(folder)}, text.encode("utf-8", "replace"), seconds=_READING
        )
    return _answered(answer)


async def look(desk: Desk, request: Request) -> Response:
    """Verdicts while one types; of one tab only the last question counts."""
    asked = {"verb": "look", "specification": await _json(request)}
    return _answered(await desk.quick.ask_last(_tab(request), asked, seconds=_LOOKING))


async def row(desk: Desk, request: Request) -> Response:
    """Everything about one row, as the address of a page."""
    given = await _json(request)
    name = desk.new_row()
    asked = {
        "verb": "row",
        "specification": given.get("specification"),
        "place": _whole(given.get("place")),
        "file": str(desk.folder / name),
    }
    answer = await desk.quick.ask(asked, seconds=_ROW)
    return _answered(answer if "error" in answer else {**answer, "page": f"/rows/{name}"})


async def row_page(desk: Desk, request: Request) -> Response:
    name = request.path_params["name"]
    if name not in desk.rows or not (desk.folder / name).is_file():
        return Response(status_code=404)
    return FileResponse(desk.folder / name, headers={"content-security-policy": _REPORT_POLICY})


async def verify(desk: Desk, request: Request) -> Response:
    body = await _body(request, current().certificate_megabytes)
    with desk.private() as folder:
        asked = {"verb": "verify", "folder": str(folder), "name": request.query_params.get("name", "the certificate")}
        answer = await desk.quick.ask(asked, body, seconds=_READING)
    return _answered(answer)


async def specification(desk: Desk, request: Request) -> Response:
    """The page's specification as a file."""
    answer = await desk.quick.ask({"verb": "write", "specification": await _json(request)}, seconds=_READING)
    return _answered(answer) if "error" in answer else Response(answer["text"], media_type="application/yaml")


async def start_job(desk: Desk, request: Request) -> Response:
    return JSONResponse({"job": desk.jobs.start(await _json(request)).number})


async def job_events(desk: Desk, request: Request) -> Response:
    job = desk.jobs[request.path_params["job"]]
    return Response(status_code=404) if job is None else StreamingResponse(job.events(), media_type="text/event-stream")


async def cancel_job(desk: Desk, request: Request) -> Response:
    job = desk.jobs[request.path_params["job"]]
    if job is not None:
        await desk.jobs.cancel(job)
    return Response(status_code=204 if job is not None else 404)


async def job_file(desk: Desk, request: Request) -> Response:
    """One format of a finished report; ``?save`` to keep it rather than look at it."""
    job, name = desk.jobs[request.path_params["job"]], request.path_params["name"]
    if job is None or name not in REPORTS or not (job.folder / name).is_file():
        return Response(status_code=404)
    headers = {"content-security-policy": _REPORT_POLICY}
    saved = "save" in request.query_params
    return FileResponse(job.folder / name, media_type=REPORTS[name], headers=headers, filename=name if saved else None)


def login(keys: Keys) -> Callable[[Request], Awaitable[Response]]:
    """The door of a server that others can reach: it asks for the password, one guess a second from each address."""
    locks: dict[str, asyncio.Lock] = {}
    waiting: Counter[str] = Counter()

    async def door(request: Request) -> Response:
        page = _asset("login.html")
        if request.method == "GET":
            return HTMLResponse(page.replace("{{words}}", ""))
        who = address_of(request.client)
        if waiting[who] >= _MOST_GUESSES:
            return HTMLResponse(page.replace("{{words}}", "Too many guesses wait already."), 429)
        waiting[who] += 1
        try:
            said = parse_qs((await _body(request, _PASSWORD)).decode("utf-8", "replace"), max_num_fields=5)
            async with locks.setdefault(who, asyncio.Lock()):
                if keys.is_password(said.get("password", [""])[0]):
                    return keys.admit()
                await asyncio.sleep(1)
        except ValueError:  # fields without end
            return _refused("expected a password", 422)
        finally:
            waiting[who] -= 1
            if not waiting[who]:
                del waiting[who]
                locks.pop(who, None)
        return HTMLResponse(page.replace("{{words}}", "That was not the password."), 403)

    return door


def application(keys: Keys, desk: Desk) -> Starlette:
    """The whole of it."""
    post = ["POST"]
    routes = [
        Route("/", home),
        Route("/words", words),
        Route("/page/{name}", asset),
        Route("/read", partial(read, desk), methods=post),
        Route("/open", partial(open_specification, desk), methods=post),
        Route("/look", partial(look, desk), methods=post),
        Route("/rows", partial(row, desk), methods=post),
        Route("/rows/{name}", partial(row_page, desk)),
        Route("/verify", partial(verify, desk), methods=post),
        Route("/specification", partial(specification, desk), methods=post),
        Route("/jobs", partial(start_job, desk), methods=post),
        Route("/jobs/{job}", partial(cancel_job, desk), methods=["DELETE"]),
        Route("/jobs/{job}/events", partial(job_events, desk)),
        Route("/jobs/{job}/{name}", partial(job_file, desk)),
        *([Route("/login", login(keys), methods=["GET", "POST"])] if keys.password else []),
    ]
    refusals: dict[Any, Any] = {TooLarge: _too_large, Busy: _busy, ClientDisconnect: _gone}
    return Starlette(routes=routes, middleware=[Middleware(Gate, keys=keys)], exception_handlers=refusals)


@cache
def _asset(name: str) -> str:
    return files("scoreproof.serve").joinpath("page", name).read_text(encoding="utf-8")


async def _body(request: Request, megabytes: float) -> bytes:
    """What was sent, as long as it is not too much."""
    most = int(megabytes * 2**20)
    told = request.headers.get("content-length", "0")
    if told.isdigit() and int(told) > most:
        raise TooLarge(f"this is {int(told) / 2**20:.0f} MB; expected at most {megabytes:g} MB")
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > most:
            raise TooLarge(f"this is more than {megabytes:g} MB, which is the most that is read")
        parts.append(part)
    return b"".join(parts)


async def _json(request: Request, megabytes: int = _MOST_SPECIFICATION) -> dict[str, Any]:
    try:
        given = json.loads(await _body(request, megabytes), object_pairs_hook=unique)
    except (ValueError, RecursionError):
        return {}
    return given if isinstance(given, dict) else {}


def _whole(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else -1


def _tab(request: Request) -> str:
    given = request.headers.get("x-tab", "")
    return given if _TAB.fullmatch(given) else "unnamed"


def _answered(answer: dict[str, Any]) -> Response:
    return JSONResponse(answer, 200 if "error" not in answer else 409 if answer.get("ended") == "stopped" else 422)


def _refused(why: str, status: int) -> Response:
    return JSONResponse({"error": why}, status)


async def _too_large(request: Request, error: Exception) -> Response:
    return _refused(str(error), 413)


async def _busy(request: Request, error: Exception) -> Response:
    return _refused("Too many questions wait already; try again in a moment.", 503)


async def _gone(request: Request, error: Exception) -> Response:
    return Response(status_code=400)
