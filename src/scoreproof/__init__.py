"""scoreproof: could this experiment have produced these numbers?"""

__version__ = "0.1.0"
