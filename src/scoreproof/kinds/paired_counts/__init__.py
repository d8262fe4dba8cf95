"""Two rates on the same cases and a p-value of McNemar's test, against the cases on which the two could differ."""
