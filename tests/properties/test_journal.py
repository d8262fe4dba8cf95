"""A journal gives back what was written, whatever moment the run was killed at, and refuses what is none."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoreproof.errors import InvalidOption, UnreadableInput
from scoreproof.work.journal import Journal


@dataclass(frozen=True)
class Number:
    value: int
    words: str = ""

    def to_dict(self) -> dict[str, Any]:
        return {"value": self.value, "words": self.words}

    @classmethod
    def from_dict(cls, document: dict[str, Any]) -> Number:
        return cls(int(document["value"]), str(document["words"]))


def opened(path: Path | None, kind: str = "numbers", **about: Any) -> Journal[Number]:
    return Journal(path, kind, Number.from_dict, about=about)


RESULTS = st.dictionaries(
    st.text(max_size=8), st.builds(Number, st.integers(), st.text(max_size=8)), min_size=1, max_size=5
)


@given(results=RESULTS, data=st.data())
def test_any_beginning_of_a_journal_is_a_journal(
    tmp_path_factory: pytest.TempPathFactory, results: dict[str, Number], data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("journal") / "run.jsonl"
    with opened(path) as journal:
        for key, result in results.items():
            journal[key] = result
    whole = path.read_bytes()
    path.write_bytes(whole[: data.draw(st.integers(0, len(whole)))])
    with opened(path) as journal:
        kept = {key: journal[key] for key in results if key in journal}
        assert list(kept.items()) == list(results.items())[: len(kept)]
        for key, result in results.items():
            if key not in journal:
                journal[key] = result
    assert path.read_bytes() == whole


def test_what_another_run_wrote_until_the_lock_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "run.jsonl"
    with opened(path) as journal:
        journal["a"] = Number(1)
    locked = Journal._lock

    def last_moment(journal: Journal[Number], file: Any) -> None:
        with path.open("a", encoding="utf-8") as other:
            other.write('{"key": "b", "result": {"value": 2, "words": ""}}\n')
        locked(journal, file)

    monkeypatch.setattr(Journal, "_lock", last_moment)
    with opened(path) as journal:
        assert journal["b"] == Number(2)
        journal["c"] = Number(3)
    assert [json.loads(line).get("key") for line in path.read_text(encoding="utf-8").splitlines()] == [
        None,
        "a",
        "b",
        "c",
    ]


def test_lines_are_written_at_once(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    with opened(path) as journal:
        journal["a"] = Number(1)
        assert json.loads(path.read_text().splitlines()[1]) == {"key": "a", "result": {"value": 1, "words": ""}}
        journal["a"] = Number(2)
    with opened(path) as journal:
        assert journal["a"] == Number(2)


def test_without_a_path_results_are_kept_in_memory() -> None:
    with opened(None) as journal:
        journal["a"] = Number(1)
        assert "a" in journal
        assert journal["a"] == Number(1)
        with pytest.raises(KeyError):
            journal["b"]


@pytest.mark.parametrize(
    "content",
    [
        b"hello",
        b"hello\n",
        b"acc,sens\n0.9,0.8\n",
        b"\xff\xfe\n",
        b"{}\n",
        b"[" * 100_000 + b"\n",
        b'{"journal": "scoreproof audit"}\n',
    ],
)
def test_a_foreign_file_is_refused_and_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "run.jsonl"
    path.write_bytes(content)
    with pytest.raises(UnreadableInput, match="line 1"), opened(path):
        pass
    assert path.read_bytes() == content
    with pytest.raises(UnreadableInput, match="folder"), opened(tmp_path):
        pass


def test_a_broken_line_within_is_named(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    with opened(path) as journal:
        journal["a"], journal["b"] = Number(1), Number(2)
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[0], lines[1][:20], lines[2]]) + "\n")
    with pytest.raises(UnreadableInput, match=r"line 2 is not of one \(broken JSON at column"), opened(path):
        pass
    for broken, words in (
        (lines[2].replace("2", '"two"'), "invalid literal"),
        (lines[2].replace('"value"', '"valve"'), "'value' is missing"),
    ):
        path.write_text("\n".join([*lines[:2], broken]) + "\n")
        with opened(path) as journal:
            assert journal["a"] == Number(1)
            with pytest.raises(UnreadableInput, match=rf"line 3 is not of one \({words}"):
                journal["b"]


def test_a_key_given_twice_is_said_in_words(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    with opened(path) as journal:
        journal["a"] = Number(1)
    path.write_text(path.read_text().replace('"key": "a"', '"key": "a", "key": "b"'))
    with pytest.raises(UnreadableInput, match=r"line 2 is not of one \(the key 'key' is given twice"), opened(path):
        pass


def test_another_setting_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    with opened(path, seed=1, parts=(1, 2)) as journal:
        journal["a"] = Number(1)
    with opened(path, seed=1, parts=(1, 2)) as journal:
        assert "a" in journal
    with pytest.raises(InvalidOption, match="other seed"), opened(path, seed=2, parts=(1, 2)):
        pass
