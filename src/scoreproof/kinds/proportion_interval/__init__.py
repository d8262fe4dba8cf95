"""A printed confidence interval of a proportion, against the counts that could have given it."""
