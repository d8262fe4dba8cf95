"""Areas under the curves of a classifier, and scores of a point on them."""
