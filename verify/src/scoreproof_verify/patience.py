"""How long a proof may take to be re-checked: for ever, unless whoever asks has promised an answer by then."""

from __future__ import annotations

import time

from scoreproof_verify.texts import Rejected


class Patience:
    """So many seconds from now on."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._end = time.monotonic() + seconds

    def check(self) -> None:
        """Go on, or give up: nothing is proved then."""
        if time.monotonic() > self._end:
            raise Rejected(f"it was not re-checked to its end within {self._seconds:g} s")
