"""The verifier in JavaScript that pages carry, so that the reader's own browser re-checks their proofs.

It was written from ``docs/proofs.md`` alone and shares nothing with the verifier in Python. Its sources are in
``pages/verifier``; pages carry the shortened ``pages/verifier.min.js``, which ``make verifier`` makes of them.
"""

from __future__ import annotations

import base64
import zlib
from functools import cache
from importlib.resources import files

_SHORT = "verifier.min.js"


@cache
def packed_verifier() -> str:
    """The verifier as pages carry it: compressed (zlib) and written in base64, a third of its length."""
    script = files("scoreproof.pages").joinpath(_SHORT).read_bytes()
    return base64.b64encode(zlib.compress(script, 9)).decode("ascii")


def sources() -> str:
    """The verifier as it was written, its files joined in their order."""
    folder = files("scoreproof.pages").joinpath("verifier")
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".js"))
    return "".join(folder.joinpath(name).read_text(encoding="utf-8") for name in names)
