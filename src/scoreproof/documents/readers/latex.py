r"""Tables of LaTeX sources: tabular and its relatives, multicolumn, multirow, booktabs, as the typeset page shows them.

Only the table environments are parsed (with pylatexenc), so that a package the document uses elsewhere cannot disturb.
Abbreviations are expanded first. A table that TeX could not set either is reported with its line; the others are read.
Markup is taken off, symbols become characters (``\pm`` is ±, a hyphen in mathematics is a minus sign), and superscripts
are marked. A macro nobody defined that swallows two groups, such as ``\pms{85.4}{1.2}``, is left as source: gluing its
arguments would invent the number 85.41.2. In tabularray and nicematrix, empty cells stand beside one that reaches over
them. A table whose numbers are cut into two columns (``r@{.}l``, ``r@{$\pm$}l``) is not read.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import accumulate
from typing import Any

from scoreproof.documents.formats import Contents, Paragraph, Source, looked_through
from scoreproof.documents.readers.hypertext import subscript, superscript
from scoreproof.documents.readers.latex_source import GROUP, Macros, definitions, expand, line_ends, without_comments
from scoreproof.documents.table import Placed, Table, lay, tidy
from scoreproof.errors import UnreadableInput
from scoreproof.limits import require_within

# Macros by their arguments as pylatexenc writes them; the last one is shown, behind a minus sign none.
_MACROS = {
    "{": "textbf textit textsc textrm textsf texttt textnormal emph underline uline mathbf mathrm mathit mathsf ul hl "
         "num boldsymbol bm mbox hbox text ensuremath fbox textup textmd pmb operatorname rot textsl overline bar "
         "rlap llap mathtt centerline textsuperscript textsubscript tnote colhead rotcell rothead tablenum dashuline "
         "uwave smash",
    "[{": "makecell thead shortstack makebox",
    "[{{": "parbox textcolor colorbox rotatebox Block SI qty",
    "{{": "href turnbox adjustbox subtable",
    "{[{": "scalebox",
    "{{{": "resizebox multicolumn",
    "[{[{[{": "multirow",
    "-[{": "SetCell cellcolor rowcolor color raisebox arrayrulecolor columncolor footnote tablefootnote rowfont "
           "SetRow SetHline SetVline SetRows RowStyle",
    "-{": "cline vspace hspace phantom hphantom vphantom label ref Xhline arraystretch eqref hhline autoref Cref cref "
          "noalign bibliographystyle",
    "-[{{": "rule",
    "-{{": "setlength fontsize addtolength setcounter",
    "-{{{": "specialrule rowcolors",
    "-{[": "cdashline",
    "-[": "toprule midrule bottomrule addlinespace hdashline footnotemark thickhline",
    "-[[{": "cite citep citet citeauthor citeyear citealp citealt citeyearpar citenum autocite parencite textcite "
            "footcite Cite Citep Citet",
    "-": "hline centering bfseries itshape small footnotesize scriptsize tiny normalsize bf it rm em large boldmath "
         "today noindent raggedright raggedleft displaystyle textstyle relax hfill endhead endfirsthead endfoot "
         "endlastfoot hfil left right scshape ttfamily sffamily rmfamily mdseries upshape strut protect maketitle",
}  # fmt: skip
_ARGUMENTS = {name: arguments.lstrip("-") for arguments, names in _MACROS.items() for name in names.split()}
_SHOWN = {name for arguments, names in _MACROS.items() if arguments[0] != "-" for name in names.split()}
_SIGNS = {  # beside those that pylatexenc knows
    "ddagger": "‡", "ddag": "‡", "ast": "*", "star": "*", "phi": "φ", "sim": "~", "textminus": "−", "percent": "%",
    "checkmark": "✓", "S": "§", "P": "¶", "circ": "°", "textless": "<", "textgreater": ">", "bullet": "•",
    "enspace": " ", "thinspace": " ", "newline": " ", "linebreak": " ", "-": "", "/": "", "xspace": "",
    "nobreakspace": " ", "par": " ", "textbar": "|", "downarrows": "↓", "dash": "–",
}  # fmt: skip
# Table environments and their arguments before the first cell.
_ENVIRONMENTS = {
    name: arguments
    for arguments, names in (
        ("[{", "tabular longtable longtable* supertabular supertabular* array tblr longtblr talltblr"),
        ("{", "turn rotate"),
        ("{[{", "tabular* tabularx tabulary xltabular"),
        ("[{[", "NiceTabular NiceArray"),
        ("{[{[", "NiceTabular* NiceTabularX"),
    )
    for name in names.split()
}
_BOLD = {"textbf", "mathbf", "boldsymbol", "bm", "bfseries", "bf", "boldmath", "pmb"}
_UNDERLINED = {"underline", "uline", "ul", "underbar"}
_SWITCHES = {"bfseries", "bf", "boldmath"}
# What the parser's grammar does not know: \cmidrule(lr){2-3}, \hskip 2pt, \Block{1-2}<\bfseries>{...}, and the numbers
# of pifont, of which 52 is a check mark.
_RULE = re.compile(r"\\cmidrule\s*+(?:\[[^\[\]]*+\])?\s*+(?:\([^()]*+\))?\s*+\{[^{}]*+\}")
_SKIP = re.compile(
    r"\\(?:[hv]skip|m?kern)\s*+-?[\d.]{1,8}\s*+[a-z]{2}\b(?:\s*+(?:plus|minus)\s*+[\d.]{1,8}\w{2,4})*+"
    r"|(?<=\d\})<\\[A-Za-z]{1,40}>"
)
_DING = re.compile(r"\\ding\s*+\{\s*+(\d{2,3})\s*+\}")
_OPENS = re.compile(r"(?<!\\)[{}]|\\(?:begin|end)\b")
_LIGATURES = {"---": "—", "--": "–", "``": "“", "''": "”", "~": " ", "&": " "}
_NAMES = "|".join(re.escape(name) for name in _ENVIRONMENTS)
_BEGIN_END = re.compile(rf"\\(begin|end)\s*+\{{(?:{_NAMES})\}}")
_FLOAT = re.compile(r"(?s)\\begin\s*+\{((?:side(?:ways)?|wrap)?table\*?|figure\*?|center)\}.*?(?:\\end\s*+\{\1\}|\Z)")
_CAPTION = re.compile(r"\\caption(?:of\s*+\{\w++\})?\s*+\*?\s*+(?:\[[^\[\]]*+\])?" + GROUP, re.DOTALL)
_MOST_CHARACTERS = 500_000
_BLANK = re.compile(r"\n[ \t]*\n")
_SECTION = re.compile(r"\\(?:sub){0,2}section\*?\s*+\{([^{}]{1,120})\}")
_FRAME = re.compile(r"\\(?:begin|end)\s*+\{[A-Za-z]{1,30}\*?\}(?:\[[^\[\]]{0,40}\])?")  # floats, lists and the like
_NO_PROSE = rf"{_NAMES}|equation\*?|align\*?|thebibliography|lstlisting|tikzpicture"
_ASIDE = re.compile(rf"(?s)\\begin\{{({_NO_PROSE})\}}.*?(?:\\end\{{\1\}}|\Z)")


def read(source: Source) -> Contents:
    """Every outermost tabular of a LaTeX source."""
    text = without_comments(source.text)
    macros, without = definitions(text)
    contents = Contents(source, problems=list(source.notes), paragraphs=_paragraphs(looked_through(text), macros))
    ends = line_ends(text, source.inserted)
    captions = list(_CAPTION.finditer(text))
    starts = [match.start() for match in captions]
    floats = [match.span() for match in _FLOAT.finditer(text)]
    for start, end in _environments(without):
        line = 1 + bisect_left(ends, start)
        if end is None:
            contents.problems.append(f"line {line}: this table environment has no matching \\end")
            continue
        if text[start:end].startswith("\\begin{array}") and "&" not in text[start:end]:
            continue
        with contents.noting(f"line {line}"):
            if end - start > _MOST_CHARACTERS:
                raise UnreadableInput(f"a table of {end - start:,} characters; at most {_MOST_CHARACTERS:,} are read")
            grid = _grid(expand(text[start:end], macros))
            if not grid.rows:
                continue
            # The last caption before the table in its float, or else the first one in it or behind it.
            before = bisect_left(floats, (start, 0)) - 1
            begin, finish = floats[before] if before >= 0 and floats[before][1] >= end else (start, end)
            place = max(bisect_left(starts, begin), bisect_left(starts, start) - 1)
            own = place < len(captions) and captions[place].end() <= finish
            caption = expand(captions[place][1].rstrip("\\ \n"), macros) if own else ""
            contents.add(grid, caption=render_text(caption), line=line)
    return contents


def _environments(text: str) -> Iterator[tuple[int, int | None]]:
    """Start and end of every outermost table environment; no end where it is missing."""
    depth, start = 0, 0
    for match in _BEGIN_END.finditer(text):
        begins = match[1] == "begin"
        start = match.start() if begins and depth == 0 else start
        if depth == 1 and not begins:
            yield start, match.end()
        depth = max(0, depth + (1 if begins else -1))
    if depth > 0:
        yield start, None


def _paragraphs(text: str, macros: Macros) -> Iterator[Paragraph]:
    """The paragraphs of a source without comments, tables and equations; the captions of tables are among them."""
    start, end = text.find(r"\begin{document}"), text.rfind(r"\end{document}")
    text = _ASIDE.sub("\n\n", text[max(start, 0) : end if end > start else len(text)])
    place = ""
    for block in _BLANK.split(_FRAME.sub("\n\n", text)):
        for number, piece in enumerate(_SECTION.split(block)):  # text, title, text, title, text ...
            if number % 2:
                place = f"section {piece.strip()!r}"
                continue
            try:
                yield render_text(expand(piece, macros)).strip(), place
            except (UnreadableInput, RecursionError):
                continue


_HALVES = re.compile(r"@\{[\s${}]*+(?:\\[,;:!][\s${}]*+)*(?:[.,]|\\pm\b|±)")
_RULES = {"toprule", "midrule", "bottomrule", "hline", "cmidrule", "cline", "specialrule", "thickhline", "Xhline"}


def _grid(text: str) -> Table:
    """The grid of one environment; its header rows are guessed where no rule says where they end."""
    lines: list[list[Placed]] = []
    current: list[list[Any]] = [[]]
    rules: list[tuple[int, str]] = []
    part = 0  # the row with which a part of a long table begins
    table = _parse(text)[0]
    given = [argument for argument in table.nodeargd.argnlist if argument is not None]
    for node in table.nodelist:
        name = getattr(node, "macroname", None)
        if name in _RULES:
            rules.append((len(lines), str(name)))
        elif getattr(node, "specials_chars", None) == "&":
            current.append([])
        elif name in ("\\", "tabularnewline", "cr"):
            if not any(getattr(part, "macroname", None) == "caption" for part in current[0]):  # of a long table
                lines.append(list(map(_placed, current)))
            current = [[]]
        elif name in ("endhead", "endfirsthead", "endfoot", "endlastfoot"):
            # A long table repeats its head on every page: what ends before \endhead is a copy of the first head.
            if name != "endfirsthead" and ("endfirsthead" in text or name != "endhead"):
                del lines[part:]
            part = len(lines)
        else:
            current[-1].append(node)
    last = list(map(_placed, current))
    preamble = next((part.latex_verbatim()[1:-1] for part in reversed(given) if part.delimiters[0] == "{"), "")
    if _HALVES.search(preamble):
        raise UnreadableInput("numbers that are cut into two columns (r@{.}l) are not read")
    lines = _without_covered([*lines, last] if any(cell.text for cell in last) else lines)
    return lay(lines, _header_rows(lines, rules))


def _header_rows(lines: list[list[Placed]], rules: list[tuple[int, str]]) -> int | None:
    """The rows above the first midrule, or above the first rule of a table ruled once; None if that says nothing."""
    first = next((row for row, line in enumerate(lines) if any(cell.text for cell in line)), len(lines))
    below_head = next((row for row, name in rules if name == "midrule" and row > first), None)
    inner = {row for row, name in rules if name == "hline" and 0 < row < len(lines)}
    return below_head or (max(inner) if len(inner) == 1 and max(inner) > first else None)


def _placed(nodes: list[Any]) -> Placed:
    """A cell, what it spans unpacked."""
    rows = columns = 1
    while True:
        solid = [node for node in nodes if getattr(node, "macroname", None) or _shown([node])]
        name = getattr(solid[0], "macroname", None) if solid else None
        arguments = [argument for argument in solid[0].nodeargd.argnlist if argument is not None] if name else []
        if name not in ("multicolumn", "multirow") or len(solid) > 1 or len(arguments) < 3:
            return Placed(_shown(nodes), rows, columns, _is_set(nodes, _BOLD), _is_set(nodes, _UNDERLINED))
        text = _shown(arguments[:1]).replace("−", "-")
        if not re.fullmatch(r"[+-]?\d{1,4}", text):
            raise UnreadableInput(f"multicolumn or multirow: expected a whole number, got {text[:20]!r}")
        if name == "multicolumn":
            columns = max(1, abs(int(text)))
        else:
            rows = int(text) or 1
        nodes = [arguments[-1]]


def _without_covered(lines: list[list[Placed]]) -> list[list[Placed]]:
    """The lines without the empty cells into which others reach down; what reaches up stands in its uppermost row."""
    grid = [dict(zip(accumulate((cell.columns for cell in line), initial=0), line, strict=False)) for line in lines]
    for row, cells in enumerate(grid):
        for column, cell in cells.items():
            top = row + cell.rows + 1
            if cell.rows < -1 and top >= 0:
                cells[column] = Placed("")
                if column in grid[top]:
                    grid[top][column] = replace(cell, rows=-cell.rows)
    covered: set[tuple[int, int]] = set()
    result: list[list[Placed]] = []
    for row, cells in enumerate(grid):
        result.append([])
        for column, cell in cells.items():
            if (row, column) in covered and not cell.text:
                continue
            reach, end = range(column, column + cell.columns), row + 1
            while end < min(row + cell.rows, len(grid)) and not any(
                at in grid[end] and grid[end][at].text for at in reach
            ):
                covered.update((end, at) for at in reach)
                end += 1
            result[-1].append(replace(cell, rows=end - row))
    return result


@lru_cache(maxsize=1)
def _context() -> Any:
    from pylatexenc import macrospec
    from pylatexenc.latexwalker import get_default_latex_context_db

    context = get_default_latex_context_db()
    macros = [macrospec.MacroSpec(name, arguments) for name, arguments in _ARGUMENTS.items()]
    context.add_context_category(
        "tables",
        prepend=True,
        macros=[*macros, macrospec.MacroSpec("\\", "*[")],
        environments=[macrospec.EnvironmentSpec(name, arguments) for name, arguments in _ENVIRONMENTS.items()],
        specials=[macrospec.SpecialsSpec(mark) for mark in ("&", "^", "_")],
    )
    search, begin = context.test_for_specials, {marks.specials_chars[0] for marks in context.iter_specials_specs()}
    # The parser asks at every character, and few begin such marks.
    context.test_for_specials = lambda text, at, **how: search(text, at, **how) if text[at] in begin else None
    return context


def _parse(text: str) -> list[Any]:
    """The nodes of a piece of LaTeX; an error that says where it breaks."""
    from pylatexenc.latexwalker import LatexWalker, LatexWalkerError

    depths = accumulate(1 if match[0] in ("{", "\\begin") else -1 for match in _OPENS.finditer(text))
    require_within("depth", max(depths, default=0), "LaTeX groups")  # which the parser would recurse into
    text = _SKIP.sub("", _RULE.sub(r"\\cline{0}", text))
    text = _DING.sub(lambda ding: chr(0x26E0 + int(ding[1])) if 32 < int(ding[1]) < 127 else "•", text)
    try:
        nodes, _, _ = LatexWalker(text, latex_context=_context(), tolerant_parsing=False).get_latex_nodes()
    except LatexWalkerError as error:
        reason = str(error).split("\n")[0].strip()
        raise UnreadableInput(f"broken LaTeX ({reason})") from None
    return [node for node in nodes if node is not None]


def render_text(text: str) -> str:
    r"""The text that a reader of the typeset page sees.

    >>> render_text(r"\textbf{85.45} $\pm$ 1.2\,\%"), render_text("F$_1$"), render_text("$-0.12^{*}$")
    ('85.45 ± 1.2 %', 'F1', '−0.12*')
    >>> render_text(r"\ding{51}, \ding{55}")
    '✓, ✗'
    """
    return _shown(_parse(text))


def _shown(nodes: Sequence[Any]) -> str:
    """The typeset text of nodes, on one line."""
    text = tidy(_render(nodes, math=False))
    return tidy(re.sub(r" ?([±∓×]) ?", r" \1 ", text))


def _render(nodes: Sequence[Any], *, math: bool, before: str = "") -> str:
    """The text of nodes that stand behind ``before``."""
    pieces = [before]
    position = 0
    nodes = [node for node in nodes if node is not None]
    while position < len(nodes):
        node = nodes[position]
        special = getattr(node, "specials_chars", None)
        position += 1
        if special in ("^", "_") and math and position < len(nodes):  # they apply to a group, a macro, or one character
            behind, position = nodes[position], position + 1
            chars = getattr(behind, "chars", None)
            inside = _render([behind], math=True) if chars is None else chars.lstrip()[:1]
            pieces.append(superscript(tidy(inside)) if special == "^" else subscript("".join(pieces[-4:]), inside))
            pieces.append(_characters((chars or "").lstrip()[1:], math=True))
            continue
        end = position
        while end < len(nodes) and getattr(nodes[end], "delimiters", ("",))[0] == "{" and _is_unknown(node):
            end += 1
        if end >= position + 2:
            pieces += [part.latex_verbatim() for part in nodes[position - 1 : end]]
            position = end
        else:
            pieces.append(_text_of(node, math=math, before="".join(pieces[-2:])))
    return "".join(pieces[1:])


def _text_of(node: Any, *, math: bool, before: str) -> str:
    kind = type(node).__name__
    if kind == "LatexCharsNode":
        return _characters(node.chars, math=math)
    if kind in ("LatexGroupNode", "LatexMathNode"):
        return _render(node.nodelist, math=math or kind == "LatexMathNode", before=before)
    if kind == "LatexSpecialsNode":
        return _LIGATURES.get(str(node.specials_chars), str(node.specials_chars))
    if kind == "LatexEnvironmentNode":
        inside = [part for part in node.nodelist if getattr(part, "specials_chars", None) != "&"]
        return f" {_render(inside, math=math)} "
    return "" if kind == "LatexCommentNode" else _macro(node, math=math, before=before)


def _characters(text: str, *, math: bool) -> str:
    if math:
        return re.sub(r"\s+", "", text).replace("-", "−").replace("=", " = ")
    for source, shown in _LIGATURES.items():
        text = text.replace(source, shown)
    return text


def _macro(node: Any, *, math: bool, before: str) -> str:
    name, arguments = node.macroname, _arguments(node)
    if name in _SIGNS:
        return _SIGNS[name]
    if name == "textsubscript":
        return subscript(before, _render(arguments, math=False))
    if name in ("textsuperscript", "tnote"):
        return superscript(tidy(_render(arguments, math=False)))
    if name in _SHOWN:
        shown = arguments[-2:] if name in ("SI", "qty") else arguments[-1:]
        return _render(shown, math=math and name not in ("text", "mbox", "textbf", "textit", "textrm"))
    if _is_unknown(node):
        return _render(arguments, math=math)
    return "" if name in _ARGUMENTS else str(_plain().nodelist_to_text([node]))


def _arguments(node: Any) -> list[Any]:
    return list(node.nodeargd.argnlist or ()) if node.nodeargd is not None else []


def _is_unknown(node: Any) -> bool:
    name = getattr(node, "macroname", None)
    ours = name is None or name in _ARGUMENTS or name in _SIGNS
    return not ours and _plain().latex_context.get_macro_spec(name) is None


@lru_cache(maxsize=1)
def _plain() -> Any:
    """What sets the macros that are not listed here."""
    from pylatexenc.latex2text import LatexNodes2Text

    return LatexNodes2Text()


def _is_set(nodes: Sequence[Any], macros: set[str]) -> bool:
    """Whether a cell is set so as a whole: its only visible node is, or a switch to bold begins it."""
    solid = [node for node in nodes if node is not None and not (hasattr(node, "chars") and not node.chars.strip())]
    name = getattr(solid[0], "macroname", None) if solid else None
    if name in macros and (len(solid) == 1 or name in _SWITCHES):
        return True
    if len(solid) != 1:
        return False
    inside = _arguments(solid[0])[-1:] if name in _SHOWN else getattr(solid[0], "nodelist", None)
    return _is_set(inside or [], macros)
