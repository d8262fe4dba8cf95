r"""The text a reader of the typeset page sees, from LaTeX nodes.

Markup is taken off, symbols become characters (``\pm`` is ±, a hyphen in mathematics is a minus sign), and
superscripts are marked. A macro nobody defined that swallows two groups, such as ``\pms{85.4}{1.2}``, is left as
source: gluing its arguments would invent the number 85.41.2.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import takewhile
from typing import Any

from scoreproof.documents.readers.hypertext import subscript, superscript
from scoreproof.documents.table import tidy
from scoreproof.errors import UnreadableInput
from scoreproof.limits import require_within

# Macros by their arguments as pylatexenc writes them, and by the argument that is shown (None: nothing is).
_SHOWN: dict[str, tuple[str, int | None]] = {
    name: (arguments, shown)
    for arguments, shown, names in (
        ("{", 0,
         "textbf textit textsc textrm textsf texttt textnormal emph underline uline mathbf mathrm mathit mathsf "
         "boldsymbol bm mbox hbox text ensuremath num fbox textup textmd dashuline uwave pmb operatorname ul hl "
         "colhead rot rotcell rothead tablenum textsl overline bar rlap llap mathtt textlf smash centerline "
         "textsuperscript textsubscript tnote"),
        ("[{", 1, "makecell thead shortstack makebox"),
        ("[{{", 2, "parbox textcolor colorbox rotatebox Block"),
        ("{{", 1, "href turnbox adjustbox subtable"),
        ("{[{", 2, "scalebox"),
        ("{{{", 2, "resizebox multicolumn"),
        ("[{[{[{", 5, "multirow"),
        ("{[[{", 3, "multirowcell multirowthead"),
        ("[{", None,
         "SetCell cellcolor rowcolor color raisebox arrayrulecolor columncolor footnote rowfont SetRow SetHline "
         "SetVline SetRows RowStyle tablefootnote"),
        ("{", None,
         "cline vspace hspace phantom hphantom vphantom label ref Xhline arraystretch eqref hhline autoref Cref "
         "cref clineB noalign bibliographystyle"),
        ("[{{", None, "rule SI qty"),
        ("{{", None, "setlength fontsize addtolength setcounter"),
        ("{{{", None, "specialrule rowcolors"),
        ("{[", None, "cdashline"),
        ("[", None, "toprule midrule bottomrule addlinespace hdashline footnotemark thickhline"),
        ("[[{", None,
         "cite citep citet citeauthor citeyear citealp citealt citeyearpar citenum autocite parencite textcite "
         "footcite Cite Citep Citet citen"),
        ("", None,
         "hline centering bfseries itshape small footnotesize scriptsize tiny normalsize bf it rm em large boldmath "
         "noindent raggedright raggedleft displaystyle textstyle relax hfill endhead endfirsthead endfoot "
         "endlastfoot hfil left right scshape ttfamily sffamily rmfamily mdseries upshape strut protect "
         "maketitle today"),
    )
    for name in names.split()
}  # fmt: skip
_SIGNS = {  # beside those that pylatexenc knows
    "ddagger": "‡", "ddag": "‡", "ast": "*", "star": "*", "phi": "φ", "sim": "~", "textminus": "−", "percent": "%",
    "checkmark": "✓", "S": "§", "P": "¶", "circ": "°", "textless": "<", "textgreater": ">", "bullet": "•",
    "enspace": " ", "thinspace": " ", "newline": " ", "linebreak": " ", "-": "", "/": "", "xspace": "",
    "nobreakspace": " ", "par": " ", "textbar": "|", "downarrows": "↓", "dash": "–",
}  # fmt: skip
#: Table environments and their arguments before the first cell.
ENVIRONMENTS = {
    name: arguments
    for arguments, names in (
        ("[{", "tabular longtable longtable* longtabu supertabular supertabular* xtabular mpxtabular array"),
        ("[{", "tblr longtblr talltblr"),
        ("{[{", "tabular* tabularx tabulary xltabular tabu*"),
        ("{", "tabu turn rotate"),
        ("[{[", "NiceTabular NiceArray"),
        ("{[{[", "NiceTabular* NiceTabularX"),
    )
    for name in names.split()
}
_BOLD = {"textbf", "mathbf", "boldsymbol", "bm", "bfseries", "bf", "boldmath", "pmb"}
_SWITCHES = {"bfseries", "bf", "boldmath"}
_UNDERLINED = {"underline", "uline", "ul", "underbar"}
# What the parser's grammar does not know, and what stands for it: \cmidrule(lr){2-3}, \begin{tabu} to \linewidth {lcc},
# \Block{1-2}<\bfseries>{...}, \hskip 2pt, and the numbers of pifont, of which 52 is a check mark.
_REWRITTEN: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (re.compile(r"\\cmidrule\s*+(?:\[[^\[\]]*+\])?\s*+(?:\([^()]*+\))?\s*+\{[^{}]*+\}"), r"\\cline{0}"),
    (re.compile(r"(\\Block(?:\[[^\[\]]{0,60}\])?\{\d{1,3}-\d{1,3}\})<[^<>]{0,60}>"), r"\1"),
    (
        re.compile(r"\\(?:[hv]skip|m?kern)\s*+-?[\d.]{1,8}\s*+[a-z]{2}\b(?:\s*+(?:plus|minus)\s*+[\d.]{1,8}\w{2,4})*+"),
        "",
    ),
    (
        re.compile(r"\\ding\s*+\{\s*+(\d{2,3})\s*+\}"),
        lambda m: chr(0x26E0 + int(m[1])) if 32 < int(m[1]) < 127 else "•",
    ),
    (re.compile(r"(\\begin\{(?:long)?tabu\})\s*+(?:to|spread)\b[^{}\n]{0,60}\{"), r"\1{"),
)
_OPENS = re.compile(r"(?<!\\)[{}]|\\(?:begin|end)\b")
_SEPARATOR = re.compile(r"\\\\|\\tabularnewline|(?<!\\)&")
_MARKUP_SHARE = 4  # characters of source for one that is shown
_LIGATURES = {"---": "—", "--": "–", "``": "“", "''": "”", "~": " ", "&": " "}


@lru_cache(maxsize=1)
def _context() -> Any:
    from pylatexenc import macrospec
    from pylatexenc.latexwalker import get_default_latex_context_db

    context = get_default_latex_context_db()
    macros = [macrospec.MacroSpec(name, arguments) for name, (arguments, _) in _SHOWN.items()]
    context.add_context_category(
        "tables",
        prepend=True,
        macros=[*macros, macrospec.MacroSpec("\\", "*[")],
        environments=[macrospec.EnvironmentSpec(name, arguments) for name, arguments in ENVIRONMENTS.items()],
        specials=[macrospec.SpecialsSpec(mark) for mark in ("&", "^", "_")],
    )
    search = context.test_for_specials
    first = {marks.specials_chars[0] for marks in context.iter_specials_specs()}

    def specials_at(text: str, position: int, parsing_state: Any = None) -> Any:
        """The parser asks at every character, and few begin such marks: a fifth of its time."""
        return search(text, position, parsing_state) if text[position] in first else None

    context.test_for_specials = specials_at
    return context


def parse(text: str) -> list[Any]:
    """The nodes of a piece of LaTeX; an error that says where it breaks."""
    from pylatexenc.latexwalker import LatexWalker, LatexWalkerError

    _check(text)
    for mark, shown in _REWRITTEN:
        text = mark.sub(shown, text)
    try:
        nodes, _, _ = LatexWalker(text, latex_context=_context(), tolerant_parsing=False).get_latex_nodes()
    except LatexWalkerError as error:
        reason = str(error).split("\n")[0].strip()
        raise UnreadableInput(f"broken LaTeX ({reason})") from None
    return [node for node in nodes if node is not None]


def _check(text: str) -> None:
    """Refuse what the parser would recurse into too deeply, or a cell that is far too long, before it begins."""
    depth = deepest = 0
    for match in _OPENS.finditer(text):
        depth += 1 if match[0] in ("{", "\\begin") else -1
        deepest = max(deepest, depth)
    require_within("depth", deepest, "LaTeX groups")
    longest = at = 0
    for match in _SEPARATOR.finditer(text):
        longest, at = max(longest, match.start() - at), match.end()
    require_within("cell_characters", max(longest, len(text) - at) // _MARKUP_SHARE, "LaTeX")


def render_text(text: str) -> str:
    r"""The typeset text of a piece of source.

    >>> render_text(r"\textbf{85.45} $\pm$ 1.2\,\%"), render_text("F$_1$"), render_text("$-0.12^{*}$")
    ('85.45 ± 1.2 %', 'F1', '−0.12*')
    >>> render_text(r"\ding{51}, \ding{55}")
    '✓, ✗'
    """
    return render(parse(text))


def render(nodes: Sequence[Any]) -> str:
    """The typeset text of nodes, on one line."""
    text = tidy(_render(nodes, math=False))
    return tidy(re.sub(r" ?([±∓×]) ?", r" \1 ", text))


def _render(nodes: Sequence[Any], *, math: bool, before: str = "") -> str:
    """The text of nodes that stand behind ``before``."""
    pieces: list[str] = []
    position = 0
    nodes = [node for node in nodes if node is not None]
    while position < len(nodes):
        node, behind = nodes[position], nodes[position + 1 :]
        special = getattr(node, "specials_chars", None)
        position += 1
        if special in ("^", "_") and math and behind:  # they apply to a group, a macro, or one character
            chars, position = getattr(behind[0], "chars", None), position + 1
            inside = _render(behind[:1], math=True) if chars is None else chars.lstrip()[:1]
            raised = special == "^"
            pieces.append(superscript(tidy(inside)) if raised else subscript("".join([before, *pieces[-3:]]), inside))
            pieces.append(_characters((chars or "").lstrip()[1:], math=True))
            continue
        groups = list(takewhile(_is_group, behind)) if hasattr(node, "macroname") and _is_unknown(node) else []
        if len(groups) >= 2:
            pieces += [part.latex_verbatim() for part in (node, *groups)]
            position += len(groups)
        else:
            pieces.append(_one(node, math=math, before="".join([before, *pieces][-2:])))
    return "".join(pieces)


def _one(node: Any, *, math: bool, before: str) -> str:
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
    name = node.macroname
    if name in _SIGNS:
        return _SIGNS[name]
    arguments = _arguments(node)
    if name in ("SI", "qty") and len(arguments) == 3:
        return _render([arguments[1]], math=math) + _render([arguments[2]], math=math)
    if name == "textsubscript":
        return subscript(before, _render(arguments[:1], math=False))
    if name in ("textsuperscript", "tnote"):
        return superscript(tidy(_render(arguments[:1], math=False)))
    if name in _SHOWN:
        shown = _SHOWN[name][1]
        if shown is None or shown >= len(arguments):
            return ""
        inner = name in ("text", "mbox", "textbf", "textit", "textrm") or not math
        return _render([arguments[shown]], math=not inner)
    if _is_unknown(node):
        return "".join(_render([part], math=math) for part in arguments)
    return str(_plain().nodelist_to_text([node]))


def _arguments(node: Any) -> list[Any]:
    return list(node.nodeargd.argnlist or ()) if node.nodeargd is not None else []


def _is_group(node: Any) -> bool:
    return type(node).__name__ == "LatexGroupNode" and node.delimiters[0] == "{"


def _is_unknown(node: Any) -> bool:
    name = node.macroname
    return name not in _SHOWN and name not in _SIGNS and _plain().latex_context.get_macro_spec(name) is None


@lru_cache(maxsize=1)
def _plain() -> Any:
    """What sets the macros that are not listed here."""
    from pylatexenc.latex2text import LatexNodes2Text

    return LatexNodes2Text()


def is_bold(nodes: Sequence[Any]) -> bool:
    """Whether the cell is set in bold as a whole: its only visible node is, or a switch to bold begins it."""
    return _is_set(nodes, _BOLD)


def is_underlined(nodes: Sequence[Any]) -> bool:
    """Whether the cell is underlined as a whole."""
    return _is_set(nodes, _UNDERLINED)


def _is_set(nodes: Sequence[Any], macros: set[str]) -> bool:
    solid = [node for node in nodes if node is not None and not (hasattr(node, "chars") and not node.chars.strip())]
    name = getattr(solid[0], "macroname", None) if solid else None
    if name in macros and (len(solid) == 1 or name in _SWITCHES):
        return True
    if len(solid) != 1:
        return False
    _, shown = _SHOWN.get(str(name), ("", None))
    inside = _arguments(solid[0])[shown : shown + 1] if shown is not None else getattr(solid[0], "nodelist", None)
    return _is_set(inside or [], macros)
