"""Making many small things at once without the search for cycles among them.

Cells, reports, tasks and results are trees of plain data. While thousands of them are made, Python's collector would
walk all of them again and again and find nothing; that takes longer than the audit itself.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_collecting() -> Iterator[None]:
    """The collector rests inside, and what was made goes to the oldest generation without being walked."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        if gc.get_freeze_count() == 0:  # whoever froze objects wants them to stay frozen
            gc.freeze()
            gc.unfreeze()
        gc.enable()
