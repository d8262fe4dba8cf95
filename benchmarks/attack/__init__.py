"""Hostile inputs: nothing may hang, fill the memory or end in a traceback (``make attack``)."""
