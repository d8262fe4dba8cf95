"""One checker for each kind of statement; ``frame.CHECKERS`` names the module of each."""
