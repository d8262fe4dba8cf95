"""The command line: ``scoreproof COMMAND``."""

from scoreproof.cli.app import main

__all__ = ["main"]
