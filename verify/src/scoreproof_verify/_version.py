"""The version, which is that of scoreproof."""

__version__ = "0.1.0"
