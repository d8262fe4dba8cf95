"""Certificates of all kinds and alterations of them, with what the verifier says: for another one to be run against.

``python -m benchmarks.proof_corpus --out DIR --seed 1`` writes ``certificates.jsonl`` and ``mutations.jsonl``.
"""
