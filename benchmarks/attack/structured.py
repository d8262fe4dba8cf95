"""YAML and JSON: floods of aliases, depth, width, keys given twice, in every file that is read as such."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from benchmarks.attack.attack import Attack, command


def _laughs(levels: int = 9, width: int = 9) -> str:
    lines = ["a0: &a0 lol"]
    lines += [f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * width)}]" for level in range(1, levels + 1)]
    return "\n".join(lines) + "\n"


def _quadratic() -> str:
    return "a: &a [" + "x, " * 20_000 + "x]\nb: [" + "*a, " * 20_000 + "*a]\n"


_TEXTS: dict[str, Callable[[], str]] = {
    "a billion laughs": _laughs,
    "a quadratic flood of aliases": _quadratic,
    "an alias to itself": lambda: "a: &a [*a]\n",
    "a merge key": lambda: "a: &a {x: 1}\nb:\n  <<: *a\n",
    "2,000,000 nodes": lambda: "a: [" + "1," * 2_000_000 + "1]\n",
    "1,000,000 empty lists": lambda: "a: [" + "[]," * 1_000_000 + "[]]\n",
    "100,000 keys": lambda: "".join(f"k{number}: 1\n" for number in range(100_000)),
    "100,000 keys in a flow": lambda: "a: {" + ",".join(f"k{number}: 1" for number in range(100_000)) + "}\n",
    "100,000 times one key": lambda: "k: 1\n" * 100_000,
    "a list 100,000 deep": lambda: "a: " + "[" * 100_000 + "\n",
    "dashes 30,000 deep": lambda: "- " * 30_000 + "a\n",
    "a mapping 2,000 deep": lambda: "".join(f"{' ' * level}a:\n" for level in range(2_000)),
    "a mapping 10,000 deep in a flow": lambda: "a: " + "{a: " * 10_000 + "\n",
    "one text of 5 MB": lambda: "title: " + "x" * 4_900_000 + "\n",
    "a quoted text of 1 MB": lambda: 'title: "' + "\\x41" * 250_000 + '"\n',
    "2 MB of newlines": lambda: "\n" * 2_000_000 + "a: 1\n",
    "2 MB of blanks": lambda: " " * 2_000_000 + "a: 1\n",
    "1 MB of question marks": lambda: "? " * 500_000 + "\n",
    "an anchor of 1 MB": lambda: "a: &" + "a" * 1_000_000 + " 1\n",
    "100,000 anchors": lambda: "a: [" + ", ".join(f"&a{number} 1" for number in range(100_000)) + "]\n",
    "100,000 documents": lambda: "---\na: 1\n" * 100_000,
    "python objects": lambda: "a: !!python/object/apply:os.system ['touch PWNED']\n",
    "a number of 5,000 digits": lambda: "p: " + "9" * 5_000 + "\nn: 3\n",
    "a base 60 number": lambda: "p: " + "1:" * 100_000 + "1\n",
    "a long block text": lambda: "a: |\n" + "  x\n" * 500_000,
    "1 MB of comments": lambda: "# x\n" * 250_000 + "a: 1\n",
    "a JSON list 100,000 deep": lambda: '{"a": ' + "[" * 100_000,
    "JSON with 300,000 times one key": lambda: '{"a": {' + ",".join('"k": 1' for _ in range(300_000)) + "}}",
    "JSON of 1,500,000 nodes": lambda: '{"a": [' + "{}," * 1_500_000 + "{}]}",
    "JSON numbers of 1 MB": lambda: '{"a": ' + "9" * 1_000_000 + "}",
    "surrogates": lambda: '{"title": "\\ud800", "tables": []}',
    "bells and escapes": lambda: 'title: "\\e]0;pwned\\a"\n',
    "\ud7ff": lambda: "{" * 50_000,
}
_SPECIFICATION = """datasets: {lesions: {p: 75, n: 304}}
experiments: {test: {dataset: lesions}}
tables:
  - name: Table 1
    experiment: test
    grid: [[Method, Acc, Sens], [A, "0.90", "0.80"]]
"""
_SPECIFICATIONS: dict[str, Callable[[], str]] = {
    "eps 1e-20000000": lambda: _SPECIFICATION + "options: {eps: 1e-20000000}\n",
    "p of 5,000 digits": lambda: _SPECIFICATION.replace("p: 75", "p: " + "9" * 5000),
    "10,000 columns": lambda: _SPECIFICATION.replace(
        '[[Method, Acc, Sens], [A, "0.90", "0.80"]]', f"[[{', '.join(f'c{k}' for k in range(10_000))}], [{'1, ' * 10_000}]]"
    ),
    "20,000 rows": lambda: _SPECIFICATION.replace('[A, "0.90", "0.80"]', ", ".join(['[A, "0.90", "0.80"]'] * 20_000)),
    "5,000 tables": lambda: _SPECIFICATION + _SPECIFICATION.partition("tables:\n")[2].replace("Table 1", "Table x") * 5_000,
    "escapes in names": lambda: _SPECIFICATION.replace("[A,", '["\\e[31m\\e]0;x\\a' + "\\e[2J" * 20_000 + '",'),
    "a cell of 1 MB": lambda: _SPECIFICATION.replace('"0.90"', '"0.' + "9" * 1_000_000 + '"'),
    "a header of 1 MB": lambda: _SPECIFICATION.replace("Acc", '"' + "Acc " * 250_000 + '"'),
    "a header of digits": lambda: _SPECIFICATION.replace("Acc", "f" + "1" * 100_000),
    "10,000 unknown experiments": lambda: _SPECIFICATION.replace("experiment: test", "experiment: [" + "test, " * 10_000 + "test]"),
    "folds 100000": lambda: _SPECIFICATION.replace("{dataset: lesions}", "{dataset: lesions, folds: 379, repeats: 100000}"),
    "1,000 folds readings": lambda: _SPECIFICATION.replace(
        "{dataset: lesions}", f"{{dataset: lesions, folds: [{', '.join(map(str, range(2, 300)))}], repeats: [{', '.join(map(str, range(1, 300)))}], stratified: unknown, aggregation: unknown}}"),
    "100,000 sets": lambda: _SPECIFICATION.replace("{p: 75, n: 304}", f"{{sets: [{'[75, 304], ' * 100_000}]}}"),
    "a file that is a device": lambda: _SPECIFICATION.replace('grid: [[Method, Acc, Sens], [A, "0.90", "0.80"]]', "file: /dev/zero"),
    "text of 1 MB of newlines": lambda: _SPECIFICATION.replace(
        'grid: [[Method, Acc, Sens], [A, "0.90", "0.80"]]', 'text: "a b' + "\\n" * 1_000_000 + '1 2"'),
}  # fmt: skip

# What reads such files, and the name of the file.
_READERS: dict[str, tuple[str, Callable[[str], list[str]]]] = {
    "specification": ("paper.yaml", lambda file: ["audit", file, "--jobs", "1", "--budget", "1"]),
    "catalogue": ("entry.yaml", lambda file: ["catalog", "show", file]),
    "experiment": ("experiment.yaml", lambda file: ["check", "--experiment", file, "acc=0.9"]),
    "model card": ("card.yaml", lambda file: ["tables", file]),
}


def _attack(reader: str, name: str, text: Callable[[], str]) -> Attack:
    file, arguments = _READERS[reader]

    def make(folder: Path) -> list[str]:
        content = text()
        if reader == "model card":
            content = f"model-index: []\n{content}"
        (folder / file).write_text(content, encoding="utf-8", errors="surrogatepass")
        return command(*arguments(str(folder / file)))

    return Attack("structured", f"{reader}: {name}", make)


ATTACKS = [
    *(_attack(reader, name, text) for reader in _READERS for name, text in _TEXTS.items()),
    *(_attack("specification", name, text) for name, text in _SPECIFICATIONS.items()),
]
