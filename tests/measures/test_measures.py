"""Every public measure: value, interval, test, scorer, booster metric, column and name."""

import pickle
import re
import warnings

import numpy as np
import pytest
from discovery import PACKAGES_WITH_API, all_measures, measure_classes
from scipy.stats import norm
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss, log_loss, roc_auc_score
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.naive_bayes import GaussianNB

from aucbook import (
    AP,
    AUC,
    BEDROC,
    EF,
    PAUC,
    TPR,
    Brier,
    LogAUC,
    NetBenefit,
    Precision,
    Recall,
    TwoWay,
    auc_interval,
    auc_test,
    cli,
    compare,
    compare_scores,
    decision_curve,
    enrichment_factor,
    net_benefit,
    tpr_interval,
)
from aucbook._numerics.sorting import scan_from_origin
from aucbook.measures import LogLoss, Measure, check_measures
from aucbook.measures.words import measure_of

RNG = np.random.default_rng(0)
Y = np.repeat([0, 1], 60)
P = np.clip(0.3 * Y + 0.6 * RNG.random(120), 0, 1)
Q = np.clip(0.1 * Y + 0.6 * RNG.random(120), 0, 1)
GROUPS = np.tile(np.arange(30), 4)
WEIGHTS = RNG.permutation(np.tile([1, 2, 3, 2], 30))  # a quarter of 240 is a whole number of rows
MEASURES = PACKAGES_WITH_API["measures"]
CLASSES = measure_classes()
ALL = all_measures()
each = pytest.mark.parametrize("measure", ALL, ids=repr)
TABLE = make_classification(120, 4, flip_y=0.2, random_state=0)


def test_all_measures_are_discovered():
    assert {AUC, AP, Brier, LogLoss} < set(ALL)
    assert len(ALL) == len({m.label for m in ALL}) >= 13


@each
def test_called(measure):
    value = measure(Y, P)
    assert isinstance(value, float)
    assert np.isfinite(value)
    names = np.where(Y == 1, "a", "b")
    assert measure(names, P, pos_label="a") == value
    assert measure(Y, P, sample_weight=np.full(120, 2.0)) == pytest.approx(value, rel=1e-12)
    twice = np.repeat(np.arange(120), WEIGHTS)
    assert measure(Y, P, sample_weight=WEIGHTS) == pytest.approx(
        measure(Y[twice], P[twice]), rel=1e-12
    )
    assert measure.minimum is None or value >= measure.minimum
    assert measure.maximum is None or value <= measure.maximum


@each
def test_value_from_the_scan(measure):
    for scores in (P, P.round(1)):
        assert measure._of_scan(*scan_from_origin(Y.astype(np.uint8), scores)) == pytest.approx(
            measure(Y, scores), rel=1e-12
        )


@each
def test_interval(measure):
    interval = measure.interval(Y, Q, n_resamples=200, random_state=0)
    assert interval.low < interval.estimate < interval.high
    assert interval.estimate == pytest.approx(measure(Y, Q), rel=1e-12)
    assert interval == measure.interval(Y, Q, n_resamples=200, random_state=0)
    narrow = measure.interval(Y, Q, confidence_level=0.5, n_resamples=200, random_state=0)
    assert interval.low < narrow.low < narrow.high < interval.high


def test_intervals_equal_those_of_the_functions():
    options = {"groups": GROUPS, "confidence_level": 0.9}
    assert AUC.interval(Y, P, **options) == auc_interval(Y, P, **options)[:3]
    assert (
        PAUC(min_fpr=0.1, max_fpr=0.4, form="mcclish").interval(Y, P)
        == auc_interval(Y, P, min_fpr=0.1, max_fpr=0.4, form="mcclish")[:3]
    )
    assert TPR(0.2).interval(Y, P, random_state=0, **options) == tpr_interval(
        Y, P, 0.2, random_state=0, **options
    )
    curve = decision_curve(Y, P, [0.3], random_state=0, n_resamples=50)
    interval = NetBenefit(0.3).interval(Y, P, random_state=0, n_resamples=50)
    assert interval == (net_benefit(Y, P, 0.3), curve.low[0], curve.high[0])


@each
@pytest.mark.parametrize("groups", [None, GROUPS], ids=["rows", "groups"])
def test_test(measure, groups):
    options = {"groups": groups, "n_resamples": 200, "random_state": 0}
    test = measure.test(Y, P, Q, margin=0.05, **options)
    assert test.difference == pytest.approx(measure(Y, P) - measure(Y, Q), abs=1e-12)
    assert test.low < test.difference < test.high
    linear = measure.test(Y, P, Q, margin=0.05, scale="linear", **options)
    assert linear.difference - linear.low == pytest.approx(linear.high - linear.difference)
    assert linear.statistic == pytest.approx(test.statistic)
    assert linear.difference == test.difference
    # 0 is at an end of the interval of this level
    edge = measure.test(Y, P, Q, confidence_level=1 - test.pvalue, **options)
    assert min(abs(edge.low), abs(edge.high)) < 1e-6
    assert edge.noninferiority is None
    reverse = measure.test(Y, Q, P, margin=0.05, **options)
    assert reverse.difference == pytest.approx(-test.difference)
    assert reverse.pvalue == pytest.approx(test.pvalue)
    assert (test.noninferiority < reverse.noninferiority) == (
        (test.difference > 0) == measure.larger
    )
    same = measure.test(Y, P, P, margin=0.05, **options)
    assert same.difference == same.statistic == 0
    assert same.pvalue == 1
    assert same.low <= 0 <= same.high
    same_linear = measure.test(Y, P, P, margin=0.05, scale="linear", **options)
    assert same_linear[:5] == (0, 0, 0, 1, 0)
    assert same_linear.noninferiority == 0


@pytest.mark.filterwarnings("ignore:the estimated variance is zero")
def test_of_perfectly_opposite_scores():
    y = np.repeat([0, 1], 5)
    s = np.arange(10.0)
    linear = AUC.test(y, s, -s, margin=0.1, scale="linear")
    assert linear == (1, 1, 1, 0, np.inf, 0)
    assert AUC.test(y, -s, s, margin=0.1, scale="linear").noninferiority == 1
    # of five and five rows: one order in 126 is as extreme
    opposite = AUC.test(y, s, -s, margin=0.1)
    assert 2 / 252 <= opposite.pvalue < 0.05
    assert 0 < opposite.low < opposite.high == 1
    assert np.isfinite(opposite.statistic)
    assert AUC.test(y, -s, s, margin=0.1).noninferiority > 0.97
    for wrong, message in (
        ({"margin": -1}, "margin"),
        ({"confidence_level": 2}, "confidence_level"),
        ({"groups": y}, "two groups"),
    ):
        with pytest.raises(ValueError, match=message):
            AUC.test(y, s, -s, **wrong)
    with pytest.raises(ValueError, match="y_prob must lie in"):
        Brier.test(y, s, -s)
    with pytest.raises(ValueError, match="score 2 contains NaN"):
        AP.test(y, s, np.full(10, np.nan))


@pytest.mark.parametrize("span", [(0, 1), (0, 0.2), (0.1, 0.4)])
@pytest.mark.parametrize("groups", [None, GROUPS], ids=["rows", "groups"])
def test_tests_of_areas_are_delongs(span, groups):
    want = auc_test(Y, P, Q, min_fpr=span[0], max_fpr=span[1], groups=groups, scale="linear")
    for form, unit in (("normalized", 1), ("raw", span[1] - span[0])):
        test = PAUC(min_fpr=span[0], max_fpr=span[1], form=form).test(
            Y, P, Q, groups=groups, scale="linear"
        )
        assert (test.statistic, test.pvalue) == (want.statistic, want.pvalue)
        assert test.difference == pytest.approx(unit * -np.diff(want.estimates)[0], rel=1e-12)
        assert test.difference / test.statistic * 1.959964 == pytest.approx(
            test.high - test.difference, rel=1e-6
        )
    if span == (0, 1):
        assert AUC.test(Y, P, Q, groups=groups) == PAUC().test(Y, P, Q, groups=groups)


def test_noninferiority_is_the_test_of_a_shifted_difference():
    test = AUC.test(Y, P, Q, margin=0.02, scale="linear")
    error = (test.high - test.difference) / 1.959964
    assert test.noninferiority == pytest.approx(norm.sf((test.difference + 0.02) / error), rel=1e-4)
    losses = Brier.test(Y, P, Q, margin=0.02, random_state=0, scale="linear")
    error = (losses.high - losses.difference) / 1.959964
    assert losses.noninferiority == pytest.approx(
        norm.sf((0.02 - losses.difference) / error), rel=1e-4
    )


def test_bootstrap_agrees_with_delong():
    area = type("Area", (PAUC,), {"_paired_test": Measure._paired_test})
    one = area().test(Y, P, Q, random_state=0)
    two = AUC.test(Y, P, Q)
    assert one.difference == pytest.approx(two.difference)
    assert one.statistic == pytest.approx(two.statistic, rel=0.05)


@each
def test_scorer(measure):
    X, y = TABLE
    model = LogisticRegression().fit(X, y)
    scores = model.predict_proba(X)[:, 1] if measure.probabilities else model.decision_function(X)
    scorer = pickle.loads(pickle.dumps(measure.scorer()))
    assert scorer(model, X, y) == (1 if measure.larger else -1) * measure(y, scores)
    assert repr(measure) in repr(scorer)
    search = GridSearchCV(model, {"C": [1e-3, 1]}, scoring=measure.scorer(), cv=2, n_jobs=2).fit(
        X, y
    )
    assert np.isfinite(search.best_score_)


@each
def test_booster_metric(measure):
    light, extreme, cat = map(measure.booster_metric, ("lightgbm", "xgboost", "catboost"))
    name, value, larger = pickle.loads(pickle.dumps(light))(Y, P)
    assert value == measure(Y, P) == extreme(Y, P)
    assert larger == measure.larger == cat.is_max_optimal()
    assert name == extreme.__name__
    assert name.startswith("auc") == larger
    odds = np.log(P + 0.01)
    prediction = 1 / (1 + np.exp(-odds)) if measure.probabilities else odds
    assert cat.evaluate([odds], Y, None) == (pytest.approx(measure(Y, prediction), rel=1e-12), 1.0)


def test_columns_of_a_comparison(tmp_path):
    X, y = TABLE
    result = compare(
        X, y, {"logistic": LogisticRegression(), "bayes": GaussianNB()}, cv=2, measures=ALL
    )
    for row in result.rows:
        for measure in ALL:
            if not measure.probabilities:
                by_fold = [
                    measure(y[result.fold == k], result.scores[row["ranker"]][result.fold == k])
                    for k in (0, 1)
                ]
                assert row[measure.label] == pytest.approx(np.mean(by_fold), rel=1e-12)
    assert {m.label for m in ALL} <= set(result.table()[0])
    page = (result.save(tmp_path) / "report.html").read_text(encoding="utf8")
    assert all(m.label in page for m in ALL)
    of_scores = compare_scores(Y, {"one": P, "two": Q}, measures=ALL)
    assert all(of_scores.rows[0][m.label] == m(Y, P) for m in ALL if m.label != "AUC")


@pytest.mark.parametrize(
    "first", [Brier, NetBenefit(0.3), PAUC(min_fpr=0.1, max_fpr=0.4), AP], ids=repr
)
def test_the_first_measure_orders_the_table(first):
    X, y = TABLE
    result = compare(
        X, y, {"logistic": LogisticRegression(), "bayes": GaussianNB()}, cv=3, measures=[first, AUC]
    )
    one, two = (row[first.label] for row in result.rows)
    assert one >= two if first.larger else one <= two
    assert ("p DeLong" in result.rows[0]) == (first.fpr_range is not None)


@each
def test_word(measure, tmp_path, capsys):
    text = repr(measure)
    assert measure_of(text) == measure == measure_of(text.lower())
    assert type(measure_of(text)) is type(measure)
    path = tmp_path / "scores.csv"
    path.write_text("y,one,two\n" + "".join(f"{y},{p},{q}\n" for y, p, q in zip(Y, P, Q)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert (
            cli.main(
                [
                    "report",
                    str(path),
                    "--label",
                    "y",
                    "--measure",
                    text,
                    "--out",
                    str(tmp_path / "o"),
                ]
            )
            == 0
        )
    assert measure.label in capsys.readouterr().out


@each
def test_values(measure):
    assert (
        pickle.loads(pickle.dumps(measure))
        == measure
        == eval(
            repr(measure),
            vars(MEASURES) | {m.__name__: m for m in CLASSES} | {repr(m): m for m in ALL},
        )
    )
    other = measure.labelled("mine")
    assert other == measure
    assert hash(other) == hash(measure)
    assert (other.label, measure.label != "mine") == ("mine", True)
    assert pickle.loads(pickle.dumps(other)).label == "mine"
    with pytest.raises(AttributeError):
        measure.larger = 3


def test_equality_is_that_of_class_and_settings():
    assert PAUC() == PAUC(max_fpr=1) == PAUC(max_fpr=np.float64(1)) != PAUC(min_fpr=0.1, max_fpr=1)
    assert Precision(1) != Precision(1.0)
    assert Precision(np.int64(3)) == Precision(3)
    assert PAUC() != AUC
    assert AUC != "AUC"
    assert pickle.loads(pickle.dumps(AUC)) is AUC
    assert [repr(m) for m in (AUC, PAUC(max_fpr=0.1), EF(0.01), BEDROC(), LogAUC())] == [
        "AUC",
        "PAUC(max_fpr=0.1)",
        "EF(k=0.01)",
        "BEDROC()",
        "LogAUC()",
    ]


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
def test_settings_come_first(cls):
    with pytest.raises(TypeError, match=rf"{cls.__name__}\(\w+=…\)\(y, s\)"):
        cls(Y, P)


@pytest.mark.parametrize("k", [0, -1, 2.0, 1.5, 0.0, np.nan, np.inf, True, "2", None])
@pytest.mark.parametrize("cls", [Precision, Recall, EF])
def test_k_out_of_range(cls, k):
    with pytest.raises(
        ValueError,
        match=r"k must be a whole number of rows, at least 1 row, or a share in \(0, 1\], got",
    ):
        cls(k)
    with pytest.raises(ValueError, match=r"k must be a whole number in 1\.\.4 .* or a share"):
        cls(5)([0, 1, 0, 1], [1, 2, 3, 4])


@pytest.mark.parametrize(("measure", "peer"), [(Brier, brier_score_loss), (LogLoss, log_loss)])
def test_losses_equal_scikit_learn(measure, peer):
    assert measure(Y, P) == pytest.approx(peer(Y, P), abs=1e-12)
    assert not measure.larger
    assert measure(Y, P, sample_weight=WEIGHTS) == pytest.approx(
        peer(Y, P, sample_weight=WEIGHTS), abs=1e-12
    )
    with pytest.raises(ValueError, match="y_prob must lie in"):
        measure(Y, 2 * P)


def test_mcclish_form_equals_scikit_learn():
    assert PAUC(max_fpr=0.1, form="mcclish")(Y, P) == pytest.approx(
        roc_auc_score(Y, P, max_fpr=0.1), abs=1e-12
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("area", "unknown measure 'area'; there are: "),
        ("area", "pauc(min_fpr=0.0, max_fpr=1.0, form=normalized)"),
        ("pauc(0, much)", "write a name and its settings"),
        ("pauc(0, 0.1, 'raw', 2)", "write pauc("),
        ("pauc(beta=0.1)", "write pauc("),
        ("auc(1)", "write auc"),
        ("tpr", "write tpr(fpr)"),
        ("precision(k=0)", "k must be a whole number of rows, at least 1 row"),
        ("precision(k=[1])", "write precision(k)"),
        ("pauc(0.5, 0.1)", "min_fpr"),
        ("partial_auc:0,0.1", "write a name and its settings"),
        ("pauc(__import__('os').getpid())", "write a name and its settings"),
        ("", "write a name and its settings"),
        ("aucbook.AUC", "write a name and its settings"),
        ("measure", "unknown measure"),
    ],
)
def test_invalid_names(text, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        measure_of(text)


def test_lists_of_measures():
    assert check_measures([AP, "Recall(.5)"], 20) == [AP, Recall(0.5)]
    for measures, message in (
        (
            [Precision(100)],
            "Precision(k=100): the smallest fold tests 20 rows; ask for a share of them, as in precision(k=0.1)",
        ),
        ([], "at least one measure"),
        (3, "must be a list"),
        ([AUC, "auc"], "duplicate measure AUC"),
        ([EF], "write ef(k)"),
        ([3], "must be names or measures"),
    ):
        with pytest.raises(ValueError, match=re.escape(message)):
            check_measures(measures, 20)


def test_measures_are_called_with_parameters():
    assert AUC() is AUC
    assert AUC()(Y, P) == AUC(Y, P)
    assert PAUC(max_fpr=0.5)(max_fpr=0.2) == PAUC(max_fpr=0.2)
    for call in (lambda: PAUC(0.1), lambda: LogAUC(0.1), lambda: TwoWay(0.1)):
        with pytest.raises(TypeError, match=r"by name: .*\(max_fpr=0.1\)"):
            call()
    with pytest.raises(TypeError, match=r"settings first: PAUC\(max_fpr=…\)"):
        PAUC()(Y, P, max_fpr=0.3)


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: AUC(max_fpr=0.1), "AUC has no setting max_fpr=, nor any other; PAUC, "),
        (lambda: AUC(Y, P, max_fpr=0.1), "max_fpr=: PAUC(max_fpr=…)(y_true, y_score)"),
        (lambda: PAUC(max_fpr=0.1)(Y, P, min_tpr=0.2), "TwoWay(min_tpr=…)(y_true, y_score)"),
        (lambda: PAUC(fpr=0.1), "only min_fpr=, max_fpr=, form=; TPR has fpr=: TPR(fpr=…)"),
        (lambda: PAUC(beta=0.1), "takes the range as min_fpr and max_fpr"),
        (lambda: Precision(n=5), "Precision has no setting n=, only k="),
        (
            lambda: Brier(Y, y_prob=P),
            "Brier takes scores and probabilities as y_score=, not y_prob",
        ),
        (lambda: Brier(y_prob=P), "Brier takes scores and probabilities as y_score=, not y_prob"),
        (lambda: AUC(Y, P, weights=WEIGHTS), "AUC takes sample_weight=, not weights="),
        (lambda: AUC(pos_label=1), "AUC(y_true, y_score, pos_label=…)"),
        (lambda: AUC(sample_weight=WEIGHTS), "AUC(y_true, y_score, sample_weight=…)"),
        (lambda: PAUC(max_fpr=0.1, pos_label=1), "PAUC(max_fpr=…)(y, s, pos_label=…)"),
        (lambda: Precision(y_true=Y, y_score=P), "Precision(k=…)(y, s)"),
    ],
)
def test_a_wrong_keyword_is_answered_with_the_right_one(call, message):
    with pytest.raises(TypeError, match=re.escape(message)):
        call()


def test_a_measure_without_settings_is_created_first():
    class Share(Measure):
        function = staticmethod(lambda y_true, y_score, **options: 0.5)

    with pytest.raises(
        TypeError, match=re.escape("Share makes a measure") + r".*Share\(\)\(y, s\)"
    ):
        Share(Y, P)
    assert Share()(Y, P) == 0.5


@pytest.mark.parametrize("measure", [AUC, PAUC(max_fpr=0.3), Brier])
def test_a_measure_as_scoring(measure):
    X = np.c_[P, Q]
    y = Y
    plain, scorer = (
        cross_val_score(LogisticRegression(), X, y, cv=2, scoring=s)
        for s in (measure, measure.scorer())
    )
    assert plain.tolist() == scorer.tolist()
    with pytest.raises(TypeError, match=r"scoring=.*\.scorer\(\)"):
        measure(y, P, Q)


def test_names_of_scikit_learn_are_known():
    names = ["roc_auc", "average_precision", "neg_brier_score", "neg_log_loss"]
    assert check_measures(names) == [AUC, AP, Brier, LogLoss]
    assert check_measures("roc_auc") == check_measures(AUC) == [AUC]
    assert check_measures([PAUC, "partial_auc(max_fpr=.1)"]) == [PAUC(), PAUC(max_fpr=0.1)]


@pytest.mark.parametrize(
    "text, meant", [("Precison(k=5)", "precision(k)"), ("logloss2", "logloss")]
)
def test_misspelt_names_get_a_suggestion(text, meant):
    with pytest.raises(ValueError, match=re.escape(f"did you mean {meant}? There are: ap, auc")):
        measure_of(text)


@pytest.mark.parametrize("cls", measure_classes())
def test_a_wrong_argument_meets_the_measure_by_its_name(cls):
    with pytest.raises(TypeError, match=rf"^{cls.__name__}(\.__init__\(\))? "):
        cls(nonsense=1)


def test_a_number_of_rows_is_not_a_fraction():
    with pytest.raises(ValueError, match=r"fraction must be .*EF\(k=10\) or precision_at_k"):
        enrichment_factor([1, 0], [2, 1], 10)
