"""What may be handed in, refused in one form of words: "budget: expected a positive number of seconds, got '3'".

``values`` has the checks that functions make themselves, of what an option may be; ``signatures`` the door that holds
all arguments of a public function against the types it declares. A function that is behind the door checks ranges only.
``settings`` lists what a function can be told, for whatever hands in texts.
"""

from scoreproof.validation.settings import Doc, Notation, Setting, read_settings, settings_of
from scoreproof.validation.signatures import Share, declared, enforce, optioned
from scoreproof.validation.values import (
    MOST,
    chosen,
    exact,
    fraction,
    process_count,
    random_seed,
    real,
    seconds,
    shown,
    truth,
    whole,
)

__all__ = [
    "MOST", "Doc", "Notation", "Setting", "Share", "chosen", "declared", "enforce", "exact", "fraction", "optioned",
    "process_count", "random_seed", "read_settings", "real", "seconds", "settings_of", "shown", "truth", "whole",
]  # fmt: skip
