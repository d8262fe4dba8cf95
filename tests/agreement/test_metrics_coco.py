"""Detection against pycocotools, and COCO files through the ``detection`` extra, on random boxes."""

from __future__ import annotations

import contextlib
import io
import json

import numpy as np
import pytest
from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval
from pycocotools.mask import encode

from scoreproof.metrics import Box, evaluate_coco, evaluate_detection

NAMES = ("AP", "AP50", "AP75", "APs", "APm", "APl", "AR1", "AR10", "AR100", "ARs", "ARm", "ARl")


def random_case(seed):
    """A few images with crowds, ties of score, stray detections and all three sizes."""
    rng = np.random.default_rng(seed)
    images, classes = range(1, 6), range(1, 4)
    truth, detected = [], []
    for image in images:
        for _ in range(int(rng.integers(0, 7))):
            side = np.exp(rng.uniform(np.log(8), np.log(250), 2))
            box = [*rng.uniform(0, 200, 2).round(1), *side.round(1)]
            kind = int(rng.choice(classes))
            truth.append((image, kind, [float(x) for x in box], int(rng.random() < 0.1)))
            for _ in range(int(rng.integers(0, 4))):
                moved = np.array(box) + rng.normal(size=4) * side.mean() * rng.choice([0.01, 0.06, 0.2])
                moved[2:] = np.maximum(moved[2:], 1)
                other = kind if rng.random() < 0.9 else int(rng.choice(classes))
                detected.append((image, other, [float(x) for x in moved.round(2)], round(float(rng.random()), 1)))
    return list(images), list(classes), truth, detected


def tied_case(seed):
    """Small whole-numbered boxes, so that overlaps and scores are often equal."""
    rng = np.random.default_rng(seed)
    draw = lambda: [*rng.integers(0, 4, 2).tolist(), *rng.integers(1, 5, 2).tolist()]
    truth = [(int(rng.integers(1, 3)), 1, draw(), 0) for _ in range(8)]
    detected = [(int(rng.integers(1, 3)), 1, draw(), float(rng.integers(1, 4))) for _ in range(12)]
    return [1, 2], [1], truth, detected


def coco_documents(case):
    images, classes, truth, detected = case
    annotations = {
        "info": {},
        "images": [{"id": i, "width": 640, "height": 640} for i in images],
        "categories": [{"id": c, "name": str(c)} for c in classes],
        "annotations": [
            {"id": n, "image_id": i, "category_id": c, "bbox": b, "area": b[2] * b[3], "iscrowd": crowd}
            for n, (i, c, b, crowd) in enumerate(truth, 1)
        ],
    }
    results = [{"image_id": i, "category_id": c, "bbox": b, "score": s} for i, c, b, s in detected]
    return annotations, results


def pycoco(annotations, results, kind="bbox"):
    with contextlib.redirect_stdout(io.StringIO()):
        reference = COCO()
        reference.dataset = annotations
        reference.createIndex()
        evaluator = COCOeval(reference, reference.loadRes(results), kind)
        evaluator.evaluate()
        evaluator.accumulate()
        evaluator.summarize()
    return dict(zip(NAMES, evaluator.stats.tolist(), strict=True)), evaluator


def boxes(case):
    _, _, truth, detected = case
    return (
        [Box(i, c, tuple(b), crowd=bool(crowd)) for i, c, b, crowd in truth],
        [Box(i, c, tuple(b), score=s) for i, c, b, s in detected],
    )


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("make", [random_case, tied_case])
def test_lists_of_boxes_agree_with_pycocotools(make, seed):
    case = make(seed)
    expected, evaluator = pycoco(*coco_documents(case))
    result = evaluate_detection(*boxes(case))
    for name, value in expected.items():
        ours = result.summary[name]
        assert (np.isnan(ours) and value == -1) or ours == pytest.approx(value, rel=1e-9), name
    table = evaluator.eval["precision"][:, :, :, 0, 2].mean(axis=1)
    for column, label in enumerate(evaluator.params.catIds):
        if label in result.labels and table[0, column] >= 0:
            mine = result.average_precision[:, result.labels.index(label)]
            np.testing.assert_allclose(mine, table[:, column], rtol=1e-9, atol=1e-15)


def test_of_equal_overlaps_the_last_object_is_taken():
    truth = [(1, 1, [0.0, 0.0, 4.0, 2.0], 0), (1, 1, [2.0, 0.0, 4.0, 2.0], 0)]
    detected = [(1, 1, [1.0, 0.0, 4.0, 2.0], 0.9), (1, 1, [0.0, 0.0, 4.0, 2.0], 0.8)]
    case = [1], [1], truth, detected
    expected, _ = pycoco(*coco_documents(case))
    assert evaluate_detection(*boxes(case)).summary["AP50"] == pytest.approx(expected["AP50"])
    assert expected["AP50"] == pytest.approx(1)


@pytest.mark.parametrize("seed", range(3))
def test_coco_files_agree_with_pycocotools(seed, tmp_path, capsys):
    annotations, results = coco_documents(random_case(seed))
    expected, _ = pycoco(annotations, results)
    (tmp_path / "truth.json").write_text(json.dumps(annotations))
    (tmp_path / "found.json").write_text(json.dumps(results))
    capsys.readouterr()
    found = evaluate_coco(tmp_path / "truth.json", tmp_path / "found.json")
    printed = capsys.readouterr()
    assert printed.out == printed.err == ""
    for name, value in expected.items():
        assert found.summary[name] == pytest.approx(value, rel=1e-9) or value == -1, name


def test_masks_of_coco_files_agree_with_pycocotools(tmp_path):
    images, classes, truth, detected = random_case(2)
    annotations, results = coco_documents((images, classes, truth, detected))
    for item in (*annotations["annotations"], *results):
        x, y, width, height = (round(number) for number in item.pop("bbox"))
        mask = np.zeros((640, 640), dtype=np.uint8, order="F")
        mask[max(y, 0) : y + height + 1, max(x, 0) : x + width + 1] = 1
        code = encode(mask)
        item["segmentation"] = {"size": code["size"], "counts": code["counts"].decode()}
    (tmp_path / "truth.json").write_text(json.dumps(annotations))
    (tmp_path / "found.json").write_text(json.dumps(results))
    expected, _ = pycoco(annotations, results, "segm")
    found = evaluate_coco(tmp_path / "truth.json", tmp_path / "found.json", iou_type="segm")
    assert 0 < expected["AP"] < 1
    for name, value in expected.items():
        assert found.summary[name] == pytest.approx(value, rel=1e-9) or value == -1, name
