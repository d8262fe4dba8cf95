"""Surface metrics against DeepMind's surface-distance and against brute force, SSIM against scikit-image."""

from __future__ import annotations

from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest
import surface_distance.metrics as theirs
from scipy import ndimage
from scipy.spatial.distance import cdist
from skimage.metrics import structural_similarity

from scoreproof.metrics import ssim, surface_distances
from scoreproof.metrics.surfaces import nearest_distances

SPACINGS = {2: [(1.0, 1.0), (0.7, 2.3)], 3: [(1.0, 1.0, 1.0), (0.9, 1.1, 2.5)]}


@pytest.fixture
def _modern_numpy(monkeypatch):
    """surface-distance 0.1 still asks for names that numpy 2 and recent scipy have dropped."""
    monkeypatch.setattr(theirs, "ndimage", SimpleNamespace(filters=ndimage, morphology=ndimage))
    monkeypatch.setattr(np, "Inf", np.inf, raising=False)


def random_masks(seed, ndim):
    rng = np.random.default_rng(seed)
    shape = tuple(rng.integers(5, 14, ndim))
    smooth = ndimage.gaussian_filter(rng.normal(size=(2, *shape)), (0, *[seed % 3 / 2 + 0.4] * ndim))
    first, second = smooth > np.quantile(smooth, rng.uniform(0.3, 0.8))
    return first, second


@pytest.mark.usefixtures("_modern_numpy")
@pytest.mark.parametrize(("ndim", "which"), list(product((2, 3), (0, 1))))
@pytest.mark.parametrize("seed", range(8))
def test_surface_elements(seed, ndim, which):
    truth, predicted = random_masks(seed, ndim)
    spacing = SPACINGS[ndim][which]
    expected = theirs.compute_surface_distances(truth, predicted, spacing)
    found = surface_distances(truth, predicted, spacing=spacing, surface="elements")
    directed = theirs.compute_average_surface_distance(expected)
    assert (found.average_from_truth, found.average_from_predicted) == pytest.approx(directed, rel=1e-9)
    for percentile in (50, 95, 100):
        assert found.hausdorff(percentile) == pytest.approx(
            theirs.compute_robust_hausdorff(expected, percentile), rel=1e-9
        )
    for tolerance in (0.0, 0.85, 1.234, 3.1):
        assert found.surface_dice(tolerance) == pytest.approx(
            theirs.compute_surface_dice_at_tolerance(expected, tolerance), rel=1e-9
        )


@pytest.mark.usefixtures("_modern_numpy")
@pytest.mark.parametrize("ndim", [2, 3])
def test_every_pattern_of_voxels_has_the_right_area(ndim):
    """All 16 (256) neighbourhoods at once: each contributes its own surface to an isolated block."""
    spacing = SPACINGS[ndim][1]
    for code in range(1, 2 ** (2**ndim)):
        mask = np.array([code >> bit & 1 for bit in range(2**ndim)], dtype=bool).reshape((2,) * ndim)
        mask = np.pad(mask, 1)
        expected = theirs.compute_surface_distances(mask, mask, spacing)["surfel_areas_gt"]
        found = surface_distances(mask, mask, spacing=spacing, surface="elements").truth_weights
        assert np.sort(found) == pytest.approx(np.sort(expected), rel=1e-12), code


@pytest.mark.parametrize(("ndim", "connectivity"), [(2, 1), (2, 2), (3, 1), (3, 2), (3, 3)])
@pytest.mark.parametrize("seed", range(6))
def test_surface_voxels_by_brute_force(seed, ndim, connectivity):
    truth, predicted = random_masks(seed, ndim)
    spacing = np.array(SPACINGS[ndim][seed % 2])
    structure = ndimage.generate_binary_structure(ndim, connectivity)
    surfaces = [np.argwhere(mask & ~ndimage.binary_erosion(mask, structure)) * spacing for mask in (truth, predicted)]
    apart = cdist(*surfaces)
    found = surface_distances(truth, predicted, spacing=tuple(spacing), connectivity=connectivity)
    pooled = np.r_[apart.min(axis=1), apart.min(axis=0)]
    assert found.hausdorff() == pytest.approx(pooled.max(), rel=1e-9)
    assert found.hausdorff(95) == pytest.approx(np.percentile(pooled, 95), rel=1e-9)
    assert found.average() == pytest.approx(pooled.mean(), rel=1e-9)
    worse = max(np.percentile(apart.min(axis=axis), 90) for axis in (0, 1))
    assert found.hausdorff(90, combine="directed") == pytest.approx(worse, rel=1e-9)
    assert found.surface_dice(1.5) == pytest.approx((pooled <= 1.5).mean(), rel=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_nearest_distances(seed):
    rng = np.random.default_rng(seed)
    here, there = (np.unique(rng.integers(0, 12, (60, 3)), axis=0) for _ in range(2))
    spacing = np.array((0.9, 1.1, 2.5))
    expected = cdist(here * spacing, there * spacing).min(axis=1)
    np.testing.assert_allclose(nearest_distances(here, there, tuple(spacing)), expected, rtol=1e-12)


def test_far_points_inside_a_hollow_surface():
    """A small ball in the middle of a large shell."""
    centre = np.array([40, 40, 40])
    grid = np.indices((81, 81, 81)).transpose(1, 2, 3, 0) - centre
    shell, ball = (grid**2).sum(-1) < 40**2, (grid**2).sum(-1) < 12**2
    found = surface_distances(shell, ball, connectivity=1)
    outer, inner = (np.argwhere(mask & ~ndimage.binary_erosion(mask)) for mask in (shell, ball))
    expected = ndimage.distance_transform_edt(shell & ndimage.binary_erosion(shell))[tuple(inner.T)]
    np.testing.assert_allclose(found.from_predicted, expected, rtol=1e-12)
    some = outer[::97]
    np.testing.assert_allclose(found.from_truth[::97], cdist(some, inner).min(axis=1), rtol=1e-12)


@pytest.mark.parametrize("ndim", [2, 3])
@pytest.mark.parametrize("seed", range(4))
def test_ssim(seed, ndim):
    rng = np.random.default_rng(seed)
    shape = tuple(rng.integers(13, 20, ndim))
    u = rng.random(shape) * 200
    v = u + rng.normal(size=shape) * 30
    size = int(rng.choice([3, 7, 11]))
    expected = structural_similarity(u, v, data_range=255, win_size=size)
    assert ssim(u, v, data_range=255, size=size).value == pytest.approx(expected, rel=1e-9)
    population = structural_similarity(u, v, data_range=255, win_size=size, use_sample_covariance=False)
    found = ssim(u, v, data_range=255, size=size, covariance="population").value
    assert found == pytest.approx(population, rel=1e-9)
    gaussian = structural_similarity(
        u, v, data_range=255, gaussian_weights=True, sigma=1.5, use_sample_covariance=False
    )
    assert ssim(u, v, data_range=255, window="gaussian").value == pytest.approx(gaussian, rel=1e-9)


def test_global_ssim_is_the_plain_formula():
    u, v = np.random.default_rng(5).random((2, 9, 9))
    c1, c2 = 0.01**2, 0.03**2
    covariance = np.cov(u.ravel(), v.ravel())
    expected = (2 * u.mean() * v.mean() + c1) * (2 * covariance[0, 1] + c2)
    expected /= (u.mean() ** 2 + v.mean() ** 2 + c1) * (np.trace(covariance) + c2)
    assert ssim(u, v, data_range=1, window="global").value == pytest.approx(expected, rel=1e-12)
