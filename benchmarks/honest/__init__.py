"""Honest authors, played end to end (``make honest``): none of them may be accused.

An author has data and a classifier (``cohorts``), splits and evaluates (``designs``), computes scores with some tool
(``tools``), prints them as programs print (``printing``), and describes truly what was done (``reports``, ``papers``).
Every report goes through ``check`` and every document through ``audit``; one that is called inconsistent is a failure,
made small (``judging``) and shown so that it can be replayed. Beside it the dishonest twin (``twins``): one slip put
into the same reports, and how often it is noticed.
"""
