"""Loaders refuse what they should."""

import gzip
import hashlib
import os

import numpy as np
import pytest

from aucbook import datasets as D


@pytest.mark.parametrize("name", list(D.BUNDLED))
def test_bundled_sets(name):
    b = D.load_dataset(name)
    assert set(b.target) == {0, 1} and len(b.data) == len(b.target) and len(b.sha256) == 64


def test_folder_of_files(tmp_path, monkeypatch):
    monkeypatch.setenv("AUCBOOK_DATA", str(tmp_path))
    np.savez(tmp_path / "mine.npz", X=np.eye(3), y=[0, 1, 1], Y=np.eye(3))
    np.savez(
        tmp_path / "sparse.npz",
        X_data=[1.0],
        X_indices=[2],
        X_indptr=[0, 1, 1],
        X_shape=(2, 4),
        y=[0, 1],
    )
    with gzip.open(tmp_path / "text_mine.tsv.gz", "wt") as f:
        f.write("1\tgood text\n0\tother\ttext\n")
    assert D.list_datasets()[-3:] == ["mine", "sparse", "text_mine"]
    assert D.load_dataset("mine").Y.shape == (3, 3)
    assert D.load_dataset("sparse").data.toarray()[0, 2] == 1
    assert D.load_dataset("text_mine").data == ["good text", "other\ttext"]
    (tmp_path / "torn.npz").write_bytes(b"PK not really")
    np.savez(tmp_path / "pima.npz", X=np.eye(2), y=[0, 1])
    for name, word in (
        ("torn", "cannot be read"),
        ("pima", "is not the file the book knows"),
        ("mina", "did you mean 'mine'"),
        ("zzz", "list_datasets"),
    ):
        with pytest.raises(ValueError, match=word):
            D.load_dataset(name)
    with pytest.raises(FileNotFoundError, match="no file of 'w8a'"):
        D.load_dataset("w8a")


def sparse(**change):
    parts = {
        "X_data": [1.0],
        "X_indices": [2],
        "X_indptr": [0, 1, 1],
        "X_shape": (2, 4),
        "y": [0, 1],
    }
    return {**parts, **change}


@pytest.mark.parametrize(
    "arrays, word",
    [
        ({"X": np.eye(3), "y": [0, 1]}, "one 0 or 1 for each of the 3 rows"),
        ({"X": np.eye(3), "y": [0, 1, 2]}, "0 or 1"),
        ({"X": np.eye(2), "y": [1, 1]}, "both present"),
        ({"X": np.arange(2), "y": [0, 1]}, "rows and columns"),
        ({"X": np.array([[{}], [1]]), "y": [0, 1]}, "Object arrays"),
        ({"X": np.eye(2)}, "y"),
        ({"y": [0, 1]}, "X_data"),
        (sparse(X_indices=[9]), "column|indices"),
        (sparse(X_indptr=[0, 1]), "index pointer"),
    ],
)
def test_a_malformed_table_is_refused(tmp_path, monkeypatch, arrays, word):
    monkeypatch.setenv("AUCBOOK_DATA", str(tmp_path))
    np.savez(tmp_path / "table.npz", **arrays)
    with pytest.raises(ValueError, match=f"table.npz cannot be read as a data set: .*({word})"):
        D.load_dataset("table")


@pytest.mark.parametrize(
    "text, word",
    [
        (b"1\ta\n0 b\n", "line 2"),
        (b"spam\ta\n", "line 1"),
        (b"\n", "line 1"),
        (b"", "both present"),
        (b"1\t\xff\n", "utf-8"),
    ],
)
def test_malformed_texts_are_refused(tmp_path, monkeypatch, text, word):
    monkeypatch.setenv("AUCBOOK_DATA", str(tmp_path))
    (tmp_path / "mail.tsv.gz").write_bytes(gzip.compress(text))
    with pytest.raises(ValueError, match=word):
        D.load_dataset("mail")
    (tmp_path / "mail.tsv.gz").write_bytes(
        gzip.compress(b"1\ta\n0\tb\n" * 99)[:-9]
    )  # a truncated file
    with pytest.raises(ValueError, match="cannot be read"):
        D.load_dataset("mail")


def test_details_describe_every_set(tmp_path, monkeypatch):
    monkeypatch.setenv("AUCBOOK_DATA", str(tmp_path))
    np.savez(tmp_path / "a.b.npz", X=np.eye(4, 7), y=[0, 1, 0, 0])
    (tmp_path / "mail.tsv.gz").write_bytes(gzip.compress(b"1\ta\n0\tb\n"))
    rows = {row.pop("name"): row for row in D.list_datasets(details=True)}
    assert list(rows) == D.list_datasets()
    assert (rows["a.b"]["n"], rows["a.b"]["d"], rows["a.b"]["positives"]) == (4, 7, 0.25) and rows[
        "mail"
    ]["d"] is None
    assert rows["a.b"]["sha256"] == hashlib.sha256((tmp_path / "a.b.npz").read_bytes()).hexdigest()


def test_malignant_is_positive():
    assert (
        D.load_dataset("breast_cancer").target.sum() == 212
    )  # scikit-learn: 212 malignant, 357 benign


def test_a_missing_folder_is_reported(monkeypatch):
    monkeypatch.delenv("AUCBOOK_DATA", raising=False)
    assert D.list_datasets() == list(D.BUNDLED)
    with pytest.raises(FileNotFoundError, match="not set"):
        D.load_dataset("pima")
    monkeypatch.setenv("AUCBOOK_DATA", "/no/such/folder")
    with pytest.raises(FileNotFoundError, match="not a folder"):
        D.list_datasets()


@pytest.mark.skipif(not os.environ.get("AUCBOOK_DATA"), reason="AUCBOOK_DATA is not set")
@pytest.mark.parametrize("name", list(D.KNOWN))
def test_known_files_are_what_the_registry_says(name):
    if name not in D.list_datasets():
        pytest.skip("not in the folder")
    row = D.description_of(name, D.load_dataset(name))
    assert (row["n"], row["d"], round(row["n"] * row["positives"])) == D.KNOWN[name][:3]
