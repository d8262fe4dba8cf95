"""How long the verifier that pages carry takes (processor time of node): a thousand steps, and the longest proofs."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.measure import Row
from benchmarks.proof_corpus.__main__ import frozen_of_all, rare
from benchmarks.proof_corpus.long_proofs import staircase

_RUNNER = Path(__file__).with_name("proof_corpus") / "times.mjs"


def rows() -> Iterator[Row]:
    node = shutil.which("node")
    if node is None:
        yield Row("proofs in the browser", note="node is missing")
        return
    thousand, long = staircase(600), staircase(12_000)
    kept = [*rare(), *frozen_of_all()]
    with tempfile.TemporaryDirectory() as folder:
        files = [_written(Path(folder), f"{k}.json", document) for k, document in enumerate([thousand, long, *kept])]
        done = subprocess.run([node, _RUNNER, *files], capture_output=True, text=True, check=True)
    taken = [seconds / 1000 for seconds in json.loads(done.stdout).values()]
    yield Row(f"a proof of {_steps(thousand):,} steps in the browser", taken[0], promised_seconds=0.05)
    yield Row(f"a proof of {_steps(long):,} steps in the browser", taken[1])
    yield Row(f"the longest of {len(kept):,} proofs of the tests", max(taken[2:]), promised_seconds=2.0)


def _steps(document: dict[str, Any]) -> int:
    return len(document["proof"]["steps"])


def _written(folder: Path, name: str, document: dict[str, Any]) -> Path:
    file = folder / name
    file.write_text(json.dumps(document), encoding="utf-8")
    return file
