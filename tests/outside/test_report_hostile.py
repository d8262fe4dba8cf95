"""Text of a paper that wants to be markup stays text, wherever it stands on the page."""

from __future__ import annotations

import json
import re

import lxml.html
import report_hostile
from report_hostile import SCORES

from scoreproof.pages import to_html

NOT_SHOWN = {
    "experiment explained",  # the smallest conflict says more
    "hypothesis of the table",  # told where one cause is behind several rows
    "reading explained",
    "reason",
    "report",
    "identity of the conflict",  # the words of the conflict say it
    "method of the strength",
    "note of the answer",
    "row explained",  # rows of a table's explanation are counted
    "row in question",
    "row that fits",
    "score in conflict",
}


def test_hostile_text_makes_no_elements() -> None:
    source = to_html(report_hostile.hostile())
    found = lxml.html.document_fromstring(source)
    assert (
        found.xpath("//img | //iframe | //main//script | //@onload | //@onerror | //@onmouseover | //comment()") == []
    )
    assert len(found.xpath("//script[not(@type)]")) == 1
    assert not re.search("[\x00-\x08\u202a-\u202e\u2066-\u2069\u200f]", source)
    for block in found.xpath("//script[@type='application/json']"):
        json.loads(block.text)
    written = re.sub('<script type="application/json" class="certificate".*?</script>', "", source)
    assert written.count("A" * 1000) < 500, "a long text is written out in its cells only"
    assert len(source) < 2_000_000


def test_text_from_anywhere_is_shown_as_text() -> None:
    """Every text is an element that names its place: each place is on the page, and none of them as an element."""
    audit, places = report_hostile.marked()
    page = lxml.html.document_fromstring(to_html(audit))
    assert page.xpath("//i") == []
    data = [json.loads(block.text) for block in page.xpath("//script[@type='application/json']")]
    for block in page.xpath("//script"):
        block.getparent().remove(block)
    shown = " ".join([page.text_content(), *page.xpath("//main//@*")])
    missing = {place for place in places if f"<i>{place}</i>" not in shown}
    in_data = {"certificate", "method of the claim", "name of a score", "error", *(f"{name} text" for name in SCORES)}
    assert missing == NOT_SHOWN | in_data
    kept = json.dumps(data)
    assert all(f"<i>{place}</i>" in kept for place in in_data)
