r"""The text a reader of the typeset page sees, from LaTeX nodes.

Markup is taken off, symbols become characters (``\pm`` is ±, a hyphen in mathematics is a minus sign), and
superscripts are marked. A macro nobody defined that swallows two groups, such as ``\pms{85.4}{1.2}``, is left as
source: gluing its arguments would invent the number 85.41.2.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import takewhile
from typing import Any

from scoreproof.documents.readers.hypertext import subscript, superscript
from scoreproof.documents.table import tidy
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
#: Table environments and their arguments before the first cell.
ENVIRONMENTS = {
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
BOLD = {"textbf", "mathbf", "boldsymbol", "bm", "bfseries", "bf", "boldmath", "pmb"}
UNDERLINED = {"underline", "uline", "ul", "underbar"}
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
_SEPARATOR = re.compile(r"\\\\|\\tabularnewline|(?<!\\)&")
_MARKUP_SHARE = 4  # characters of source for one that is shown
_LIGATURES = {"---": "—", "--": "–", "``": "“", "''": "”", "~": " ", "&": " "}


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
    text = _SKIP.sub("", _RULE.sub(r"\\cline{0}", text))
    text = _DING.sub(lambda ding: chr(0x26E0 + int(ding[1])) if 32 < int(ding[1]) < 127 else "•", text)
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
        groups = list(takewhile(_is_group, behind)) if _is_unknown(node) else []
        if len(groups) >= 2:
            pieces += [part.latex_verbatim() for part in (node, *groups)]
            position += len(groups)
        else:
            pieces.append(_text_of(node, math=math, before="".join([before, *pieces][-2:])))
    return "".join(pieces)


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


def _is_group(node: Any) -> bool:
    return type(node).__name__ == "LatexGroupNode" and node.delimiters[0] == "{"


def _is_unknown(node: Any) -> bool:
    name = getattr(node, "macroname", None)
    ours = name is None or name in _ARGUMENTS or name in _SIGNS
    return not ours and _plain().latex_context.get_macro_spec(name) is None


@lru_cache(maxsize=1)
def _plain() -> Any:
    """What sets the macros that are not listed here."""
    from pylatexenc.latex2text import LatexNodes2Text

    return LatexNodes2Text()


def is_set(nodes: Sequence[Any], macros: set[str]) -> bool:
    """Whether a cell is set so as a whole: its only visible node is, or a switch to bold begins it."""
    solid = [node for node in nodes if node is not None and not (hasattr(node, "chars") and not node.chars.strip())]
    name = getattr(solid[0], "macroname", None) if solid else None
    if name in macros and (len(solid) == 1 or name in _SWITCHES):
        return True
    if len(solid) != 1:
        return False
    inside = _arguments(solid[0])[-1:] if name in _SHOWN else getattr(solid[0], "nodelist", None)
    return is_set(inside or [], macros)
