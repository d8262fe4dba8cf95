"""Evaluations of two files, what was predicted and what is true: masks, detections, rankings.

Masks are numpy arrays (.npy), detections COCO's JSON, rankings TREC's text: "query Q0 document rank score tag" for a
run, "query 0 document gain" for the judgements.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from scoreproof.csv_reader import read_content
from scoreproof.errors import InvalidValue
from scoreproof.metrics.detection.coco import CocoEvaluation, evaluate_coco
from scoreproof.metrics.retrieval.evaluation import RetrievalEvaluation, evaluate_retrieval
from scoreproof.metrics.segmentation.evaluation import SegmentationEvaluation, evaluate_segmentation

ReferenceTask = Literal["segmentation", "detection", "retrieval"]


def evaluate_files(
    task: ReferenceTask, predicted: Path, reference: Path
) -> SegmentationEvaluation | CocoEvaluation | RetrievalEvaluation:
    """Evaluate a file of predictions against a file of the truth."""
    for path in (predicted, reference):
        if not path.is_file():
            raise InvalidValue(f"{path}: no such file; expected the predictions and the truth of --task {task}")
    if task == "segmentation":
        return evaluate_segmentation(_mask(reference), _mask(predicted))
    if task == "detection":
        return evaluate_coco(reference, predicted)
    return evaluate_retrieval(_trec(reference, 4, gain=3), _trec(predicted, 6, gain=4))


def _mask(path: Path) -> NDArray[Any]:
    try:
        found = np.load(path, allow_pickle=False)
    except (OSError, ValueError) as error:
        raise InvalidValue(f"{path}: expected a mask as a numpy array (.npy), got {str(error)[:60]!r}") from None
    return np.asarray(found)


def _trec(path: Path, width: int, *, gain: int) -> dict[str, dict[str, float]]:
    """{query: {document: number}} of a TREC file; the document stands third."""
    found: dict[str, dict[str, float]] = {}
    for line, row in enumerate(read_content(path).text.split("\n"), start=1):
        words = row.split()
        if not words:
            continue
        try:
            query, document, number = words[0], words[2], float(words[gain])
        except (IndexError, ValueError):
            raise InvalidValue(
                f"{path}, line {line}: expected {width} words with a number in place {gain + 1}"
            ) from None
        if document in found.setdefault(query, {}):
            raise InvalidValue(f"{path}, line {line}: document {document!r} of query {query!r} stands there twice")
        found[query][document] = number
    return found
