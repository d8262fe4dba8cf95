"""A test statistic with its degrees of freedom, against the p-value printed beside it."""
