"""Imports point one way, from the later steps of the story to the earlier ones; importing is cheap."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import FrameType

import pytest

import scoreproof
import scoreproof.pages
import scoreproof_verify

ROOT = Path(scoreproof.__file__).parent
VERIFIER = Path(scoreproof_verify.__file__).parent
#: Lines of Python by part: what there may be today, and what the design allows. The first may only fall.
BUDGETS = {
    "verify": (7_997, 8_000),
    "proofs": (36_000, 36_000),
    "papers and surfaces": (30_916, 27_000),
    "statistics": (11_980, 12_000),
}
PARTS = {
    "papers and surfaces": {
        "documents",
        "papers",
        "findings",
        "claims",
        "catalog",
        "pages",
        "serve",
        "cli",
        "batches",
        "__main__",
    },
    "statistics": {"statistics", "metrics", "sota"},
}
READING = {"documents", "papers"}  # of papers and surfaces: what reads a paper and tests it
MOST_OF_READING = 15_000
FILES = (373, 400)
SHORT = 0  # files of less than 60 lines, which are parts of another; none in the end
LAYERS = [
    ("errors", "_version", "markup"),
    ("limits",),
    ("files",),
    ("jsonable",),
    ("results",),
    ("csv_reader", "figures", "validation"),
    ("work",),
    ("arrays",),
    ("quantities",),
    ("reported",),
    ("solve",),
    ("kinds",),
    ("checking",),
    ("statistics",),
    ("claims", "metrics", "sota"),
    ("catalog", "documents"),
    ("insight",),
    ("papers",),
    ("findings",),
    ("batches",),
    ("pages",),
    ("serve",),
    ("__init__",),
    ("cli",),
    ("__main__",),
]
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}


def layer(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def for_types_only(tree: ast.AST) -> set[ast.AST]:
    """What stands under ``if TYPE_CHECKING``: names for annotations, imported by nobody at run time."""
    blocks = [node for node in ast.walk(tree) if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)]
    return {inner for block in blocks for inner in ast.walk(block)}


def imported(path: Path) -> set[str]:
    """The top-level layers a module imports from the package.

    Follow-up questions on a result (``result.explain()``) load the later step by name when they are asked.
    """
    found = set()
    tree = ast.parse(path.read_text(encoding="utf-8"))
    typing_only = for_types_only(tree)
    for node in ast.walk(tree):
        if node in typing_only:
            continue
        names = []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = (
                [node.module] if node.module != "scoreproof" else [f"scoreproof.{alias.name}" for alias in node.names]
            )
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        for name in names:
            if name.startswith("scoreproof."):
                part = name.split(".")[1]
                found.add(part if part in LEVEL else "__init__")
    return found


@pytest.mark.parametrize("path", sorted(ROOT.rglob("*.py")), ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_one_way(path: Path) -> None:
    here = layer(path)
    assert here in LEVEL, f"{here} is not in the list of layers"
    for other in imported(path):
        assert other == here or LEVEL[other] < LEVEL[here], f"{here} must not import {other}"


#: What the verifier uses if it is there.
OTHERS = {"arrays/__init__.py": ("numpy",), "frame.py": ("rich",)}


def test_the_verifier_stands_alone() -> None:
    for path in VERIFIER.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):  # also under TYPE_CHECKING
            named = []
            if isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{path.name} imports by a relative name"
                named = [str(node.module)]
            elif isinstance(node, ast.Import):
                named = [alias.name for alias in node.names]
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                named = (
                    [node.value] if re.fullmatch(r"scoreproof(_verify)?(\.\w+)+", node.value) else []
                )  # for import_module
            for name in named:
                allowed = sys.stdlib_module_names | {
                    "scoreproof_verify",
                    *OTHERS.get(str(path.relative_to(VERIFIER)), ()),
                }
                assert name.split(".")[0] in allowed, f"{path.name} imports {name}"


def test_pages_import_no_engine() -> None:
    """Pages know the classes of results; what asks or explains they do not know."""
    for path in (ROOT / "pages").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                assert ".engine" not in node.module, f"{path.name} imports {node.module}"
                if node.module.startswith(("scoreproof.checking", "scoreproof.insight")):
                    functions = [alias.name for alias in node.names if not alias.name[0].isupper()]
                    assert functions == [], f"{path.name} imports {functions} from {node.module}"


SPECIFICATION = {
    "datasets": {"cases": {"p": 1000, "n": 6000}},
    "experiments": {"test": {"dataset": "cases"}},
    "tables": [
        {
            "experiment": "test",
            "grid": [
                ["Method", "Acc", "NPV", "F1"],
                ["A", "0.6801", "0.9401", "0.4004"],
                ["B", "0.6821", "0.9401", "0.4004"],
            ],
        },
        {"grid": [["Fold", "Acc"], ["Fold 1", "0.80"], ["Fold 2", "0.82"], ["Average", "0.90"]]},
        {"grid": [["CNN", "TP", "FP", "FN", "TN", "F1"], ["X", "226", "87", "74", "213", "0.739"]]},
    ],
    "claims": [{"best": "A", "by": "acc"}],
}
DRAWING = str(ROOT / "kinds" / "binary" / "drawing.py")


@cache
def asks(file: str, function: str) -> bool:
    """Whether a function decides something."""
    path = Path(file)
    if ROOT not in path.parents:
        return False
    parts = path.relative_to(ROOT).parts
    named = parts[0] == "kinds" and function == "decide"
    engine = parts[0] == "kinds" and parts[2:3] in (("engine",), ("engine.py",)) and function != "<module>"
    return named or engine or path == ROOT / "checking" / "ask.py"


def calls(action: Callable[[], object]) -> set[tuple[str, str, bool]]:
    """The asking functions that an action calls: file, name, and whether the drawing of a matrix called them."""
    called: set[tuple[str, str, bool]] = set()

    def watch(frame: FrameType, event: str, _: object) -> None:
        file, function = frame.f_code.co_filename, frame.f_code.co_name
        if event != "call" or not asks(file, function):
            return
        above: FrameType | None = frame
        while above is not None and above.f_code.co_filename != DRAWING:
            above = above.f_back
        called.add((str(Path(file).relative_to(ROOT)), function, above is not None))

    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        action()
    finally:
        sys.setprofile(before)
    return called


def test_pages_ask_nothing() -> None:
    """What is drawn or said was answered before: a page asks no problem, and no engine but to draw a matrix."""
    audit = scoreproof.audit(SPECIFICATION, jobs=1, budget=2, explain=True, strength=True)
    assert [check.kind for table in audit.tables for check in table.checks] == ["average", "printed_matrix"]
    assert audit.tables[0].rows[0].explanation is not None
    average = audit.tables[1].checks[0].answer.problem
    asked = calls(lambda: scoreproof.ask(average))
    assert {("checking/ask.py", "ask", False), ("kinds/average.py", "decide", False)} <= asked
    pages: list[str] = []
    asked = calls(lambda: pages.append(scoreproof.pages.to_html(audit)))
    assert {call for call in asked if not call[2]} == set()
    assert {file for file, _, _ in asked} <= {
        str(path.relative_to(ROOT)) for path in (ROOT / "kinds" / "binary" / "engine").rglob("*.py")
    }
    assert asked, "the conflict on one matrix is drawn"
    assert [pages[0].count(f'class="picture {sort}"') for sort in ("plane", "bars")] == [1, 1]
    assert pages[0].count('class="certificate"') == 4, "a row, an average, a matrix, a claim"


WALK = """
import sys
from pathlib import Path
import scoreproof as sp
from scoreproof.kinds import kind_named

kind_named("binary")  # what a module does when it is loaded is no part of the walk
files = set()

def watch(frame, event, _):
    if event == "call":
        files.add(Path(frame.f_code.co_filename))

experiment = sp.TestSet(p=1000, n=6000)
sys.setprofile(watch)
answer = sp.check(experiment, {"acc": ACCURACY, "npv": "0.9401", "f1": "0.4004"})
sys.setprofile(None)
print(answer.verdict, *(path for path in files if {"scoreproof", "scoreproof_verify"} & set(path.parts)))
"""


@pytest.mark.parametrize(("accuracy", "verdict"), [("0.6801", "inconsistent"), ("0.6821", "consistent")])
def test_a_check_walks_through_few_files(accuracy: str, verdict: str) -> None:
    """Who wants to know how a check decides reads at most 30 files, and 10 of the verifier's."""
    script = WALK.replace("ACCURACY", repr(accuracy))
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    said, *files = ran.stdout.split()
    ours = {path for path in files if ROOT in Path(path).parents}
    verifier = {path for path in files if VERIFIER in Path(path).parents}
    assert said == verdict
    assert 10 < len(ours) <= 30, sorted(ours)
    assert len(verifier) <= 10, sorted(verifier)
    assert bool(verifier) == (verdict == "inconsistent")


HEAVY = (
    "scipy", "highspy", "pandas", "matplotlib", "lxml", "pylatexenc", "markdown_it", "jinja2", "joblib", "cloudpickle", "yaml",
    "pyarrow", "pypdfium2", "scoreproof.documents", "scoreproof.papers", "scoreproof.batches", "scoreproof.statistics",
)  # fmt: skip


@pytest.mark.parametrize(("accuracy", "more"), [("0.6801", ("numpy",)), ("0.6821", ())])
def test_the_command_check_loads_only_what_it_needs(accuracy: str, more: tuple[str, ...]) -> None:
    """A proof about one matrix is whole numbers alone; numpy says how strong a test was that was passed."""
    script = (
        "import sys; from scoreproof.cli import main\n"
        "try: main(sys.argv[1:])\n"
        "except SystemExit: print('loaded', *sys.modules)"
    )
    told = ["check", "--p", "1000", "--n", "6000", f"acc={accuracy}", "npv=0.9401", "f1=0.4004"]
    ran = subprocess.run([sys.executable, "-c", script, *told], capture_output=True, text=True, check=True)
    loaded = ran.stdout.splitlines()[-1].split()
    assert "scoreproof.cli.check" in loaded
    assert not {*HEAVY, *more} & set(loaded)


def test_templates_are_loaded_when_a_page_is_written() -> None:
    script = "import sys, scoreproof.cli.sota_answers, scoreproof.pages; print('jinja2' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "False"


def test_importing_the_package_loads_nothing_heavy() -> None:
    script = "import sys, scoreproof; print(' '.join(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    heavy = {"numpy", "scipy", "matplotlib", "pandas", "rich", "typer", "pydantic", "lxml", "yaml", "jinja2"}
    assert not heavy & set(loaded)


def test_a_batch_loads_neither_pandas_nor_readers_of_documents(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text("p,n,folds,acc,f1\n1000,6000,5,0.6821,0.4004\n1000,6000,,0.6821,0.4004\n")
    script = (
        "import sys, scoreproof; print(scoreproof.batch('rows.csv', 'out')); "
        "print(' '.join(name for name in ('pandas', 'scipy', 'pypdfium2', 'lxml') if name in sys.modules))"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert ran.stdout.splitlines() == ["rows.csv: 2 rows, 2 consistent", ""]


def test_files_stay_readable() -> None:
    for path in [*ROOT.rglob("*.py"), *VERIFIER.rglob("*.py")]:
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 400, f"{path.name} wants splitting"


def walk(action: Callable[[], object], root: Path) -> set[str]:
    """The files of a package whose functions an action runs."""
    files: set[str] = set()

    def watch(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_name != "<module>":
            files.add(frame.f_code.co_filename)

    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        action()
    finally:
        sys.setprofile(before)
    return {str(Path(file).relative_to(root)) for file in files if root in Path(file).parents}


def test_re_checking_a_certificate_walks_few_files() -> None:
    certificate = scoreproof.check(
        scoreproof.TestSet(1000, 6000), {"acc": "0.6801", "npv": "0.9401", "f1": "0.4004"}
    ).certificate
    walked = walk(lambda: scoreproof_verify.verify_certificate(certificate), VERIFIER)
    assert {"frame.py", "kinds/binary.py", "replay/rectangles.py"} <= walked
    assert len(walked) <= 10, sorted(walked)
    assert (
        len(walk(lambda: scoreproof.verify(certificate), VERIFIER) | walk(lambda: scoreproof.verify(certificate), ROOT))
        <= 12
    )


def lines_of(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def part_of(path: Path) -> str:
    if VERIFIER in path.parents:
        return "verify"
    return next((part for part, names in PARTS.items() if layer(path) in names), "proofs")


def test_budgets_of_lines_and_files() -> None:
    paths = [*ROOT.rglob("*.py"), *VERIFIER.rglob("*.py")]
    lines = Counter[str]()
    for path in paths:
        lines[part_of(path)] += lines_of(path)
    over = {part: count for part, count in lines.items() if count > BUDGETS[part][0]}
    assert over == {}, f"more lines than {BUDGETS}: something else goes, or the design changes"
    assert (
        sum(lines_of(path) for path in paths if VERIFIER not in path.parents and layer(path) in READING)
        <= MOST_OF_READING
    )
    assert len(paths) <= FILES[0]
    short = [path for path in paths if lines_of(path) < 60 and not path.name.startswith("_")]
    assert len(short) <= SHORT, [path.name for path in short]
    assert not [path.name for path in short if VERIFIER in path.parents]


COMPLEX = set(Path(__file__).with_name("complex_functions.txt").read_text(encoding="utf-8").split())


def test_functions_of_many_branches_only_become_fewer() -> None:
    """Cyclomatic complexity above 20 (radon's grades D, E and F) only where it is known."""
    complexity = pytest.importorskip("radon.complexity")
    found = {
        f"{path.relative_to(base).as_posix()}:{block.fullname}"
        for base in (ROOT, VERIFIER)
        for path in base.rglob("*.py")
        for block in complexity.cc_visit(path.read_text(encoding="utf-8"))
        if block.complexity > 20 and block.letter != "C"
    }
    assert found <= COMPLEX, sorted(found - COMPLEX)
    assert found == COMPLEX, f"no longer complex: {sorted(COMPLEX - found)}; take them off the list"


EMPTY_WORDS = {"one", "found", "mine", "said"}


def test_variables_are_named_after_the_thing() -> None:
    places = []
    for path in [*ROOT.rglob("*.py"), *VERIFIER.rglob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            stored = isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id in EMPTY_WORDS
            if stored or (isinstance(node, ast.arg) and node.arg in EMPTY_WORDS):
                places.append(f"{path}:{node.lineno}")
    word = rf"(?<![\w.\"'])(?:{'|'.join(sorted(EMPTY_WORDS))})(?![\w\"':])"
    bound = re.compile(rf"\b(?:const|let) (?:[\[{{][^=;]*)?{word}|{word} =>|\([^()\n]*{word}[^()\n]*\) (?:=>|\{{)")
    scripts = [
        path for path in (*ROOT.rglob("*.js"), *(VERIFIER.parents[1] / "js").glob("*.js")) if ".min." not in path.name
    ]
    assert len(scripts) > 50
    for path in scripts:
        assert bound.search(re.sub(r"//.*", "", path.read_text(encoding="utf-8"))) is None, path
