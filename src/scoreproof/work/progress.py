"""Telling a function of the caller's how far the work is; what goes wrong in it is said to be the caller's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from scoreproof.errors import InvalidOption


def told(progress: Callable[..., Any], *how_far: int | str) -> None:
    """Call a progress function.

    >>> told(print, 3, 10)
    3 10
    >>> told(3, 3, 10)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    scoreproof.errors.InvalidOption: progress: expected a function of 2 arguments, got TypeError: ...
    """
    try:
        progress(*how_far)
    except Exception as error:
        said = f"{type(error).__name__}: {error}"
        raise InvalidOption(f"progress: expected a function of {len(how_far)} arguments, got {said}") from error
