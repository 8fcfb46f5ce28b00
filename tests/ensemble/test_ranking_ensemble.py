"""RankingEnsemble: out-of-fold scores, one scale, weights for a range, and its messages when members fail."""

import warnings

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import make_classification
from sklearn.dummy import DummyClassifier
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold, LeaveOneGroupOut, ShuffleSplit, StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from aucbook import RankingEnsemble, TreeRankForest, compare, partial_auc
from aucbook._base.ranker import warn_interrupted
from aucbook.ensemble import ensemble_members
from aucbook.ensemble.ranking_ensemble import COMBINERS, CommonScale, WeightedMean
from aucbook.pauc import cutting_planes

X, Y = make_classification(300, 6, n_informative=3, flip_y=0.1, weights=[0.7], random_state=0)
LINE = make_pipeline(StandardScaler(), LogisticRegression())
MEMBERS = {"line": LINE, "bayes": GaussianNB(), "forest": TreeRankForest(10)}


class Broken(GaussianNB):
    def fit(self, X, y, sample_weight=None):
        raise RuntimeError("no licence\nfound")


class Sometimes(GaussianNB):
    """Fails where the first training row is not the table's."""

    def fit(self, X, y, sample_weight=None):
        if X[0, 0] != globals()["X"][0, 0]:
            raise RuntimeError("not this fold")
        return super().fit(X, y, sample_weight)


class Stopped(GaussianNB):
    def fit(self, X, y, sample_weight=None):
        raise KeyboardInterrupt


class KeptWhatItHad(GaussianNB):
    def fit(self, X, y, sample_weight=None):
        warn_interrupted("interrupted: the 3 trees done are kept")
        return super().fit(X, y, sample_weight)


class Complaining(GaussianNB):
    def fit(self, X, y, sample_weight=None):
        warnings.warn("not converged", stacklevel=2)
        return super().fit(X, y, sample_weight)


class Noise(ClassifierMixin, BaseEstimator):
    """Random, uninformative scores."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def decision_function(self, X):
        return np.random.default_rng(len(X)).normal(size=len(X))


def fit_with_warnings(**keywords):
    """(fitted ensemble, its warnings as strings)."""
    fit = keywords.pop("fit", {})
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = RankingEnsemble(**{"random_state": 0, **keywords}).fit(X, Y, **fit)
    assert all(w.filename == __file__ for w in caught)
    return model, [str(w.message) for w in caught]


def test_out_of_fold_scores_are_those_of_models_that_have_not_seen_the_row():
    cv = StratifiedKFold(4)
    model = RankingEnsemble({"line": LINE, "bayes": GaussianNB()}, cv=cv, combiner="mean").fit(X, Y)
    for train, test in cv.split(X, Y):
        for name, member in (("line", LINE), ("bayes", GaussianNB())):
            again = clone(member).fit(X[train], Y[train])
            s = again.decision_function(X) if name == "line" else again.predict_proba(X)[:, 1]
            s = (s - s[train].mean()) / s[train].std()
            np.testing.assert_allclose(model.out_of_fold_[name][test], s[test], rtol=1e-9)
    refitted = clone(LINE).fit(X, Y)
    np.testing.assert_array_equal(
        model.members_["line"].decision_function(X), refitted.decision_function(X)
    )


@pytest.mark.parametrize("combiner", COMBINERS)
def test_a_useless_member_weighs_little_and_the_ensemble_is_as_good_as_its_best(combiner):
    members = {"line": LINE, "forest": TreeRankForest(30), "noise": Noise()}
    train, test = np.arange(200), np.arange(200, 300)
    model = RankingEnsemble(members, max_fpr=0.2, combiner=combiner, random_state=0).fit(
        X[train], Y[train]
    )
    assert list(model.weights_) == list(model.members_) and sum(
        model.weights_.values()
    ) == pytest.approx(1)
    assert min(model.weights_.values()) >= 0
    assert model.weights_["noise"] < max(model.weights_.values()) / 2
    best = max(
        partial_auc(Y[test], m.decision_function(X[test]), max_fpr=0.2)
        for m in list(model.members_.values())[:2]
    )
    # 30 positives: the standard error of a difference of two areas is about .05
    assert partial_auc(Y[test], model.decision_function(X[test]), max_fpr=0.2) > best - 0.05


def test_the_range_decides_the_weights():
    """A member that orders the head of the list and one that orders the rest."""
    rng = np.random.default_rng(0)
    y = (rng.random(4000) < 0.3).astype(np.uint8)
    s = rng.normal(size=4000) + 1.5 * y
    noise = rng.normal(size=(4000, 2))
    high = s > np.quantile(s, 0.8)
    head = np.where(high, s, 0.3 * noise[:, 0] - 1)
    rest = np.where(high, s.max() + noise[:, 1], s)
    Z = np.c_[head, rest]
    narrow, wide = (
        WeightedMean(Z, y, np.ones(4000), "pauc", 0, beta).weights for beta in (0.05, 1.0)
    )
    assert narrow[0] > wide[0]


def test_weights_go_to_all_who_take_them():
    members = {"line": LINE, "neighbours": KNeighborsClassifier(20)}
    w = np.random.default_rng(0).integers(0, 3, len(Y)).astype(float)
    folds = list(StratifiedKFold(3).split(X, Y))
    model = RankingEnsemble(members, cv=folds).fit(X, Y, sample_weight=w)
    train, test = folds[0]
    weighted = test[w[test] > 0]
    member = clone(LINE).fit(
        X[train],
        Y[train],
        standardscaler__sample_weight=w[train],
        logisticregression__sample_weight=w[train],
    )
    # without the rows of weight 0, sums are taken in another order
    s = member.decision_function(X)
    s -= np.average(s[train], weights=w[train])
    s /= np.sqrt(np.average(s[train] ** 2, weights=w[train]))
    np.testing.assert_allclose(model.out_of_fold_["line"][weighted], s[weighted], rtol=1e-5)
    plain = KNeighborsClassifier(20).fit(X[train][w[train] > 0], Y[train][w[train] > 0])
    s = plain.predict_proba(X[weighted])[:, 1]
    assert np.corrcoef(model.out_of_fold_["neighbours"][weighted], s)[0, 1] > 1 - 1e-12
    assert (
        np.isnan(model.out_of_fold_["line"][w == 0]).all()
        and np.isnan(model.out_of_fold_decision_[w == 0]).all()
    )


def test_models_of_a_member_need_not_agree_on_a_scale():
    """Shifting and scaling the scores, differently in every fold, changes nothing."""

    class Moody(GaussianNB):
        def decision_function(self, X):
            return (self.predict_proba(X)[:, 1] - len(self.seen_)) * np.sum(self.seen_[:, 0] > 0)

        def fit(self, X, y, sample_weight=None):
            self.seen_ = X
            return super().fit(X, y, sample_weight)

    folds = [
        (np.arange(300)[np.arange(300) % 7 > 1], np.flatnonzero(np.arange(300) % 7 == 0)),
        (np.arange(150), np.arange(150, 300)),
    ]
    moody, calm = (
        RankingEnsemble({"a": m, "line": LINE}, cv=folds).fit(X, Y) for m in (Moody(), GaussianNB())
    )
    np.testing.assert_allclose(moody.decision_function(X), calm.decision_function(X), rtol=1e-6)


def test_groups_stay_together():
    ward = np.repeat(np.arange(30), 10)

    class Spy(GaussianNB):
        def fit(self, X, y, sample_weight=None):
            training_groups.append(set(X[:, -1]))
            return super().fit(X, y, sample_weight)

    training_groups = []
    RankingEnsemble({"spy": Spy()}, cv=3, random_state=0).fit(np.c_[X, ward], Y, groups=ward)
    assert [len(s) for s in training_groups] == [20, 20, 20, 30]
    with pytest.raises(ValueError, match="groups must be 300 names of groups"):
        RankingEnsemble(MEMBERS).fit(X, Y, groups=ward[:5])


def test_splitters_of_ones_own():
    ward = np.arange(300) % 3
    model = RankingEnsemble(MEMBERS, cv=LeaveOneGroupOut()).fit(X, Y, groups=ward)
    assert not np.isnan(model.out_of_fold_decision_).any()
    model = RankingEnsemble(MEMBERS, cv=ShuffleSplit(2, test_size=0.2, random_state=0)).fit(X, Y)
    some = np.isnan(model.out_of_fold_["bayes"])
    assert some.any() and not some.all() and np.isfinite(model.decision_function(X)).all()


def test_report_and_curves():
    model = RankingEnsemble(MEMBERS, max_fpr=0.2, random_state=0).fit(X, Y)
    rows = model.report()
    assert [row["member"] for row in rows][-1] == "ensemble" and rows[-1]["weight"] is None
    assert [row["weight"] for row in rows[:-1]] == sorted(model.weights_.values(), reverse=True)
    for row in rows[:-1]:
        assert row["pAUC"] == pytest.approx(
            partial_auc(Y, model.out_of_fold_[row["member"]], max_fpr=0.2)
        )
    assert set(model.curves_) == {*MEMBERS, "ensemble"}


def test_missing_values_for_members_that_take_none():
    holes = np.where(np.random.default_rng(0).random(X.shape) < 0.2, np.nan, X)
    holes = np.c_[holes, np.full(len(X), np.nan)]  # and a column of nothing else
    model = RankingEnsemble(MEMBERS, random_state=0).fit(holes, Y)
    assert np.isfinite(model.decision_function(holes)).all() and not model.failures_
    assert partial_auc(Y, model.out_of_fold_decision_) > 0.7
    full = RankingEnsemble(MEMBERS, random_state=0).fit(X, Y)
    assert np.isfinite(full.decision_function(holes[:, :-1])).all()
    default = RankingEnsemble(random_state=0).fit(holes[:120], Y[:120])
    assert not default.failures_ and set(default.members_) == set(ensemble_members())


def test_compare_takes_it_with_raw_columns():
    table = np.c_[X.astype(object), np.where(X[:, 0] > 0, "red", "blue")]
    table[3, 1] = None
    result = compare(
        table,
        Y,
        {"ensemble": RankingEnsemble(MEMBERS, random_state=0), "bayes": GaussianNB()},
        cv=3,
    )
    assert not result.failures


def test_a_member_that_fails_is_named_and_the_rest_rank():
    for broken, message in (
        (Broken(), "RuntimeError: no licence"),
        (Sometimes(), "RuntimeError: not this fold"),
    ):
        model, messages = fit_with_warnings(rankers={**MEMBERS, "failing": broken})
        assert messages == [f"members dropped from the ensemble. failing: {message}"]
        assert list(model.members_) == list(MEMBERS) and model.failures_ == {"failing": message}
    with pytest.raises(
        ValueError, match="every member failed. one: RuntimeError: no licence; two: RuntimeError"
    ):
        RankingEnsemble({"one": Broken(), "two": Broken()}).fit(X, Y)


def test_a_member_with_constant_scores_is_dropped():
    # its constant differs from fold to fold: pooled, it would rank, and wrongly
    model, messages = fit_with_warnings(rankers={"constant": DummyClassifier(), "line": LINE})
    assert messages == [
        "members dropped from the ensemble. constant: it gives every row the same score"
    ]
    assert model.weights_ == {"line": 1.0}
    model, messages = fit_with_warnings(rankers={"constant": DummyClassifier()})
    assert len(messages) == 1 and "every member gives every row the same score" in messages[0]
    assert np.ptp(model.decision_function(X)) == 0


def test_warnings_come_once_with_the_members_name():
    model, messages = fit_with_warnings(rankers={"bayes": Complaining(), "line": LINE})
    assert messages == ["bayes: not converged"] and len(model.members_) == 2


@pytest.mark.parametrize("n_jobs", [None, pytest.param(2, marks=pytest.mark.slow)])
@pytest.mark.parametrize("stops", [Stopped(), KeptWhatItHad()])
def test_an_interrupted_fit_keeps_finished_members(stops, n_jobs):
    members = {"line": LINE, "bayes": GaussianNB(), "slow": stops, "forest": TreeRankForest(5)}
    model, messages = fit_with_warnings(rankers=members, n_jobs=n_jobs)
    assert messages == ["interrupted: only the finished members are used (line, bayes)"]
    assert (
        list(model.members_) == ["line", "bayes"] and np.isfinite(model.decision_function(X)).all()
    )
    with pytest.raises(KeyboardInterrupt):
        RankingEnsemble({"slow": stops}).fit(X, Y)


def test_interrupted_weights_are_none(monkeypatch):
    def impatient(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(cutting_planes, "solve_on_simplex", impatient)
    with pytest.raises(KeyboardInterrupt):
        RankingEnsemble({"line": LINE, "bayes": GaussianNB()}).fit(X, Y)


def test_fewer_folds_where_a_class_or_groups_are_few():
    few = np.r_[np.flatnonzero(Y == 1)[:3], np.flatnonzero(Y == 0)]
    with pytest.warns(
        UserWarning,
        match="^only 3 folds are used: cv=5 folds need at least as many rows of each class; there are 3",
    ):
        model = RankingEnsemble(MEMBERS, random_state=0).fit(X[few], Y[few])
    assert np.isfinite(model.decision_function(X)).all()
    _, messages = fit_with_warnings(rankers=MEMBERS, fit={"groups": np.arange(300) % 2})
    assert messages == [
        "only 2 folds are used: cv=5 folds need as many groups with positives and as many with negatives; there are 2 and 2"
    ]
    with pytest.raises(
        ValueError, match="at least two folds, and the rows cannot be split into two"
    ):
        RankingEnsemble(MEMBERS).fit(X[few[2:]], Y[few[2:]])
    with pytest.raises(ValueError, match="at least two folds"):
        RankingEnsemble(MEMBERS).fit(X, Y, groups=np.zeros(300))


def test_a_range_thinner_than_one_negative():
    model, messages = fit_with_warnings(rankers=MEMBERS, max_fpr=1e-4)
    assert not messages and np.isfinite(model.decision_function(X)).all()


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"rankers": {}}, "rankers must be a dict of at least one name"),
        ({"rankers": [LINE]}, "rankers must be a dict of at least one name"),
        (
            {"combiner": "best"},
            "combiner must be 'pauc', 'monotone', 'logistic' or 'mean', got 'best'",
        ),
        ({"min_fpr": 0.2, "max_fpr": 0.1}, "min_fpr"),
        ({"cv": 1}, "cv, the number of folds, must be"),
        ({"cv": "five"}, "cv must be"),
    ],
)
def test_bad_parameters(keywords, message):
    with pytest.raises(ValueError, match=message):
        RankingEnsemble(**keywords).fit(X, Y)


def test_seeds_reach_members_that_have_none():
    members = {
        "tree": DecisionTreeClassifier(max_features=1),
        "own": DecisionTreeClassifier(max_features=1, random_state=7),
    }
    model = RankingEnsemble(members, random_state=0).fit(X, Y)
    last = {name: m[-1] if hasattr(m, "steps") else m for name, m in model.members_.items()}
    assert last["own"].random_state == 7 and isinstance(last["tree"].random_state, int)
    assert members["tree"].random_state is None


@pytest.mark.kernel
def test_the_scale_rises_is_smooth_with_few_positives_and_counts_weights():
    rng = np.random.default_rng(0)
    y = np.repeat([1, 0], [12, 200]).astype(np.uint8)
    s = np.round(rng.normal(size=212) + y, 1)  # ties
    w = rng.integers(1, 4, 212)
    scale, grid = CommonScale(s, y, np.ones(212)), np.linspace(-5, 5, 101)
    assert (np.diff(scale(grid[(grid > s.min()) & (grid < s.max())])) > 0).all()
    copies = CommonScale(np.repeat(s, w), np.repeat(y, w), np.ones(w.sum()))
    np.testing.assert_allclose(copies(grid), CommonScale(s, y, w.astype(float))(grid), rtol=1e-9)
    # a line through 12 positives may be as steep as it likes; a bin of 13 rows with a prior of 4 may not
    assert np.ptp(scale(grid)) < 6
    moved = CommonScale(1e6 * s - 5, y, np.ones(212))  # only up to a line
    np.testing.assert_allclose(moved(1e6 * grid - 5), scale(grid), rtol=1e-6)


def test_splitters_get_only_rows_with_weight():
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    X = rng.normal(size=(60, 2)) + y[:, None]
    w = np.repeat([0.0, 1.0], [20, 40])
    members = {"bayes": GaussianNB(), "line": LogisticRegression()}
    with_zeros = RankingEnsemble(members, cv=KFold(3)).fit(X, y, sample_weight=w)
    without = RankingEnsemble(members, cv=KFold(3)).fit(X[20:], y[20:], sample_weight=w[20:])
    np.testing.assert_array_equal(with_zeros.decision_function(X), without.decision_function(X))
    with pytest.raises(ValueError, match="names of rankers must be strings, got 1"):
        RankingEnsemble({1: GaussianNB()}).fit(X, y)


def test_kernel_machines_have_no_importances_wherever_they_come_from():
    rankers = {"line": LINE, "kernel SVM": ensemble_members()["kernel SVM"]}
    model = RankingEnsemble(rankers, combiner="mean", random_state=0).fit(X, Y)
    alone = RankingEnsemble({"line": rankers["line"]}, random_state=0).fit(X, Y)
    np.testing.assert_allclose(model.feature_importances_, alone.feature_importances_)


class OrdinaryMap(Nystroem):
    """Nystroem's map, as scikit-learn computes it: the ensemble has no other way for a subclass."""


@pytest.mark.parametrize("gamma", [None, 0.3])
def test_scores_of_a_kernel_machine_are_those_of_its_pipeline(gamma):
    machine = make_pipeline(
        StandardScaler(), Nystroem(n_components=40, gamma=gamma, random_state=0), LinearSVC()
    )
    ensemble = RankingEnsemble({"kernel": machine, "line": LINE}, random_state=0).fit(X, Y)
    new = np.random.default_rng(0).normal(size=(1500, 6))
    scores = ensemble.decision_function(new)
    steps = ensemble.members_["kernel"][-1].steps  # behind an imputer
    ordinary = OrdinaryMap()
    vars(ordinary).update(vars(steps[1][1]))
    steps[1] = ("nystroem", ordinary)
    np.testing.assert_allclose(scores, ensemble.decision_function(new), rtol=1e-9, atol=1e-9)
