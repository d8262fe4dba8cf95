"""Searches over whole numbers and the linear programs behind them; nothing here knows a confusion matrix.

``integer_rows`` (branch and bound on boxes) and ``lattice_branching`` decide bounded sums of whole numbers;
``linear_programs`` are their relaxations; ``meet_in_the_middle`` joins two lists of sums; ``local_search`` fits values
to a report; ``sum_of_squares`` bounds deviations. Floats only propose: what decides is checked in whole numbers by
whoever asks.
"""
