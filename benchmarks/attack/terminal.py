"""Escapes and control characters in names and cells: shown as text, never sent to the terminal."""

from __future__ import annotations

from pathlib import Path

from benchmarks.attack.attack import Attack, command

_ESCAPES = "\\e[31m\\e]0;pwned\\a\\x9b2J\\e[2J\\r\\b"


def _specification(count: int) -> str:
    rows = ", ".join(f'["{_ESCAPES * 20}{number}", "0.90", "0.80"]' for number in range(count))
    return f"""title: "{_ESCAPES}"
datasets: {{lesions: {{p: 75, n: 304}}}}
experiments: {{test: {{dataset: lesions}}}}
tables:
  - name: "{_ESCAPES}"
    experiment: test
    grid: [[Method, Acc, Sens], {rows}]
"""


def _audit(count: int, *more: str) -> Attack:
    def make(folder: Path) -> list[str]:
        (folder / "paper.yaml").write_text(_specification(count), encoding="utf-8")
        return command("audit", str(folder / "paper.yaml"), "--jobs", "1", "--budget", "1", *more)

    return Attack("terminal", f"{count} rows of escapes {' '.join(more)}", make)


def _file(name: str, content: str, *arguments: str) -> Attack:
    def make(folder: Path) -> list[str]:
        (folder / name).write_text(content, encoding="utf-8", errors="surrogatepass")
        return command(*arguments, str(folder / name))

    return Attack("terminal", f"{' '.join(arguments)} {name!r}", make)


_TABLE = "Method,Acc\n\x1b[31mA\x1b]0;x\x07,0.9\n\x9b2JB\x7f,0.8\n"
ATTACKS = [
    _audit(3),
    _audit(3, "--html", "report.html", "--latex", "report.tex", "--text", "report.txt"),
    _audit(1_000, "--no-explain"),
    _file("table.csv", _TABLE, "tables"),
    _file("\x1b[31mred\x1b]0;x\x07.csv", _TABLE, "tables"),
    _file("\udc80.csv", _TABLE, "tables"),
    _file("\udc80.yaml", _specification(1), "audit"),
    _file("\udc80.json", "{}", "verify"),
    _file("\udc80.csv", _TABLE, "init"),
    _file("\udc80.csv", "Method,Acc\nA,0.9\n", "tables", "--json"),
    Attack("terminal", "an unknown score of escapes", lambda _: command("check", "--p", "3", "--n", "4", "\x1b[31mx=0.9")),
    Attack("terminal", "a score of surrogates", lambda _: command("check", "--p", "3", "--n", "4", "\udc80=0.9")),
    Attack("terminal", "a value of surrogates", lambda _: command("check", "--p", "3", "--n", "4", "acc=\udc80")),
    Attack("terminal", "an option of escapes", lambda _: command("check", "--p", "3", "--n", "4", "acc=0.9", "--undefined", "\x1b[31mx")),
    Attack("terminal", "an unknown command of escapes", lambda _: command("\x1b[31mx")),
    Attack("terminal", "a number of escapes", lambda _: command("check", "--p", "\x1b[31mx", "--n", "4", "acc=0.9")),
]  # fmt: skip
