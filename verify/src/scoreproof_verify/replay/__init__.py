"""Replays of proofs, each from what a statement demands: what several kinds, or several proofs, have in common."""
