"""Retrieval with one relevant item per query: hits, reciprocal ranks, discounted gains."""
