"""Model files: what was written is read back; foreign, altered and inconsistent files are refused before they score."""

import io
import itertools
import json
import math
import os
import re
import subprocess
import sys
import zipfile
from dataclasses import replace

import numpy as np
import pytest
import sklearn
from altered_models import (
    KINDS,
    NUMBERS,
    altered,
    is_wrong,
    outcome,
    read,
    rows_for,
    scored,
    survey,
)
from discovery import SMALL_DATA, small
from models_in_files import NOT_KEPT, OF_SCIKIT_LEARN, OURS, TREE, boosters, decisions, fitted
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression

pytest.importorskip("skops")
import skops.io

from aucbook import default_rankers, load_decision
from aucbook._base.ranker import fitted_scores
from aucbook._tables.files import FileError
from aucbook.boosting import weak_rankers as weak
from aucbook.cli import main
from aucbook.deployment import model_files as modelfiles
from aucbook.deployment.model_files import (
    SEAL,
    digest,
    is_ours,
    model_bytes,
    pack,
    read_model,
    unpack,
    write_model,
)
from aucbook.model_selection import tuned

X = np.arange(12.0).reshape(6, 2)
Y = np.array([0, 0, 1, 0, 1, 1])
MODEL = LogisticRegression().fit(X, Y)
KEPT = {**OURS, **OF_SCIKIT_LEARN, **boosters()}
METHODS = ("decision_function", "predict_proba", "predict")


def test_a_model_is_read_back_equal(tmp_path):
    back = read_model(write_model(MODEL, tmp_path / "model.skops"))
    np.testing.assert_array_equal(back.predict_proba(X), MODEL.predict_proba(X))
    assert [p.name for p in tmp_path.iterdir()] == ["model.skops"]


@pytest.mark.filterwarnings("ignore")  # so few rounds: some rankers say so
@pytest.mark.parametrize("name", KEPT)
def test_every_ranker_is_read_back_equal(tmp_path, name):
    model = fitted(KEPT[name])
    before = fitted_scores(model, SMALL_DATA[0], METHODS)
    back = read_model(write_model(model, tmp_path / "model.skops"))
    assert type(back) is type(model)
    np.testing.assert_array_equal(fitted_scores(back, SMALL_DATA[0], METHODS), before)
    np.testing.assert_array_equal(
        fitted_scores(model, SMALL_DATA[0], METHODS), before
    )  # writing changed nothing


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", NOT_KEPT)
def test_what_could_not_be_read_is_not_written(tmp_path, name):
    model, message = NOT_KEPT[name]
    with pytest.raises(
        ValueError,
        match=f"this model cannot be kept in a model file: .*({message}).*; save it with",
    ):
        write_model(clone(model).fit(*SMALL_DATA), tmp_path / "model.skops")
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_altered_files_neither_crash_nor_hang(tmp_path):
    """Every kind of model with two changes of each kind; the full run is `python tests/altered_models.py FOLDER 200`."""
    for name, model in KEPT.items():
        write_model(fitted(model), tmp_path / f"{name}.skops")
    for name, decision in decisions().items():
        decision.save(tmp_path / f"{name}.skops")
    outcomes = survey(tmp_path, 2)
    assert len(outcomes) == 2 * len(KINDS) * len(list(tmp_path.glob("*.skops")))
    assert not [line for line in outcomes if is_wrong(line[1], line[3])]
    assert {result.split(":")[0] for *_, result in outcomes} >= {"refused", "same", "other"}


def test_equal_models_make_equal_files(tmp_path):
    """Numbers of parts are not the addresses of objects, and a file has no time of day."""
    for name in ("TreeRankForest", "histogram", "vote"):
        first, second = fitted(KEPT[name]), fitted(KEPT[name])
        assert model_bytes(first) == model_bytes(second)


def swapped_outcomes(name, tmp_path):
    """Outcomes of exchanging each pair of arrays in a model's file."""
    path = write_model(fitted(KEPT[name]), tmp_path / "model.skops")
    model = read(path)
    X, names = rows_for(model)
    expected = scored(model, X, names)
    parts = files_in(path)
    arrays = sorted(member for member in parts if member.endswith(".npy"))
    for one, two in itertools.combinations(arrays, 2):
        (tmp_path / "model.changed").write_bytes(pack(parts | {one: parts[two], two: parts[one]}))
        yield outcome(tmp_path / "model.changed", X, names, expected)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["process", "discriminant", "quadratic discriminant", "machine"])
def test_exchanged_arrays_are_detected(tmp_path, name):
    outcomes = list(swapped_outcomes(name, tmp_path))
    assert set(outcomes) != {"same"}
    assert not [result for result in outcomes if is_wrong("parts swapped", result)]


@pytest.mark.slow
def test_altered_files_of_some_kinds(tmp_path):
    """The quick part: a forest of ours, trees of scikit-learn's, a decision."""
    for name in ("TreeRankForest", "gradient boosting", "machine"):
        write_model(fitted(KEPT[name]), tmp_path / f"{name}.skops")
    decisions()["decision of a line"].save(tmp_path / "decision of a line.skops")
    outcomes = survey(tmp_path, 5)
    assert len(outcomes) == 20 * len(KINDS)
    assert not [line for line in outcomes if is_wrong(line[1], line[3])]


def forged(name, change, tmp_path):
    """What `read_model` says of a model that `change` altered before it was written, with a digest of its own."""
    model = fitted(KEPT[name])
    change(model)
    (tmp_path / "model.skops").write_bytes(model_bytes(model))
    with pytest.raises(
        FileError, match="is damaged or was altered, so it was not loaded"
    ) as refused:
        read_model(tmp_path / "model.skops")
    with pytest.raises(ValueError, match="cannot be kept"):
        write_model(model, tmp_path / "other.skops")
    return str(refused.value)


def set_at(array, place, value):
    array[place] = value


def alter_word(words, place, bits):
    words[place] ^= np.uint64(bits)


def mapper(model):
    return vars(model)["_bin_mapper"]


def nodes(model):
    """The first tree's nodes of a histogram gradient boosting."""
    return vars(model)["_predictors"][0][0].nodes


def files_in(path):
    """Dict name -> bytes of an archive, the seal left out."""
    parts = unpack(path.read_bytes())
    parts.pop(SEAL)
    return parts


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "name, change, words",
    [
        ("TreeRank", lambda m: set_at(m.tree_.left, 0, 10**6), "children"),
        (
            "TreeRank",
            lambda m: set_at(m.tree_.left, m.tree_.left > 0, m.tree_.left[0]),
            "children",
        ),  # a circle
        ("TreeRank", lambda m: set_at(m.tree_.column, 0, 3), "column"),
        ("TreeRank", lambda m: set_at(m.tree_.column, 0, -2), "column"),
        ("TreeRank", lambda m: setattr(m.tree_, "threshold", m.tree_.threshold[:-1]), "threshold"),
        ("TreeRank", lambda m: setattr(m.tree_, "left", m.tree_.left.astype(float)), "left"),
        ("TreeRank", lambda m: delattr(m, "n_features_in_"), r"n_features_in_ missing"),
        ("TreeRank", lambda m: setattr(m, "_scores", m._scores[:2]), "values of a tree's leaves"),
        ("TreeRank by trees", lambda m: set_at(m.tree_.rules[0].tree.column, 0, 9), "column"),
        ("TreeRankForest", lambda m: set_at(m.trees_[0].left, 0, 10**6), "children"),
        ("TreeRankForest", lambda m: set_at(m.trees_[0].column, 0, 3), "column"),
        (
            "TreeRankForest",
            lambda m: set_at(m.trees_[0].left, -1, 1),
            "children",
        ),  # a leaf that sends rows back
        ("TreeRankForest", lambda m: set_at(m.trees_[0].leaves, 0, 0), "leaves"),
        ("TreeRankForest", lambda m: m._bins.edges.pop(), "column"),
        ("TreeRankForest", lambda m: m._bins.edges.append(m._bins.edges[0]), "trees"),
        ("TreeRankBoost as printed", lambda m: alter_word(m._walks[0][0], 0, 2**42), "children"),
        ("TreeRankBoost as printed", lambda m: alter_word(m._walks[0][0], 0, 4 << 44), "column"),
        (
            "TreeRankBoost as printed",
            lambda m: alter_word(m._walks[0][0], -1, 2**8),
            "children",
        ),  # a leaf that sends rows on
        (
            "TreeRankBoost as printed",
            lambda m: alter_word(m._walks[0][0], -1, 2**43),
            "children",
        ),  # a leaf that does not say so: rows would stay for ever
        ("TreeRankBoost as printed", lambda m: setattr(m, "_share", m._share[:1]), "rivals"),
        ("MartiRank", lambda m: m.levels_[-1].pop(), "level 2"),
        ("MartiRank", lambda m: setattr(m.levels_[0][0], "ranker", 3), "cut"),
        ("KNNRanker", lambda m: set_at(m._known.indices, 0, 10**6), "ind"),
        ("KNNRanker", lambda m: set_at(m._known.data, 0, np.nan), "documents"),
        ("KNNRanker", lambda m: setattr(m, "_w", m._w[:1]), "weights"),
        ("Nscore", lambda m: set_at(m._which, 0, 10**6), "asked"),
        ("AUCBoost", lambda m: set_at(m.stages_, 0, m.stages_[0]._replace(ranker=3)), "cut"),
        ("AdditiveRanker", lambda m: set_at(m._votes, 0, m._votes[0][:1]), "votes"),
        ("PartialAUCSVM", lambda m: setattr(m, "coef_", m.coef_[:, :2]), "coef_"),
        ("random forest", lambda m: setattr(m, "n_features_in_", 2), "trees of a forest"),
        ("tree", lambda m: setattr(m, "n_features_in_", 2), "nodes"),
        ("tree", lambda m: setattr(m, "n_classes_", np.int64(0)), "index|score"),
        (
            "gradient boosting",
            lambda m: setattr(m.estimators_[1, 0], "tree_", None),
            "trees of a forest",
        ),
        (
            "gradient boosting",
            lambda m: setattr(m, "n_trees_per_iteration_", 2),
            "trees of a round",
        ),
        ("histogram", lambda m: set_at(nodes(m)["left"], 0, 0), "children"),
        ("histogram", lambda m: set_at(nodes(m)["right"], 0, 2**31), "children"),
        ("histogram", lambda m: set_at(nodes(m)["feature_idx"], 0, 3), "column"),
        (
            "histogram of levels",
            lambda m: set_at(mapper(m).bin_thresholds_[0], 0, 900.0),
            "levels of a column",
        ),
        ("machine", lambda m: set_at(vars(m)["_n_support"], 0, 999), "_n_support"),
        (
            "machine",
            lambda m: setattr(m, "support_vectors_", m.support_vectors_[:, :1].copy()),
            "support_vectors_",
        ),
        (
            "machine",
            lambda m: setattr(m, "_dual_coef_", vars(m)["_dual_coef_"][:, :1].copy()),
            "_dual_coef_",
        ),
        ("neighbours", lambda m: set_at(vars(m)["_y"], 0, 7), "class of a stored row"),
        ("neighbours", lambda m: set_at(vars(m)["_fit_X"], (0, 0), np.nan), "_fit_X"),
        ("line", lambda m: set_at(m.coef_, (0, 0), np.inf), "coef_"),
        ("line", lambda m: setattr(m, "coef_", m.coef_[:, :1]), "coef_"),
        ("random forest", lambda m: setattr(m, "n_jobs", 10**9), "n_jobs"),
        (
            "levels",
            lambda m: vars(vars(m[0])["_encoder"]).update(_n_features_outs=[1, 1, 1]),
            "number of columns",
        ),
        (
            "clusters",
            lambda m: setattr(m[0], "cluster_centers_", m[0].cluster_centers_[:, :1].copy()),
            "cluster_centers_",
        ),
        ("RankingEnsemble", lambda m: delattr(m, "_zero"), "_zero"),
        (
            "FeatureRanker",
            lambda m: [delattr(m, key) for key in ("column_", "sign_", "edge_")],
            "not fitted|column_",
        ),
    ],
)
def test_numbers_that_no_kernel_can_follow(tmp_path, name, change, words):
    assert any(word in forged(name, change, tmp_path) for word in words.split("|"))


def test_a_split_by_what_is_missing(tmp_path):
    """Its threshold is infinite, and missing values go right: any other infinite threshold is none of scikit-learn's."""
    rng = np.random.default_rng(0)
    rows = np.where(rng.random(X.shape) < 0.3, np.nan, X)
    model = RandomForestClassifier(20, random_state=0).fit(rows, Y)
    path = tmp_path / "model.skops"
    again = read_model(write_model(model, path))
    np.testing.assert_array_equal(again.predict_proba(rows), model.predict_proba(rows))
    tree = next(t.tree_ for t in model.estimators_ if np.isinf(t.tree_.threshold).any())
    split = np.flatnonzero(np.isinf(tree.threshold))[0]
    for wrong, left in ((-np.inf, 0), (np.nan, 0), (np.inf, 1)):
        tree.threshold[split], tree.missing_go_to_left[split] = wrong, left
        path.write_bytes(model_bytes(model))
        with pytest.raises(FileError, match="inconsistency in the values of a tree"):
            read_model(path)


def test_a_tree_of_another_library_that_points_outside(tmp_path):
    write_model(fitted(TREE), path := tmp_path / "model.skops")
    members = files_in(path)
    name, table = next(
        (name, c) for name, c in members.items() if name.endswith(".npy") and b"left_child" in c
    )
    at = 10 + int.from_bytes(
        table[8:10], "little"
    )  # the root's left child, the first number behind the header
    members[name] = table[:at] + (10**6).to_bytes(8, "little") + table[at + 8 :]
    path.write_bytes(pack(members))
    with pytest.raises(FileError, match="inconsistency in the children of a tree's nodes"):
        read_model(path)


def test_classes_of_the_package_are_trusted(monkeypatch):
    assert (
        is_ours("aucbook.trees.forest.TreeRankForest")
        and is_ours("aucbook._numerics.binning.Bins")
        and is_ours("aucbook._base.ranker.FittedScores")
    )
    for name in (
        "aucbook.metrics.roc.partial_auc",  # a function
        "aucbook.trees.treerank.TreeRank.fit",
        "aucbook.trees.forest.TreeRank",  # which has another home
        "aucbook.trees.forest.np",
        "aucbook._base.progress.PlainLines",  # no part of a model
        "aucbook._tables.files.FileError",
        "aucbook.cli.Parser",
        "aucbook.cli.lab.subprocess",
        "aucbook.nowhere.Thing",
        "aucbook",
        "os.system",
    ):
        assert not is_ours(name), name

    class New(sklearn.base.BaseEstimator):
        __module__ = "aucbook.boosting.weak_rankers"

    monkeypatch.setattr(weak, "New", New, raising=False)
    assert is_ours("aucbook.boosting.weak_rankers.New")


def test_a_function_of_the_package_is_not_trusted(tmp_path):
    schema = {
        "__class__": "partial_auc",
        "__module__": "aucbook.metrics.roc",
        "__loader__": "FunctionNode",
    }
    schema |= {"protocol": 2, "_skops_version": "0.11", "__id__": 1}
    (tmp_path / "model.skops").write_bytes(pack({"schema.json": json.dumps(schema).encode()}))
    with pytest.raises(FileError, match="nothing of it was built: aucbook.metrics.roc.partial_auc"):
        read_model(tmp_path / "model.skops")


def test_a_model_without_a_digest_is_refused_with_a_sentence(tmp_path):
    """Files of 0.2.0 and before have none."""
    skops.io.dump({"format": "aucbook model 1", "model": MODEL}, tmp_path / "model.skops")
    with pytest.raises(
        FileError, match=r"no digest of its parts.*0\.2\.0 or older; fit again with this one"
    ):
        read_model(tmp_path / "model.skops")


def test_a_search_is_written_as_its_best_estimator(tmp_path):
    search = tuned(small("FeatureRanker"), {"n_bins": [4, None]}).fit(*SMALL_DATA)
    pipeline = sklearn.pipeline.make_pipeline(sklearn.preprocessing.StandardScaler(), search).fit(
        *SMALL_DATA
    )
    for model in (search, pipeline):
        back = read_model(write_model({"model": model}, tmp_path / "model.skops"))["model"]
        np.testing.assert_array_equal(
            fitted_scores(back, SMALL_DATA[0]), fitted_scores(model, SMALL_DATA[0])
        )


def test_a_model_of_another_version(tmp_path, monkeypatch):
    model = fitted(KEPT["TreeRank"])
    del model.tree_.above
    with monkeypatch.context() as older:
        older.setattr(modelfiles, "__version__", "0.1")
        (tmp_path / "model.skops").write_bytes(model_bytes(model))
    with pytest.raises(
        ValueError,
        match="was written with aucbook 0.1, here is .*install that version, or fit again",
    ):
        read_model(tmp_path / "model.skops")


def test_a_full_disk_leaves_nothing(tmp_path, monkeypatch):
    write_model(MODEL, path := tmp_path / "model.skops")
    before = path.read_bytes()

    def full(file_path, data):
        with open(file_path, "wb") as file:
            file.write(data[:100])
        raise OSError(28, "No space left on device", str(file_path))

    monkeypatch.setattr(type(path), "write_bytes", full)
    with pytest.raises(OSError, match="No space left"):
        write_model(MODEL, path)
    assert path.read_bytes() == before and list(tmp_path.iterdir()) == [path]


def test_a_file_of_another_program(tmp_path):
    for wanted in ("no digest", "is not a model file of aucbook"):
        data = skops.io.dumps(MODEL)
        (tmp_path / "model.skops").write_bytes(
            data if wanted == "no digest" else pack(unpack(data))
        )
        with pytest.raises(FileError, match=wanted):
            read_model(tmp_path / "model.skops")


def test_another_scikit_learn(tmp_path, monkeypatch):
    with monkeypatch.context() as older:
        older.setattr(sklearn, "__version__", "0.1")
        write_model(MODEL, tmp_path / "model.skops")
    with pytest.raises(
        ValueError,
        match="written with scikit-learn 0.1, here is .*install that version, or fit again",
    ):
        read_model(tmp_path / "model.skops")


@pytest.mark.parametrize("content", [b"", b"no archive", b"PK\x05\x06" + bytes(18)])
def test_damaged_files(tmp_path, content):
    (tmp_path / "model.skops").write_bytes(content)
    with pytest.raises(FileError, match="is not a model file, or damaged .copy it again"):
        read_model(tmp_path / "model.skops")


def test_missing_files(tmp_path):
    with pytest.raises(ValueError, match="there is no file"):
        read_model(tmp_path / "model.skops")


# ---------------------------------------------------------------- the archive
def rewritten(path, change):
    """The file, after `change` altered the dict of its parts, the seal among them, with the digest as it was."""
    parts = unpack(path.read_bytes())
    path.write_bytes(pack(change(parts) or parts, sealed=True))
    return path


def test_an_altered_part_is_detected(tmp_path):
    for change in (
        lambda parts: parts.update({next(n for n in parts if n.endswith(".npy")): b"x"}),
        lambda parts: parts.pop(next(n for n in parts if n.endswith(".npy"))) and None,
        lambda parts: parts.update({"1.npy": b""}),
        lambda parts: parts.update({"schema.json": parts["schema.json"].replace(b"0", b"1", 1)}),
        lambda parts: parts.update(
            {SEAL: json.dumps({"format": modelfiles.FORMAT, "sha256": "0" * 64}).encode()}
        ),
    ):
        path = rewritten(write_model(MODEL, tmp_path / "model.skops"), change)
        with pytest.raises(
            FileError, match="model.skops is not a model file, or damaged.*digest differs"
        ):
            read_model(path)


@pytest.mark.parametrize(
    "seal", [b"", b"[]", b"null", b"{}", b'{"format": "x\\u001b[2J"}', b"[" * 100_000, b"\xff"]
)
def test_any_content_of_the_seal(tmp_path, seal):
    path = rewritten(
        write_model(MODEL, tmp_path / "model.skops"), lambda parts: parts.update({SEAL: seal})
    )
    with pytest.raises(FileError) as refused:
        read_model(path)
    assert "\x1b" not in str(refused.value)


def test_the_digest_is_compared_before_any_other_reader(tmp_path, monkeypatch):
    path = rewritten(
        write_model(MODEL, tmp_path / "model.skops"),
        lambda parts: parts.update({"schema.json": b"{}"}),
    )

    def never(*args, **named):
        raise AssertionError("a reader saw what was altered")

    for name in ("loads", "load", "get_untrusted_types"):
        monkeypatch.setattr(skops.io, name, never)
    monkeypatch.setattr(np, "load", never)
    with pytest.raises(FileError, match="digest differs"):
        read_model(path)


def test_an_archive_that_would_fill_the_memory(tmp_path):
    """A bomb of a megabyte, in the archive and inside a sparse matrix; an array whose header asks for petabytes."""
    path = write_model(MODEL, tmp_path / "model.skops")
    zeros = b"\0" * (300 << 20)
    parts = files_in(path) | {"1.npy": zeros}
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in (
            parts | {SEAL: json.dumps({"format": modelfiles.FORMAT, "sha256": digest(parts)})}
        ).items():
            archive.writestr(name, content)
    path.write_bytes(bomb.getvalue())
    with pytest.raises(FileError, match="unpacked it would have 314.* bytes, far more than"):
        read_model(path)
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("data.npy", zeros)
    path.write_bytes(
        pack(files_in(write_model(MODEL, tmp_path / "good.skops")) | {"1.npz": inner.getvalue()})
    )
    with pytest.raises(FileError, match="far more than"):
        read_model(path)
    file = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        file, {"descr": "<f8", "fortran_order": False, "shape": (10**14,)}
    )
    parts = files_in(tmp_path / "good.skops")
    name = next(name for name in parts if name.endswith(".npy"))
    path.write_bytes(pack(parts | {name: file.getvalue() + bytes(64)}))
    with pytest.raises(FileError, match="an array of shape .100000000000000,. in 64 bytes"):
        read_model(path)


def test_a_model_of_zeros_is_written(tmp_path):
    """It packs as well as a bomb, and is stored unpacked instead."""
    model = LogisticRegression().fit(*SMALL_DATA)
    model.coef_ = np.zeros((1, 3))
    model.extra_ = np.zeros(12_000_000)
    assert read_model(write_model(model, tmp_path / "model.skops")).extra_.size == 12_000_000


def test_duplicate_names_of_parts(tmp_path):
    path = write_model(MODEL, tmp_path / "model.skops")
    with zipfile.ZipFile(path, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr("schema.json", b"{}")
    with pytest.raises(FileError, match="two parts have one name"):
        read_model(path)


# ---------------------------------------------------------------- every field of a decision
@pytest.fixture(scope="module")
def decided():
    return decisions()["decision of numbers"]


def saved(decision, path):
    """A file of a decision, whatever its fields are, with a digest of its own."""
    from aucbook.deployment.decision import file_fields

    path.write_bytes(model_bytes(file_fields(decision)))
    return path


WRONG = {
    "ranker": [None, 3, b"x", "x" * 100_000, ["line"]],
    "model": [None, 3, "x", LogisticRegression(), {}],
    "calibrator": [None, "x", MODEL],
    "threshold": [math.nan, math.inf, -math.inf, "0.5", None, True, [0.5], 10**400],
    "max_fpr": [math.nan, 0, 0.0, 1, 1.0, 2, -1, math.inf, "x", None, True, [0.1], 1e308, -0.1],
    "confidence_level": [math.nan, 0, 1, 5, -1, math.inf, "x", True, [0.95]],
    "performance": [None, {}, [], "x"],
    "calibration_set": [
        3,
        {},
        "x",
        {"negatives": -1, "groups": None, "positives": 0, "unused": 0.0},
    ],
    "classes_": [
        None,
        np.array([0, 0]),
        np.array([0, 1, 2]),
        np.array([0.0, math.nan]),
        np.array([[0, 1]]),
        np.array([1, 0]),
        [0, 1],
        "ab",
    ],
    "pos_label": [2, "1", None, math.nan, [1]],
    "costs": [3, {}, "x"],
    "surrogate": ["x", 3, MODEL],
    "fidelity": ["x", {}, {"agreement": 1.0}],  # a linear model has no surrogate
    "na_values": [None, 3, ["NA"], "x" * 100_000],
}


@pytest.mark.parametrize("field", WRONG)
def test_every_field_of_a_decision_is_checked(tmp_path, decided, field):
    for value in WRONG[field]:
        path = saved(replace(decided, **{field: value}), tmp_path / "model.skops")
        with pytest.raises(FileError, match="model.skops is damaged or was altered"):
            load_decision(path)
        with pytest.raises(ValueError):
            replace(decided, **{field: value}).save(tmp_path / "other.skops")
    assert [file.name for file in tmp_path.iterdir()] == ["model.skops"]
    with pytest.raises(FileError, match=field):
        load_decision(path)


@pytest.mark.slow
def test_every_number_of_a_performance_is_checked(tmp_path, decided):
    from aucbook.deployment.decision import file_fields

    path = tmp_path / "model.skops"
    performance = file_fields(decided)["performance"]
    for key, (value, low, high) in performance.items():
        wrong = ["x", None, 0.5, (value, low), (low - 1e-3, low, high), (high + 1e-3, low, high)]
        wrong += [(value, high + 1, low), (value, low, "x"), [value, low, high]]
        for number in (math.nan, math.inf, "x", True, *([None] if key != "precision" else [])):
            wrong += [(number, low, high), (value, number, high), (value, low, number)]
        for numbers in wrong:
            altered = replace(decided, performance=performance | {key: numbers})
            with pytest.raises(FileError, match=re.escape(f"performance[{key!r}]")):
                load_decision(saved(altered, path))
    _, low, high = performance["precision"]  # where no row is predicted positive it has no value
    no_alarms = replace(decided, performance=performance | {"precision": (None, low, high)})
    assert math.isnan(load_decision(saved(no_alarms, path)).performance.precision.value)


def test_a_calibrator_that_gives_no_probabilities(tmp_path, decided):
    for name, change in (
        ("probabilities_", lambda p: p[::-1] * 1.0),
        ("probabilities_", lambda p: p + 2),
        ("probabilities_", lambda p: p[:-1]),
        ("thresholds_", lambda t: t[::-1].copy()),
        ("thresholds_", lambda t: np.where(t == t.max(), np.nan, t)),
        ("thresholds_", lambda t: t[:, :1]),
        ("knots_", lambda k: k[:, ::-1].copy()),
        ("knots_", lambda k: k * np.nan),
        ("knots_", lambda k: k[:1]),
        ("knots_", lambda k: k.astype(np.float32)),
        ("interpolation", lambda word: "x"),
    ):
        calibrator = clone(decided.calibrator)
        vars(calibrator).update(vars(decided.calibrator))
        setattr(calibrator, name, change(getattr(calibrator, name)))
        with pytest.raises(FileError, match="probabilities_|thresholds_|knots_|interpolation"):
            load_decision(saved(replace(decided, calibrator=calibrator), tmp_path / "model.skops"))


def test_an_infinite_threshold_needs_costs(tmp_path, decided):
    costs = {
        "prevalence": None,
        "miss_cost": 1.0,
        "by_row": False,
        "alarm_cost": 9.0,
        "budget": None,
        "guaranteed_threshold": 0.5,
    }
    costly = replace(decided, threshold=math.inf, costs=costs)
    assert load_decision(saved(costly, tmp_path / "model.skops")).threshold == math.inf
    with pytest.raises(FileError, match="threshold must be a finite number, got -inf"):
        load_decision(saved(replace(costly, threshold=-math.inf), tmp_path / "model.skops"))
    with pytest.raises(FileError, match="threshold must be a finite number, got inf"):
        load_decision(saved(replace(decided, threshold=math.inf), tmp_path / "model.skops"))


def test_a_nan_score_is_an_error_not_a_negative(decided):
    model = clone(decided.model)
    vars(model).update(vars(decided.model))
    model.coef_ = np.array([[np.inf, 1.0]])
    broken = replace(decided, model=model)
    with pytest.raises(
        ValueError, match="row 1 .the first is 0.: the model gives no score, but NaN"
    ):
        broken.predict(np.array([[1.0, 1.0], [0.0, 1.0]]))


def test_numbers_of_every_kind_in_the_file_itself(tmp_path, decided):
    """The same, in an archive whose text is edited and whose digest is computed again."""
    parts = files_in(saved(decided, tmp_path / "model.skops"))
    schema = json.loads(parts["schema.json"])
    fields = schema["content"]["model"]["content"]
    for field, allowed in (
        ("threshold", lambda v: math.isfinite(v)),
        ("max_fpr", lambda v: 0 < v < 1),
        ("confidence_level", lambda v: 0 < v < 1),
    ):
        before = fields[field]["content"]
        for value in NUMBERS:
            fields[field]["content"] = json.dumps(value)
            (tmp_path / "model.skops").write_bytes(
                pack(parts | {"schema.json": json.dumps(schema).encode()})
            )
            if allowed(value):
                assert getattr(load_decision(tmp_path / "model.skops"), field) == value
            else:
                with pytest.raises(FileError, match=field):
                    load_decision(tmp_path / "model.skops")
        fields[field]["content"] = before


# ---------------------------------------------------------------- the command line
@pytest.fixture
def batch(tmp_path, decided):
    """(model, data) for `score`, `validate` and `monitor`."""
    model = decided.save(tmp_path / "model.skops")
    data = tmp_path / "new.csv"
    data.write_text("age,dose,label\n1,2,ill\n0,1,well\n2,2,ill\n-1,0,well\n")
    return model, data


def commands(model, data, out):
    yield ["score", str(model), str(data), "--out", str(out / "scored.csv")]
    yield ["validate", str(model), str(data), "--label", "label", "--out", str(out / "validation")]
    yield ["monitor", str(model), str(data)]


@pytest.mark.parametrize("kind", KINDS)
def test_altered_files_on_the_command_line(batch, tmp_path, capsys, kind):
    model, data = batch
    content = model.read_bytes()
    for number in range(3):
        model.write_bytes(altered(content, kind, number))
        for command in commands(model, data, tmp_path):
            code = main(command)
            captured = capsys.readouterr()
            assert code in (0, 1, 2) and "Traceback" not in captured.err
            assert code != 2 or captured.err.startswith("aucbook: ")


@pytest.mark.parametrize(
    "error",
    [
        RecursionError("too deep"),
        MemoryError(),
        KeyError("x"),
        AttributeError(),
        OverflowError("x\x1b[2J"),
    ],
)
def test_any_exception_is_a_sentence(batch, tmp_path, capsys, monkeypatch, error):
    """Where a file is read, and where rows are scored."""
    import aucbook

    def failing(*args, **named):
        raise error

    loads = aucbook.load_decision
    for command in commands(*batch, tmp_path):
        monkeypatch.setattr(aucbook, "load_decision", failing)
        assert main(command) == 2
        message = capsys.readouterr().err
        assert (
            message.startswith("aucbook: ")
            and "Traceback" not in message
            and "\x1b" not in message
            and len(message) > 40
        )
        broken = loads(batch[0])
        broken.positive_scores = failing
        monkeypatch.setattr(aucbook, "load_decision", lambda *args, broken=broken, **named: broken)
        if command[0] != "monitor":
            assert main(command) == 2
            assert capsys.readouterr().err.startswith("aucbook: ")
    assert not (tmp_path / "scored.csv").exists()
    with monkeypatch.context() as debugging, pytest.raises(type(error)):
        debugging.setenv("AUCBOOK_TRACEBACK", "1")
        debugging.setattr(aucbook, "load_decision", failing)
        main([*commands(*batch, tmp_path)][2])


def test_escape_sequences_do_not_reach_the_terminal(tmp_path, decided, capsys):
    evil = "li\x1b[31mne\x1b]0;owned\x07\x9b2J\b\r\u202eenil\ud800"
    path = saved(replace(decided, ranker=evil), tmp_path / "model.skops")
    data = tmp_path / "new.csv"
    data.write_text("age,dose,label,\x1b[2Jother\n1,2,ill,1\n0,1,well,2\n", encoding="utf8")
    for command in commands(path, data, tmp_path):
        main(command)
        captured = capsys.readouterr()
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", captured.out + captured.err)
    again = load_decision(path)
    assert again.ranker == evil
    for shown in (str(again), again._repr_html_(), "\n".join(again.sentences())):
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", shown)
    labels = saved(
        replace(decided, classes_=np.array(["a\x1b[2J", "b"]), pos_label="b"),
        tmp_path / "labels.skops",
    )
    main(["validate", str(labels), str(data), "--label", "label", "--out", str(tmp_path / "v")])
    captured = capsys.readouterr()
    assert "\x1b" not in captured.out + captured.err


@pytest.mark.slow
def test_a_new_process_reads_every_default_ranker(tmp_path):
    """Saved here, read there: nothing hangs on what this process has imported."""
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(120, 3))
    y = (rows[:, 0] + rng.normal(size=120) > 0).astype(int)
    np.save(tmp_path / "rows.npy", rows)
    expected = {}
    rankers = default_rankers(max_fpr=0.5)
    rankers.pop("CatBoost", None)  # where it is installed: files of it are not read
    for name, ranker in rankers.items():
        model = ranker.fit(rows, y)
        write_model(model, tmp_path / f"{name}.skops")
        expected[name] = fitted_scores(model, rows).tolist()
    program = (
        "import json, sys; from pathlib import Path; import numpy as np\n"
        "from aucbook.deployment.model_files import read_model; from aucbook._base.ranker import fitted_scores\n"
        "rows = np.load(Path(sys.argv[1]) / 'rows.npy')\n"
        "print(json.dumps({p.stem: fitted_scores(read_model(p), rows).tolist() for p in Path(sys.argv[1]).glob('*.skops')}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)],
        capture_output=True,
        text=True,
        env=os.environ,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1]) == expected
