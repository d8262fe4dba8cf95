"""Looking for matrices that give a report: floats propose, and ``Constraints.fits`` judges what they propose."""
