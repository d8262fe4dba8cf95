"""Mean ranks of methods over data sets, against what rankings can give."""
