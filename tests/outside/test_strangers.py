"""Strangers' papers and proofs: limits that name themselves, readers that die apart, journals that are not believed."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from benchmarks.attack import journals, kinds, office, structured, texts
from benchmarks.attack.mutations import mutant

import scoreproof as sp
from scoreproof.cli.app import main
from scoreproof.errors import InvalidOption, LimitExceeded, ScoreproofError, UnreadableInput
from scoreproof.files import read_file, write_file
from scoreproof.limits import NAMES, Limits, changed, current, within
from scoreproof.papers.result import RowResult
from scoreproof.papers.table_semantics import report_problem
from scoreproof.validation import exact
from scoreproof.work.journal import Journal
from scoreproof.work.subprocess_worker import Died, SubprocessWorker, unread

SPECIFICATION: dict[str, Any] = {
    "datasets": {"d": {"p": 1000, "n": 6000}},
    "experiments": {"t": {"dataset": "d"}},
    "tables": [
        {
            "experiment": "t",
            "grid": [
                ["Method", "Acc", "NPV", "F1"],
                ["A", "0.6801", "0.9401", "0.4004"],
                ["B", "0.6821", "0.9401", "0.4004"],
            ],
        }
    ],
}
SMALL = Limits(
    tables=1,
    cells=20,
    data_cells=20,
    columns=4,
    cell_characters=30,
    depth=4,
    values=30,
    digits=5,
    sets=8,
    readings=2,
    audited_rows=3,
)


def nested(depth: int) -> sp.Experiment:
    tree: sp.Experiment = sp.TestSet(3, 4)
    for _ in range(depth):
        tree = sp.MeanOfScores([tree, sp.TestSet(5, 6)])
    return tree


BEYOND: dict[str, tuple[str, Callable[[], object]]] = {
    "tables": ("tables", lambda: sp.read_tables("a,b\n1,2\n\n" * 3)),
    "cells": ("data_cells", lambda: sp.read_tables("a,b\n" + "1,2\n" * 20)),
    "cells of HTML spans": ("cells", lambda: sp.read_tables("<table>\n<tr><td rowspan=9 colspan=3>1<td>2" + "<tr><td>3" * 9)),
    "columns": ("columns", lambda: sp.read_tables("a,b,c,d,e\n1,2,3,4,5\n")),
    "characters": ("cell_characters", lambda: sp.read_tables(f"a,b\n1,{'9' * 31}\n")),
    "depth of a tree": ("depth", lambda: nested(5)),
    "depth of YAML": ("depth", lambda: sp.audit("a: [[[[1]]]]\nb: 1\n")),
    "depth of JSON": ("depth", lambda: sp.audit('{"a": [[[[1]]]]}\n')),
    "values of YAML": ("values", lambda: sp.audit(f"a: [{'1, ' * 40}]\nb: 1\n")),
    "values of JSON": ("values", lambda: sp.audit('{"a": [' + "1, " * 40 + "1]}\n")),
    "digits": ("digits", lambda: exact("eps", "0.1234567")),
    "exponent": ("digits", lambda: exact("eps", "1e-999999999")),
    "digits of a count": ("digits", lambda: sp.TestSet(10**100, 3)),
    "sets": ("sets", lambda: sp.check(sp.KFold(30, 40, 3, repeats=3), {"acc": "0.9"})),
    "rows of an audit": ("audited_rows", lambda: sp.audit(sp.read_tables("Method,Acc\n" + "A,0.9\n" * 4))),
    "folds of predictions": ("tables", lambda: sp.selfcheck([0, 1], [0, 1], "Method,Acc\nA,0.9\n", folds=[1, 2])),
    "labels of predictions": ("cells", lambda: sp.selfcheck(range(21), range(21), "Method,Acc\nA,0.9\n")),
    "readings": ("readings", lambda: sp.check(sp.UnknownAggregation([sp.UnknownAggregation([sp.TestSet(3, 4)])]), {"acc": "0.9"})),
}  # fmt: skip


@pytest.mark.parametrize("what", BEYOND)
def test_what_is_beyond_a_limit_says_so(what: str) -> None:
    name, action = BEYOND[what]
    with within(SMALL), pytest.raises(LimitExceeded) as caught:
        action()
    said = str(caught.value)
    assert f"at most {getattr(SMALL, name):,} are read" in said
    for words in (f"--allow {name}=", f"limits: {{{name}: ", f"Limits({name}="):
        assert words in said


def test_limits_are_raised_by_hand_on_the_line_and_in_a_specification(tmp_path: Path) -> None:
    table = tmp_path / "wide.csv"
    table.write_text(",".join("abcdef") + "\n" + ",".join("123456") + "\n")
    with within(Limits(columns=3)):
        with within(changed({"columns": "9"})):
            assert len(sp.read_tables(table)) == 1
        assert current().columns == 3
    run = [sys.executable, "-m", "scoreproof"]
    short = subprocess.run([*run, "--allow", "columns=3", "tables", table], capture_output=True, text=True, check=False)
    assert short.returncode == 2
    assert "6 columns, at most 3 are read; raise the limit with --allow columns=6" in short.stderr
    wrong = subprocess.run([*run, "--allow", "colums=3", "tables", table], capture_output=True, text=True, check=False)
    assert "there is none called 'colums'" in wrong.stderr
    with pytest.raises(InvalidOption, match="there is none called 'cels'"):
        sp.audit({**SPECIFICATION, "limits": {"cels": "3"}})
    tree = {"type": "kfold", "p": 40, "n": 60, "k": 10}
    folds = {**SPECIFICATION, "experiments": {"t": {"tree": tree}}, "limits": {"sets": "9"}}
    rows = sp.audit(folds, jobs=1, explain=False, strength=False).rows()
    assert "10 evaluation sets, at most 9 are read" in rows[0].error


def test_every_limit_is_documented() -> None:
    page = (Path(__file__).parents[2] / "docs" / "strangers.md").read_text(encoding="utf-8")
    for name in NAMES:
        value = getattr(Limits(), name)
        assert f"| `{name}` | {value:,} |" in page


TARGETS = """
import time
def sleep(request, data, tell):
    time.sleep(3600)
def hog(request, data, tell):
    return len(bytearray(10**9))
def burn(request, data, tell):
    while True:
        pass
def die(request, data, tell):
    import os
    os._exit(7)
def fall(request, data, tell):
    import os, signal
    os.kill(os.getpid(), getattr(signal, request))
def babble(request, data, tell):
    import os
    for descriptor in range(3, 20):
        try:
            os.write(descriptor, b"no answer at all " * 10)
        except OSError:
            pass
    time.sleep(3600)
def double(request, data, tell):
    print("noise that is no answer")
    return [request, len(data)]
"""


def test_work_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "apart_targets.py").write_text(TARGETS)
    monkeypatch.syspath_prepend(str(tmp_path))
    for name, seconds, request, why in (
        ("sleep", 0.5, {}, "^late$"),
        ("hog", 3600, {}, "^memory$"),
        ("die", 3600, {}, "^status 7$"),
        ("fall", 3600, "SIGKILL", "^signal SIGKILL$"),
        ("fall", 3600, "SIGSEGV", "^signal SIGSEGV$"),
        ("babble", 3600, {}, "^no answer$"),
        ("burn", 3600, {}, "^processor$"),
    ):
        if name == "hog" and not Path("/proc/self/statm").exists():
            continue
        with pytest.raises(Died, match=why):
            SubprocessWorker(f"apart_targets:{name}")(request, b"", seconds=seconds, megabytes=300, processor=0.2)
    apart = SubprocessWorker("apart_targets:double")
    assert apart({"a": 1}, b"xyz", seconds=3600, megabytes=300) == [{"a": 1}, 3]
    first = apart._child
    assert apart("again", b"", seconds=3600, megabytes=300) == ["again", 0]
    assert apart._child is first, "one child answers many requests"
    apart._end()


def test_how_a_reader_ended_is_told() -> None:
    """Only what ran out is said to have run out: whoever is killed or crashes did not take too much memory."""
    told = {
        "processor": "took too much processor time: more than 12 seconds",
        "late": "took too long by the clock",
        "memory": "took too much memory: more than 700 megabytes",
        "signal SIGKILL": r"killed from outside \(SIGKILL\)",
        "signal SIGABRT": "ended by SIGABRT",
        "status 7": r"ended without an answer \(status 7\)",
        "no answer": r"ended without an answer \(no answer\)",
    }
    for end, words in told.items():
        with pytest.raises(ScoreproofError, match=words):
            raise unread(end, "paper.pdf")


def test_a_document_that_is_too_much_does_not_stop_the_audit(tmp_path: Path) -> None:
    (tmp_path / "bomb.xlsx").write_bytes(office._FILES["merged A1:XFD1048576"][1]())
    tables = [{"file": "bomb.xlsx", "experiment": "t"}, *SPECIFICATION["tables"]]
    (tmp_path / "paper.json").write_text(json.dumps({**SPECIFICATION, "tables": tables}))
    result = sp.audit(tmp_path / "paper.json", jobs=1, explain=False, strength=False)
    assert [str(row.outcome) for row in result.rows()] == ["error", "inconsistent", "consistent"]
    assert "merged ranges" in result.rows()[0].error
    assert "not read" in sp.pages.to_html(result)


def test_merged_ranges_stay_ranges(tmp_path: Path) -> None:
    title = '<mergeCells><mergeCell ref="A1:XFD1"/></mergeCells>'
    cells = "".join(
        f'<row r="{row}"><c r="A{row}" t="str"><v>{left}</v></c><c r="B{row}"><v>{right}</v></c></row>'
        for row, left, right in ((2, "Method", 0), (3, "A", 0.5), (4, "B", 0.25))
    )
    rows = f'<row r="1"><c r="A1" t="str"><v>Results</v></c></row>{cells}'
    (tmp_path / "title.xlsx").write_bytes(office.excel(rows, title))
    table = sp.read_tables(tmp_path / "title.xlsx")[0]
    assert table.shape == (3, 2) or table.rows[0] == ("Results", "Results")
    assert table.rows[-1] == ("B", "0.25")


HOSTILE = [
    *(f"office: {name}" for name in ("gridBefore=10000000", "gridSpan=many", "far columns in 60 rows", "entities in Word")),
    *(f"structured: {name}" for name in ("a billion laughs", "100,000 times one key", "a list 100,000 deep")),
    *(f"texts: {name}" for name in ("a cell of '['", "pasted '\\n'", "a LaTeX cell of '\\\\verb'", "negative multirows",
                                    "an HTML cell of '<br>'", "macros that grow", "rowspan 999999999")),
]  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_inputs_end_in_an_answer_or_an_error_of_ours(name: str, tmp_path: Path) -> None:
    place, _, what = name.partition(": ")
    if place == "structured":
        text = structured._TEXTS[what]()
        for file in ("paper.yaml", "card.yaml"):
            (tmp_path / file).write_text(text)
        with pytest.raises(ScoreproofError):
            sp.audit(tmp_path / "paper.yaml")
        with pytest.raises(ScoreproofError):
            sp.read_tables(tmp_path / "card.yaml", kind="model-index")
        return
    suffix, make = office._FILES[what] if place == "office" else texts._FILES[what]
    made = make()
    file = tmp_path / f"paper.{suffix}"
    file.write_bytes(made if isinstance(made, bytes) else made.encode())
    with contextlib.suppress(ScoreproofError):
        for table in sp.read_tables(file):
            sp.interpret(table)


@pytest.mark.parametrize(
    "name", ["csv", "markdown", "html", "latex", "text", "excel", "word", "model card", "certificate"]
)
def test_mutants_of_real_files(name: str, tmp_path: Path) -> None:
    suffixes = {"markdown": "md", "latex": "tex", "text": "txt", "excel": "xlsx", "word": "docx", "model card": "yaml"}
    file = tmp_path / f"mutant.{suffixes.get(name, name)}"
    for number in range(40):
        file.write_bytes(mutant(name, number, 7))
        try:
            if name == "certificate":
                sp.verify(file)
            else:
                for table in sp.read_tables(file):
                    sp.interpret(table)
        except ScoreproofError:
            continue


@pytest.mark.parametrize("kind", ["multi_label", "detection", "mean_ranks", "unknown_counts"])
def test_hostile_certificates_are_judged(kind: str) -> None:
    assert all(sp.verify(json.loads(text)) for text in kinds.seeds(kind))
    for number in range(40):
        with within(Limits(seconds=1)):
            verified = sp.verify(kinds.hostile(kind, number, 7, kinds.seeds(kind)))
        assert verified.words.startswith("Proved" if verified else "Not proved")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes as files")
def test_only_regular_files_are_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for action in (sp.read_tables, sp.audit, sp.verify, read_file):
        with pytest.raises(ScoreproofError, match="a pipe or a device"):
            action(tmp_path / "pipe")  # type: ignore[operator]


def test_files_are_written_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "report.html"
    write_file(file, "first \ud800")
    assert file.read_text() == "first \\ud800"

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match=r"No space left.*report\.html"):
        write_file(file, "second")
    assert file.read_text() == "first \\ud800"
    assert [one.name for one in tmp_path.iterdir()] == ["report.html"]


def audited(path: Path, **changes: Any) -> sp.AuditResult:
    return sp.audit({**SPECIFICATION, **changes}, jobs=1, explain=False, strength=False, resume=path)


@pytest.mark.skipif(sys.platform == "win32", reason="files have no limit there")
def test_a_full_disk_is_named_and_keeps_the_results_before_it(tmp_path: Path) -> None:
    import resource

    fresh = audited(tmp_path / "whole.jsonl")
    head, first, _ = (tmp_path / "whole.jsonl").read_bytes().splitlines(keepends=True)
    path, before = tmp_path / "journal.jsonl", resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(head + first) + 10, before[1]))
        with pytest.raises(OSError, match=r"the results before it are kept.*journal\.jsonl"):
            audited(path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert path.read_bytes().startswith(head + first)
    assert audited(path) == fresh


@pytest.mark.parametrize("change", ["flip", "foreign witness", "nothing"])
def test_a_resumed_row_counts_only_if_it_is_proved(tmp_path: Path, change: str) -> None:
    path = tmp_path / "journal.jsonl"
    fresh = audited(path)
    changes = {"flip": journals._flipped, "nothing": lambda result: result}

    def foreign(result: dict[str, Any]) -> dict[str, Any]:
        text = json.dumps(result).replace('"tp": 743', '"tp": 742')
        return dict(json.loads(text))

    journals._every(changes.get(change, foreign))(path)
    assert audited(path) == fresh
    assert [str(row.outcome) for row in fresh.rows()] == ["inconsistent", "consistent"]


def test_journals_of_others_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    audited(path)
    other = [{**SPECIFICATION["tables"][0], "grid": [["Method", "Acc"], ["C", "0.5"]]}]
    with pytest.raises(InvalidOption, match="another specification"):
        audited(path, tables=other)
    head, *lines = path.read_text().splitlines()
    path.write_text("\n".join([head.replace(sp.__version__, "0.0.0"), *lines]) + "\n")
    with pytest.raises(InvalidOption, match="other version"):
        audited(path)


@pytest.mark.skipif(sys.platform == "win32", reason="files are locked in another way there")
def test_two_runs_on_one_journal_are_noticed(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    first, second = (Journal(path, "audit", RowResult.from_dict) for _ in range(2))
    with first, pytest.raises(InvalidOption, match="another run"), second:
        pass


def test_control_characters_are_not_sent_to_the_terminal(tmp_path: Path) -> None:
    file = tmp_path / "table.csv"
    file.write_text("Method,Acc\n\x1b[31mA\x1b]0;x\x07,0.9\n\x9b2JB\x7f,0.8\n", encoding="utf-8")
    run = [sys.executable, "-m", "scoreproof"]
    for arguments in (["tables", file], ["tables", file, "--json"], ["check", "--p", "3", "--n", "4", "\x1b[31mx=0.9"]):
        done = subprocess.run([*run, *arguments], capture_output=True, text=True, check=False)
        assert done.stdout or done.stderr
        for steering in "\x1b\x07\x7f\x9b":
            assert steering not in done.stdout + done.stderr


def test_numbers_are_counted_before_they_are_built() -> None:
    assert exact("eps", "1e-99") == Fraction(1, 10**99)
    for wrong in ("1e999999999", "9" * 5000, 10**5000, Fraction(1, 10**5000)):
        with pytest.raises(ScoreproofError):
            exact("eps", wrong)
    with pytest.raises(UnreadableInput):  # who handles a bad file handles an outsized one
        exact("eps", "1e999")


def test_explanations_of_a_journal_are_asked_anew(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    asked = {"jobs": 1, "explain": True, "strength": True, "resume": path}
    honest = sp.audit(SPECIFICATION, **asked)
    assert any(row.explanation is not None for row in honest.rows())
    head, *lines = path.read_text().splitlines()
    rows = [json.loads(line) for line in lines]
    assert not any(row["result"].get("explanation") for row in rows)
    false = {**honest.rows()[0].explanation.to_dict(), "report": "forged"} if honest.rows()[0].explanation else "forged"
    forged = [{**row, "result": {**row["result"], "explanation": false, "strength": None}} for row in rows]
    path.write_text("\n".join([head, *map(json.dumps, forged)]) + "\n")
    again = sp.audit(SPECIFICATION, **asked)
    assert "forged" not in again.to_json()
    assert [row.outcome for row in again.rows()] == [row.outcome for row in honest.rows()]


def test_names_of_classes_do_not_steer_the_terminal(capfd: pytest.CaptureFixture[str]) -> None:
    names = "\x1b]0;x\x07=5,[/]=6,[red]b=7"
    for scores in (["acc=0.91"], ["acc=0.91", "macro f1=0.2"]):
        with pytest.raises(SystemExit):
            main(["check", "--classes", names, *scores])
        shown = capfd.readouterr()
        assert "internal error" not in shown.err
        assert "�]0;x� 5, [/] 6, [red]b 7" in shown.out
        assert "\x1b" not in shown.out


def test_a_printed_report_of_strangers() -> None:
    head = "precision recall f1-score support\n"
    rest = "b 0.9 0.9 0.9 10\naccuracy 0.9 20\n"
    with pytest.raises(UnreadableInput, match="the support of row 'a' was not read"):
        report_problem(f"{head}a 0.9 0.9 0.9 {'9' * 500}\n{rest}")
    with pytest.raises(UnreadableInput, match=r"line 3: .*500,001 characters"):
        report_problem(f"{head}\nx{' x' * 250_000}\n")
    blank = f"{' ' * 500_000}\n{head}{' ' * 500_000}a 0.9 0.9 0.9 10{' ' * 500_000}\n{rest}"
    assert report_problem(blank).classes == ("a", "b")


def test_a_list_of_too_many_tables_is_refused_before_it_is_looked_into() -> None:
    """Every wrong entry would be an error to keep: a million of them took 4 GB."""
    with pytest.raises(LimitExceeded, match="5,000 tables, at most 1,000"):
        sp.audit({"tables": [{}] * 5000})


def test_a_key_that_stands_twice_is_refused_everywhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Readers take the first or the last of equal keys: the one that was proved, or the one that is shown."""
    made = sp.check(sp.TestSet(1000, 6000), {"acc": "0.6801", "npv": "0.9401", "f1": "0.4004"}).certificate
    assert made is not None
    whole = json.dumps(dict(made))
    certificate = whole.replace('"statement":', '"statement": {"scores": "others"}, "statement":', 1)
    deep = whole.replace('"undefined":', '"undefined": "zero", "undefined":', 1)
    specification = json.dumps({"tables": [{"grid": [["Acc"], ["0.9"]]}]})
    files = {
        "certificate.json": (certificate, ["verify"]),
        "deep.json": (deep, ["verify"]),
        "paper.json": (specification.replace('"tables":', '"tables": [], "tables":'), ["audit"]),
        "paper.yaml": ("title: a\ntitle: b\n" + specification, ["audit"]),
        "flow.yaml": ("tables: [{grid: [[Acc], [0.9]], name: a, name: b}]\n", ["audit"]),
        "tree.json": ('{"type": "testset", "p": 10, "p": 20, "n": 5}', ["check", "acc=0.9", "--experiment"]),
    }
    for name, (text, command) in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
        with pytest.raises(SystemExit) as ended:
            main([*command, str(tmp_path / name)])
        assert ended.value.code == 2, name
        assert "twice" in capsys.readouterr().err, name
    journal = tmp_path / "audit.jsonl"
    audited(journal)
    lines = journal.read_text(encoding="utf-8").splitlines()
    journal.write_text("\n".join([lines[0], lines[1].replace('"key":', '"key": "x", "key":', 1), ""]), encoding="utf-8")
    with pytest.raises(UnreadableInput, match="twice"):
        audited(journal)


@pytest.mark.parametrize(
    "name", ["a" * 300 + ".csv", "x\\0y.csv", "..", ".", "-", "nothing.csv", "../e.csv", "/etc/hostname"]
)
def test_counts_of_an_entry_in_a_file_that_is_none(name: str, tmp_path: Path) -> None:
    """A name that no system takes is an absent file, not a fault (mutant 307 of the catalogue, seed 1)."""
    from scoreproof.catalog.files import read_entries

    (tmp_path / "e.yaml").write_text(f'name: x\ntitle: t\ncitation: c\nsets: "{name}"\n')
    with pytest.raises(UnreadableInput, match="beside it"):
        read_entries(tmp_path / "e.yaml")


def test_more_class_counts_than_a_length_can_say_are_left_open() -> None:
    experiment = sp.KFold(10**31, 10**31, 10, stratified=False)
    assert str(sp.check(experiment, {"acc": "0.9123"}, budget=1).verdict) == "undecided"
