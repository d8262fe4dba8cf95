"""Whatever a paper holds, the report shows it as text: in HTML, in embedded JSON and in LaTeX."""

from __future__ import annotations

import json

import lxml.html
from hypothesis import given
from hypothesis import strategies as st
from pylatexenc.latexwalker import LatexWalker

from scoreproof.findings.words import cut, embed, visible
from scoreproof.markup import escape_latex
from scoreproof.pages.writer import _environment

TEXTS = st.one_of(
    st.text(max_size=60),
    st.text(alphabet="<>&'\"/=!-[]{}\\%$#_^~`\x00\u202e\u2028 a1;xscript", max_size=60),
    st.sampled_from(["</script>", "<!--", "]]>", "&lt;", "\ud800", "\r\n", "&#x3c;b>"]),
)

PARAGRAPH = _environment().from_string('<p title="{{ text }}">x{{ text }}x</p>')
WHOLE = _environment().from_string(
    "{% import 'macros.html.j2' as m with context %}<div>{{ m.whole(text, most) }}</div>"
)


@given(TEXTS)
def test_html_shows_exactly_the_visible_text(text: str) -> None:
    found = lxml.html.fragment_fromstring(PARAGRAPH.render(text=text))
    assert len(found) == 0
    assert found.text == f"x{visible(text)}x"
    assert found.get("title") == visible(text)


@given(TEXTS, st.integers(1, 30))
def test_a_long_text_is_cut_and_still_there(text: str, most: int) -> None:
    assert len(cut(text, most)) <= most
    found = lxml.html.fragment_fromstring(WHOLE.render(text=text, most=most))
    inner = found.xpath(".//details/div")
    assert (inner[0] if inner else found).text_content() == visible(text)


@given(st.recursive(TEXTS | st.integers() | st.none(), lambda parts: st.lists(parts) | st.dictionaries(TEXTS, parts)))
def test_embedded_json_is_inert_and_complete(document: object) -> None:
    text = embed(document)
    assert text.isascii()
    assert not set(text) & set("<>&")
    assert json.loads(text) == document


@given(TEXTS)
def test_latex_is_ascii_that_parses_and_starts_nothing(text: str) -> None:
    latex = escape_latex(visible(text))
    assert latex.isascii()
    assert "%" not in latex.replace(r"\%", "")
    LatexWalker(latex, tolerant_parsing=False).get_latex_nodes()
