"""Documented examples of mlscorecheck 1.0.3 on public data sets, on our catalogue, with eps 1e-4."""

from __future__ import annotations

import itertools

import pytest

import scoreproof as sp
from scoreproof.catalog import entries, entry, identify

EPS = "0.0001"


def test_drive_image_01_shows_its_region() -> None:
    found = identify(
        "drive", {"acc": "0.9633", "sens": "0.7406", "spec": "0.9849"}, items=["01"], eps=EPS, chosen={"annotator": "1"}
    )
    verdicts = {reading.choices["region"]: str(result.verdict) for reading, result in found.results}
    assert verdicts == {"fov": "inconsistent", "all": "consistent"}
    assert found.verdict == "consistent"
    assert "all pixels" in str(found)


def test_drive_test_set_shows_its_region() -> None:
    scores = {"acc": "0.9494", "sens": "0.7450", "spec": "0.9793"}
    found = identify("DRIVE", scores, eps=EPS, chosen={"annotator": "1"})
    verdicts = {
        (one.choices["region"], one.choices["aggregation"]): str(result.verdict) for one, result in found.results
    }
    assert verdicts == {
        ("fov", "mean_of_scores"): "consistent",
        ("fov", "score_of_means"): "consistent",
        ("all", "mean_of_scores"): "inconsistent",
        ("all", "score_of_means"): "inconsistent",
    }


def test_tpehg_fits_no_reading() -> None:
    """Fazekas & Kovács 2024, section 5.2: oversampling before cross-validation leaves impossible scores."""
    found = identify("tpehg", {"acc": "0.9447", "sens": "0.9139", "spec": "0.9733"}, folds=5, eps=EPS)
    assert [str(result.verdict) for _, result in found.results] == ["inconsistent"] * 3
    assert found.verdict == "inconsistent"


def test_isic_2016() -> None:
    found = identify("ISIC 2016", {"acc": "0.7916", "sens": "0.2933", "spec": "0.9145"}, eps=EPS)
    assert found.verdict == "consistent"
    assert entry("isic2016").counts(positive="benign") == (304, 75)


def test_isic_2017_one_class_against_the_others() -> None:
    lesions = entry("isic2017")
    assert lesions.counts() == (117, 483)
    assert lesions.counts(positive="seborrheic keratosis") == (90, 510)


@pytest.mark.parametrize(
    ("name", "items", "readings"),
    [
        ("drive", 20, 8),
        ("stare", 20, 4),
        ("chasedb1", 28, 4),
        ("hrf", 45, 4),
        ("diaretdb0", 9, 2),
        ("diaretdb1", 61, 16),
        ("drishti-gs", 51, 8),
    ],
)
def test_usual_readings(name: str, items: int, readings: int) -> None:
    known = entry(name)
    assert len(known.items()) == items
    found = known.readings()
    assert len(found) == readings
    assert len({one.label for one in found}) == readings
    for one in found:
        assert len(one.experiment.to_dict()["parts"]) == items
        assert sp.experiment_from_dict(one.to_dict()["experiment"]) == one.experiment


def test_counts_of_the_images() -> None:
    for one in entry("drive").sets:
        assert one.p + one.n == 565 * 584 or one.at["region"] == "fov"
    for one in entry("diaretdb1").sets:
        assert one.p + one.n == (1500 * 1152 if one.at["region"] == "all" else 1_407_235)
    by_place = {
        (one.item, one.at["lesion"], one.at["confidence"], one.at["region"]): one.p for one in entry("diaretdb1").sets
    }
    for (item, lesion, confidence, region), p in by_place.items():
        assert by_place[item, lesion, confidence, "all"] == p
        assert confidence == "100" or p >= by_place[item, lesion, "100", region]
    assert (
        sum(one.p + one.n for one in entry("diaretdb0").sets if one.item == "3" and one.at["lesion"] == "hardexudates")
        == 130
    )
    assert len(entry("hrf").items(group="h")) == 15
    assert len(entry("chase").items(part="last8")) == 8


def test_the_second_annotator_marked_half_of_drive() -> None:
    assert len(entry("drive").readings(split="train")) == 4
    assert len(entry("drive").readings(split="*")) == 4
    assert len(entry("drive").items(split="*")) == 40


def test_cross_validation_of_one_data_set() -> None:
    readings = entry("tpehg").readings(folds=5, repeats=2)
    assert [one.experiment for one in readings] == [
        sp.KFold(38, 262, 5, 2),
        sp.KFold(38, 262, 5, 2, stratified=False),
        sp.KFold(38, 262, 5, 2, aggregation="score_of_means"),
    ]


def test_common_data_sets() -> None:
    assert len(entries()) == 131
    assert entry("ecoli1").counts() == (77, 259)
    assert entry("Abalone-19").name == "abalone19"
    assert all(one.citation and one.title for one in entries())
    assert len({one.name.lower() for one in entries()}) == 131


def test_isic_2017_subsets_of_classes() -> None:
    lesions = entry("isic2017")
    assert lesions.counts(positive="melanoma", negative="nevus") == (117, 393)
    assert lesions.counts(positive="melanoma+nevus") == (510, 90)
    assert lesions.counts(positive="melanoma", negative="seborrheic keratosis+nevus") == lesions.counts(
        positive="melanoma"
    )


def test_diaretdb1_by_image_and_unions_of_lesions() -> None:
    images, pixels = entry("diaretdb1-images"), entry("diaretdb1")
    for split, total in (("test", 61), ("train", 28)):
        for confidence in ("25", "100"):
            counts = {
                lesion: images.counts(split=split, lesion=lesion, confidence=confidence)
                for lesion in ("he", "se", "he+se")
            }
            assert {sum(pair) for pair in counts.values()} == {total}
            assert max(counts["he"][0], counts["se"][0]) <= counts["he+se"][0] <= counts["he"][0] + counts["se"][0]
            sets = [one for one in pixels.sets if one.at["split"] == split and one.at["lesion"] == "he"]
            shown = [one for one in sets if (one.at["confidence"], one.at["region"]) == (confidence, "fov") and one.p]
            assert counts["he"][0] == len(shown)


LESIONS = ("he", "se", "hr", "rsd")


def test_pixels_of_several_lesions_are_those_of_unions() -> None:
    """By inclusion and exclusion no overlap has fewer than 0 pixels, and none grows with the confidence."""
    pixels, images = entry("diaretdb1"), entry("diaretdb1-images")
    at = {(s.item, s.at["confidence"], s.at["lesion"]): s.p for s in pixels.sets if s.at["region"] == "fov"}
    overlaps: dict[tuple[str, str, frozenset[str]], int] = {}
    for item, confidence in {key[:2] for key in at}:
        union = {frozenset(lesion.split("+")): p for (i, c, lesion), p in at.items() if (i, c) == (item, confidence)}
        union[frozenset()] = 0
        assert len(union) == 16
        for size in range(1, 5):
            for chosen in itertools.combinations(LESIONS, size):
                rest = frozenset(LESIONS) - set(chosen)
                alone = sum(
                    (-1) ** (len(part) + 1) * union[rest | set(part)]
                    for many in range(size + 1)
                    for part in itertools.combinations(chosen, many)
                )
                assert alone >= 0, (item, confidence, chosen)
                parts = (frozenset(p) for many in range(1, size + 1) for p in itertools.combinations(chosen, many))
                overlaps[item, confidence, frozenset(chosen)] = sum((-1) ** (len(p) + 1) * union[p] for p in parts)
    for (item, confidence, chosen), pixels_of_all in overlaps.items():
        following = {"25": "50", "50": "75", "75": "100"}.get(confidence)
        assert following is None or overlaps[item, following, chosen] <= pixels_of_all
    for shown in images.sets:
        place = {"split": shown.at["split"], "confidence": shown.at["confidence"], "lesion": shown.at["lesion"]}
        found = [s for s in pixels.sets if s.at["region"] == "fov" and all(s.at[k] == v for k, v in place.items())]
        assert shown.p == sum(s.p > 0 for s in found), place
