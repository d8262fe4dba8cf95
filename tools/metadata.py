"""What the wheel says of the project where it is shown elsewhere: addresses, and a README whose picture and links work.

There is no address before there is a repository that publishes, so it is not written down: the release sets
``SCOREPROOF_ADDRESS``, and links and the picture of the README become absolute ones of that version. Without it, the
long description has no picture, and its links are their words.
"""

from __future__ import annotations

import os
import re
import runpy
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

PICTURE = re.compile(r"^!\[[^\]]*\]\((?!https?:)([^)]+)\)\n+", re.MULTILINE)
LINK = re.compile(r"(?<!!)\[([^\]]+)\]\((?!https?:)([^)]+)\)")


def shown_elsewhere(readme: str, address: str, tag: str) -> str:
    """The README with absolute addresses, or without what needs one.

    >>> text = "![A report](docs/report.png)\\n\\nSee [the guide](docs/start.md#install)."
    >>> shown_elsewhere(text, "", "v1")
    'See the guide.'
    >>> print(shown_elsewhere(text, "https://example.org/scoreproof", "v1"))
    ![A report](https://example.org/scoreproof/raw/v1/docs/report.png)
    <BLANKLINE>
    See [the guide](https://example.org/scoreproof/blob/v1/docs/start.md#install).
    """
    if not address:
        return LINK.sub(r"\1", PICTURE.sub("", readme))
    readme = PICTURE.sub(lambda match: match[0].replace(match[1], f"{address}/raw/{tag}/{match[1]}"), readme)
    return LINK.sub(lambda match: f"[{match[1]}]({address}/blob/{tag}/{match[2]})", readme)


class Addresses(MetadataHookInterface):
    """The long description, and the addresses where they are known."""

    def update(self, metadata: dict[str, Any]) -> None:
        root = Path(self.root)
        version = runpy.run_path(str(root / "src" / "scoreproof" / "_version.py"))["__version__"]
        address = os.environ.get("SCOREPROOF_ADDRESS", "").rstrip("/")
        text = shown_elsewhere((root / "README.md").read_text(encoding="utf-8"), address, f"v{version}")
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
        if address:
            metadata["urls"] = {
                "Repository": address,
                "Documentation": f"{address}/tree/v{version}/docs",
                "Changelog": f"{address}/blob/v{version}/CHANGELOG.md",
                "Issues": f"{address}/issues",
            }
