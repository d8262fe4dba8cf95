"""Primal search: matrices that give a report; floats propose, and ``Constraints.fits`` judges exactly."""
