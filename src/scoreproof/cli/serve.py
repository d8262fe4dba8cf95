"""``scoreproof serve``: the page on this machine.

``scoreproof mcp``: the checks as tools for assistants.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from scoreproof.cli.app import app, option
from scoreproof.cli.output import console
from scoreproof.errors import InvalidOption, MissingExtra
from scoreproof.files import read_file

_PASSWORD = "SCOREPROOF_PASSWORD"


@app.command("serve")
def serve_command(
    port: Annotated[int, option("Port to listen on (default: any free one).", min=0, max=65535)] = 0,
    no_browser: Annotated[bool, option("Print the address, open nothing.", "--no-browser")] = False,
    host: Annotated[
        str, option("Address to listen on; another than this machine's own needs --remote and a password.")
    ] = "127.0.0.1",
    remote: Annotated[bool, option("Let other machines in.", "--remote")] = False,
    name: Annotated[
        list[str] | None, option("Another name the server answers to (repeatable).", metavar="NAME")
    ] = None,
    password_file: Annotated[
        Path | None, option(f"File with the password of a remote server (or set {_PASSWORD}).", metavar="FILE")
    ] = None,
) -> None:
    """Open a page in the browser: drop a paper, see what its tables can and cannot be.

    Everything stays on this machine: the page is served to this machine's browser only, nothing goes to the network,
    and what was dropped is removed when the server ends (Ctrl-C).

    Example: scoreproof serve --port 8765 --no-browser
    """
    try:
        from scoreproof.serve.server import serve
    except ImportError as error:
        raise MissingExtra(f"the page needs {error.name}: pip install 'scoreproof[web]'") from None
    if host not in ("127.0.0.1", "localhost", "::1") and not remote:
        raise InvalidOption(f"--host {host} lets other machines in; if that is meant, add --remote and a password")
    password = _password(password_file) if remote else ""
    err = console(stderr=True)

    def opened(address: str) -> None:
        shown = address if not remote else address.split("?", maxsplit=1)[0]
        typer.echo(shown)
        err.print("Open this address in a browser. Ctrl-C ends it and removes what was dropped.", markup=False)
        if not no_browser and not remote:
            import webbrowser

            webbrowser.open(address)

    serve(port=port, host=host, names=name or (), password=password, opened=opened)
    err.print("ended", markup=False)


def _password(file: Path | None) -> str:
    if file is not None:
        return read_file(file).decode("utf-8", "replace").strip()
    given = os.environ.get(_PASSWORD, "")
    if not given:
        raise InvalidOption(f"--remote needs a password: give --password-file FILE or set {_PASSWORD}")
    return given


@app.command("mcp")
def mcp_command() -> None:
    """Offer check, explain, audit and verify as tools to an assistant.

    It speaks the Model Context Protocol over standard input and output: in an assistant's settings the command is
    'scoreproof' with the argument 'mcp'. Nothing goes to the network.

    Example: scoreproof mcp
    """
    try:
        from scoreproof.serve.assistant import run
    except ImportError as error:
        raise MissingExtra(f"tools for assistants need {error.name}: pip install 'scoreproof[mcp]'") from None
    run()
