"""Generators have the law they claim; loaders refuse what they should."""
import gzip
import hashlib
import os

import numpy as np
import pytest
from scipy.integrate import trapezoid
from scipy.special import ndtr, ndtri
from scipy.stats import multivariate_normal

from aucbook import datasets as D
from aucbook import roc_auc

GENERATORS = [D.make_binormal, D.make_three_words, D.make_three_gaussians, D.make_flipped, D.make_separated, D.make_gauss2d]


@pytest.mark.parametrize("make", GENERATORS)
def test_the_seed_decides(make):
    a, b, c = (make(random_state=seed) for seed in (0, 0, 1))
    assert all(np.array_equal(u, v) for u, v in zip(a, b)) and not all(np.array_equal(u, v) for u, v in zip(a, c))


def test_binormal_has_its_closed_form():
    y, s = D.make_binormal(4000, 4000, mu=1.3, sigma=2, random_state=0)
    assert roc_auc(y, s) == pytest.approx(D.binormal_auc(1.3, 2), abs=0.03)      # five standard errors of an AUC at 4000 + 4000
    u = (np.arange(20_000) + 0.5) / 20_000
    assert D.binormal_roc(u, 1.3, 2).mean() == pytest.approx(D.binormal_auc(1.3, 2), abs=1e-4)      # midpoint rule


@pytest.mark.parametrize("mu, sigma, alpha, beta", [(1, 1, 0, 0.1), (1.3, 2, 0.1, 0.3), (-0.5, 0.7, 0.2, 0.8), (0, 3, 0.5, 1)])
def test_partial_binormal_area_equals_the_integral(mu, sigma, alpha, beta):
    z = np.linspace(max(ndtri(alpha), -12), min(ndtri(beta), 12), 20_001)      # u = ndtr(z) makes the integrand smooth
    area = trapezoid(D.binormal_roc(ndtr(z), mu, sigma) * np.exp(-z**2 / 2), z)
    assert D.binormal_auc(mu, sigma, alpha, beta) == pytest.approx(area / np.sqrt(2 * np.pi) / (beta - alpha), abs=1e-6)      # trapezoid error: step^2 ~ 1e-6


def test_partial_areas_add_up():
    low, high = D.binormal_auc(1, 2, 0, 0.3), D.binormal_auc(1, 2, 0.3, 1)
    assert 0.3 * low + 0.7 * high == pytest.approx(D.binormal_auc(1, 2), abs=1e-12)


def test_unit_square():
    X, y = D.make_gauss2d(20_000, random_state=0)
    assert X.min() >= 0 and X.max() <= 1 and y.mean() == pytest.approx(0.5, abs=0.02)      # five standard errors
    best = roc_auc(y, D.gauss2d_score(X))
    # nothing beats the likelihood ratio, up to 4 standard errors of a paired difference (correlated scores: se < .002)
    assert all(best > roc_auc(y, rival) - 0.008 for rival in (-X[:, 0], -X.sum(1), X[:, 1] - X[:, 0]))
    near = multivariate_normal(D._SQUARE_MEAN[1], D._SQUARE_COV[1]).logpdf(X) - multivariate_normal(D._SQUARE_MEAN[0], D._SQUARE_COV[0]).logpdf(X)
    assert np.ptp(near - D.gauss2d_score(X)) < 1e-9


def test_theorem_5_has_its_two_staircases():
    """Paper 2, Eqs. 54-55: sums of monotone functions of the coordinates score every point exactly +-lambda/(k-1)."""
    for k in (2, 3, 7):
        X, y = D.make_alternating(k)
        step, block = np.linspace(-1, 1, k), np.arange(4 * k - 4) // 2
        score = step[(block + 1) // 2] - (step[1:] + step[:-1])[block // 2] / 2
        assert score == pytest.approx((2 * y - 1) / (k - 1))


def test_shapes_and_shares():
    X, y = D.make_two_doctors()
    assert X.shape == (9, 2) and y.sum() == 4
    for example, total in (("4.1", 201), ("4.2", 120)):
        X, y = D.make_groups(example)
        assert X.shape == (400, 2) and y.sum() == total
    X, y = D.make_three_words(0)
    assert X.shape == (700, 3) and len(np.unique(X, axis=0)) == 7
    X, y = D.make_alternating(4, 3)
    assert (X[:, 0] == -X[:, 1]).all() and y[0] == 0 and y[-1] == 1 and np.abs(np.diff(y)).sum() == 2 * 4 - 3


@pytest.mark.parametrize("which", [1, 2, 3])
def test_three_gaussians_have_their_covariances(which):
    X, y = D.make_three_gaussians(which, 40_000, random_state=0)
    assert np.cov(X[y == 1].T) == pytest.approx(D._COV_POS, abs=0.2)      # entries up to 6 with 40 000 rows: se < .05
    assert np.cov(X[y == 0].T) == pytest.approx(D._COV_NEG, abs=0.2)
    assert X[y == 1].mean(0) == pytest.approx([D._MEANS[which][0]] * 3, abs=0.06)


def test_flipped_features_follow_long_and_servedio():
    X, y, clean = D.make_flipped(8000, 0.2, random_state=0, return_clean=True)
    right = X == clean[:, None]
    kinds = {(21, 11), (11, 11), (11, 5)}      # (right in all, right among the first 11)
    assert set(zip(right.sum(1), right[:, :11].sum(1))) == kinds
    assert np.mean(y != clean) == pytest.approx(0.2, abs=0.02)      # four standard errors
    assert np.array_equal(D.make_flipped(8000, 0.2, random_state=0)[1], y)


def test_separated_clouds_are_as_far_as_said():
    for direction in ("axis", "oblique"):
        X, y = D.make_separated(20_000, direction, 2.0, random_state=0)
        assert np.linalg.norm(X[y == 1].mean(0) - X[y == 0].mean(0)) == pytest.approx(2, abs=0.1)


@pytest.mark.parametrize("call, word", [(lambda: D.make_groups("4.3"), "example"), (lambda: D.make_three_gaussians(4), "which"), (lambda: D.make_flipped(noise_rate=0.5), "noise_rate"),
                                        (lambda: D.make_separated(direction="up"), "direction"), (lambda: D.make_alternating(1), "k must"),
                                        (lambda: D.binormal_auc(alpha=0.5, beta=0.5), "alpha"), (lambda: D.binormal_auc(sigma=0), "sigma")])
def test_bad_arguments_are_named(call, word):
    with pytest.raises(ValueError, match=word):
        call()


@pytest.mark.parametrize("name", list(D._BUNDLED))
def test_bundled_sets(name):
    b = D.load_dataset(name)
    assert set(b.target) == {0, 1} and len(b.data) == len(b.target) and len(b.sha256) == 64


def test_folder_of_files(tmp_path, monkeypatch):
    monkeypatch.setenv("AUCBOOK_DATA", str(tmp_path))
    np.savez(tmp_path / "mine.npz", X=np.eye(3), y=[0, 1, 1], Y=np.eye(3))
    np.savez(tmp_path / "sparse.npz", X_data=[1.0], X_indices=[2], X_indptr=[0, 1, 1], X_shape=(2, 4), y=[0, 1])
    with gzip.open(tmp_path / "text_mine.tsv.gz", "wt") as f:
        f.write("1\tgood text\n0\tother\ttext\n")
    assert D.list_datasets()[-3:] == ["mine", "sparse", "text_mine"]
    assert D.load_dataset("mine").Y.shape == (3, 3)
    assert D.load_dataset("sparse").data.toarray()[0, 2] == 1
    assert D.load_dataset("text_mine").data == ["good text", "other\ttext"]
    (tmp_path / "torn.npz").write_bytes(b"PK not really")
    np.savez(tmp_path / "pima.npz", X=np.eye(2), y=[0, 1])
    for name, word in (("torn", "cannot be read"), ("pima", "is not the file the book knows"), ("mina", "did you mean 'mine'"), ("zzz", "list_datasets")):
        with pytest.raises(ValueError, match=word):
            D.load_dataset(name)
    with pytest.raises(FileNotFoundError, match="no file of 'w8a'"):
        D.load_dataset("w8a")


def sparse(**change):
    parts = {"X_data": [1.0], "X_indices": [2], "X_indptr": [0, 1, 1], "X_shape": (2, 4), "y": [0, 1]}
    return {**parts, **change}


@pytest.mark.parametrize("arrays, word", [
    ({"X": np.eye(3), "y": [0, 1]}, "one 0 or 1 for each of the 3 rows"), ({"X": np.eye(3), "y": [0, 1, 2]}, "0 or 1"), ({"X": np.eye(2), "y": [1, 1]}, "both present"),
    ({"X": np.arange(2), "y": [0, 1]}, "rows and columns"), ({"X": np.array([[{}], [1]]), "y": [0, 1]}, "Object arrays"), ({"X": np.eye(2)}, "y"), ({"y": [0, 1]}, "X_data"),
    (sparse(X_indices=[9]), "column|indices"), (sparse(X_indptr=[0, 1]), "index pointer")])
def test_a_malformed_table_is_refused(tmp_path, monkeypatch, arrays, word):
    monkeypatch.setenv("AUCBOOK_DATA", str(tmp_path))
    np.savez(tmp_path / "table.npz", **arrays)
    with pytest.raises(ValueError, match=f"table.npz cannot be read as a data set: .*({word})"):
        D.load_dataset("table")


@pytest.mark.parametrize("text, word", [(b"1\ta\n0 b\n", "line 2"), (b"spam\ta\n", "line 1"), (b"\n", "line 1"), (b"", "both present"), (b"1\t\xff\n", "utf-8")])
def test_malformed_texts_are_refused(tmp_path, monkeypatch, text, word):
    monkeypatch.setenv("AUCBOOK_DATA", str(tmp_path))
    (tmp_path / "mail.tsv.gz").write_bytes(gzip.compress(text))
    with pytest.raises(ValueError, match=word):
        D.load_dataset("mail")
    (tmp_path / "mail.tsv.gz").write_bytes(gzip.compress(b"1\ta\n0\tb\n" * 99)[:-9])      # a truncated file
    with pytest.raises(ValueError, match="cannot be read"):
        D.load_dataset("mail")


def test_details_describe_every_set(tmp_path, monkeypatch):
    monkeypatch.setenv("AUCBOOK_DATA", str(tmp_path))
    np.savez(tmp_path / "a.b.npz", X=np.eye(4, 7), y=[0, 1, 0, 0])
    (tmp_path / "mail.tsv.gz").write_bytes(gzip.compress(b"1\ta\n0\tb\n"))
    rows = {row.pop("name"): row for row in D.list_datasets(details=True)}
    assert list(rows) == D.list_datasets()
    assert (rows["a.b"]["n"], rows["a.b"]["d"], rows["a.b"]["positives"]) == (4, 7, 0.25) and rows["mail"]["d"] is None
    assert rows["a.b"]["sha256"] == hashlib.sha256((tmp_path / "a.b.npz").read_bytes()).hexdigest()


def test_malignant_is_positive():
    assert D.load_dataset("breast_cancer").target.sum() == 212      # scikit-learn: 212 malignant, 357 benign


def test_a_missing_folder_is_said(monkeypatch):
    monkeypatch.delenv("AUCBOOK_DATA", raising=False)
    assert D.list_datasets() == list(D._BUNDLED)
    with pytest.raises(FileNotFoundError, match="not set"):
        D.load_dataset("pima")
    monkeypatch.setenv("AUCBOOK_DATA", "/no/such/folder")
    with pytest.raises(FileNotFoundError, match="not a folder"):
        D.list_datasets()


@pytest.mark.skipif(not os.environ.get("AUCBOOK_DATA"), reason="AUCBOOK_DATA is not set")
@pytest.mark.parametrize("name", list(D._KNOWN))
def test_known_files_are_what_the_registry_says(name):
    if name not in D.list_datasets():
        pytest.skip("not in the folder")
    row = D._describe(name, D.load_dataset(name))
    assert (row["n"], row["d"], round(row["n"] * row["positives"])) == D._KNOWN[name][:3]
