"""Numbers that are too long, too large, too small, or of another type."""

from __future__ import annotations

from benchmarks.attack.attack import Attack, command, snippet

_SET = "sp.TestSet(10, 20)"
_BODIES = (
    *(f"sp.check({_SET}, {{'acc': '0.9'}}, eps='{eps}')" for eps in ("1e999999999", "1e-20000000", "1e-999999999")),
    *(f"sp.check({_SET}, {{'fbeta': '0.9'}}, beta='{beta}')" for beta in ("1e999999999", "1e-20000000", "1/0", "9" * 5000)),
    f"sp.check({_SET}, {{'acc': 0.9}}, eps=1e-320)",
    f"sp.check({_SET}, {{'acc': '0.9'}}, eps=10**5000)",
    f"sp.check({_SET}, {{'acc': 10**5000}}, eps='0.1')",
    f"sp.check({_SET}, {{'acc': 10**5000}}, digits=2)",
    f"sp.check({_SET}, {{'acc': __import__('fractions').Fraction(1, 10**6000)}}, eps='0.1')",
    f"sp.check({_SET}, {{'acc': __import__('decimal').Decimal('1e999999999')}})",
    f"sp.check({_SET}, {{'acc': __import__('decimal').Decimal('1e-999999')}})",
    f"sp.check({_SET}, {{'acc': __import__('decimal').Decimal('1e-999999')}}, eps='1e-3')",
    f"sp.check({_SET}, {{'acc': '0.' + '9' * 100_000}})",
    f"sp.check({_SET}, {{'acc': '0.9e-999'}})",
    f"sp.check({_SET}, {{'acc': 0.9}}, digits=10**8)",
    f"sp.check({_SET}, {{'acc': 0.9}}, digits='3')",
    f"sp.check({_SET}, {{'acc': '0.9'}}, budget='3')",
    f"sp.check({_SET}, {{'acc': '0.9'}}, seed=-1)",
    f"sp.check({_SET}, {{'acc': '0.9'}}, seed=10**5000)",
    "sp.check(sp.KFold(50, 60, 5), {'f1': '0.912'}, seed=-1)",
    "sp.check(sp.KFold(50, 60, 5), {'f1': '0.912'}, fold_digits=10**8)",
    "sp.check(sp.KFold(50, 60, 5), {'f1': '0.912'}, fold_digits='3')",
    f"sp.check({_SET}, {{3: '0.9'}})",
    f"sp.check({_SET}, {{None: '0.9'}})",
    f"sp.check({_SET}, {{(): '0.9'}})",
    f"sp.check({_SET}, {{'acc': '0.9'}}, rounding=[])",
    f"sp.check({_SET}, {{'acc': '0.9'}}, rounding={{3: 'any'}})",
    f"sp.check({_SET}, {{'x' * 3_000_000: '0.9'}})",
    f"sp.check({_SET}, {{'f' + '9' * 5000: '0.9'}})",
    f"sp.check({_SET}, {{'f1e999999999': '0.9'}})",
    "sp.check(sp.TestSet(10**5000, 10), {'acc': '0.9'})",
    "str(sp.check(sp.TestSet(10**4000, 10), {'acc': '0.9', 'f1': '0.9', 'mcc': '0.9'}).to_json())",
    "sp.check(sp.KFold(10**5000, 10**5000, 5), {'acc': '0.9'})",
    "sp.check(sp.TestSet(-10**5000, 10), {'acc': '0.9'})",
    "sp.check(sp.UnknownClasses(10**5000), {'acc': '0.9', 'f1': '0.8'})",
    "sp.reconstruct({'acc': '0.9', 'sens': '0.8', 'spec': '0.9'}, p=10**5000)",
    "sp.reconstruct({'acc': '0.9', 'sens': '0.8'}, prevalence='1e-999999999')",
    "sp.reconstruct({'acc': '0.9', 'sens': '0.8'}, prevalence='9' * 5000)",
    "sp.report('acc', '0.9', eps='1e999999999')",
    "sp.report('acc', '0.9', eps='1/' + '9' * 100_000)",
    *(f"sp.check(sp.MeanOfScores([sp.TestSet(3, 4)] * 3, ranges={{'acc': (0, {end})}}), {{'acc': '0.9'}})"
      for end in ("'1e-999999999'", "'1e20000000'", "10**5000", "[1]", "'9' * 5000", "1e-320", "{}")),
    "sp.check(sp.MeanOfScores([sp.TestSet(3, 4)] * 3), {'acc': '0.9'}, minimum={'acc': '1e-999999999'})",
    "sp.check(sp.MeanOfScores([sp.TestSet(3, 4)] * 3), {'acc': '0.9'}, minimum=7)",
    "sp.power(sp.TestSet(10, 20), ['acc'], 3, trials=10**400)",
    "sp.power(sp.TestSet(10, 20), ['acc'], digits=10**8)",
    "sp.check(sp.TestSet(10**4000, 20), {'acc': '0.9'}).strength",
    "sp.experiment_from_dict({'p': 10**5000, 'n': 4})",
    "sp.experiment_from_dict({'p': '9' * 5000, 'n': 4})",
    "sp.fold_configurations(10**9, 10**9, 10)",
    "sp.fold_configurations(100, 10**6, 1000)",
    "sp.score('f' + '1' * 5000)",
    "sp.sota.published_accuracy('9' * 5000, 10**5000) if hasattr(sp.sota, 'published_accuracy') else 0",
)  # fmt: skip


def _line(*arguments: str) -> Attack:
    shown = " ".join(text if len(text) < 40 else f"{text[:20]}..." for text in arguments)
    return Attack("numbers", f"scoreproof {shown}", lambda folder: command(*arguments))


_LONG = "9" * 5000
ATTACKS = [
    *(snippet("numbers", body, body if len(body) < 200 else f"{body[:150]}...") for body in _BODIES),
    _line("check", "--p", "10", "--n", "20", "acc=0.9", "--eps", "1e999999999"),
    _line("check", "--p", "10", "--n", "20", "acc=0.9", "--eps", "1e-20000000"),
    _line("check", "--p", _LONG, "--n", "20", "acc=0.9"),
    _line("check", "--p", "10", "--n", "20", f"acc={_LONG}"),
    _line("check", "--p", "10", "--n", "20", "acc=0.9", "--budget", "nan"),
    _line("check", "--p", "10", "--n", "20", "acc=0.9", "--budget", "-1"),
    _line("check", "--p", "10", "--n", "20", "fbeta=0.9", "--beta", "1e999999999"),
    _line("check", "--p", "10", "--n", "20", "--folds", "2", "f1=0.9", "--fold-digits", "100000000"),
    _line("check", "--fold", f"{_LONG},3", "acc=0.9"),
    _line("check", "--p", "10", "--n", "20", "acc=0.9", "--all", "--limit", "-5"),
    _line("check", "--p", "1000000000", "--n", "1000000000", "acc=0.9", "--all", "--limit", "100000000000000000000"),
    _line("reconstruct", "acc=0.9", "sens=0.8", "--prevalence", "1e-999999999"),
    _line("power", "--p", "100000000000000000", "--n", "100000000000000000", "acc", "f1"),
    _line("power", "--p", "10", "--n", "20", "acc", "--digits", "100000000"),
]
