"""Looking for matrices that give a report: floats propose, and ``Demand.fits`` judges what they propose."""
