"""Model files: what was written comes back, and what is not ours, or cannot be so, is told before anything is scored by it."""

import json
import zipfile

import numpy as np
import pytest
import sklearn
from altered_models import survey
from discovery import SMALL_DATA, all_rankers, small
from sklearn.ensemble import ExtraTreesClassifier, GradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

pytest.importorskip("skops")
from skops import io

from aucbook._core.ranker import fitted_scores
from aucbook.boosting import weak
from aucbook.comparison import modelfiles, tuned
from aucbook.comparison.modelfiles import is_ours, read_model, write_model

X = np.arange(12.0).reshape(6, 2)
Y = np.array([0, 0, 1, 0, 1, 1])
MODEL = LogisticRegression().fit(X, Y)
TREE = DecisionTreeClassifier(max_depth=2, random_state=0)
LINE = LogisticRegression()
MEMBERS = {"forest": small("TreeRankForest"), "curves": small("AdditiveRanker"), "line": LINE}
KEPT = {  # every ranker, and those whose settings bring other parts into the file
    **{name: small(name) for name in all_rankers()},
    "RankingEnsemble": small("RankingEnsemble", rankers=MEMBERS),
    "RankingEnsemble of curves": small("RankingEnsemble", combiner="monotone", rankers=MEMBERS),
    "AUCBoost with coins": small("AUCBoost", weak_ranker=TREE, answers="coin"),
    "MartiRank of lines": small("MartiRank", weak_ranker=LINE, routing="random"),
    "LinearAdaBoost of trees": small("LinearAdaBoost", weak_ranker=TREE, constant=True),
    "PAVAdaBoost in bins": small("PAVAdaBoost", n_bins=4),
    "PAVAdaBoostFinite in bins": small("PAVAdaBoostFinite", n_bins=4),
    "Nscore with lines": small("Nscore", link="optimal", weighting=None),
    "KNNRanker of vectors": small("KNNRanker", weighting=None),
    "AdditiveRanker with a pair": small("AdditiveRanker", interactions=1),
    "PAUCBoost with splines": small("PAUCBoost", n_knots=3),
    "TreeRank by lines": small("TreeRank", splitter="linear", max_depth=3),
    "TreeRank by trees": small("TreeRank", splitter="leafrank", max_depth=3),
    "TreeRank by an estimator": small("TreeRank", splitter=LINE, max_depth=3),
    "TreeRank, shaken": small("TreeRank", shake="split", max_depth=3),
    "TreeRankBoost by pairs": small("TreeRankBoost", update="pairwise"),
    "TreeRankBoost as printed": small("TreeRankBoost", update="literal"),
    "TreeRankForest as printed": small("TreeRankForest", smoothing=None, max_samples=None, thresholds="best"),
    "random forest": RandomForestClassifier(3, random_state=0),
    "extra trees": ExtraTreesClassifier(3, random_state=0),
    "gradient boosting": GradientBoostingClassifier(n_estimators=3, random_state=0),
    "tree": TREE,
}


def test_a_model_comes_back(tmp_path):
    back = read_model(write_model(MODEL, tmp_path / "model.skops"))
    np.testing.assert_array_equal(back.predict_proba(X), MODEL.predict_proba(X))
    assert [p.name for p in tmp_path.iterdir()] == ["model.skops"]


@pytest.mark.filterwarnings("ignore")  # so few rounds: some rankers say so
@pytest.mark.parametrize("name", KEPT)
def test_every_ranker_comes_back(tmp_path, name):
    model = sklearn.base.clone(KEPT[name]).fit(*SMALL_DATA)
    back = read_model(write_model(model, tmp_path / "model.skops"))
    np.testing.assert_array_equal(fitted_scores(back, SMALL_DATA[0]), fitted_scores(model, SMALL_DATA[0]))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_one_bit_neither_crashes_nor_hangs(tmp_path):
    for name, model in KEPT.items():
        write_model(sklearn.base.clone(model).fit(*SMALL_DATA), tmp_path / f"{name}.skops")
    found = survey(tmp_path, 12)
    assert len(found) == 12 * len(KEPT)
    assert not [line for line in found if not line[2].startswith(("answer (20,)", "ValueError: "))]
    assert len({what.split()[0] for *_, what in found}) == 2  # some changes are seen, others are another model


def forged(name, change, tmp_path):
    "What `read_model` says of a model that `change` altered before it was written"
    model = sklearn.base.clone(KEPT[name]).fit(*SMALL_DATA)
    change(model)
    with pytest.raises(ValueError, match="is damaged or was altered, so it scores nothing") as refused:
        read_model(write_model(model, tmp_path / "model.skops"))
    return str(refused.value)


def set_at(array, place, value):
    array[place] = value


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "name, change, said",
    [
        ("TreeRank", lambda m: set_at(m.tree_.left, 0, 10**6), "children"),
        ("TreeRank", lambda m: set_at(m.tree_.left, m.tree_.left > 0, m.tree_.left[0]), "children"),  # a circle
        ("TreeRank", lambda m: set_at(m.tree_.column, 0, 3), "column"),
        ("TreeRank", lambda m: set_at(m.tree_.column, 0, -2), "column"),
        ("TreeRank", lambda m: setattr(m.tree_, "threshold", m.tree_.threshold[:-1]), "threshold"),
        ("TreeRank", lambda m: setattr(m.tree_, "left", m.tree_.left.astype(float)), "left"),
        ("TreeRank", lambda m: delattr(m, "n_features_in_"), "n_features_in_|missing|columns"),
        ("TreeRank", lambda m: setattr(m, "_scores", m._scores[:2]), "worth"),
        ("TreeRank by trees", lambda m: set_at(m.tree_.rules[0].tree.column, 0, 9), "column"),
        ("TreeRankForest", lambda m: set_at(m.trees_[0].left, 0, 10**6), "children"),
        ("TreeRankForest", lambda m: set_at(m.trees_[0].column, 0, 3), "column"),
        ("TreeRankForest", lambda m: set_at(m.trees_[0].left, -1, 1), "children"),  # a leaf that sends rows back
        ("TreeRankForest", lambda m: set_at(m.trees_[0].leaves, 0, 0), "leaves"),
        ("TreeRankForest", lambda m: m._bins.edges.pop(), "column"),
        ("TreeRankForest", lambda m: m._bins.edges.append(m._bins.edges[0]), "trees"),
        ("TreeRankBoost as printed", lambda m: set_at(m._walks[0][3], 0, 2**31), "children"),
        ("TreeRankBoost as printed", lambda m: set_at(m._walks[0][0], 0, 3), "column"),
        ("TreeRankBoost as printed", lambda m: set_at(m._walks[0][2], -1, 0), "children"),  # a leaf that sends rows on
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
        ("tree", lambda m: setattr(m, "n_classes_", np.int64(0)), "index"),
        ("RankingEnsemble", lambda m: delattr(m, "_zero"), "_zero"),
        ("FeatureRanker", lambda m: [delattr(m, key) for key in ("column_", "sign_", "edge_")], "not fitted|column_"),
    ],
)
def test_numbers_that_no_kernel_can_follow(tmp_path, name, change, said):
    assert any(word in forged(name, change, tmp_path) for word in said.split("|"))


def test_a_tree_of_another_library_that_points_outside(tmp_path):
    write_model(sklearn.base.clone(TREE).fit(*SMALL_DATA), path := tmp_path / "model.skops")
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    name, nodes = next((name, c) for name, c in members.items() if name.endswith(".npy") and b"left_child" in c)
    with zipfile.ZipFile(path, "w") as archive:
        for member, content in members.items():
            if member == name:  # the root's left child, the first number behind the header
                at = 10 + int.from_bytes(nodes[8:10], "little")
                content = content[:at] + (10**6).to_bytes(8, "little") + content[at + 8 :]
            archive.writestr(member, content)
    with pytest.raises(ValueError, match="the children of a tree's nodes cannot be so"):
        read_model(path)


def test_what_is_ours_is_found(monkeypatch):
    assert (
        is_ours("aucbook.trees.forest.TreeRankForest")
        and is_ours("aucbook._core.binning.Bins")
        and is_ours("aucbook._core.ranker.FittedScores")
    )
    for name in (
        "aucbook.metrics.roc.partial_auc",  # a function
        "aucbook.trees.treerank.TreeRank.fit",
        "aucbook.trees.forest.TreeRank",  # which has another home
        "aucbook.trees.forest.np",
        "aucbook._core.progress.PlainLines",  # no part of a model
        "aucbook._core.files.FileError",
        "aucbook.cli.Parser",
        "aucbook.cli.commands.subprocess",
        "aucbook.nowhere.Thing",
        "aucbook",
        "os.system",
    ):
        assert not is_ours(name), name

    class New(sklearn.base.BaseEstimator):
        __module__ = "aucbook.boosting.weak"

    monkeypatch.setattr(weak, "New", New, raising=False)
    assert is_ours("aucbook.boosting.weak.New")


def test_a_function_of_ours_is_not_built(tmp_path):
    schema = {"__class__": "partial_auc", "__module__": "aucbook.metrics.roc", "__loader__": "FunctionNode"}
    with zipfile.ZipFile(tmp_path / "model.skops", "w") as archive:
        archive.writestr("schema.json", json.dumps(schema | {"protocol": 2, "_skops_version": "0.11", "__id__": 1}))
    with pytest.raises(ValueError, match="nothing of it was built: aucbook.metrics.roc.partial_auc"):
        read_model(tmp_path / "model.skops")


def test_a_model_of_0_2_0_is_refused_with_a_sentence(tmp_path):
    "There TreeRank lay in aucbook.treerank, and its tree in aucbook.ranktree"
    path = write_model(sklearn.base.clone(KEPT["TreeRank"]).fit(*SMALL_DATA), tmp_path / "model.skops")
    with zipfile.ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    for new, old in ((b"trees.treerank", b"treerank"), (b"trees.tree", b"ranktree")):
        files["schema.json"] = files["schema.json"].replace(b"aucbook." + new, b"aucbook." + old)
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    with pytest.raises(ValueError, match=r"another version of aucbook, 0\.2\.0 or older.*fit again with this one"):
        read_model(path)


def test_a_search_is_kept_as_what_it_found(tmp_path):
    search = tuned(small("FeatureRanker"), {"n_bins": [4, None]}).fit(*SMALL_DATA)
    whole = sklearn.pipeline.make_pipeline(sklearn.preprocessing.StandardScaler(), search).fit(*SMALL_DATA)
    for model in (search, whole):
        back = read_model(write_model({"model": model}, tmp_path / "model.skops"))["model"]
        np.testing.assert_array_equal(fitted_scores(back, SMALL_DATA[0]), fitted_scores(model, SMALL_DATA[0]))


def test_a_model_of_another_edition(tmp_path, monkeypatch):
    model = sklearn.base.clone(KEPT["TreeRank"]).fit(*SMALL_DATA)
    del model.tree_.above
    with monkeypatch.context() as older:
        older.setattr(modelfiles, "__version__", "0.1")
        write_model(model, tmp_path / "model.skops")
    with pytest.raises(ValueError, match="was written with aucbook 0.1, here is .*install that version, or fit again"):
        read_model(tmp_path / "model.skops")


def test_a_full_disk_leaves_nothing(tmp_path, monkeypatch):
    write_model(MODEL, path := tmp_path / "model.skops")
    before = path.read_bytes()

    def full(kept, part, **options):
        part.write_bytes(b"half")
        raise OSError(28, "No space left on device", str(part))

    monkeypatch.setattr(io, "dump", full)
    with pytest.raises(OSError, match="No space left"):
        write_model(MODEL, path)
    assert path.read_bytes() == before and list(tmp_path.iterdir()) == [path]


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
    with pytest.raises(ValueError, match="scores nothing: a part is missing"):
        read_model(path)


@pytest.mark.parametrize("content", [b"", b"no archive", b"PK\x05\x06" + bytes(18)])
def test_damaged(tmp_path, content):
    (tmp_path / "model.skops").write_bytes(content)
    with pytest.raises(ValueError, match="is no model file, or damaged .copy it again"):
        read_model(tmp_path / "model.skops")


def test_no_file(tmp_path):
    with pytest.raises(ValueError, match="there is no file"):
        read_model(tmp_path / "model.skops")
