"""``scoreproof mcp``: the checks as tools for assistants."""

from __future__ import annotations

from scoreproof.cli.app import app
from scoreproof.errors import MissingExtra


@app.command("mcp")
def mcp_command() -> None:
    """Offer check, explain, audit and verify as tools to an assistant.

    It speaks the Model Context Protocol over standard input and output: in an assistant's settings the command is
    'scoreproof' with the argument 'mcp'. Nothing goes to the network.
    """
    try:
        from scoreproof.serve.assistant import run
    except ImportError as error:
        raise MissingExtra(f"tools for assistants need {error.name}: pip install 'scoreproof[mcp]'") from None
    run()
