"""Numbers that other numbers of a table give: averages, gains, identities, orders; found by search, not by name.

``grid`` splits the cells, ``search`` proposes formulas, ``meaning`` what headings mean, ``belief`` weighs them by the
lines that obey, ``findings`` tells an audit which rows were tested and which lines break what the others obey.
"""
