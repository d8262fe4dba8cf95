"""Shorten the JavaScript verifier for the pages of scoreproof: ``make verifier`` (needs npm).

The files here extend one object, ``S``, one after the other. Each becomes one line of ``verifier.min.js``, and
``verifier.parts.json`` says of each what it adds to the object, what it takes from it, and to which tables of others it
adds a rule: with that a page carries only the lines that its certificates need.
"""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

HERE = Path(__file__).parent
PAGES = HERE.parents[1] / "src" / "scoreproof" / "pages"
_TERSER = ["npm", "exec", "--yes", "--package=terser@5.51.2", "--", "sh", "-c"]
_EACH = 'for file in "$@"; do terser --compress --mangle -- "$file" || exit 1; done'
_GIVEN = re.compile(r"Object\.assign\(S, \{(.*?)\}\);", re.DOTALL)
_TAKEN = re.compile(r"const \{([^{}]*?)\} = S;")
_NAME = re.compile(r"[A-Za-z_]\w*")


def sources() -> dict[str, str]:
    """The files in the order in which they are joined."""
    return {path.name: path.read_text(encoding="utf-8") for path in sorted(HERE.glob("*.js"))}


def parts() -> list[dict[str, object]]:
    """Of each file what it adds and takes; kinds are named ``kinds.NAME``, rules of others' tables [table, rule]."""
    return [
        {"file": name, "adds": sorted(_added(text)), "takes": sorted(_taken(text)), "rules": sorted(_rules(text))}
        for name, text in sources().items()
    ]


def _added(text: str) -> set[str]:
    added = {name for part in _GIVEN.findall(text) for name in _NAME.findall(part)}
    kinds = {f"kinds.{kind}" for kind in re.findall(r"S\.kinds\.(\w+) = ", text)}
    return added | set(re.findall(r"\bS\.(\w+) = ", text)) | kinds


def _taken(text: str) -> set[str]:
    taken = {name for part in _TAKEN.findall(text) for name in _NAME.findall(part)}
    kinds = {f"kinds.{kind}" for kind in re.findall(r"S\.kinds\.(\w+)\.", text)}
    return taken | set(re.findall(r"\bS\.(\w+)", text)) | kinds


def _rules(text: str) -> set[tuple[str, str]]:
    return {(table, rule) for table, rule in re.findall(r"\bS\.(\w+)\.(\w+) = ", text) if table != "kinds"}


def main() -> None:
    """Write both files."""
    files = [str(HERE / name) for name in sources()]
    short = subprocess.run([*_TERSER, _EACH, "terser", *files], capture_output=True, text=True, check=True).stdout
    (PAGES / "verifier.min.js").write_text(short, encoding="utf-8")
    lines = ",\n".join(json.dumps(part) for part in parts())
    (PAGES / "verifier.parts.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
