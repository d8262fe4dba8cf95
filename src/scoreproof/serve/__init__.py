"""The local page: tables dropped into a browser, verdicts while one types, reports to take away.

``desk`` answers what the page asks, in processes that ``seats`` keeps; ``gate`` lets only the page itself in;
``application`` has the addresses, ``paper_view`` the pages of a paper, ``server`` the socket. The page is in ``page``.
"""
