"""A walk of a user: commands one after the other, counted; each must end with the status that is expected."""

from __future__ import annotations

import importlib
from dataclasses import dataclass, field
from pathlib import Path

from typer.testing import CliRunner

from scoreproof.cli.app import _COMMANDS, app

for module in dict.fromkeys(_COMMANDS.values()):
    importlib.import_module(f"scoreproof.cli.{module}")


@dataclass
class Walk:
    """What was run, in a folder of its own."""

    folder: Path
    steps: list[str] = field(default_factory=list)

    def run(self, *arguments: object, status: int) -> str:
        """One step: what the user reads."""
        done = CliRunner().invoke(app, [str(argument) for argument in arguments])
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        assert done.exit_code == status, done.output
        self.steps.append(" ".join(map(str, arguments)))
        return str(done.stdout if "--json" in arguments else done.output)


def scores(tp: int, tn: int, p: int = 96, n: int = 104) -> dict[str, str]:
    """What an honest author prints of a matrix."""
    return {"acc": f"{(tp + tn) / (p + n):.3f}", "sens": f"{tp / p:.3f}", "spec": f"{tn / n:.3f}"}
