"""Data frames in memory: columns of anything, names of anything, too many of both; read, audited, and asked as a batch."""

from __future__ import annotations

from benchmarks.attack.attack import Attack, snippet

_MADE = """
import datetime, decimal, fractions
import numpy as np, pandas as pd
class Odd:
    def __repr__(self): raise RuntimeError("no words")
    __str__ = __repr__
class Loud(str):
    def __str__(self): return chr(27) + "[31mloud"
deep = []
for _ in range(3000): deep = [deep]
odd = [None, True, -1, 10**5000, float("nan"), float("inf"), 1e308, decimal.Decimal("1e999999999"), decimal.Decimal("sNaN"),
       fractions.Fraction(1, 10**6000), b"\\xff", bytearray(b"0.9"), "9" * 5000, chr(27) + "[31m", chr(0xd800), "=1+1", [1], {}, deep,
       {"a": {"b": []}}, set(), object(), Odd(), Loud("0.9"), int, len, np.array([1, 2]), np.datetime64("NaT"), pd.NaT, pd.NA, complex(1, 2),
       datetime.date(2020, 1, 1), pd.DataFrame({"a": [1]}), pd.Series([1, 2]), ..., NotImplemented, slice(3), range(3)]
plain = {"p": [30], "n": [60], "acc": ["0.9567"], "sens": ["0.8545"]}
"""
_FRAMES = {
    "cells of anything": "pd.DataFrame({name: pd.Series(odd, dtype=object) for name in plain})",
    "one cell of anything": "pd.DataFrame({**{n: v * len(odd) for n, v in plain.items()}, 'acc': pd.Series(odd, dtype=object)})",
    "counts of anything": "pd.DataFrame({**{n: v * len(odd) for n, v in plain.items()}, 'p': pd.Series(odd, dtype=object)})",
    "names of anything": "pd.DataFrame([['0.9'] * 8], columns=[None, 3, (1, 2), b'x', float('nan'), chr(27) + '[31m', 10**5000, 'acc'])",
    "names that have no words": "pd.DataFrame([['0.9', '0.8']], columns=[Odd(), 'acc'])",
    "one name again and again": "pd.DataFrame([['0.9'] * 300], columns=['acc'] * 300)",
    "a name twice": "pd.DataFrame([[30, 60, '0.9', '0.8']], columns=['p', 'n', 'acc', 'acc'])",
    "100,000 columns": "pd.DataFrame([['0.9'] * 100_000])",
    "1,000,000 columns": "pd.DataFrame(np.zeros((1, 1_000_000)))",
    "300,000 rows of odd cells": "pd.DataFrame({'p': ['x', None, -1] * 100_000, 'n': [60] * 300_000, 'acc': [float('nan'), '0.9', '1e99'] * 100_000})",
    "levels of columns": "pd.DataFrame([['0.9'] * 4], columns=pd.MultiIndex.from_product([['a', 'b'], ['acc', 'f1']]))",
    "twelve levels": "pd.DataFrame([['0.9'] * 4096], columns=pd.MultiIndex.from_product([['a', 'b']] * 12))",
    "levels of rows": "pd.DataFrame({'acc': ['0.9'] * 4}, index=pd.MultiIndex.from_product([['a', 'b'], [1, None]]))",
    "rows named by anything": "pd.DataFrame({n: v * 5 for n, v in plain.items()}, index=[None, (1, 2), b'x', float('nan'), chr(27)])",
    "categories": "pd.DataFrame({n: pd.Categorical(v * 3) for n, v in plain.items()})",
    "categories of anything": "pd.DataFrame({'p': [30], 'n': [60], 'acc': pd.Categorical([decimal.Decimal('0.9')])})",
    "missing whole numbers": "pd.DataFrame({'p': pd.array([30, None], dtype='Int64'), 'n': pd.array([60, None], dtype='Int64'), 'acc': [0.9, None]})",
    "dates": "pd.DataFrame({n: pd.to_datetime(['2020-01-01']) for n in plain})",
    "complex numbers": "pd.DataFrame({n: [1 + 2j] for n in plain})",
    "sparse": "pd.DataFrame({n: pd.arrays.SparseArray([0, 0, 1]) for n in plain})",
    "large whole numbers": "pd.DataFrame({'p': [2**63] * 3, 'n': [10**40] * 3, 'acc': ['0.9'] * 3})",
    "a text of 4 MB": "pd.DataFrame({**plain, 'acc': ['9' * 4_000_000]})",
    "nothing": "pd.DataFrame()",
    "no rows": "pd.DataFrame({n: [] for n in plain})",
    "no columns": "pd.DataFrame(index=range(5))",
    "a column of frames": "pd.DataFrame({'p': [pd.DataFrame({'a': [1]})], 'acc': ['0.9']})",
}  # fmt: skip
_USES = {
    "read_tables": "[sp.interpret(table) for table in sp.read_tables(frame)]",
    "audit": "sp.audit(frame, jobs=1, budget=0.2).to_json()",
    "batch": "str(sp.batch(frame, folder / 'out', budget=0.2, jobs=1))",
}


def _attack(what: str, frame: str, use: str) -> Attack:
    return snippet("data frames", f"{_MADE}\nframe = {frame}\n{_USES[use]}", f"{use}: {what}")


ATTACKS = [_attack(what, frame, use) for what, frame in _FRAMES.items() for use in _USES]
