"""The commands of the documented cluster, as they stand in the compose file, run on one machine.

Scheduler and workers are processes of their own, each in an empty folder, which share nothing but TCP; the parts are
written by the one who asks. What no test here can show is the network between machines, and the image itself.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import distributed
import yaml
from batch_frames import content, reports, write_csv

import scoreproof as sp

HOUSE = Path(__file__).parents[2]
CLUSTER = HOUSE / "examples" / "cluster"


def services() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((CLUSTER / "compose.yaml").read_text(encoding="utf-8"))["services"]
    return found


@contextmanager
def running(command: str, folder: Path, settings: dict[str, str]) -> Iterator[None]:
    """A command in an empty folder of its own, ended afterwards."""
    folder.mkdir()
    program, *arguments = shlex.split(command)
    found = shutil.which(program, path=str(Path(sys.executable).parent))
    assert found is not None, f"{program} is not installed beside this interpreter"
    with (folder / "log").open("wb") as log:
        child = subprocess.Popen(
            [found, *arguments],
            cwd=folder,
            env=os.environ | settings | {"PYTHONPATH": str(Path(sp.__file__).parents[1])},
            stdout=log,
            stderr=log,
        )
        try:
            yield
        finally:
            child.terminate()
            child.wait()


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def test_the_commands_of_the_compose_file_make_a_cluster(tmp_path: Path) -> None:
    scheduler, worker = services()["scheduler"], services()["worker"]
    port = free_port()
    address = f"tcp://127.0.0.1:{port}"
    begin = scheduler["command"].replace("0.0.0.0", "127.0.0.1").replace("8786", str(port))
    join = worker["command"].replace("tcp://scheduler:8786", address).replace("--nworkers auto", "--nworkers 1")
    assert str(port) in begin
    assert address in join
    source = write_csv(tmp_path / "reports.csv", reports(120, folds_every=30))
    sp.batch(source, tmp_path / "alone", rows_per_part=40)
    with (
        running(f"{begin} --dashboard-address 127.0.0.1:0", tmp_path / "machine-0", {}),
        running(join, tmp_path / "machine-1", worker["environment"]),
        running(join, tmp_path / "machine-2", worker["environment"]),
    ):
        with distributed.Client(address, timeout=600) as client:
            client.wait_for_workers(2)
            folders = set(client.run(os.getcwd).values())
        asked = [
            sys.executable,
            "-m",
            "scoreproof",
            "batch",
            str(source),
            str(tmp_path / "out"),
            "--rows-per-part",
            "40",
        ]
        ran = subprocess.run([*asked, "--cluster", address], capture_output=True, text=True, check=False)
    assert ran.returncode == 1, ran.stderr  # some rows are inconsistent
    assert folders == {str(tmp_path / "machine-1"), str(tmp_path / "machine-2")}
    made = {name: data for name, data in content(tmp_path / "out").items() if name != "summary.html"}
    assert made == content(tmp_path / "alone")


def test_the_image_and_the_guide_name_what_there_is() -> None:
    written = (CLUSTER / "Dockerfile").read_text(encoding="utf-8")
    copied = [word for line in re.findall(r"^COPY (.*) \S+$", written, re.M) for word in line.split()]
    assert copied
    assert [name for name in copied if not (HOUSE / name).exists()] == []
    known = tomllib.loads((HOUSE / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    extras = re.search(r'"\.\[(.*)\]"', written)
    assert extras is not None
    assert set(extras[1].split(",")) <= set(known)
    for service in services().values():
        build = service["build"]
        assert (CLUSTER / build["context"] / build["dockerfile"]).is_file()
    guide = (HOUSE / "docs" / "batch.md").read_text(encoding="utf-8")
    options = services()["worker"]["command"].partition("8786 ")[2]
    assert f"dask worker tcp://machine-0:8786 {options}" in guide
    assert "dask scheduler --port 8786" in guide
