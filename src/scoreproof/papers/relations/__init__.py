"""Numbers that other numbers of a table give: averages, gains, identities, orders; found by search, not by name.

``grid`` splits the cells, ``search`` and ``meaning`` propose, ``belief`` weighs, ``findings`` tells an audit.
"""
