"""For tests and doctests alike: no budget of theirs ends by the clock, since machines differ and may be busy."""

from tests.clock import count_work

count_work()
