"""The local page: tables dropped into a browser, verdicts while one types, reports to take away.

``gate`` lets only the page itself in and keeps the processes in which ``desk`` answers what the page asks;
``application`` has the addresses, ``paper_view`` the pages of a paper, ``server`` the socket. The page is in ``page``.
"""
