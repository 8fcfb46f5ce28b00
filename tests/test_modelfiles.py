"""Model files: what was written comes back, and what is not ours is told before anything of it is built."""

import numpy as np
import pytest
import sklearn
from sklearn.linear_model import LogisticRegression

pytest.importorskip("skops")
from skops import io

from aucbook import modelfiles
from aucbook.modelfiles import read_model, write_model

X = np.arange(12.0).reshape(6, 2)
Y = np.array([0, 0, 1, 0, 1, 1])
MODEL = LogisticRegression().fit(X, Y)


def test_a_model_comes_back(tmp_path):
    back = read_model(write_model(MODEL, tmp_path / "model.skops"))
    np.testing.assert_array_equal(back.predict_proba(X), MODEL.predict_proba(X))
    assert [p.name for p in tmp_path.iterdir()] == ["model.skops"]


def test_a_file_of_somebody_else(tmp_path):
    io.dump(MODEL, tmp_path / "model.skops")
    with pytest.raises(ValueError, match="is no model file of aucbook"):
        read_model(tmp_path / "model.skops")


def test_another_scikit_learn(tmp_path, monkeypatch):
    with monkeypatch.context() as older:
        older.setattr(sklearn, "__version__", "0.1")
        write_model(MODEL, tmp_path / "model.skops")
    with pytest.raises(ValueError, match="written with scikit-learn 0.1, here is .*install that version, or fit again"):
        read_model(tmp_path / "model.skops")


def test_a_file_whose_parts_do_not_fit_together(tmp_path, monkeypatch):
    path = write_model(MODEL, tmp_path / "model.skops")

    def broken(*args, **kwargs):
        raise TypeError("a part is missing")

    monkeypatch.setattr(
        modelfiles,
        "_skops",
        lambda: type("Broken", (), {"get_untrusted_types": io.get_untrusted_types, "load": broken}),
    )
    with pytest.raises(ValueError, match="cannot be read: a part is missing"):
        read_model(path)


@pytest.mark.parametrize("content", [b"", b"no archive", b"PK\x05\x06" + bytes(18)])
def test_damaged(tmp_path, content):
    (tmp_path / "model.skops").write_bytes(content)
    with pytest.raises(ValueError, match="is no model file, or damaged .copy it again"):
        read_model(tmp_path / "model.skops")


def test_no_file(tmp_path):
    with pytest.raises(ValueError, match="there is no file"):
        read_model(tmp_path / "model.skops")
