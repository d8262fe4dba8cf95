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
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import contextmanager, suppress
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
from scoreproof.claims.recheck import settings_of_claim
from scoreproof.documents.formats import FORMATS
from scoreproof.files import unique
from scoreproof.kinds.binary.scores import known_scores
from scoreproof.limits import current
from scoreproof.reported.conventions import conventions
from scoreproof.serve.desk import REPORTS
from scoreproof.serve.gate import Busy, Gate, Keys, Seats, address_of
from scoreproof.validation import Setting

if TYPE_CHECKING:
    from collections.abc import Iterator

FILES = (*(suffix for known in FORMATS.values() for suffix in known.suffixes), ".txt", ".json")
_SCRIPTS = ("claims", "common", "experiments", "page", "paper", "plane", "table")
_OF_REPORTS = ("style.css", "plane.js")
_ASSETS = {
    **dict.fromkeys(map("{}.js".format, _SCRIPTS), "text/javascript"),
    **dict.fromkeys(("page.css", "style.css"), "text/css"),
    "example.md": "text/markdown",
}
_ROUNDING = list(conventions("rounding")["rounding"].choices)
_SHOWN = {"nearest": "to nearest", "floor": "cut off", "ceil": "up"}  # the words of the page for a choice
_COUNTS = ("label", "ignore", "p", "n", "total", "tp", "fp", "fn", "tn")
_READING, _LOOKING, _REPORTING = 60.0, 60.0, 600.0  # seconds without a word about how far it is
_MOST_SPECIFICATION = 8  # megabytes
_BEAT = 0.2  # seconds after which a stream looks whether anybody listens
_BUSY = "Too many questions wait already; try again in a moment."
_PASSWORD = 1 / 64  # megabytes
_MOST_GUESSES = 5  # of one address at once
_MOST_KEPT = 500 * 2**20  # bytes of papers, sheets and reports that are kept
_MOST_FOLDERS = 300  # of them, each with its pictures and reports
_TAB = re.compile(r"[0-9a-f]{8,32}")
_PAGE = re.compile(r"[1-9][0-9]{0,4}")
_REPORT_POLICY = "frame-ancestors 'self'"  # reports bring a policy of their own


class TooLarge(Exception):
    """A request is larger than is read; the message says what is."""


class Desk:
    """One server: its processes, its private folder, its jobs."""

    def __init__(self, folder: Path, quick: int, long: int) -> None:
        self.folder = folder
        self.quick, self.long = Seats(quick), Seats(long)
        self.kept: dict[str, Path] = {}  # papers and sheets, the oldest first

    def close(self) -> None:
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

    def keep(self, name: str, suffix: str, content: bytes) -> Path:
        """A paper or a sheet, kept until the server ends, or until there are too many: then the oldest goes."""
        self.kept.pop(name, None)
        path = self.kept[name] = self.folder / name / "sent" / f"paper{suffix}"
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.write_bytes(content)
        sizes = {kept: _size(self.folder / kept) for kept in self.kept}
        while len(sizes) > 1 and (len(sizes) > _MOST_FOLDERS or sum(sizes.values()) > _MOST_KEPT):
            oldest = next(iter(self.kept))
            del sizes[oldest]
            del self.kept[oldest]
            shutil.rmtree(self.folder / oldest, ignore_errors=True)
        return path


def _size(folder: Path) -> int:
    """Bytes of what is in a folder; what is being written in it may come and go."""
    size = 0
    for file in folder.rglob("*"):
        with suppress(OSError):
            size += file.stat().st_size if file.is_file() else 0
    return size


async def home(request: Request) -> Response:
    choices = "".join(f'<option value="{word}">{_SHOWN.get(word, word)}</option>' for word in _ROUNDING)
    page = _asset("index.html").replace("{{version}}", __version__)
    return HTMLResponse(page.replace("{{rounding}}", choices))


async def asset(request: Request) -> Response:
    name = request.path_params["name"]
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
    """The tables of a dropped file (named in the address) or of pasted text; a PDF is kept to be looked at."""
    name = request.query_params.get("name", "")
    suffix = os.path.splitext(name)[1].lower()
    if name and suffix not in FILES:
        return _refused(f"{name}: files of this kind are not read; expected one of {', '.join(FILES)}", 415)
    body = await _body(request, current().megabytes)
    if not body.strip():
        return _refused(f"{name or 'the text'}: it is empty", 422)
    if not name:
        return await _streamed(request, desk.quick, {"verb": "read"}, body)
    number = f"paper-{secrets.token_hex(8)}"
    path = desk.keep(number, suffix, body)
    return await _streamed(request, desk.quick, {"verb": "read", "name": name, "path": str(path), "paper": number})


async def _streamed(
    request: Request,
    seats: Seats,
    asked: dict[str, Any],
    data: bytes = b"",
    *,
    seconds: float = _READING,
    first: Any = None,
) -> Response:
    """An answer that may take its time: lines that say how far it is, and the answer last. Who leaves ends the work."""
    steps: asyncio.Queue[Any] = asyncio.Queue()
    loop = asyncio.get_running_loop()

    def told(step: Any) -> None:
        loop.call_soon_threadsafe(steps.put_nowait, step)

    work = loop.create_task(seats.ask(asked, data, seconds=seconds, told=told))
    work.add_done_callback(lambda _: steps.put_nowait(None))
    first = first or await steps.get()
    if first is None:
        return _answered(await work)

    async def lines() -> AsyncIterator[str]:
        step = first
        try:
            while step is not None:
                yield f"{json.dumps({'progress': step})}\n"
                while steps.empty():
                    if await request.is_disconnected():
                        return
                    await asyncio.wait((work,), timeout=_BEAT)
                step = await steps.get()
            yield json.dumps(work.result() if work.exception() is None else {"error": _BUSY})
        finally:
            work.cancel()

    return StreamingResponse(lines(), media_type="application/x-ndjson")


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


async def page_picture(desk: Desk, request: Request) -> Response:
    """A page of a kept PDF as a picture, made when it is first looked at."""
    path, page = desk.kept.get(request.path_params["paper"]), request.path_params["page"]
    if path is None or path.suffix != ".pdf" or not _PAGE.fullmatch(page):
        return Response(status_code=404)
    file = path.parents[1] / f"page-{page}.png"
    if not file.is_file():
        asked = {"verb": "picture", "path": str(path), "page": int(page), "file": str(file)}
        answer = await desk.quick.ask(asked, seconds=_LOOKING)
        if "error" in answer:
            return _answered(answer)
    return FileResponse(file, media_type="image/png", headers={"cache-control": "private, max-age=3600"})


async def sheet(desk: Desk, request: Request) -> Response:
    """What somebody was working on, kept under a name of the page's own choice: reload, and it is there again."""
    name = f"sheet-{request.path_params['name']}"
    if not _TAB.fullmatch(request.path_params["name"]):
        return Response(status_code=404)
    if request.method == "POST":
        desk.keep(name, ".json", await _body(request, current().megabytes))
        return Response(status_code=204)
    path = desk.kept.get(name)
    return Response(status_code=404) if path is None else FileResponse(path, media_type="application/json")


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


async def report(desk: Desk, request: Request) -> Response:
    """A full report in every format; it waits for its turn, says how far it is, and ends when who asked leaves."""
    name = f"report-{secrets.token_hex(8)}"
    asked = {"verb": "report", "specification": await _json(request), "report": name}
    asked["folder"] = str(desk.keep(name, ".json", b"").parent)
    return await _streamed(request, desk.long, asked, seconds=_REPORTING, first="waiting for other checks to end")


async def report_file(desk: Desk, request: Request) -> Response:
    """One format of a finished report; ``?save`` to keep it rather than look at it."""
    path, name = desk.kept.get(request.path_params["report"]), request.path_params["name"]
    if path is None or name not in REPORTS or not path.with_name(name).is_file():
        return Response(status_code=404)
    headers = {"content-security-policy": _REPORT_POLICY}
    saved = "save" in request.query_params
    return FileResponse(
        path.with_name(name), media_type=REPORTS[name], headers=headers, filename=name if saved else None
    )


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
            form = parse_qs((await _body(request, _PASSWORD)).decode("utf-8", "replace"), max_num_fields=5)
            async with locks.setdefault(who, asyncio.Lock()):
                if keys.is_password(form.get("password", [""])[0]):
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
        Route("/papers/{paper}/{page}", partial(page_picture, desk)),
        Route("/sheets/{name}", partial(sheet, desk), methods=["GET", "POST"]),
        Route("/verify", partial(verify, desk), methods=post),
        Route("/specification", partial(specification, desk), methods=post),
        Route("/reports", partial(report, desk), methods=post),
        Route("/reports/{report}/{name}", partial(report_file, desk)),
        *([Route("/login", login(keys), methods=["GET", "POST"])] if keys.password else []),
    ]
    refusals: dict[Any, Any] = {TooLarge: _too_large, Busy: _busy, ClientDisconnect: _gone}
    return Starlette(routes=routes, middleware=[Middleware(Gate, keys=keys)], exception_handlers=refusals)


@cache
def _asset(name: str) -> str:
    folder = files("scoreproof.pages") if name in _OF_REPORTS else files("scoreproof.serve").joinpath("page")
    return folder.joinpath(name).read_text(encoding="utf-8")


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
    return _refused(_BUSY, 503)


async def _gone(request: Request, error: Exception) -> Response:
    return Response(status_code=400)
