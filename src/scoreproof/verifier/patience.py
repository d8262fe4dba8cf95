"""How long a proof may take to be re-checked: for ever, unless whoever asks has promised an answer by then."""

from __future__ import annotations

import time

from scoreproof.verifier.texts import Rejected


class Patience:
    """So many seconds from now on."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def check(self) -> None:
        """Go on, or give up: nothing is proved then."""
        if time.monotonic() > self._end:
            raise Rejected("there was no time to re-check it")


FOREVER = Patience(float("inf"))
