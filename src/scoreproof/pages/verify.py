"""The page that re-checks certificates in a browser, without anything installed."""

from __future__ import annotations

from scoreproof.pages.writer import write


def verify_page() -> str:
    """One HTML file: drop a certificate on it, and it says whether the proof holds."""
    return write("verify")
