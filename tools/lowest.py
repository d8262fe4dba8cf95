"""The lowest versions that pyproject.toml declares, as constraints for pip.

``python tools/lowest.py > lowest.txt && pip install -c lowest.txt -e ".[test]"`` sets up the oldest environment that is
promised to work; the suite is run in it before a release.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

PYPROJECT = Path(__file__).parents[1] / "pyproject.toml"
FLOOR = re.compile(r"(?P<name>[A-Za-z0-9_.-]+)(\[[^\]]*\])?>=(?P<version>[0-9][0-9.]*)")


def lowest(project: dict[str, object]) -> dict[str, str]:
    """The floor of every dependency that has one, extras included.

    >>> lowest({"dependencies": ["numpy>=1.26", "mlscorecheck==1.0.3"], "optional-dependencies": {"web": ["a>=0.1"]}})
    {'numpy': '1.26', 'a': '0.1'}
    """
    extras = project["optional-dependencies"]
    assert isinstance(extras, dict)
    declared = [*project["dependencies"], *(line for lines in extras.values() for line in lines)]  # type: ignore[misc]
    floors = (FLOOR.match(line) for line in declared)
    return {floor["name"]: floor["version"] for floor in floors if floor}


def main() -> None:
    """Print the constraints."""
    project = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]
    sys.stdout.writelines(f"{name}=={version}\n" for name, version in lowest(project).items())


if __name__ == "__main__":
    main()
